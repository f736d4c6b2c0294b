//! A certificate's compact index, in 136 bytes: the positions of frequently used fields, and the fingerprint.

use sha2::{Digest as _, Sha256};
use tagwise_codec::{Error, Options, Rule, RuleSet};

use tagwise_pkix::ext::{AuthorityKeyIdentifier, BasicConstraints, GeneralName, KnownExtension, SubjectKeyIdentifier};
use tagwise_pkix::name::Name;
use tagwise_pkix::{Certificate, CertificateView, Extensions, UnixTime, Version, is_authority, profile};

/// The positions of the certificate fields that a store needs, and the fingerprint. It does not borrow the certificate, whose
/// bytes must be passed to access the fields.
///
/// The top-level structure was checked as in [`CertificateView`], strictly or, if that failed, with all deviations
/// tolerated. Malformed extensions count as absent.
///
/// ```no_run
/// use tagwise_store::Record;
/// let der = std::fs::read("certificate.der")?;
/// let record = Record::read(&der)?;
/// println!("{} until {}", record.subject(&der).oneline(), record.not_after());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    fingerprint: [u8; 32],
    not_before: UnixTime,
    not_after: UnixTime,
    serial: Span,
    issuer: Span,
    subject: Span,
    subject_key: Span,
    authority_key: Span,
    authority_issuer: Span,
    authority_serial: Span,
    flags: u8,
}

/// The position and length of a part of the certificate. Spans of names cover the content bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: u32,
    len: u32,
}

/// Flag: the certificate has a subject key identifier.
const SUBJECT_KEY: u8 = 1;
const AUTHORITY_KEY: u8 = 2;
/// Flag: the authority key identifier contains an issuer and serial number.
const AUTHORITY_SERIAL: u8 = 4;
/// Flag: the certificate is a CA certificate.
const AUTHORITY: u8 = 16;
/// Flag: the top-level structure could only be read by tolerating deviations.
const LAX: u8 = 32;

impl Span {
    /// Returns the span of a part of the bytes, or an empty span for a part that does not lie within them.
    fn of(der: &[u8], part: &[u8]) -> Self {
        let start = (part.as_ptr() as usize).wrapping_sub(der.as_ptr() as usize);
        if start.checked_add(part.len()).is_none_or(|end| end > der.len()) {
            return Self::default();
        }
        Self { start: start as u32, len: part.len() as u32 }
    }

    fn octets(self, der: &[u8]) -> &[u8] {
        der.get(self.start as usize..).and_then(|rest| rest.get(..self.len as usize)).unwrap_or_default()
    }
}

impl Record {
    /// Indexes a certificate's top-level structure and the extensions used for path building, and computes the fingerprint.
    ///
    /// # Errors
    /// Returns an error if the top-level structure cannot be decoded even with all deviations tolerated.
    pub fn read(der: &[u8]) -> Result<Self, Error> {
        Self::with_fingerprint(der, Sha256::digest(der).into())
    }

    /// Indexes a certificate whose SHA-256 hash is known, like [`Record::read`].
    ///
    /// # Errors
    /// Returns any error from [`Record::read`].
    pub fn with_fingerprint(der: &[u8], fingerprint: [u8; 32]) -> Result<Self, Error> {
        match CertificateView::outline(der) {
            Ok(outline) => Ok(Self::of_parts(
                der,
                fingerprint,
                &Parts {
                    serial: outline.serial_number().0.as_bytes(),
                    issuer: outline.issuer(),
                    subject: outline.subject(),
                    version: outline.version(),
                    not_before: outline.not_before().unix(),
                    not_after: outline.not_after().unix(),
                    extensions: outline.extensions(),
                    flags: 0,
                },
            )),
            Err(error) => Self::lax(der, fingerprint).ok_or(error),
        }
    }

    #[cold]
    fn lax(der: &[u8], fingerprint: [u8; 32]) -> Option<Self> {
        let certificate =
            Options::der().rules(every_rule()).parts(RuleSet::NONE).outline::<Certificate<'_>>(der).ok()?.value;
        let tbs = &certificate.tbs_certificate;
        let parts = Parts {
            serial: tbs.serial_number.0.as_bytes(),
            issuer: tbs.issuer,
            subject: tbs.subject,
            version: tbs.version,
            not_before: tbs.validity.not_before.unix(),
            not_after: tbs.validity.not_after.unix(),
            extensions: tbs.extensions,
            flags: LAX,
        };
        Some(Self::of_parts(der, fingerprint, &parts))
    }

