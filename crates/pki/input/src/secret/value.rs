//! Detects secrets in values: private keys, and types marked as secret.

use tagwise_codec::ber::Element;
use tagwise_codec::value::{Data, Dynamic, Value};
use tagwise_codec::{Options, RuleSet};
use tagwise_pkix::oids::files::{is_secret_label, label};
use tagwise_pkix::{Bundle, BundleKind};

use crate::{MESSAGES, Recognised, ValueKind, certain_label, recognise};

/// Returns whether a decoded value is, or contains, a secret.
#[must_use]
pub fn holds_secret(value: &Value<'_>) -> bool {
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        if value.is_secret() {
            return true;
        }
        match value.data() {
            Data::Components(components) => {
                for (field, value) in components.iter() {
                    let Some(value) = value else { continue };
                    if field.secret {
                        return true;
                    }
                    stack.push(value);
                }
            }
            Data::Items(items) => stack.extend(items),
            Data::Alternative(chosen) => stack.push(chosen.value()),
            Data::Containing(inner) => stack.push(inner),
            _ => {}
        }
    }
    false
}

/// The identifiers, or their common prefixes, of secrets in public kinds: challenge passwords (RFC 2985 §5.4.1),
/// authentication information in attribute certificates (RFC 5755 §4.4.1), passphrases in CMC requests (RFC 5272 §6.11), and
/// PKCS #12 bags.
const SECRETS: [&[u8]; 4] = [
    &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 7],
    &[0x2B, 6, 1, 5, 5, 7, 10, 1],
    &[0x2B, 6, 1, 5, 5, 7, 12, 2],
    &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12],
];

/// Returns whether a value of the given kind contains no secrets, so that all its bytes may be displayed even if it is malformed.
///
/// Keys, PKCS #12 files and enrollment messages are not public. Requests, CMS messages and attribute certificates are
/// public, unless they contain the object identifier of a secret attribute, control or bag, such as a challenge password.
///
/// ```
/// use tagwise_input::{ValueKind, secret};
/// assert!(secret::is_public(ValueKind::Cms, &[0x30, 0x03, 0x02, 0x01]));
/// assert!(!secret::is_public(ValueKind::PrivateKey, &[0x30, 0x03, 0x02, 0x01]));
/// ```
#[must_use]
pub fn is_public(kind: ValueKind, bytes: &[u8]) -> bool {
    let may_be = match kind {
        ValueKind::Certificate
        | ValueKind::CertificateList
        | ValueKind::CertificationRequest
        | ValueKind::SignedPublicKeyAndChallenge
        | ValueKind::LogEntry
        | ValueKind::Cms
        | ValueKind::AttributeCertificate
        | ValueKind::OcspRequest
        | ValueKind::OcspResponse
        | ValueKind::TimeStampRequest
        | ValueKind::TimeStampResponse
        | ValueKind::PublicKey
        | ValueKind::RsaPublicKey
        | ValueKind::EcParameters => true,
        ValueKind::PrivateKey
        | ValueKind::EncryptedPrivateKey
        | ValueKind::RsaPrivateKey
        | ValueKind::EcPrivateKey
        | ValueKind::Pkcs12
        | ValueKind::Cmp
        | ValueKind::CertificateRequestMessages
        | ValueKind::CmcRequest
        | ValueKind::CmcResponse => false,
    };
    may_be && !names_secret(bytes)
}

/// Returns whether bytes contain the identifier of a secret: a challenge password, authentication information, a request
/// with passphrases, or a PKCS #12 bag. In damaged bytes, the secret cannot be separated from the rest, so that none of them
/// may be displayed.
///
/// ```
/// use tagwise_input::secret::names_secret;
/// assert!(names_secret(&[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x07]));
/// assert!(!names_secret(&[0x06, 0x03, 0x55, 0x04, 0x03]));
/// ```
#[must_use]
pub fn names_secret(bytes: &[u8]) -> bool {
    SECRETS.iter().any(|secret| bytes.windows(secret.len()).any(|window| window == *secret))
}

/// Returns whether a BER or DER encoding contains a private key or a type marked as secret.
///
/// `unseen` is the result for data that cannot be inspected: encrypted parts of PKCS #12.
#[must_use]
pub fn is_secret_value(bytes: &[u8], unseen: bool) -> bool {
    match certain_label(bytes) {
        Some(label::EC_PRIVATE_KEY) => return is_scalar(bytes),
        Some(label) if is_secret_label(label) => return true,
        _ => {}
    }
    let Recognised::Kind(kind) = recognise(bytes) else { return false };
    match kind {
        // Certificates and CRLs are public. Frames like those of keys are common; those of keys have certain labels.
        ValueKind::Certificate
        | ValueKind::CertificateList
        | ValueKind::PrivateKey
        | ValueKind::EncryptedPrivateKey
        | ValueKind::RsaPrivateKey
        | ValueKind::EcPrivateKey => false,
        ValueKind::Pkcs12 if MESSAGES => is_secret_store(bytes, unseen),
        // It cannot be inspected.
        kind if !kind.is_read() => true,
        kind => {
            let der = kind.to_der(bytes);
            let dynamic = Dynamic::new(kind.ty()).options(Options::der().rules(RuleSet::ALL));
            let read = dynamic.decode(der.as_deref().unwrap_or(bytes));
            read.is_ok_and(|read| holds_secret(&read.value))
        }
    }
}

/// Returns whether the second element is as long as a private scalar, which distinguishes it from small values of other
/// types.
fn is_scalar(bytes: &[u8]) -> bool {
    let second = || {
        let mut parts = Element::read(bytes, 0, bytes.len())?.children();
        parts.next(bytes)?;
        parts.next(bytes)
    };
    second().map_or(true, |scalar| scalar.content.len() >= 20)
}

/// Returns whether a PKCS #12 file contains a key. Keys are encrypted individually, in unencrypted parts of the file. Parts
/// that are encrypted as a whole usually contain certificates.
fn is_secret_store(bytes: &[u8], unseen: bool) -> bool {
    let secret = |kind| match kind {
        BundleKind::PrivateKey | BundleKind::EncryptedPrivateKey | BundleKind::Secret => true,
        BundleKind::Encrypted => unseen,
        _ => false,
    };
    // A key is one also where something follows the file.
    Bundle::read_first(bytes).is_ok_and(|(bundle, _)| bundle.items().any(|bag| secret(bag.kind)))
}
