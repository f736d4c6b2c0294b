//! Stores: the trait that databases implement, and the values that go in and out.
//!
//! Implementations see to what no caller could: all of a method is one transaction, on disk when it returns; serial numbers are
//! unique within a CA; numbers of CRLs only grow; what is read for a CRL is what there is when it is stored.

mod digests;
mod listed;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod values;

use std::ops::ControlFlow;

use tagwise_crypto::Secret;
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use crate::authority::Urls;
use crate::{Error, Now, Serial};

/// A CA's number in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AuthorityId(
    /// The number.
    pub i64,
);

/// Storage of a CA's key.
#[derive(Clone, Debug)]
pub enum StoredKey {
    /// In the store under a passphrase: an EncryptedPrivateKeyInfo in DER (RFC 5958 §3).
    Encrypted(Vec<u8>),
    /// In the store in the clear: PKCS #8 in DER.
    Plain(Secret),
    /// Elsewhere: in a token, a service, a file.
    Elsewhere,
}

/// A CA, as it is stored.
#[derive(Clone, Debug)]
pub struct AuthorityRecord {
    /// Label in its store.
    pub label: String,
    /// Its certificate in DER.
    pub certificate: Vec<u8>,
    /// Its key.
    pub key: StoredKey,
    /// Locations of its responder and its CRL.
    pub urls: Urls,
    /// The number of its last CRL; zero before the first.
    pub crl_number: u64,
    /// Since when it is here.
    pub created: UnixTime,
}

/// The revocations of a CA from before it came to its store.
#[derive(Clone, Debug)]
pub enum Past {
    /// Nothing: the CA was founded here, or its operator says so.
    Nothing,
    /// Not known. No CRL is made until it is: it would drop the entries of the last one.
    Unknown,
    /// The entries of its last CRL.
    TakenOver(History),
}

/// The last CRL that a CA made elsewhere.
#[derive(Clone, Debug)]
pub struct History {
    /// The CRL and its number, if it has one above zero.
    pub crl: Option<(u64, NewCrl)>,
    /// Certificates that it issued, as far as they are known.
    pub issued: Vec<Elsewhere>,
    /// The entries.
    pub revoked: Vec<(Serial, Revocation)>,
}

/// A certificate that a CA issued elsewhere, or here before its store was lost.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// Its number.
    pub serial: Serial,
    /// The certificate in DER, if it is known.
    pub der: Option<Vec<u8>>,
    /// Its validity, if it is known. Without it, a revocation stays on CRLs for good.
    pub validity: Option<(UnixTime, UnixTime)>,
}

/// A certificate that is to be stored.
#[derive(Clone, Debug)]
pub struct NewCertificate {
    /// Its number.
    pub serial: Serial,
    /// The name of its profile.
    pub profile: &'static str,
    /// The first moment of its validity.
    pub not_before: UnixTime,
    /// The last one.
    pub not_after: UnixTime,
    /// Time of issue.
    pub issued: UnixTime,
    /// The certificate in DER; what a store keeps of its subject comes from here.
    pub der: Vec<u8>,
}

/// A certificate, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateRecord {
    /// Its number.
    pub serial: Serial,
    /// Its subject, as RFC 4514 writes it.
    pub subject: String,
    /// The name of its profile.
    pub profile: String,
    /// The first moment of its validity.
    pub not_before: UnixTime,
    /// The last one.
    pub not_after: UnixTime,
    /// Time of issue.
    pub issued: UnixTime,
    /// Revocation, if it is revoked.
    pub revocation: Option<Revocation>,
    /// The certificate in DER. It is empty where only a serial number is known ([`is_known`](Self::is_known)).
    pub der: Vec<u8>,
}

impl CertificateRecord {
    /// The profile of certificates that the CA issued elsewhere.
    pub const ELSEWHERE: &'static str = "elsewhere";

    /// Returns whether the certificate itself is in the store. Of those that a CRL listed which was made elsewhere, only the
    /// serial numbers are known; their validity is then [`UnixTime::MIN`] to [`UnixTime::MAX`].
    #[must_use]
    pub const fn is_known(&self) -> bool {
        !self.der.is_empty()
    }
}

/// Revocation or hold of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// Since when.
    pub at: UnixTime,
    /// Why.
    pub reason: CrlReason,
    /// Since when the key or the certificate was not to be trusted, as far as that is known (RFC 5280 §5.3.2).
    pub invalid_since: Option<UnixTime>,
}

/// A certificate in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CertificateId(
    /// Its number there.
    pub i64,
);

