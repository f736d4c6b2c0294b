//! Decryption of FAST tunnels (RFC 6113 §5.4) and the encrypted challenges in them.

use crate::Principal;
use crate::crypto::{Key, cf2, usage};
use crate::fast::{KrbFastReq, KrbFastResponse, PaFxFastReply, PaFxFastRequest};
use crate::messages::{ApReq, EncryptedData};

use super::{OpenedPart, Opener};

impl Opener<'_> {
    pub(super) fn fast_request(
        &mut self,
        value: &[u8],
        path: String,
        client: &Principal,
        parts: &mut Vec<OpenedPart>,
    ) -> Result<(), tagwise_codec::Error> {
        let PaFxFastRequest::ArmoredData(request) = self.decode::<PaFxFastRequest<'_>>(value)? else { return Ok(()) };
        // FX_FAST_ARMOR_AP_REQUEST, the only type there is.
        if let Some(armor) = request.armor.filter(|armor| armor.armor_type == 1) {
            let ap_req = self.decode::<ApReq<'_>>(armor.armor_value.as_bytes())?;
            let armor_path = format!("{path}.armor.");
            let (session, subkey) = self.ap_req(&ap_req, &armor_path, usage::AP_REQ_AUTHENTICATOR, parts);
            let keys = session.zip(subkey);
            self.pending.armor = keys.and_then(|(session, subkey)| {
                cf2(self.backend, &subkey, &session, b"subkeyarmor", b"ticketarmor").ok()
            });
        }
        let keys = self.armor_keys();
        let inner = format!("{path}.enc-fast-req");
        let plain = self.part(parts, inner.clone(), "KrbFastReq", &request.enc_fast_req, &keys, &[usage::FAST_ENC]);
        let Some(plain) = plain else { return Ok(()) };
        let request = self.content::<KrbFastReq<'_>>(plain.expose(), &request.enc_fast_req)?;
        // The client that counts is the one inside.
        let inside = request.req_body.cname.as_ref();
        let inside = inside.map(|name| Principal::from_message(name, &request.req_body.realm)).transpose()?;
        let client = inside.as_ref().unwrap_or(client);
        if !client.components().is_empty() {
            self.pending.client = Some(client.clone());
        }
        self.padata(&request.padata, &format!("{inner}.padata"), client, request.req_body.as_bytes(), parts)
    }

    fn armor_keys(&self) -> Vec<(String, Key)> {
        self.pending.armor.clone().map(|key| ("armor key".to_owned(), key)).into_iter().collect()
    }

    /// Decrypts a FAST reply, and returns the key that strengthens the reply key.
    pub(super) fn fast_reply(
        &mut self,
        value: &[u8],
        path: &str,
        parts: &mut Vec<OpenedPart>,
    ) -> Result<Option<Key>, tagwise_codec::Error> {
        // An empty one says only that the KDC has FAST.
        if value.is_empty() {
            return Ok(None);
        }
        let PaFxFastReply::ArmoredData(reply) = self.decode::<PaFxFastReply<'_>>(value)? else { return Ok(None) };
        let keys = self.armor_keys();
        let path = format!("{path}.enc-fast-rep");
        let plain = self.part(parts, path.clone(), "KrbFastResponse", &reply.enc_fast_rep, &keys, &[usage::FAST_REP]);
        let Some(plain) = plain else { return Ok(None) };
        let response = self.content::<KrbFastResponse<'_>>(plain.expose(), &reply.enc_fast_rep)?;
        for entry in response.padata.iter() {
            let entry = entry?;
            match entry.padata_type {
                crate::numbers::pa::SPAKE => self.spake_challenge(entry.padata_value.as_bytes())?,
                crate::numbers::pa::ENCRYPTED_CHALLENGE => {
                    let client = self.pending.client.clone();
                    if let Some(client) = client {
                        let path = format!("{path}.padata.PA-ENCRYPTED-CHALLENGE");
                        self.encrypted_challenge(entry.padata_value.as_bytes(), path, &client, parts)?;
                    }
                }
                _ => {}
            }
        }
        Ok(response.strengthen_key.and_then(|key| Key::from_message(&key).ok()))
    }

    /// Decrypts a challenge from either side: a timestamp encrypted with a key derived from the armor key and the client's key
    /// (RFC 6113 §5.4.6). The value is empty if the KDC only offers the method.
    pub(super) fn encrypted_challenge(
        &mut self,
        value: &[u8],
        path: String,
        client: &Principal,
        parts: &mut Vec<OpenedPart>,
    ) -> Result<(), tagwise_codec::Error> {
        if value.is_empty() {
            return Ok(());
        }
        let data = self.decode::<EncryptedData<'_>>(value)?;
        let mut keys = Vec::new();
        for enc_type in crate::crypto::EncType::ALL {
            let of_type = EncryptedData { etype: enc_type.number(), ..data };
            for (name, key) in self.long_term(client, &of_type) {
                for pepper in [&b"clientchallengearmor"[..], b"kdcchallengearmor"] {
                    let armor = self.pending.armor.as_ref();
                    let made =
                        armor.and_then(|armor| cf2(self.backend, armor, &key, pepper, b"challengelongterm").ok());
                    keys.extend(made.map(|made| (format!("armor key and {name}"), made)));
                }
            }
        }
        let usages = [usage::ENC_CHALLENGE_CLIENT, usage::ENC_CHALLENGE_KDC];
        self.part(parts, path, "PA-ENC-TS-ENC", &data, &keys, &usages);
        Ok(())
    }
}
