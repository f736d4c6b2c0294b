//! A CRL, read once: every octet checked, its extensions by type, its entries indexed by serial number.

use core::fmt;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;
use tagwise_codec::{Any, Oid, Options, RuleSet as Tolerated, SeqOf};
use tagwise_pkix::ext::{
    AuthorityInfoAccess, AuthorityKeyIdentifier, CertificateIssuer, CrlNumber, CrlReason, DeltaCrlIndicator,
    FreshestCrl, HoldInstructionCode, InvalidityDate, IssuerAltName, IssuingDistributionPoint, KnownExtension,
};
use tagwise_pkix::{CertificateList, CrlIndex, Extensions, UnixTime, oids, profile};

/// A CRL in DER, and what was read of it.
pub(crate) struct Crl {
    der: Arc<[u8]>,
    read: OnceLock<Cell>,
}

/// The parts of a CRL that its application needs.
pub(crate) struct List<'a> {
    pub(crate) list: CertificateList<'a>,
    /// The comparison key of the issuer's name.
    pub(crate) issuer_key: Vec<u8>,
    pub(crate) number: Option<CrlNumber<'a>>,
    /// The number of the base, if this is a delta CRL.
    pub(crate) base: Option<CrlNumber<'a>>,
    pub(crate) point: Option<IssuingDistributionPoint<'a>>,
    /// The octets of the issuing distribution point.
    pub(crate) scope: Option<&'a [u8]>,
    /// The octets of the authority key identifier, and the identifier in it.
    pub(crate) authority: Option<&'a [u8]>,
    pub(crate) authority_key: Option<&'a [u8]>,
    pub(crate) is_number_critical: bool,
    pub(crate) index: CrlIndex<'a>,
}

type Read<'a> = Result<List<'a>, String>;

self_cell!(
    struct Cell {
        owner: Arc<[u8]>,
        #[covariant]
        dependent: Read,
    }
);

/// The deviations tolerated in CRLs. RFC 5280 §5.1.2.4 to §5.1.2.6 ask issuers for one form of times, and users read either.
/// §4.1.2.2 has users "gracefully handle" serial numbers that are negative or too long: they are compared as they are.
const TOLERATED: Tolerated =
    Tolerated::NONE.with(&profile::TIME_CHOICE).with(&profile::NEGATIVE_SERIAL).with(&profile::LONG_SERIAL);

/// Extensions of CRLs that are applied, or that change nothing about which certificates are revoked.
const UNDERSTOOD: &[Oid<'static>] = &[
    AuthorityKeyIdentifier::ID,
    IssuerAltName::ID,
    CrlNumber::ID,
    DeltaCrlIndicator::ID,
    IssuingDistributionPoint::ID,
    FreshestCrl::ID,
    AuthorityInfoAccess::ID,
];

/// Extensions of entries that are applied, or that only say more about a revocation.
const UNDERSTOOD_IN_ENTRIES: &[Oid<'static>] =
    &[CrlReason::ID, CertificateIssuer::ID, InvalidityDate::ID, HoldInstructionCode::ID];

impl Crl {
    pub(crate) fn new(der: Arc<[u8]>) -> Self {
        Self { der, read: OnceLock::new() }
    }

    pub(crate) fn der(&self) -> &[u8] {
        &self.der
    }

    /// The CRL, or the reason why it cannot be used for any certificate. The first call reads it.
    pub(crate) fn get(&self) -> Result<&List<'_>, &str> {
        let cell = self.read.get_or_init(|| Cell::new(self.der.clone(), |der| List::read(der)));
        cell.borrow_dependent().as_ref().map_err(String::as_str)
    }
}

impl fmt::Debug for Crl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crl({} octets)", self.der.len())
    }
}

