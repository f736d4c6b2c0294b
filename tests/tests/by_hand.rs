//! The tables of the types that are written by hand say what the schemas say.
//!
//! A certificate and a revocation list lead to nearly all of them; extensions that the modules of RFC 5912 do not list, and types
//! that no extension is, are named one by one. What differs stands in `register/by-hand.tsv` with its reason, in both directions;
//! and a type that is neither met here nor said to have no schema fails, too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tagwise_codec::table::{Type, Typed};
use tagwise_pkix::{alg, cert, crl, ext, name, time};
use tagwise_tables::{Schema, Source};
use tagwise_tests::alike::Comparison;
use tagwise_tests::{corpora, register};

const COLUMNS: &str = "place\there\tschema\twhy";

/// The name of a type in its schema, and the table of the Rust type.
type Pair = (&'static str, fn() -> &'static Type);

macro_rules! pairs {
    ($($name:literal = $ty:ty),* $(,)?) => { &[$(($name, <$ty as Typed>::ty)),*] };
}

/// The roots: what leads to other types comes first.
const PAIRS: &[Pair] = pairs! {
    "PKIX1Explicit-2009.Certificate" = cert::Certificate<'_>,
    "PKIX1Explicit-2009.CertificateList" = crl::CertificateList<'_>,
    "PKIXAlgs-2009.RSAPublicKey" = alg::RsaPublicKey<'_>,
    "PKIX1Explicit-2009.Validity" = time::Validity<'_>,
    "PKIX1Explicit-2009.Name" = name::Name<'_>,
    "PKIX1Explicit-2009.X520name" = name::DirectoryString<'_>,
    "PKIX1Implicit-2009.GeneralNames" = ext::GeneralNames<'_>,
    "PKIX1Implicit-2009.PolicyQualifierInfo" = ext::PolicyQualifierInfo<'_>,
    "PKIX1Implicit-2009.CPSuri" = ext::CpsUri<'_>,
    "PKIX1Implicit-2009.UserNotice" = ext::UserNotice<'_>,
    "PKIX-X400Address-2009.ORAddress" = ext::OrAddress<'_>,
    "PKIXqualified97.QCStatements" = ext::QcStatements<'_>,
    "PKIXqualified97.SemanticsInformation" = ext::SemanticsInformation<'_>,
    "ETSIQCstatements.MonetaryValue" = ext::MonetaryValue<'_>,
    "ETSIQCstatements.QcEuPDS" = ext::PdsLocations<'_>,
    "ETSIQCstatements.CountryName" = ext::CountryName<'_>,
    "PKIXServiceNameSAN93.SRVName" = ext::SrvName<'_>,
    "LAMPS-EaiAddresses-2016.SmtpUTF8Mailbox" = ext::SmtpUtf8Mailbox<'_>,
    "PKIXpermanentidentifier93.PermanentIdentifier" = ext::PermanentIdentifier<'_>,
    "HardwareModuleName.HardwareModuleName" = ext::HardwareModuleName<'_>,
    "IPAddrAndASCertExtn-2010.IPAddrBlocks" = ext::IpAddrBlocks<'_>,
    "IPAddrAndASCertExtn-2010.ASIdentifiers" = ext::AsIdentifiers<'_>,
    "LogotypeCertExtn-2022.LogotypeExtn" = ext::Logotype<'_>,
    "NoRevAvailExtn.NoRevAvail" = ext::NoRevAvail,
    "DelegatedCredentialExtn.DelegationUsage" = ext::DelegationUsage,
    "TLS-Feature-Module-2015.Features" = ext::TlsFeature<'_>,
    "AcmeIdentifierExtn.Authorization" = ext::AcmeIdentifier<'_>,
    "WLANCertExtn-2010.SSIDList" = ext::SsidList<'_>,
    "PKIXqualified97.BiometricSyntax" = ext::BiometricSyntax<'_>,
    "CertificateTransparency.SignedCertificateTimestampList" = ext::SctList<'_>,
};

