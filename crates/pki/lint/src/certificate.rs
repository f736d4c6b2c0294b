//! Certificate lints: fields, individual extensions, and their combinations.

use super::access::{self, Which};
use super::distribution::{self, PointContext};
use super::extension::{Ext, extensions};
use super::list::{self, Lint};
use super::options::Options;
use super::places::{CertificatePart as Part, certificate_part};
use super::sink::{Findings, Sink};
use super::walk::{Element, each};
use super::{alt_name, attributes, constraints, policies, validity};
use tagwise_x509::cert::{Certificate, TbsCertificate, Version};
use tagwise_x509::ext::{
    AuthorityInfoAccess, BasicConstraints, CertificatePolicies, CrlDistributionPoints, ExtKeyUsage, FreshestCrl,
    InhibitAnyPolicy, IssuerAltName, KeyUsage, NameConstraints, PolicyConstraints, PolicyMappings, SubjectAltName,
    SubjectInfoAccess, SubjectKeyIdentifier,
};
use tagwise_x509::oids;

/// Lints a certificate against RFC 5280 §4.
///
/// The certificate may be decoded with any options. After [`from_der`](tagwise_codec::Decode::from_der), findings concern
/// only the meaning of its contents. After lenient decoding, or decoding only the outline (the top-level structure),
/// malformed extension values are findings too.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_lint as lint;
/// use tagwise_x509::Certificate;
/// let der = std::fs::read("certificate.der")?;
/// let certificate = Certificate::from_der(&der)?;
/// for finding in &lint::certificate(&certificate, &lint::Options::all()).sorted() {
///     println!("{}: {}, at byte {}", finding.path::<Certificate<'_>>(&der), finding.lint.title, finding.offset);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certificate(certificate: &Certificate<'_>, options: &Options) -> Findings {
    let tbs = &certificate.tbs_certificate;
    let frame = Frame { bytes: tbs.as_bytes(), base: tbs.offset() };
    let mut sink = Sink::new(options);
    let email = fields(&mut sink, tbs, frame);
    let mut facts = Facts::default();
    let encoding = &list::CERTIFICATE_EXTENSION_VALUE;
    if let Some(list) = &tbs.extensions {
        extensions(&mut sink, list, encoding, |sink, ext| facts.take(sink, tbs, ext));
    }
    sink.encodings(Some(encoding));
    facts.together(&mut sink, tbs, frame, email);
    sink.done()
}

/// The TBSCertificate's bytes and offset, to locate its components when reporting.
#[derive(Clone, Copy)]
struct Frame<'a> {
    bytes: &'a [u8],
    base: usize,
}

impl Frame<'_> {
    #[cold]
    fn find(&self, sink: &mut Sink, lint: &'static Lint, part: Part) {
        sink.find_at(lint, || certificate_part(self.bytes, self.base, part));
    }
}

/// Checks the fields of §4.1.2. Returns the offset of an email address in the subject.
fn fields(sink: &mut Sink, tbs: &TbsCertificate<'_>, frame: Frame<'_>) -> Option<usize> {
    let unique = [tbs.issuer_unique_id, tbs.subject_unique_id];
    if tbs.extensions.is_none() {
        let enough = if unique.iter().any(Option::is_some) { Version::V2 } else { Version::V1 };
        if tbs.version > enough {
            frame.find(sink, &list::VERSION_ABOVE_CONTENT, Part::Version);
        }
    }
    if tbs.serial_number.0.as_bytes() == [0] {
        frame.find(sink, &list::ZERO_SERIAL, Part::SerialNumber);
    }
    if tbs.issuer.is_empty() {
        frame.find(sink, &list::EMPTY_ISSUER, Part::Issuer);
    }
    attributes::check(sink, &tbs.issuer, &list::ISSUER_STRING_TYPE);
    if tbs.validity.not_after.civil() < tbs.validity.not_before.civil() {
        frame.find(sink, &list::NO_VALIDITY, Part::Validity);
    }
    let email = attributes::check(sink, &tbs.subject, &list::SUBJECT_STRING_TYPE);
    for (unique, part) in unique.iter().zip([Part::IssuerUniqueId, Part::SubjectUniqueId]) {
        if unique.is_some() {
            frame.find(sink, &list::UNIQUE_IDENTIFIER, part);
        }
    }
    email
}

