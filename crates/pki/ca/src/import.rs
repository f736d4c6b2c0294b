//! Imports a CA that issued certificates before: compares its `openssl ca` database, its certificates and its last CRL with each
//! other, and combines them.

use std::collections::{HashMap, HashSet};

use tagwise_codec::Decode;
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::{Certificate, UnixTime};

use crate::store::{Elsewhere, History, Past, Revocation};
use crate::{Authority, Error, Index, KnownCrls, LastCrl, Serial, Store};

/// An operator's statement about a CA's earlier revocations.
#[derive(Clone, Copy, Debug)]
pub enum Takeover<'a> {
    /// The entries of the CA's last CRL.
    Last(&'a LastCrl),
    /// The CA's known certificates and revocations.
    Import(&'a Import),
    /// No revocations: no earlier certificate is or should remain revoked.
    Nothing,
    /// Unknown for now. No CRL can be created before [`Authority::take_over`].
    Later,
}

impl Takeover<'_> {
    /// Returns the number of revoked certificates.
    #[must_use]
    pub fn revoked(&self) -> usize {
        match self {
            Self::Last(crl) => crl.entries(),
            Self::Import(import) => import.history.revoked.len(),
            Self::Nothing | Self::Later => 0,
        }
    }

    /// Converts the statement to the form that stores keep.
    pub(crate) fn past(&self) -> Past {
        match self {
            Self::Last(crl) => Past::TakenOver(crl.history().clone()),
            Self::Import(import) => Past::TakenOver(import.history.clone()),
            Self::Nothing => Past::Nothing,
            Self::Later => Past::Unknown,
        }
    }
}

impl Authority {
    /// Adds the CA's earlier revocations, if they are not yet known.
    ///
    /// # Errors
    /// Returns [`Error::PastKnown`] if they are already known, or any error from the store.
    pub fn take_over(&self, store: &mut dyn Store, takeover: &Takeover<'_>) -> Result<(), Error> {
        store.take_over(self.id, &takeover.past())
    }
}

/// The sources of an [`Import`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Sources<'a> {
    /// The CA's `openssl ca` database.
    pub index: Option<&'a Index>,
    /// The CA's last CRL.
    pub crl: Option<&'a LastCrl>,
    /// The entries of all known CRLs, including older, delta and partitioned ones.
    pub known: Option<&'a KnownCrls>,
    /// The number of the last CRL according to the CA's records, such as one less than OpenSSL's `crlnumber`.
    pub last_number: Option<u64>,
    /// Verified certificates ([`Elsewhere::read`]), and the names of their files.
    pub certificates: &'a [(String, Elsewhere)],
    /// Revocations from other records, such as a step-ca database.
    pub revoked: &'a [(Serial, Revocation)],
    /// True to import certificates that the index does not list, and no CRL covers, as not revoked.
    pub allow_unlisted: bool,
}

/// A CA's earlier certificates and revocations, ready to be stored in one transaction.
///
/// Certificates that any source lists as revoked remain revoked. [`differences`](Self::differences) lists contradictions
/// between the sources.
///
/// ```
/// use tagwise_ca::{Import, Index, Sources};
/// let text = "V\t280102210037Z\t\t1000\tunknown\t/CN=www.example.org\n\
///             R\t280102210038Z\t261128210038Z,superseded\t1001\tunknown\t/CN=old.example.org\n";
/// let index = Index::parse(text)?;
/// let import = Import::new(&Sources { index: Some(&index), last_number: Some(7), ..Sources::default() })?;
/// assert_eq!((import.counts(index.latest()).certificates, import.last_number()), (2, 7));
/// # Ok::<(), tagwise_ca::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Import {
    history: History,
    last_number: u64,
    differences: Vec<Difference>,
}

/// Statistics of imported certificates. A certificate may count both as revoked and as expired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of all certificates, including those of which only the serial number is known.
    pub certificates: usize,
    /// The number of revoked certificates, excluding those on hold.
    pub revoked: usize,
    /// The number of certificates on hold.
    pub on_hold: usize,
    /// The number of expired certificates.
    pub expired: usize,
    /// The number of certificates of which only the serial number is known.
    pub numbers_only: usize,
}

