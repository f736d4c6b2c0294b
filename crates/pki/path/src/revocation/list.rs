//! A fully decoded CRL, with its extensions by type. Entries are searched linearly at first, and indexed by serial
//! number after a few searches.

use core::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Decode, Error, Int, Oid, Options, RuleSet as Tolerated, SeqOf};
use tagwise_pkix::ext::{
    AuthorityInfoAccess, AuthorityKeyIdentifier, CertificateIssuer, CrlNumber, CrlReason, DeltaCrlIndicator,
    ExpiredCertsOnCrl, FreshestCrl, GeneralNames, HoldInstructionCode, InvalidityDate, IssuerAltName,
    IssuingDistributionPoint, KnownExtension,
};
use tagwise_pkix::{
    CertificateList, CrlIndex, Extension, Extensions, Revocation, RevokedCertificate, UnixTime, oids, profile,
};

use super::Query;
use crate::budget::{Limit, Meter};

/// A CRL in DER, decoded on first use.
pub(crate) struct Crl {
    der: Arc<[u8]>,
    /// The decoding rules that the CRL may violate.
    tolerated: Tolerated,
    read: OnceLock<Cell>,
    /// The number of searches so far.
    searches: AtomicU32,
    index: OnceLock<Indexed>,
}

/// The number of searches after which a CRL is indexed. Building the index costs as much as five to eight searches, and most CRLs
/// are searched for only a few certificates.
const SEARCHES: u32 = 8;
/// The factor by which a search of a CRL is cheaper than its first check and decoding.
const SEARCH_COST: u64 = 8;

/// The parts of a CRL that are needed to apply it to a certificate.
pub(crate) struct List<'a> {
    pub(crate) list: CertificateList<'a>,
    /// The comparison key of the issuer's name.
    pub(crate) issuer_key: Vec<u8>,
    pub(crate) number: Option<CrlNumber<'a>>,
    /// The CRL number of the base, if this is a delta CRL.
    pub(crate) base: Option<CrlNumber<'a>>,
    pub(crate) point: Option<IssuingDistributionPoint<'a>>,
    /// The content of the issuing distribution point extension.
    pub(crate) scope: Option<&'a [u8]>,
    /// The content of the authority key identifier extension, in DER.
    pub(crate) authority: Option<&'a [u8]>,
    /// The key identifier in that extension.
    pub(crate) authority_key: Option<&'a [u8]>,
    pub(crate) is_number_critical: bool,
    /// expiredCertsOnCRL (X.509): certificates that expired after this time stay on the CRL.
    pub(crate) kept_since: Option<UnixTime>,
    /// The reason why the CRL does not determine the status of any certificate. Its readable parts are still examined, because
    /// they may list a certificate as revoked.
    pub(crate) flaw: Option<String>,
}

/// A flawed CRL's statement about a certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    /// The CRL does not list the certificate.
    No,
    /// The CRL lists the certificate.
    Yes,
    /// Not all of the CRL's entries can be parsed.
    Unclear,
}

type Read<'a> = Result<List<'a>, String>;

self_cell!(
    struct Cell {
        owner: Arc<[u8]>,
        #[covariant]
        dependent: Read,
    }
);

type Index<'a> = Result<CrlIndex<'a>, Error>;

self_cell!(
    struct Indexed {
        owner: Arc<[u8]>,
        #[covariant]
        dependent: Index,
    }
);

/// The deviations tolerated in CRLs. RFC 5280 §5.1.2.4 to §5.1.2.6 require issuers to use one type of time, but users must accept
/// both. Fractional seconds do not affect revocation. §4.1.2.2 requires users to "gracefully handle" negative and overlong serial
/// numbers, which are compared unchanged.
const TOLERATED: Tolerated = Tolerated::NONE
    .with(&profile::TIME_CHOICE)
    .with(&profile::FRACTIONAL_TIME)
    .with(&profile::NEGATIVE_SERIAL)
    .with(&profile::LONG_SERIAL);

/// CRL extensions that are applied, or do not affect which certificates are revoked.
const UNDERSTOOD: &[Oid<'static>] = &[
    AuthorityKeyIdentifier::ID,
    IssuerAltName::ID,
    CrlNumber::ID,
    DeltaCrlIndicator::ID,
    IssuingDistributionPoint::ID,
    FreshestCrl::ID,
    AuthorityInfoAccess::ID,
    ExpiredCertsOnCrl::ID,
];