/// The status of a certificate, as a responder needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its serial number.
    pub serial: Serial,
    /// Its number in the store.
    pub certificate: CertificateId,
    /// The number of changes of its status.
    pub revision: i64,
    /// Its revocation, if it is revoked.
    pub revocation: Option<Revocation>,
}

/// Content of a CRL to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrlDraft {
    /// Its number: larger than that of any before.
    pub number: u64,
    /// Time of issue: not before the last one.
    pub this_update: UnixTime,
    /// Its entries.
    pub revoked: Vec<(Serial, Revocation)>,
}

/// A CRL that is to be stored.
#[derive(Clone, Debug)]
pub struct NewCrl {
    /// Time of issue.
    pub this_update: UnixTime,
    /// Time when the next one is due.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
}

/// A CRL, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrlRecord {
    /// Its number.
    pub number: u64,
    /// Time of issue.
    pub this_update: UnixTime,
    /// Time when the next one is due.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
}

/// An OCSP response that is to be stored.
#[derive(Clone, Debug)]
pub struct NewOcspResponse {
    /// The certificate, as its [`Status`] has it.
    pub certificate: CertificateId,
    /// The digest that names its issuer: `sha1`.
    pub digest: &'static str,
    /// The revision of the status that it tells.
    pub revision: i64,
    /// Time of issue.
    pub this_update: UnixTime,
    /// Time when the next one is due.
    pub next_update: UnixTime,
    /// The OCSPResponse in DER.
    pub der: Vec<u8>,
}

/// An OCSP response, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcspRecord {
    /// Time of issue.
    pub this_update: UnixTime,
    /// Time when the next one is due.
    pub next_update: UnixTime,
    /// The OCSPResponse in DER.
    pub der: Vec<u8>,
}

/// Position of a walk: after this row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(
    /// As the walk has it.
    pub i64,
);

/// Certificates about which there is no response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unanswered {
    /// Some of them, and how they stand.
    pub list: Vec<Status>,
    /// Position to go on from, where there may be more.
    pub next: Option<Cursor>,
}

impl Unanswered {
    /// A page for which so many were asked.
    fn page(list: Vec<Status>, limit: u32) -> Self {
        let full = u32::try_from(list.len()).is_ok_and(|len| len == limit);
        let next = list.last().filter(|_| full).map(|last| Cursor(last.certificate.0));
        Self { list, next }
    }
}

/// Looks at octets as the store has them, and says whether it wants more.
pub type Visit<'a> = dyn FnMut(&[u8]) -> Result<ControlFlow<()>, Error> + 'a;

/// Makes a CRL of what the store says.
pub type MakeCrl<'a> = dyn FnMut(&CrlDraft) -> Result<NewCrl, Error> + 'a;

/// A database of CAs.
///
/// Methods that write are done, as a whole, when they return without an error, and else have done nothing; when a process is
/// killed inside one, either holds. Several processes may use one database.
pub trait Store: Send {
    /// Adds a CA, its own certificate where it issued that itself, and what it revoked before.
    ///
    /// # Errors
    /// [`Error::AuthorityExists`]; what the database says.
    fn add_authority(
        &mut self,
        authority: &AuthorityRecord,
        own: Option<&NewCertificate>,
        past: &Past,
    ) -> Result<AuthorityId, Error>;

    /// Puts another certificate in the place of a CA's, and adds it to those that it issued if it signed it itself.
    ///
    /// # Errors
    /// [`Error::SerialTaken`]; what the database says.
    fn renew(&mut self, of: AuthorityId, certificate: &[u8], own: Option<&NewCertificate>) -> Result<(), Error>;

    /// Adds what a CA revoked before it came here, where that is not known yet.
    ///
    /// # Errors
    /// [`Error::PastKnown`]; what the database says.
    fn take_over(&mut self, of: AuthorityId, past: &Past) -> Result<(), Error>;

    /// The CA of a label.
    ///
    /// # Errors
    /// Errors of the database.
    fn authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error>;