/// A contradiction between the sources of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The index lists a certificate that is not among the given certificates.
    NoCertificate(Serial),
    /// The index does not list the certificate.
    NotInIndex {
        /// The certificate's serial number.
        serial: Serial,
        /// The name of the certificate's file.
        file: String,
    },
    /// The CRL lists the certificate as revoked, but no other source does.
    OnlyOnCrl(Serial),
    /// A CRL other than the last complete one lists the certificate as revoked, but no other source does.
    OnlyOnOtherCrl {
        /// The certificate's serial number.
        serial: Serial,
        /// The name of the CRL's file.
        file: String,
    },
    /// The certificate is revoked, but the CRL no longer lists it, because it had expired.
    NotOnCrl(Serial),
    /// The sources contain different revocation dates, reasons or invalidity dates. The CRL's are kept.
    OtherRevocation {
        /// The certificate's serial number.
        serial: Serial,
        /// The revocation on the CRL.
        crl: Revocation,
        /// The revocation in the other source.
        other: Revocation,
    },
    /// The index and the certificate contain different notAfter dates. The certificate's is kept.
    OtherExpiry {
        /// The certificate's serial number.
        serial: Serial,
        /// The notAfter date in the index.
        index: UnixTime,
        /// The notAfter date in the certificate.
        certificate: UnixTime,
    },
    /// Two different certificates have the same serial number. The first is kept.
    SameSerial {
        /// The shared serial number.
        serial: Serial,
        /// The name of the other certificate's file.
        file: String,
    },
}

impl Difference {
    /// Returns the stable name of the kind, such as `not-in-index`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NoCertificate(_) => "no-certificate",
            Self::NotInIndex { .. } => "not-in-index",
            Self::OnlyOnCrl(_) => "only-on-crl",
            Self::OnlyOnOtherCrl { .. } => "only-on-other-crl",
            Self::NotOnCrl(_) => "not-on-crl",
            Self::OtherRevocation { .. } => "other-revocation",
            Self::OtherExpiry { .. } => "other-expiry",
            Self::SameSerial { .. } => "same-serial",
        }
    }

    /// Returns the serial number of the certificate.
    #[must_use]
    pub const fn serial(&self) -> &Serial {
        match self {
            Self::NoCertificate(serial) | Self::OnlyOnCrl(serial) | Self::NotOnCrl(serial) => serial,
            Self::NotInIndex { serial, .. } | Self::SameSerial { serial, .. } => serial,
            Self::OnlyOnOtherCrl { serial, .. } => serial,
            Self::OtherRevocation { serial, .. } | Self::OtherExpiry { serial, .. } => serial,
        }
    }
}

impl core::fmt::Display for Difference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let when = |revocation: &Revocation| format!("{} ({})", revocation.at, revocation.reason);
        match self {
            Self::NoCertificate(serial) => write!(f, "{serial}: in the index, but its certificate was not found"),
            Self::NotInIndex { serial, file } => write!(f, "{serial}: not in the index; the certificate is in {file}"),
            Self::OnlyOnCrl(serial) => {
                write!(f, "{serial}: revoked on the CRL, but not in the other records; it stays revoked")
            }
            Self::OnlyOnOtherCrl { serial, file } => {
                write!(f, "{serial}: revoked on the CRL {file}, but not in the other records; it stays revoked")
            }
            Self::NotOnCrl(serial) => {
                write!(f, "{serial}: revoked, but no longer on the CRL, because it had expired; it stays revoked")
            }
            Self::OtherRevocation { serial, crl, other } => {
                let (crl_since, other_since) = (since(crl), since(other));
                write!(
                    f,
                    "{serial}: revoked since {}{crl_since} on the CRL, since {}{other_since} in other records; the CRL's entry is kept",
                    when(crl),
                    when(other)
                )
            }
            Self::OtherExpiry { serial, index, certificate } => {
                write!(f, "{serial}: valid until {index} in the index, but until {certificate} in the certificate")
            }
            Self::SameSerial { serial, file } => {
                write!(f, "{serial}: {file} is a different certificate with the same serial number")
            }
        }
    }
}

