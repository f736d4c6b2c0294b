//! `serde` support for names, times, serial numbers, keys, extensions, certificates and CRLs (feature `serde`).
//!
//! This is a readable format for logs, databases and other programs, and does not replace DER. Borrowed types only
//! serialize. Some owned types also deserialize: [`NameBuf`], [`Time`], [`Validity`], [`CrlReason`] and
//! [`CertificateSummary`].
//!
//! | type | serialized as |
//! |---|---|
//! | [`Name`], [`NameBuf`] | RFC 4514 text: `"CN=www.example.org,O=Example,C=DE"`; string types are lost |
//! | [`Time`] | `"2026-11-21T10:00:00Z"` |
//! | [`Validity`] | `{"not_before": TIME, "not_after": TIME}` |
//! | [`CertificateSerialNumber`] | lower-case hexadecimal: `"0a5c"` |
//! | object identifier | `{"oid": "2.5.29.15", "name": "keyUsage"}`; `name` only if known |
//! | bytes | lower-case hexadecimal |
//! | [`AlgorithmIdentifier`] | `{"oid", "name", "parameters"}`: the parameters in DER, if present |
//! | [`KeyInfo`] | `{"algorithm": "EC", "bits": 256, "curve": "P-256"}` |
//! | [`SubjectPublicKeyInfo`] | `{"info": KEYINFO, "algorithm": ALGORITHM, "key": octets}` |
//! | [`GeneralName`] | `{"type": "dns", "value": "www.example.org"}`; types are `dns`, `email`, `uri`, `ip`, `directory` and `registered-id`; the types `x400`, `edi-party` and `other` have `der` instead of `value` |
//! | [`KeyUsage`](crate::ext::KeyUsage), [`ReasonFlags`](crate::ext::ReasonFlags) | names of the bits: `["digitalSignature"]` |
//! | [`CrlReason`] | `"keyCompromise"` |
//! | [`Extension`] | `{"oid", "name", "critical"}` and `value`, or `der` if the type has no structured form or the value is malformed |
//! | [`Extensions`] | a list of extensions |
//! | [`Certificate`], [`CertificateBuf`] | `{"version": 3, "serial_number", "signature_algorithm", "issuer", "validity", "subject", "public_key", "extensions"}` |
//! | [`CertificateList`] | `{"version": 2, "issuer", "this_update", "next_update", "signature_algorithm", "entries": [{"serial_number", "revocation_date", "reason"}], "extensions"}` |
//!
//! The `value` of an extension depends on its type:
//!
//! | extension | value |
//! |---|---|
//! | key usage | a list of names |
//! | extended key usage, certificate policies | a list of object identifiers |
//! | alternative names | a list of general names |
//! | basic constraints | `{"ca", "path_len"}` |
//! | subject key identifier | bytes |
//! | authority key identifier | `{"key_identifier", "issuer", "serial_number"}` |
//! | CRL distribution points | `[{"names", "reasons", "crl_issuer"}]` |
//! | authority and subject information access | `[{"method", "location"}]` |
//! | CRL number, delta CRL indicator | a hexadecimal number |
//! | CRL reason | the reason |
//! | invalidity date | the time |
//!
//! Absent values are omitted. New keys may be added later, but existing keys never change their meaning.
//!
//! ```
//! use tagwise_x509::name::NameBuf;
//! let name = NameBuf::parse("CN=www.example.org,O=Example,C=DE")?;
//! let json = serde_json::to_string(&name)?;
//! assert_eq!(json, r#""CN=www.example.org,O=Example,C=DE""#);
//! assert_eq!(serde_json::from_str::<NameBuf>(&json)?, name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Name`]: crate::Name
//! [`NameBuf`]: crate::name::NameBuf
//! [`Time`]: crate::Time
//! [`Validity`]: crate::Validity
//! [`CertificateSerialNumber`]: crate::CertificateSerialNumber
//! [`AlgorithmIdentifier`]: crate::AlgorithmIdentifier
//! [`KeyInfo`]: crate::KeyInfo
//! [`SubjectPublicKeyInfo`]: crate::SubjectPublicKeyInfo
//! [`GeneralName`]: crate::ext::GeneralName
//! [`CrlReason`]: crate::ext::CrlReason
//! [`Extension`]: crate::Extension
//! [`Extensions`]: crate::Extensions
//! [`Certificate`]: crate::Certificate
//! [`CertificateBuf`]: crate::CertificateBuf
//! [`CertificateList`]: crate::CertificateList

mod certificate;
mod extension;
mod general_name;
mod scalar;
mod summary;

pub use summary::CertificateSummary;

#[cfg(test)]
mod tests;
