//! Extensions of other documents than RFC 5280.

use tagwise_codec::{BitStr, Decode, FaultKind, Null, Rule, encode};
use tagwise_pkix::ext::*;
use tagwise_pkix::logotype::LogotypeInfo;
use tagwise_pkix::oids;

use crate::{OID_3, OID_4, accepted, el, refused, seq, tolerated};

#[test]
fn markers() {
    accepted::<PrecertificatePoison>(&[0x05, 0x00]);
    accepted::<OcspNoCheck>(&[0x05, 0x00]);
    accepted::<NoRevAvail>(&[0x05, 0x00]);
    accepted::<DelegationUsage>(&[0x05, 0x00]);
    refused::<PrecertificatePoison>(&[0x05, 0x01, 0x00], FaultKind::NullLength, 2);
    refused::<OcspNoCheck>(&[0x30, 0x00], FaultKind::UnexpectedTag, 0);
    assert_eq!(encode(&NoRevAvail(Null)).unwrap(), [0x05, 0x00]);
}

#[test]
fn tls_features() {
    let features = accepted::<TlsFeature<'_>>(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x11]);
    assert!(features.contains(5) && features.contains(17) && !features.contains(6));
    // An empty list is what the ASN.1 allows.
    accepted::<TlsFeature<'_>>(&[0x30, 0x00]);
    refused::<TlsFeature<'_>>(&[0x30, 0x04, 0x02, 0x02, 0x00, 0x05], FaultKind::IntegerPadded, 4);
}

#[test]
fn acme_identifiers() {
    accepted::<AcmeIdentifier<'_>>(&el(0x04, &[&[0xCA; 32]]));
    for len in [0, 31, 33] {
        tolerated::<AcmeIdentifier<'_>>(&el(0x04, &[&[0xCA; 33][..len]]), &Rule::SIZE, FaultKind::Size, 2);
    }
}

