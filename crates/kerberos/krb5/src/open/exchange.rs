//! Decryption of KDC requests and replies, and of application messages.

use tagwise_codec::{Decode as _, SeqOf};
use tagwise_crypto::Secret;

use crate::crypto::{Key, cf2, usage};
use crate::messages::{
    ApRep, ApReq, AsRep, AsReq, Authenticator, EncApRepPart, EncAsRepPart, EncTgsRepPart, EncryptedData, KdcRep,
    KdcReq, KrbError, KrbPriv, MethodData, PaData, TgsRep, TgsReq, Ticket,
};
use crate::numbers::pa;
use crate::{Principal, microsoft, pkinit, spnego};

use super::{OpenedPart, Opener, Pending};

/// The maximum number of nested frames around a message.
const MAX_FRAMES: usize = 4;

impl Opener<'_> {
    pub(super) fn message(&mut self, message: &[u8], parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        let mut message = message;
        // A token may be in a negotiation, and a message in a token or behind a proxy: no more than that.
        for _ in 0..MAX_FRAMES {
            match self.inner(message)? {
                Some(inner) => message = inner,
                None => return self.bare(message, parts),
            }
        }
        Ok(())
    }

    /// Returns the message inside a frame: a GSS-API token, a SPNEGO negotiation or a KKDCP body. Returns `None` for other data, and an
    /// empty slice for an empty frame.
    fn inner<'m>(&self, message: &'m [u8]) -> Result<Option<&'m [u8]>, tagwise_codec::Error> {
        match message.first() {
            Some(0x60) => Ok(crate::kind::Token::from_bytes(message).map(|token| match token.id {
                None => token.inner,
                Some(_) => token.message().unwrap_or_default(),
            })),
            Some(0xA0 | 0xA1) => {
                let token = match self.decode::<spnego::NegotiationToken<'_>>(message)? {
                    spnego::NegotiationToken::NegTokenInit(init) => init.mech_token,
                    spnego::NegotiationToken::NegTokenResp(response) => response.response_token,
                };
                Ok(Some(token.map(|token| token.as_bytes()).unwrap_or_default()))
            }
            Some(0x30) => {
                let body = self.decode::<microsoft::KdcProxyMessage<'_>>(message)?;
                Ok(crate::types::proxied(body.kerb_message.as_bytes()))
            }
            _ => Ok(None),
        }
    }

    /// A message without a frame.
    fn bare(&mut self, message: &[u8], parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        match message.first() {
            None => Ok(()),
            Some(4 | 5) if message.get(1) == Some(&4) => {
                self.per_message(message, parts);
                Ok(())
            }
            Some(0x6A) => self.as_req(&self.decode::<AsReq<'_>>(message)?.0, parts),
            Some(0x6B) => self.kdc_rep(&self.decode::<AsRep<'_>>(message)?.0, parts, true),
            Some(0x6C) => self.tgs_req(&self.decode::<TgsReq<'_>>(message)?.0, parts),
            Some(0x6D) => self.kdc_rep(&self.decode::<TgsRep<'_>>(message)?.0, parts, false),
            Some(0x6E) => {
                let request = self.decode::<ApReq<'_>>(message)?;
                let (session, subkey) = self.ap_req(&request, "", usage::AP_REQ_AUTHENTICATOR, parts);
                self.pending = Pending { session, subkey, ..Pending::default() };
                Ok(())
            }
            Some(0x6F) => self.ap_rep(&self.decode::<ApRep<'_>>(message)?, "", parts),
            Some(0x61) => {
                self.ticket(parts, "", &self.decode::<Ticket<'_>>(message)?);
                Ok(())
            }
            Some(0x7E) => self.krb_error(&self.decode::<KrbError<'_>>(message)?, parts),
            _ if crate::types::is_kpasswd(message) => self.kpasswd(message, parts),
            _ => self.decode::<AsReq<'_>>(message).map(|_| ()),
        }
    }

    /// The data of a Wrap token that is sealed (RFC 4121 §4.2.4).
    fn per_message(&mut self, token: &[u8], parts: &mut Vec<OpenedPart>) {
        let Some(([5, _, flags, _, ec0, ec1, high, low, ..], sealed)) = token.split_first_chunk::<16>() else { return };
        if flags & 2 == 0 || sealed.is_empty() {
            return;
        }
        let mut sealed = sealed.to_vec();
        let turn = usize::from(u16::from_be_bytes([*high, *low])).checked_rem(sealed.len()).unwrap_or(0);
        sealed.rotate_left(turn);
        let usage = if flags & 1 == 0 { usage::GSS_INITIATOR_SEAL } else { usage::GSS_ACCEPTOR_SEAL };
        let mut keys = self.reply_keys();
        keys.extend(self.sessions.iter().rev().cloned());
        for (name, key) in keys {
            if let Ok(plain) = key.decrypt(self.backend, usage, &sealed) {
                // Behind the data are filler and the header.
                let extra = usize::from(u16::from_be_bytes([*ec0, *ec1]));
                let len = plain.len().saturating_sub(16).saturating_sub(extra);
                let data = Secret::from(plain.expose().get(..len).unwrap_or_default());
                parts.push(OpenedPart::new("data".to_owned(), "data", Some(data), name));
                return;
            }
        }
        let key = "no key decrypts it".to_owned();
        parts.push(OpenedPart::new("data".to_owned(), "data", None, key));
    }

    fn as_req(&mut self, request: &KdcReq<'_>, parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        let client = request.req_body.cname.as_ref();
        let client = client.map(|name| Principal::from_message(name, &request.req_body.realm)).transpose()?;
        self.pending = Pending { client: client.clone(), ..Pending::default() };
        let (Some(client), Some(padata)) = (client, request.padata) else { return Ok(()) };
        self.padata(&padata, "padata", &client, request.req_body.as_bytes(), parts)
    }

    /// Decrypts a client's preauthentication data, outside or inside a tunnel.
    pub(super) fn padata(
        &mut self,
        padata: &SeqOf<'_, PaData<'_>>,
        path: &str,
        client: &Principal,
        body: &[u8],
        parts: &mut Vec<OpenedPart>,
    ) -> Result<(), tagwise_codec::Error> {
        // Cookies first: their content is needed for the other elements.
        let mut entries: Vec<PaData<'_>> = padata.iter().collect::<Result<_, _>>()?;
        entries.sort_by_key(|entry| entry.padata_type != pa::FX_COOKIE);
        let mut cookie = None;
        for entry in &entries {
            let name = pa::name(entry.padata_type).unwrap_or("PA-DATA");
            let (path, value) = (format!("{path}.{name}"), entry.padata_value.as_bytes());
            match entry.padata_type {
                pa::ENC_TIMESTAMP => {
                    let data = self.decode::<EncryptedData<'_>>(value)?;
                    let keys = self.long_term(client, &data);
                    self.part(parts, path, "PA-ENC-TS-ENC", &data, &keys, &[usage::PA_ENC_TIMESTAMP]);
                }
                pa::ENCRYPTED_CHALLENGE => self.encrypted_challenge(value, path, client, parts)?,
                pa::OTP_REQUEST => {
                    let request = self.decode::<crate::otp::PaOtpRequest<'_>>(value)?;
                    let keys: Vec<_> =
                        self.pending.armor.clone().map(|key| ("armor key".to_owned(), key)).into_iter().collect();
                    let usages = [usage::PA_OTP_REQUEST];
                    self.part(
                        parts,
                        format!("{path}.encData"),
                        "PA-OTP-ENC-REQUEST",
                        &request.enc_data,
                        &keys,
                        &usages,
                    );
                }
                pa::FX_COOKIE => cookie = self.cookie(value, path, client, parts),
                pa::SPAKE => self.spake(value, path, client, body, cookie.as_ref(), parts)?,
                pa::FX_FAST => self.fast_request(value, path, client, parts)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn tgs_req(&mut self, request: &KdcReq<'_>, parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        self.pending = Pending::default();
        for entry in request.padata.iter().flat_map(SeqOf::iter) {
            let entry = entry?;
            if entry.padata_type == pa::TGS_REQ {
                let ap_req = self.decode::<ApReq<'_>>(entry.padata_value.as_bytes())?;
                let (session, subkey) = self.ap_req(&ap_req, "padata.PA-TGS-REQ.", usage::TGS_REQ_AUTHENTICATOR, parts);
                (self.pending.session, self.pending.subkey) = (session, subkey);
            }
        }
        if let (Some(session), Some(subkey)) = (&self.pending.session, &self.pending.subkey) {
            // RFC 6113 §5.4.2: in a TGS-REQ without an armor of its own.
            self.pending.armor = cf2(self.backend, subkey, session, b"subkeyarmor", b"ticketarmor").ok();
        }
        let nobody = Principal::new(0, *b"", [[0_u8; 0]; 0]);
        for entry in request.padata.iter().flat_map(SeqOf::iter) {
            let entry = entry?;
            if entry.padata_type == pa::FX_FAST {
                self.fast_request(entry.padata_value.as_bytes(), "padata.PA-FX-FAST".to_owned(), &nobody, parts)?;
            }
        }
        if let Some(data) = &request.req_body.enc_authorization_data {
            let keys = self.reply_keys();
            let usages = [usage::TGS_REQ_AUTH_DATA_SUBKEY, usage::TGS_REQ_AUTH_DATA_SESSION];
            self.part(parts, "req-body.enc-authorization-data".to_owned(), "AuthorizationData", data, &keys, &usages);
        }
        for (at, ticket) in request.req_body.additional_tickets.iter().flat_map(SeqOf::iter).enumerate() {
            if let Some(key) = self.ticket(parts, &format!("req-body.additional-tickets[{at}]"), &ticket?) {
                self.pending.additional.push(key);
            }
        }
        Ok(())
    }

    /// Returns the keys that may encrypt the reply to the last TGS-REQ.
    fn reply_keys(&self) -> Vec<(String, Key)> {
        let subkey = self.pending.subkey.clone().map(|key| ("authenticator's subkey".to_owned(), key));
        let session = self.pending.session.clone().map(|key| ("session key".to_owned(), key));
        subkey.into_iter().chain(session).collect()
    }

    /// Returns the session key and the authenticator's subkey.
    pub(super) fn ap_req(
        &mut self,
        request: &ApReq<'_>,
        path: &str,
        usage: u32,
        parts: &mut Vec<OpenedPart>,
    ) -> (Option<Key>, Option<Key>) {
        // If the ticket cannot be decrypted, its session key may be known from a decrypted reply, for which the client's key is enough.
        let session = self.ticket(parts, &format!("{path}ticket"), &request.ticket);
        let (name, session) = match session {
            Some(key) => ("session key".to_owned(), Some(key)),
            None => self
                .session_of(&request.authenticator, usage)
                .map_or_else(|| ("session key".to_owned(), None), |(name, key)| (name, Some(key))),
        };
        let keys: Vec<_> = session.clone().map(|key| (name, key)).into_iter().collect();
        let path = format!("{path}authenticator");
        let Some(plain) = self.part(parts, path, "Authenticator", &request.authenticator, &keys, &[usage]) else {
            return (session, None);
        };
        let subkey = self
            .content::<Authenticator<'_>>(plain.expose(), &request.authenticator)
            .ok()
            .and_then(|one| Key::from_message(&one.subkey?).ok());
        (session, subkey)
    }

    fn kdc_rep(
        &mut self,
        reply: &KdcRep<'_>,
        parts: &mut Vec<OpenedPart>,
        is_as: bool,
    ) -> Result<(), tagwise_codec::Error> {
        self.sessions
            .extend(self.pending.additional.drain(..).map(|key| ("session key of the other user".to_owned(), key)));
        self.ticket(parts, "ticket", &reply.ticket);
        let (mut strengthen, mut keys) = (None, Vec::new());
        for entry in reply.padata.iter().flat_map(SeqOf::iter) {
            let entry = entry?;
            match entry.padata_type {
                pa::FX_FAST => {
                    strengthen = self.fast_reply(entry.padata_value.as_bytes(), "padata.PA-FX-FAST", parts)?
                }
                pa::PK_AS_REP => keys.extend(self.pkinit_reply(entry.padata_value.as_bytes(), parts)),
                pa::ENCRYPTED_CHALLENGE => {
                    let client = self.pending.client.clone();
                    if let Some(client) = client {
                        self.encrypted_challenge(
                            entry.padata_value.as_bytes(),
                            "padata.PA-ENCRYPTED-CHALLENGE".to_owned(),
                            &client,
                            parts,
                        )?;
                    }
                }
                _ => {}
            }
        }
        if is_as {
            keys.extend(self.pending.spake.clone().map(|key| ("K'[0] of SPAKE".to_owned(), key)));
            let canonical = Principal::from_message(&reply.cname, &reply.crealm)?;
            for client in [Some(&canonical), self.pending.client.as_ref()].into_iter().flatten() {
                keys.extend(self.long_term(client, &EncryptedData { kvno: None, ..reply.enc_part }));
            }
            // One-time passwords: the armor key replies (RFC 6560 §3.6).
            keys.extend(self.pending.armor.clone().map(|key| ("armor key".to_owned(), key)));
        } else {
            keys.extend(self.reply_keys());
        }
        if let Some(strengthen) = &strengthen {
            let strong = keys.iter().filter_map(|(name, key)| {
                let made = cf2(self.backend, strengthen, key, b"strengthenkey", b"replykey").ok()?;
                Some((format!("{name}, strengthened"), made))
            });
            keys = strong.collect();
        }
        let usages: &[u32] = if is_as { &[usage::AS_REP] } else { &[usage::TGS_REP_SUBKEY, usage::TGS_REP_SESSION] };
        let plain = self.part(parts, "enc-part".to_owned(), "EncTGSRepPart", &reply.enc_part, &keys, usages);
        let session = plain.and_then(|plain| {
            // MIT's KDC writes EncTGSRepPart in an AS-REP, too (RFC 4120 §5.4.2).
            let part = match plain.expose().first() {
                Some(0x79) => self.content::<EncAsRepPart<'_>>(plain.expose(), &reply.enc_part).ok()?.0,
                _ => self.content::<EncTgsRepPart<'_>>(plain.expose(), &reply.enc_part).ok()?.0,
            };
            let server = Principal::from_message(&part.sname, &part.srealm).ok()?;
            Some((server, Key::from_message(&part.key).ok()?))
        });
        if let Some((server, key)) = session {
            self.add_session(format!("session key of {server}"), key);
        }
        Ok(())
    }

    /// The reply key that is enveloped to a client's certificate.
    fn pkinit_reply(&self, value: &[u8], parts: &mut Vec<OpenedPart>) -> Option<(String, Key)> {
        let Ok(pkinit::PaPkAsRep::EncKeyPack(pack)) = self.decode::<pkinit::PaPkAsRep<'_>>(value) else { return None };
        let path = "padata.PA-PK-AS-REP.encKeyPack".to_owned();
        for key in &self.private_keys {
            let Some(content) = crate::pkinit_open::reply_key_pack(self.backend, key.as_ref(), pack.as_bytes()) else {
                continue;
            };
            let made = pkinit::ReplyKeyPack::from_der(content.expose())
                .ok()
                .and_then(|pack| Key::from_message(&pack.reply_key).ok());
            parts.push(OpenedPart::new(path, "ReplyKeyPack", Some(content), "private key of the client".to_owned()));
            return made.map(|key| ("reply key of PKINIT".to_owned(), key));
        }
        parts.push(OpenedPart::new(path, "ReplyKeyPack", None, "no private key decrypts it".to_owned()));
        None
    }

    fn krb_error(&mut self, error: &KrbError<'_>, parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        // Not all e-data is METHOD-DATA: what does not decode as such is something else.
        let Some(methods) = error.e_data.and_then(|data| self.decode::<MethodData<'_>>(data.as_bytes()).ok()) else {
            return Ok(());
        };
        for entry in methods.iter() {
            let entry = entry?;
            match entry.padata_type {
                pa::FX_FAST => {
                    self.fast_reply(entry.padata_value.as_bytes(), "e-data.PA-FX-FAST", parts)?;
                }
                pa::SPAKE => self.spake_challenge(entry.padata_value.as_bytes())?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The reply to the last AP-REQ; an acceptor's subkey is remembered.
    fn ap_rep(
        &mut self,
        reply: &ApRep<'_>,
        path: &str,
        parts: &mut Vec<OpenedPart>,
    ) -> Result<(), tagwise_codec::Error> {
        let keys = self.reply_keys();
        let path = format!("{path}enc-part");
        let plain = self.part(parts, path, "EncAPRepPart", &reply.enc_part, &keys, &[usage::AP_REP]);
        let subkey = plain.and_then(|plain| {
            Key::from_message(&self.content::<EncApRepPart<'_>>(plain.expose(), &reply.enc_part).ok()?.subkey?).ok()
        });
        if let Some(subkey) = subkey {
            self.add_session("acceptor's subkey", subkey);
        }
        Ok(())
    }

    fn kpasswd(&mut self, message: &[u8], parts: &mut Vec<OpenedPart>) -> Result<(), tagwise_codec::Error> {
        let (_, rest) = message.split_at_checked(6).unwrap_or_default();
        let ap_len =
            message.get(4..6).map_or(0, |len| len.iter().fold(0_usize, |sum, octet| sum << 8 | usize::from(*octet)));
        let (ap, private) = rest.split_at_checked(ap_len).unwrap_or_default();
        if ap.first() == Some(&0x6E) {
            let (session, subkey) =
                self.ap_req(&self.decode::<ApReq<'_>>(ap)?, "ap-req.", usage::AP_REQ_AUTHENTICATOR, parts);
            self.pending = Pending { session, subkey, ..Pending::default() };
        } else if ap.first() == Some(&0x6F) {
            self.ap_rep(&self.decode::<ApRep<'_>>(ap)?, "ap-rep.", parts)?;
        }
        if private.first() == Some(&0x75) {
            let message = self.decode::<KrbPriv<'_>>(private)?;
            let mut keys = self.reply_keys();
            keys.extend(self.sessions.iter().rev().cloned());
            self.part(
                parts,
                "krb-priv.enc-part".to_owned(),
                "EncKrbPrivPart",
                &message.enc_part,
                &keys,
                &[usage::KRB_PRIV],
            );
        }
        Ok(())
    }
}
