//! The trait for databases, and the values stored in them.
//!
//! Implementations guarantee what callers cannot enforce:
//! - Each method is one transaction, which is on disk when the method returns.
//! - Serial numbers are unique within a CA.
//! - CRL numbers increase.
//! - A CRL is stored only if the data that it is based on is unchanged.

mod digests;
pub mod documents;
mod group;
mod listed;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod records;
mod series;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod values;

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use tagwise_crypto::Secret;
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

pub use self::group::CommitGroup;
pub use self::series::{Series, SeriesCrl};
use crate::authority::Urls;
use crate::{Error, Now, Serial};

/// A CA's number in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AuthorityId(
    /// The number of the CA's row in the database.
    pub i64,
);

/// The storage location and encoding of a CA's key.
#[derive(Clone, Debug)]
pub enum StoredKey {
    /// The key is in the store, encrypted: an EncryptedPrivateKeyInfo in DER (RFC 5958 §3).
    Encrypted(Vec<u8>),
    /// The key is in the store, unencrypted: PKCS #8 in DER.
    Plain(Secret),
    /// The key is not in the store, but in a token, a key service or a file.
    Elsewhere,
}

/// A stored CA.
#[derive(Clone, Debug)]
pub struct AuthorityRecord {
    /// The CA's label in the store.
    pub label: String,
    /// The CA's certificate in DER.
    pub certificate: Vec<u8>,
    /// The CA's key, or its absence from the store.
    pub key: StoredKey,
    /// The URLs to include in issued certificates.
    pub urls: Urls,
    /// The number of the CA's last CRL, or zero before the first.
    pub crl_number: u64,
    /// The start of a new CA's validity period, or the time at which an existing CA was imported.
    pub created: UnixTime,
}

/// A CA's revocations from before it was added to its store.
#[derive(Clone, Debug)]
pub enum Past {
    /// No revocations: the CA was created here, or its operator states that there were none.
    Nothing,
    /// Unknown revocations. No CRL is created until they are known, because it would omit them.
    Unknown,
    /// The CA's earlier certificates and revocations.
    TakenOver(History),
}

/// The certificates that a CA issued and revoked before it was added to its store.
#[derive(Clone, Debug)]
pub struct History {
    /// The last CRL and its number, or `None` if there is no CRL with a positive number.
    pub crl: Option<(u64, NewCrl)>,
    /// The number of the last CRL according to the CA's records, or 0 if they do not have it. The next CRL gets a higher one.
    pub last_number: u64,
    /// The known certificates that the CA issued before.
    pub issued: Vec<Elsewhere>,
    /// The revoked certificates.
    pub revoked: Vec<(Serial, Revocation)>,
}

/// A certificate of a CA that is not in its store: issued before the CA was imported, or lost with an earlier store.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The certificate in DER, if known.
    pub der: Option<Vec<u8>>,
    /// The validity period, if known. Without it, a revocation stays on CRLs permanently.
    pub validity: Option<(UnixTime, UnixTime)>,
}

/// A certificate to store.
#[derive(Clone, Debug)]
pub struct NewCertificate {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The name of the certificate's profile.
    pub profile: Cow<'static, str>,
    /// The start of the validity period, inclusive.
    pub not_before: UnixTime,
    /// The end of the validity period, inclusive.
    pub not_after: UnixTime,
    /// The time at which the certificate was issued.
    pub issued: UnixTime,
    /// The certificate in DER, from which the store derives the subject.
    pub der: Vec<u8>,
}

/// A stored certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateRecord {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The subject in RFC 4514 form.
    pub subject: String,
    /// The name of the certificate's profile.
    pub profile: String,
    /// The start of the validity period, inclusive.
    pub not_before: UnixTime,
    /// The end of the validity period, inclusive.
    pub not_after: UnixTime,
    /// The time at which the certificate was issued.
    pub issued: UnixTime,
    /// The current revocation or hold, if any.
    pub revocation: Option<Revocation>,
    /// The certificate in DER. Empty if only the serial number is known ([`is_known`](Self::is_known)).
    pub der: Vec<u8>,
}

impl CertificateRecord {
    /// The profile name of certificates that were added by an import or revocation, and not issued with this store.
    pub const ELSEWHERE: &'static str = "elsewhere";

