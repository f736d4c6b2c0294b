//! Password changes (RFC 3244, and its predecessor, which uses version 1).

use tagwise_codec::{OctetStr, encode};
use tagwise_crypto::{Backend, Error, ErrorKind, Secret};

use crate::crypto::{Key, usage};
use crate::messages::{
    ApRep, EncApRepPart, EncKrbPrivPart, EncryptedData, HostAddress, KrbError, KrbPriv, Microseconds,
};
use crate::mit::ChangePasswdData;
use crate::{Credential, KerberosTime, Principal, UInt32};

use super::ap::ApRequest;
use super::as_reply::{opened, read};
use super::{ClientError, KdcError, Moment};

/// A password server's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordResult {
    /// The result code (RFC 3244 §2): 0 is success, 4 means that the new password was rejected.
    pub code: u16,
    /// The server's text.
    pub text: String,
}

impl PasswordResult {
    /// Returns whether the password was changed.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.code == 0
    }

    /// Returns a description of the result code.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.code {
            0 => "success",
            1 => "malformed request",
            2 => "server error",
            3 => "authentication failed",
            4 => "the new password was rejected",
            5 => "access denied",
            6 => "the protocol version is not supported",
            7 => "an initial ticket is required",
            _ => "unknown result",
        }
    }
}

/// A password change, with a ticket for `kadmin/changepw`.
#[derive(Debug)]
pub struct PasswordChange<'b> {
    backend: &'b dyn Backend,
    session: Key,
    subkey: Key,
}

impl<'b> PasswordChange<'b> {
    /// Creates the request to set a new password for the ticket's client or another principal. `now` is the time of the KDC's realm
    /// (see [`Environment::clock_of`](crate::Environment::clock_of)).
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub fn request(
        backend: &'b dyn Backend,
        credential: &Credential,
        password: &Secret,
        target: Option<&Principal>,
        now: Moment,
    ) -> Result<(Self, Vec<u8>), ClientError> {
        let unusable = || Error::new(ErrorKind::Unsupported, "the session key of the ticket");
        let session = credential.session_key().ok_or_else(unusable)?;
        let subkey = Key::generate(backend, session.enc_type())?;
        let sequence = super::body::nonce(backend)?;
        let request = ApRequest {
            client: &credential.client,
            session: &session,
            ticket: &credential.ticket,
            usage: usage::AP_REQ_AUTHENTICATOR,
            options: crate::flags::bit(crate::flags::ap::MUTUAL_REQUIRED),
            now,
            subkey: Some(&subkey),
            sequence: Some(sequence),
            checksum: None,
        };
        let ap_req = request.encode(backend)?;
        // Version FF80 names the principal; version 1 has only the password.
        let (version, data) = match target {
            None => (1_u16, password.clone()),
            Some(target) => {
                let strings = target.strings();
                let data = ChangePasswdData {
                    newpasswd: OctetStr::new(password.expose()),
                    targname: Some(target.name(&strings)),
                    targrealm: Some(target.realm_string()),
                };
                (0xFF80, Secret::from(encode(&data)?))
            }
        };
        let part = EncKrbPrivPart {
            user_data: OctetStr::new(data.expose()),
            timestamp: Some(KerberosTime::from_unix(now.unix)?),
            usec: Some(Microseconds(now.micros)),
            seq_number: Some(UInt32::new(sequence)),
            // The address that servers do not check, and that says nothing about networks.
            s_address: HostAddress { addr_type: crate::numbers::address::IPV4, address: OctetStr::new(&[0; 4]) },
            r_address: None,
        };
        let sealed = subkey.seal(backend, usage::KRB_PRIV, &part)?;
        let etype = subkey.enc_type().number();
        let enc_part = EncryptedData { etype, kvno: None, cipher: OctetStr::new(&sealed) };
        let private = encode(&KrbPriv { pvno: 5, msg_type: 21, enc_part })?;
        let too_long = || Error::new(ErrorKind::Length, "the request");
        let ap_len = u16::try_from(ap_req.len()).map_err(|_: core::num::TryFromIntError| too_long())?;
        let len =
            u16::try_from(6 + ap_req.len() + private.len()).map_err(|_: core::num::TryFromIntError| too_long())?;
        let message =
            [&len.to_be_bytes()[..], &version.to_be_bytes(), &ap_len.to_be_bytes(), &ap_req, &private].concat();
        Ok((Self { backend, session, subkey }, message))
    }

    /// Processes the response.
    ///
    /// # Errors
    ///
    /// Returns [`ClientError::Kdc`] if the server returns an unauthenticated error, or another [`ClientError`].
    pub fn reply(&self, reply: &[u8]) -> Result<PasswordResult, ClientError> {
        if reply.first() == Some(&0x7E) {
            return Err(ClientError::Kdc(KdcError::of(&read::<KrbError<'_>>(reply)?, false)));
        }
        let frame = ClientError::Reply("malformed reply header", "RFC 3244 §2");
        let ([a, b, _, _, c, d], rest) = reply.split_first_chunk::<6>().ok_or(frame)?;
        let frame = || ClientError::Reply("malformed reply header", "RFC 3244 §2");
        if usize::from(u16::from_be_bytes([*a, *b])) != reply.len() {
            return Err(frame());
        }
        let (ap_rep, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes([*c, *d]))).ok_or_else(frame)?;
        if ap_rep.is_empty() {
            return Err(ClientError::Kdc(KdcError::of(&read::<KrbError<'_>>(rest)?, false)));
        }
        let ap_rep = read::<ApRep<'_>>(ap_rep)?;
        let plain = self.session.decrypt(self.backend, usage::AP_REP, ap_rep.enc_part.cipher.as_bytes())?;
        let part = opened::<EncApRepPart<'_>>(plain.expose(), self.session.enc_type())?;
        let acceptor = part.subkey.map(|key| Key::from_message(&key)).transpose()?;
        let private = read::<KrbPriv<'_>>(rest)?;
        let cipher = private.enc_part.cipher.as_bytes();
        // Servers answer in the client's subkey (MIT) or in one of their own.
        let keys = [Some(&self.subkey), acceptor.as_ref()];
        let plain = keys
            .into_iter()
            .flatten()
            .find_map(|key| Some((key.enc_type(), key.decrypt(self.backend, usage::KRB_PRIV, cipher).ok()?)));
        let (enc_type, plain) = plain.ok_or_else(|| Error::new(ErrorKind::Integrity, "KRB-PRIV"))?;
        let part = opened::<EncKrbPrivPart<'_>>(plain.expose(), enc_type)?;
        let (code, text) = part.user_data.as_bytes().split_first_chunk::<2>().ok_or_else(frame)?;
        Ok(PasswordResult { code: u16::from_be_bytes(*code), text: String::from_utf8_lossy(text).into_owned() })
    }
}
