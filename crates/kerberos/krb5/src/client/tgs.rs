//! The TGS exchange: service tickets, referrals, renewal and delegation (RFC 4120 §3.3).

use core::time::Duration;

use tagwise_codec::{OctetStr, encode};
use tagwise_crypto::{Backend, Error, ErrorKind};

use crate::crypto::{EncType, Key, cf2, usage};
use crate::flags::{bit, kdc, ticket};
use crate::messages::{KrbError, MethodData, TgsRep};
use crate::numbers::{error, pa};
use crate::{Credential, Principal};

use super::ap::ApRequest;
use super::armor::Armor;
use super::as_reply::{check_finished, credential, enc_part, padata, read};
use super::body::{Body, nonce, tgs_req};
use super::route::Route;
use super::s4u::{self, Impersonation};
use super::{ClientError, KdcError, Moment, Step};

/// The maximum number of referrals between realms.
const MAX_REFERRALS: usize = 10;

/// Options for a service ticket.
#[derive(Clone, Debug)]
pub struct TgsOptions {
    /// The service.
    pub server: Principal,
    /// The requested lifetime, or `None` for the lifetime of the ticket-granting ticket.
    pub lifetime: Option<Duration>,
    /// Additional KDC options by number ([`flags::kdc`](crate::flags::kdc)).
    pub options: Vec<u8>,
    /// The requested and accepted encryption types of the session key.
    pub enc_types: Vec<EncType>,
    /// The other user's ticket-granting ticket in DER, for user-to-user authentication.
    pub user_to_user: Option<Vec<u8>>,
    /// The user on whose behalf to request the ticket, if any.
    pub impersonation: Option<Impersonation>,
    /// True to require a FAST tunnel (RFC 6113 §5.4.2), and thus a KDC that supports FAST. Otherwise, as in MIT's client, an implicit
    /// tunnel is offered, and a KDC that does not support FAST may reply outside it.
    pub fast: bool,
    /// The intermediate realms on the paths to services in other realms, from `[capaths]`: the client's realm with its list. For realms
    /// that are not listed, the name hierarchy applies (RFC 4120 §1.2).
    pub capaths: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    /// The seconds by which the KDC's clock is ahead of the client's clock, such as those of a cache
    /// ([`Ccache::ahead_seconds`](crate::Ccache::ahead_seconds)).
    pub ahead_seconds: i64,
}

impl TgsOptions {
    /// Creates options for a service, with referrals and default encryption types.
    #[must_use]
    pub fn new(server: Principal) -> Self {
        Self {
            server,
            lifetime: None,
            options: vec![kdc::CANONICALIZE],
            enc_types: EncType::DEFAULT.to_vec(),
            user_to_user: None,
            impersonation: None,
            fast: false,
            capaths: Vec::new(),
            ahead_seconds: 0,
        }
    }

    /// Requests the same properties as those of a ticket-granting ticket: forwardable, proxiable and renewable.
    pub fn inherit(&mut self, tgt: &Credential) {
        for (flag, option) in [
            (ticket::FORWARDABLE, kdc::FORWARDABLE),
            (ticket::PROXIABLE, kdc::PROXIABLE),
            (ticket::RENEWABLE, kdc::RENEWABLE),
        ] {
            if tgt.flags & bit(flag) != 0 {
                self.options.push(option);
            }
        }
    }

    /// Creates options to renew a ticket-granting ticket.
    #[must_use]
    pub fn renewal(ticket: &Credential) -> Self {
        Self { options: vec![kdc::RENEW, kdc::RENEWABLE], ..Self::new(ticket.server.clone()) }
    }
}

/// A TGS exchange for a service ticket.
#[derive(Debug)]
pub struct TgsExchange<'b> {
    backend: &'b dyn Backend,
    options: TgsOptions,
    /// The ticket-granting ticket in use.
    tgt: Credential,
    /// The ticket-granting tickets that referrals returned, oldest first.
    referrals: Vec<Credential>,
    subkey: Option<Key>,
    armor: Option<Armor>,
    nonce: u32,
    server: Principal,
    /// The path to the service's realm, while the exchange follows it.
    route: Option<Route>,
    sent: Vec<u8>,
    done: bool,
    too_big: bool,
}

