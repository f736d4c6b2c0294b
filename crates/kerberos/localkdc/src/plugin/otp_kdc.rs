//! KDC-side one-time passwords (RFC 6560): sends the value to a RADIUS server over a UNIX socket, without blocking the
//! KDC.

use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tagwise_codec::{Decode as _, OctetStr, SeqOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Primitives as _, Secret};
use tagwise_krb5::crypto::{EncType, Key, usage};
use tagwise_krb5::numbers::pa;
use tagwise_krb5::otp::{OtpTokenInfo, PaOtpChallenge, PaOtpEncRequest, PaOtpRequest};
use tagwise_krb5::{KerberosFlags, Principal};
use tagwise_krb5_plugin::kdcpreauth::{
    Answer, Exchange, Interest, Kdcpreauth, Pending, Rejected, Reply as KdcReply, Verdict, Verified, Wait, flags,
};
use tagwise_krb5_plugin::view::{Context, KeyRef, PaData, RequestRef};
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::check::Password;
use crate::otp::responder::flag;
use crate::otp::{Nonces, Token, TokenType, tokens};
use crate::radius::{AccessRequest, Asking, Reply};

/// The maximum number of concurrent checks. Each uses a connection, and the server does not allow more.
const MOST_CHECKS: usize = 64;
/// OTPFlags with bit 4: the user is not asked for a PIN.
const NO_PIN: &[u8; 4] = &[0x08, 0, 0, 0];

pub(crate) struct Otp {
    backend: AwsLc,
    nonces: Nonces,
    checks: Arc<AtomicUsize>,
}

/// The result for a valid one-time password.
pub(crate) struct Granted;

/// Returns a rejection with a reason for the KDC's log. The client only learns that the value was rejected.
fn refused(why: impl Into<String>) -> Rejected {
    Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, why).into()
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::new(codes::KRB5KRB_ERR_GENERIC, error.to_string())
}

/// Returns the armor key of the request's FAST tunnel.
pub(super) fn armor(key: Option<KeyRef<'_>>) -> Result<Key> {
    let key =
        key.ok_or_else(|| Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, "the request is not in a FAST tunnel"))?;
    let kind = EncType::from_number(key.enctype());
    let kind = kind
        .ok_or_else(|| failed(&format_args!("the armor key has an unsupported encryption type: {}", key.enctype())))?;
    Key::new(kind, Secret::from(key.contents())).map_err(|error| failed(&error))
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Returns the client of a nonce.
fn client(exchange: &Exchange<'_>) -> Result<Principal> {
    let name = exchange.client_name()?.ok_or_else(|| failed(&"the request names no client"))?;
    Ok(name.to_principal())
}

impl Otp {
    /// Returns the one-time password in an answer, after checking the rest of the answer.
    fn value(&self, exchange: &Exchange<'_>, data: &[u8], client: &Principal) -> Result<Password, Rejected> {
        let armor = armor(exchange.fast_armor()?)?;
        let wrong = |error: &dyn std::fmt::Display| refused(format!("PA-OTP-REQUEST: {error}"));
        let request = PaOtpRequest::from_der(data).map_err(|error| wrong(&error))?;
        if request.enc_data.etype != armor.enc_type().number() {
            return Err(wrong(&"encData: its encryption type is not the armor key's (RFC 6560 §4.2)"));
        }
        let plain = armor.decrypt(&self.backend, usage::PA_OTP_REQUEST, request.enc_data.cipher.as_bytes());
        let plain = plain.map_err(|error| wrong(&format_args!("encData: {error}")))?;
        let inside = PaOtpEncRequest::from_der(plain.expose()).map_err(|error| wrong(&error))?;
        let lifetime = i64::try_from(exchange.max_time_skew()?.as_secs()).unwrap_or(i64::MAX);
        let name = client.to_string();
        let taken = self.nonces.take(&self.backend, inside.nonce.as_bytes(), now(), lifetime, name.as_bytes());
        taken.map_err(|error| failed(&error))?.map_err(|stale| wrong(&stale))?;
        // None of these was offered.
        if request.flags.word() & tagwise_krb5::flags::bit(flag::NEXT_OTP) != 0 {
            return Err(wrong(&"flags: nextOTP was not offered"));
        }
        // Without it an iterationCount means nothing; MIT's client always sends one.
        if request.hash_alg.is_some() {
            return Err(wrong(&"hashAlg: the value must not be hashed"));
        }
        if request.otp_pin.is_some() {
            return Err(wrong(&"otp-pin: a PIN was not requested"));
        }
        let value = request.otp_value.ok_or_else(|| wrong(&"otp-value: missing"))?;
        Ok(Password::new(value.as_bytes().to_vec()))
    }

