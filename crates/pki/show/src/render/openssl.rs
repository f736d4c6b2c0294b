//! Writes certificates and CRLs in OpenSSL's format.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use tagwise_codec::RuleSet;
use tagwise_input::Problem;
use tagwise_input::ValueKind;
use tagwise_input::{Content, InputItem};
use tagwise_pkix::cms::ContentInfo;
use tagwise_pkix::{Bundle, Certificate, CertificateList};
use tagwise_text::openssl::{self, TrustSettings};

use crate::lens::{Read, problem_in, read};

/// The result of printing an item.
pub struct Shown {
    /// True if the item is a certificate or CRL.
    pub known: bool,
    /// The item's error. The readable part was written nevertheless.
    pub error: Option<String>,
}

/// Writes an item if it is a certificate or CRL.
pub fn write(item: &InputItem<'_>, rules: RuleSet, out: &mut dyn Write) -> io::Result<Shown> {
    let known =
        matches!(item.content, Content::Kind(ValueKind::Certificate | ValueKind::CertificateList | ValueKind::Cms));
    if let Some(problem) = &item.problem {
        return Ok(Shown { known: true, error: Some(problem.line()) });
    }
    let mut sink = Sink { out, error: None };
    let (problem, written) = match item.content {
        Content::Kind(ValueKind::Certificate) => {
            let Read { value, problem, .. } = read::<Certificate<'_>>(&item.der, rules);
            (problem, value.map_or(Ok(()), |value| openssl::certificate(&value, &mut sink)))
        }
        Content::Kind(ValueKind::CertificateList) => {
            let Read { value, problem, .. } = read::<CertificateList<'_>>(&item.der, rules);
            (problem, value.map_or(Ok(()), |value| openssl::list(&value, &mut sink)))
        }
        // The certificates and CRLs in signed data, as `openssl pkcs7 -print_certs -text` has them; those of PKCS #12 files are
        // items of their own.
        Content::Kind(ValueKind::Cms) => match Bundle::read(&item.der) {
            Ok(bundle) => all(&bundle, rules, &mut sink),
            Err(error) => (Some(problem_in::<ContentInfo<'_>>(&error, &item.der)), Ok(())),
        },
        // Behind the certificate that they are about.
        Content::Trust => (None, TrustSettings::read(&item.der).map_or(Ok(()), |settings| write!(sink, "{settings}"))),
        Content::Kind(_) | Content::C509 | Content::Other(_) | Content::Nothing => (None, Ok(())),
    };
    match (written, sink.error) {
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(io::Error::other(error)),
        (Ok(()), _) => Ok(Shown { known, error: problem.as_ref().map(Problem::line) }),
    }
}

/// Writes the certificates and CRLs of a message. Returns the first decoding error, if any.
fn all(bundle: &Bundle<'_>, rules: RuleSet, sink: &mut Sink<'_>) -> (Option<Problem>, fmt::Result) {
    let mut first = None;
    let mut write = || {
        for der in bundle.certificates() {
            let Read { value, problem, .. } = read::<Certificate<'_>>(der, rules);
            first = first.take().or(problem);
            value.map_or(Ok(()), |value| openssl::certificate(&value, sink))?;
        }
        for der in bundle.lists() {
            let Read { value, problem, .. } = read::<CertificateList<'_>>(der, rules);
            first = first.take().or(problem);
            value.map_or(Ok(()), |value| openssl::list(&value, sink))?;
        }
        Ok(())
    };
    let written = write();
    (first, written)
}

/// A writer that keeps the underlying error. The library has already made the text safe to print.
struct Sink<'w> {
    out: &'w mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
