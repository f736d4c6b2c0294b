//! Decryption of captured exchanges with a keytab: tickets, authenticators, replies, FAST tunnels, cookies and SPAKE.
//!
//! An [`Opener`] processes one client's messages in order. It remembers the session keys from earlier messages, because
//! they encrypt most later ones.
//!
//! Data whose keys do not derive from long-term keys, such as PKINIT replies with a Diffie-Hellman key, cannot be
//! decrypted.

mod exchange;
mod fast;
mod pac;
mod spake;

pub use pac::{PacVerdict, PacVerdicts};
use tagwise_codec::{Decode, Options, RuleSet};
use tagwise_crypto::{Backend, PrivateKey, Secret};

use crate::crypto::{EncType, Key};
use crate::messages::{EncTicketPart, EncryptedData, Ticket};
use crate::spake::Transcript;
use crate::{Keytab, Principal, rules};

/// An encrypted part of a message.
#[derive(Debug)]
pub struct OpenedPart {
    /// The path of the part, such as `ticket.enc-part` or `padata.PA-FX-FAST.enc-fast-req`.
    pub path: String,
    /// The part's ASN.1 type, such as `EncTicketPart`.
    pub ty: &'static str,
    /// The content in DER, or `None` if no key decrypts it.
    pub der: Option<Secret>,
    /// A description of the key that decrypted the part, or the reason why no key did.
    pub key: String,
    /// The signatures of the PAC, if the part is a ticket with one.
    pub pac: Option<PacVerdicts>,
}

impl OpenedPart {
    fn new(path: String, ty: &'static str, der: Option<Secret>, key: String) -> Self {
        Self { path, ty, der, key, pac: None }
    }
}

/// Decrypts the messages of an exchange.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_krb5::{Keytab, open::Opener};
/// let backend = AwsLc::new();
/// let mut opener = Opener::new(&backend, Keytab::default());
/// assert!(opener.open(b"\x30\x00").is_err(), "no message of Kerberos");
/// ```
#[derive(Debug)]
pub struct Opener<'b> {
    backend: &'b dyn Backend,
    keytab: Keytab,
    /// Private keys for decrypting enveloped PKINIT reply keys.
    private_keys: Vec<std::sync::Arc<dyn PrivateKey>>,
    /// The session keys of decrypted tickets, oldest first.
    sessions: Vec<(String, Key)>,
    /// The keys from the last request that may encrypt its reply.
    pending: Pending,
    /// The SPAKE support message of this exchange.
    support: Vec<u8>,
    transcript: Transcript,
    allowed: RuleSet,
}

/// Keys with which a reply may be encrypted.
#[derive(Debug, Default)]
struct Pending {
    armor: Option<Key>,
    /// The subkey in a TGS-REQ's authenticator.
    subkey: Option<Key>,
    session: Option<Key>,
    /// The client named in an AS-REQ.
    client: Option<Principal>,
    /// The SPAKE key K'\[0\].
    spake: Option<Key>,
    /// The session keys of additional tickets, for user-to-user authentication.
    additional: Vec<Key>,
}

/// The maximum number of session keys to remember.
const MAX_SESSIONS: usize = 256;

impl<'b> Opener<'b> {
    /// Creates an opener with a keytab's long-term keys.
    #[must_use]
    pub fn new(backend: &'b dyn Backend, keytab: Keytab) -> Self {
        Self {
            backend,
            keytab,
            private_keys: Vec::new(),
            sessions: Vec::new(),
            pending: Pending::default(),
            support: Vec::new(),
            transcript: Transcript::default(),
            allowed: RuleSet::NONE,
        }
    }

    /// Sets the rules that messages and their decrypted parts may violate, in addition to `rules::PEERS`.
    #[must_use]
    pub fn allowing(self, allowed: RuleSet) -> Self {
        Self { allowed, ..self }
    }

    /// Adds a private key for decrypting enveloped PKINIT reply keys.
    pub fn add_private_key(&mut self, key: std::sync::Arc<dyn PrivateKey>) {
        self.private_keys.push(key);
    }

    /// Adds a session key, for example from a credential cache.
    pub fn add_session(&mut self, name: impl Into<String>, key: Key) {
        if self.sessions.len() >= MAX_SESSIONS {
            self.sessions.remove(0);
        }
        if !self.sessions.iter().any(|(_, one)| *one == key) {
            self.sessions.push((name.into(), key));
        }
    }

    /// Decrypts the parts of a KDC exchange message, an AP-REQ or AP-REP (also in a GSS-API token), a ticket, or a
    /// password protocol message.
    ///
    /// # Errors
    /// Returns an error if the message cannot be decoded, even with the rules for peers.
    pub fn open(&mut self, message: &[u8]) -> Result<Vec<OpenedPart>, tagwise_codec::Error> {
        let mut parts = Vec::new();
        self.message(message, &mut parts)?;
        Ok(parts)
    }