    /// Returns whether the certificate itself is stored. For certificates known only from an imported CRL, only the
    /// serial number is known, and the validity is [`UnixTime::MIN`] to [`UnixTime::MAX`].
    #[must_use]
    pub const fn is_known(&self) -> bool {
        !self.der.is_empty()
    }
}

/// The revocation or hold of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// The time of the revocation (revocationDate).
    pub at: UnixTime,
    /// The reason for the revocation.
    pub reason: CrlReason,
    /// The known or suspected time of compromise, if any (RFC 5280 §5.3.2).
    pub invalid_since: Option<UnixTime>,
}

impl Revocation {
    /// Returns whether the certificate's key is compromised (keyCompromise or cACompromise). Such a key is not certified again.
    #[must_use]
    pub const fn is_compromise(&self) -> bool {
        matches!(self.reason, CrlReason::KeyCompromise | CrlReason::CaCompromise)
    }
}

/// The number of a certificate in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CertificateId(
    /// The number of the certificate's row in the database.
    pub i64,
);

/// The status of a certificate, for an OCSP responder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The certificate's number in the store.
    pub certificate: CertificateId,
    /// The number of status changes so far.
    pub revision: i64,
    /// The current revocation or hold, if any.
    pub revocation: Option<Revocation>,
}

/// The content of a CRL to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrlDraft {
    /// The CRL number, higher than all previous ones.
    pub number: u64,
    /// The CRL's issue time (thisUpdate), which is not earlier than the previous CRL's.
    pub this_update: UnixTime,
    /// The number of the complete CRL that a delta CRL updates, or `None` for a complete CRL.
    pub base: Option<u64>,
    /// The number of the previous indirect CRL, if this is an indirect one and not the first.
    pub previous: Option<u64>,
    /// The revoked certificates. A delta CRL contains the changes since the complete CRL: certificates released from hold have the
    /// reason `removeFromCRL`.
    pub revoked: Vec<(Serial, Revocation)>,
}

/// A CRL to store.
#[derive(Clone, Debug)]
pub struct NewCrl {
    /// The CRL's issue time (thisUpdate).
    pub this_update: UnixTime,
    /// The time by which the next CRL will be issued.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
    /// The CRLs of other series in DER, with the same number and times, to store in the same transaction.
    pub beside: Vec<(Series, Vec<u8>)>,
}

/// A stored CRL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrlRecord {
    /// The CRL number.
    pub number: u64,
    /// The CRL's issue time (thisUpdate).
    pub this_update: UnixTime,
    /// The time by which the next CRL will be issued.
    pub next_update: UnixTime,
    /// The CRL in DER.
    pub der: Vec<u8>,
}

/// An OCSP response to store.
#[derive(Clone, Debug)]
pub struct NewOcspResponse {
    /// The certificate, from its [`Status`].
    pub certificate: CertificateId,
    /// The hash algorithm that identifies the issuer, such as `sha1`.
    pub digest: &'static str,
    /// The status revision that the response reports.
    pub revision: i64,
    /// The response's issue time (thisUpdate).
    pub this_update: UnixTime,
    /// The time by which newer information will be available (nextUpdate).
    pub next_update: UnixTime,
    /// The OCSPResponse in DER.
    pub der: Vec<u8>,
}

/// A stored OCSP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OcspRecord {
    /// The response's issue time (thisUpdate).
    pub this_update: UnixTime,
    /// The time by which newer information will be available (nextUpdate).
    pub next_update: UnixTime,
    /// The OCSPResponse in DER.
    pub der: Vec<u8>,
}

/// A position in an iteration, after the row with this number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(
    /// The row's number.
    pub i64,
);

/// A page of certificates without a current response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unanswered {
    /// The certificates without a current response, with their status.
    pub list: Vec<Status>,
    /// The position at which to continue, if there may be more.
    pub next: Option<Cursor>,
}

impl Unanswered {
    /// Creates a page. It is the last one if it contains fewer certificates than the limit.
    fn page(list: Vec<Status>, limit: u32) -> Self {
        let full = u32::try_from(list.len()).is_ok_and(|len| len == limit);
        let next = list.last().filter(|_| full).map(|last| Cursor(last.certificate.0));
        Self { list, next }
    }
}