/// The bits of the key usage, as masks.
mod bit {
    pub(super) const DIGITAL_SIGNATURE: u64 = 1;
    pub(super) const NON_REPUDIATION: u64 = 1 << 1;
    pub(super) const KEY_ENCIPHERMENT: u64 = 1 << 2;
    pub(super) const KEY_AGREEMENT: u64 = 1 << 4;
    pub(super) const KEY_CERT_SIGN: u64 = 1 << 5;
    pub(super) const CRL_SIGN: u64 = 1 << 6;
    pub(super) const ENCIPHER_ONLY: u64 = 1 << 7;
    pub(super) const DECIPHER_ONLY: u64 = 1 << 8;
    pub(super) const DEFINED: u64 = (1 << 9) - 1;
}

/// The facts from the extensions that affect other extensions or fields.
#[derive(Default)]
struct Facts<'a> {
    basic: Option<(Ext<'a>, BasicConstraints<'a>)>,
    usage: Option<(Ext<'a>, u64)>,
    purposes: Option<(Ext<'a>, ExtKeyUsage<'a>)>,
    policies: Option<Element<'a>>,
    mappings: Option<PolicyMappings<'a>>,
    alt_name: Option<Ext<'a>>,
    has_mailbox: bool,
    name_constraints: Option<Ext<'a>>,
    /// An authority key identifier without keyIdentifier.
    nameless: Option<Ext<'a>>,
    has_authority_key: bool,
    has_subject_key: bool,
}

