//! Delegated credentials: KRB-CRED (RFC 4120 §5.8).

use tagwise_codec::{Decode as _, OctetStr, SeqOf, encode};
use tagwise_crypto::{Backend, Error, ErrorKind, Secret};
use tagwise_pkix::UnixTime;

use crate::client::Moment;
use crate::crypto::{Key, usage};
use crate::messages::{EncKrbCredPart, EncryptedData, KrbCred, KrbCredInfo, Microseconds, Ticket};
use crate::{Credential, KerberosFlags, KerberosTime, Principal};

use super::GssError;
use super::token::read;

/// Encodes one credential as a KRB-CRED, encrypted with the session key of the accompanying ticket.
pub(super) fn make(
    backend: &dyn Backend,
    session: &Key,
    credential: &Credential,
    now: Moment,
) -> Result<Vec<u8>, GssError> {
    let unusable = || Error::new(ErrorKind::Unsupported, "the session key of the delegated credential");
    let key = credential.session_key().ok_or_else(unusable)?;
    let (client, server) = (credential.client.strings(), credential.server.strings());
    let flags = credential.flags.to_be_bytes();
    let time = KerberosTime::from_unix;
    let renewable = credential.renew_till != UnixTime::EPOCH;
    let info = [KrbCredInfo {
        key: key.to_message(),
        prealm: Some(credential.client.realm_string()),
        pname: Some(credential.client.name(&client)),
        flags: Some(KerberosFlags::from_word(&flags)),
        authtime: Some(time(credential.auth_time)?),
        starttime: Some(time(credential.start_time)?),
        endtime: Some(time(credential.end_time)?),
        renew_till: renewable.then(|| time(credential.renew_till)).transpose()?,
        srealm: Some(credential.server.realm_string()),
        sname: Some(credential.server.name(&server)),
        caddr: None,
    }];
    let part = EncKrbCredPart {
        ticket_info: SeqOf::from_slice(&info),
        nonce: None,
        timestamp: Some(time(now.unix)?),
        usec: Some(Microseconds(now.micros)),
        s_address: None,
        r_address: None,
    };
    let sealed = session.seal(backend, usage::KRB_CRED, &part)?;
    let tickets = [Ticket::from_der(&credential.ticket)?];
    let enc_part = EncryptedData { etype: session.enc_type().number(), kvno: None, cipher: OctetStr::new(&sealed) };
    Ok(encode(&KrbCred { pvno: 5, msg_type: 22, tickets: SeqOf::from_slice(&tickets), enc_part })?)
}

/// Decrypts a KRB-CRED with one of the given keys, and returns its credentials.
pub(super) fn open(backend: &dyn Backend, keys: &[&Key], octets: &[u8]) -> Result<Vec<Credential>, GssError> {
    let message = read::<KrbCred<'_>>(octets)?;
    let cipher = message.enc_part.cipher.as_bytes();
    let fitting = keys.iter().filter(|key| key.enc_type().number() == message.enc_part.etype);
    let plain = fitting.into_iter().find_map(|key| key.decrypt(backend, usage::KRB_CRED, cipher).ok());
    let plain = plain.ok_or_else(|| Error::new(ErrorKind::Integrity, "KRB-CRED"))?;
    let part = read::<EncKrbCredPart<'_>>(plain.expose())?;
    let (mut found, mut tickets) = (Vec::new(), message.tickets.iter());
    for info in part.ticket_info.iter() {
        let differ =
            GssError::Token("the KRB-CRED has a different number of tickets and descriptions", "RFC 4120 §5.8.1");
        let (info, ticket) = (info?, tickets.next().ok_or(differ)??);
        let missing = || GssError::Token("the KRB-CRED does not name the ticket's client", "RFC 4120 §5.8.1");
        let (prealm, pname) = info.prealm.zip(info.pname).ok_or_else(missing)?;
        let time = |time: Option<KerberosTime>| time.map_or(UnixTime::EPOCH, KerberosTime::unix);
        let key = Key::from_message(&info.key)?;
        found.push(Credential {
            client: Principal::from_message(&pname, &prealm)?,
            server: Principal::from_message(&ticket.sname, &ticket.realm)?,
            enc_type: key.enc_type().number(),
            key: Secret::from(key.expose()),
            auth_time: time(info.authtime),
            start_time: time(info.starttime),
            end_time: time(info.endtime),
            renew_till: time(info.renew_till),
            is_skey: 0,
            flags: info.flags.map_or(0, |flags| flags.word()),
            addresses: Vec::new(),
            auth_data: Vec::new(),
            ticket: encode(&ticket)?,
            second_ticket: Vec::new(),
        });
    }
    match tickets.next() {
        None => Ok(found),
        Some(_) => {
            Err(GssError::Token("the KRB-CRED has a different number of tickets and descriptions", "RFC 4120 §5.8.1"))
        }
    }
}
