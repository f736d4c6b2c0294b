//! Client-side one-time passwords (RFC 6560), available in every program that obtains initial credentials.

use std::ffi::CString;

use tagwise_codec::Decode as _;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::OneTimePassword;
use tagwise_krb5::numbers::pa;
use tagwise_krb5::otp::{OtpTokenInfo, PaOtpChallenge};
use tagwise_krb5_plugin::clpreauth::{Clpreauth, Exchange, Input};
use tagwise_krb5_plugin::view::{Context, PaData, PaDataRef};
use tagwise_krb5_plugin::{Error, Result, codes};
use zeroize::Zeroizing;

use super::otp_kdc::armor;
use crate::otp::responder::{self, Answer, flag, has};

pub(crate) struct Otp;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, error.to_string())
}

fn challenge(data: PaDataRef<'_>) -> Result<PaOtpChallenge<'_>> {
    PaOtpChallenge::from_der(data.contents()).map_err(|error| failed(format_args!("PA-OTP-CHALLENGE: {error}")))
}

/// Asks the user for a text.
fn ask(exchange: &Exchange<'_>, what: &str) -> Result<Zeroizing<String>> {
    let prompt = CString::new(what).map_err(|_| failed("the KDC's challenge has a zero byte"))?;
    let said = exchange.prompt(&prompt, true)?;
    let text = std::str::from_utf8(&said).map_err(|_| failed("the response is not UTF-8"))?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// Prepares text from the KDC for a terminal: removes control characters and limits its length.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().filter(|char| !char.is_control()).take(200).collect()
}

/// Asks the user to choose one of several tokens.
fn choose(exchange: &Exchange<'_>, tokens: &[OtpTokenInfo<'_>]) -> Result<usize> {
    if tokens.len() < 2 {
        return Ok(0);
    }
    let mut prompt = "Tokens:\n".to_owned();
    for (at, token) in tokens.iter().enumerate() {
        let vendor = token.otp_vendor.map(|vendor| shown(vendor.to_string().as_bytes()));
        let id = token.otp_token_id.map(|id| shown(id.as_bytes()));
        let name: Vec<String> = [vendor, id].into_iter().flatten().collect();
        prompt.push_str(&format!("\t{}: {}\n", at.saturating_add(1), name.join(" ")));
    }
    prompt.push_str("Number of the token");
    let said = ask(exchange, &prompt)?;
    let number = said.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    number.filter(|at| *at < tokens.len()).ok_or_else(|| failed("unknown token number"))
}

/// Returns the password to send for a token: the value and PIN combined, unless the KDC requests them separately.
fn password(exchange: &Exchange<'_>, token: &OtpTokenInfo<'_>, said: Answer) -> Result<OneTimePassword> {
    let apart = has(token, flag::SEPARATE_PIN_REQUIRED);
    let pin = match said.pin {
        // An answer that has the value may have the PIN in it.
        None if apart || (has(token, flag::COLLECT_PIN) && said.value.is_none()) => {
            Some(ask(exchange, "PIN of the token")?)
        }
        pin => pin.filter(|_| apart || has(token, flag::COLLECT_PIN)),
    };
    let value = match said.value {
        Some(value) => value,
        None => {
            let next = if has(token, flag::NEXT_OTP) { "Next one-time password" } else { "One-time password" };
            let prompt = match token.otp_challenge {
                Some(challenge) => format!("{next} (challenge {})", shown(challenge.as_bytes())),
                None => next.to_owned(),
            };
            ask(exchange, &prompt)?
        }
    };
    let secret = |text: &str| Secret::from(text.as_bytes());
    Ok(match pin {
        Some(pin) if apart => OneTimePassword { value: secret(&value), pin: Some(secret(&pin)) },
        Some(pin) => {
            let whole = Zeroizing::new([pin.as_str(), value.as_str()].concat());
            OneTimePassword { value: secret(&whole), pin: None }
        }
        None => OneTimePassword { value: secret(&value), pin: None },
    })
}

impl Clpreauth for Otp {
    const PA_TYPES: &'static [i32] = &[pa::OTP_CHALLENGE];

    type Request = ();

    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn request_init(&self, _: &Context<'_>) {}

    fn prep_questions(&self, (): &(), exchange: &Exchange<'_>, _: Input<'_>, data: PaDataRef<'_>) -> Result<()> {
        let challenge = challenge(data)?;
        let tokens = responder::usable(&challenge).map_err(failed)?;
        let question = responder::question(&challenge, &tokens).map_err(failed)?;
        let question = CString::new(question).map_err(failed)?;
        exchange.ask_responder_question(c"otp", Some(&question))
    }

    fn process(&self, (): &(), exchange: &Exchange<'_>, _: Input<'_>, data: PaDataRef<'_>) -> Result<Vec<PaData>> {
        // Without a tunnel anybody could ask for the value.
        let tunnel = armor(exchange.fast_armor()?)?;
        let challenge = challenge(data)?;
        let tokens = responder::usable(&challenge).map_err(failed)?;
        let said = match exchange.responder_answer(c"otp")? {
            Some(text) => responder::answer(&text, tokens.len()).map_err(failed)?,
            None => Answer { token: choose(exchange, &tokens)?, ..Answer::default() },
        };
        let token = tokens.get(said.token).ok_or_else(|| failed("unknown token"))?;
        let password = password(exchange, token, said)?;
        let request = password.request(&AwsLc::new(), &tunnel, challenge.nonce.as_bytes(), token).map_err(failed)?;
        // The armor key is the key of the reply (RFC 6560 §3.6).
        if let Some(key) = exchange.fast_armor()? {
            exchange.set_as_key(&key.to_keyblock())?;
        }
        // The value is used up: no other mechanism shall be tried with it.
        exchange.disable_fallback()?;
        Ok(vec![PaData::new(pa::OTP_REQUEST, request)])
    }
}