fn since(revocation: &Revocation) -> String {
    revocation.invalid_since.map_or_else(String::new, |since| format!(", invalid since {since}"))
}

/// The maximum number of serial numbers in an error message.
const NAMED: usize = 5;

impl Import {
    /// Combines the sources.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if the CRL is not the CA's last one: if its number is lower than the recorded one, or it does not
    /// contain a revocation that another source contains, or if a delta CRL updates a newer one. Returns [`Error::NotInIndex`] if the index does not list a certificate whose
    /// revocation status no other source shows, unless [`Sources::allow_unlisted`] is true.
    pub fn new(sources: &Sources<'_>) -> Result<Self, Error> {
        let mut differences = Vec::new();
        let issued = certificates(sources, &mut differences);
        let recorded: Vec<&(Serial, Revocation)> =
            sources.index.iter().flat_map(|index| index.revocations()).chain(sources.revoked).collect();
        if let Some(crl) = sources.crl {
            check_last(crl, sources)?;
            check_complete(crl, &recorded, &issued)?;
        }
        if !sources.allow_unlisted {
            check_listed(sources, &recorded)?;
        }
        let mut revoked = revocations(sources, &recorded, &mut differences);
        add_known(sources, &issued, &mut revoked, &mut differences);
        let crl = sources.crl.and_then(|crl| crl.history().crl.clone());
        let number = sources.crl.and_then(LastCrl::number);
        let known = sources.known.map_or(0, KnownCrls::last_number);
        let last_number = number.unwrap_or_default().max(sources.last_number.unwrap_or_default()).max(known);
        Ok(Self { history: History { crl, last_number, issued: issued.0, revoked }, last_number, differences })
    }

    /// Returns the last CRL number, or zero if it is unknown. The next CRL gets a higher number.
    #[must_use]
    pub const fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Returns the contradictions between the sources.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Counts the certificates by status at the given time.
    #[must_use]
    pub fn counts(&self, now: UnixTime) -> Counts {
        let known: HashSet<&Serial> = self.history.issued.iter().map(|one| &one.serial).collect();
        let on_hold = |revocation: &Revocation| revocation.reason == CrlReason::CertificateHold;
        let on_hold = self.history.revoked.iter().filter(|(_, revocation)| on_hold(revocation)).count();
        let strangers = self.history.revoked.iter().filter(|(serial, _)| !known.contains(serial)).count();
        let expired = |one: &&Elsewhere| one.validity.is_some_and(|(_, until)| until < now);
        Counts {
            certificates: self.history.issued.len() + strangers,
            revoked: self.history.revoked.len() - on_hold,
            on_hold,
            expired: self.history.issued.iter().filter(expired).count(),
            numbers_only: self.history.issued.iter().filter(|one| one.der.is_none()).count() + strangers,
        }
    }
}

/// Certificates in order, and their positions by serial number.
struct Issued(Vec<Elsewhere>, HashMap<Serial, usize>);

impl Issued {
    fn get(&self, serial: &Serial) -> Option<&Elsewhere> {
        self.1.get(serial).and_then(|at| self.0.get(*at))
    }

    fn add(&mut self, one: Elsewhere) {
        self.1.insert(one.serial.clone(), self.0.len());
        self.0.push(one);
    }
}

