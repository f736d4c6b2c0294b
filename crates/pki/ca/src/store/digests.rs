//! Row digests, which detect changes caused by disk errors, memory errors or careless editing, before anything is signed
//! based on a row.
//!
//! A certificate's row has two digests. `digest` covers the constant parts, including the certificate. `state` covers
//! the data for CRLs and responses, including the current revocation, so that a lost or modified revocation is also
//! detected. Digests protect against accidents, not against attackers who can write to the database.

use tagwise_codec::Decode;
use tagwise_pkix::Certificate;
use tagwise_pkix::build::Digest;

use super::Revocation;
use crate::{Error, Serial};

/// The length of a digest in bytes. It is a truncated SHA-256 hash.
const LENGTH: usize = 16;

/// The fields of a row, each prefixed with its length.
pub(super) struct Fields(Vec<u8>);

impl Fields {
    pub(super) fn new(table: &str) -> Self {
        Self(Vec::with_capacity(256)).octets(table.as_bytes())
    }

    pub(super) fn octets(mut self, octets: &[u8]) -> Self {
        self.0.extend_from_slice(&(octets.len() as u64).to_be_bytes());
        self.0.extend_from_slice(octets);
        self
    }

    pub(super) fn number(mut self, number: i64) -> Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// Appends a field that may be absent.
    fn optional(self, octets: Option<&[u8]>) -> Self {
        match octets {
            Some(octets) => self.number(1).octets(octets),
            None => self.number(0),
        }
    }

    pub(super) fn digest(self) -> Vec<u8> {
        let mut digest = Digest::Sha256.of(&self.0);
        digest.truncate(LENGTH);
        digest
    }
}

/// The fields of a CA's row.
#[derive(Debug)]
pub(super) struct Authority<'a> {
    pub(super) label: &'a str,
    pub(super) certificate: &'a [u8],
    pub(super) key_form: &'a str,
    pub(super) private_key: Option<&'a [u8]>,
    pub(super) urls: [Option<&'a str>; 3],
    pub(super) crl_issuer: Option<&'a [u8]>,
    pub(super) created: i64,
    pub(super) past: &'a str,
}

impl Authority<'_> {
    pub(super) fn digest(&self) -> Vec<u8> {
        let fields = Fields::new("authority").octets(self.label.as_bytes()).octets(self.certificate);
        let fields = fields.octets(self.key_form.as_bytes()).optional(self.private_key);
        let fields = self.urls.iter().fold(fields, |fields, url| fields.optional(url.map(str::as_bytes)));
        let fields = fields.number(self.created).octets(self.past.as_bytes());
        // Without a CRL issuer, the digest is that of earlier versions of the tables.
        match self.crl_issuer {
            Some(name) => fields.octets(name).digest(),
            None => fields.digest(),
        }
    }
}

/// The constant fields of a certificate's row.
#[derive(Debug)]
pub(super) struct Fixed<'a> {
    pub(super) authority: i64,
    pub(super) serial: &'a [u8],
    pub(super) subject: &'a str,
    pub(super) profile: &'a str,
    pub(super) not_before: i64,
    pub(super) not_after: i64,
    pub(super) issued: i64,
    pub(super) der: &'a [u8],
}

impl Fixed<'_> {
    pub(super) fn digest(&self) -> Vec<u8> {
        let fields = Fields::new("certificate").number(self.authority).octets(self.serial);
        let fields = fields.octets(self.subject.as_bytes()).octets(self.profile.as_bytes());
        fields.number(self.not_before).number(self.not_after).number(self.issued).octets(self.der).digest()
    }

    /// Returns the state of a certificate whose status has never changed.
    pub(super) const fn fresh(&self) -> State<'_> {
        State {
            authority: self.authority,
            serial: self.serial,
            not_after: self.not_after,
            revision: 0,
            revocation: None,
        }
    }

    /// Returns whether the row's serial number and validity match its certificate, if it contains one.
    pub(super) fn agrees(&self) -> bool {
        if self.der.is_empty() {
            return true;
        }
        let Ok(read) = Certificate::outline(self.der) else { return false };
        let tbs = &read.tbs_certificate;
        let validity = (tbs.validity.not_before.unix().0, tbs.validity.not_after.unix().0);
        tbs.serial_number.0.as_bytes() == self.serial && validity == (self.not_before, self.not_after)
    }
}

/// The fields that determine a certificate's status.
#[derive(Debug)]
pub(super) struct State<'a> {
    pub(super) authority: i64,
    pub(super) serial: &'a [u8],
    pub(super) not_after: i64,
    pub(super) revision: i64,
    pub(super) revocation: Option<&'a Revocation>,
}

impl State<'_> {
    pub(super) fn digest(&self) -> Vec<u8> {
        let fields = Fields::new("state").number(self.authority).octets(self.serial);
        let fields = fields.number(self.not_after).number(self.revision);
        let fields = match self.revocation {
            None => fields.number(0),
            Some(revocation) => {
                let since = revocation.invalid_since.map(|since| since.0.to_be_bytes());
                let fields = fields.number(1).number(revocation.at.0).number(i64::from(revocation.reason as u8));
                fields.optional(since.as_ref().map(|since| since.as_slice()))
            }
        };
        fields.digest()
    }

    /// Checks the stored digest, if the tables have digests.
    ///
    /// # Errors
    /// Returns [`Error::Damaged`] if the digest does not match.
    pub(super) fn check(&self, stored: Option<&[u8]>) -> Result<(), Error> {
        check(
            stored,
            || self.digest(),
            || format!("the status of the certificate {}", Serial::from_content(self.serial)),
        )
    }
}

/// Describes the corruption of a row whose certificate has a different serial number or validity period.
pub(super) fn other_certificate(serial: &Serial) -> String {
    format!("the certificate {serial} does not match its row: its serial number or validity differs")
}

/// Computes the digest of a CRL's row. It does not cover the CRL itself, which is signed.
pub(super) fn crl(authority: i64, number: i64, this_update: i64, next_update: i64, revocations: i64) -> Vec<u8> {
    let fields = Fields::new("crl").number(authority).number(number).number(this_update);
    fields.number(next_update).number(revocations).digest()
}

/// Computes the digest of the row of a series' newest CRL. It does not cover the CRL itself, which is signed.
pub(super) fn series(authority: i64, name: &str, numbers: (i64, Option<i64>), times: (i64, i64)) -> Vec<u8> {
    let fields = Fields::new("series").number(authority).octets(name.as_bytes()).number(numbers.0);
    let base = numbers.1.map(i64::to_be_bytes);
    fields.optional(base.as_ref().map(|base| base.as_slice())).number(times.0).number(times.1).digest()
}

/// Checks a stored digest, if the tables have digests.
///
/// # Errors
/// Returns [`Error::Damaged`] if the digest does not match.
pub(super) fn check(
    stored: Option<&[u8]>,
    computed: impl FnOnce() -> Vec<u8>,
    what: impl FnOnce() -> String,
) -> Result<(), Error> {
    match stored {
        Some(stored) if stored != computed() => Err(Error::Damaged { what: what() }),
        _ => Ok(()),
    }
}
