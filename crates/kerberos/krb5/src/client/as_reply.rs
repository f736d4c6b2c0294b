//! Verification of a KDC's reply (RFC 4120 §3.1.5, §3.3.4; RFC 6113 §5.4.3; RFC 6806 §11).

use core::time::Duration;

use tagwise_codec::{Decode, Options, SeqOf, encode};
use tagwise_crypto::{Backend, Error, ErrorKind, Secret};
use tagwise_pkix::UnixTime;

use crate::crypto::{EncType, Key, usage};
use crate::flags::ticket;
use crate::messages::{AsRep, EncAsRepPart, EncKdcRepPart, EncTgsRepPart, KdcRep, PaData};
use crate::numbers::pa;
use crate::{Credential, Principal, rules};

use super::armor::{Armor, Response};
use super::body::{Padata, request_body};
use super::{ClientError, Moment};

/// Decodes a message, tolerating known deviations of other implementations.
pub(super) fn read<'a, T: Decode<'a>>(octets: &'a [u8]) -> Result<T, ClientError> {
    let options = Options::der().rules(rules::PEERS);
    Ok(options.decode::<T>(octets)?.value)
}

pub(super) fn as_rep(octets: &[u8]) -> Result<KdcRep<'_>, ClientError> {
    Ok(read::<AsRep<'_>>(octets)?.0)
}

/// Converts preauthentication data to owned pairs.
pub(super) fn padata(data: Option<&SeqOf<'_, PaData<'_>>>) -> Result<Padata, ClientError> {
    let mut pairs = Vec::new();
    for entry in data.into_iter().flat_map(SeqOf::iter) {
        let entry = entry?;
        pairs.push((entry.padata_type, entry.padata_value.to_vec()));
    }
    Ok(pairs)
}

/// Decodes data that was decrypted with a key of the given encryption type.
pub(super) fn opened<'a, T: Decode<'a>>(octets: &'a [u8], enc_type: EncType) -> Result<T, ClientError> {
    Ok(Options::der().rules(rules::content(enc_type)).decode::<T>(octets)?.value)
}

/// Decodes the encrypted part of an AS or TGS reply. MIT's KDC also sends EncTGSRepPart in an AS-REP, which clients may
/// accept (RFC 4120 §5.4.2).
pub(super) fn enc_part(octets: &[u8], enc_type: EncType) -> Result<EncKdcRepPart<'_>, ClientError> {
    let options = Options::der().rules(rules::content(enc_type));
    Ok(match octets.first() {
        Some(0x79) => options.decode::<EncAsRepPart<'_>>(octets)?.value.0,
        _ => options.decode::<EncTgsRepPart<'_>>(octets)?.value.0,
    })
}

/// Checks the nonce of a FAST reply, and that its client and ticket are those authenticated by the tunnel. Returns the client.
///
/// The outer name may also be the anonymous name (RFC 6113 §5.4.2, hide-client-names), which Heimdal writes as an empty
/// name.
pub(super) fn check_finished(
    backend: &dyn Backend,
    armor: &Armor,
    response: &Response,
    reply: &KdcRep<'_>,
    nonce: u32,
) -> Result<Principal, ClientError> {
    if response.nonce != nonce {
        return Err(ClientError::Reply(
            "the nonce in the FAST response does not match the request's",
            "RFC 6113 §5.4.3",
        ));
    }
    let missing = ClientError::Reply("the KDC did not finish the FAST tunnel", "RFC 6113 §5.4.3");
    let finished = response.finished.as_ref().ok_or(missing)?;
    let outside = Principal::from_message(&reply.cname, &reply.crealm)?;
    let is_hidden = outside.is_anonymous() || (outside.components().is_empty() && outside.realm().is_empty());
    if finished.client != outside && !is_hidden {
        return Err(ClientError::Reply("the client name differs from the requested one", "RFC 6113 §5.4.3"));
    }
    let ticket = encode(&reply.ticket)?;
    let (kind, checksum) = &finished.checksum;
    armor.key.verify(backend, usage::FAST_FINISHED, &ticket, *kind, checksum)?;
    Ok(finished.client.clone())
}

/// The parameters of a request, against which its reply is checked.
pub(super) struct Context<'a> {
    pub(super) backend: &'a dyn Backend,
    pub(super) key: &'a Key,
    /// The client authenticated by the FAST tunnel. Without a tunnel, the reply's client is used.
    pub(super) client: Option<Principal>,
    pub(super) nonce: u32,
    /// The request as it was sent.
    pub(super) request: &'a [u8],
    /// The request's body, taken from inside the tunnel if there is one.
    pub(super) body: &'a [u8],
    pub(super) now: Moment,
    pub(super) skew: Duration,
    pub(super) canonicalize: bool,
    pub(super) postdated: bool,
}

