//! The initiator, which uses a ticket.

use tagwise_crypto::{Backend, Error, ErrorKind};

use crate::client::{ApRequest, KdcError, Moment};
use crate::crypto::{EncType, Key, usage};
use crate::flags::{ap, bit};
use crate::messages::{ApRep, EncApRepPart, KrbError};
use crate::{Credential, KRB5_MECH, KerberosTime, UInt32};

use super::checksum::{self, Content};
use super::per_message::Keyed;
use super::sequence::Window;
use super::token::{self, read};
use super::{ChannelBindings, Context, Flags, GssError, credentials};

/// Options for the requested context.
#[derive(Clone, Debug)]
pub struct InitiatorOptions {
    /// The context flags. The delegation flag is set according to `delegate`.
    pub flags: Flags,
    /// The channel bindings.
    pub bindings: Option<ChannelBindings>,
    /// A credential to delegate to the acceptor: a forwarded ticket-granting ticket.
    pub delegate: Option<Credential>,
}

impl Default for InitiatorOptions {
    /// Returns options with mutual authentication, replay and order detection, and encryption, but without channel bindings and
    /// delegation.
    fn default() -> Self {
        let flags = Flags::MUTUAL | Flags::REPLAY | Flags::SEQUENCE | Flags::CONFIDENTIALITY | Flags::INTEGRITY;
        Self { flags, bindings: None, delegate: None }
    }
}

/// A context being established by the initiator, which has a ticket for the service.
///
/// [`start`](Self::start) returns the first token. With mutual authentication, [`reply`](Self::reply) processes the
/// acceptor's token.
#[derive(Debug)]
pub struct Initiator<'b> {
    backend: &'b dyn Backend,
    credential: Credential,
    options: InitiatorOptions,
    started: Option<Started>,
}

#[derive(Debug)]
struct Started {
    session: Key,
    subkey: Key,
    now: Moment,
    sequence: u32,
    /// The acceptor's subkey and initial sequence number, once it has replied.
    answer: Option<(Option<Key>, u64)>,
}

/// Checks a session key or subkey for a context. Triple DES and RC4 use RFC 1964 tokens, which are not supported.
pub(super) fn checked(key: Key) -> Result<Key, GssError> {
    match key.enc_type() {
        EncType::Des3CbcSha1Kd | EncType::ArcfourHmac => {
            let what = format_args!("the encryption type {} for contexts", key.enc_type()).to_string();
            Err(Error::new(ErrorKind::Unsupported, what).into())
        }
        _ => Ok(key),
    }
}

impl<'b> Initiator<'b> {
    /// Creates an initiator for the credential's service.
    #[must_use]
    pub const fn new(backend: &'b dyn Backend, credential: Credential, options: InitiatorOptions) -> Self {
        Self { backend, credential, options, started: None }
    }

    /// Creates the first token. `now` is the time of the KDC's realm: correct the client's clock by
    /// [`Ccache::ahead_seconds`](crate::Ccache::ahead_seconds) with [`Moment::by_clock`].
    ///
    /// # Errors
    /// Returns a [`GssError`] if the encryption type of the ticket's session key is not covered by RFC 4121.
    pub fn start(&mut self, now: Moment) -> Result<Vec<u8>, GssError> {
        let backend = self.backend;
        if self.options.flags.contains(Flags::DCE_STYLE) {
            return Err(GssError::State("DCE-style contexts are not supported"));
        }
        let unusable = || Error::new(ErrorKind::Unsupported, "the session key of the ticket");
        let session = checked(self.credential.session_key().ok_or_else(unusable)?)?;
        let subkey = Key::generate(backend, session.enc_type())?;
        let mut number = [0; 4];
        backend.random(&mut number)?;
        // Some implementations take numbers of 2³⁰ and more for negative ones.
        let sequence = u32::from_be_bytes(number) & 0x3FFF_FFFF;
        let delegated = match &self.options.delegate {
            Some(credential) => Some(credentials::make(backend, &session, credential, now)?),
            None => None,
        };
        let delegation = if delegated.is_some() { Flags::DELEGATION } else { Flags::default() };
        let mut bindings = [0; 16];
        if let Some(of) = &self.options.bindings {
            bindings.copy_from_slice(of.hash(backend)?.get(..16).unwrap_or(&[0; 16]));
        }
        self.options.flags = Flags(self.options.flags.0 & !Flags::DELEGATION.0) | delegation;
        let content = Content { bindings, flags: self.options.flags, delegated: delegated.as_deref() };
        let mutual = if self.options.flags.contains(Flags::MUTUAL) { bit(ap::MUTUAL_REQUIRED) } else { 0 };
        let request = ApRequest {
            client: &self.credential.client,
            session: &session,
            ticket: &self.credential.ticket,
            usage: usage::AP_REQ_AUTHENTICATOR,
            options: mutual,
            now,
            subkey: Some(&subkey),
            sequence: Some(sequence),
            checksum: Some((checksum::KIND, content.to_bytes()?)),
        };
        let out = token::frame(KRB5_MECH, &[&token::AP_REQ, &request.encode(backend)?])?;
        self.started = Some(Started { session, subkey, now, sequence, answer: None });
        Ok(out)
    }