#[test]
fn netscape() {
    let ty = accepted::<NetscapeCertType<'_>>(&[0x03, 0x02, 0x00, 0x07]);
    assert!(ty.ssl_ca() && ty.smime_ca() && ty.object_signing_ca() && !ty.ssl_client());
    assert!(accepted::<NetscapeCertType<'_>>(&[0x03, 0x02, 0x04, 0x90]).names().eq(["sslClient", "objectSigning"]));
    tolerated::<NetscapeCertType<'_>>(&[0x03, 0x02, 0x00, 0x80], &Rule::NAMED_BITS, FaultKind::NamedBitsTrailing, 3);
    assert_eq!(accepted::<NetscapeComment<'_>>(b"\x16\x02hi").0.as_str(), Some("hi"));
    refused::<NetscapeComment<'_>>(b"\x0C\x02hi", FaultKind::UnexpectedTag, 0);
}

#[test]
fn entrust() {
    let der = seq(&[b"\x1B\x04V7.1", &[0x03, 0x02, 0x00, 0x81]]);
    let read = accepted::<EntrustVersionInfo<'_>>(&der);
    assert_eq!(read.entrust_vers.as_str(), Some("V7.1"));
    assert_eq!(read.entrust_vers_info, BitStr::from_octets(&[0x81]));
    refused::<EntrustVersionInfo<'_>>(&seq(&[b"\x1B\x04V7.1"]), FaultKind::Missing, 8);
}

#[test]
fn microsoft() {
    assert_eq!(accepted::<TemplateName<'_>>(b"\x1E\x04\0C\0A").0.to_string(), "CA");
    let (major, minor) = ([0x02, 0x01, 0x64], [0x02, 0x01, 0x06]);
    let template = seq(&[OID_3, &major, &minor]);
    let read = accepted::<CertificateTemplate<'_>>(&template);
    assert_eq!((read.template_major_version, read.template_minor_version), (100, Some(6)));
    assert_eq!(accepted::<CertificateTemplate<'_>>(&seq(&[OID_3, &major])).template_minor_version, None);
    let large = seq(&[OID_3, &[0x02, 0x05, 0x01, 0, 0, 0, 0]]);
    refused::<CertificateTemplate<'_>>(&large, FaultKind::IntegerRange, 8);
    let version = accepted::<CaVersion<'_>>(&[0x02, 0x03, 0x05, 0x00, 0x06]);
    assert_eq!((version.certificate_index(), version.key_index()), (Some(6), Some(5)));
    assert_eq!(accepted::<CaVersion<'_>>(&[0x02, 0x01, 0xFF]).key_index(), None);
    accepted::<PreviousCaHash<'_>>(&el(0x04, &[&[0xCA; 20]]));
    accepted::<CrlVirtualBase<'_>>(&[0x02, 0x01, 0x05]);
    accepted::<CrlNextPublish<'_>>(b"\x17\x0D260101000000Z");
    refused::<CrlNextPublish<'_>>(b"\x05\x00", FaultKind::ChoiceUnknown, 0);
    accepted::<ApplicationPolicies<'_>>(&seq(&[&seq(&[OID_3])]));
    accepted::<ApplicationPolicyMappings<'_>>(&seq(&[&seq(&[OID_3, OID_4])]));
    accepted::<ApplicationPolicyConstraints<'_>>(&seq(&[&[0x80, 0x01, 0x00]]));
    accepted::<CrlSelfDistributionPoints<'_>>(&seq(&[&seq(&[])]));
    let sid = el(0xA0, &[b"\x06\x0A\x2B\x06\x01\x04\x01\x82\x37\x19\x02\x01", &el(0xA0, &[b"\x04\x05S-1-5"])]);
    let security = seq(&[&sid]);
    let read = accepted::<NtdsSecurity<'_>>(&security);
    assert_eq!(read.0.iter().next().unwrap().unwrap().to_string(), "SID:S-1-5");
}

/// QCStatements with one statement, whose information starts at byte 10.
fn statement(info: &[u8]) -> Vec<u8> {
    qc(0x02, info)
}

/// Statement 0.4.0.1862.1.n.
fn qc(n: u8, info: &[u8]) -> Vec<u8> {
    seq(&[&seq(&[&[0x06, 0x06, 0x04, 0x00, 0x8E, 0x46, 0x01, n], info])])
}

fn info<'a>(statements: &QcStatements<'a>) -> QcStatementInfo<'a> {
    statements.0.iter().next().unwrap().unwrap().statement_info.unwrap().get().unwrap()
}

#[test]
fn qualified_certificates() {
    let compliance = qc(1, &[]);
    let read = accepted::<QcStatements<'_>>(&compliance);
    assert!(read.find(oids::ETSI_QCS_QC_COMPLIANCE).unwrap().statement_info.is_none());
    assert!(read.find(oids::ETSI_QCS_QC_SSCD).is_none());

    let euros = statement(&seq(&[b"\x13\x03EUR", &[0x02, 0x01, 0x0A], &[0x02, 0x01, 0x03]]));
    let QcStatementInfo::LimitValue(limit) = info(&accepted(&euros)) else { panic!() };
    assert!(matches!(limit.currency, Iso4217CurrencyCode::Alphabetic(code) if code.as_str() == Some("EUR")));
    accepted::<QcStatements<'_>>(&statement(&seq(&[
        &[0x02, 0x02, 0x03, 0xD2],
        &[0x02, 0x01, 0x0A],
        &[0x02, 0x01, 0x03],
    ])));
    let code = statement(&seq(&[b"\x13\x02EU", &[0x02, 0x01, 0x0A], &[0x02, 0x01, 0x03]]));
    tolerated::<QcStatements<'_>>(&code, &Rule::SIZE, FaultKind::Size, 14);
    let number = statement(&seq(&[&[0x02, 0x01, 0x00], &[0x02, 0x01, 0x0A], &[0x02, 0x01, 0x03]]));
    tolerated::<QcStatements<'_>>(&number, &Rule::VALUE, FaultKind::Value, 14);

    accepted::<QcStatements<'_>>(&qc(3, &[0x02, 0x01, 0x0A]));
    let pds = qc(5, &seq(&[&seq(&[b"\x16\x02u/", b"\x13\x02en"])]));
    let QcStatementInfo::Pds(locations) = info(&accepted(&pds)) else { panic!() };
    assert_eq!(locations.0.iter().next().unwrap().unwrap().url.as_str(), Some("u/"));
    tolerated::<QcStatements<'_>>(&qc(5, &[0x30, 0x00]), &Rule::SIZE, FaultKind::Size, 14);
    let ty = qc(6, &seq(&[b"\x06\x07\x04\x00\x8E\x46\x01\x06\x03"]));
    let QcStatementInfo::Type(types) = info(&accepted(&ty)) else { panic!() };
    assert_eq!(types.iter().next().unwrap().unwrap(), oids::ETSI_QCT_WEB);
    accepted::<QcStatements<'_>>(&qc(7, &seq(&[b"\x13\x02DE"])));
    tolerated::<QcStatements<'_>>(&qc(7, &seq(&[b"\x13\x03DEU"])), &Rule::SIZE, FaultKind::Size, 16);
    // A statement that is not known, with information of any type.
    let other = qc(99, b"\x0C\x01a");
    let QcStatementInfo::Unknown(unknown) = info(&accepted(&other)) else { panic!() };
    assert_eq!(unknown.bytes, b"\x0C\x01a");

    let semantics = |info: &[u8]| seq(&[&seq(&[b"\x06\x08\x2B\x06\x01\x05\x05\x07\x0B\x02", info])]);
    let der = semantics(&seq(&[OID_3, &seq(&[b"\x82\x01a"])]));
    let QcStatementInfo::SyntaxV2(read) = info(&accepted(&der)) else { panic!() };
    assert_eq!(read.name_registration_authorities.unwrap().len(), 1);
    tolerated::<QcStatements<'_>>(&semantics(&[0x30, 0x00]), &Rule::VALUE, FaultKind::Value, 16);
    accepted::<QcStatements<'_>>(&semantics(&seq(&[OID_3])));

    let role = seq(&[b"\x06\x07\x04\x00\x81\x98\x27\x01\x01", b"\x0C\x06PSP_AS"]);
    let psd2 = seq(&[&seq(&[&role]), b"\x0C\x04Bank", b"\x0C\x06DE-BFN"]);
    let der = seq(&[&seq(&[b"\x06\x06\x04\x00\x81\x98\x27\x02", &psd2])]);
    let QcStatementInfo::Psd2(read) = info(&accepted(&der)) else { panic!() };
    assert_eq!(read.nca_id.as_str(), "DE-BFN");
}

