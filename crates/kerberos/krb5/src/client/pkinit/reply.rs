//! Processes PA-PK-AS-REP: the KDC's signed public value (RFC 4556 §3.2.3.1) and the derived reply key, or the
//! encrypted reply key.

use tagwise_codec::Oid;
use tagwise_crypto::cms::{VerifyOptions, verify};
use tagwise_crypto::{Backend, Secret};
use tagwise_pkix::{UnixTime, oids};

use crate::agreement::{Binding, Kdf, Private, octetstring_to_key};
use crate::crypto::{EncType, Key, cf2, usage};
use crate::messages::{EncryptedData, EncryptionKey};
use crate::numbers::pa;
use crate::pkinit::{DhRepInfo, KdcDhKeyInfo, PaPkAsRep};
use crate::{Credential, Principal};

use super::super::ClientError;
use super::super::as_reply::{opened, read};
use super::super::body::Padata;
use super::Pkinit;

/// The method by which the request asks for the reply key.
#[derive(Debug)]
pub(super) enum Sent {
    /// Key agreement, with this private value.
    Value(Private),
    /// Key transport: the KDC sends an enveloped key.
    KeyTransport,
}

/// The parameters of a request, against which its reply is checked.
pub(super) struct Asked<'a> {
    pub(super) backend: &'a dyn Backend,
    pub(super) pkinit: &'a Pkinit,
    pub(super) sent: &'a Sent,
    pub(super) nonce: u32,
    pub(super) client: &'a Principal,
    pub(super) server: &'a Principal,
    /// The AS-REQ as it was sent.
    pub(super) as_req: &'a [u8],
    /// The time according to the client's clock. The KDC's reported time does not affect the validation of its certificate.
    pub(super) now: UnixTime,
}

impl Asked<'_> {
    /// Returns the reply key from a PA-PK-AS-REP.
    pub(super) fn reply_key(&self, pk_as_rep: &[u8], enc_type: EncType) -> Result<Key, ClientError> {
        let (info, private) = match (read::<PaPkAsRep<'_>>(pk_as_rep)?, self.sent) {
            (PaPkAsRep::DhInfo(info), Sent::Value(private)) => (info, private),
            (PaPkAsRep::EncKeyPack(pack), Sent::KeyTransport) => return self.enveloped_key(pack.as_bytes(), enc_type),
            (PaPkAsRep::EncKeyPack(_), Sent::Value(_)) => {
                let what = "the reply key is enveloped (RSA), but Diffie-Hellman was requested";
                return Err(ClientError::Reply(what, "RFC 4556 §3.2.4"));
            }
            (PaPkAsRep::DhInfo(_), Sent::KeyTransport) => {
                let what = "the reply uses Diffie-Hellman, but an enveloped reply key (RSA) was requested";
                return Err(ClientError::Reply(what, "RFC 4556 §3.2.3"));
            }
            (PaPkAsRep::Unknown(_), _) => {
                return Err(ClientError::Reply("unknown alternative of PA-PK-AS-REP", "RFC 4556 §3.2.3"));
            }
        };
        if info.server_dh_nonce.is_some() {
            return Err(ClientError::Reply(
                "the reply contains serverDHNonce, but the request contained no clientDHNonce",
                "RFC 4556 §3.2.3.1",
            ));
        }
        let kdf = self.kdf(&info)?;
        let shared = self.shared(private, info.dh_signed_data.as_bytes())?;
        let binding = Binding { client: self.client, server: self.server, as_req: self.as_req, pk_as_rep };
        Ok(match kdf {
            Some(kdf) => kdf.derive(self.backend, enc_type, &shared, &binding)?,
            None => octetstring_to_key(self.backend, enc_type, &shared)?,
        })
    }

    /// Returns the key derivation function that the KDC selected, or `None` for the function in RFC 4556.
    fn kdf(&self, info: &DhRepInfo<'_>) -> Result<Option<Kdf>, ClientError> {
        let Some(named) = info.kdf else { return Ok(None) };
        let kdf = Kdf::from_oid(named.kdf_id).filter(|kdf| self.pkinit.kdfs.contains(kdf));
        let unasked =
            ClientError::Reply("the KDC selected a key derivation function that was not offered", "RFC 8636 §6");
        kdf.map(Some).ok_or(unasked)
    }

    /// Computes the shared secret with the KDC's signed public value.
    fn shared(&self, private: &Private, signed: &[u8]) -> Result<Secret, ClientError> {
        const CLAUSE: &str = "RFC 4556 §3.2.3.1";
        let content = self.signed_content(signed, oids::PKINIT_DH_KEY_DATA, CLAUSE)?;
        let info = read::<KdcDhKeyInfo<'_>>(content.expose())?;
        if info.nonce != self.nonce {
            return Err(ClientError::Reply("the nonce in the signed key agreement data differs", CLAUSE));
        }
        let unaligned = ClientError::Reply("the KDC's public value is not a whole number of bytes", CLAUSE);
        let shared = private.shared(info.subject_public_key.octets().ok_or(unaligned)?);
        shared.map_err(ClientError::KdcValue)
    }

    /// Returns the content of a SignedData, after verifying the KDC's signature and certificate.
    pub(super) fn signed_content(
        &self,
        signed: &[u8],
        content_type: Oid<'_>,
        clause: &'static str,
    ) -> Result<Secret, ClientError> {
        let trust = &self.pkinit.trust;
        let others: Vec<&[u8]> = trust.intermediates.iter().map(Vec::as_slice).collect();
        let options = VerifyOptions { certificates: &others, at: Some(self.now), ..VerifyOptions::DEFAULT };
        let verified = verify(self.backend, signed, None, &options)?;
        if verified.content_type() != content_type {
            return Err(ClientError::Reply("unexpected content type in the signed data", clause));
        }
        // Several signers would make it unclear which certificate counts.
        let [signer] = <[_; 1]>::try_from(verified.signers)
            .map_err(|_| ClientError::Reply("expected exactly one signer, the KDC", clause))?;
        signer.outcome?;
        let leaf = signer.certificate.ok_or(tagwise_crypto::cms::CmsError::NoCertificate)?;
        trust.check(self.backend, &leaf, &verified.certificates, self.server.realm(), self.now)?;
        Ok(Secret::from(verified.content))
    }
}

/// Checks that the KDC and the client both contributed to the ticket's session key (RFC 8062 §7). For the anonymous
/// principal, this is the only proof.
pub(super) fn check_session(
    backend: &dyn Backend,
    padata: &Padata,
    reply_key: &Key,
    credential: &Credential,
    required: bool,
) -> Result<(), ClientError> {
    let Some((_, value)) = padata.iter().find(|(kind, _)| *kind == pa::PKINIT_KX) else {
        return match required {
            true => Err(ClientError::Reply("PA-PKINIT-KX is missing", "RFC 8062 §7")),
            false => Ok(()),
        };
    };
    let data = read::<EncryptedData<'_>>(value)?;
    let plain = reply_key.decrypt(backend, usage::PA_PKINIT_KX, data.cipher.as_bytes())?;
    let contribution = Key::from_message(&opened::<EncryptionKey<'_>>(plain.expose(), reply_key.enc_type())?)?;
    let expected = cf2(backend, &contribution, reply_key, b"PKINIT", b"KEYEXCHANGE")?;
    match credential.session_key() {
        Some(key) if key == expected => Ok(()),
        _ => Err(ClientError::Reply("the session key is not derived from both sides' keys", "RFC 8062 §7")),
    }
}
