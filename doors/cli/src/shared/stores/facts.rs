//! Facts about one certificate, CRL or log entry: strictness, fingerprint and fields.

use sha2::{Digest, Sha256};
use tagwise_codec::{CivilTime, Decode, Deviation, Error, Options, RuleSet};
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::{Certificate, CertificateList, KeyInfo, TbsCertificateLogEntry, UnixTime, lint};
use tagwise_store::{ContentsItem, ContentsKind};

use crate::shared::rules::every;

/// The result of decoding a certificate or CRL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// The item is strictly encoded.
    Strict,
    /// The item deviates from named rules, but is readable.
    Deviates,
    /// The item's outer structure is readable, but some part is not.
    Malformed,
    /// The item could not be read at all.
    Unreadable,
}

impl State {
    pub(crate) const ALL: [Self; 4] = [Self::Strict, Self::Deviates, Self::Malformed, Self::Unreadable];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Deviates => "deviates",
            Self::Malformed => "malformed",
            Self::Unreadable => "unreadable",
        }
    }
}

/// The position of a time relative to the validity period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    Valid,
    Expired,
    NotYetValid,
}

impl Status {
    pub(crate) const ALL: [Self; 3] = [Self::Valid, Self::Expired, Self::NotYetValid];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::NotYetValid => "not-yet-valid",
        }
    }
}

/// A decoded certificate, CRL or log entry.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Certificate(Certificate<'a>),
    Crl(CertificateList<'a>),
    LogEntry(TbsCertificateLogEntry<'a>),
    Nothing,
}

/// The facts about one certificate, CRL or log entry.
pub(crate) struct Facts<'a> {
    /// The file name.
    pub(crate) file: &'a str,
    pub(crate) item: ContentsItem<'a>,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) value: Value<'a>,
    pub(crate) state: State,
    /// True if the certificate or CRL is strictly encoded, or deviates only from rules that the user allows.
    pub(crate) sound: bool,
    /// The first error in strict decoding.
    pub(crate) error: Option<Error>,
    /// All tolerated deviations.
    pub(crate) deviations: Vec<Deviation>,
    /// The lint findings, in offset order.
    pub(crate) lints: lint::Findings,
}

/// The criteria for judging items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    /// The rules that the user allows to be violated.
    pub(crate) allowed: RuleSet,
    /// The time at which validity periods are checked.
    pub(crate) now: UnixTime,
    /// The selected lints.
    pub(crate) lints: lint::Options,
}

impl Judge {
    /// Reads an item strictly or, if that fails, as tolerantly as necessary.
    pub(crate) fn facts<'a>(&self, file: &'a str, item: ContentsItem<'a>) -> Facts<'a> {
        let mut facts = Facts {
            file,
            item,
            fingerprint: Sha256::digest(item.der).into(),
            value: Value::Nothing,
            state: State::Strict,
            sound: true,
            error: None,
            deviations: Vec::new(),
            lints: lint::Findings::default(),
        };
        match item.kind {
            ContentsKind::Certificate => match Certificate::from_der(item.der) {
                Ok(certificate) => facts.value = Value::Certificate(certificate),
                Err(error) => self.again(&mut facts, error, Value::Certificate),
            },
            ContentsKind::Crl => match CertificateList::from_der(item.der) {
                Ok(list) => facts.value = Value::Crl(list),
                Err(error) => self.again(&mut facts, error, Value::Crl),
            },
            ContentsKind::LogEntry => match TbsCertificateLogEntry::from_der(item.der) {
                Ok(entry) => facts.value = Value::LogEntry(entry),
                Err(error) => self.again(&mut facts, error, Value::LogEntry),
            },
        }
        facts.lints = match &facts.value {
            Value::Certificate(certificate) => lint::certificate(certificate, &self.lints).sorted(),
            Value::Crl(list) => lint::crl(list, &self.lints).sorted(),
            Value::LogEntry(_) | Value::Nothing => lint::Findings::default(),
        };
        facts
    }

    #[cold]
    fn again<'a, T: Decode<'a>>(&self, facts: &mut Facts<'a>, error: Error, wrap: fn(T) -> Value<'a>) {
        let options = Options::der().rules(every()).parts(RuleSet::NONE);
        facts.error = Some(error);
        match options.decode::<T>(facts.item.der) {
            Ok(read) => {
                facts.state = State::Deviates;
                facts.sound = read.deviations.iter().all(|deviation| self.allowed.has(deviation.rule));
                facts.deviations = read.deviations;
                facts.value = wrap(read.value);
            }
            Err(_) => {
                facts.sound = false;
                match options.outline::<T>(facts.item.der) {
                    Ok(read) => {
                        facts.state = State::Malformed;
                        facts.deviations = read.deviations;
                        facts.value = wrap(read.value);
                    }
                    Err(_) => facts.state = State::Unreadable,
                }
            }
        }
    }

