//! A misbehaving client for one-time passwords, for testing that KDCs survive it. The variable `OTP_HOSTILE` selects the
//! misbehavior.
#![deny(unsafe_code)]

use tagwise_codec::{Decode as _, OctetStr, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::OneTimePassword;
use tagwise_krb5::crypto::{EncType, Key};
use tagwise_krb5::numbers::pa;
use tagwise_krb5::otp::{PaOtpChallenge, PaOtpRequest};
use tagwise_krb5::{KerberosFlags, messages::EncryptedData};
use tagwise_krb5_plugin::clpreauth::{Clpreauth, Exchange, Input};
use tagwise_krb5_plugin::view::{Context, PaData, PaDataRef};
use tagwise_krb5_plugin::{Error, Result, codes, krb5_plugin};

struct Hostile;

fn failed(error: impl std::fmt::Display) -> Error {
    Error::new(codes::KRB5KRB_ERR_GENERIC, error.to_string())
}

/// Returns the challenge's nonce, or the nonce that an earlier run stored.
fn nonce(challenge: &PaOtpChallenge<'_>) -> Result<Vec<u8>> {
    let Some(file) = std::env::var_os("OTP_NONCE") else { return Ok(challenge.nonce.as_bytes().to_vec()) };
    match std::fs::read(&file) {
        Ok(kept) => Ok(kept),
        Err(_) => {
            std::fs::write(&file, challenge.nonce.as_bytes()).map_err(failed)?;
            Ok(challenge.nonce.as_bytes().to_vec())
        }
    }
}

impl Clpreauth for Hostile {
    const PA_TYPES: &'static [i32] = &[pa::OTP_CHALLENGE];

    type Request = ();

    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn request_init(&self, _: &Context<'_>) {}

    fn process(&self, (): &(), exchange: &Exchange<'_>, _: Input<'_>, data: PaDataRef<'_>) -> Result<Vec<PaData>> {
        let way = std::env::var("OTP_HOSTILE").unwrap_or_default();
        let key = exchange.fast_armor()?.ok_or_else(|| failed("no tunnel"))?;
        let kind = EncType::from_number(key.enctype()).ok_or_else(|| failed("another encryption type"))?;
        let backend = AwsLc::new();
        let armor = match way.as_str() {
            "key" => Key::generate(&backend, kind),
            _ => Key::new(kind, Secret::from(key.contents())),
        };
        let armor = armor.map_err(failed)?;
        let challenge = PaOtpChallenge::from_der(data.contents()).map_err(failed)?;
        let token = challenge.otp_token_info.iter().next().ok_or_else(|| failed("no token"))?.map_err(failed)?;
        let value: &[u8] = match way.as_str() {
            "long" => &[b'x'; 129],
            "zero" => b"right-value\0",
            "empty" => b"",
            _ => b"right-value",
        };
        let password = OneTimePassword { value: Secret::from(value), pin: None };
        let whole = password.request(&backend, &armor, &nonce(&challenge)?, &token).map_err(failed)?;
        let mut request = PaOtpRequest::from_der(&whole).map_err(failed)?;
        match way.as_str() {
            "next" => request.flags = KerberosFlags::from_word(&[0x40, 0, 0, 0]),
            "pin" => request.otp_pin = Some(tagwise_codec::Utf8::new("99")),
            "absent" => request.otp_value = None,
            "etype" => request.enc_data.etype = 1,
            "short" => request.enc_data = EncryptedData { cipher: OctetStr::new(b"x"), ..request.enc_data },
            _ => {}
        }
        let mut sent = encode(&request).map_err(failed)?;
        if way == "cut" {
            sent.truncate(sent.len() / 2);
        }
        exchange.set_as_key(&key.to_keyblock())?;
        exchange.disable_fallback()?;
        Ok(vec![PaData::new(pa::OTP_REQUEST, sent)])
    }
}

krb5_plugin! { clpreauth "otp_hostile" => Hostile }
