//! One-time passwords (RFC 6560), sent through a FAST tunnel whose key is also the reply key.

use tagwise_codec::{OctetStr, SeqOf, Utf8, encode};
use tagwise_crypto::{Backend, Secret};

use crate::KerberosFlags;
use crate::crypto::{Key, usage};
use crate::flags::bit;
use crate::messages::EncryptedData;
use crate::numbers::pa;
use crate::otp::{OtpTokenInfo, PaOtpChallenge, PaOtpEncRequest, PaOtpRequest};

use super::ClientError;
use super::as_reply::read;

/// Bits of OTPFlags (RFC 6560 §4.1).
mod flag {
    pub(super) const NEXT_OTP: u8 = 1;
    pub(super) const COLLECT_PIN: u8 = 3;
    pub(super) const MUST_ENCRYPT_NONCE: u8 = 5;
    pub(super) const SEPARATE_PIN_REQUIRED: u8 = 6;
}

/// A one-time password, with a PIN if the KDC requires one.
#[derive(Clone)]
pub struct OneTimePassword {
    /// The password in UTF-8.
    pub value: Secret,
    /// The PIN in UTF-8.
    pub pin: Option<Secret>,
}

impl core::fmt::Debug for OneTimePassword {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OneTimePassword").finish_non_exhaustive()
    }
}

impl OneTimePassword {
    /// Builds the PA-OTP-REQUEST for a token from a challenge with the given nonce (RFC 6560 §4.2). The PIN is included if the
    /// token requires one.
    ///
    /// # Errors
    ///
    /// Returns [`ClientError::Login`] if the PIN is not UTF-8, or any error from the backend.
    pub fn request(
        &self,
        backend: &dyn Backend,
        armor: &Key,
        nonce: &[u8],
        token: &OtpTokenInfo<'_>,
    ) -> Result<Vec<u8>, ClientError> {
        let asks = |number: u8| token.flags.word() & bit(number) != 0;
        let pin = self.pin.as_ref().filter(|_| asks(flag::COLLECT_PIN) || asks(flag::SEPARATE_PIN_REQUIRED));
        let pin = pin.map(|pin| core::str::from_utf8(pin.expose())).transpose();
        let pin = pin.map_err(|_: core::str::Utf8Error| ClientError::Login("the PIN is not UTF-8"))?;
        // Only parties that can decrypt the tunnel have seen the challenge, so its nonce proves that the request is an answer.
        let nonce = PaOtpEncRequest { nonce: OctetStr::new(nonce), additions: Default::default() };
        let sealed = armor.seal(backend, usage::PA_OTP_REQUEST, &nonce)?;
        let next = KerberosFlags::from_word(&[0x40, 0, 0, 0]);
        let request = PaOtpRequest {
            flags: if asks(flag::NEXT_OTP) { next } else { KerberosFlags::NONE },
            nonce: None,
            enc_data: EncryptedData { etype: armor.enc_type().number(), kvno: None, cipher: OctetStr::new(&sealed) },
            hash_alg: None,
            iteration_count: None,
            otp_value: Some(OctetStr::new(self.value.expose())),
            otp_pin: pin.map(Utf8::new),
            otp_challenge: token.otp_challenge,
            otp_time: None,
            otp_counter: None,
            // What identifies the token is sent as it came (RFC 6560 §4.2).
            otp_format: token.otp_format,
            otp_token_id: token.otp_token_id,
            otp_alg_id: token.otp_alg_id,
            otp_vendor: token.otp_vendor,
            additions: Default::default(),
        };
        Ok(encode(&request)?)
    }
}

/// Responds to a challenge. Tokens whose value must be used as a key instead of being sent are skipped.
pub(super) fn respond(
    backend: &dyn Backend,
    armor: &Key,
    password: &OneTimePassword,
    challenge: &[u8],
) -> Result<(i32, Vec<u8>), ClientError> {
    let challenge = read::<PaOtpChallenge<'_>>(challenge)?;
    let token = choose(&challenge.otp_token_info, password.pin.is_some())?;
    Ok((pa::OTP_REQUEST, password.request(backend, armor, challenge.nonce.as_bytes(), &token)?))
}

