//! The AS exchange: obtains an initial ticket with a password, keytab or certificate (RFC 4120 §3.1).

use tagwise_crypto::Backend;
use tagwise_pkix::UnixTime;

use crate::crypto::{EncType, Key, cf2};
use crate::flags::{bit, kdc};
use crate::messages::{KdcRep, KrbError, MethodData};
use crate::numbers::{error, pa};
use crate::{Credential, Principal};

use super::armor::Armor;
use super::as_options::{AsOptions, Login, PreauthMethod};
use super::as_reply::{self, Context, read};
use super::body::{Body, Padata, as_req, nonce};
use super::otp;
use super::preauth::{self, KeyInfo, Spake};
use super::{ClientError, KdcError, Moment, Step};

/// The maximum number of replies in an exchange, for preauthentication, referrals and clock adjustment.
const MAX_STEPS: usize = 16;
/// The maximum number of referrals between realms.
const MAX_REFERRALS: usize = 10;

/// An AS exchange for an initial ticket.
///
/// ```
/// use tagwise_crypto::{Secret, backends::AwsLc};
/// use tagwise_krb5::{Principal, client::{AsExchange, AsOptions, Login, Moment, Step}};
/// let backend = AwsLc::new();
/// let alice = Principal::parse("alice@KRB.TEST", None)?;
/// let login = Login::Password(Secret::from(&b"alicepw"[..]));
/// let mut exchange = AsExchange::new(&backend, AsOptions::new(alice), login);
/// let Step::Send { realm, message, .. } = exchange.start(Moment::now())? else { panic!() };
/// assert_eq!((realm.as_str(), message[0]), ("KRB.TEST", 0x6A));
/// // The reply to the message goes to `exchange.reply`, which says what is next.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AsExchange<'b> {
    pub(super) backend: &'b dyn Backend,
    pub(super) options: AsOptions,
    pub(super) login: Login,
    realm: Vec<u8>,
    steps: usize,
    referrals: usize,
    /// The seconds by which the KDC's clock is ahead of the client's clock. Set once the KDC has reported clock skew.
    pub(super) ahead_seconds: i64,
    armor: Option<Armor>,
    /// The preauthentication data for the next request.
    pub(super) padata: Padata,
    pub(super) body: Vec<u8>,
    pub(super) nonce: u32,
    /// The request as it was sent.
    pub(super) sent: Vec<u8>,
    key_info: Option<KeyInfo>,
    spake: Spake,
    /// The reply key that preauthentication established.
    reply_key: Option<Key>,
    pub(super) tried: Vec<PreauthMethod>,
    /// Preauthentication methods that the KDC rejected, with the errors.
    setbacks: Vec<(PreauthMethod, ClientError)>,
    /// The number of setbacks already reported by `note`.
    noted: usize,
    #[cfg(feature = "pkinit")]
    pub(super) pkinit: super::pkinit::State,
    done: bool,
}

impl<'b> AsExchange<'b> {
    /// Creates an exchange. With a keytab, only encryption types for which the keytab contains keys are requested, unless there
    /// are none.
    #[must_use]
    pub fn new(backend: &'b dyn Backend, mut options: AsOptions, login: Login) -> Self {
        if let Login::Keytab(keytab) = &login {
            let has = keytab.enc_types(&options.client);
            if options.enc_types.iter().any(|enc_type| has.contains(enc_type)) {
                options.enc_types.retain(|enc_type| has.contains(enc_type));
            }
        }
        Self {
            backend,
            realm: options.client.realm().to_vec(),
            options,
            login,
            steps: 0,
            referrals: 0,
            ahead_seconds: 0,
            armor: None,
            padata: Vec::new(),
            body: Vec::new(),
            nonce: 0,
            sent: Vec::new(),
            key_info: None,
            spake: Spake::default(),
            reply_key: None,
            tried: Vec::new(),
            setbacks: Vec::new(),
            noted: 0,
            #[cfg(feature = "pkinit")]
            pkinit: Default::default(),
            done: false,
        }
    }

    /// Returns the preauthentication methods that the KDC offered but that failed, each with its error. After each failure, the
    /// exchange continued with the next method.
    #[must_use]
    pub fn setbacks(&self) -> &[(PreauthMethod, ClientError)] {
        &self.setbacks
    }

    /// Returns the next unreported setback as a sentence. Each setback is returned only once.
    pub(super) fn note(&mut self) -> Option<String> {
        let (method, error) = self.setbacks.get(self.noted)?;
        self.noted += 1;
        Some(format!("{method:?}: {error}; trying the next mechanism"))
    }