impl<'b> TgsExchange<'b> {
    /// Creates an exchange with a ticket-granting ticket.
    #[must_use]
    pub fn new(backend: &'b dyn Backend, options: TgsOptions, tgt: Credential) -> Self {
        let server = options.server.clone();
        let route = Route::new(&options, &tgt);
        Self {
            backend,
            options,
            tgt,
            route,
            referrals: Vec::new(),
            subkey: None,
            armor: None,
            nonce: 0,
            server,
            sent: Vec::new(),
            done: false,
            too_big: false,
        }
    }

    /// Returns the ticket-granting tickets for other realms that were obtained during the exchange. They can be reused.
    #[must_use]
    pub fn referrals(&self) -> &[Credential] {
        &self.referrals
    }

    /// Starts the exchange.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn start(&mut self, now: Moment) -> Result<Step, ClientError> {
        self.send(now.by_clock(self.options.ahead_seconds))
    }

    /// Returns the realm of the KDC that receives the requests: the realm for which the ticket-granting ticket was issued.
    fn realm(&self) -> Vec<u8> {
        self.tgt.server.krbtgt_realm().unwrap_or(self.tgt.server.realm()).to_vec()
    }

    fn send(&mut self, now: Moment) -> Result<Step, ClientError> {
        let unusable = || Error::new(ErrorKind::Unsupported, "the session key of the ticket-granting ticket");
        let session = self.tgt.session_key().ok_or_else(unusable)?;
        let subkey = Key::generate(self.backend, session.enc_type())?;
        self.nonce = nonce(self.backend)?;
        let mut word = self.options.options.iter().fold(0, |word, number| word | bit(*number));
        let mut tickets: Vec<Vec<u8>> = self.options.user_to_user.iter().cloned().collect();
        if !tickets.is_empty() {
            word |= bit(kdc::ENC_TKT_IN_SKEY);
        }
        if let Some(Impersonation::Proxy(evidence)) = &self.options.impersonation {
            word |= bit(kdc::CNAME_IN_ADDL_TKT);
            tickets.push(evidence.clone());
        }
        let realm = self.realm();
        let next = self.route.as_ref().and_then(Route::next).map(|next| Principal::krbtgt(next, &realm));
        if let Some(next) = next {
            self.server = next;
            // A ticket-granting ticket for another realm is only used by the client.
            word |= bit(kdc::CANONICALIZE);
            word &= !bit(kdc::ENC_TKT_IN_SKEY);
            tickets.clear();
        }
        let till = match self.options.lifetime {
            Some(span) => now.unix.saturating_add(span),
            None if word & bit(kdc::RENEW) != 0 => self.tgt.renew_till,
            None => self.tgt.end_time,
        };
        let body = Body {
            options: word,
            client: None,
            server: self.server.clone(),
            realm: realm.clone(),
            from: None,
            till,
            renew_till: (word & bit(kdc::RENEWABLE) != 0).then_some(self.tgt.renew_till),
            nonce: self.nonce,
            enc_types: self.options.enc_types.iter().map(|enc_type| enc_type.number()).collect(),
            auth_data: None,
            tickets,
        };
        let body = body.encode()?;
        let checksum = session.checksum(self.backend, usage::TGS_REQ_CHECKSUM, &body)?;
        let request = ApRequest {
            client: &self.tgt.client,
            session: &session,
            ticket: &self.tgt.ticket,
            usage: usage::TGS_REQ_AUTHENTICATOR,
            options: 0,
            now,
            subkey: Some(&subkey),
            sequence: None,
            checksum: Some((session.enc_type().checksum().number(), checksum)),
        };
        let ap_req = request.encode(self.backend)?;
        let mut data = Vec::new();
        match &self.options.impersonation {
            Some(Impersonation::ToSelf(user)) => {
                data.push(s4u::x509_user(self.backend, &subkey, user, self.nonce)?);
                data.push(s4u::for_user(&session, user)?);
            }
            Some(Impersonation::Proxy(_)) => data.push(s4u::pac_options()?),
            None => {}
        }
        // Heimdal 7's KDC does not support the tunnel and ignores its content, where these requests would be lost.
        if self.options.fast || self.options.impersonation.is_none() {
            let armor = Armor::implicit(self.backend, &subkey, &session)?;
            data = vec![(pa::FX_FAST, armor.request(self.backend, &data, &body, &ap_req)?)];
            self.armor = Some(armor);
        }
        data.insert(0, (pa::TGS_REQ, ap_req));
        self.sent = tgs_req(&data, &body)?;
        self.subkey = Some(subkey);
        self.step(&realm, false)
    }

    fn step(&self, realm: &[u8], tcp: bool) -> Result<Step, ClientError> {
        Ok(Step::Send { realm: String::from_utf8_lossy(realm).into_owned(), message: self.sent.clone(), tcp })
    }

    /// Processes the reply to the last request.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        if self.done || self.sent.is_empty() {
            return Err(ClientError::Over);
        }
        let now = now.by_clock(self.options.ahead_seconds);
        if reply.first() == Some(&0x7E) {
            let said = self.refusal(reply)?;
            if said.code == error::RESPONSE_TOO_BIG && !self.too_big {
                self.too_big = true;
                return self.step(&self.realm(), true);
            }
            // No direct path: a nearer realm is tried, then the referral of the first realm's KDC.
            if let Some(route) = &mut self.route {
                if !route.nearer() {
                    self.leave_route();
                }
                return self.send(now);
            }
            return Err(ClientError::Kdc(said));
        }
        let got = self.open(reply)?;
        if let Some(route) = &mut self.route {
            let Some(realm) = got.server.krbtgt_realm().map(<[u8]>::to_vec) else {
                return Err(ClientError::Reply("the server name differs from the requested one", "RFC 4120 §3.3.4"));
            };
            if self.referrals.len() >= MAX_REFERRALS || self.referrals.iter().any(|one| one.server == got.server) {
                return Err(ClientError::TooManySteps);
            }
            self.referrals.push(got.clone());
            self.tgt = got;
            if route.arrive(&realm) {
                self.route = None;
                self.server = self.options.server.clone().in_realm(&realm);
            }
            return self.send(now);
        }
        // A referral: a ticket-granting ticket of another realm in place of the service's (RFC 6806 §8).
        let is_referral = got.server != self.server && got.server.krbtgt_realm().is_some();
        if is_referral && got.server.krbtgt_realm() != self.server.krbtgt_realm() {
            if self.referrals.len() >= MAX_REFERRALS || self.referrals.iter().any(|one| one.server == got.server) {
                return Err(ClientError::TooManySteps);
            }
            self.referrals.push(got.clone());
            let realm = got.server.krbtgt_realm().unwrap_or_default().to_vec();
            self.tgt = got;
            self.server = self.server.in_realm(&realm);
            return self.send(now);
        }
        self.done = true;
        Ok(Step::Done(Box::new(got)))
    }

    /// Abandons the path and returns to the first KDC, which may know the service and issue a referral.
    fn leave_route(&mut self) {
        if let Some(route) = self.route.take() {
            self.tgt = route.first;
            self.server = self.options.server.clone();
            self.referrals.clear();
        }
    }

    /// Returns a KDC's error. An error inside the FAST tunnel takes precedence.
    fn refusal(&self, reply: &[u8]) -> Result<KdcError, ClientError> {
        let outer = read::<KrbError<'_>>(reply)?;
        let said = KdcError::of(&outer, false);
        let (Some(armor), Some(data)) = (&self.armor, outer.e_data) else { return Ok(said) };
        let Ok(methods) = read::<MethodData<'_>>(data.as_bytes()) else { return Ok(said) };
        let Ok(response) = armor.response(self.backend, &padata(Some(&methods))?) else { return Ok(said) };
        if response.nonce != self.nonce {
            return Err(ClientError::Reply(
                "the nonce in the FAST response does not match the request's",
                "RFC 6113 §5.4.3",
            ));
        }
        match response.padata.iter().find(|(kind, _)| *kind == pa::FX_ERROR) {
            Some((_, value)) => Ok(KdcError::of(&read::<KrbError<'_>>(value)?, true)),
            None => Ok(said),
        }
    }

    fn open(&self, reply: &[u8]) -> Result<Credential, ClientError> {
        let wrong = |what, clause| Err(ClientError::Reply(what, clause));
        let reply = read::<TgsRep<'_>>(reply)?.0;
        let Some(subkey) = &self.subkey else { return Err(ClientError::Over) };
        let cipher = reply.enc_part.cipher.as_bytes();
        let (mut key, mut tunnelled) = (subkey.clone(), None);
        let data = padata(reply.padata.as_ref())?;
        let is_tunnelled = self.options.fast || data.iter().any(|(kind, _)| *kind == pa::FX_FAST);
        if let (Some(armor), true) = (&self.armor, is_tunnelled) {
            let response = armor.response(self.backend, &data)?;
            tunnelled = Some(check_finished(self.backend, armor, &response, &reply, self.nonce)?);
            if let Some(strengthen) = &response.strengthen {
                key = cf2(self.backend, strengthen, &key, b"strengthenkey", b"replykey")?;
            }
        }
        if reply.enc_part.etype != key.enc_type().number() {
            return wrong("the encryption type differs", "RFC 4120 §3.3.4");
        }
        let plain = key.decrypt(self.backend, usage::TGS_REP_SUBKEY, cipher)?;
        let part = enc_part(plain.expose(), key.enc_type())?;
        if part.nonce.get() != self.nonce {
            return wrong("the nonce differs", "RFC 4120 §3.3.4");
        }
        let client = match tunnelled {
            Some(client) => client,
            None => Principal::from_message(&reply.cname, &reply.crealm)?,
        };
        let server = Principal::from_message(&part.sname, &part.srealm)?;
        match &self.options.impersonation {
            None if client != self.tgt.client => {
                return wrong("the client name differs from the requested one", "RFC 4120 §3.3.4");
            }
            // MS-SFU §3.1.5.1.1.2: a KDC that does not know the extension gives a ticket of the client itself, which would be
            // taken for the user's.
            Some(Impersonation::ToSelf(user)) if client.components() != user.components() => {
                return wrong("the user's name: the KDC does not support S4U2Self", "MS-SFU §3.1.5.1.1.2");
            }
            Some(Impersonation::Proxy(_)) if client == self.tgt.client => {
                return wrong("the user's name: the KDC does not support S4U2Proxy", "MS-SFU §3.1.5.2.2");
            }
            _ => {}
        }
        let is_referral = (self.options.options.contains(&kdc::CANONICALIZE) || self.route.is_some())
            && server.krbtgt_realm().is_some();
        let is_same = server.components() == self.server.components();
        if !is_same && !is_referral {
            return wrong("the server name differs from the requested one", "RFC 4120 §3.3.4");
        }
        // RFC 4120 §6.2: a name in another realm is another principal. A TGS request has only one realm, the KDC's.
        if is_same && !self.server.realm().is_empty() && server.realm() != self.server.realm() {
            return wrong("the server's realm differs from the requested one", "RFC 4120 §3.3.4");
        }
        if server != Principal::from_message(&reply.ticket.sname, &reply.ticket.realm)? {
            return wrong("the ticket's service differs", "RFC 4120 §3.3.4");
        }
        let enc_type = EncType::from_number(part.key.keytype);
        if !enc_type.is_some_and(|enc_type| self.options.enc_types.contains(&enc_type)) {
            return wrong("the session key's encryption type was not requested", "RFC 4120 §3.3.4");
        }
        let mut got = credential(client, server, &part, &encode(&reply.ticket)?)?;
        if let Some(second) = &self.options.user_to_user {
            (got.is_skey, got.second_ticket) = (1, OctetStr::new(second).to_vec());
        }
        Ok(got)
    }
}
