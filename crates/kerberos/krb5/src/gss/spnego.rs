//! SPNEGO (RFC 4178), the negotiation layer for Kerberos in HTTP, SMB and LDAP. Kerberos is the only supported mechanism.

use tagwise_codec::{OctetStr, Oid, SeqOf, encode};
use tagwise_crypto::{Error, ErrorKind};

use crate::client::Moment;
use crate::spnego::{NegState, NegTokenInit, NegTokenResp, NegotiationToken};
use crate::{KRB5_MECH, KRB5_MECH_MS, SPNEGO_MECH, Token};

use super::token::{frame, read};
use super::{Accepted, Acceptor, Context, GssError, Initiator};

/// The initiator's side of a negotiation.
#[derive(Debug)]
pub struct Negotiation<'b> {
    /// The Kerberos initiator, until its context is established.
    inner: Option<Initiator<'b>>,
    context: Option<Context<'b>>,
    /// The DER of the mechanism list, which the final MIC covers.
    list: Vec<u8>,
    done: bool,
    /// True once this side has signed the mechanism list.
    signed: bool,
}

fn oid(content: &[u8]) -> Result<Oid<'_>, GssError> {
    Oid::from_content(content).map_err(|_| GssError::State("an object identifier"))
}

/// Encodes a list of mechanisms in DER.
fn list(mechs: &[Oid<'_>]) -> Result<Vec<u8>, GssError> {
    Ok(encode(&SeqOf::from_slice(mechs))?)
}

impl<'b> Negotiation<'b> {
    /// Creates a negotiation that offers Kerberos.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the first token cannot be encoded.
    pub fn new(initiator: Initiator<'b>) -> Result<Self, GssError> {
        let list = list(&[oid(KRB5_MECH)?])?;
        Ok(Self { inner: Some(initiator), context: None, list, done: false, signed: false })
    }

    /// Creates the first token, which includes the first Kerberos token.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the token cannot be created.
    pub fn start(&mut self, now: Moment) -> Result<Vec<u8>, GssError> {
        let inner = self.inner.as_mut().ok_or(GssError::State("the negotiation is already complete"))?;
        let token = inner.start(now)?;
        let mechs = [oid(KRB5_MECH)?];
        let init = NegotiationToken::NegTokenInit(NegTokenInit {
            mech_types: SeqOf::from_slice(&mechs),
            req_flags: None,
            mech_token: Some(OctetStr::new(&token)),
            mech_list_mic: None,
            additions: Default::default(),
        });
        frame(SPNEGO_MECH, &[&encode(&init)?])
    }

    /// Returns whether the context is established.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Processes the acceptor's token. Returns a token to send, if any.
    ///
    /// # Errors
    /// Returns a [`GssError`], for example if the acceptor rejects the negotiation, or if a required signature over the
    /// mechanism list is missing or invalid.
    pub fn reply(&mut self, octets: &[u8]) -> Result<Option<Vec<u8>>, GssError> {
        if self.done {
            return Err(GssError::State("the negotiation is already complete"));
        }
        let NegotiationToken::NegTokenResp(reply) = read::<NegotiationToken<'_>>(octets)? else {
            return Err(GssError::Token("expected a NegTokenResp", "RFC 4178 §4.2.2"));
        };
        let state = reply.neg_state;
        if state == Some(NegState::Reject) {
            return Err(GssError::State("the acceptor refused the negotiation"));
        }
        if reply.supported_mech.is_some_and(|mech| mech.as_bytes() != KRB5_MECH && mech.as_bytes() != KRB5_MECH_MS) {
            return Err(GssError::Token("the acceptor chose a mechanism that was not offered", "RFC 4178 §4.2.2"));
        }
        if let Some(mut inner) = self.inner.take() {
            match reply.response_token {
                Some(token) => inner.reply(token.as_bytes())?,
                None if inner.is_waiting() => {
                    return Err(GssError::Token("the acceptor's token is missing", "RFC 4178 §4.2.2"));
                }
                None => {}
            }
            self.context = Some(inner.into_context()?);
        }
        let context = self.context.as_mut().ok_or(GssError::State("the context was not started"))?;
        if let Some(mic) = reply.mech_list_mic {
            context.verify_mic(&self.list, mic.as_bytes())?;
        }
        match (state, reply.mech_list_mic.is_some()) {
            // The preferred mechanism was chosen: without a signature nothing was changed that matters (RFC 4178 §5).
            (Some(NegState::AcceptCompleted) | None, false) if !self.signed => {
                self.done = true;
                Ok(None)
            }
            (Some(NegState::AcceptCompleted) | None, true) if self.signed => {
                self.done = true;
                Ok(None)
            }
            // A signature that came is answered with one, unless the acceptor is done already.
            (Some(NegState::AcceptCompleted), true) => {
                self.done = true;
                Ok(None)
            }
            (Some(NegState::AcceptIncomplete | NegState::RequestMic), came) if !self.signed => {
                self.signed = true;
                self.done = came;
                let mic = context.mic(&self.list)?;
                let state = if came { Some(NegState::AcceptCompleted) } else { None };
                Ok(Some(response(state, None, None, Some(&mic))?))
            }
            _ => Err(GssError::Token("the mechListMIC is missing", "RFC 4178 §5")),
        }
    }

    /// Returns the established context.
    ///
    /// # Errors
    /// Returns [`GssError::State`] if the negotiation is not complete.
    pub fn into_context(self) -> Result<Context<'b>, GssError> {
        match (self.done, self.context) {
            (true, Some(context)) => Ok(context),
            _ => Err(GssError::State("the negotiation is not complete")),
        }
    }
}

