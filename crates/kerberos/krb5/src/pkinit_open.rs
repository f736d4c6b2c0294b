//! Decryption of PKINIT reply keys that are encrypted to the client's key (RFC 4556 §3.2.3.2).

use tagwise_codec::Decode as _;
use tagwise_crypto::cms::{DecryptOptions, Unlock};
use tagwise_crypto::{Backend, PrivateKey, Secret};
use tagwise_pkix::cms::{EncapsulatedContentInfo, SignedData};

/// Decrypts and returns the content of the inner SignedData. Its signature is not verified here.
pub(crate) fn reply_key_pack(backend: &dyn Backend, key: &dyn PrivateKey, enveloped: &[u8]) -> Option<Secret> {
    let unlock = Unlock::PrivateKey { key, certificate: None };
    let opened = tagwise_crypto::cms::decrypt(backend, enveloped, None, &unlock, &DecryptOptions::DEFAULT).ok()?;
    let signed = SignedData::outline(opened.content.expose()).ok()?;
    content(&signed.encap_content_info)
}

fn content(info: &EncapsulatedContentInfo<'_>) -> Option<Secret> {
    info.e_content.as_ref().map(|content| Secret::from(content.as_bytes()))
}
