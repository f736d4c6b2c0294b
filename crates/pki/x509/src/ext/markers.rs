//! Extensions without content, and small ones for TLS and ACME.

use tagwise_codec::{Int, Null, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// NULL
/// ```
///
/// Marks a precertificate: a promise to a log that the certificate will be issued (RFC 6962 §3.1).
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrecertificatePoison(
    /// Always NULL.
    pub Null,
);

/// ```asn1
/// NULL
/// ```
///
/// Marks an OCSP responder certificate that need not be checked for revocation (RFC 6960 §4.2.2.2.1).
///
/// ```
/// use tagwise_codec::{Null, encode};
/// use tagwise_x509::ext::OcspNoCheck;
/// assert_eq!(encode(&OcspNoCheck(Null))?, [0x05, 0x00]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OcspNoCheck(
    /// Always NULL.
    pub Null,
);

/// ```asn1
/// NULL
/// ```
///
/// States that no revocation information will be available (RFC 9608 §3).
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoRevAvail(
    /// Always NULL.
    pub Null,
);

/// ```asn1
/// DelegationUsage ::= NULL
/// ```
///
/// Allows the key to sign delegated credentials (RFC 9345 §4.2).
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DelegationUsage(
    /// Always NULL.
    pub Null,
);

/// ```asn1
/// Features ::= SEQUENCE OF INTEGER
/// ```
///
/// TLS extensions that the server supports, by number (RFC 7633 §4.1).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::TlsFeature;
/// let features = TlsFeature::from_der(&[0x30, 0x03, 0x02, 0x01, 0x05])?;
/// assert!(features.contains(TlsFeature::STATUS_REQUEST) && !features.contains(TlsFeature::STATUS_REQUEST_V2));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Features")]
pub struct TlsFeature<'a>(
    /// The extension numbers.
    pub SeqOf<'a, Int<'a>>,
);

impl TlsFeature<'_> {
    /// `status_request`: the server staples an OCSP response (RFC 6066 §8).
    pub const STATUS_REQUEST: u16 = 5;
    /// `status_request_v2` (RFC 6961).
    pub const STATUS_REQUEST_V2: u16 = 17;

    /// Returns whether the list contains a TLS extension.
    #[must_use]
    pub fn contains(&self, extension: u16) -> bool {
        self.0.iter().map_while(Result::ok).any(|feature| u16::try_from(feature) == Ok(extension))
    }
}

/// ```asn1
/// Authorization ::= OCTET STRING (SIZE (32))
/// ```
///
/// The SHA-256 hash of an ACME key authorization, in a certificate for a `tls-alpn-01` challenge (RFC 8737 §3).
///
/// ```
/// use tagwise_codec::{Decode, FaultKind};
/// use tagwise_x509::ext::AcmeIdentifier;
/// let error = AcmeIdentifier::from_der(&[0x04, 0x01, 0xCA]).unwrap_err();
/// assert_eq!(error.kind(), FaultKind::Size);
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "Authorization", size(32))]
pub struct AcmeIdentifier<'a>(
    /// The hash.
    pub OctetStr<'a>,
);
