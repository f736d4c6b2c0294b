//! A certificate for stores, which ask nothing of it but its subject.

use tagwise_codec::{BitStr, Encode, Int, encode, oid};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{
    AlgorithmIdentifier, CertificateSerialNumber, SubjectPublicKeyInfo, TbsCertificate, Time, UnixTime, Validity,
    Version,
};

/// One whose serial number is this one, and nothing else of it depends on that.
pub(crate) fn der(subject: &str, number: u16) -> Vec<u8> {
    let algorithm = AlgorithmIdentifier { algorithm: oid!("1.3.101.112"), parameters: None };
    let subject = NameBuf::parse(subject).unwrap();
    let time = |seconds| Time::from_unix(UnixTime(seconds)).unwrap();
    let number = number.to_be_bytes();
    let bits = BitStr::from_octets(&[7; 32]);
    let tbs = TbsCertificate {
        version: Version::V3,
        serial_number: CertificateSerialNumber(Int::from_signed(&number)),
        signature: algorithm,
        issuer: subject.name(),
        validity: Validity { not_before: time(0), not_after: time(1000) },
        subject: subject.name(),
        subject_public_key_info: SubjectPublicKeyInfo { algorithm, subject_public_key: bits },
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: None,
    };
    let content = [octets(&tbs), octets(&algorithm), octets(&bits)].concat();
    assert!((0x80..0x100).contains(&content.len()));
    [&[0x30, 0x81, content.len() as u8], content.as_slice()].concat()
}

fn octets(value: &impl Encode) -> Vec<u8> {
    encode(value).unwrap()
}
