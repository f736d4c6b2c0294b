//! Policies, their qualifiers, mappings and constraints.

use tagwise_codec::{Decode, FaultKind, Rule};
use tagwise_pkix::ext::*;
use tagwise_pkix::oids;

use crate::{OID_3, OID_4, accepted, el, refused, seq, tolerated};

/// `id-qt-cps` and `id-qt-unotice`.
const CPS: &[u8] = b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02\x01";
const USER_NOTICE: &[u8] = b"\x06\x08\x2B\x06\x01\x05\x05\x07\x02\x02";

/// CertificatePolicies with one policy and one qualifier, which starts at byte 12.
fn qualified(id: &[u8], qualifier: &[u8]) -> Vec<u8> {
    seq(&[&seq(&[OID_3, &seq(&[&seq(&[id, qualifier])])])])
}

fn qualifier<'a>(policies: &CertificatePolicies<'a>) -> PolicyQualifier<'a> {
    let policy = policies.0.iter().next().unwrap().unwrap();
    let info = policy.policy_qualifiers.unwrap().iter().next().unwrap().unwrap();
    info.qualifier.get().unwrap()
}

#[test]
fn certificate_policies() {
    let plain = seq(&[&seq(&[OID_3]), &seq(&[OID_4])]);
    assert_eq!(accepted::<CertificatePolicies<'_>>(&plain).0.len(), 2);
    tolerated::<CertificatePolicies<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    // An empty list of qualifiers.
    let empty = seq(&[&seq(&[OID_3, &[0x30, 0x00]])]);
    tolerated::<CertificatePolicies<'_>>(&empty, &Rule::SIZE, FaultKind::Size, 8);
    // A policy with a padded arc, as six certificates of public CAs have it: the 80 octet is at fault.
    let padded = seq(&[&seq(&[&[0x06, 0x03, 0x2A, 0x80, 0x03]])]);
    tolerated::<CertificatePolicies<'_>>(&padded, &Rule::OID_PADDED, FaultKind::OidPadded, 7);
    refused::<CertificatePolicies<'_>>(&seq(&[&seq(&[&[0x06, 0x02, 0x2A, 0x83]])]), FaultKind::OidTruncated, 8);
    // Three components.
    let third = seq(&[&seq(&[OID_3, &seq(&[&seq(&[CPS, b"\x16\x01a"])]), &[0x05, 0x00]])]);
    refused::<CertificatePolicies<'_>>(&third, FaultKind::TrailingData, 25);
}

#[test]
fn qualifiers() {
    let cps = qualified(CPS, b"\x16\x09http://a/");
    let PolicyQualifier::Cps(CpsUri(uri)) = qualifier(&accepted(&cps)) else { panic!() };
    assert_eq!(uri.as_str(), Some("http://a/"));
    let other = qualified(OID_4, &[0x02, 0x01, 0x05]);
    let PolicyQualifier::Unknown(unknown) = qualifier(&accepted(&other)) else { panic!() };
    assert_eq!(unknown.decode_as::<u8>().unwrap(), 5);
    // A known qualifier of another type, and an unknown one that is malformed.
    refused::<CertificatePolicies<'_>>(&qualified(CPS, &[0x0C, 0x01, b'a']), FaultKind::UnexpectedTag, 22);
    refused::<CertificatePolicies<'_>>(&qualified(OID_4, &[0x02, 0x02, 0x00, 0x05]), FaultKind::IntegerPadded, 18);
    refused::<CertificatePolicies<'_>>(&qualified(OID_4, &[]), FaultKind::Missing, 16);
    // Octets above 7F in an IA5String.
    tolerated::<CertificatePolicies<'_>>(
        &qualified(CPS, &[0x16, 0x02, b'a', 0xE4]),
        &Rule::STRING_ALPHABET,
        FaultKind::StringAlphabet,
        25,
    );
}