/// CRL entry extensions that are applied, or only describe a revocation.
const UNDERSTOOD_IN_ENTRIES: &[Oid<'static>] =
    &[CrlReason::ID, CertificateIssuer::ID, InvalidityDate::ID, HoldInstructionCode::ID];

impl Crl {
    pub(crate) fn new(der: Arc<[u8]>, tolerated: Tolerated) -> Self {
        let tolerated = TOLERATED.union(tolerated);
        Self { der, tolerated, read: OnceLock::new(), searches: AtomicU32::new(0), index: OnceLock::new() }
    }

    pub(crate) fn der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the CRL, or the reason why it is unreadable. The first call decodes it.
    ///
    /// # Errors
    /// Returns an error if the budget does not allow decoding it.
    pub(crate) fn get(&self, meter: &mut Meter) -> Result<Result<&List<'_>, &str>, Limit> {
        if self.read.get().is_none() {
            meter.bytes(self.der.len() as u64)?;
        }
        let cell = self.read.get_or_init(|| Cell::new(self.der.clone(), |der| List::read(der, self.tolerated)));
        Ok(cell.borrow_dependent().as_ref().map_err(String::as_str))
    }

    /// Returns the last entry for a certificate, if any.
    ///
    /// # Errors
    /// Returns an error if the budget does not allow a search. The inner error describes an unreadable entry.
    pub(super) fn find<'a>(
        &'a self,
        list: &List<'a>,
        query: &Query<'_>,
        meter: &mut Meter,
    ) -> Result<Result<Option<Revocation<'a>>, Error>, Limit> {
        let tbs = &query.certificate.tbs_certificate;
        if self.index.get().is_none() {
            let (whole, searches) = (self.der.len() as u64, self.searches.fetch_add(1, Ordering::Relaxed));
            // If the budget has no room for an index, the outcome is the same as for a search.
            if searches < SEARCHES || meter.left_bytes() < whole {
                meter.bytes(whole / SEARCH_COST)?;
                return Ok(search(list, query));
            }
            meter.bytes(whole)?;
        }
        let index = self.index.get_or_init(|| Indexed::new(self.der.clone(), |der| index(der, self.tolerated)));
        match index.borrow_dependent() {
            Ok(index) => match index.get(tbs.serial_number, &tbs.issuer) {
                Ok(found) => Ok(Ok(found)),
                // The index reads an entry strictly; a search tolerates the deviations that users of CRLs must tolerate.
                Err(_) => {
                    meter.bytes(self.der.len() as u64 / SEARCH_COST)?;
                    Ok(search(list, query))
                }
            },
            Err(error) => Ok(Err(error.clone())),
        }
    }

    /// Returns what a flawed CRL states about a certificate. Entries are matched by serial number alone, because they may not
    /// identify the certificate's issuer.
    ///
    /// # Errors
    /// Returns an error if the budget does not allow a search.
    pub(super) fn listed(&self, list: &List<'_>, query: &Query<'_>, meter: &mut Meter) -> Result<Listed, Limit> {
        meter.bytes(self.der.len() as u64 / SEARCH_COST)?;
        let wanted = query.certificate.tbs_certificate.serial_number.as_bytes();
        // An unreadable reason does not undo a revocation.
        let lax = Options::der().rules(Tolerated::ALL).parts(Tolerated::NONE);
        let mut entries = Entries::of(list);
        let mut listed = Listed::No;
        for entry in entries.by_ref().filter(|entry| entry.serial == wanted) {
            let read = lax.outline::<RevokedCertificate<'_>>(entry.octets).map(|read| read.value);
            let reason = read.as_ref().ok().and_then(|entry| entry.crl_entry_extensions?.get::<CrlReason>().ok()?);
            listed = match reason {
                Some(CrlReason::RemoveFromCrl) => Listed::No,
                _ => Listed::Yes,
            };
        }
        // Elements after one without a known end are unknown.
        let is_whole = entries.at == entries.content.len();
        Ok(if is_whole || listed == Listed::Yes { listed } else { Listed::Unclear })
    }
}

impl fmt::Debug for Crl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crl({} bytes)", self.der.len())
    }
}

impl<'a> List<'a> {
    fn read(der: &'a [u8], tolerated: Tolerated) -> Read<'a> {
        let text = |error: Error| format!("no CRL: {error}");
        // Without options, the usual entries are read several times faster.
        let (list, flaw) = match CertificateList::from_der(der) {
            Ok(list) => (list, None),
            Err(_) => match Options::der().rules(tolerated).decode::<CertificateList<'a>>(der) {
                Ok(read) => (read.value, None),
                Err(error) => {
                    let lax = Options::der().rules(Tolerated::ALL).outline::<CertificateList<'a>>(der);
                    (lax.map_err(|_| text(error.clone()))?.value, Some(text(error)))
                }
            },
        };
        let tbs = &list.tbs_cert_list;
        let mut own = Self {
            list,
            issuer_key: tbs.issuer.match_key(),
            number: None,
            base: None,
            point: None,
            scope: None,
            authority: None,
            authority_key: None,
            is_number_critical: false,
            kept_since: None,
            flaw,
        };
        if let Some(extensions) = &tbs.crl_extensions {
            own.extensions(extensions);
        }
        if let (None, Err(why)) = (&own.flaw, own.entries()) {
            own.flaw = Some(why);
        }
        Ok(own)
    }