#[test]
fn resources() {
    // IPv4: 10/8 and 10.0.0.0 to 10.2.255.255; IPv6: inherited.
    let range = seq(&[&[0x03, 0x02, 0x00, 0x0A], &[0x03, 0x03, 0x00, 0x0A, 0x02]]);
    let v4 = seq(&[&[0x04, 0x02, 0x00, 0x01], &seq(&[&[0x03, 0x02, 0x00, 0x0A], &range])]);
    let v6 = seq(&[&[0x04, 0x03, 0x00, 0x02, 0x01], &[0x05, 0x00]]);
    let der = seq(&[&v4, &v6]);
    let read = accepted::<IpAddrBlocks<'_>>(&der);
    let families: Vec<_> = read.0.iter().map(Result::unwrap).collect();
    assert_eq!(families[0].afi(), Some(1));
    assert_eq!((families[1].afi(), families[1].ip_address_choice), (Some(2), IpAddressChoice::Inherit));
    let short = seq(&[&seq(&[&[0x04, 0x01, 0x01], &[0x05, 0x00]])]);
    tolerated::<IpAddrBlocks<'_>>(&short, &Rule::SIZE, FaultKind::Size, 4);
    refused::<IpAddrBlocks<'_>>(&seq(&[&seq(&[&[0x04, 0x02, 0, 1], &[0x04, 0x00]])]), FaultKind::ChoiceUnknown, 8);

    let numbers = seq(&[&[0x02, 0x01, 0x07], &seq(&[&[0x02, 0x01, 0x08], &[0x02, 0x01, 0x09]])]);
    let der = seq(&[&el(0xA0, &[&numbers]), &el(0xA1, &[&[0x05, 0x00]])]);
    let read = accepted::<AsIdentifiers<'_>>(&der);
    assert_eq!(read.rdi, Some(AsIdentifierChoice::Inherit));
    assert!(matches!(read.asnum, Some(AsIdentifierChoice::AsIdsOrRanges(list)) if list.len() == 2));
    tolerated::<AsIdentifiers<'_>>(&[0x30, 0x00], &Rule::VALUE, FaultKind::Value, 2);
}