#[test]
fn user_notices() {
    let notice = seq(&[&seq(&[b"\x0C\x04Acme", &seq(&[&[0x02, 0x01, 0x01], &[0x02, 0x01, 0x02]])]), b"\x1A\x02hi"]);
    let der = qualified(USER_NOTICE, &notice);
    let PolicyQualifier::UserNotice(read) = qualifier(&accepted(&der)) else { panic!() };
    let reference = read.notice_ref.unwrap();
    assert_eq!(reference.organization.to_string(), "Acme");
    assert_eq!(reference.notice_numbers.len(), 2);
    assert_eq!(read.explicit_text.unwrap().to_string(), "hi");
    accepted::<UserNotice<'_>>(&[0x30, 0x00]);

    // Each string type: 200 characters, not octets, and more, which users "SHOULD gracefully handle" (RFC 5280 §4.2.1.4).
    let umlauts = "ü".repeat(200);
    let wide: Vec<u8> = [0x20, 0xAC].repeat(200);
    for (tag, content) in [(0x16, &[b'a'; 200][..]), (0x1A, &[b'a'; 200]), (0x0C, umlauts.as_bytes()), (0x1E, &wide)] {
        accepted::<UserNotice<'_>>(&seq(&[&el(tag, &[content])]));
        let one = content.len() / 200;
        let longer = [content, &content[..one]].concat();
        accepted::<UserNotice<'_>>(&seq(&[&el(tag, &[&longer])]));
        tolerated::<UserNotice<'_>>(&seq(&[&[tag, 0x00]]), &Rule::SIZE, FaultKind::Size, 2);
    }
    // A control character in a VisibleString, Latin-1 as IA5String, half a character of a BMPString.
    let line = seq(&[b"\x1A\x03a\nb"]);
    tolerated::<UserNotice<'_>>(&line, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 5);
    tolerated::<UserNotice<'_>>(&seq(&[b"\x16\x02\xFCb"]), &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 4);
    refused::<UserNotice<'_>>(&seq(&[b"\x1E\x03\x00a\x00"]), FaultKind::StringLength, 6);
    refused::<UserNotice<'_>>(&seq(&[b"\x0C\x01\xFF"]), FaultKind::Utf8Invalid, 4);
    // PrintableString is no DisplayText.
    refused::<UserNotice<'_>>(&seq(&[b"\x13\x01a"]), FaultKind::TrailingData, 2);
    refused::<DisplayText<'_>>(b"\x13\x01a", FaultKind::ChoiceUnknown, 0);
}

#[test]
fn policy_mappings() {
    let pair = seq(&[OID_3, OID_4]);
    assert_eq!(accepted::<PolicyMappings<'_>>(&seq(&[&pair, &pair])).0.len(), 2);
    tolerated::<PolicyMappings<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    refused::<PolicyMappings<'_>>(&seq(&[&seq(&[OID_3])]), FaultKind::Missing, 8);
}

#[test]
fn policy_constraints() {
    let both = seq(&[&[0x80, 0x01, 0x00], &[0x81, 0x01, 0x05]]);
    let read = accepted::<PolicyConstraints<'_>>(&both);
    assert_eq!(read.require_explicit_policy, Some(Count::ZERO));
    assert_eq!(read.inhibit_policy_mapping, Some(Count::new(5)));
    accepted::<PolicyConstraints<'_>>(&[0x30, 0x00]);
    tolerated::<PolicyConstraints<'_>>(&seq(&[&[0x81, 0x01, 0xFF]]), &Rule::VALUE, FaultKind::Value, 4);
    refused::<PolicyConstraints<'_>>(&seq(&[&[0x82, 0x01, 0x00]]), FaultKind::TrailingData, 2);
    refused::<PolicyConstraints<'_>>(&seq(&[&[0x80, 0x02, 0x00, 0x05]]), FaultKind::IntegerPadded, 4);
}

#[test]
fn inhibit_any_policy_and_numbers() {
    assert_eq!(accepted::<InhibitAnyPolicy<'_>>(&[0x02, 0x01, 0x05]).0.get(), 5);
    // Numbers of any size are accepted: there is no upper end.
    let large = accepted::<InhibitAnyPolicy<'_>>(&[0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(large.0.get(), u64::MAX);
    let negative = tolerated::<InhibitAnyPolicy<'_>>(&[0x02, 0x01, 0x80], &Rule::VALUE, FaultKind::Value, 2);
    assert_eq!(negative.0.get(), 0);
    for number in 0..=u8::MAX {
        assert_eq!(Count::new(number).get(), u64::from(number));
        accepted::<Count<'_>>(&tagwise_codec::encode(&Count::new(number)).unwrap());
    }
    assert!(Count::new(7) < Count::new(200));
    assert_eq!(Count::from_int(tagwise_codec::Int::from_signed(&[0xFF])), None);
}

#[test]
fn any_policy_is_one_like_others() {
    let any = seq(&[&seq(&[&[0x06, 0x04, 0x55, 0x1D, 0x20, 0x00]])]);
    let read = CertificatePolicies::from_der(&any).unwrap();
    assert_eq!(read.0.iter().next().unwrap().unwrap().policy_identifier, oids::ANY_POLICY);
}