    /// Adds certificates, all or none.
    ///
    /// # Errors
    /// [`Error::SerialTaken`]; what the database says.
    fn add_certificates(&mut self, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error>;

    /// A certificate.
    ///
    /// # Errors
    /// Errors of the database.
    fn certificate(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<CertificateRecord>, Error>;

    /// All certificates, in the order in which they came here.
    ///
    /// # Errors
    /// Errors of the database, or the visitor's error, which ends the walk.
    fn certificates(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(CertificateRecord) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// The octets of all certificates behind a place, in the order in which they were issued, without a copy: for what wants nothing
    /// else of them. Gives the place of the last one, to go on there later.
    ///
    /// # Errors
    /// Errors of the database, or the visitor's error, which ends the walk.
    fn certificate_octets(&mut self, of: AuthorityId, behind: Cursor, visit: &mut Visit<'_>) -> Result<Cursor, Error>;

    /// Revokes a certificate, or puts it on hold; what is on hold may be revoked for good, and counts as revoked since then.
    /// Responses about it are forgotten.
    ///
    /// # Errors
    /// [`Error::NoSuchSerial`], [`Error::AlreadyRevoked`]; what the database says.
    fn revoke(&mut self, of: AuthorityId, serial: &Serial, revocation: &Revocation) -> Result<(), Error> {
        self.revoke_all(of, &[(serial.clone(), *revocation)])
    }

    /// The same for many certificates, all or none: when a whole batch has to go, no CRL tells of a part of it.
    ///
    /// # Errors
    /// Those of [`revoke`](Self::revoke).
    fn revoke_all(&mut self, of: AuthorityId, revocations: &[(Serial, Revocation)]) -> Result<(), Error>;

    /// Revokes a certificate that the CA issued elsewhere, or puts it on hold. It is added if it is not here.
    ///
    /// # Errors
    /// [`Error::AlreadyRevoked`]; what the database says.
    fn revoke_elsewhere(
        &mut self,
        of: AuthorityId,
        certificate: &Elsewhere,
        revocation: &Revocation,
    ) -> Result<(), Error>;

    /// Takes a certificate off hold. Responses about it are forgotten.
    ///
    /// # Errors
    /// [`Error::NoSuchSerial`], [`Error::NotOnHold`]; what the database says.
    fn release(&mut self, of: AuthorityId, serial: &Serial, at: UnixTime) -> Result<(), Error>;

    /// Makes the next CRL: its number is taken, what it lists is read, and it is stored, in one transaction.
    ///
    /// A certificate that has expired is on the first CRL after that, and on none later (RFC 5280 §3.3), unless the clock went
    /// back in between.
    ///
    /// # Errors
    /// [`Error::PastUnknown`]; [`Error::ClockDisagrees`] if the last one is of a later moment; what the maker says; what the
    /// database says.
    fn add_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error>;

    /// The moment of the last CRL: nothing is done before it unless the clock is wrong.
    ///
    /// # Errors
    /// Errors of the database.
    fn last_update(&mut self, of: AuthorityId) -> Result<Option<UnixTime>, Error>;

    /// Undoes the effects of a clock that was ahead: revocation dates later than now become now, and responses dated
    /// later are forgotten.
    ///
    /// # Errors
    /// Errors of the database.
    fn put_clock_right(&mut self, of: AuthorityId, now: UnixTime) -> Result<(), Error>;

    /// The CRL of a number, or the last one.
    ///
    /// # Errors
    /// Errors of the database.
    fn crl(&mut self, of: AuthorityId, number: Option<u64>) -> Result<Option<CrlRecord>, Error>;

    /// The status of a certificate for a responder; `None` if the CA has not issued it.
    ///
    /// # Errors
    /// Errors of the database.
    fn status(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<Status>, Error>;

    /// The response about a certificate, if there is one that is good for some time after a moment.
    ///
    /// # Errors
    /// Errors of the database.
    fn ocsp_response(
        &mut self,
        of: AuthorityId,
        serial: &Serial,
        digest: &str,
        after: UnixTime,
    ) -> Result<Option<OcspRecord>, Error>;

    /// Keeps responses, each in place of the one before it. Those that tell of a status that has changed since are dropped, and so
    /// are those about certificates that are not this CA's, and those that are older than what is there.
    ///
    /// # Errors
    /// Errors of the database.
    fn add_ocsp_responses(&mut self, of: AuthorityId, responses: &[NewOcspResponse]) -> Result<(), Error>;

    /// The octets of all responses that are good for some time after a moment, without a copy: for what hands them on. They come in the
    /// order in which the certificates were issued. Gives the place of the last one, to go on there later.
    ///
    /// # Errors
    /// Errors of the database, or the visitor's error, which ends the walk.
    fn ocsp_octets(
        &mut self,
        of: AuthorityId,
        digest: &str,
        after: UnixTime,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error>;

    /// Looks at every row of a CA, and tells each that is not as it was written; and what the database itself finds wrong.
    ///
    /// # Errors
    /// Errors of the database.
    fn damages(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Error>;

    /// Certificates that are valid at a moment, or will be, and have no response that is good after another; and where to go on,
    /// unless this is the end. A page is where to begin and how many there may be.
    ///
    /// # Errors
    /// Errors of the database.
    fn unanswered(
        &mut self,
        of: AuthorityId,
        digest: &str,
        now: UnixTime,
        good_after: UnixTime,
        page: (Cursor, u32),
    ) -> Result<Unanswered, Error>;
}
