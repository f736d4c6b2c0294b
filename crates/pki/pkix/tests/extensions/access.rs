//! Access descriptions and distribution points.

use tagwise_codec::{FaultKind, Rule};
use tagwise_pkix::ext::*;
use tagwise_pkix::oids;

use crate::{OID_3, accepted, el, refused, seq, tolerated};

/// `id-ad-ocsp` and `id-ad-caIssuers`.
const OCSP: &[u8] = b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x01";
const CA_ISSUERS: &[u8] = b"\x06\x08\x2B\x06\x01\x05\x05\x07\x30\x02";

#[test]
fn information_access() {
    let der = seq(&[
        &seq(&[OCSP, b"\x86\x09http://o/"]),
        &seq(&[CA_ISSUERS, b"\x86\x09http://c/"]),
        &seq(&[OCSP, b"\x82\x01p"]),
    ]);
    let access = accepted::<AuthorityInfoAccess<'_>>(&der);
    let shown: Vec<String> = access.locations(oids::AD_OCSP).map(|name| name.to_string()).collect();
    assert_eq!(shown, ["URI:http://o/", "DNS:p"]);
    assert_eq!(accepted::<SubjectInfoAccess<'_>>(&der).locations(oids::AD_CA_REPOSITORY).count(), 0);
    tolerated::<AuthorityInfoAccess<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    tolerated::<SubjectInfoAccess<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    refused::<AuthorityInfoAccess<'_>>(&seq(&[&seq(&[OCSP])]), FaultKind::Missing, 14);
    refused::<AuthorityInfoAccess<'_>>(&seq(&[&seq(&[OID_3, &[0x16, 0x01, b'a']])]), FaultKind::ChoiceUnknown, 8);
    refused::<AuthorityInfoAccess<'_>>(
        &seq(&[&seq(&[OID_3, b"\x82\x01a", b"\x82\x01a"])]),
        FaultKind::TrailingData,
        11,
    );
}

/// DistributionPointName: fullName of one URI.
fn full_name() -> Vec<u8> {
    el(0xA0, &[&el(0xA0, &[b"\x86\x09http://a/"])])
}

#[test]
fn distribution_points() {
    // The reasons, of [1]; the issuer, of [2].
    let reasons = [0x81, 0x02, 0x05, 0x60];
    let issuer = el(0xA2, &[&[0x82, 0x01, b'i']]);
    let der = seq(&[&seq(&[&full_name(), &reasons, &issuer]), &seq(&[&issuer]), &seq(&[])]);
    let points = accepted::<CrlDistributionPoints<'_>>(&der);
    assert_eq!(points.full_names().map(|name| name.to_string()).collect::<Vec<_>>(), ["URI:http://a/"]);
    let first = points.0.iter().next().unwrap().unwrap();
    assert!(first.reasons.unwrap().names().eq(["keyCompromise", "cACompromise"]));
    assert!(first.reasons.unwrap().ca_compromise() && !first.reasons.unwrap().superseded());
    assert_eq!(accepted::<FreshestCrl<'_>>(&der).0.0.len(), 3);
    tolerated::<CrlDistributionPoints<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    tolerated::<FreshestCrl<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);

    // A name relative to the issuer: [0] { [1] { { commonName, "a" } } }.
    let attribute = seq(&[b"\x06\x03\x55\x04\x03", b"\x0C\x01a"]);
    let relative = seq(&[&seq(&[&el(0xA0, &[&el(0xA1, &[&attribute])])])]);
    let read = accepted::<CrlDistributionPoints<'_>>(&relative);
    let name = read.0.iter().next().unwrap().unwrap().distribution_point;
    assert!(matches!(name, Some(DistributionPointName::NameRelativeToCrlIssuer(_))));

    // Neither alternative, none at all, no names.
    refused::<CrlDistributionPoints<'_>>(&seq(&[&seq(&[&[0xA0, 0x02, 0xA2, 0x00]])]), FaultKind::ChoiceUnknown, 6);
    refused::<CrlDistributionPoints<'_>>(&seq(&[&seq(&[&[0xA0, 0x00]])]), FaultKind::Missing, 6);
    let none = seq(&[&seq(&[&[0xA0, 0x02, 0xA0, 0x00]])]);
    tolerated::<CrlDistributionPoints<'_>>(&none, &Rule::SIZE, FaultKind::Size, 8);
    // Reasons that end in zero bits.
    let zeros = seq(&[&seq(&[&[0x81, 0x02, 0x00, 0x60]])]);
    tolerated::<CrlDistributionPoints<'_>>(&zeros, &Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, 7);
}

#[test]
fn issuing_distribution_point() {
    accepted::<IssuingDistributionPoint<'_>>(&[0x30, 0x00]);
    let full = seq(&[&full_name(), &[0x81, 0x01, 0xFF], &[0x83, 0x02, 0x05, 0x60], &[0x84, 0x01, 0xFF]]);
    let read = accepted::<IssuingDistributionPoint<'_>>(&full);
    assert!(read.only_contains_user_certs && read.indirect_crl && !read.only_contains_ca_certs);
    assert!(accepted::<IssuingDistributionPoint<'_>>(&[0x30, 0x03, 0x85, 0x01, 0xFF]).only_contains_attribute_certs);

    let explicit = seq(&[&[0x82, 0x01, 0x00]]);
    tolerated::<IssuingDistributionPoint<'_>>(&explicit, &Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, 2);
    for two in [[0x81, 0x82], [0x81, 0x85], [0x82, 0x85]] {
        let der = seq(&[&[two[0], 0x01, 0xFF], &[two[1], 0x01, 0xFF]]);
        tolerated::<IssuingDistributionPoint<'_>>(&der, &Rule::VALUE, FaultKind::Value, 2);
    }
    refused::<IssuingDistributionPoint<'_>>(&seq(&[&[0x86, 0x01, 0xFF]]), FaultKind::TrailingData, 2);
    refused::<IssuingDistributionPoint<'_>>(&seq(&[&[0x80, 0x00]]), FaultKind::ConstructedExpected, 2);
}
