//! The acceptor, which uses a keytab.

use core::time::Duration;

use tagwise_codec::{OctetStr, encode};
use tagwise_crypto::{Backend, Digest, Error, ErrorKind};
use tagwise_pkix::UnixTime;

use crate::client::Moment;
use crate::crypto::{Key, usage};
use crate::flags::{ap, ticket};
use crate::messages::{
    ApRep, ApReq, Authenticator, AuthorizationData, EncApRepPart, EncTicketPart, EncryptedData, Ticket,
};
use crate::numbers::ad;
use crate::{AuthDataElement, Credential, KRB5_MECH, Principal, UInt32, auth_data_elements};

use super::checksum::{self, Content};
use super::initiator::checked;
use super::per_message::Keyed;
use super::sequence::Window;
use super::token::{self, read};
use super::{ChannelBindings, Context, Flags, GssError, ReplayCache, ServiceKeys, credentials};

/// An acceptor's requirements on initiators.
#[derive(Clone, Debug)]
pub struct AcceptorOptions {
    /// The service for which tickets must be issued, or `None` for any service with keys in the keytab.
    pub service: Option<Principal>,
    /// True to decrypt a ticket only with keys of the service that it names. By default, all keys are tried, as in MIT's acceptor. Has no
    /// effect if `service` is set.
    pub strict_names: bool,
    /// The required channel bindings, or `None` to ignore the initiator's.
    pub bindings: Option<ChannelBindings>,
    /// True to also accept initiators without channel bindings, unless they claim to support them. Has no effect without `bindings`.
    /// [`Flags::CHANNEL_BOUND`] is then not set in the context. This is MIT's behavior. By default, bindings are mandatory.
    pub bindings_optional: bool,
    /// The maximum clock skew.
    pub skew: Duration,
}

impl Default for AcceptorOptions {
    /// Returns options that accept any service in the keytab, do not check channel bindings, and allow five minutes of clock skew.
    fn default() -> Self {
        Self {
            service: None,
            strict_names: false,
            bindings: None,
            bindings_optional: false,
            skew: Duration::from_secs(300),
        }
    }
}

/// A service that accepts contexts. It serves any number of initiators, with one call to [`accept`](Self::accept) for each.
#[derive(Debug)]
pub struct Acceptor<'b> {
    backend: &'b dyn Backend,
    keys: ServiceKeys,
    replays: &'b ReplayCache,
    options: AcceptorOptions,
}

/// An accepted context.
#[derive(Debug)]
pub struct Accepted<'b> {
    /// The context.
    pub context: Context<'b>,
    /// The token for the initiator, if it requested mutual authentication.
    pub token: Option<Vec<u8>>,
    /// The credentials that the initiator delegated.
    pub delegated: Vec<Credential>,
    /// The elements of the ticket's authorization data. Each container precedes its contents. PAC signatures are not verified.
    pub auth_data: Vec<AuthDataElement>,
    /// The time of the client's initial authentication.
    pub auth_time: UnixTime,
}

impl<'b> Acceptor<'b> {
    /// Creates an acceptor with a service's keys: a [`Keytab`](crate::Keytab), or [`ServiceKeys`] shared with other
    /// acceptors. All acceptors of a service should share a replay cache.
    #[must_use]
    pub fn new(
        backend: &'b dyn Backend,
        keys: impl Into<ServiceKeys>,
        replays: &'b ReplayCache,
        options: AcceptorOptions,
    ) -> Self {
        Self { backend, keys: keys.into(), replays, options }
    }