    fn place(&self) -> Result<CheckSlot, Rejected> {
        let more = |count: usize| (count < MOST_CHECKS).then_some(count + 1);
        match self.checks.fetch_update(Ordering::AcqRel, Ordering::Acquire, more) {
            Ok(_) => Ok(CheckSlot(Arc::clone(&self.checks))),
            Err(count) => Err(refused(format!("{count} passwords are already being checked"))),
        }
    }
}

/// A slot for one of the concurrent checks.
struct CheckSlot(Arc<AtomicUsize>);

impl Drop for CheckSlot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A one-time password being checked against one token after another.
struct Checking {
    backend: AwsLc,
    name: Principal,
    password: Password,
    asking: Asking,
    indicators: Vec<CString>,
    rest: VecDeque<Token>,
    _place: CheckSlot,
}

/// Sends the password to a token's server.
fn ask(
    backend: &AwsLc,
    exchange: &Exchange<'_>,
    token: &Token,
    name: &Principal,
    password: &Password,
) -> Result<(Asking, Vec<CString>), Rejected> {
    let values = |key: &str| exchange.context().configured(&["otp", &token.kind, key]);
    let kind = TokenType::read(&token.kind, values).map_err(refused)?;
    let user = match &token.username {
        Some(user) => user.clone(),
        None if kind.strip_realm => {
            let bare = name.in_realm(b"").to_string();
            bare.strip_suffix('@').unwrap_or(&bare).to_owned()
        }
        None => name.to_string(),
    };
    let mut random = [0; 17];
    backend.random(&mut random).map_err(|error| failed(&error))?;
    let [identifier, authenticator @ ..] = random;
    let request = AccessRequest::new(&user, password, identifier, authenticator, &kind.secret);
    let request = request.map_err(|error| refused(error.to_string()))?;
    let indicators = token.indicators.clone().unwrap_or_else(|| kind.indicator.into_iter().collect());
    let indicators: std::result::Result<Vec<CString>, _> = indicators.into_iter().map(CString::new).collect();
    let indicators = indicators.map_err(|_| refused("an indicator must not contain a zero byte"))?;
    let begun = Instant::now();
    let until = begun.checked_add(kind.timeout).unwrap_or(begun);
    Ok((Asking::new(&kind.server, request, until), indicators))
}

