//! Certificates and CRLs as OpenSSL prints them: the library's text, put on an output.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};

use tagwise_codec::RuleSet;
use tagwise_kind::Kind;
use tagwise_pkix::name::visible;
use tagwise_pkix::{Bundle, Certificate, CertificateList};
use tagwise_source::Problem;
use tagwise_source::{Content, Item};
use tagwise_text::openssl::{self, TrustSettings};

use crate::report::{Read, read};

/// Result of printing an item.
pub struct Shown {
    /// Set if it is a certificate or a CRL.
    pub known: bool,
    /// Its error; what can be read is written all the same.
    pub error: Option<String>,
}

/// Writes an item, if it is a certificate or a CRL.
pub fn write(item: &Item<'_>, rules: RuleSet, out: &mut dyn Write) -> io::Result<Shown> {
    let known = matches!(item.content, Content::Kind(Kind::Certificate | Kind::CertificateList | Kind::Cms));
    if let Some(problem) = &item.problem {
        return Ok(Shown { known: true, error: Some(problem.line()) });
    }
    let mut sink = Sink { out, error: None, is_terminal: io::stdout().is_terminal() };
    let (problem, written) = match item.content {
        Content::Kind(Kind::Certificate) => {
            let Read { value, problem, .. } = read::<Certificate<'_>>(&item.der, rules);
            (problem, value.map_or(Ok(()), |value| openssl::certificate(&value, &mut sink)))
        }
        Content::Kind(Kind::CertificateList) => {
            let Read { value, problem, .. } = read::<CertificateList<'_>>(&item.der, rules);
            (problem, value.map_or(Ok(()), |value| openssl::list(&value, &mut sink)))
        }
        // The certificates and CRLs in signed data, as `openssl pkcs7 -print_certs -text` has them; those of PKCS #12 files are
        // items of their own.
        Content::Kind(Kind::Cms) => {
            let written = Bundle::read(&item.der).map_or(Ok(()), |bundle| all(&bundle, rules, &mut sink));
            (None, written)
        }
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

fn all(bundle: &Bundle<'_>, rules: RuleSet, sink: &mut Sink<'_>) -> fmt::Result {
    for der in bundle.certificates() {
        read::<Certificate<'_>>(der, rules).value.map_or(Ok(()), |value| openssl::certificate(&value, sink))?;
    }
    for der in bundle.lists() {
        read::<CertificateList<'_>>(der, rules).value.map_or(Ok(()), |value| openssl::list(&value, sink))?;
    }
    Ok(())
}

/// Takes text; on a terminal, control characters but line breaks are made visible.
struct Sink<'w> {
    out: &'w mut dyn Write,
    error: Option<io::Error>,
    is_terminal: bool,
}

impl fmt::Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut write = || {
            if !self.is_terminal {
                return self.out.write_all(text.as_bytes());
            }
            for line in text.split_inclusive('\n') {
                let end = line.strip_suffix('\n');
                write!(self.out, "{}{}", visible(end.unwrap_or(line)), if end.is_some() { "\n" } else { "" })?;
            }
            Ok(())
        };
        write().map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