    /// Processes an initiator's first token.
    ///
    /// # Errors
    /// Returns a [`GssError`] if the token is rejected.
    pub fn accept(&self, octets: &[u8], now: Moment) -> Result<Accepted<'b>, GssError> {
        let (id, inner) = token::unframe(octets)?;
        if id != token::AP_REQ {
            return Err(GssError::Token("the token ID is not that of an AP-REQ", "RFC 4121 §4.1"));
        }
        let request = read::<ApReq<'_>>(inner)?;
        if request.ap_options.has(ap::USE_SESSION_KEY) {
            return Err(GssError::Ticket(
                "the ticket is encrypted with a session key (user-to-user), which is not supported",
            ));
        }
        let (service, plain) = self.ticket(&request.ticket)?;
        let part = read::<EncTicketPart<'_>>(plain.expose())?;
        self.check_times(&part, now)?;
        let auth_data = understood(part.authorization_data.as_ref())?;
        let session = checked(Key::from_message(&part.key)?)?;
        let cipher = request.authenticator.cipher.as_bytes();
        if request.authenticator.etype != session.enc_type().number() {
            return Err(GssError::Token("the encryption type of the authenticator", "RFC 4120 §3.2.3"));
        }
        let plain = session.decrypt(self.backend, usage::AP_REQ_AUTHENTICATOR, cipher)?;
        let authenticator = read::<Authenticator<'_>>(plain.expose())?;
        let client = Principal::from_message(&part.cname, &part.crealm)?;
        if Principal::from_message(&authenticator.cname, &authenticator.crealm)? != client {
            return Err(GssError::Ticket("the ticket's client differs from the authenticator's"));
        }
        let apart = authenticator.ctime.unix().0.saturating_sub(now.unix.0);
        if apart.unsigned_abs() > self.options.skew.as_secs() {
            return Err(GssError::Skew(apart));
        }
        let client_data = understood(authenticator.authorization_data.as_ref())?;
        let expires = authenticator.ctime.unix().saturating_add(self.options.skew);
        self.replays.check(self.backend.digest(Digest::Sha256, cipher)?, expires, now.unix)?;
        self.context(&part, &authenticator, session, (client, service), (auth_data, supports_bindings(&client_data)))
    }

    /// Decrypts a ticket with a key from the keytab.
    fn ticket(&self, found: &Ticket<'_>) -> Result<(Principal, tagwise_crypto::Secret), GssError> {
        let service = Principal::from_message(&found.sname, &found.realm)?;
        if self.options.service.as_ref().is_some_and(|wanted| *wanted != service) {
            return Err(GssError::Ticket("the ticket is for a different service"));
        }
        // If the service is named, no other one is accepted.
        let strict = self.options.strict_names || self.options.service.is_some();
        self.keys.open(self.backend, &service, found, strict)
    }

    fn check_times(&self, part: &EncTicketPart<'_>, now: Moment) -> Result<(), GssError> {
        let skew = i64::try_from(self.options.skew.as_secs()).unwrap_or(i64::MAX);
        let start = part.starttime.unwrap_or(part.authtime).unix();
        if part.flags.has(ticket::INVALID) || start.0.saturating_sub(skew) > now.unix.0 {
            return Err(GssError::Ticket("the ticket is not yet valid"));
        }
        if part.endtime.unix().0.saturating_add(skew) < now.unix.0 {
            return Err(GssError::Ticket("the ticket has expired"));
        }
        Ok(())
    }

    fn context(
        &self,
        part: &EncTicketPart<'_>,
        authenticator: &Authenticator<'_>,
        session: Key,
        (client, service): (Principal, Principal),
        (auth_data, supports_bindings): (Vec<AuthDataElement>, bool),
    ) -> Result<Accepted<'b>, GssError> {
        let backend = self.backend;
        let missing =
            GssError::Token("the authenticator has no checksum of type 0x8003 (RFC 4121 §4.1.1)", "RFC 4121 §4.1.1");
        let sum = authenticator.cksum.filter(|sum| sum.cksumtype == checksum::KIND).ok_or(missing)?;
        let mut content = Content::from_bytes(sum.checksum.as_bytes())?;
        // Only an acceptor says that a channel is bound.
        content.flags = content.flags.without(Flags::CHANNEL_BOUND);
        if let Some(bindings) = &self.options.bindings {
            if bindings.hash(backend)? == content.bindings {
                content.flags = content.flags | Flags::CHANNEL_BOUND;
            } else if content.bindings != [0; 16] || supports_bindings || !self.options.bindings_optional {
                return Err(GssError::Bindings);
            }
        }
        if content.flags.contains(Flags::DCE_STYLE) {
            return Err(GssError::State("DCE-style contexts are not supported"));
        }
        let subkey = authenticator.subkey.map(|key| Key::from_message(&key)).transpose()?.map(checked).transpose()?;
        let delegated = match content.delegated {
            Some(octets) => {
                let keys: Vec<&Key> = [Some(&session), subkey.as_ref()].into_iter().flatten().collect();
                credentials::open(backend, &keys, octets)?
            }
            None => Vec::new(),
        };
        let first = authenticator.seq_number.map_or(0, |number| u64::from(UInt32::get(number)));
        let initiators = subkey.unwrap_or_else(|| session.clone());
        let (mut keyed, mut send, mut out) = (Keyed::new(initiators, false), first, None);
        if content.flags.contains(Flags::MUTUAL) {
            let key = Key::generate(backend, keyed.key.enc_type())?;
            let mut number = [0; 4];
            backend.random(&mut number)?;
            let sequence = u32::from_be_bytes(number) & 0x3FFF_FFFF;
            let answer = EncApRepPart {
                ctime: authenticator.ctime,
                cusec: authenticator.cusec,
                subkey: Some(key.to_message()),
                seq_number: Some(UInt32::new(sequence)),
            };
            let sealed = session.seal(backend, usage::AP_REP, &answer)?;
            let enc_part =
                EncryptedData { etype: session.enc_type().number(), kvno: None, cipher: OctetStr::new(&sealed) };
            let reply = encode(&ApRep { pvno: 5, msg_type: 15, enc_part })?;
            out = Some(token::frame(KRB5_MECH, &[&token::AP_REP, &reply])?);
            (keyed, send) = (Keyed::new(key, true), u64::from(sequence));
        }
        let context = Context {
            backend,
            keyed,
            is_acceptor: true,
            flags: content.flags,
            client,
            service,
            expires: part.endtime.unix(),
            send,
            received: Window::new(first),
        };
        Ok(Accepted { context, token: out, delegated, auth_data, auth_time: part.authtime.unix() })
    }
}

