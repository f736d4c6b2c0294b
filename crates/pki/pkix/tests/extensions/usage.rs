//! Keys and what they are used for.

use tagwise_codec::{Decode, FaultKind, NamedBits, OctetStr, Rule, encode};
use tagwise_pkix::ext::*;
use tagwise_pkix::{oids, profile};

use crate::{OID_3, OID_4, accepted, el, refused, seq, tolerated};

#[test]
fn authority_key_identifier() {
    let none = accepted::<AuthorityKeyIdentifier<'_>>(&[0x30, 0x00]);
    assert_eq!(none, AuthorityKeyIdentifier::default());
    let key = seq(&[&[0x80, 0x02, 0xCA, 0xFE]]);
    assert_eq!(*accepted::<AuthorityKeyIdentifier<'_>>(&key).key_identifier.unwrap(), [0xCA, 0xFE]);
    // [1] { [2] "a" }, [2] 5
    let issuer = seq(&[&[0xA1, 0x03, 0x82, 0x01, b'a'], &[0x82, 0x01, 0x05]]);
    let read = accepted::<AuthorityKeyIdentifier<'_>>(&issuer);
    assert_eq!(read.authority_cert_serial_number.unwrap().0.as_bytes(), [5]);
    assert_eq!(read.authority_cert_issuer.unwrap().iter().count(), 1);

    // The serial number without the issuer, and the issuer without the serial number.
    let serial = seq(&[&[0x82, 0x01, 0x05]]);
    for pair in [serial, issuer_only()] {
        tolerated::<AuthorityKeyIdentifier<'_>>(&pair, &profile::ISSUER_AND_SERIAL, FaultKind::Profile, 2);
    }
    // The whole is at fault, not the component that happens to stand where its content begins.
    let beside = seq(&[&[0x80, 0x02, 0xCA, 0xFE], &[0x82, 0x01, 0x05]]);
    let error = AuthorityKeyIdentifier::from_der(&beside).unwrap_err();
    assert_eq!((error.code(), error.path(), error.offset()), ("issuer-and-serial", "", 2));
    // A serial number below zero, at its content.
    let negative = seq(&[&[0xA1, 0x03, 0x82, 0x01, b'a'], &[0x82, 0x01, 0xFF]]);
    tolerated::<AuthorityKeyIdentifier<'_>>(&negative, &profile::NEGATIVE_SERIAL, FaultKind::Profile, 9);
    // No issuer in the list of issuers.
    let empty = seq(&[&[0xA1, 0x00], &[0x82, 0x01, 0x05]]);
    tolerated::<AuthorityKeyIdentifier<'_>>(&empty, &Rule::SIZE, FaultKind::Size, 4);
    // Components out of order.
    let order = seq(&[&[0x82, 0x01, 0x05], &[0x80, 0x01, 0xCA]]);
    refused::<AuthorityKeyIdentifier<'_>>(&order, FaultKind::TrailingData, 5);
    // A constructed OCTET STRING.
    refused::<AuthorityKeyIdentifier<'_>>(&seq(&[&[0xA0, 0x00]]), FaultKind::PrimitiveExpected, 2);
}

fn issuer_only() -> Vec<u8> {
    seq(&[&[0xA1, 0x03, 0x82, 0x01, b'a']])
}

#[test]
fn subject_key_identifier() {
    assert_eq!(accepted::<SubjectKeyIdentifier<'_>>(&[0x04, 0x01, 0xCA]), SubjectKeyIdentifier(OctetStr::new(&[0xCA])));
    refused::<SubjectKeyIdentifier<'_>>(&[0x04, 0x02, 0xCA], FaultKind::LengthOverrun, 1);
    refused::<SubjectKeyIdentifier<'_>>(&[0x03, 0x02, 0x00, 0xCA], FaultKind::UnexpectedTag, 0);
}

#[test]
fn key_usage() {
    let all = accepted::<KeyUsage<'_>>(&[0x03, 0x03, 0x07, 0xFF, 0x80]);
    let names = [
        "digitalSignature",
        "nonRepudiation",
        "keyEncipherment",
        "dataEncipherment",
        "keyAgreement",
        "keyCertSign",
        "cRLSign",
        "encipherOnly",
        "decipherOnly",
    ];
    assert!(all.names().eq(names));
    assert!(all.digital_signature() && all.crl_sign() && all.decipher_only());
    assert!(accepted::<KeyUsage<'_>>(&[0x03, 0x01, 0x00]).names().next().is_none());
    // A bit without a name (9) is kept.
    let more = accepted::<KeyUsage<'_>>(&[0x03, 0x03, 0x06, 0x80, 0x40]);
    assert!(more.names().eq(["digitalSignature"]) && more.0.contains(9));
    assert_eq!(encode(&KeyUsage(NamedBits::from_mask(1 << 8))).unwrap(), [0x03, 0x03, 0x07, 0x00, 0x80]);

    // A zero octet at the end, as five certificates of public CAs have it.
    let trailing = [0x03, 0x03, 0x07, 0x06, 0x00];
    let read = tolerated::<KeyUsage<'_>>(&trailing, &Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, 4);
    assert!(read.key_cert_sign() && read.crl_sign());
    tolerated::<KeyUsage<'_>>(&[0x03, 0x02, 0x00, 0x06], &Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, 3);
    tolerated::<KeyUsage<'_>>(&[0x03, 0x02, 0x01, 0x07], &Rule::UNUSED_BITS, FaultKind::BitStringPadding, 3);
    refused::<KeyUsage<'_>>(&[0x03, 0x02, 0x08, 0x06], FaultKind::BitStringUnused, 2);
    refused::<KeyUsage<'_>>(&[0x03, 0x00], FaultKind::BitStringEmpty, 2);
    // What four certificates of one CA hold in its place.
    refused::<KeyUsage<'_>>(&[0xD4], FaultKind::UnexpectedTag, 0);
}

#[test]
fn extended_key_usage() {
    let two = seq(&[OID_3, OID_4]);
    let usage = accepted::<ExtKeyUsage<'_>>(&two);
    assert_eq!(usage.0.len(), 2);
    assert!(!usage.contains(oids::KP_SERVER_AUTH));
    tolerated::<ExtKeyUsage<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    refused::<ExtKeyUsage<'_>>(&seq(&[OID_3, &[0x05, 0x00]]), FaultKind::UnexpectedTag, 6);
    refused::<ExtKeyUsage<'_>>(&seq(&[&[0x06, 0x00]]), FaultKind::OidEmpty, 4);
}

#[test]
fn private_key_usage_period() {
    let before = el(0x80, &[b"20260101000000Z"]);
    let after = el(0x81, &[b"20271231235959Z"]);
    for parts in [&[&before[..]][..], &[&after], &[&before, &after]] {
        accepted::<PrivateKeyUsagePeriod<'_>>(&seq(parts));
    }
    tolerated::<PrivateKeyUsagePeriod<'_>>(&[0x30, 0x00], &Rule::VALUE, FaultKind::Value, 2);
    let fraction = seq(&[&el(0x80, &[b"20260101000000.5Z"])]);
    tolerated::<PrivateKeyUsagePeriod<'_>>(&fraction, &profile::FRACTIONAL_TIME, FaultKind::Profile, 4);
    refused::<PrivateKeyUsagePeriod<'_>>(&seq(&[&el(0x80, &[b"20261301000000Z"])]), FaultKind::TimeMonth, 8);
}
