//! Builds request bodies, and requests from bodies and preauthentication data.

use tagwise_codec::{Captured, Decode as _, OctetStr, SeqOf, encode};
use tagwise_crypto::Primitives;
use tagwise_pkix::UnixTime;

use crate::messages::{AsReq, EncryptedData, KdcReq, KdcReqBody, PaData, TgsReq, Ticket};
use crate::{KerberosFlags, KerberosTime, Principal, UInt32};

use super::ClientError;

/// The options, names and times in a request's body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) options: u32,
    pub(super) client: Option<Principal>,
    pub(super) server: Principal,
    /// The server's realm. Its KDC receives the request.
    pub(super) realm: Vec<u8>,
    pub(super) from: Option<UnixTime>,
    pub(super) till: UnixTime,
    pub(super) renew_till: Option<UnixTime>,
    pub(super) nonce: u32,
    pub(super) enc_types: Vec<i32>,
    /// Encrypted authorization data: encryption type and ciphertext.
    pub(super) auth_data: Option<(i32, Vec<u8>)>,
    pub(super) tickets: Vec<Vec<u8>>,
}

impl Body {
    pub(super) fn encode(&self) -> Result<Vec<u8>, ClientError> {
        let word = self.options.to_be_bytes();
        let client = self.client.as_ref().map(Principal::strings);
        let server = self.server.strings();
        let realm = tagwise_codec::General::from_content(&self.realm);
        let tickets = self.tickets.iter().map(|der| Ticket::from_der(der)).collect::<Result<Vec<_>, _>>()?;
        let time = |time: UnixTime| KerberosTime::from_unix(time);
        let body = KdcReqBody {
            kdc_options: KerberosFlags::from_word(&word),
            cname: self.client.as_ref().zip(client.as_ref()).map(|(client, strings)| client.name(strings)),
            realm,
            sname: Some(self.server.name(&server)),
            from: self.from.map(time).transpose()?,
            till: time(self.till)?,
            rtime: self.renew_till.map(time).transpose()?,
            nonce: UInt32::new(self.nonce),
            etype: SeqOf::from_slice(&self.enc_types),
            addresses: None,
            enc_authorization_data: self.auth_data.as_ref().map(|(etype, cipher)| EncryptedData {
                etype: *etype,
                kvno: None,
                cipher: OctetStr::new(cipher),
            }),
            additional_tickets: (!tickets.is_empty()).then(|| SeqOf::from_slice(&tickets)),
        };
        Ok(encode(&body)?)
    }
}

/// Decodes a request's body, for comparison with a reply.
pub(super) fn request_body(octets: &[u8]) -> Result<KdcReqBody<'_>, ClientError> {
    Ok(KdcReqBody::from_der(octets)?)
}

/// Preauthentication data: type and value.
pub(super) type Padata = Vec<(i32, Vec<u8>)>;

/// Converts pairs to preauthentication data elements.
pub(super) fn pa_data(padata: &[(i32, Vec<u8>)]) -> Vec<PaData<'_>> {
    padata
        .iter()
        .map(|(padata_type, value)| PaData { padata_type: *padata_type, padata_value: OctetStr::new(value) })
        .collect()
}

fn kdc_req<'a>(msg_type: u8, padata: &'a [PaData<'a>], body: &'a [u8]) -> Result<KdcReq<'a>, ClientError> {
    Ok(KdcReq {
        pvno: 5,
        msg_type,
        padata: (!padata.is_empty()).then(|| SeqOf::from_slice(padata)),
        req_body: Captured::<KdcReqBody<'_>>::from_octets(body)?,
    })
}

pub(super) fn as_req(padata: &Padata, body: &[u8]) -> Result<Vec<u8>, ClientError> {
    Ok(encode(&AsReq(kdc_req(10, &pa_data(padata), body)?))?)
}

pub(super) fn tgs_req(padata: &Padata, body: &[u8]) -> Result<Vec<u8>, ClientError> {
    Ok(encode(&TgsReq(kdc_req(12, &pa_data(padata), body)?))?)
}

/// Generates a 31-bit nonce. Some KDCs interpret larger values as negative.
pub(super) fn nonce(backend: &dyn Primitives) -> Result<u32, ClientError> {
    let mut octets = [0; 4];
    backend.random(&mut octets)?;
    Ok(u32::from_be_bytes(octets) & 0x7FFF_FFFF)
}

/// Encodes an EncryptedData as DER.
pub(super) fn encrypted(etype: i32, cipher: &[u8]) -> Result<Vec<u8>, ClientError> {
    Ok(encode(&EncryptedData { etype, kvno: None, cipher: OctetStr::new(cipher) })?)
}
