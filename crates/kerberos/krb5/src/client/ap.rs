//! AP-REQ: a ticket with an authenticator that proves possession of its session key.

use tagwise_codec::{Decode as _, OctetStr, encode};
use tagwise_crypto::Primitives;

use crate::crypto::Key;
use crate::messages::{ApReq, Authenticator, Checksum, EncryptedData, Microseconds, Ticket};
use crate::{KerberosFlags, KerberosTime, Principal, UInt32};

use super::{ClientError, Moment};

/// The parameters of an AP-REQ and its authenticator.
pub(crate) struct ApRequest<'a> {
    pub(crate) client: &'a Principal,
    pub(crate) session: &'a Key,
    pub(crate) ticket: &'a [u8],
    pub(crate) usage: u32,
    pub(crate) options: u32,
    pub(crate) now: Moment,
    pub(crate) subkey: Option<&'a Key>,
    pub(crate) sequence: Option<u32>,
    /// The checksum's type and value.
    pub(crate) checksum: Option<(i32, Vec<u8>)>,
}

impl ApRequest<'_> {
    pub(crate) fn encode(&self, backend: &dyn Primitives) -> Result<Vec<u8>, ClientError> {
        let strings = self.client.strings();
        let authenticator = Authenticator {
            authenticator_vno: 5,
            crealm: self.client.realm_string(),
            cname: self.client.name(&strings),
            cksum: self
                .checksum
                .as_ref()
                .map(|(kind, checksum)| Checksum { cksumtype: *kind, checksum: OctetStr::new(checksum) }),
            cusec: Microseconds(self.now.micros),
            ctime: KerberosTime::from_unix(self.now.unix)?,
            subkey: self.subkey.map(Key::to_message),
            seq_number: self.sequence.map(UInt32::new),
            authorization_data: None,
        };
        let sealed = self.session.seal(backend, self.usage, &authenticator)?;
        let word = self.options.to_be_bytes();
        let request = ApReq {
            pvno: 5,
            msg_type: 14,
            ap_options: KerberosFlags::from_word(&word),
            ticket: Ticket::from_der(self.ticket)?,
            authenticator: EncryptedData {
                etype: self.session.enc_type().number(),
                kvno: None,
                cipher: OctetStr::new(&sealed),
            },
        };
        Ok(encode(&request)?)
    }
}
