//! Decryption of SPAKE exchanges with the KDC's key, using the state in MIT's KDC cookies.

use tagwise_codec::Options;
use tagwise_crypto::Secret;

use crate::bin::{Cursor, FileError, Order};
use crate::crypto::{EncType, Key, prf_plus, usage};
use crate::mit::SecureCookie;
use crate::numbers::pa;
use crate::spake::{Exchange, Private, Side, Transcript, multiplier};
use crate::spake_messages::PaSpake;
use crate::{Principal, rules};

use super::{OpenedPart, Opener};

/// The key usage with which MIT's KDC encrypts cookies.
const COOKIE_USAGE: u32 = 513;

/// A KDC's state for an exchange.
pub(super) struct State {
    group: i32,
    private: Private,
    transcript: Transcript,
}

impl State {
    /// Parses the version, stage and group, followed by the length-prefixed private value and transcript hash.
    fn from_bytes(octets: &[u8]) -> Result<Option<Self>, FileError> {
        let mut cursor = Cursor::new(octets, Order::Big);
        if cursor.u16()? != 1 {
            return Ok(None);
        }
        cursor.u16()?;
        let group = cursor.i32()?;
        let private = Private::from_bytes(cursor.counted32()?).ok();
        let transcript = Transcript::from_hash(cursor.counted32()?);
        Ok(private.map(|private| Self { group, private, transcript }))
    }
}

impl Opener<'_> {
    /// Decrypts an MIT KDC's cookie: `MIT1`, the key version, and data encrypted with a key for the client.
    pub(super) fn cookie(
        &self,
        value: &[u8],
        path: String,
        client: &Principal,
        parts: &mut Vec<OpenedPart>,
    ) -> Option<State> {
        let (kvno, sent) = value.strip_prefix(b"MIT1")?.split_first_chunk::<4>()?;
        let krbtgt = Principal::krbtgt(client.realm(), client.realm());
        let input = format!("COOKIE{client}");
        let mut opened = None;
        for enc_type in EncType::ALL {
            let Some(key) = self.keytab.find(&krbtgt, *enc_type, Some(u32::from_be_bytes(*kvno))) else { continue };
            let derived = prf_plus(self.backend, &key, input.as_bytes(), enc_type.seed_len())
                .and_then(|seed| Key::from_seed(*enc_type, &seed))
                .and_then(|key| key.decrypt(self.backend, COOKIE_USAGE, sent));
            if let Ok(plain) = derived {
                opened = Some((*enc_type, plain));
                break;
            }
        }
        let key = if opened.is_some() {
            format!("cookie key of {krbtgt}")
        } else {
            format!("no key of {krbtgt} decrypts it")
        };
        let content = opened.as_ref().map(|(_, plain)| plain.clone());
        parts.push(OpenedPart::new(path, "SecureCookie", content, key));
        let (enc_type, plain) = opened?;
        let options = Options::der().rules(rules::content(enc_type).union(self.allowed));
        let cookie = options.decode::<SecureCookie<'_>>(plain.expose()).ok()?.value;
        let state = cookie.data.iter().flatten().find(|entry| entry.padata_type == pa::SPAKE)?;
        State::from_bytes(state.padata_value.as_bytes()).ok().flatten()
    }

    /// Records a challenge for the transcript.
    pub(super) fn spake_challenge(&mut self, value: &[u8]) -> Result<(), tagwise_codec::Error> {
        if value.is_empty() {
            return Ok(());
        }
        if let PaSpake::Challenge(_) = self.decode::<PaSpake<'_>>(value)? {
            let mut transcript = Transcript::default();
            if transcript.update(self.backend, &self.support, value).is_ok() {
                self.transcript = transcript;
            }
        }
        Ok(())
    }

    pub(super) fn spake(
        &mut self,
        value: &[u8],
        path: String,
        client: &Principal,
        body: &[u8],
        state: Option<&State>,
        parts: &mut Vec<OpenedPart>,
    ) -> Result<(), tagwise_codec::Error> {
        let response = match self.decode::<PaSpake<'_>>(value)? {
            PaSpake::Support(_) => {
                self.support = value.to_vec();
                return Ok(());
            }
            PaSpake::Response(response) => response,
            _ => return Ok(()),
        };
        let keys = state.and_then(|state| {
            let long_term = self.long_term(client, &crate::messages::EncryptedData { kvno: None, ..response.factor });
            long_term.into_iter().find_map(|(_, key)| self.spake_keys(state, &key, response.pubkey.as_bytes(), body))
        });
        let first: Vec<(String, Key)> =
            keys.iter().map(|(_, factor)| ("K'[1] of SPAKE".to_owned(), factor.clone())).collect();
        let path = format!("{path}.factor");
        let opened = self.part(parts, path, "SPAKESecondFactor", &response.factor, &first, &[usage::SPAKE]);
        self.pending.spake = opened.and(keys).map(|(reply, _)| reply);
        Ok(())
    }

    /// Computes the keys K'\[0\] and K'\[1\].
    fn spake_keys(&self, state: &State, key: &Key, client_value: &[u8], body: &[u8]) -> Option<(Key, Key)> {
        let backend = self.backend;
        let multiplier: Secret = multiplier(backend, key, state.group).ok()?;
        let shared = state.private.shared(Side::Kdc, &multiplier, client_value).ok()?;
        let mut transcript = state.transcript.clone();
        transcript.update(backend, client_value, &[]).ok()?;
        let exchange = Exchange {
            key,
            group: state.group,
            multiplier: &multiplier,
            shared: &shared,
            transcript: &transcript,
            body,
        };
        Some((exchange.derive(backend, 0).ok()?, exchange.derive(backend, 1).ok()?))
    }
}