    /// Tries to decrypt data with each of the named keys, for each of the usages.
    fn try_keys(&self, data: &EncryptedData<'_>, keys: &[(String, Key)], usages: &[u32]) -> Option<(String, Secret)> {
        for (name, key) in keys.iter().filter(|(_, key)| key.enc_type().number() == data.etype) {
            for usage in usages {
                if let Ok(plain) = key.decrypt(self.backend, *usage, data.cipher.as_bytes()) {
                    return Some((name.clone(), plain));
                }
            }
        }
        None
    }

    /// Returns the most recent session key that decrypts the data.
    fn session_of(&self, data: &EncryptedData<'_>, usage: u32) -> Option<(String, Key)> {
        let fits = |key: &Key| {
            key.enc_type().number() == data.etype && key.decrypt(self.backend, usage, data.cipher.as_bytes()).is_ok()
        };
        self.sessions.iter().rev().find(|(_, key)| fits(key)).cloned()
    }

    /// Adds a part, decrypted or not, and returns its content.
    fn part(
        &self,
        parts: &mut Vec<OpenedPart>,
        path: String,
        ty: &'static str,
        data: &EncryptedData<'_>,
        keys: &[(String, Key)],
        usages: &[u32],
    ) -> Option<Secret> {
        match self.try_keys(data, keys, usages) {
            Some((key, plain)) => {
                parts.push(OpenedPart::new(path, ty, Some(plain.clone()), key));
                Some(plain)
            }
            None => {
                let key = match EncType::from_number(data.etype) {
                    None => format!("encryption type {} is not implemented", data.etype),
                    Some(enc_type) => format!("no {enc_type} key decrypts it"),
                };
                parts.push(OpenedPart::new(path, ty, None, key));
                None
            }
        }
    }

    /// Returns a principal's long-term keys for the data's encryption type.
    fn long_term(&self, principal: &Principal, data: &EncryptedData<'_>) -> Vec<(String, Key)> {
        let Some(enc_type) = EncType::from_number(data.etype) else { return Vec::new() };
        let kvno = data.kvno.map(crate::UInt32::get);
        let exact = self.keytab.find(principal, enc_type, kvno);
        exact
            .or_else(|| self.keytab.find(principal, enc_type, None))
            .map(|key| (principal.to_string(), key))
            .into_iter()
            .collect()
    }

    /// Opens a ticket and remembers its session key, which is given.
    fn ticket(&mut self, parts: &mut Vec<OpenedPart>, path: &str, ticket: &Ticket<'_>) -> Option<Key> {
        let server = Principal::from_message(&ticket.sname, &ticket.realm).ok()?;
        let mut keys = self.long_term(&server, &ticket.enc_part);
        // A ticket under an alias: the service has its key under another name.
        if let Some(enc_type) = EncType::from_number(ticket.enc_part.etype) {
            let others = self.keytab.candidates(enc_type, ticket.enc_part.kvno.map(crate::UInt32::get));
            let others = others.take(MAX_SESSIONS).filter(|(_, entry)| entry.principal != server);
            keys.extend(others.filter_map(|(_, entry)| Some((entry.principal.to_string(), entry.to_key()?))));
        }
        // User to user: the ticket is encrypted in another ticket's session key.
        keys.extend(self.sessions.iter().rev().cloned());
        let path = if path.is_empty() { "enc-part".to_owned() } else { format!("{path}.enc-part") };
        let usage = crate::crypto::usage::TICKET;
        let plain = self.part(parts, path, "EncTicketPart", &ticket.enc_part, &keys, &[usage])?;
        if let Some(part) = parts.last_mut() {
            let opens = |key: &Key| key.decrypt(self.backend, usage, ticket.enc_part.cipher.as_bytes()).is_ok();
            let used = keys.iter().find(|(name, key)| *name == part.key && opens(key));
            part.pac = used.and_then(|(_, key)| self.pac(plain.expose(), server.realm(), key));
        }
        let session = self.content::<EncTicketPart<'_>>(plain.expose(), &ticket.enc_part).ok()?;
        let key = Key::from_message(&session.key).ok()?;
        self.add_session(format!("session key of {server}"), key.clone());
        Some(key)
    }
}

impl Opener<'_> {
    /// Decodes a value with the rules for peers and those that the user allows.
    fn decode<'a, T: Decode<'a>>(&self, octets: &'a [u8]) -> Result<T, tagwise_codec::Error> {
        Options::der().rules(rules::PEERS.union(self.allowed)).decode::<T>(octets).map(|read| read.value)
    }

    /// Decodes decrypted content, which may be followed by padding if the encryption type uses it.
    fn content<'a, T: Decode<'a>>(
        &self,
        octets: &'a [u8],
        data: &EncryptedData<'_>,
    ) -> Result<T, tagwise_codec::Error> {
        let rules = EncType::from_number(data.etype).map_or(rules::PEERS, rules::content);
        Options::der().rules(rules.union(self.allowed)).decode::<T>(octets).map(|read| read.value)
    }
}
