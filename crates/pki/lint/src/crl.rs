//! CRL lints: fields, individual extensions, and entries.

use super::access::{self, Which};
use super::distribution::{self, PointContext};
use super::entry::{Entries, Scope};
use super::extension::{Ext, extensions};
use super::list::{self, Lint};
use super::options::Options;
use super::places::{ListPart as Part, list_part};
use super::sink::{Findings, Sink};
use super::{alt_name, attributes};
use tagwise_x509::cert::Version;
use tagwise_x509::crl::{CertificateList, TbsCertList};
use tagwise_x509::ext::{
    AuthorityInfoAccess, CrlNumber, DeltaCrlIndicator, FreshestCrl, IssuerAltName, IssuingDistributionPoint,
};

/// Lints a CRL against RFC 5280 §5, in linear time. [`Options::limit`] bounds the number of findings kept.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_lint as lint;
/// use tagwise_x509::CertificateList;
/// let der = std::fs::read("list.crl")?;
/// let findings = lint::crl(&CertificateList::from_der(&der)?, &lint::Options::all());
/// println!("{} errors, {} warnings", findings.errors(), findings.warnings());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn crl(crl: &CertificateList<'_>, options: &Options) -> Findings {
    let tbs = &crl.tbs_cert_list;
    let frame = Frame { bytes: tbs.as_bytes(), base: tbs.offset() };
    let mut sink = Sink::new(options);
    fields(&mut sink, tbs, frame);
    let mut facts = Facts::default();
    if let Some(list) = &tbs.crl_extensions {
        extensions(&mut sink, list, &list::CRL_EXTENSION_VALUE, |sink, ext| facts.take(sink, ext));
    }
    facts.together(&mut sink, frame);
    if let Some(entries) = &tbs.revoked_certificates {
        Entries::new(facts.scope()).check(&mut sink, entries);
    }
    sink.done()
}

/// The TBSCertList's bytes and offset, to locate its components when reporting.
#[derive(Clone, Copy)]
struct Frame<'a> {
    bytes: &'a [u8],
    base: usize,
}

impl Frame<'_> {
    #[cold]
    fn find(&self, sink: &mut Sink, lint: &'static Lint, part: Part) {
        sink.find_at(lint, || list_part(self.bytes, self.base, part));
    }
}

/// Checks the fields of §5.1.2.
fn fields(sink: &mut Sink, tbs: &TbsCertList<'_>, frame: Frame<'_>) {
    if tbs.version.is_none_or(|version| version != Version::V2) {
        frame.find(sink, &list::CRL_VERSION_1, Part::Version);
    }
    if tbs.issuer.is_empty() {
        frame.find(sink, &list::EMPTY_CRL_ISSUER, Part::Issuer);
    }
    attributes::check(sink, &tbs.issuer, &list::CRL_ISSUER_STRING_TYPE);
    match tbs.next_update {
        None => frame.find(sink, &list::NO_NEXT_UPDATE, Part::NextUpdate),
        Some(next) if next.civil() < tbs.this_update.civil() => {
            frame.find(sink, &list::NEXT_UPDATE_BEFORE_THIS, Part::NextUpdate);
        }
        Some(_) => {}
    }
    if tbs.revoked_certificates.as_ref().is_some_and(tagwise_codec::SeqOf::is_empty) {
        frame.find(sink, &list::EMPTY_CRL_LIST, Part::RevokedCertificates);
    }
}

/// The facts from the extensions that affect other extensions or the entries.
#[derive(Default)]
struct Facts<'a> {
    number: Option<(Ext<'a>, CrlNumber<'a>)>,
    has_number: bool,
    base: Option<(Ext<'a>, CrlNumber<'a>)>,
    is_delta: bool,
    freshest: Option<Ext<'a>>,
    point: Option<IssuingDistributionPoint<'a>>,
    /// An authority key identifier without keyIdentifier.
    nameless: Option<Ext<'a>>,
    has_key: bool,
}