    /// Starts the exchange with a request without preauthentication.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn start(&mut self, now: Moment) -> Result<Step, ClientError> {
        self.begin(now)?;
        self.send(now)
    }

    /// Creates a new request body and armor.
    fn begin(&mut self, now: Moment) -> Result<(), ClientError> {
        let now = now.by_clock(self.ahead_seconds);
        self.nonce = nonce(self.backend)?;
        self.padata.clear();
        (self.reply_key, self.key_info, self.spake) = (None, None, Spake::default());
        self.tried.clear();
        #[cfg(feature = "pkinit")]
        {
            self.pkinit = Default::default();
            self.padata = self.first_padata();
        }
        let options = &self.options;
        let mut word = options.options.iter().fold(0, |word, number| word | bit(*number));
        if options.renewable.is_some() {
            word |= bit(kdc::RENEWABLE);
        }
        if options.postdate.is_some() {
            word |= bit(kdc::ALLOW_POSTDATE) | bit(kdc::POSTDATED);
        }
        let from = options.postdate.map(|span| now.unix.saturating_add(span));
        let start = from.unwrap_or(now.unix);
        let server = options.service.clone().unwrap_or_else(|| Principal::krbtgt(&self.realm, &self.realm));
        let body = Body {
            options: word,
            client: Some(options.client.clone()),
            server,
            realm: self.realm.clone(),
            from,
            till: start.saturating_add(options.lifetime),
            renew_till: options.renewable.map(|span| start.saturating_add(span)),
            nonce: self.nonce,
            enc_types: options.enc_types.iter().map(|enc_type| enc_type.number()).collect(),
            auth_data: None,
            tickets: Vec::new(),
        };
        self.body = body.encode()?;
        Ok(())
    }

    pub(super) fn send(&mut self, now: Moment) -> Result<Step, ClientError> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(ClientError::TooManySteps);
        }
        let mut padata = self.padata.clone();
        // Requests proof that the request was not modified (RFC 6806 §11).
        padata.push((pa::REQ_ENC_PA_REP, Vec::new()));
        if let Some(credential) = &self.options.armor {
            let armor = Armor::new(self.backend, credential, now.by_clock(self.ahead_seconds))?;
            let fast = armor.request(self.backend, &padata, &self.body, &self.body)?;
            padata = vec![(pa::FX_FAST, fast)];
            self.armor = Some(armor);
        }
        self.sent = as_req(&padata, &self.body)?;
        self.step(false)
    }

    fn step(&self, tcp: bool) -> Result<Step, ClientError> {
        let realm = String::from_utf8_lossy(&self.realm).into_owned();
        Ok(Step::Send { realm, message: self.sent.clone(), tcp })
    }

    /// Processes the reply to the last request.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn reply(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        if self.done || self.sent.is_empty() {
            return Err(ClientError::Over);
        }
        match reply.first() {
            Some(0x7E) => self.error(now, reply),
            _ => self.ticket(now, reply),
        }
    }

    fn error(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        let outer = read::<KrbError<'_>>(reply)?;
        let mut said = KdcError::of(&outer, false);
        if said.code == error::RESPONSE_TOO_BIG {
            self.steps += 1;
            return if self.steps > MAX_STEPS { Err(ClientError::TooManySteps) } else { self.step(true) };
        }
        let mut methods: Padata = match outer.e_data.map(|data| read::<MethodData<'_>>(data.as_bytes())) {
            Some(Ok(data)) => as_reply::padata(Some(&data))?,
            _ => Vec::new(),
        };
        #[cfg(feature = "pkinit")]
        if self.armor.is_none() && methods.is_empty() {
            methods = outer.e_data.map(|data| super::pkinit::typed(data.as_bytes())).unwrap_or_default();
        }
        let mut referred = outer.crealm.map(|realm| realm.as_bytes().to_vec());
        if let Some(armor) = &self.armor {
            // Without the tunnel, it is unauthenticated: it is reported to the user, but not acted on, except for clock errors, which
            // the armor itself depends on.
            let Ok(response) = armor.response(self.backend, &methods) else {
                if said.code == error::AP_SKEW && self.ahead_seconds == 0 {
                    return self.adjust(now, said.time);
                }
                return Err(ClientError::Kdc(said));
            };
            if response.nonce != self.nonce {
                return Err(ClientError::Reply(
                    "the nonce in the FAST response does not match the request's",
                    "RFC 6113 §5.4.3",
                ));
            }
            let inner = response.padata.iter().find(|(kind, _)| *kind == pa::FX_ERROR);
            if let Some((_, value)) = inner {
                let inner = read::<KrbError<'_>>(value)?;
                said = KdcError::of(&inner, true);
                referred = inner.crealm.map(|realm| realm.as_bytes().to_vec());
            }
            methods = response.padata;
        }
        #[cfg(feature = "pkinit")]
        if let Some(step) = self.again(now, said.code, &methods)? {
            return Ok(step);
        }
        match said.code {
            error::PREAUTH_REQUIRED | error::MORE_PREAUTH_DATA_REQUIRED => self.preauthenticate(now, &methods),
            error::AP_SKEW if self.ahead_seconds == 0 => self.adjust(now, said.time),
            error::WRONG_REALM if self.options.options.contains(&kdc::CANONICALIZE) => {
                let realm =
                    referred.ok_or(ClientError::Reply("the referral ticket does not name a realm", "RFC 6806 §7"))?;
                self.refer(now, realm)
            }
            _ => Err(ClientError::Kdc(said)),
        }
    }

    /// Restarts the exchange with times according to the KDC's clock.
    fn adjust(&mut self, now: Moment, time: UnixTime) -> Result<Step, ClientError> {
        self.ahead_seconds = time.0.saturating_sub(now.unix.0);
        self.begin(now)?;
        self.send(now)
    }

    fn refer(&mut self, now: Moment, realm: Vec<u8>) -> Result<Step, ClientError> {
        self.referrals += 1;
        if self.referrals > MAX_REFERRALS || realm == self.realm {
            return Err(ClientError::TooManySteps);
        }
        if self.options.armor.is_some() {
            return Err(ClientError::Reply(
                "a referral to a realm other than the armor ticket's is not supported",
                "RFC 6113 §5.4.1",
            ));
        }
        self.realm = realm;
        self.options.client = self.options.client.in_realm(&self.realm);
        self.begin(now)?;
        self.send(now)
    }

    fn preauthenticate(&mut self, now: Moment, methods: &Padata) -> Result<Step, ClientError> {
        let time = now.by_clock(self.ahead_seconds);
        if let Some(info) = KeyInfo::find(methods, &self.options.enc_types)? {
            self.key_info = Some(info);
        }
        let offers = |kind: i32| methods.iter().find(|(of, _)| *of == kind).map(|(_, value)| value.as_slice());
        self.padata = offers(pa::FX_COOKIE).map(|cookie| (pa::FX_COOKIE, cookie.to_vec())).into_iter().collect();
        let none = || ClientError::NoPreauth(methods.iter().map(|(kind, _)| *kind).collect());
        if let Login::OneTime(password) = &self.login {
            let challenge = offers(pa::OTP_CHALLENGE).filter(|_| self.options.methods.contains(&PreauthMethod::Otp));
            let challenge = challenge.filter(|_| !self.tried.contains(&PreauthMethod::Otp)).ok_or_else(none)?;
            let (backend, password) = (self.backend, password.clone());
            return self.send_bound(now, PreauthMethod::Otp, |this, armor, _| {
                // RFC 6560 §2.3: the armor key is the reply key where the value itself is sent.
                this.reply_key = Some(armor.key.clone());
                otp::respond(backend, &armor.key, &password, challenge)
            });
        }
        #[cfg(feature = "pkinit")]
        if let Login::Pkinit(_) = &self.login {
            return self.present(now, methods);
        }
        let info = self.key_info.clone().ok_or_else(none)?;
        // A challenge is answered whatever was chosen before; a KDC may begin with one.
        if let Some(value) = offers(pa::SPAKE).filter(|value| !value.is_empty())
            && self.options.methods.contains(&PreauthMethod::Spake)
        {
            let key = self.key(&info)?;
            let (answer, reply_key) = self.spake.respond(self.backend, &key, value, &self.body)?;
            self.padata.push(answer);
            self.reply_key = Some(reply_key);
            self.tried.push(PreauthMethod::Spake);
            return self.send(now);
        }
        for method in self.options.methods.clone() {
            if self.tried.contains(&method) || self.setbacks.iter().any(|(failed, _)| *failed == method) {
                continue;
            }
            let answer = match method {
                PreauthMethod::Spake if offers(pa::SPAKE).is_some() => self.spake.support()?,
                PreauthMethod::EncryptedChallenge if offers(pa::ENCRYPTED_CHALLENGE).is_some() => {
                    if self.armor.is_none() {
                        continue;
                    }
                    return self.send_bound(now, method, |this, armor, time| {
                        preauth::challenge(this.backend, &this.key(&info)?, &armor.key, time)
                    });
                }
                PreauthMethod::EncTimestamp if offers(pa::ENC_TIMESTAMP).is_some() => {
                    preauth::enc_timestamp(self.backend, &self.key(&info)?, time)?
                }
                _ => continue,
            };
            self.tried.push(method);
            self.padata.push(answer);
            return self.send(now);
        }
        // If no mechanism is left, the earlier failure is the cause.
        Err(self.setbacks.pop().map_or_else(none, |(_, cause)| cause))
    }

    fn key(&self, info: &KeyInfo) -> Result<Key, ClientError> {
        info.key(self.backend, &self.login, &self.options.client, self.options.limits)
    }

    /// Sends an answer that is bound to the tunnel's key. The answer and the tunnel are created together.
    fn send_bound(
        &mut self,
        now: Moment,
        method: PreauthMethod,
        answer: impl FnOnce(&mut Self, &Armor, Moment) -> Result<(i32, Vec<u8>), ClientError>,
    ) -> Result<Step, ClientError> {
        self.tried.push(method);
        let time = now.by_clock(self.ahead_seconds);
        let Some(credential) = &self.options.armor else {
            return Err(ClientError::Login(
                "this preauthentication mechanism requires a FAST tunnel and an armor ticket",
            ));
        };
        let armor = Armor::new(self.backend, credential, time)?;
        let mut padata = self.padata.clone();
        padata.push(answer(self, &armor, time)?);
        padata.push((pa::REQ_ENC_PA_REP, Vec::new()));
        let fast = armor.request(self.backend, &padata, &self.body, &self.body)?;
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(ClientError::TooManySteps);
        }
        self.sent = as_req(&vec![(pa::FX_FAST, fast)], &self.body)?;
        self.armor = Some(armor);
        self.step(false)
    }

    fn ticket(&mut self, now: Moment, reply: &[u8]) -> Result<Step, ClientError> {
        let reply = as_reply::as_rep(reply)?;
        let mut padata = as_reply::padata(reply.padata.as_ref())?;
        let (mut strengthen, mut client) = (None, None);
        if let Some(armor) = &self.armor {
            let response = armor.response(self.backend, &padata)?;
            client = Some(as_reply::check_finished(self.backend, armor, &response, &reply, self.nonce)?);
            strengthen = response.strengthen;
            padata = response.padata;
        }
        #[cfg(feature = "pkinit")]
        if let Login::Pkinit(_) = &self.login {
            return self.agreed(now, &reply, &padata, client, strengthen.as_ref());
        }
        // Without an earlier preauthentication exchange, the reply determines the key derivation; otherwise an unauthenticated hint
        // must not change it.
        let info = match (&self.key_info, &self.reply_key) {
            (Some(info), _) => info.clone(),
            (None, _) => match KeyInfo::find(&padata, &self.options.enc_types)? {
                Some(info) => info,
                None => KeyInfo::of(
                    EncType::from_number(reply.enc_part.etype)
                        .filter(|enc_type| self.options.enc_types.contains(enc_type))
                        .ok_or(ClientError::Reply(
                            "the reply's encryption type was not requested",
                            "RFC 4120 §3.1.5",
                        ))?,
                ),
            },
        };
        if let (Some(armor), true) = (&self.armor, self.tried.last() == Some(&PreauthMethod::EncryptedChallenge)) {
            let missing = ClientError::Reply("the KDC's challenge is missing", "RFC 6113 §5.4.6");
            let (_, value) = padata.iter().find(|(kind, _)| *kind == pa::ENCRYPTED_CHALLENGE).ok_or(missing)?;
            // RFC 6113 §5.4.6: the KDC's challenge proves that it has the client's key. That of Heimdal 7 does not decrypt; it is given
            // up for this client, and the next mechanism is tried, which the same tunnel protects.
            if let Err(error) = preauth::verify_challenge(self.backend, &self.key(&info)?, &armor.key, value) {
                self.setbacks.push((PreauthMethod::EncryptedChallenge, error));
                self.begin(now)?;
                return self.send(now);
            }
        }
        let key = match &self.reply_key {
            Some(key) => key.clone(),
            None => self.key(&info)?,
        };
        let credential = self.credential(now, &reply, client, &key, strengthen.as_ref())?;
        Ok(self.finish(credential))
    }

    /// Decrypts a reply with the given key, strengthened if required, and verifies it.
    pub(super) fn credential(
        &self,
        now: Moment,
        reply: &KdcRep<'_>,
        client: Option<Principal>,
        key: &Key,
        strengthen: Option<&Key>,
    ) -> Result<Credential, ClientError> {
        let strong = match strengthen {
            Some(strengthen) => Some(cf2(self.backend, strengthen, key, b"strengthenkey", b"replykey")?),
            None => None,
        };
        let context = Context {
            backend: self.backend,
            key: strong.as_ref().unwrap_or(key),
            client,
            nonce: self.nonce,
            request: &self.sent,
            body: &self.body,
            now: now.by_clock(self.ahead_seconds),
            skew: self.options.skew,
            canonicalize: self.options.options.contains(&kdc::CANONICALIZE),
            postdated: self.options.postdate.is_some(),
        };
        context.credential(reply)
    }

    pub(super) fn finish(&mut self, credential: Credential) -> Step {
        self.done = true;
        Step::Done(Box::new(credential))
    }
}
