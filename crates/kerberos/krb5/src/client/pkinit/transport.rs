//! Reply keys encrypted to the client's RSA key (RFC 4556 §3.2.3.2). Used only on request, because it provides no forward
//! secrecy.

use tagwise_codec::{Any, Decode as _, Oid, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::cms::{DecryptOptions, Unlock, decrypt};
use tagwise_derive::Asn1;
use tagwise_pkix::cms::ID_SIGNED_DATA;
use tagwise_pkix::oids;

use crate::crypto::{EncType, Key, usage};
use crate::pkinit::ReplyKeyPack;

use super::super::ClientError;
use super::super::as_reply::read;
use super::reply::Asked;
use super::trust;

const CLAUSE: &str = "RFC 4556 §3.2.3.2";

/// The maximum length of an enveloped key with the KDC's certificates, in bytes.
const MOST: usize = 1 << 20;

/// A ContentInfo (RFC 5652 §3) whose content is not decoded.
#[derive(Asn1, Clone, Copy)]
#[asn1(name = "ContentInfo")]
struct Message<'a> {
    content_type: Oid<'a>,
    #[asn1(explicit = 0)]
    content: Any<'a>,
}

impl Asked<'_> {
    /// Returns the reply key from an `encKeyPack`: decrypted with the client's key, signed by the KDC, and bound to the request
    /// by a checksum.
    pub(super) fn enveloped_key(&self, enveloped: &[u8], enc_type: EncType) -> Result<Key, ClientError> {
        let nobody = ClientError::Login("an enveloped reply key requires a client certificate");
        let identity = self.pkinit.identity.as_ref().ok_or(nobody)?;
        let certificate = trust::certificate(&identity.certificate)?;
        let unlock = Unlock::PrivateKey { key: identity.key.as_ref(), certificate: Some(&certificate) };
        let options = DecryptOptions { max_content: MOST, ..DecryptOptions::DEFAULT };
        let opened = decrypt(self.backend, enveloped, None, &unlock, &options)?;
        if opened.content_type() != ID_SIGNED_DATA {
            return Err(ClientError::Reply("unexpected content type in the enveloped data", CLAUSE));
        }
        // Inside, a SignedData stands without the ContentInfo around it.
        let content = Any::outline(opened.content.expose())?;
        let signed = Secret::from(encode(&Message { content_type: ID_SIGNED_DATA, content })?);
        let content = self.signed_content(signed.expose(), oids::PKINIT_RKEY_DATA, CLAUSE)?;
        let pack = read::<ReplyKeyPack<'_>>(content.expose())?;
        let key = Key::from_message(&pack.reply_key)?;
        if key.enc_type() != enc_type {
            return Err(ClientError::Reply("the encryption types of the reply key and the reply differ", CLAUSE));
        }
        // What binds the key to this request: there is no nonce.
        let (kind, checksum) = (pack.as_checksum.cksumtype, pack.as_checksum.checksum.as_bytes());
        key.verify(self.backend, usage::TGS_REQ_CHECKSUM, self.as_req, kind, checksum)?;
        Ok(key)
    }
}