#[test]
fn organization_identifiers() {
    let der = seq(&[b"\x13\x03NTR", b"\x13\x02US", b"\x80\x02CA", b"\x0C\x07C123456"]);
    let read = accepted::<CabfOrganizationIdentifier<'_>>(&der);
    assert_eq!(read.registration_state_or_province.unwrap().as_str(), Some("CA"));
    let scheme = seq(&[b"\x13\x02NT", b"\x13\x02US", b"\x0C\x01C"]);
    tolerated::<CabfOrganizationIdentifier<'_>>(&scheme, &Rule::SIZE, FaultKind::Size, 2);
    let country = seq(&[b"\x13\x03NTR", b"\x13\x02U_", b"\x0C\x01C"]);
    tolerated::<CabfOrganizationIdentifier<'_>>(&country, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 10);
}

#[test]
fn logotypes() {
    // The subject's logotype, by reference: a hash, and where it is.
    let hash = seq(&[&seq(&[&el(0x06, &[&[0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 2, 1]])]), &el(0x04, &[&[0xAA; 32]])]);
    let reference = el(0xA1, &[&seq(&[&hash]), &seq(&[&el(0x16, &[b"http://logo.example/x"])])]);
    let der = seq(&[&el(0xA2, &[&reference])]);
    let logotype = accepted::<Logotype<'_>>(&der);
    let LogotypeInfo::Indirect(found) = logotype.subject_logo.unwrap().get().unwrap() else { panic!() };
    assert_eq!(found.ref_struct_uri.iter().next().unwrap().unwrap().as_str(), Some("http://logo.example/x"));
    // Nothing in it (RFC 9399 §4.1), and what is no LogotypeInfo.
    assert!(Logotype::from_der(&seq(&[])).is_err());
    refused::<Logotype<'_>>(&seq(&[&el(0xA2, &[&[0x02, 0x01, 0x05]])]), FaultKind::ChoiceUnknown, 4);
}

#[test]
fn second_signatures() {
    let algorithm = seq(&[&el(0x06, &[&[0x2B, 0x65, 0x70]])]);
    let bits = |len: usize| el(0x03, &[&[0], &[0x5A; 64][..len]]);
    let der = seq(&[&algorithm, &bits(32)]);
    let key = accepted::<SubjectAltPublicKeyInfo<'_>>(&der);
    assert_eq!(key.0.algorithm.algorithm, oids::ED25519);
    let of = accepted::<AltSignatureAlgorithm<'_>>(&algorithm);
    assert_eq!(of.0.algorithm, oids::ED25519);
    let signature = bits(64);
    assert_eq!(accepted::<AltSignatureValue<'_>>(&signature).0.as_bytes(), [0x5A; 64]);
    refused::<AltSignatureValue<'_>>(&el(0x04, &[&[0]]), FaultKind::UnexpectedTag, 0);
}