    /// Returns whether a certificate or CRL is valid, expired or not yet valid at the judge's time. A CRL expires at its next update.
    pub(crate) fn status(&self, facts: &Facts<'_>) -> Option<Status> {
        let (from, until) = (facts.not_before()?.unix(), facts.not_after().map_or(UnixTime::MAX, |time| time.unix()));
        Some(match self.now {
            now if now < from => Status::NotYetValid,
            now if now > until => Status::Expired,
            _ => Status::Valid,
        })
    }
}

impl<'a> Facts<'a> {
    pub(crate) const fn certificate(&self) -> Option<&Certificate<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate),
            _ => None,
        }
    }

    pub(crate) const fn kind(&self) -> &'static str {
        match self.item.kind {
            ContentsKind::Certificate => "certificate",
            ContentsKind::Crl => "crl",
            ContentsKind::LogEntry => "log-entry",
        }
    }

    pub(crate) fn not_before(&self) -> Option<CivilTime> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.tbs_certificate.validity.not_before.civil()),
            Value::Crl(list) => Some(list.tbs_cert_list.this_update.civil()),
            Value::LogEntry(entry) => Some(entry.validity.not_before.civil()),
            Value::Nothing => None,
        }
    }

    pub(crate) fn not_after(&self) -> Option<CivilTime> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.tbs_certificate.validity.not_after.civil()),
            Value::Crl(list) => list.tbs_cert_list.next_update.map(|time| time.civil()),
            Value::LogEntry(entry) => Some(entry.validity.not_after.civil()),
            Value::Nothing => None,
        }
    }

    pub(crate) fn subject(&self) -> Option<tagwise_pkix::Name<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.tbs_certificate.subject),
            Value::LogEntry(entry) => Some(entry.subject),
            Value::Crl(_) | Value::Nothing => None,
        }
    }

    pub(crate) fn issuer(&self) -> Option<tagwise_pkix::Name<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.tbs_certificate.issuer),
            Value::Crl(list) => Some(list.tbs_cert_list.issuer),
            Value::LogEntry(entry) => Some(entry.issuer),
            Value::Nothing => None,
        }
    }

    pub(crate) fn key(&self) -> Option<KeyInfo> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.tbs_certificate.subject_public_key_info.info()),
            Value::LogEntry(entry) => Some(entry.key_info()),
            Value::Crl(_) | Value::Nothing => None,
        }
    }

    /// Returns the common name of the signature algorithm.
    pub(crate) fn signature(&self) -> Option<&'static str> {
        let algorithm = match &self.value {
            Value::Certificate(certificate) => &certificate.tbs_certificate.signature,
            Value::Crl(list) => &list.tbs_cert_list.signature,
            Value::LogEntry(_) | Value::Nothing => return None,
        };
        Some(algorithm.short_name().unwrap_or("unknown"))
    }

    /// Returns the version, counted from 1.
    pub(crate) fn version(&self) -> Option<u64> {
        match &self.value {
            Value::Certificate(certificate) => Some(u64::from(certificate.tbs_certificate.version.0) + 1),
            Value::Crl(list) => Some(list.tbs_cert_list.version.map_or(1, |version| u64::from(version.0) + 1)),
            Value::LogEntry(entry) => Some(u64::from(entry.version.0) + 1),
            Value::Nothing => None,
        }
    }

    pub(crate) fn serial(&self) -> Option<String> {
        self.certificate().map(|certificate| certificate.tbs_certificate.serial_number.hex().to_string())
    }

    /// Returns whether the certificate is a CA certificate, or `false` if its extensions cannot be decoded.
    pub(crate) fn ca(&self) -> Option<bool> {
        Some(self.certificate()?.is_authority().unwrap_or(false))
    }

    /// Returns the subject's DNS names.
    pub(crate) fn dns_names(&self) -> Vec<&'a str> {
        let extensions = match &self.value {
            Value::Certificate(certificate) => certificate.tbs_certificate.extensions,
            Value::LogEntry(entry) => entry.extensions,
            Value::Crl(_) | Value::Nothing => None,
        };
        let names = extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
        names.map(|names| names.dns_names().collect()).unwrap_or_default()
    }
}