/// A callback that receives stored bytes and decides whether to continue.
pub type Visit<'a> = dyn FnMut(&[u8]) -> Result<ControlFlow<()>, Error> + 'a;

/// A callback that creates a CRL from a draft.
pub type MakeCrl<'a> = dyn FnMut(&CrlDraft) -> Result<NewCrl, Error> + 'a;

/// A database of CAs.
///
/// Methods that write are atomic: they are complete if they return successfully, and have no effect otherwise. If a
/// process is killed during a call, the write has either completed or had no effect. Several processes may share a
/// database.
pub trait Store: Send {
    /// Combines the following writes into one transaction, which begins with the first of them and ends with
    /// [`commit`](Self::commit) or [`roll_back`](Self::roll_back). A write that fails is undone alone. Until the end, other connections
    /// cannot write, so there should be no long work in between.
    ///
    /// The default does nothing: each write is a transaction.
    fn combine(&mut self) {}

    /// Commits the writes since [`combine`](Self::combine).
    ///
    /// # Errors
    /// Returns [`Error::Unconfirmed`], or any other error from the database. Without [`combine`](Self::combine), it succeeds.
    fn commit(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Undoes the writes since [`combine`](Self::combine).
    fn roll_back(&mut self) {}

    /// Returns the group of connections whose commits are synced to disk together, if this store is in one. Then, no result may leave
    /// the process before [`CommitGroup::settle`] returns.
    fn commit_group(&self) -> Option<Arc<CommitGroup>> {
        None
    }

    /// Makes everything that was written and read durable. Ends the transaction that [`combine`](Self::combine) announced.
    ///
    /// # Errors
    /// Returns any error from [`commit`](Self::commit) or [`CommitGroup::settle`].
    fn settle(&mut self) -> Result<(), Error> {
        self.commit()?;
        self.commit_group().map_or(Ok(()), |group| group.settle())
    }

    /// Adds a CA, its own certificate (if it issued that itself), and its earlier revocations.
    ///
    /// # Errors
    /// Returns [`Error::AuthorityExists`] if the label is already used, or any error from the database.
    fn add_authority(
        &mut self,
        authority: &AuthorityRecord,
        own: Option<&NewCertificate>,
        past: &Past,
    ) -> Result<AuthorityId, Error>;

    /// Replaces a CA's certificate. If it is self-signed, also adds it to the issued certificates.
    ///
    /// # Errors
    /// Returns [`Error::SerialTaken`] if the serial number is already used, or any error from the database.
    fn renew(&mut self, of: AuthorityId, certificate: &[u8], own: Option<&NewCertificate>) -> Result<(), Error>;

    /// Replaces the stored form of a CA's key, such as its encryption.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn set_key(&mut self, of: AuthorityId, key: &StoredKey) -> Result<(), Error>;

    /// Adds a CA's earlier revocations, if they are not yet known.
    ///
    /// # Errors
    /// Returns [`Error::PastKnown`] if they are already known, or any error from the database.
    fn take_over(&mut self, of: AuthorityId, past: &Past) -> Result<(), Error>;

    /// Returns whether the CA's earlier revocations are known.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn knows_past(&mut self, of: AuthorityId) -> Result<bool, Error>;

    /// Returns the CA with the given label.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error>;

    /// Returns the CA with the given label like [`authority`](Self::authority), even if its row was modified by another program. Only
    /// for an audit.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn unchecked_authority(&mut self, label: &str) -> Result<Option<(AuthorityId, AuthorityRecord)>, Error>;

    /// Adds certificates, all or none.
    ///
    /// # Errors
    /// Returns [`Error::SerialTaken`] if a serial number is already used, or any error from the database.
    fn add_certificates(&mut self, of: AuthorityId, certificates: &[NewCertificate]) -> Result<(), Error>;

    /// Replaces a stored precertificate with the certificate that has its serial number (RFC 6962 §3.1). Its status is unchanged.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the store does not contain the precertificate, or any error from the database.
    fn complete(&mut self, of: AuthorityId, precertificate: &[u8], certificate: &NewCertificate) -> Result<(), Error>;

    /// Returns the certificate with the given serial number, if the CA issued it.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn certificate(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<CertificateRecord>, Error>;

    /// Visits all certificates in insertion order.
    ///
    /// # Errors
    /// Returns any error from the database, or the visitor's error, which ends the iteration.
    fn certificates(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(CertificateRecord) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Visits the certificates that were revoked because their key is compromised (keyCompromise or cACompromise), with their serial
    /// numbers. Certificates of which only the serial number is known are omitted.
    ///
    /// # Errors
    /// Returns any error from the database, or the visitor's error, which ends the iteration.
    #[allow(clippy::type_complexity, reason = "a name would not say more")]
    fn compromised(
        &mut self,
        of: AuthorityId,
        visit: &mut dyn FnMut(Serial, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Visits the bytes of all certificates after a position, in issue order and without copying. Returns the last
    /// position, from which to continue later.
    ///
    /// Returns any error from the database, or the visitor's error, which ends the iteration.
    /// Errors of the database, or the visitor's error, which ends the walk.
    fn certificate_octets(&mut self, of: AuthorityId, behind: Cursor, visit: &mut Visit<'_>) -> Result<Cursor, Error>;

    /// Revokes a certificate or puts it on hold. A certificate on hold can be revoked permanently, with effect from the
    /// hold. The reason of a permanent revocation can become keyCompromise: it keeps its date, or gets the new invalidity date if that is
    /// earlier. The earlier revocation stays on record. Responses about it are deleted.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the CA has not issued the certificate, [`Error::AlreadyRevoked`] if it is already revoked,
    /// or any error from the database.
    fn revoke(&mut self, of: AuthorityId, serial: &Serial, revocation: &Revocation) -> Result<(), Error> {
        self.revoke_all(of, &[(serial.clone(), *revocation)])
    }

    /// Revokes many certificates like [`revoke`](Self::revoke), all or none, so that no CRL lists only part of a batch.
    ///
    /// # Errors
    /// Returns any error from [`revoke`](Self::revoke).
    fn revoke_all(&mut self, of: AuthorityId, revocations: &[(Serial, Revocation)]) -> Result<(), Error>;

    /// Revokes or suspends a certificate of the CA that is not in the store, such as one issued before an import. Adds it if necessary.
    ///
    /// # Errors
    /// Returns [`Error::AlreadyRevoked`] if the certificate is already revoked, or any error from the database.
    fn revoke_elsewhere(
        &mut self,
        of: AuthorityId,
        certificate: &Elsewhere,
        revocation: &Revocation,
    ) -> Result<(), Error>;

    /// Releases a certificate from hold. Responses about it are deleted.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSerial`] if the CA has not issued the certificate, [`Error::NotOnHold`] if it is not on hold, or any
    /// error from the database.
    fn release(&mut self, of: AuthorityId, serial: &Serial, at: UnixTime) -> Result<(), Error>;

    /// Creates the next CRL in one transaction: assigns its number, reads its entries, and stores it.
    ///
    /// The first CRL after a certificate's expiry is the last one that lists it (RFC 5280 §3.3), unless the clock was set back in
    /// between.
    ///
    /// # Errors
    /// Returns [`Error::PastUnknown`] if the CA's earlier revocations are unknown, [`Error::ClockDisagrees`] if the last CRL is
    /// later than now, or any error from `make` or the database.
    fn add_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error>;

    /// Creates the next delta CRL in one transaction: assigns its number, reads the changes since the last complete CRL
    /// (RFC 5280 §5.2.4), and stores it as the newest one of [`Series::Delta`].
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if there is no complete CRL, or any error from [`add_crl`](Self::add_crl).
    fn add_delta_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error>;

    /// Creates the next indirect CRL in one transaction: assigns its number, reads the CA's own entries, and stores it as the
    /// newest one of [`Series::Indirect`].
    ///
    /// # Errors
    /// Returns any error from [`add_crl`](Self::add_crl), where the last CRL is the last indirect one.
    fn add_indirect_crl(&mut self, of: AuthorityId, now: Now, make: &mut MakeCrl<'_>) -> Result<CrlRecord, Error>;

    /// Returns the revocations that an indirect CRL issued now must list, if the previous one was issued at `last`: those of
    /// certificates that had not expired by one of the two times, and later ones.
    ///
    /// # Errors
    /// Returns [`Error::PastUnknown`] if the CA's earlier revocations are unknown, or any error from the database.
    fn revoked(
        &mut self,
        of: AuthorityId,
        last: Option<UnixTime>,
        now: UnixTime,
    ) -> Result<Vec<(Serial, Revocation)>, Error>;

    /// Returns the series that have a CRL, besides that of the complete CRLs.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn series(&mut self, of: AuthorityId) -> Result<Vec<Series>, Error>;

    /// Returns the newest CRL of a series.
    ///
    /// # Errors
    /// Returns [`Error::Damaged`] if its row was modified, or any error from the database.
    fn series_crl(&mut self, of: AuthorityId, series: Series) -> Result<Option<SeriesCrl>, Error>;

    /// Returns the time of the last CRL. Nothing may be issued with an earlier date, unless the clock was wrong.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn last_update(&mut self, of: AuthorityId) -> Result<Option<UnixTime>, Error>;

    /// Returns whether a certificate was revoked, or released from hold, since the last complete CRL. Returns false before the first
    /// CRL.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn has_changed(&mut self, of: AuthorityId) -> Result<bool, Error>;

    /// Corrects the effects of a clock that was ahead: sets future revocation dates to now, and deletes responses with future
    /// dates.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn put_clock_right(&mut self, of: AuthorityId, now: UnixTime) -> Result<(), Error>;

    /// Returns the CRL with the given number, or the last one if `number` is `None`.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn crl(&mut self, of: AuthorityId, number: Option<u64>) -> Result<Option<CrlRecord>, Error>;

    /// Visits all CRLs in the order of their numbers.
    ///
    /// # Errors
    /// Returns any error from the database, or the visitor's error, which ends the iteration.
    fn crls(&mut self, of: AuthorityId, visit: &mut dyn FnMut(CrlRecord) -> Result<(), Error>) -> Result<(), Error> {
        let mut behind = 0;
        while let Some(record) = self.crl_after(of, behind)? {
            behind = record.number;
            visit(record)?;
        }
        Ok(())
    }

    /// Returns the first CRL with a number higher than the given one.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn crl_after(&mut self, of: AuthorityId, number: u64) -> Result<Option<CrlRecord>, Error>;

    /// Returns the status of a certificate for a responder, or `None` if the CA has not issued it.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn status(&mut self, of: AuthorityId, serial: &Serial) -> Result<Option<Status>, Error>;

    /// Returns the stored response about a certificate, if it is valid beyond the given time.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn ocsp_response(
        &mut self,
        of: AuthorityId,
        serial: &Serial,
        digest: &str,
        after: UnixTime,
    ) -> Result<Option<OcspRecord>, Error>;

    /// Stores responses, replacing earlier ones. Drops responses that report an outdated status, are about other CAs'
    /// certificates, or are older than the stored ones.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn add_ocsp_responses(&mut self, of: AuthorityId, responses: &[NewOcspResponse]) -> Result<(), Error>;

    /// Visits the bytes of all responses that are valid beyond the given time, in issue order and without copying. Returns the last
    /// position, from which to continue later.
    ///
    /// # Errors
    /// Returns any error from the database, or the visitor's error, which ends the iteration.
    fn ocsp_octets(
        &mut self,
        of: AuthorityId,
        digest: &str,
        after: UnixTime,
        behind: Cursor,
        visit: &mut Visit<'_>,
    ) -> Result<Cursor, Error>;

    /// Checks all rows of a CA. Reports each modified row, and errors that the database itself finds.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn damages(&mut self, of: AuthorityId, tell: &mut dyn FnMut(String)) -> Result<(), Error>;

    /// Returns a page of certificates that have not expired and for which no stored response is valid at the given time. Also returns
    /// the position at which to continue, if any.
    ///
    /// # Errors
    /// Returns any error from the database.
    fn unanswered(
        &mut self,
        of: AuthorityId,
        digest: &str,
        now: UnixTime,
        good_after: UnixTime,
        page: (Cursor, u32),
    ) -> Result<Unanswered, Error>;
}