/// Selects the first token that the client supports.
fn choose<'a>(tokens: &SeqOf<'a, OtpTokenInfo<'a>>, has_pin: bool) -> Result<OtpTokenInfo<'a>, ClientError> {
    let mut needs_pin = false;
    for token in tokens.iter() {
        let token = token?;
        let asks = |number: u8| token.flags.word() & bit(number) != 0;
        if asks(flag::NEXT_OTP) || asks(flag::MUST_ENCRYPT_NONCE) {
            continue;
        }
        if asks(flag::SEPARATE_PIN_REQUIRED) && !has_pin {
            needs_pin = true;
            continue;
        }
        return Ok(token);
    }
    Err(match needs_pin {
        true => ClientError::Login("the token requires a PIN"),
        false => ClientError::Reply(
            "every offered token forbids sending the one-time password, or requires the next one",
            "RFC 6560 §4.1",
        ),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use tagwise_codec::Decode as _;
    use tagwise_crypto::backends::AwsLc;

    use super::*;
    use crate::crypto::EncType;

    fn token(flags: &[u8; 4]) -> OtpTokenInfo<'_> {
        let mut info = OtpTokenInfo::new(KerberosFlags::from_word(flags));
        info.otp_token_id = Some(OctetStr::new(b"token 1"));
        info
    }

    fn answer(tokens: &[OtpTokenInfo<'_>], pin: Option<&str>) -> Result<Vec<u8>, ClientError> {
        let backend = AwsLc::new();
        let challenge = PaOtpChallenge::new(OctetStr::new(b"nonce"), SeqOf::from_slice(tokens));
        let password =
            OneTimePassword { value: Secret::from(&b"123456"[..]), pin: pin.map(|pin| Secret::from(pin.as_bytes())) };
        let armor = Key::generate(&backend, EncType::Aes256CtsHmacSha196)?;
        let (kind, request) = respond(&backend, &armor, &password, &encode(&challenge)?)?;
        assert_eq!(kind, pa::OTP_REQUEST);
        let read = PaOtpRequest::from_der(&request)?;
        let plain = armor.decrypt(&backend, usage::PA_OTP_REQUEST, read.enc_data.cipher.as_bytes())?;
        assert_eq!(PaOtpEncRequest::from_der(plain.expose())?.nonce.as_bytes(), b"nonce");
        assert_eq!(read.otp_token_id.unwrap().as_bytes(), b"token 1");
        Ok(request)
    }

    #[test]
    fn a_pin_goes_where_it_is_asked_for() {
        let pin_of = |request: Vec<u8>| PaOtpRequest::from_der(&request).unwrap().otp_pin.map(|pin| pin.to_string());
        assert_eq!(pin_of(answer(&[token(&[0, 0, 0, 0])], Some("99")).unwrap()), None);
        assert_eq!(pin_of(answer(&[token(&[0x10, 0, 0, 0])], Some("99")).unwrap()).as_deref(), Some("99"));
        assert_eq!(pin_of(answer(&[token(&[0x10, 0, 0, 0])], None).unwrap()), None);
        assert_eq!(pin_of(answer(&[token(&[0x02, 0, 0, 0])], Some("99")).unwrap()).as_deref(), Some("99"));
        // Bit 6: the PIN must be there; another token will do without.
        assert!(matches!(answer(&[token(&[0x02, 0, 0, 0])], None), Err(ClientError::Login(_))));
        assert_eq!(pin_of(answer(&[token(&[0x02, 0, 0, 0]), token(&[0, 0, 0, 0])], None).unwrap()), None);
    }

    #[test]
    fn a_value_that_must_not_be_sent_is_not() {
        // Bit 5: the key of the encrypted nonce is made of the value; bit 1: the next value is wanted.
        for flags in [[0x04, 0, 0, 0], [0x40, 0, 0, 0]] {
            assert!(matches!(answer(&[token(&flags)], None), Err(ClientError::Reply(_, "RFC 6560 §4.1"))));
        }
        assert!(matches!(
            answer(&[], None),
            Err(ClientError::Reply(..) | ClientError::Encode(_) | ClientError::Decode(_))
        ));
    }

    #[test]
    fn nothing_secret_is_shown() {
        let password = OneTimePassword { value: Secret::from(&b"123456"[..]), pin: Some(Secret::from(&b"99"[..])) };
        assert_eq!(format!("{password:?}"), "OneTimePassword { .. }");
    }
}
