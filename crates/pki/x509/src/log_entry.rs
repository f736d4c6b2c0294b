//! Entries of Merkle Tree Certificate logs (draft-ietf-plants-merkle-tree-certs-07 §5.2.1).

use tagwise_codec::{BitStr, OctetStr};
use tagwise_derive::Asn1;

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::cert::{Extensions, Version};
use crate::key::KeyInfo;
use crate::name::Name;
use crate::time::Validity;

/// ```asn1
/// TBSCertificateLogEntry ::= SEQUENCE {
///     version               [0] EXPLICIT Version DEFAULT v1,
///     issuer                    Name,
///     validity                  Validity,
///     subject                   Name,
///     subjectPublicKeyAlgorithm AlgorithmIdentifier{PUBLIC-KEY,{PublicKeyAlgorithms}},
///     subjectPublicKeyInfoHash  OCTET STRING,
///     issuerUniqueID        [1] IMPLICIT UniqueIdentifier OPTIONAL,
///     subjectUniqueID       [2] IMPLICIT UniqueIdentifier OPTIONAL,
///     extensions            [3] EXPLICIT Extensions{{CertExtensions}} OPTIONAL
/// }
/// ```
///
/// The fields of a certificate in the log of a Merkle Tree Certificate CA (MTC §5.2.1). It has no serial number, and only the
/// SHA-256 hash of the public key. A log stores the content without the tag and length of the SEQUENCE.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::TbsCertificateLogEntry;
/// let error = TbsCertificateLogEntry::from_der(&[0x30, 0x00]).unwrap_err();
/// assert_eq!(error.path(), "issuer");
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "TBSCertificateLogEntry")]
pub struct TbsCertificateLogEntry<'a> {
    /// The version: v3 if there are extensions.
    #[asn1(explicit = 0, default = Version::V1)]
    pub version: Version,
    /// The CA's name, which contains its ID.
    pub issuer: Name<'a>,
    /// The validity period.
    pub validity: Validity<'a>,
    /// The subject's distinguished name.
    pub subject: Name<'a>,
    /// The algorithm of the subject's public key.
    pub subject_public_key_algorithm: AlgorithmIdentifier<'a>,
    /// The SHA-256 hash of the subject's SubjectPublicKeyInfo.
    #[asn1(size(32))]
    pub subject_public_key_info_hash: OctetStr<'a>,
    /// The issuer's unique identifier. Deprecated.
    #[asn1(implicit = 1, name = "issuerUniqueID")]
    pub issuer_unique_id: Option<BitStr<'a>>,
    /// The subject's unique identifier. Deprecated.
    #[asn1(implicit = 2, name = "subjectUniqueID")]
    pub subject_unique_id: Option<BitStr<'a>>,
    /// The extensions, in v3 only.
    #[asn1(explicit = 3)]
    pub extensions: Option<Extensions<'a>>,
}

impl TbsCertificateLogEntry<'_> {
    /// Returns the algorithm and curve of the key. Its size is unknown, because the entry does not contain the key.
    #[must_use]
    pub fn key_info(&self) -> KeyInfo {
        let (algorithm, subject_public_key) = (self.subject_public_key_algorithm, BitStr::from_octets(&[]));
        SubjectPublicKeyInfo { algorithm, subject_public_key }.info()
    }
}