impl<'a> Facts<'a> {
    /// Checks an individual extension.
    fn take(&mut self, sink: &mut Sink, ext: Ext<'a>) {
        match ext.id {
            [0x55, 0x1D, 35] => {
                if ext.has_key_identifier(sink) {
                    self.has_key = true;
                } else {
                    self.nameless = Some(ext);
                }
            }
            [0x55, 0x1D, 18] => {
                ext.never_critical(sink, &list::CRL_ISSUER_ALT_NAME_CRITICAL);
                if let Some(names) = ext.read::<IssuerAltName<'_>>(sink) {
                    alt_name::check(sink, &names.0, &alt_name::CRL_ISSUER);
                }
            }
            [0x55, 0x1D, 20] => {
                ext.never_critical(sink, &list::CRL_NUMBER_CRITICAL);
                self.has_number = true;
                self.number = ext.read(sink).map(|number| (ext, number));
                long_number(sink, self.number);
            }
            [0x55, 0x1D, 27] => {
                ext.always_critical(sink, &list::DELTA_NOT_CRITICAL);
                self.is_delta = true;
                self.base = ext.read::<DeltaCrlIndicator<'_>>(sink).map(|base| (ext, base.0));
                long_number(sink, self.base);
            }
            [0x55, 0x1D, 28] => {
                ext.always_critical(sink, &list::ISSUING_POINT_NOT_CRITICAL);
                self.point = ext.read(sink);
                if let Some(point) = &self.point {
                    issuing_point(sink, point, ext);
                }
            }
            [0x55, 0x1D, 46] => {
                ext.never_critical(sink, &list::CRL_FRESHEST_CRITICAL);
                self.freshest = Some(ext);
                if let Some(points) = ext.read::<FreshestCrl<'_>>(sink) {
                    distribution::check(sink, &points.0, PointContext::Crl, ext.value);
                }
            }
            [0x2B, 6, 1, 5, 5, 7, 1, 1] => {
                ext.never_critical(sink, &list::CRL_ACCESS_CRITICAL);
                if let Some(access) = ext.read::<AuthorityInfoAccess<'_>>(sink) {
                    access::check(sink, &access.0, Which::Crl, ext.value);
                }
            }
            _ => {
                ext.unknown_critical(sink, &list::UNKNOWN_CRITICAL_CRL_EXTENSION);
                ext.check(sink);
            }
        }
    }

    /// Checks required extensions and combinations.
    fn together(&self, sink: &mut Sink, frame: Frame<'_>) {
        if !self.has_key {
            match self.nameless {
                Some(ext) => sink.find(&list::CRL_WITHOUT_KEY_IDENTIFIER, ext.value.offset),
                None => frame.find(sink, &list::CRL_WITHOUT_KEY_IDENTIFIER, Part::Extensions),
            }
        }
        if !self.has_number {
            frame.find(sink, &list::NO_CRL_NUMBER, Part::Extensions);
        }
        if let (Some((_, number)), Some((ext, base))) = (self.number, self.base)
            && base > number
        {
            sink.find(&list::BASE_AFTER_DELTA, ext.value.offset);
        }
        if let (Some(ext), true) = (self.freshest, self.is_delta) {
            sink.find(&list::FRESHEST_IN_DELTA, ext.whole.offset);
        }
    }

    /// Returns the facts that apply to the entries.
    fn scope(&self) -> Scope {
        let reasons = self.point.as_ref().and_then(|point| point.only_some_reasons);
        Scope {
            is_delta: self.is_delta,
            is_indirect: self.point.as_ref().is_some_and(|point| point.indirect_crl),
            reasons: reasons.map(|reasons| reasons.0.to_mask().unwrap_or(u64::MAX)),
        }
    }
}

fn long_number(sink: &mut Sink, number: Option<(Ext<'_>, CrlNumber<'_>)>) {
    if let Some((ext, number)) = number
        && number.0.int().as_bytes().len() > 20
    {
        sink.find(&list::LONG_CRL_NUMBER, ext.value.offset);
    }
}

/// Checks the issuing distribution point (§5.2.5).
fn issuing_point(sink: &mut Sink, point: &IssuingDistributionPoint<'_>, ext: Ext<'_>) {
    let says_something = point.distribution_point.is_some()
        || point.only_some_reasons.is_some()
        || point.only_contains_user_certs
        || point.only_contains_ca_certs
        || point.indirect_crl
        || point.only_contains_attribute_certs;
    if !says_something {
        sink.find(&list::ISSUING_POINT_EMPTY, ext.value.offset);
    }
    if point.only_some_reasons.is_some_and(|reasons| distribution::has_undefined(&reasons)) {
        sink.find_at(&list::ISSUING_POINT_REASONS_UNDEFINED, || ext.value.component(0x83));
    }
    if point.only_contains_attribute_certs {
        sink.find_at(&list::ATTRIBUTE_CERTIFICATES_ONLY, || ext.value.component(0x85));
    }
    if let Some(name) = &point.distribution_point {
        distribution::point_name(sink, name, ext.value, false);
    }
}
