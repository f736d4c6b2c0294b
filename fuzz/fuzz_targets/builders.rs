//! Builders on what was read: each refuses it, or makes the same octets, which are read again as strictly as any.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{Captured, Decode};
use tagwise_pkix::{Certificate, CertificateList, build};

fuzz_target!(|data: &[u8]| {
    if let Ok(read) = Certificate::from_der(data)
        && let Ok(unsigned) = build::certificate(&read.tbs_certificate)
    {
        assert_eq!(unsigned.tbs(), Captured::as_bytes(&read.tbs_certificate));
        let made = unsigned.attach(&[1; 64]).unwrap();
        assert_eq!(Certificate::from_der(&made).unwrap().tbs_certificate, read.tbs_certificate);
    }
    if let Ok(read) = CertificateList::from_der(data)
        && let Ok(unsigned) = build::crl(&read.tbs_cert_list)
    {
        assert_eq!(unsigned.tbs(), Captured::as_bytes(&read.tbs_cert_list));
        let made = unsigned.attach(&[1; 64]).unwrap();
        assert_eq!(CertificateList::from_der(&made).unwrap().tbs_cert_list, read.tbs_cert_list);
    }
});
