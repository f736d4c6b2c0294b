//! PACs and captures of traffic: every buffer of any bytes is read or refused; messages lie within their captures.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_krb5::capture::{Capture, PORTS};
use tagwise_krb5::pac::{Pac, buffer};

fuzz_target!(|data: &[u8]| {
    if let Ok(pac) = Pac::from_bytes(data) {
        let _ = (pac.client_info(), pac.upn_dns_info(), pac.attributes(), pac.requestor(), pac.logon_info());
        for (kind, content) in pac.buffers() {
            assert_eq!(pac.buffer(kind), Some(content));
        }
        for kind in [buffer::SERVER_CHECKSUM, buffer::KDC_CHECKSUM, buffer::TICKET_CHECKSUM, buffer::FULL_CHECKSUM] {
            let _ = pac.signature(kind);
        }
    }
    if let Ok(capture) = Capture::from_bytes(data, PORTS) {
        assert!(capture.messages.iter().map(|message| message.octets.len()).sum::<usize>() <= data.len());
    }
});
