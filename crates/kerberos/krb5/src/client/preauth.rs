//! Preauthentication: selection of one of the KDC's methods, and the response.

use tagwise_codec::{Decode as _, OctetStr, SeqOf, encode};
use tagwise_crypto::{Backend, Error, ErrorKind};

use crate::crypto::{EncType, Key, StringToKey, StringToKeyLimits, cf2, usage};
use crate::messages::{EtypeInfo, EtypeInfo2, Microseconds, PaEncTsEnc};
use crate::numbers::pa;
use crate::spake::{EDWARDS25519, Exchange, Private, Side, Transcript, multiplier};
use crate::spake_messages::{PaSpake, SpakeResponse, SpakeSecondFactor, SpakeSupport};
use crate::{KerberosTime, Principal};

use super::as_options::Login;
use super::as_reply::{opened, read};
use super::body::{Padata, encrypted};
use super::{ClientError, Moment};

/// The encryption type, salt and parameters from which the client's key is derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyInfo {
    pub(super) enc_type: EncType,
    salt: Option<Vec<u8>>,
    parameters: Vec<u8>,
}

impl KeyInfo {
    pub(super) const fn of(enc_type: EncType) -> Self {
        Self { enc_type, salt: None, parameters: Vec::new() }
    }

    /// Returns the first entry of PA-ETYPE-INFO2 (or PA-ETYPE-INFO from old KDCs) whose encryption type the client requested.
    pub(super) fn find(padata: &Padata, allowed: &[EncType]) -> Result<Option<Self>, ClientError> {
        let value = |kind: i32| padata.iter().find(|(of, _)| *of == kind).map(|(_, value)| value);
        let fits = |number: i32| EncType::from_number(number).filter(|enc_type| allowed.contains(enc_type));
        if let Some(value) = value(pa::ETYPE_INFO2) {
            for entry in read::<EtypeInfo2<'_>>(value)?.0.iter() {
                let entry = entry?;
                if let Some(enc_type) = fits(entry.etype) {
                    let salt = entry.salt.map(|salt| salt.as_bytes().to_vec());
                    let parameters = entry.s2kparams.map(|parameters| parameters.to_vec()).unwrap_or_default();
                    return Ok(Some(Self { enc_type, salt, parameters }));
                }
            }
        } else if let Some(value) = value(pa::ETYPE_INFO) {
            for entry in read::<EtypeInfo<'_>>(value)?.iter() {
                let entry = entry?;
                if let Some(enc_type) = fits(entry.etype) {
                    return Ok(Some(Self {
                        enc_type,
                        salt: entry.salt.map(|salt| salt.to_vec()),
                        parameters: Vec::new(),
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Derives the client's key.
    pub(super) fn key(
        &self,
        backend: &dyn Backend,
        login: &Login,
        client: &Principal,
        limits: StringToKeyLimits,
    ) -> Result<Key, ClientError> {
        match login {
            Login::Keytab(keytab) => keytab.find(client, self.enc_type, None).ok_or_else(|| {
                Error::new(ErrorKind::WrongKey, format_args!("the keytab has no {} key of {client}", self.enc_type))
                    .into()
            }),
            Login::OneTime(_) => Err(ClientError::Login("a one-time password cannot be used to derive a key")),
            #[cfg(feature = "pkinit")]
            Login::Pkinit(_) => Err(ClientError::Login("a certificate cannot be used to derive a long-term key")),
            Login::Password(password) => {
                let default = client.salt();
                let salt = self.salt.as_deref().unwrap_or(&default);
                let made = StringToKey::new(self.enc_type).salt(salt).parameters(&self.parameters).limits(limits);
                Ok(made.derive(backend, password.expose())?)
            }
        }
    }
}

/// Encodes a PA-ENC-TS-ENC in DER.
fn timestamp(now: Moment) -> Result<Vec<u8>, ClientError> {
    let time = PaEncTsEnc { patimestamp: KerberosTime::from_unix(now.unix)?, pausec: Some(Microseconds(now.micros)) };
    Ok(encode(&time)?)
}

/// Builds PA-ENC-TIMESTAMP (RFC 4120 §5.2.7.2).
pub(super) fn enc_timestamp(backend: &dyn Backend, key: &Key, now: Moment) -> Result<(i32, Vec<u8>), ClientError> {
    let sealed = key.encrypt(backend, usage::PA_ENC_TIMESTAMP, &timestamp(now)?)?;
    Ok((pa::ENC_TIMESTAMP, encrypted(key.enc_type().number(), &sealed)?))
}

/// Builds PA-ENCRYPTED-CHALLENGE (RFC 6113 §5.4.6): a timestamp encrypted with a key derived from the armor key and the
/// client's key.
pub(super) fn challenge(
    backend: &dyn Backend,
    key: &Key,
    armor: &Key,
    now: Moment,
) -> Result<(i32, Vec<u8>), ClientError> {
    let key = cf2(backend, armor, key, b"clientchallengearmor", b"challengelongterm")?;
    let sealed = key.encrypt(backend, usage::ENC_CHALLENGE_CLIENT, &timestamp(now)?)?;
    Ok((pa::ENCRYPTED_CHALLENGE, encrypted(key.enc_type().number(), &sealed)?))
}

/// Verifies a KDC's challenge, as proof that the KDC has the client's key.
pub(super) fn verify_challenge(backend: &dyn Backend, key: &Key, armor: &Key, value: &[u8]) -> Result<(), ClientError> {
    let key = cf2(backend, armor, key, b"kdcchallengearmor", b"challengelongterm")?;
    let data = read::<crate::messages::EncryptedData<'_>>(value)?;
    let plain = key.decrypt(backend, usage::ENC_CHALLENGE_KDC, data.cipher.as_bytes())?;
    opened::<PaEncTsEnc>(plain.expose(), key.enc_type()).map(|_| ())
}

/// A SPAKE exchange in progress.
#[derive(Debug, Default)]
pub(super) struct Spake {
    /// The client's first message. Empty if the KDC sent the first message.
    support: Vec<u8>,
}

impl Spake {
    /// Builds a PA-SPAKE that lists the client's groups.
    pub(super) fn support(&mut self) -> Result<(i32, Vec<u8>), ClientError> {
        let message = PaSpake::Support(SpakeSupport {
            groups: SeqOf::from_slice(&[EDWARDS25519]),
            additions: Default::default(),
        });
        self.support = encode(&message)?;
        Ok((pa::SPAKE, self.support.clone()))
    }

    /// Responds to a challenge, and returns the PA-SPAKE and the reply key.
    pub(super) fn respond(
        &self,
        backend: &dyn Backend,
        key: &Key,
        challenge: &[u8],
        body: &[u8],
    ) -> Result<((i32, Vec<u8>), Key), ClientError> {
        let PaSpake::Challenge(read) = PaSpake::from_der(challenge)? else {
            return Err(ClientError::Reply("the SPAKE challenge is missing", "RFC 9588 §4.2"));
        };
        // SF-NONE, the only factor here: the password alone.
        let mut factors = read.factors.iter();
        if !factors.any(|factor| factor.is_ok_and(|factor| factor.r#type == 1)) {
            return Err(ClientError::Reply("SPAKE requires a second factor", "RFC 9588 §4.2"));
        }
        let multiplier = multiplier(backend, key, read.group)?;
        let private = Private::generate(backend)?;
        let public = private.public(Side::Client, &multiplier)?;
        let shared = private.shared(Side::Client, &multiplier, read.pubkey.as_bytes())?;
        let mut transcript = Transcript::default();
        transcript.update(backend, &self.support, challenge)?;
        transcript.update(backend, &public, &[])?;
        let exchange = Exchange {
            key,
            group: read.group,
            multiplier: &multiplier,
            shared: &shared,
            transcript: &transcript,
            body,
        };
        let factor_key = exchange.derive(backend, 1)?;
        let sealed = factor_key.seal(backend, usage::SPAKE, &SpakeSecondFactor { r#type: 1, data: None })?;
        let response = PaSpake::Response(SpakeResponse {
            pubkey: OctetStr::new(&public),
            factor: crate::messages::EncryptedData {
                etype: factor_key.enc_type().number(),
                kvno: None,
                cipher: OctetStr::new(&sealed),
            },
            additions: Default::default(),
        });
        Ok(((pa::SPAKE, encode(&response)?), exchange.derive(backend, 0)?))
    }
}
