//! The Cryptographic Message Syntax (RFC 5652): signed, enveloped, encrypted, digested and authenticated data, with
//! extensions from other standards.
//!
//! The types are generated from the schemas, and decode DER. CMS messages may be in BER: convert them with
//! `tagwise_codec::ber::to_der`. For content larger than memory, use [`SignedReader`], [`EncryptedReader`] and
//! [`ContentReader`].
//!
//! ```
//! use tagwise_codec::Decode;
//! use tagwise_messages::cms::{Content, ContentInfo};
//! // No certificates, no signers: an empty list of certificates as `openssl crl2pkcs7 -nocrl` writes it.
//! let der = b"\x30\x23\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x16\x30\x14\x02\x01\x01\x31\x00\
//!     \x30\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\x31\x00";
//! let message = ContentInfo::from_der(der)?;
//! let Content::SignedData(signed) = message.content.get()? else { panic!() };
//! assert_eq!(signed.signer_infos.iter().count(), 0);
//! # Ok::<(), tagwise_codec::Error>(())
//! ```

mod attributes;
mod encapsulated;
mod reader;

pub use crate::r#gen::cms::*;
pub use crate::r#gen::{
    cms_aead as aead, cms_aes as aes, cms_algorithms as algorithms, cms_auth_enveloped as auth_enveloped,
    cms_collection as collection, cms_compressed as compressed, cms_ecc as ecc, cms_kem as kem,
    cms_multiple as multiple, cms_protection as protection, cms_signing_time as signing_time, hmac,
};
pub use encapsulated::{EncapsulatedContent, EncapsulatedContentInfo};
pub use reader::{
    ContentReader, ContentTail, EncryptedReader, EncryptedTail, Limits, ReadError, SignedReader, SignedTail,
};
