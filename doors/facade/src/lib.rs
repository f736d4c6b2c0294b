//! Tagwise: an ASN.1 and PKI toolkit. Depend on this crate, which re-exports the others behind features.
//!
//! # Reading a certificate
//!
//! ```
//! # #[cfg(feature = "pkix")] {
//! use tagwise::pkix::{CertificateBuf, ext::KeyUsage};
//!
//! # fn print(text: &str) -> Result<(), Box<dyn std::error::Error>> {
//! let certificate = CertificateBuf::from_pem(text)?;
//! println!("{} until {}", certificate.subject(), certificate.not_after());
//! for name in certificate.names() {
//!     println!("  {}", name?);
//! }
//! if let Some(usage) = certificate.extension::<KeyUsage>()? {
//!     println!("  signs certificates: {}", usage.contains(KeyUsage::KEY_CERT_SIGN));
//! }
//! # Ok(())
//! # }
//! # }
//! ```
//!
//! # Creating a certificate
//!
//! ```
//! # #[cfg(feature = "crypto")] {
//! use tagwise::crypto::{Backend, KeySigner, KeyType, VerifySigned, backends::AwsLc};
//! use tagwise::pkix::build::CertificateBuilder;
//!
//! # fn make() -> Result<(), Box<dyn std::error::Error>> {
//! let backend = AwsLc::new();
//! let key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
//! let root = CertificateBuilder::new().subject("CN=Example Root")?.ca(None).self_signed(&key)?;
//! root.verify_signed_by(&root, &backend)?;
//! # Ok(())
//! # }
//! # make().unwrap();
//! # }
//! ```
//!
//! # Defining your own types
//!
//! ```
//! # #[cfg(all(feature = "derive", feature = "std"))] {
//! use tagwise::codec::{Decode, Utf8, encode};
//! use tagwise::Asn1;
//!
//! #[derive(Asn1, Debug, PartialEq)]
//! struct Ticket<'a> {
//!     #[asn1(explicit = 0, default = 1)]
//!     version: u8,
//!     serial: u32,
//!     #[asn1(implicit = 1)]
//!     owner: Option<Utf8<'a>>,
//! }
//!
//! let der = [0x30, 0x06, 0x02, 0x01, 0x07, 0x81, 0x01, b'A'];
//! let ticket = Ticket::from_der(&der).unwrap();
//! assert_eq!((ticket.version, ticket.serial), (1, 7));
//! assert_eq!(encode(&ticket).unwrap(), der);
//!
//! let error = Ticket::from_der(&[0x30, 0x03, 0x05, 0x01, 0x07]).unwrap_err();
//! assert_eq!(error.to_string(), "serial: expected INTEGER, found NULL, at byte 2 (X.690 §8.1.2)");
//! # }
//! ```
//!
//! With `String` instead of `Utf8<'a>`, the type has no lifetime: [`codec`] provides owned forms of all types.
//!
//! # Features
//!
//! | Feature | Provides |
//! |---|---|
//! | `std`, `alloc` | the codec with the standard library, or only with an allocator |
//! | `derive` | `#[derive(Asn1)]` |
//! | `ber`, `stream` | conversions between BER, CER and DER; pull parsing from `std::io::Read` |
//! | `dynamic` | values of types known only at run time, and derive constraints that are checked through the type's table (`with_components` and others) |
//! | `pkix` | certificates, CRLs, requests, names, extensions |
//! | `rare-extensions` | types for rarely used extensions, which are otherwise treated as unknown |
//! | `messages` | `cms`, `ocsp` and `pkcs12`, with the codec parts and rare extensions above |
//! | `cms` | CMS, time stamps, CMP, CRMF, CMC, attribute certificates, PKCS #8 |
//! | `ocsp` | Online Certificate Status Protocol |
//! | `pkcs12` | PKCS #12; certificates, CRLs and keys from files |
//! | `lint` | lints for RFC 5280's requirements on issuers |
//! | `text`, `show` | certificates as OpenSSL prints them; any value as a tree in text or JSON |
//! | `build` | builders for certificates, requests, CRLs, signed messages, CMS and PKCS #12 |
//! | `crypto` | keys and signatures; `openssl`, `nss`, `pkcs11` for other backends |
//! | `ca` | a certificate authority |
//! | `keys` | keys in formats other than ASN.1: OpenSSH, JWK, Java keystores, PVK and key blobs, DNSSEC |
//! | `krb5` | Kerberos: messages, cryptography, files, a client, GSS-API; `pkinit` for tickets with certificates, `pcap` for captures |
//! | `store`, `path`, `mozilla-roots` | certificate stores, path validation, Mozilla's roots |
//! | `rustls` | certificate verifiers for TLS clients and servers |
//! | `mtc` | Merkle Tree Certificates |
//! | `c509` | certificates in CBOR |
//! | `serde` | serde support for names, times, keys, extensions, certificates and CRLs |
//! | `chrono`, `jiff`, `time` | time conversions to and from these crates |
//! | `schema`, `tables`, `codegen` | ASN.1 modules: parsing and checking, types at run time, generated Rust code |
//! | `jer`, `notation` | values as X.697 JSON; encodings as editable text |
//!
//! `std`, `derive` and `pkix` are on by default.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "ca")]
pub use tagwise_ca as ca;
pub use tagwise_codec as codec;
#[cfg(feature = "codegen")]
pub use tagwise_codegen as codegen;
#[cfg(feature = "columns")]
pub use tagwise_columns as columns;
#[cfg(feature = "crypto")]
pub use tagwise_crypto as crypto;
#[cfg(feature = "derive")]
pub use tagwise_derive::Asn1OfTagwise as Asn1;
#[cfg(feature = "jer")]
pub use tagwise_jer as jer;
#[cfg(feature = "keys")]
pub use tagwise_keys as keys;
#[cfg(feature = "krb5")]
pub use tagwise_krb5 as krb5;
#[cfg(feature = "mtc")]
pub use tagwise_mtc as mtc;
#[cfg(feature = "notation")]
pub use tagwise_notation as notation;
#[cfg(feature = "path")]
pub use tagwise_path as path;
#[cfg(feature = "pkix")]
pub mod pkix {
    //! Certificates, CRLs, names, extensions, and related messages.
    #[doc(inline)]
    pub use tagwise_pkix::*;
    #[cfg(feature = "store")]
    #[doc(inline)]
    pub use tagwise_store as store;
    #[cfg(feature = "text")]
    #[doc(inline)]
    pub use tagwise_text as text;
}
#[cfg(feature = "show")]
pub use tagwise_input as input;
#[cfg(feature = "rustls")]
pub use tagwise_rustls as rustls;
#[cfg(feature = "schema")]
pub use tagwise_schema as schema;
#[cfg(feature = "show")]
pub use tagwise_show as show;
#[cfg(feature = "tables")]
pub use tagwise_tables as tables;