/// Types of other origins, and what is no type of the schemas but a kind of value.
const NO_SCHEMA: &[(&str, &str)] = &[
    ("Count", "an INTEGER as a number to compute with"),
    ("WholeSeconds", "a GeneralizedTime as RFC 5280 wants it"),
    ("IpAddress", "the octets of an address, which RFC 5280 has in prose"),
    ("IpSubnet", "address and mask, which RFC 5280 has in prose"),
    ("ExtensionValue", "an open type: its rows are compared"),
    ("QcStatementInfo", "an open type: its rows are compared"),
    ("PolicyQualifier", "an open type: its rows are compared"),
    ("OtherNameValue", "an open type: its rows are compared"),
    ("TemplateName", "Microsoft's"),
    ("CertificateTemplate", "Microsoft's"),
    ("CaVersion", "Microsoft's"),
    ("PreviousCaHash", "Microsoft's"),
    ("CrlVirtualBase", "Microsoft's"),
    ("CrlNextPublish", "Microsoft's"),
    ("CrlSelfDistributionPoints", "Microsoft's"),
    ("ApplicationPolicies", "Microsoft's"),
    ("ApplicationPolicyMappings", "Microsoft's"),
    ("ApplicationPolicyConstraints", "Microsoft's"),
    ("NtdsSecurity", "Microsoft's"),
    ("PrincipalName", "Microsoft's and Kerberos's, for names of users"),
    ("Krb5PrincipalName", "RFC 4556, whose module is not here"),
    ("NaiRealm", "RFC 7585, whose module is not here"),
    ("Psd2QcType", "ETSI TS 119 495, whose module is not here"),
    ("RoleOfPsp", "ETSI TS 119 495, whose module is not here"),
    ("TbsCertificateLogEntry", "an Internet-Draft on Merkle Tree Certificates, whose module is not here"),
    ("CabfOrganizationIdentifier", "the CA/Browser Forum's"),
    ("NetscapeCertType", "Netscape's"),
    ("EntrustVersionInfo", "Entrust's"),
    ("PrecertificatePoison", "RFC 6962 §3.1 has it in prose"),
    ("OcspNoCheck", "RFC 6960 §4.2.2.2.1 has it as a value of NULL"),
    ("ExpiredCertsOnCrl", "X.509, whose modules are not here"),
    ("SubjectAltPublicKeyInfo", "X.509, whose modules are not here"),
    ("AltSignatureAlgorithm", "X.509, whose modules are not here"),
    ("AltSignatureValue", "X.509, whose modules are not here"),
    ("TnAuthList", "RFC 8226, whose module is not here"),
    ("TnEntry", "RFC 8226, whose module is not here"),
    ("TelephoneNumberRange", "RFC 8226, whose module is not here"),
    ("TelephoneNumber", "RFC 8226, whose module is not here"),
    ("ProxyCertInfo", "RFC 3820, whose module is not here"),
    ("ProxyPolicy", "RFC 3820, whose module is not here"),
    ("RelatedCertificate", "RFC 9763, whose module is not here"),
    ("NfTypes", "RFC 9310, whose module is not here"),
    ("NfType", "RFC 9310, whose module is not here"),
    ("MudUrl", "RFC 8520, whose module is not here"),
    ("MudSigner", "RFC 8520, whose module is not here"),
    ("MasaUrl", "RFC 8995, whose module is not here"),
    ("SmimeCapabilities", "RFC 8551, whose module has it parameterised"),
    ("SmimeCapability", "RFC 8551, whose module has it parameterised"),
    ("AuthorityClearanceConstraints", "RFC 5913, whose module is not here"),
    ("Written", "CertificationRequestInfo as it is in DER, whose attributes RFC 2986 §4.1 requires"),
    ("Usual", "EncapsulatedContentInfo with an OCTET STRING, the form of RFC 5652 §5.2"),
    ("AdmissionSyntax", "Common PKI's"),
    ("Admissions", "Common PKI's"),
    ("NamingAuthority", "Common PKI's"),
    ("ProfessionInfo", "Common PKI's"),
];

fn schemas() -> Schema {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    let files = corpora::files(&folder).into_iter().filter(|(path, _)| path.ends_with(".asn1"));
    let sources = files.map(|(path, octets)| Source::new(&path, &String::from_utf8(octets).unwrap()));
    Schema::compile(sources).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tables_are_those_of_the_schemas() {
    let schema = schemas();
    let mut comparison = Comparison::new(schema.tables());
    for (name, ty) in PAIRS {
        let there = schema.ty(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (_, short) = name.split_once('.').unwrap();
        comparison.types(short, ty(), there.ty());
    }
    let registered = register::rows("by-hand");
    let mut found = BTreeMap::new();
    for (place, here, there) in &comparison.differences {
        let why = registered.get(place).and_then(|row| row.split('\t').nth(3)).unwrap_or("?");
        assert!(register::blessing() || why != "?", "{place} differs, and nothing says why: {here} / {there}");
        found.insert(place.clone(), format!("{place}\t{here}\t{there}\t{why}"));
    }
    println!("{} types compared, {} differences registered", comparison.met.len(), found.len());
    register::compare("by-hand", COLUMNS, &found);
    every_type_is_compared(&comparison.met);
}

/// The Rust names of the types that files of the crate derive, with the names that their tables have.
fn derived(text: &str) -> Vec<(String, String)> {
    let mut types = Vec::new();
    for part in text.split("#[derive(Asn1").skip(1) {
        let is_head = |line: &&str| !line.contains("struct ") && !line.contains("enum ");
        let head: Vec<&str> = part.lines().take_while(is_head).collect();
        let line = part.lines().nth(head.len()).unwrap_or_default();
        let mut words = line.split([' ', '<', '(', ';', '{']).skip_while(|word| !matches!(*word, "struct" | "enum"));
        let ident = words.nth(1).unwrap_or_default().to_owned();
        let given = head.iter().find_map(|line| line.split_once("name = \"")?.1.split('"').next());
        let name = given.unwrap_or(&ident).to_owned();
        types.push((ident, name));
    }
    types
}

fn every_type_is_compared(met: &BTreeSet<String>) {
    let sources = ["x509", "messages"]
        .map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/pki").join(name).join("src"));
    let mut missing = Vec::new();
    let mut excused: BTreeSet<&str> = NO_SCHEMA.iter().map(|(ident, _)| *ident).collect();
    let mut count = 0;
    for (path, octets) in sources.iter().flat_map(|source| corpora::files(source)) {
        if !path.ends_with(".rs") || path.starts_with("gen/") {
            continue;
        }
        for (ident, name) in derived(&String::from_utf8(octets).unwrap()) {
            count += 1;
            let is_excused = excused.remove(ident.as_str());
            if !met.contains(&name) && !is_excused {
                missing.push(format!("{path}: {ident}"));
            }
        }
    }
    assert!(count > 50, "the crate's types are found: {count}");
    assert!(missing.is_empty(), "no schema is compared with these: {missing:#?}");
    assert!(excused.is_empty(), "there are no such types: {excused:?}");
}
