//! The digests that signed content lists: of a program (Authenticode), of the members of a catalog, and of the data groups of a
//! passport.

use tagwise_codec::{Any, Decode, Error, Int, OctetStr, Oid, Options, Printable, RuleSet, SeqOf, SetOf};
use tagwise_derive::Asn1;
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::oids;
use tagwise_pkix::pkcs1::DigestInfo;

/// ```asn1
/// SpcIndirectDataContent ::= SEQUENCE {
///     data           SpcAttributeTypeAndOptionalValue,
///     messageDigest  DigestInfo }
/// ```
///
/// Microsoft's Windows Authenticode Portable Executable Signature Format.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct SpcIndirectDataContent<'a> {
    /// The kind of the signed file.
    pub data: Any<'a>,
    /// Its digest.
    pub message_digest: DigestInfo<'a>,
}

/// ```asn1
/// LDSSecurityObject ::= SEQUENCE {
///     version              INTEGER { v0(0), v1(1) },
///     hashAlgorithm        AlgorithmIdentifier,
///     dataGroupHashValues  SEQUENCE SIZE (2..ub-DataGroups) OF DataGroupHash,
///     ldsVersionInfo       LDSVersionInfo OPTIONAL }
/// ```
///
/// ICAO Doc 9303-10 §4.6.2.2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LdsSecurityObject<'a> {
    /// The version.
    pub version: Int<'a>,
    /// The digest algorithm.
    pub hash_algorithm: AlgorithmIdentifier<'a>,
    /// The digests.
    pub data_group_hash_values: SeqOf<'a, DataGroupHash<'a>>,
    /// The versions of LDS and Unicode.
    pub lds_version_info: Option<LdsVersionInfo<'a>>,
}

/// ```asn1
/// LDSVersionInfo ::= SEQUENCE {
///     ldsVersion      PrintableString,
///     unicodeVersion  PrintableString }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct LdsVersionInfo<'a> {
    /// The version of the logical data structure.
    pub lds_version: Printable<'a>,
    /// The version of Unicode.
    pub unicode_version: Printable<'a>,
}

/// ```asn1
/// DataGroupHash ::= SEQUENCE {
///     dataGroupNumber     DataGroupNumber,
///     dataGroupHashValue  OCTET STRING }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct DataGroupHash<'a> {
    /// The number of the data group, from 1 to 16.
    pub data_group_number: Int<'a>,
    /// Its digest.
    pub data_group_hash_value: OctetStr<'a>,
}

/// A listed digest.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<'a> {
    /// The number of the data group.
    pub number: Option<u8>,
    /// The digest algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The digest.
    pub digest: &'a [u8],
}

/// Reads the digest of a file from the content of an Authenticode signature: a SpcIndirectDataContent in DER.
///
/// # Errors
/// Returns an error if the content is malformed.
pub fn of_program(content: &[u8]) -> Result<Listed<'_>, Error> {
    // Microsoft's tools write BMP strings and bit strings that strict DER does not have; they are not read here.
    let read = Options::der().rules(RuleSet::ALL).outline::<SpcIndirectDataContent<'_>>(content)?.value;
    Ok(listed(&read.message_digest))
}

/// Adds the identifier and length of a SEQUENCE, which content of PKCS #7 is signed without (RFC 2315 §9.3).
///
/// ```
/// assert_eq!(tagwise_input::signed::digests::sequence(&[5, 0]), [0x30, 2, 5, 0]);
/// ```
#[must_use]
pub fn sequence(content: &[u8]) -> Vec<u8> {
    let mut whole = vec![0x30];
    match u8::try_from(content.len()) {
        Ok(short @ ..0x80) => whole.push(short),
        _ => {
            let digits = content.len().to_be_bytes();
            let digits: Vec<u8> = digits.into_iter().skip_while(|digit| *digit == 0).collect();
            whole.push(0x80 | u8::try_from(digits.len()).unwrap_or_default());
            whole.extend(digits);
        }
    }
    whole.extend_from_slice(content);
    whole
}

fn listed<'a>(digest: &DigestInfo<'a>) -> Listed<'a> {
    Listed { number: None, algorithm: digest.digest_algorithm, digest: digest.digest.as_bytes() }
}

/// Reads the digests of the data groups from a LDSSecurityObject in DER.
///
/// # Errors
/// Returns an error if the content is malformed.
pub fn of_data_groups(content: &[u8]) -> Result<Vec<Listed<'_>>, Error> {
    let read = LdsSecurityObject::from_der(content)?;
    let mut groups = Vec::new();
    for group in read.data_group_hash_values.iter() {
        let group = group?;
        groups.push(Listed {
            number: u8::try_from(group.data_group_number).ok(),
            algorithm: read.hash_algorithm,
            digest: group.data_group_hash_value.as_bytes(),
        });
    }
    Ok(groups)
}

/// Reads the digests of the members of a catalog: a CertificateTrustList in DER, whose members have a SpcIndirectDataContent as
/// an attribute.
///
/// # Errors
/// Returns an error if the content is malformed.
pub fn of_catalog(content: &[u8]) -> Result<Vec<Listed<'_>>, Error> {
    let list = Any::from_der(content)?;
    let mut digests = Vec::new();
    // CertificateTrustList ::= SEQUENCE { subjectUsage, listIdentifier, …, trustedSubjects SEQUENCE OF TrustedSubject, … }: the
    // only list whose elements are pairs of an OCTET STRING and a SET.
    // Members behind a malformed one are not listed, so they are not found.
    let subjects = list.children().map_while(Result::ok).flat_map(|field| field.children().map_while(Result::ok));
    for subject in subjects {
        let Some(Ok(attributes)) = subject.children().nth(1) else { continue };
        digests.extend(attributes.children().map_while(Result::ok).filter_map(of_attribute));
    }
    Ok(digests)
}

/// The digest in an attribute of a member; `None` for other attributes.
fn of_attribute(attribute: Any<'_>) -> Option<Listed<'_>> {
    let mut parts = attribute.children().map_while(Result::ok);
    let kind: Oid<'_> = parts.next()?.decode_as().ok()?;
    if kind != oids::SPC_INDIRECT_DATA_CONTEXT {
        return None;
    }
    let value = parts.next()?.children().next()?.ok()?;
    of_program(value.as_bytes()).ok()
}

/// Reads the nested signatures of a signer: messages in an unsigned attribute (`spcNestedSignature`).
#[must_use]
pub fn nested<'a>(unsigned: &SetOf<'a, tagwise_pkix::cms::Attribute<'a>>) -> Vec<&'a [u8]> {
    let attributes = unsigned.iter().map_while(Result::ok);
    let nested = attributes.filter(|attribute| attribute.attr_type == oids::SPC_NESTED_SIGNATURE);
    nested
        .flat_map(|attribute| attribute.attr_values.iter().map_while(Result::ok).map(|value| value.as_bytes()))
        .collect()
}
