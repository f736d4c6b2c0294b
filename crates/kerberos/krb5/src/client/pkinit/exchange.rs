//! The PKINIT steps of an AS exchange.

use tagwise_codec::SeqOf;

use crate::agreement::{Group, Private};
use crate::crypto::{EncType, Key};
use crate::flags::{bit, ticket};
use crate::messages::{KdcRep, TypedData};
use crate::numbers::{error, pa};
use crate::pkinit::TdDhParameters;
use crate::{Credential, Principal};

use super::super::as_exchange::AsExchange;
use super::super::as_options::{Login, PreauthMethod};
use super::super::as_reply::read;
use super::super::body::{Padata, request_body};
use super::super::{ClientError, Moment, Step};
use super::reply::{Asked, Sent, check_session};
use super::request::Request;

/// The type number of TD-DH-PARAMETERS (RFC 4556 §3.1.3).
const TD_DH_PARAMETERS: i32 = 109;

/// The PKINIT state of an exchange.
#[derive(Debug, Default)]
pub(in super::super) struct State {
    /// The method by which the last request asked for the reply key.
    sent: Option<Sent>,
    freshness: Option<Vec<u8>>,
    groups: Vec<Group>,
    /// True once the KDC has requested paChecksum2. It is not sent otherwise, because Heimdal 7.8 misreads an AuthPack with fields that
    /// RFC 4556 does not define.
    second_checksum: bool,
    /// True once a new freshness token has been requested.
    renewed: bool,
}