    fn of_parts(der: &[u8], fingerprint: [u8; 32], parts: &Parts<'_>) -> Self {
        let name = |name: &Name<'_>| Span::of(der, name.0.content().unwrap_or_default());
        let mut record = Self {
            fingerprint,
            not_before: parts.not_before,
            not_after: parts.not_after,
            serial: Span::of(der, parts.serial),
            issuer: name(&parts.issuer),
            subject: name(&parts.subject),
            subject_key: Span::default(),
            authority_key: Span::default(),
            authority_issuer: Span::default(),
            authority_serial: Span::default(),
            flags: parts.flags,
        };
        let mut ca = None;
        for extension in parts.extensions.iter().flat_map(Extensions::iter).map_while(Result::ok) {
            let value = &extension.extn_value;
            if extension.extn_id == SubjectKeyIdentifier::ID {
                if let Ok(id) = value.decode_as::<SubjectKeyIdentifier<'_>>() {
                    record.subject_key = Span::of(der, id.0.as_bytes());
                    record.flags |= SUBJECT_KEY;
                }
            } else if extension.extn_id == AuthorityKeyIdentifier::ID {
                if let Ok(id) = value.decode_as::<AuthorityKeyIdentifier<'_>>() {
                    record.authority(der, &id);
                }
            } else if extension.extn_id == BasicConstraints::ID
                && let Ok(constraints) = value.decode_as::<BasicConstraints<'_>>()
            {
                ca = Some(constraints.ca);
            }
        }
        if is_authority(parts.version, ca, || parts.issuer.matches(&parts.subject)) {
            record.flags |= AUTHORITY;
        }
        record
    }

    fn authority(&mut self, der: &[u8], id: &AuthorityKeyIdentifier<'_>) {
        if let Some(key) = id.key_identifier {
            self.authority_key = Span::of(der, key.as_bytes());
            self.flags |= AUTHORITY_KEY;
        }
        if let (Some(names), Some(serial)) = (&id.authority_cert_issuer, id.authority_cert_serial_number) {
            let directory = names.iter().map_while(Result::ok).find_map(|name| match name {
                GeneralName::DirectoryName(name) => Some(name),
                _ => None,
            });
            if let Some(name) = directory {
                self.authority_issuer = Span::of(der, name.0.content().unwrap_or_default());
                self.authority_serial = Span::of(der, serial.0.as_bytes());
                self.flags |= AUTHORITY_SERIAL;
            }
        }
    }

    /// Returns the certificate's SHA-256 hash.
    #[must_use]
    pub const fn fingerprint(&self) -> &[u8; 32] {
        &self.fingerprint
    }

    /// Returns `notBefore`.
    #[must_use]
    pub const fn not_before(&self) -> UnixTime {
        self.not_before
    }

    /// Returns `notAfter`.
    #[must_use]
    pub const fn not_after(&self) -> UnixTime {
        self.not_after
    }

    /// Returns the serial number, in two's complement.
    #[must_use]
    pub fn serial<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.serial.octets(der)
    }

    /// Returns the issuer's distinguished name.
    #[must_use]
    pub fn issuer<'a>(&self, der: &'a [u8]) -> Name<'a> {
        name_of(self.issuer, der)
    }

    /// Returns the subject's distinguished name.
    #[must_use]
    pub fn subject<'a>(&self, der: &'a [u8]) -> Name<'a> {
        name_of(self.subject, der)
    }

    /// Returns the subject key identifier, if present.
    #[must_use]
    pub fn subject_key_identifier<'a>(&self, der: &'a [u8]) -> Option<&'a [u8]> {
        self.has(SUBJECT_KEY).then(|| self.subject_key.octets(der))
    }

    /// Returns the key identifier in the authority key identifier extension, if present.
    #[must_use]
    pub fn authority_key_identifier<'a>(&self, der: &'a [u8]) -> Option<&'a [u8]> {
        self.has(AUTHORITY_KEY).then(|| self.authority_key.octets(der))
    }

    /// Returns the issuer and serial number in the authority key identifier extension, if present. They identify the issuer's
    /// certificate.
    #[must_use]
    pub fn authority_issuer_and_serial<'a>(&self, der: &'a [u8]) -> Option<(Name<'a>, &'a [u8])> {
        self.has(AUTHORITY_SERIAL).then(|| (name_of(self.authority_issuer, der), self.authority_serial.octets(der)))
    }

    /// Returns whether the certificate is a CA certificate: see [`Certificate::is_authority`].
    #[must_use]
    pub const fn is_authority(&self) -> bool {
        self.has(AUTHORITY)
    }

    /// Returns whether the top-level structure could only be read by tolerating deviations.
    #[must_use]
    pub const fn is_lax(&self) -> bool {
        self.has(LAX)
    }

    pub(super) fn issuer_octets<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.issuer.octets(der)
    }

    pub(super) fn subject_octets<'a>(&self, der: &'a [u8]) -> &'a [u8] {
        self.subject.octets(der)
    }

    const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

struct Parts<'a> {
    serial: &'a [u8],
    issuer: Name<'a>,
    subject: Name<'a>,
    version: Version,
    not_before: UnixTime,
    not_after: UnixTime,
    extensions: Option<Extensions<'a>>,
    flags: u8,
}

fn name_of(span: Span, der: &[u8]) -> Name<'_> {
    Name(tagwise_codec::SeqOf::deferred(span.octets(der), span.start as usize))
}

/// Returns all decoding rules.
fn every_rule() -> RuleSet {
    Rule::ALL.iter().chain(profile::ALL).fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}