/// Combines the certificates in files with those that only the index lists.
fn certificates(sources: &Sources<'_>, differences: &mut Vec<Difference>) -> Issued {
    let mut issued = Issued(Vec::new(), HashMap::new());
    let listed: HashMap<&Serial, &Elsewhere> =
        sources.index.iter().flat_map(|index| index.certificates()).map(|one| (&one.serial, one)).collect();
    for (file, one) in sources.certificates {
        let serial = one.serial.clone();
        if let Some(first) = issued.get(&serial) {
            if first.der != one.der {
                differences.push(Difference::SameSerial { serial, file: file.clone() });
            }
            continue;
        }
        let until = |one: &Elsewhere| one.validity.map(|(_, until)| until);
        match (listed.get(&serial), sources.index) {
            (None, Some(_)) => differences.push(Difference::NotInIndex { serial, file: file.clone() }),
            (Some(entry), _) => {
                if let (Some(index), Some(certificate)) = (until(entry), until(one))
                    && index != certificate
                {
                    differences.push(Difference::OtherExpiry { serial, index, certificate });
                }
            }
            (None, None) => {}
        }
        issued.add(one.clone());
    }
    for one in sources.index.iter().flat_map(|index| index.certificates()) {
        if issued.get(&one.serial).is_none() {
            if !sources.certificates.is_empty() {
                differences.push(Difference::NoCertificate(one.serial.clone()));
            }
            issued.add(one.clone());
        }
    }
    issued
}

/// Combines the revocations of all sources. The CRL's entry takes precedence, unless it is a hold and another record is not.
fn revocations(
    sources: &Sources<'_>,
    recorded: &[&(Serial, Revocation)],
    differences: &mut Vec<Difference>,
) -> Vec<(Serial, Revocation)> {
    let mut all: Vec<(Serial, Revocation)> = sources.crl.map_or_else(Vec::new, |crl| crl.revoked().to_vec());
    let on_crl = all.len();
    let mut places: HashMap<Serial, usize> = all.iter().map(|(serial, _)| serial.clone()).zip(0..).collect();
    let mut confirmed = HashSet::new();
    for (serial, other) in recorded {
        let there = places.get(serial).copied();
        match there.and_then(|at| all.get_mut(at).map(|(_, crl)| (at < on_crl, crl))) {
            Some((true, crl)) => {
                confirmed.insert(serial.clone());
                if crl.reason == CrlReason::CertificateHold && other.reason != CrlReason::CertificateHold {
                    *crl = *other;
                } else if crl != other {
                    let serial = serial.clone();
                    differences.push(Difference::OtherRevocation { serial, crl: *crl, other: *other });
                }
            }
            Some((false, _)) => {}
            None => {
                if sources.crl.is_some() {
                    differences.push(Difference::NotOnCrl(serial.clone()));
                }
                places.insert(serial.clone(), all.len());
                all.push((serial.clone(), *other));
            }
        }
    }
    // Without other records of revocations, there is nothing to compare the CRL with.
    if sources.index.is_some() || !sources.revoked.is_empty() {
        let only = all.iter().take(on_crl).map(|(serial, _)| serial).filter(|serial| !confirmed.contains(*serial));
        differences.extend(only.cloned().map(Difference::OnlyOnCrl));
    }
    all
}

/// Adds the revocations on other CRLs than the last complete one. A hold that the complete CRL no longer lists has ended.
fn add_known(
    sources: &Sources<'_>,
    issued: &Issued,
    all: &mut Vec<(Serial, Revocation)>,
    differences: &mut Vec<Difference>,
) {
    let made = sources.crl.map(LastCrl::this_update);
    let places: HashMap<Serial, usize> = all.iter().map(|(serial, _)| serial.clone()).zip(0..).collect();
    for (serial, listed) in sources.known.map(KnownCrls::entries).unwrap_or_default() {
        let Some(revocation) = listed.revocation else { continue };
        if let Some((_, other)) = places.get(serial).and_then(|at| all.get_mut(*at)) {
            if other.reason == CrlReason::CertificateHold && listed.is_permanent() {
                *other = revocation;
            }
            continue;
        }
        let is_older = made.is_some_and(|made| listed.made.0 <= made);
        if is_older && !listed.is_permanent() {
            continue;
        }
        let until = issued.get(serial).and_then(|one| one.validity).map(|(_, until)| until);
        let had_expired = until.zip(made).is_some_and(|(until, made)| until < made);
        // A newer delta CRL contradicts only the other records.
        if is_older && !had_expired || sources.index.is_some() || !sources.revoked.is_empty() {
            differences.push(Difference::OnlyOnOtherCrl { serial: serial.clone(), file: listed.file.to_string() });
        }
        all.push((serial.clone(), revocation));
    }
}