/// Returns whether the initiator claims to support channel bindings (MS-KILE §3.2.5.8, KERB_AP_OPTIONS_CBT). If it does but sends none,
/// it is not connected to this acceptor directly.
fn supports_bindings(data: &[AuthDataElement]) -> bool {
    const AP_OPTIONS: i32 = 143;
    const CBT: u32 = 0x4000;
    let options = |data: &AuthDataElement| data.data.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    data.iter().filter(|element| element.kind == AP_OPTIONS).filter_map(options).any(|options| options & CBT != 0)
}

/// Returns the elements of authorization data, if all of them are understood. An unknown element that is not marked as ignorable
/// restricts the ticket in an unknown way (RFC 4120 §5.2.6).
fn understood(data: Option<&AuthorizationData<'_>>) -> Result<Vec<AuthDataElement>, GssError> {
    let Some(data) = data else { return Ok(Vec::new()) };
    let elements = auth_data_elements(data)?;
    let is_known = |element: &AuthDataElement| {
        let known = [ad::IF_RELEVANT, ad::KDC_ISSUED, ad::CAMMAC, ad::MANDATORY_FOR_KDC, ad::WIN2K_PAC];
        element.depth > 0 || known.contains(&element.kind)
    };
    match elements.iter().all(is_known) {
        true => Ok(elements),
        false => Err(Error::new(ErrorKind::Unsupported, "an unknown type of critical authorization data").into()),
    }
}
