//! Verification of the PAC in a decrypted ticket, with the keys at hand.

use tagwise_crypto::{Error, ErrorKind};

use crate::crypto::{ChecksumType, Key};
use crate::pac::{Pac, buffer, of_ticket};
use crate::{KeytabEntry, Principal};

use super::Opener;

/// The result for one of a PAC's signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PacVerdict {
    /// The signature is valid.
    Valid,
    /// The signature is invalid or missing, or the PAC is malformed. The text says why.
    Invalid(String),
    /// The signature was not verified. The text says why.
    NotVerified(&'static str),
}

/// The signatures of a ticket's PAC (MS-PAC §2.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacVerdicts {
    /// The service's signature, verified with the key that decrypted the ticket.
    pub server: PacVerdict,
    /// The KDC's signatures over the service's signature and, if present, over the whole PAC.
    pub kdc: PacVerdict,
    /// The KDC's signature over the ticket.
    pub ticket: PacVerdict,
}

impl PacVerdicts {
    /// Returns whether a signature is invalid.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        [&self.server, &self.kdc, &self.ticket].into_iter().any(|one| matches!(one, PacVerdict::Invalid(_)))
    }
}

impl core::fmt::Display for PacVerdict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Valid => f.write_str("valid"),
            Self::Invalid(why) => write!(f, "invalid: {why}"),
            Self::NotVerified(why) => write!(f, "not verified: {why}"),
        }
    }
}

const NO_KEY: PacVerdict = PacVerdict::NotVerified("no key of the KDC with this checksum type is given");

impl Opener<'_> {
    /// Verifies the PAC in a ticket that `service` decrypts. Returns `None` if the ticket has no PAC.
    pub(super) fn pac(&self, ticket: &[u8], realm: &[u8], service: &Key) -> Option<PacVerdicts> {
        let unread = |error: &dyn core::fmt::Display| {
            let server = PacVerdict::Invalid(error.to_string());
            Some(PacVerdicts {
                server,
                kdc: PacVerdict::NotVerified("the PAC was not read"),
                ticket: PacVerdict::NotVerified("the PAC was not read"),
            })
        };
        let found = match of_ticket(ticket) {
            Ok(found) => found?,
            Err(error) => return unread(&error),
        };
        let pac = match Pac::from_bytes(&found.pac) {
            Ok(pac) => pac,
            Err(error) => return unread(&error),
        };
        let kdc = Principal::krbtgt(realm, realm);
        let entries = self.keytab.entries().iter().filter(|entry| entry.principal == kdc);
        let keys: Vec<Key> = entries.filter_map(KeytabEntry::to_key).collect();
        let by_kdc = |kind: u32, verify: &dyn Fn(&Key) -> Result<(), Error>| {
            let number = pac.signature(kind).and_then(Result::ok).map(|signature| signature.kind);
            // Old domains sign with hmac-md5 whatever the key is.
            let fits = |key: &&Key| {
                number.is_none_or(|number| {
                    number == key.enc_type().checksum().number() || number == ChecksumType::HmacMd5.number()
                })
            };
            verdict(keys.iter().filter(fits).map(verify))
        };
        let kdc = by_kdc(buffer::KDC_CHECKSUM, &|key| pac.verify_kdc(self.backend, key).map(|_| ()));
        let ticket = match pac.signature(buffer::TICKET_CHECKSUM) {
            Some(_) => by_kdc(buffer::TICKET_CHECKSUM, &|key| pac.verify_ticket(self.backend, key, &found.without_pac)),
            None => PacVerdict::NotVerified("the PAC has no such signature"),
        };
        Some(PacVerdicts { server: verdict([pac.verify_server(self.backend, service)]), kdc, ticket })
    }
}

/// Returns `Valid` if one of the keys verifies the signature.
fn verdict(tried: impl IntoIterator<Item = Result<(), Error>>) -> PacVerdict {
    let mut verdict = NO_KEY;
    for result in tried {
        match result {
            Ok(()) => return PacVerdict::Valid,
            Err(error) if error.kind() == ErrorKind::NotOffered => {
                verdict = PacVerdict::NotVerified("the checksum type is not supported");
            }
            Err(error) => verdict = PacVerdict::Invalid(error.to_string()),
        }
    }
    verdict
}
