//! The responder question `otp` and its answer, in the JSON format documented in MIT's `krb5.h`.

use serde::{Deserialize, Serialize};
use tagwise_krb5::flags::bit;
use tagwise_krb5::otp::{OtpTokenInfo, PaOtpChallenge};
use zeroize::Zeroizing;

/// Flags in OTPFlags (RFC 6560 §4.1).
pub(crate) mod flag {
    pub(crate) const NEXT_OTP: u8 = 1;
    pub(crate) const COLLECT_PIN: u8 = 3;
    pub(crate) const MUST_ENCRYPT_NONCE: u8 = 5;
    pub(crate) const SEPARATE_PIN_REQUIRED: u8 = 6;
}

/// Flags in the question to the responder.
mod asks {
    pub(super) const TOKEN: u32 = 1;
    pub(super) const PIN: u32 = 2;
    pub(super) const NEXT: u32 = 4;
    pub(super) const SEPARATE_PIN: u32 = 8;
}

/// The maximum number of tokens from which a user may choose.
const MOST_TOKENS: usize = 64;

pub(crate) fn has(token: &OtpTokenInfo<'_>, number: u8) -> bool {
    token.flags.word() & bit(number) != 0
}

/// Returns the tokens without the must-encrypt-nonce flag, whose values may be sent. Returns an error if there are none.
pub(crate) fn usable<'a>(challenge: &PaOtpChallenge<'a>) -> Result<Vec<OtpTokenInfo<'a>>, String> {
    let mut found = Vec::new();
    for token in challenge.otp_token_info.iter().take(MOST_TOKENS) {
        let token = token.map_err(|error| error.to_string())?;
        if !has(&token, flag::MUST_ENCRYPT_NONCE) {
            found.push(token);
        }
    }
    if found.is_empty() {
        Err("every token that the KDC offers forbids sending the one-time password".to_owned())
    } else {
        Ok(found)
    }
}

#[derive(Serialize)]
struct Question {
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<String>,
    #[serde(rename = "tokenInfo")]
    token_info: Vec<TokenInfo>,
}

#[derive(Serialize)]
struct TokenInfo {
    flags: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    vendor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<i64>,
    #[serde(rename = "tokenID", skip_serializing_if = "Option::is_none")]
    token_id: Option<String>,
    #[serde(rename = "algID", skip_serializing_if = "Option::is_none")]
    alg_id: Option<String>,
}

/// Builds the question about the given tokens.
pub(crate) fn question(challenge: &PaOtpChallenge<'_>, tokens: &[OtpTokenInfo<'_>]) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let token_info = tokens.iter().map(|token| {
        let wanted = |number, asked| if has(token, number) { asked } else { 0 };
        let pin = match has(token, flag::COLLECT_PIN) || has(token, flag::SEPARATE_PIN_REQUIRED) {
            true => asks::PIN | wanted(flag::SEPARATE_PIN_REQUIRED, asks::SEPARATE_PIN),
            false => 0,
        };
        TokenInfo {
            flags: asks::TOKEN | pin | wanted(flag::NEXT_OTP, asks::NEXT),
            vendor: token.otp_vendor.map(|vendor| vendor.to_string()),
            challenge: token.otp_challenge.map(|challenge| text(challenge.as_bytes())),
            length: token.otp_length,
            format: token.otp_format.and_then(|format| i64::try_from(format.0).ok()),
            token_id: token.otp_token_id.map(|id| text(id.as_bytes())),
            alg_id: token.otp_alg_id.map(|id| id.to_string()),
        }
    });
    let asked =
        Question { service: challenge.otp_service.map(|name| name.to_string()), token_info: token_info.collect() };
    serde_json::to_string(&asked).map_err(|error| error.to_string())
}

/// An answer: the index of the token in the question, and the token's value.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) token: usize,
    pub(crate) value: Option<Zeroizing<String>>,
    pub(crate) pin: Option<Zeroizing<String>>,
}

#[derive(Deserialize)]
struct Said {
    tokeninfo: usize,
    value: Option<String>,
    pin: Option<String>,
}

/// Parses an answer to a question about the given number of tokens.
pub(crate) fn answer(text: &[u8], tokens: usize) -> Result<Answer, String> {
    // The error of the parser would quote what it read.
    let said: Said =
        serde_json::from_slice(text).map_err(|_| "the response to the question `otp` is malformed".to_owned())?;
    if said.tokeninfo >= tokens {
        return Err(format!("the response names token {} of {tokens}", said.tokeninfo));
    }
    let (value, pin) = (said.value.map(Zeroizing::new), said.pin.map(Zeroizing::new));
    Ok(Answer { token: said.tokeninfo, value, pin })
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{OctetStr, SeqOf, Utf8};
    use tagwise_krb5::KerberosFlags;
    use tagwise_krb5::otp::OtpFormat;

    use super::*;

    #[test]
    fn a_question_is_as_mit_documents_it() {
        let mut first = OtpTokenInfo::new(KerberosFlags::from_word(&[0x12, 0, 0, 0]));
        first.otp_vendor = Some(Utf8::new("Tokens \"R\" us"));
        first.otp_challenge = Some(OctetStr::new(b"77"));
        first.otp_length = Some(6);
        first.otp_format = Some(OtpFormat::HEXADECIMAL);
        first.otp_token_id = Some(OctetStr::new(b"id"));
        first.otp_alg_id = Some(Utf8::new("urn:x"));
        let hidden = OtpTokenInfo::new(KerberosFlags::from_word(&[0x04, 0, 0, 0]));
        let next = OtpTokenInfo::new(KerberosFlags::from_word(&[0x40, 0, 0, 0]));
        let infos = [first, hidden, next];
        let mut challenge = PaOtpChallenge::new(OctetStr::new(b"nonce"), SeqOf::from_slice(&infos));
        challenge.otp_service = Some(Utf8::new("service"));
        let tokens = usable(&challenge).unwrap();
        assert_eq!(
            question(&challenge, &tokens).unwrap(),
            r#"{"service":"service","tokenInfo":[{"flags":11,"vendor":"Tokens \"R\" us","challenge":"77","length":6,"format":1,"tokenID":"id","algID":"urn:x"},{"flags":5}]}"#
        );
        let none = PaOtpChallenge::new(OctetStr::new(b"nonce"), SeqOf::from_slice(&infos[1..2]));
        assert!(usable(&none).is_err());
    }

    #[test]
    fn an_answer_names_one_of_the_tokens() {
        let whole = answer(br#"{"tokeninfo":1,"value":"123","pin":"9"}"#, 2).unwrap();
        assert_eq!((whole.token, whole.value.unwrap().as_str(), whole.pin.unwrap().as_str()), (1, "123", "9"));
        assert_eq!(answer(br#"{"tokeninfo":0}"#, 1).unwrap(), Answer::default());
        for wrong in [&br#"{"tokeninfo":2}"#[..], br#"{"tokeninfo":-1}"#, br#"{"value":"secret"}"#, b"secret", b""] {
            let said = answer(wrong, 2).unwrap_err();
            assert!(!said.contains("secret"), "{said}");
        }
    }
}