impl<'a> List<'a> {
    fn read(der: &'a [u8]) -> Read<'a> {
        let text = |error: tagwise_codec::Error| format!("no CRL: {error}");
        let read = Options::der().rules(TOLERATED).decode::<CertificateList<'a>>(der).map_err(text)?;
        let list = read.value;
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
            index: CrlIndex::new(&list).map_err(text)?,
        };
        if let Some(extensions) = &tbs.crl_extensions {
            own.extensions(extensions)?;
        }
        let entries = tbs.revoked_certificates.unwrap_or_default();
        // What is tolerated in serial numbers is none of this pass's business.
        let entries = SeqOf::<Any<'a>>::deferred(entries.content().unwrap_or_default(), entries.offset());
        for entry in entries.iter() {
            let entry = entry.map_err(text)?;
            // Hardly any entry has a critical extension: `critical TRUE` is looked for before anything is decoded.
            if !has(entry.content(), &[0x01, 0x01, 0xFF]) {
                continue;
            }
            let Some(extensions) = entry.children().nth(2) else { continue };
            let extensions = extensions.map_err(|fault| format!("no CRL: {:?}", fault.kind()))?;
            let extensions = extensions.decode_as::<Extensions<'a>>().map_err(text)?;
            // RFC 5280 §5.3: "the application MUST NOT use that CRL to determine the status of any certificates".
            understood(&extensions, UNDERSTOOD_IN_ENTRIES, "entry extension", "§5.3")?;
        }
        Ok(own)
    }

    fn extensions(&mut self, extensions: &Extensions<'a>) -> Result<(), String> {
        // RFC 5280 §5.2: "MUST NOT use that CRL to determine the status of certificates".
        understood(extensions, UNDERSTOOD, "extension", "§5.2")?;
        for extension in extensions.iter() {
            let extension = extension.map_err(|error| error.to_string())?;
            let value = &extension.extn_value;
            let text = |error: tagwise_codec::Error| error.to_string();
            match extension.extn_id {
                AuthorityKeyIdentifier::ID => {
                    let authority: AuthorityKeyIdentifier<'a> = value.decode_as().map_err(text)?;
                    self.authority = Some(value.as_bytes());
                    self.authority_key = authority.key_identifier.map(|key| key.as_bytes());
                }
                CrlNumber::ID => {
                    self.number = Some(value.decode_as().map_err(text)?);
                    self.is_number_critical = extension.critical;
                }
                DeltaCrlIndicator::ID => {
                    self.base = Some(value.decode_as::<DeltaCrlIndicator<'a>>().map_err(text)?.0);
                }
                IssuingDistributionPoint::ID => {
                    self.point = Some(value.decode_as().map_err(text)?);
                    self.scope = Some(value.as_bytes());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// thisUpdate.
    pub(crate) fn this_update(&self) -> UnixTime {
        self.list.tbs_cert_list.this_update.into()
    }

    /// nextUpdate.
    pub(crate) fn next_update(&self) -> Option<UnixTime> {
        self.list.tbs_cert_list.next_update.map(UnixTime::from)
    }

    /// One line: `CRL 17 of CN=CA, 2026-11-21T10:00:00Z`.
    pub(crate) fn label(&self) -> String {
        let what = if self.base.is_some() { "delta CRL" } else { "CRL" };
        let number = self.number.map(|number| format!(" {}", decimal(&number))).unwrap_or_default();
        format!("{what}{number} of {}, {}", self.list.tbs_cert_list.issuer.oneline(), self.this_update())
    }
}

/// A CRL number; those of more than eight octets in hexadecimal.
fn decimal(number: &CrlNumber<'_>) -> String {
    let octets = number.0.int().magnitude();
    if octets.len() <= 8 {
        octets.iter().fold(0u64, |sum, octet| sum << 8 | u64::from(*octet)).to_string()
    } else {
        octets.iter().fold("0x".to_owned(), |text, octet| format!("{text}{octet:02X}"))
    }
}

fn has(octets: &[u8], wanted: &[u8]) -> bool {
    octets.windows(wanted.len()).any(|window| window == wanted)
}

fn understood(extensions: &Extensions<'_>, known: &[Oid<'_>], what: &str, clause: &str) -> Result<(), String> {
    for extension in extensions.iter() {
        let extension = extension.map_err(|error| error.to_string())?;
        if extension.critical && !known.contains(&extension.extn_id) {
            let id = extension.extn_id;
            let name = oids::lookup(id).map_or_else(|| id.to_string(), |info| format!("{} ({id})", info.name));
            return Err(format!("the critical {what} {name} is not understood (RFC 5280 {clause})"));
        }
    }
    Ok(())
}