impl Context<'_> {
    /// Decrypts an AS-REP and verifies it.
    pub(super) fn credential(&self, reply: &KdcRep<'_>) -> Result<Credential, ClientError> {
        let wrong = |what, clause| Err(ClientError::Reply(what, clause));
        if reply.enc_part.etype != self.key.enc_type().number() {
            return wrong("the encryption type differs", "RFC 4120 §3.1.5");
        }
        let plain = self.key.decrypt(self.backend, usage::AS_REP, reply.enc_part.cipher.as_bytes())?;
        let part = enc_part(plain.expose(), self.key.enc_type())?;
        let request = request_body(self.body)?;
        let client = match &self.client {
            Some(client) => client.clone(),
            None => Principal::from_message(&reply.cname, &reply.crealm)?,
        };
        let server = Principal::from_message(&part.sname, &part.srealm)?;
        let asked = match request.cname {
            Some(name) => Principal::from_message(&name, &request.realm)?,
            None => return wrong("the request names no client", "RFC 4120 §5.4.1"),
        };
        if part.nonce.get() != self.nonce {
            return wrong("the nonce differs", "RFC 4120 §3.1.5");
        }
        // RFC 6806 §6: a name may be another one if it was asked for, and the reply proves that the request was not modified.
        let proven = self.enc_pa_rep(&part)?;
        // RFC 8062 §3: a request for anonymity is answered with a ticket of the anonymous principal, often in the anonymous realm.
        let asks = asked.is_anonymous() || request.kdc_options.has(crate::flags::kdc::REQUEST_ANONYMOUS);
        let is_anonymous = asks && client.is_anonymous();
        if client != asked && !((self.canonicalize || is_anonymous) && proven) {
            return wrong("the client name differs from the requested one", "RFC 4120 §3.1.5");
        }
        let wanted = match request.sname {
            Some(name) => Principal::from_message(&name, &request.realm)?,
            None => return wrong("the request names no service principal", "RFC 4120 §5.4.1"),
        };
        let is_krbtgt = |principal: &Principal| principal.krbtgt_realm().is_some();
        if server != wanted && !(self.canonicalize && is_krbtgt(&server) && is_krbtgt(&wanted)) {
            return wrong("the server name differs from the requested one", "RFC 4120 §3.1.5");
        }
        if server != Principal::from_message(&reply.ticket.sname, &reply.ticket.realm)? {
            return wrong("the ticket's service differs", "RFC 4120 §3.1.5");
        }
        let start = part.starttime.unwrap_or(part.authtime).unix();
        if !self.postdated && distance(start, self.now.unix) > self.skew {
            return wrong("the start time is too far from the current time", "RFC 4120 §3.1.5");
        }
        if part.endtime.unix() > request.till.unix() && request.till.unix() != UnixTime::EPOCH {
            return wrong("the ticket is valid for longer than requested", "RFC 4120 §3.1.5");
        }
        credential(client, server, &part, &encode(&reply.ticket)?)
    }

    /// Checks the KDC's proof that it received this request. A proof that the ticket's flags announce must be present and valid.
    fn enc_pa_rep(&self, part: &EncKdcRepPart<'_>) -> Result<bool, ClientError> {
        if !part.flags.has(ticket::ENC_PA_REP) {
            return Ok(false);
        }
        let data = padata(part.encrypted_pa_data.as_ref())?;
        let missing = ClientError::Reply("the checksum over the request is missing", "RFC 6806 §11");
        let (_, value) = data.iter().find(|(kind, _)| *kind == pa::REQ_ENC_PA_REP).ok_or(missing)?;
        let checksum = read::<crate::messages::Checksum<'_>>(value)?;
        let octets = checksum.checksum.as_bytes();
        self.key.verify(self.backend, usage::AS_REQ_CHECKSUM, self.request, checksum.cksumtype, octets)?;
        Ok(true)
    }
}

/// Returns the absolute difference between two times.
fn distance(one: UnixTime, other: UnixTime) -> Duration {
    one.since(other).or_else(|| other.since(one)).unwrap_or_default()
}

/// Extracts the parts of a reply that a client stores.
pub(super) fn credential(
    client: Principal,
    server: Principal,
    part: &EncKdcRepPart<'_>,
    ticket: &[u8],
) -> Result<Credential, ClientError> {
    // A session key of an unsupported type is useless, and a wrong length indicates damage.
    let key = Key::from_message(&part.key)?;
    let mut addresses = Vec::new();
    for address in part.caddr.iter().flat_map(SeqOf::iter) {
        let address = address?;
        let kind = u16::try_from(address.addr_type);
        let kind = kind.map_err(|_: core::num::TryFromIntError| Error::new(ErrorKind::Unsupported, "address type"))?;
        addresses.push((kind, address.address.to_vec()));
    }
    Ok(Credential {
        client,
        server,
        enc_type: key.enc_type().number(),
        key: Secret::from(key.expose()),
        auth_time: part.authtime.unix(),
        start_time: part.starttime.unwrap_or(part.authtime).unix(),
        end_time: part.endtime.unix(),
        renew_till: part.renew_till.map_or(UnixTime::EPOCH, |time| time.unix()),
        is_skey: 0,
        flags: part.flags.word(),
        addresses,
        auth_data: Vec::new(),
        ticket: ticket.to_vec(),
        second_ticket: Vec::new(),
    })
}