    /// Checks the extensions of the CRL's entries.
    fn entries(&self) -> Result<(), String> {
        let text = |error: Error| format!("no CRL: {error}");
        let is_indirect = self.point.is_some_and(|point| point.indirect_crl);
        for entry in Entries::of(self) {
            if is_plain(entry.extensions) {
                continue;
            }
            // Hardly any entry has a critical extension: `critical TRUE` is looked for before anything is decoded.
            let is_critical = has(entry.extensions, &[0x01, 0x01, 0xFF]);
            let names_issuer = has(entry.extensions, CERTIFICATE_ISSUER);
            if !is_critical && !names_issuer {
                continue;
            }
            let extensions = Extensions::from_der(entry.extensions).map_err(text)?;
            // RFC 5280 §5.3: "the application MUST NOT use that CRL to determine the status of any certificates".
            understood(&extensions, UNDERSTOOD_IN_ENTRIES, "entry extension", "§5.3")?;
            if names_issuer && !is_indirect && extensions.find(CertificateIssuer::ID).map_err(text)?.is_some() {
                return Err(
                    "an entry names a certificate issuer, but the CRL is not indirect (RFC 5280 §5.3.3)".to_owned()
                );
            }
        }
        Ok(())
    }

    /// Decodes the extensions as far as possible. A fault in one of them is a flaw of the CRL.
    fn extensions(&mut self, extensions: &Extensions<'a>) {
        // RFC 5280 §5.2: "MUST NOT use that CRL to determine the status of certificates".
        let mut flaw = understood(extensions, UNDERSTOOD, "extension", "§5.2").err();
        for extension in extensions.iter() {
            let read = extension.and_then(|extension| self.extension(&extension));
            if let Err(error) = read {
                flaw.get_or_insert_with(|| error.to_string());
            }
        }
        self.flaw = self.flaw.take().or(flaw);
    }

    fn extension(&mut self, extension: &Extension<'a>) -> Result<(), Error> {
        let value = &extension.extn_value;
        match extension.extn_id {
            AuthorityKeyIdentifier::ID => {
                let authority: AuthorityKeyIdentifier<'a> = value.decode_as()?;
                self.authority = Some(value.as_bytes());
                self.authority_key = authority.key_identifier.map(|key| key.as_bytes());
            }
            CrlNumber::ID => {
                self.number = Some(value.decode_as()?);
                self.is_number_critical = extension.critical;
            }
            DeltaCrlIndicator::ID => self.base = Some(value.decode_as::<DeltaCrlIndicator<'a>>()?.0),
            IssuingDistributionPoint::ID => {
                self.point = Some(value.decode_as()?);
                self.scope = Some(value.as_bytes());
            }
            ExpiredCertsOnCrl::ID => self.kept_since = Some(value.decode_as::<ExpiredCertsOnCrl<'a>>()?.0.unix()),
            _ => {}
        }
        Ok(())
    }

    /// Returns thisUpdate.
    pub(crate) fn this_update(&self) -> UnixTime {
        self.list.tbs_cert_list.this_update.into()
    }

    /// Returns nextUpdate.
    pub(crate) fn next_update(&self) -> Option<UnixTime> {
        self.list.tbs_cert_list.next_update.map(UnixTime::from)
    }

    /// Returns a one-line label, such as `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
    pub(crate) fn label(&self) -> String {
        let what = if self.base.is_some() { "delta CRL" } else { "CRL" };
        let number = self.number.map(|number| format!(" {}", decimal(&number))).unwrap_or_default();
        format!("{what}{number} of {}, {}", self.list.tbs_cert_list.issuer.oneline(), self.this_update())
    }
}

/// Formats a CRL number in decimal, or in hexadecimal if it exceeds eight bytes.
fn decimal(number: &CrlNumber<'_>) -> String {
    let octets = number.0.int().magnitude();
    if octets.len() <= 8 {
        octets.iter().fold(0u64, |sum, octet| sum << 8 | u64::from(*octet)).to_string()
    } else {
        format!("0x{:X}", Hex(octets))
    }
}

/// The OID of the certificateIssuer extension, in DER.
const CERTIFICATE_ISSUER: &[u8] = &[0x06, 0x03, 0x55, 0x1D, 0x1D];

/// The DER of entry extensions with only a non-critical reasonCode, up to its value.
const REASON: &[u8] = &[0x30, 0x0C, 0x30, 0x0A, 0x06, 0x03, 0x55, 0x1D, 0x15, 0x04, 0x03, 0x0A, 0x01];

/// Returns whether an entry has no extension except a reasonCode, as is usual.
#[inline]
fn is_plain(extensions: &[u8]) -> bool {
    extensions.is_empty() || extensions.len() == REASON.len() + 1 && extensions.starts_with(REASON)
}

/// A CRL entry, split without decoding it. Every byte was checked before.
struct RawEntry<'a> {
    /// The complete entry.
    octets: &'a [u8],
    /// The entry's offset in the list of entries.
    at: usize,
    /// The minimal bytes of the serial number, even if its encoding is padded.
    serial: &'a [u8],
    /// The extensions, a SEQUENCE, or empty if there are none.
    extensions: &'a [u8],
}

/// An iterator over a CRL's entries in order.
struct Entries<'a> {
    content: &'a [u8],
    at: usize,
}