/// Checks that the index lists every certificate whose revocation status no other source shows. A damaged index may lack the lines of
/// revoked certificates.
fn check_listed(sources: &Sources<'_>, recorded: &[&(Serial, Revocation)]) -> Result<(), Error> {
    let Some(index) = sources.index else { return Ok(()) };
    let listed: HashSet<&Serial> = index.certificates().iter().map(|one| &one.serial).collect();
    let mut revoked: HashSet<&Serial> = recorded.iter().map(|(serial, _)| serial).collect();
    revoked.extend(sources.known.iter().flat_map(|known| known.entries()).map(|(serial, _)| serial));
    // A complete CRL covers the certificates that were issued before it (RFC 5280 §5).
    let is_covered = |one: &Elsewhere| {
        let made = sources.crl.map(LastCrl::this_update);
        made.zip(one.validity).is_some_and(|(made, (from, _))| from <= made)
    };
    let is_unknown = |(_, one): &&(String, Elsewhere)| {
        !listed.contains(&one.serial) && !revoked.contains(&one.serial) && !is_covered(one) && !is_self_issued(one)
    };
    let unknown: Vec<&(String, Elsewhere)> = sources.certificates.iter().filter(is_unknown).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = unknown.iter().take(NAMED).map(|(file, one)| format!("{} ({file})", one.serial)).collect();
    let more = unknown.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(Error::NotInIndex { count: unknown.len(), some: format!("{}{more}", named.join(", ")) })
}

/// Returns whether a certificate is the CA's own, such as a former one, which an index need not list.
fn is_self_issued(one: &Elsewhere) -> bool {
    let read = one.der.as_deref().and_then(|der| Certificate::from_der(der).ok());
    read.is_some_and(|read| read.tbs_certificate.issuer.matches(&read.tbs_certificate.subject))
}

/// Checks the number of the last CRL against the CA's records and its delta CRLs. CRLs of other series may have higher numbers.
fn check_last(crl: &LastCrl, sources: &Sources<'_>) -> Result<(), Error> {
    let (highest, base) = sources.known.map_or((0, 0), |known| (known.last_number(), known.base()));
    match (crl.number(), sources.last_number) {
        (Some(number), _) if number < base => Err(Error::refused(
            format!("the CRL has the number {number}, but a delta CRL updates the complete CRL {base}"),
            "RFC 5280 §5.2.4",
        )),
        (Some(number), Some(last)) if number.max(highest) < last => Err(Error::refused(
            format!("the CRL has the number {number}, but the CA's records say that the last one was {last}"),
            "RFC 5280 §5.2.3",
        )),
        _ => Ok(()),
    }
}

/// Checks that a CRL contains every recorded revocation, except of certificates that had expired (RFC 5280 §3.3).
fn check_complete(crl: &LastCrl, recorded: &[&(Serial, Revocation)], issued: &Issued) -> Result<(), Error> {
    let made = crl.this_update();
    let listed: HashSet<&Serial> = crl.revoked().iter().map(|(serial, _)| serial).collect();
    let had_expired = |serial: &Serial| {
        let until = issued.get(serial).and_then(|one| one.validity).map(|(_, until)| until);
        until.is_some_and(|until| until < made)
    };
    let is_missing = |(serial, revocation): &&&(Serial, Revocation)| {
        revocation.at > made || !listed.contains(serial) && !had_expired(serial)
    };
    let missing: Vec<&&(Serial, Revocation)> = recorded.iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let named: Vec<String> =
        missing.iter().take(NAMED).map(|(serial, revocation)| format!("{serial} ({})", revocation.at)).collect();
    let more = missing.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(Error::refused(
        format!("the CRL of {made} is older than the CA's records, which revoke {}{more}", named.join(", ")),
        "RFC 5280 §5.2.3",
    ))
}