impl AsExchange<'_> {
    /// Returns the preauthentication data of the first request, which requests a freshness token (RFC 8070 §2.2).
    pub(in super::super) fn first_padata(&self) -> Padata {
        match self.login {
            Login::Pkinit(_) => vec![(pa::AS_FRESHNESS, Vec::new())],
            _ => Vec::new(),
        }
    }

    /// Responds to a KDC that requires preauthentication and offers PKINIT.
    pub(in super::super) fn present(&mut self, now: Moment, methods: &Padata) -> Result<Step, ClientError> {
        let offers = |kind: i32| methods.iter().find(|(of, _)| *of == kind).map(|(_, value)| value.clone());
        let may = self.options.methods.contains(&PreauthMethod::Pkinit) && !self.tried.contains(&PreauthMethod::Pkinit);
        if !may || offers(pa::PK_AS_REQ).is_none() {
            return Err(ClientError::NoPreauth(methods.iter().map(|(kind, _)| *kind).collect()));
        }
        self.pkinit.freshness = offers(pa::AS_FRESHNESS).filter(|token| !token.is_empty());
        self.send_value(now, None)
    }

    /// Processes a reply. A KDC that does not require preauthentication may encrypt the reply with a password-derived key. Such
    /// a reply is not used, and the certificate is still presented.
    pub(in super::super) fn agreed(
        &mut self,
        now: Moment,
        reply: &KdcRep<'_>,
        padata: &Padata,
        client: Option<Principal>,
        strengthen: Option<&Key>,
    ) -> Result<Step, ClientError> {
        if self.pkinit.sent.is_none() {
            return match self.options.methods.contains(&PreauthMethod::Pkinit) {
                true => self.send_value(now, None),
                false => Err(ClientError::NoPreauth(Vec::new())),
            };
        }
        let key = self.agreed_key(now, padata, reply.enc_part.etype)?;
        let credential = self.credential(now, reply, client, &key, strengthen)?;
        self.check_agreed(padata, &key, &credential)?;
        Ok(self.finish(credential))
    }

    /// Returns the next step after an error from which PKINIT can recover.
    pub(in super::super) fn again(
        &mut self,
        now: Moment,
        code: i32,
        hints: &Padata,
    ) -> Result<Option<Step>, ClientError> {
        match code {
            _ if self.pkinit.sent.is_none() => Ok(None),
            error::DH_KEY_PARAMETERS_NOT_ACCEPTED => self.with_another_group(now, hints),
            error::PREAUTH_EXPIRED => self.with_another_token(now, hints),
            error::PA_CHECKSUM_MUST_BE_INCLUDED if !self.pkinit.second_checksum => {
                self.pkinit.second_checksum = true;
                let group = self.pkinit.groups.last().copied();
                self.send_value(now, group).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Retries with a group that the KDC accepts (RFC 4556 §3.2.2): the first in its list that is allowed here and has not been tried.
    fn with_another_group(&mut self, now: Moment, hints: &Padata) -> Result<Option<Step>, ClientError> {
        let Some((_, value)) = hints.iter().find(|(kind, _)| *kind == TD_DH_PARAMETERS) else { return Ok(None) };
        let Login::Pkinit(pkinit) = &self.login else { return Ok(None) };
        if pkinit.key_transport {
            return Ok(None);
        }
        let mut next = None;
        for algorithm in read::<TdDhParameters<'_>>(value)?.iter() {
            let group = Group::of(&algorithm?).filter(|group| pkinit.groups.contains(group));
            next = next.or(group.filter(|group| !self.pkinit.groups.contains(group)));
        }
        match next {
            Some(group) => self.send_value(now, Some(group)).map(Some),
            None => Ok(None),
        }
    }

    /// Retries once with a new freshness token (RFC 8070 §2.4).
    fn with_another_token(&mut self, now: Moment, hints: &Padata) -> Result<Option<Step>, ClientError> {
        let token = hints.iter().find(|(kind, value)| *kind == pa::AS_FRESHNESS && !value.is_empty());
        let Some((_, token)) = token.filter(|_| !self.pkinit.renewed) else { return Ok(None) };
        (self.pkinit.freshness, self.pkinit.renewed) = (Some(token.clone()), true);
        let group = self.pkinit.groups.last().copied();
        self.send_value(now, group).map(Some)
    }

    fn send_value(&mut self, now: Moment, group: Option<Group>) -> Result<Step, ClientError> {
        let Login::Pkinit(pkinit) = self.login.clone() else { return Err(ClientError::Over) };
        let sent = match pkinit.key_transport {
            true => {
                pkinit.can_take_transport()?;
                Sent::KeyTransport
            }
            false => {
                let none = ClientError::Login("PKINIT requires a key agreement group, but none is allowed");
                let group = group.or(pkinit.groups.first().copied()).ok_or(none)?;
                self.pkinit.groups.push(group);
                Sent::Value(Private::generate(self.backend, group)?)
            }
        };
        let request = Request {
            backend: self.backend,
            pkinit: &pkinit,
            private: if let Sent::Value(private) = &sent { Some(private) } else { None },
            now: now.by_clock(self.ahead_seconds),
            // That of the body, which MIT's KDC signs whatever the AuthPack has.
            nonce: self.nonce,
            body: &self.body,
            freshness: self.pkinit.freshness.as_deref(),
            second_checksum: self.pkinit.second_checksum,
        };
        let value = request.encode()?;
        self.padata.retain(|(kind, _)| !matches!(*kind, pa::PK_AS_REQ | pa::AS_FRESHNESS));
        self.padata.push((pa::PK_AS_REQ, value));
        self.pkinit.sent = Some(sent);
        self.tried.push(PreauthMethod::Pkinit);
        self.send(now)
    }

    /// Returns the reply key.
    fn agreed_key(&self, now: Moment, padata: &Padata, enc_type: i32) -> Result<Key, ClientError> {
        let (Login::Pkinit(pkinit), Some(sent)) = (&self.login, &self.pkinit.sent) else {
            return Err(ClientError::Over);
        };
        let missing = ClientError::Reply("PA-PK-AS-REP is missing", "RFC 4556 §3.2.3");
        let (_, value) = padata.iter().find(|(kind, _)| *kind == pa::PK_AS_REP).ok_or(missing)?;
        let unasked = ClientError::Reply("the reply's encryption type was not requested", "RFC 4120 §3.1.5");
        let enc_type =
            EncType::from_number(enc_type).filter(|of| self.options.enc_types.contains(of)).ok_or(unasked)?;
        let body = request_body(&self.body)?;
        let (Some(client), Some(server)) = (body.cname, body.sname) else {
            return Err(ClientError::Reply("the request names no client", "RFC 4120 §5.4.1"));
        };
        let asked = Asked {
            backend: self.backend,
            pkinit,
            sent,
            nonce: self.nonce,
            client: &Principal::from_message(&client, &body.realm)?,
            server: &Principal::from_message(&server, &body.realm)?,
            as_req: &self.sent,
            now: now.unix,
        };
        asked.reply_key(value, enc_type)
    }

    /// Checks the requirements on tickets obtained with PKINIT.
    fn check_agreed(&self, padata: &Padata, reply_key: &Key, credential: &Credential) -> Result<(), ClientError> {
        let Login::Pkinit(pkinit) = &self.login else { return Ok(()) };
        let is_anonymous = pkinit.identity.is_none();
        if is_anonymous && !(credential.flags & bit(ticket::ANONYMOUS) != 0 && credential.client.is_anonymous()) {
            return Err(ClientError::Reply("the ticket is not anonymous", "RFC 8062 §4.1"));
        }
        check_session(self.backend, padata, reply_key, credential, is_anonymous)
    }
}

/// Converts an error's typed data to pairs. Returns none for other data.
pub(in super::super) fn typed(data: &[u8]) -> Padata {
    let entries = read::<TypedData<'_>>(data).map(|data| data.0);
    let entries = entries.iter().flat_map(SeqOf::iter).filter_map(Result::ok);
    entries.filter_map(|entry| Some((entry.data_type, entry.data_value?.to_vec()))).collect()
}