    /// Returns whether the acceptor's token is still expected.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        let answered = self.started.as_ref().is_some_and(|started| started.answer.is_some());
        self.options.flags.contains(Flags::MUTUAL) && !answered
    }

    /// Processes the acceptor's token, which authenticates the acceptor.
    ///
    /// # Errors
    /// Returns [`GssError::Peer`] if the acceptor returned an error, or another [`GssError`] if the token is invalid.
    pub fn reply(&mut self, octets: &[u8]) -> Result<(), GssError> {
        if !self.is_waiting() {
            return Err(GssError::State("unexpected token: the acceptor's part is complete"));
        }
        let started = self.started.as_mut().ok_or(GssError::State("the context was not started"))?;
        let (id, inner) = token::unframe(octets)?;
        match id {
            token::AP_REP => {}
            token::ERROR => return Err(GssError::Peer(KdcError::of(&read::<KrbError<'_>>(inner)?, false))),
            _ => return Err(GssError::Token("the token ID is not that of an AP-REP", "RFC 4121 §4.1")),
        }
        let reply = read::<ApRep<'_>>(inner)?;
        let wrong = GssError::Token("the encryption type of the AP-REP", "RFC 4120 §3.2.5");
        if reply.enc_part.etype != started.session.enc_type().number() {
            return Err(wrong);
        }
        let plain = started.session.decrypt(self.backend, usage::AP_REP, reply.enc_part.cipher.as_bytes())?;
        let part = read::<EncApRepPart<'_>>(plain.expose())?;
        // Only who opened the authenticator knows its time.
        if part.ctime != KerberosTime::from_unix(started.now.unix)? || part.cusec.0 != started.now.micros {
            return Err(Error::new(ErrorKind::Integrity, "the time in the AP-REP").into());
        }
        let subkey = part.subkey.map(|key| Key::from_message(&key)).transpose()?.map(checked).transpose()?;
        started.answer = Some((subkey, part.seq_number.map_or(0, |number| u64::from(UInt32::get(number)))));
        Ok(())
    }

    /// Returns the established context.
    ///
    /// # Errors
    /// Returns [`GssError::State`] if the context is not established.
    pub fn into_context(self) -> Result<Context<'b>, GssError> {
        if self.is_waiting() {
            return Err(GssError::State("the acceptor has not replied"));
        }
        let started = self.started.ok_or(GssError::State("the context was not started"))?;
        let own = u64::from(started.sequence);
        // Without mutual authentication the acceptor begins with the initiator's number.
        let (chosen, first) = started.answer.unwrap_or((None, own));
        let by_acceptor = chosen.is_some();
        Ok(Context {
            backend: self.backend,
            keyed: Keyed::new(chosen.unwrap_or(started.subkey), by_acceptor),
            is_acceptor: false,
            flags: self.options.flags,
            client: self.credential.client,
            service: self.credential.server,
            expires: self.credential.end_time,
            send: own,
            received: Window::new(first),
        })
    }
}