impl Pending<Granted> for Checking {
    fn wait(&self) -> Wait<'_> {
        let ready = self
            .asking
            .descriptor()
            .map(|(descriptor, writes)| (descriptor, if writes { Interest::Write } else { Interest::Read }));
        Wait { ready, until: self.asking.until() }
    }

    fn resume(&mut self, exchange: &Exchange<'_>) -> Poll<Result<Verified<Granted>, Rejected>> {
        loop {
            let why = match self.asking.resume() {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(Reply::Accept)) => {
                    for indicator in &self.indicators {
                        if let Err(error) = exchange.add_auth_indicator(indicator) {
                            return Poll::Ready(Err(error.into()));
                        }
                    }
                    return Poll::Ready(Ok(Verified { request: Some(Granted), ..Verified::default() }));
                }
                Poll::Ready(Ok(Reply::Reject)) => format!("{}: the password is rejected", self.name),
                Poll::Ready(Err(error)) => format!("{}: {error}", self.name),
            };
            let Some(token) = self.rest.pop_front() else { return Poll::Ready(Err(refused(why))) };
            match ask(&self.backend, exchange, &token, &self.name, &self.password) {
                Ok((asking, indicators)) => (self.asking, self.indicators) = (asking, indicators),
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl Kdcpreauth for Otp {
    const PA_TYPES: &'static [i32] = &[pa::OTP_REQUEST];

    type Request = Granted;

    fn init(_: &Context<'_>, _: &[&CStr]) -> Result<Self> {
        // Passwords pass through the KDC's memory from here on.
        crate::process::seal()
            .map_err(|error| failed(&format_args!("core dumps of the KDC cannot be disabled: {error}")))?;
        let backend = AwsLc::new();
        let nonces = Nonces::new(&backend).map_err(|error| failed(&error))?;
        Ok(Self { backend, nonces, checks: Arc::default() })
    }

    fn flags(_: &Context<'_>, _: i32) -> i32 {
        flags::REPLACES_KEY
    }

    /// Returns a challenge, but only in a FAST tunnel, because otherwise the value would be sent in the clear.
    fn edata(&self, exchange: &Exchange<'_>, _: RequestRef<'_>, _: i32) -> Result<Option<PaData>> {
        if exchange.string(c"otp")?.is_none() {
            return Err(Error::from(nix::libc::ENOENT));
        }
        armor(exchange.fast_armor()?)?;
        let name = client(exchange)?.to_string();
        let nonce = self.nonces.make(&self.backend, now(), name.as_bytes()).map_err(|error| failed(&error))?;
        let token = [OtpTokenInfo::new(KerberosFlags::from_word(NO_PIN))];
        let challenge = PaOtpChallenge::new(OctetStr::new(&nonce), SeqOf::from_slice(&token));
        let challenge = encode(&challenge).map_err(|error| failed(&error))?;
        Ok(Some(PaData::new(pa::OTP_CHALLENGE, challenge)))
    }

    fn verify(&self, exchange: &Exchange<'_>, answer: Answer<'_>) -> Result<Verdict<Granted>, Rejected> {
        let name = client(exchange)?;
        let attribute = exchange.string(c"otp")?.ok_or_else(|| refused(format!("{name} has no token")))?;
        let attribute = attribute.to_str().map_err(|_| refused("the string attribute `otp` is not UTF-8"))?;
        let mut rest: VecDeque<Token> = tokens(attribute).map_err(refused)?.into();
        let password = self.value(exchange, answer.data.contents(), &name)?;
        let place = self.place()?;
        let first = rest.pop_front().ok_or_else(|| refused(format!("{name} has no token")))?;
        let backend = AwsLc::new();
        let (asking, indicators) = ask(&backend, exchange, &first, &name, &password)?;
        let mut checking = Checking { backend, name, password, asking, indicators, rest, _place: place };
        // As far as it goes at once: a socket takes a request without waiting.
        match checking.resume(exchange) {
            Poll::Ready(verdict) => verdict.map(Verdict::Now),
            Poll::Pending => Ok(Verdict::Later(Box::new(checking))),
        }
    }

    /// Replaces the reply key with the armor key (RFC 6560 §3.6).
    fn return_padata(
        &self,
        exchange: &Exchange<'_>,
        _: KdcReply<'_>,
        state: Option<&Granted>,
    ) -> Result<Option<PaData>> {
        let Some(Granted) = state else { return Ok(None) };
        let key = exchange.fast_armor()?.ok_or_else(|| failed(&"the request is not in a FAST tunnel"))?;
        exchange.replace_reply_key(&key.to_keyblock(), false)?;
        Ok(None)
    }
}