impl<'a> Facts<'a> {
    /// Checks an individual extension.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take(&mut self, sink: &mut Sink, tbs: &TbsCertificate<'a>, ext: Ext<'a>) {
        match ext.id {
            [0x55, 0x1D, id] => self.standard(sink, tbs, ext, *id),
            [0x2B, 6, 1, 5, 5, 7, 1, 1] => {
                ext.never_critical(sink, &list::AUTHORITY_ACCESS_CRITICAL);
                if let Some(access) = ext.read::<AuthorityInfoAccess<'_>>(sink) {
                    access::check(sink, &access.0, Which::Authority, ext.value);
                }
            }
            [0x2B, 6, 1, 5, 5, 7, 1, 11] => {
                ext.never_critical(sink, &list::SUBJECT_ACCESS_CRITICAL);
                if let Some(access) = ext.read::<SubjectInfoAccess<'_>>(sink) {
                    access::check(sink, &access.0, Which::Subject, ext.value);
                }
            }
            _ => other(sink, ext),
        }
    }

    /// Checks an extension under `id-ce`, given the last arc of its identifier.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn standard(&mut self, sink: &mut Sink, tbs: &TbsCertificate<'a>, ext: Ext<'a>, id: u8) {
        match id {
            35 => {
                ext.never_critical(sink, &list::AUTHORITY_KEY_IDENTIFIER_CRITICAL);
                if ext.has_key_identifier(sink) {
                    self.has_authority_key = true;
                } else {
                    self.nameless = Some(ext);
                }
            }
            14 => {
                ext.never_critical(sink, &list::SUBJECT_KEY_IDENTIFIER_CRITICAL);
                self.has_subject_key = true;
                ext.read::<SubjectKeyIdentifier<'_>>(sink);
            }
            15 => {
                ext.always_critical(sink, &list::KEY_USAGE_NOT_CRITICAL);
                if let Some(usage) = ext.read::<KeyUsage<'_>>(sink) {
                    self.usage = Some((ext, key_usage(sink, &usage, ext)));
                }
            }
            32 => {
                self.policies = Some(ext.value);
                if let Some(policies) = ext.read::<CertificatePolicies<'_>>(sink) {
                    policies::policies(sink, &policies);
                }
            }
            33 => {
                ext.always_critical(sink, &list::POLICY_MAPPINGS_NOT_CRITICAL);
                self.mappings = ext.read(sink);
            }
            17 => {
                self.alt_name = Some(ext);
                if let Some(names) = ext.read::<SubjectAltName<'_>>(sink) {
                    self.has_mailbox |= alt_name::check(sink, &names.0, &alt_name::SUBJECT);
                }
            }
            18 => {
                ext.never_critical(sink, &list::ISSUER_ALT_NAME_CRITICAL);
                if let Some(names) = ext.read::<IssuerAltName<'_>>(sink) {
                    alt_name::check(sink, &names.0, &alt_name::ISSUER);
                }
            }
            9 => {
                ext.never_critical(sink, &list::DIRECTORY_ATTRIBUTES_CRITICAL);
                ext.check(sink);
            }
            19 => {
                if let Some(basic) = ext.read(sink) {
                    self.basic = Some((ext, basic));
                }
            }
            30 => {
                self.name_constraints = Some(ext);
                ext.always_critical(sink, &list::NAME_CONSTRAINTS_NOT_CRITICAL);
                if let Some(names) = ext.read::<NameConstraints<'_>>(sink) {
                    if names.permitted_subtrees.is_none() && names.excluded_subtrees.is_none() {
                        sink.find(&list::NAME_CONSTRAINTS_EMPTY, ext.value.offset);
                    }
                    constraints::check(sink, &names);
                }
            }
            36 => {
                ext.always_critical(sink, &list::POLICY_CONSTRAINTS_NOT_CRITICAL);
                if let Some(limits) = ext.read::<PolicyConstraints<'_>>(sink)
                    && limits.require_explicit_policy.is_none()
                    && limits.inhibit_policy_mapping.is_none()
                {
                    sink.find(&list::POLICY_CONSTRAINTS_EMPTY, ext.value.offset);
                }
            }
            37 => {
                if let Some(purposes) = ext.read(sink) {
                    self.purposes = Some((ext, purposes));
                }
            }
            31 => {
                ext.never_critical(sink, &list::POINTS_CRITICAL);
                if let Some(points) = ext.read::<CrlDistributionPoints<'_>>(sink) {
                    distribution::check(sink, &points, PointContext::Certificate(tbs.issuer), ext.value);
                }
            }
            54 => {
                ext.always_critical(sink, &list::INHIBIT_ANY_POLICY_NOT_CRITICAL);
                ext.read::<InhibitAnyPolicy<'_>>(sink);
            }
            46 => {
                ext.never_critical(sink, &list::FRESHEST_CRL_CRITICAL);
                if let Some(points) = ext.read::<FreshestCrl<'_>>(sink) {
                    distribution::check(sink, &points.0, PointContext::Freshest(tbs.issuer), ext.value);
                }
            }
            _ => other(sink, ext),
        }
    }

    /// Checks combinations of extensions and fields.
    fn together(&self, sink: &mut Sink, tbs: &TbsCertificate<'a>, frame: Frame<'a>, email: Option<usize>) {
        let ca = self.basic.is_some_and(|(_, basic)| basic.ca);
        let usage = self.usage.map(|(_, bits)| bits);
        let may = |bit: u64| usage.is_some_and(|bits| bits & bit != 0);
        self.keys(sink, tbs, frame, ca);
        if let Some((ext, bits)) = self.usage {
            if bits & bit::KEY_CERT_SIGN != 0 && !ca {
                sink.find(&list::KEY_CERT_SIGN_WITHOUT_CA, ext.value.offset);
            }
        } else if ca {
            frame.find(sink, &list::CA_WITHOUT_KEY_USAGE, Part::Extensions);
        }
        if let Some((ext, basic)) = self.basic {
            // A CA whose key usage leaves keyCertSign out may leave the extension non-critical.
            if basic.ca && !ext.critical && (usage.is_none() || may(bit::KEY_CERT_SIGN)) {
                sink.find(&list::BASIC_CONSTRAINTS_NOT_CRITICAL, ext.whole.offset);
            }
            if basic.path_len_constraint.is_some() {
                if !basic.ca {
                    sink.find_at(&list::PATH_LEN_WITHOUT_CA, || ext.value.component(0x02));
                }
                if !may(bit::KEY_CERT_SIGN) {
                    sink.find_at(&list::PATH_LEN_WITHOUT_KEY_CERT_SIGN, || ext.value.component(0x02));
                }
            }
        }
        if let Some(ext) = self.name_constraints.filter(|_| !ca) {
            sink.find(&list::NAME_CONSTRAINTS_NOT_CA, ext.whole.offset);
        }
        if let Some(mappings) = &self.mappings {
            policies::mappings(sink, mappings, self.policies);
        }
        if let Some((ext, purposes)) = &self.purposes {
            self.purposes(sink, ext, purposes, ca);
        }
        self.subject(sink, tbs, frame, ca, may(bit::CRL_SIGN));
        if self.policies.is_some() && validity::exceeds_server_limit(&tbs.validity) && validity::has_server_limit(tbs) {
            frame.find(sink, &list::SERVER_VALIDITY, Part::Validity);
        }
        if let Some(at) = email.filter(|_| !self.has_mailbox) {
            sink.find(&list::EMAIL_ONLY_IN_SUBJECT, at);
        }
    }

    /// Checks the authority and subject key identifiers (§4.2.1.1, §4.2.1.2).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn keys(&self, sink: &mut Sink, tbs: &TbsCertificate<'a>, frame: Frame<'a>, ca: bool) {
        // Self-signed certificates may omit it, and a lint cannot tell whether a self-issued certificate is self-signed. The issuer of a
        // Merkle Tree Certificate is an ID that has one key (draft-ietf-plants-merkle-tree-certs-07 §5.3), so that its name identifies the
        // key.
        if !self.has_authority_key && !is_self_issued(tbs) && !has_proof(tbs) {
            match self.nameless {
                Some(ext) => sink.find(&list::NO_AUTHORITY_KEY_IDENTIFIER, ext.value.offset),
                None => frame.find(sink, &list::NO_AUTHORITY_KEY_IDENTIFIER, Part::Extensions),
            }
        }
        // Versions 1 and 2 have no basic constraints, so that they do not say whether the certificate is a CA's (§6.1.4 (k)). Without
        // extensions, version 1 is the right one (§4.1.2.1).
        if !self.has_subject_key && (ca || tbs.version == Version::V3) {
            let lint = if ca { &list::CA_WITHOUT_KEY_IDENTIFIER } else { &list::END_ENTITY_WITHOUT_KEY_IDENTIFIER };
            frame.find(sink, lint, Part::Extensions);
        }
    }

    /// Checks that the subject is named, and in the right place (§4.1.2.6, §4.2.1.6).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn subject(&self, sink: &mut Sink, tbs: &TbsCertificate<'a>, frame: Frame<'a>, ca: bool, signs_crls: bool) {
        if !tbs.subject.is_empty() {
            if let Some(ext) = &self.alt_name {
                ext.never_critical(sink, &list::ALT_NAME_CRITICAL);
            }
            return;
        }
        if ca {
            frame.find(sink, &list::CA_WITHOUT_SUBJECT, Part::Subject);
        }
        if signs_crls {
            frame.find(sink, &list::CRL_ISSUER_WITHOUT_SUBJECT, Part::Subject);
        }
        match &self.alt_name {
            Some(ext) => ext.always_critical(sink, &list::ALT_NAME_NOT_CRITICAL),
            None => frame.find(sink, &list::NO_SUBJECT, Part::Subject),
        }
    }

    /// Checks the purposes, and whether the key usage is consistent with one of them (§4.2.1.12).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn purposes(&self, sink: &mut Sink, ext: &Ext<'a>, purposes: &ExtKeyUsage<'a>, ca: bool) {
        let mut consistent = Some(0);
        let mut any = None;
        each(sink, purposes.0.content(), purposes.0.offset(), |_, purpose: tagwise_codec::Oid<'_>, item| {
            if purpose == oids::ANY_EXTENDED_KEY_USAGE {
                any = Some(item.offset);
            }
            consistent = consistent.zip(consistent_bits(purpose.as_bytes())).map(|(one, other)| one | other);
        });
        if let (Some(at), true) = (any, ext.critical) {
            sink.find(&list::ANY_PURPOSE_CRITICAL, at);
        }
        // In a CA certificate, purposes also restrict the issued certificates.
        if let (Some(consistent), Some((_, bits)), false) = (consistent, self.usage, ca)
            && bits & consistent == 0
        {
            sink.find(&list::NO_CONSISTENT_PURPOSE, ext.value.offset);
        }
    }
}