/// The acceptor's side of a negotiation with one initiator.
#[derive(Debug)]
pub struct Negotiator<'a, 'b> {
    acceptor: &'a Acceptor<'b>,
    accepted: Option<Accepted<'b>>,
    list: Vec<u8>,
    /// The object identifier (content bytes) of the selected mechanism, once it is selected.
    chosen: Option<Vec<u8>>,
    /// True if Kerberos is not the initiator's preferred mechanism, so that the mechanism list must be signed.
    needs_mic: bool,
    done: bool,
}

impl<'a, 'b> Negotiator<'a, 'b> {
    /// Creates a negotiation with one initiator.
    #[must_use]
    pub const fn new(acceptor: &'a Acceptor<'b>) -> Self {
        Self { acceptor, accepted: None, list: Vec::new(), chosen: None, needs_mic: false, done: false }
    }

    /// Returns whether the context is established.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.done
    }

    /// Processes an initiator's token. Returns a token to send, if any. Kerberos without negotiation is also accepted.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the token is rejected.
    pub fn step(&mut self, octets: &[u8], now: Moment) -> Result<Option<Vec<u8>>, GssError> {
        if self.done {
            return Err(GssError::State("the negotiation is already complete"));
        }
        if self.chosen.is_some() {
            return self.further(octets, now);
        }
        let Some(token) = Token::from_bytes(octets).filter(|token| token.mech == SPNEGO_MECH) else {
            let mut accepted = self.acceptor.accept(octets, now)?;
            let out = accepted.token.take();
            (self.accepted, self.done) = (Some(accepted), true);
            return Ok(out);
        };
        let NegotiationToken::NegTokenInit(init) = read::<NegotiationToken<'_>>(token.inner)? else {
            return Err(GssError::Token("expected a NegTokenInit", "RFC 4178 §4.2.1"));
        };
        let mechs: Vec<Oid<'_>> = init.mech_types.iter().collect::<Result<_, _>>()?;
        let is_krb5 = |mech: &Oid<'_>| mech.as_bytes() == KRB5_MECH || mech.as_bytes() == KRB5_MECH_MS;
        let none = || GssError::Token("Kerberos is not among the offered mechanisms", "RFC 4178 §4.2.1");
        let at = mechs.iter().position(is_krb5).ok_or_else(none)?;
        let chosen = mechs.get(at).ok_or_else(none)?.as_bytes().to_vec();
        self.list = list(&mechs)?;
        self.needs_mic = at > 0;
        self.chosen = Some(chosen.clone());
        let optimistic = init.mech_token.filter(|_| at == 0);
        let Some(optimistic) = optimistic else {
            let state = if self.needs_mic { NegState::RequestMic } else { NegState::AcceptIncomplete };
            return response(Some(state), Some(&chosen), None, None).map(Some);
        };
        self.mechanism(optimistic.as_bytes(), init.mech_list_mic.map(|mic| mic.to_vec()), now)
    }

    fn further(&mut self, octets: &[u8], now: Moment) -> Result<Option<Vec<u8>>, GssError> {
        let NegotiationToken::NegTokenResp(reply) = read::<NegotiationToken<'_>>(octets)? else {
            return Err(GssError::Token("unexpected second NegTokenInit", "RFC 4178 §4.2.2"));
        };
        if reply.neg_state == Some(NegState::Reject) {
            return Err(GssError::State("the initiator refused the negotiation"));
        }
        let mic = reply.mech_list_mic.map(|mic| mic.to_vec());
        match (reply.response_token, self.accepted.is_some()) {
            (Some(token), false) => self.mechanism(token.as_bytes(), mic, now),
            (None, true) => {
                let missing = GssError::Token("the mechListMIC is missing", "RFC 4178 §5");
                self.verify(&mic.ok_or(missing)?)?;
                self.done = true;
                match reply.neg_state {
                    Some(NegState::AcceptCompleted) => Ok(None),
                    _ => response(Some(NegState::AcceptCompleted), None, None, None).map(Some),
                }
            }
            _ => Err(GssError::Token("the mechanism's token is missing, or there is an extra one", "RFC 4178 §4.2.2")),
        }
    }

    /// Passes a token to the mechanism, and signs the mechanism list if necessary.
    fn mechanism(&mut self, octets: &[u8], mic: Option<Vec<u8>>, now: Moment) -> Result<Option<Vec<u8>>, GssError> {
        let mut accepted = self.acceptor.accept(octets, now)?;
        let out = accepted.token.take();
        self.accepted = Some(accepted);
        let verified = match &mic {
            Some(mic) => {
                self.verify(mic)?;
                true
            }
            None => false,
        };
        let own = match (self.needs_mic, &mut self.accepted) {
            (true, Some(accepted)) => Some(accepted.context.mic(&self.list)?),
            _ => None,
        };
        self.done = !self.needs_mic || verified;
        let state = if self.done { NegState::AcceptCompleted } else { NegState::AcceptIncomplete };
        response(Some(state), self.chosen.as_deref(), out.as_deref(), own.as_deref()).map(Some)
    }

    fn verify(&mut self, mic: &[u8]) -> Result<(), GssError> {
        let missing = || Error::new(ErrorKind::Integrity, "the list of mechanisms");
        let accepted = self.accepted.as_mut().ok_or_else(missing)?;
        accepted.context.verify_mic(&self.list, mic).map(|_| ())
    }

    /// Returns the accepted context.
    ///
    /// # Errors
    /// Returns [`GssError::State`] if the negotiation is not complete.
    pub fn into_accepted(mut self) -> Result<Accepted<'b>, GssError> {
        self.take_accepted()
    }

    /// Takes the accepted context out of this value, for callers that cannot move it.
    ///
    /// # Errors
    /// Returns [`GssError::State`] if the negotiation is not complete, or the context was already taken.
    pub fn take_accepted(&mut self) -> Result<Accepted<'b>, GssError> {
        match (self.done, self.accepted.take()) {
            (true, Some(accepted)) => Ok(accepted),
            (_, accepted) => {
                self.accepted = accepted;
                Err(GssError::State("the negotiation is not complete"))
            }
        }
    }
}

fn response(
    state: Option<NegState>,
    mech: Option<&[u8]>,
    token: Option<&[u8]>,
    mic: Option<&[u8]>,
) -> Result<Vec<u8>, GssError> {
    let response = NegotiationToken::NegTokenResp(NegTokenResp {
        neg_state: state,
        supported_mech: mech.map(oid).transpose()?,
        response_token: token.map(OctetStr::new),
        mech_list_mic: mic.map(OctetStr::new),
        additions: Default::default(),
    });
    Ok(encode(&response)?)
}
