//! FAST armor (RFC 6113 §5.4): a ticket, and the tunnel's encryption key.

use tagwise_codec::{Captured, OctetStr, SeqOf, encode};
use tagwise_crypto::{Backend, Error, ErrorKind};

use crate::crypto::{Key, cf2, usage};
use crate::fast::{KrbFastArmor, KrbFastArmoredReq, KrbFastReq, KrbFastResponse, PaFxFastReply, PaFxFastRequest};
use crate::messages::{Checksum, EncryptedData, KdcReqBody};
use crate::numbers::pa;
use crate::{Credential, KerberosFlags, UInt32};

use super::ap::ApRequest;
use super::body::{Padata, pa_data};
use super::{ClientError, Moment};

/// The armor type for an AP-REQ (RFC 6113 §5.4.1.1).
const FX_FAST_ARMOR_AP_REQUEST: i32 = 1;

/// A FAST tunnel: its key, and the AP-REQ that conveys the key to the KDC.
#[derive(Clone, Debug)]
pub(super) struct Armor {
    pub(super) key: Key,
    ap_req: Option<Vec<u8>>,
}

/// The content of a FAST reply.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) padata: Padata,
    pub(super) strengthen: Option<Key>,
    pub(super) nonce: u32,
    pub(super) finished: Option<Finished>,
}

/// The KDC's last message in a FAST exchange.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) client: crate::Principal,
    /// The type and value of the checksum over the ticket.
    pub(super) checksum: (i32, Vec<u8>),
}

impl Armor {
    /// Creates the armor from a ticket for the realm's ticket-granting service.
    pub(super) fn new(backend: &dyn Backend, credential: &Credential, now: Moment) -> Result<Self, ClientError> {
        let unusable = || Error::new(ErrorKind::Unsupported, "the armor ticket's session key");
        let session = credential.session_key().ok_or_else(unusable)?;
        let subkey = Key::generate(backend, session.enc_type())?;
        let request = ApRequest {
            client: &credential.client,
            session: &session,
            ticket: &credential.ticket,
            usage: usage::AP_REQ_AUTHENTICATOR,
            options: 0,
            now,
            subkey: Some(&subkey),
            sequence: None,
            checksum: None,
        };
        let ap_req = request.encode(backend)?;
        let key = cf2(backend, &subkey, &session, b"subkeyarmor", b"ticketarmor")?;
        Ok(Self { key, ap_req: Some(ap_req) })
    }

    /// Creates the implicit armor of a TGS-REQ, derived from its own authenticator (RFC 6113 §5.4.1.1). No AP-REQ is sent to
    /// convey the key.
    pub(super) fn implicit(backend: &dyn Backend, subkey: &Key, session: &Key) -> Result<Self, ClientError> {
        Ok(Self { key: cf2(backend, subkey, session, b"subkeyarmor", b"ticketarmor")?, ap_req: None })
    }

    /// Builds a request's PA-FX-FAST. The checksum covers `bound`: the outer body of an AS-REQ, or the AP-REQ of a TGS-REQ.
    pub(super) fn request(
        &self,
        backend: &dyn Backend,
        padata: &Padata,
        body: &[u8],
        bound: &[u8],
    ) -> Result<Vec<u8>, ClientError> {
        let entries = pa_data(padata);
        let inner = KrbFastReq {
            fast_options: KerberosFlags::NONE,
            padata: SeqOf::from_slice(&entries),
            req_body: Captured::<KdcReqBody<'_>>::from_octets(body)?,
            additions: Default::default(),
        };
        let sealed = self.key.seal(backend, usage::FAST_ENC, &inner)?;
        let checksum = self.key.checksum(backend, usage::FAST_REQ_CHECKSUM, bound)?;
        let etype = self.key.enc_type();
        let request = PaFxFastRequest::ArmoredData(KrbFastArmoredReq {
            armor: self.ap_req.as_deref().map(|ap_req| KrbFastArmor {
                armor_type: FX_FAST_ARMOR_AP_REQUEST,
                armor_value: OctetStr::new(ap_req),
                additions: Default::default(),
            }),
            req_checksum: Checksum { cksumtype: etype.checksum().number(), checksum: OctetStr::new(&checksum) },
            enc_fast_req: EncryptedData { etype: etype.number(), kvno: None, cipher: OctetStr::new(&sealed) },
            additions: Default::default(),
        });
        Ok(encode(&request)?)
    }

    /// Decrypts the PA-FX-FAST in a KDC's preauthentication data.
    pub(super) fn response(&self, backend: &dyn Backend, padata: &Padata) -> Result<Response, ClientError> {
        let missing = ClientError::Reply("the reply was sent outside the FAST tunnel", "RFC 6113 §5.4.3");
        let (_, value) =
            padata.iter().find(|(kind, value)| *kind == pa::FX_FAST && !value.is_empty()).ok_or(missing)?;
        let PaFxFastReply::ArmoredData(reply) = super::as_reply::read::<PaFxFastReply<'_>>(value)? else {
            return Err(ClientError::Reply("unknown alternative of the FAST message", "RFC 6113 §5.4.3"));
        };
        if reply.enc_fast_rep.etype != self.key.enc_type().number() {
            return Err(ClientError::Reply("the FAST tunnel's encryption type differs", "RFC 6113 §5.4.3"));
        }
        let plain = self.key.decrypt(backend, usage::FAST_REP, reply.enc_fast_rep.cipher.as_bytes())?;
        let response = super::as_reply::opened::<KrbFastResponse<'_>>(plain.expose(), self.key.enc_type())?;
        let finished = match &response.finished {
            None => None,
            Some(finished) => Some(Finished {
                client: crate::Principal::from_message(&finished.cname, &finished.crealm)?,
                checksum: (finished.ticket_checksum.cksumtype, finished.ticket_checksum.checksum.to_vec()),
            }),
        };
        Ok(Response {
            padata: super::as_reply::padata(Some(&response.padata))?,
            strengthen: response.strengthen_key.map(|key| Key::from_message(&key)).transpose()?,
            nonce: UInt32::get(response.nonce),
            finished,
        })
    }
}