/// Returns whether issuer and subject are the same name. Different encodings are compared only if necessary.
fn is_self_issued(tbs: &TbsCertificate<'_>) -> bool {
    tbs.issuer.0.content() == tbs.subject.0.content() || tbs.issuer.matches(&tbs.subject)
}

/// Returns whether the certificate has a Merkle Tree Certificate proof instead of a signature.
fn has_proof(tbs: &TbsCertificate<'_>) -> bool {
    matches!(tbs.signature.algorithm, oids::ALG_MTC_PROOF | oids::ALG_MTC_PROOF_06)
}

/// Returns the key usage bits that are consistent with a purpose, or `None` for purposes that §4.2.1.12 does not list.
const fn consistent_bits(purpose: &[u8]) -> Option<u64> {
    use bit::{DIGITAL_SIGNATURE, KEY_AGREEMENT, KEY_ENCIPHERMENT, NON_REPUDIATION};
    match purpose {
        [0x2B, 6, 1, 5, 5, 7, 3, last] => match last {
            1 => Some(DIGITAL_SIGNATURE | KEY_ENCIPHERMENT | KEY_AGREEMENT),
            2 => Some(DIGITAL_SIGNATURE | KEY_AGREEMENT),
            3 => Some(DIGITAL_SIGNATURE),
            4 => Some(DIGITAL_SIGNATURE | NON_REPUDIATION | KEY_ENCIPHERMENT | KEY_AGREEMENT),
            8 | 9 => Some(DIGITAL_SIGNATURE | NON_REPUDIATION),
            _ => None,
        },
        _ => None,
    }
}

