//! PACs, of tickets and alone, and captures of traffic: every buffer of any bytes is read or refused; messages lie within their captures.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_krb5::capture::{Capture, PORTS};
use tagwise_krb5::pac::{Pac, buffer, of_ticket};

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
    if let Ok(Some(found)) = of_ticket(data) {
        // What the KDC signs has one byte where the PAC was.
        let again = of_ticket(&found.without_pac).unwrap().unwrap();
        assert_eq!((again.pac, again.without_pac), (vec![0], found.without_pac));
    }
    if let Ok(capture) = Capture::from_bytes(data, PORTS) {
        assert!(capture.messages.iter().map(|message| message.octets.len()).sum::<usize>() <= data.len());
    }
});