impl<'a> Entries<'a> {
    fn of(list: &List<'a>) -> Self {
        let entries = list.list.tbs_cert_list.revoked_certificates.unwrap_or_default();
        Self { content: entries.content().unwrap_or_default(), at: 0 }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = RawEntry<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'a>> {
        let rest = self.content.get(self.at..)?;
        let (content, after) = split(rest)?;
        let at = self.at;
        let octets = rest.get(..rest.len() - after.len())?;
        self.at += octets.len();
        let (serial, others) = split(content)?;
        let serial = Int::from_signed(serial).as_bytes();
        let (_, extensions) = split(others)?;
        Some(RawEntry { octets, at, serial, extensions })
    }
}

/// Splits off the first element, and returns its content and the remaining bytes. Its tag must have one byte, and its
/// length must be definite.
#[inline]
pub(super) fn split(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = match octets {
        [_, len, rest @ ..] if *len < 0x80 => (usize::from(*len), rest),
        [_, len, rest @ ..] => {
            let (len, rest) = rest.split_at_checked(usize::from(len & 0x7F))?;
            (len.iter().try_fold(0usize, |sum, octet| Some(sum.checked_mul(256)? + usize::from(*octet)))?, rest)
        }
        _ => return None,
    };
    rest.split_at_checked(len)
}

fn index(der: &[u8], tolerated: Tolerated) -> Index<'_> {
    let read = Options::der().rules(tolerated).outline::<CertificateList<'_>>(der)?;
    CrlIndex::new(&read.value)
}

/// Finds the last entry for a certificate by linear search. A certificateIssuer also applies to the following entries (§5.3.3).
fn search<'a>(list: &List<'a>, query: &Query<'_>) -> Result<Option<Revocation<'a>>, Error> {
    let tbs = &query.certificate.tbs_certificate;
    let wanted = tbs.serial_number.as_bytes();
    let entries = list.list.tbs_cert_list.revoked_certificates.unwrap_or_default();
    let mut certificate_issuer: Option<GeneralNames<'a>> = None;
    let mut found = None;
    for entry in Entries::of(list) {
        if !is_plain(entry.extensions) && has(entry.extensions, CERTIFICATE_ISSUER) {
            let extensions = Extensions::from_der(entry.extensions)?;
            certificate_issuer =
                extensions.get::<CertificateIssuer<'a>>()?.map(|issuer| issuer.0).or(certificate_issuer);
        }
        if entry.serial != wanted {
            continue;
        }
        let read = SeqOf::<RevokedCertificate<'a>>::deferred(entry.octets, entries.offset() + entry.at);
        let read = read.keeping(entries.kept()).iter().next().transpose()?;
        let read = read.map(|entry| Revocation { entry, certificate_issuer });
        let issuer = list.list.tbs_cert_list.issuer;
        found = read.filter(|revocation| revocation.is_issued_by(&tbs.issuer, &issuer)).or(found);
    }
    Ok(found)
}

#[inline]
fn has(octets: &[u8], wanted: &[u8]) -> bool {
    octets.windows(wanted.len()).any(|window| window == wanted)
}

fn understood(extensions: &Extensions<'_>, known: &[Oid<'_>], what: &str, clause: &str) -> Result<(), String> {
    for extension in extensions.iter() {
        let extension = extension.map_err(|error| error.to_string())?;
        if extension.critical && !known.contains(&extension.extn_id) {
            let id = extension.extn_id;
            let name = oids::lookup(id).map_or_else(|| id.to_string(), |info| format!("{} ({id})", info.name));
            return Err(format!("unknown critical {what} {name} (RFC 5280 {clause})"));
        }
    }
    Ok(())
}