/// Checks the key usage bits individually (§4.2.1.3), and returns them.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn key_usage(sink: &mut Sink, usage: &KeyUsage<'_>, ext: Ext<'_>) -> u64 {
    let bits = usage.0.to_mask().unwrap_or(u64::MAX);
    if usage.0.is_empty() {
        sink.find(&list::KEY_USAGE_EMPTY, ext.value.offset);
    }
    if bits & !bit::DEFINED != 0 {
        sink.find(&list::KEY_USAGE_UNDEFINED, ext.value.offset);
    }
    if bits & (bit::ENCIPHER_ONLY | bit::DECIPHER_ONLY) != 0 && bits & bit::KEY_AGREEMENT == 0 {
        sink.find(&list::ONLY_WITHOUT_KEY_AGREEMENT, ext.value.offset);
    }
    bits
}

/// Checks an extension that has no lints except for its criticality.
#[inline(never)]
fn other(sink: &mut Sink, ext: Ext<'_>) {
    match list::CRITICALITY.iter().find(|(id, ..)| id.as_bytes() == ext.id) {
        Some((_, true, lint)) => ext.always_critical(sink, lint),
        Some((_, false, lint)) => ext.never_critical(sink, lint),
        // The extension's standard does not specify the criticality, or the extension is unknown.
        None => ext.unknown_critical(sink, &list::UNKNOWN_CRITICAL_EXTENSION),
    }
    ext.check(sink);
}
