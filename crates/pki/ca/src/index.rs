//! The `openssl ca` database, `index.txt`, which lists all issued certificates with their status.

use std::collections::HashMap;

use tagwise_codec::{Decode, GeneralizedTime};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::CrlReason;

use crate::store::{Elsewhere, Revocation};
use crate::{Error, Serial};

/// The manual that describes the file.
const CLAUSE: &str = "openssl-ca(1)";

/// The certificates in an `index.txt`, with their status.
///
/// ```
/// let text = "V\t280102210037Z\t\t1000\tunknown\t/CN=www.example.org\n\
///             R\t280102210038Z\t261128210038Z,superseded\t1001\tunknown\t/CN=old.example.org\n";
/// let index = tagwise_ca::Index::parse(text)?;
/// assert_eq!((index.issued(), index.revoked()), (2, 1));
/// # Ok::<(), tagwise_ca::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Index {
    issued: Vec<Elsewhere>,
    revoked: Vec<(Serial, Revocation)>,
}

impl Index {
    /// Parses the text, which consists of lines with six tab-separated fields. The last line must be terminated, too: otherwise, the file
    /// is incomplete.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] for a malformed or incomplete line or a duplicate serial number.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut index = Self::default();
        if !text.is_empty() && !text.ends_with('\n') {
            let number = text.lines().count();
            let what = format!("line {number} of the index: it has no line feed at its end, so the file is incomplete");
            return Err(Error::refused(what, CLAUSE));
        }
        let mut seen = HashMap::new();
        for (line, number) in text.lines().zip(1_usize..) {
            // As OpenSSL reads it.
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (certificate, revocation) =
                entry(line).map_err(|what| Error::refused(format!("line {number} of the index: {what}"), CLAUSE))?;
            let serial = certificate.serial.clone();
            if let Some(first) = seen.insert(serial.clone(), number) {
                let what = format!("lines {first} and {number} of the index have the same serial number, {serial}");
                return Err(Error::refused(what, "RFC 5280 §4.1.2.2"));
            }
            index.revoked.extend(revocation.map(|revocation| (serial, revocation)));
            index.issued.push(certificate);
        }
        Ok(index)
    }

    /// Returns the number of certificates.
    #[must_use]
    pub const fn issued(&self) -> usize {
        self.issued.len()
    }

    /// Returns the number of revoked certificates.
    #[must_use]
    pub const fn revoked(&self) -> usize {
        self.revoked.len()
    }

    /// Returns the latest revocation time, or [`UnixTime::MIN`] if no certificate is revoked.
    #[must_use]
    pub fn latest(&self) -> UnixTime {
        self.revoked.iter().map(|(_, revocation)| revocation.at).max().unwrap_or(UnixTime::MIN)
    }

    /// Returns the certificates.
    pub(crate) fn certificates(&self) -> &[Elsewhere] {
        &self.issued
    }

    /// Returns the revocations.
    pub(crate) fn revocations(&self) -> &[(Serial, Revocation)] {
        &self.revoked
    }
}

/// Parses one line: type, expiry, revocation, serial number, file, and subject.
fn entry(line: &str) -> Result<(Elsewhere, Option<Revocation>), String> {
    // As OpenSSL reads it: a tab after a backslash separates nothing.
    let mut escaped = false;
    let is_separator = |char: char| {
        let separates = char == '\t' && !escaped;
        escaped = char == '\\';
        separates
    };
    let fields: Vec<&str> = line.split(is_separator).collect();
    // A line that was cut off has fewer, and its last field may be cut off, too.
    let [kind, expiry, revoked, serial, _file, _subject] = fields.as_slice() else {
        return Err(format!("it has {} fields, expected six separated by tabs", fields.len()));
    };
    let serial: Serial = serial.parse().map_err(|error: Error| error.to_string())?;
    let until = time(expiry)?;
    let certificate = Elsewhere { serial, der: None, validity: Some((UnixTime::MIN, until)) };
    match *kind {
        "V" | "E" if revoked.is_empty() => Ok((certificate, None)),
        "V" => Err(format!("its type is V (valid), but it was revoked at `{}`", revoked.escape_debug())),
        // Other programs mark revoked certificates as expired, too.
        "R" | "E" => Ok((certificate, Some(revocation(revoked)?))),
        other => Err(format!("its type is `{}`, expected V, R or E", other.escape_debug())),
    }
}

/// Parses a revocation, such as `261128210038Z,keyCompromise`. An invalidity date follows `keyTime` and `CAkeyTime`, and an OID
/// follows `holdInstruction`.
fn revocation(field: &str) -> Result<Revocation, String> {
    let mut parts = field.split(',');
    let at = time(parts.next().unwrap_or_default())?;
    let (reason, more) = (parts.next().unwrap_or("unspecified"), parts.next());
    let known = [
        ("unspecified", CrlReason::Unspecified),
        ("keyCompromise", CrlReason::KeyCompromise),
        ("keyTime", CrlReason::KeyCompromise),
        ("CACompromise", CrlReason::CaCompromise),
        ("CAkeyTime", CrlReason::CaCompromise),
        ("affiliationChanged", CrlReason::AffiliationChanged),
        ("superseded", CrlReason::Superseded),
        ("cessationOfOperation", CrlReason::CessationOfOperation),
        ("certificateHold", CrlReason::CertificateHold),
        ("holdInstruction", CrlReason::CertificateHold),
        ("privilegeWithdrawn", CrlReason::PrivilegeWithdrawn),
        ("AACompromise", CrlReason::AaCompromise),
    ];
    let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(reason));
    let (name, reason) = found.ok_or_else(|| format!("unknown revocation reason `{}`", reason.escape_debug()))?;
    let invalid_since = match (*name, more) {
        ("keyTime" | "CAkeyTime", Some(since)) => Some(time(since)?),
        ("keyTime" | "CAkeyTime", None) => return Err(format!("{name} is not followed by a time")),
        _ => None,
    };
    Ok(Revocation { at, reason: *reason, invalid_since })
}

/// Parses a UTCTime or GeneralizedTime in whole seconds.
fn time(text: &str) -> Result<UnixTime, String> {
    let wrong = || format!("`{}` is not a time, expected the form 261128210038Z", text.escape_debug());
    let digits = text.strip_suffix('Z').filter(|digits| digits.bytes().all(|octet| octet.is_ascii_digit()));
    let digits = digits.ok_or_else(wrong)?;
    let full = match digits.len() {
        // RFC 5280 §4.1.2.5.1: 50 to 99 are of the last century.
        12 if digits >= "5" => format!("19{digits}"),
        12 => format!("20{digits}"),
        14 => digits.to_owned(),
        _ => return Err(wrong()),
    };
    let content = format!("{full}Z");
    let der = [&[0x18, 15], content.as_bytes()].concat();
    let time = GeneralizedTime::from_der(&der).map_err(|_not_a_date| wrong())?;
    Ok(time.unix())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_openssl() {
        let text = "# comment\n\
            V\t280102210037Z\t\t1000\tunknown\t/CN=a\n\
            E\t210102210037Z\t\t0FFF\tunknown\t/CN=b\n\
            R\t280102210038Z\t261128210038Z,keyTime,20261101000000Z\t1001\tunknown\t/CN=c\n\
            R\t20601231235959Z\t261128210038Z\t1002\tunknown\t/CN=d\n\
            R\t280102210038Z\t261128210038Z,holdInstruction,holdInstructionNone\t1003\tunknown\t/CN=e\n\
            E\t210102210037Z\t201128210038Z,superseded\t1004\tunknown\t/CN=f\n";
        let index = Index::parse(text).unwrap();
        assert_eq!((index.issued(), index.revoked()), (6, 4));
        let at = UnixTime(1_795_899_638);
        let since = Some(UnixTime(1_793_491_200));
        let expired = UnixTime(1_606_597_238);
        let reasons: Vec<_> =
            index.revocations().iter().map(|(serial, revocation)| (serial.to_string(), *revocation)).collect();
        assert_eq!(
            reasons,
            [
                ("1001".to_owned(), Revocation { at, reason: CrlReason::KeyCompromise, invalid_since: since }),
                ("1002".to_owned(), Revocation { at, reason: CrlReason::Unspecified, invalid_since: None }),
                ("1003".to_owned(), Revocation { at, reason: CrlReason::CertificateHold, invalid_since: None }),
                ("1004".to_owned(), Revocation { at: expired, reason: CrlReason::Superseded, invalid_since: None }),
            ]
        );
        let until: Vec<_> = index.certificates().iter().map(|one| one.validity.unwrap().1.0).collect();
        assert_eq!(until[1..4], [1_609_621_237, 1_830_459_638, 2_871_763_199]);
    }

    #[test]
    fn malformed_lines() {
        for line in [
            "V",
            "X\t280102210037Z\t\t1000\tunknown\t/CN=a",
            "V\t28010221003Z\t\t1000\tunknown\t/CN=a",
            "V\t281302210037Z\t\t1000\tunknown\t/CN=a",
            "V\t280102210037Z\t\tzz\tunknown\t/CN=a",
            "R\t280102210037Z\t\t1000\tunknown\t/CN=a",
            "R\t280102210037Z\t261128210038Z,luck\t1000\tunknown\t/CN=a",
            "R\t280102210037Z\t261128210038Z,removeFromCRL\t1000\tunknown\t/CN=a",
            "R\t280102210037Z\t261128210038Z,keyTime\t1000\tunknown\t/CN=a",
            "V\t280102210037Z\t261128210038Z\t1000\tunknown\t/CN=a",
            "V\t280102210037Z\t\t1000\tunknown\t/CN=a\nV\t280102210037Z\t\t1000\tunknown\t/CN=b",
        ] {
            assert!(Index::parse(&format!("{line}\n")).is_err(), "{line}");
        }
    }

    /// However a file is cut off, the lines that are left are not taken for all, unless the cut is between lines.
    #[test]
    fn incomplete_files() {
        let first = "V\t280102210037Z\t\t1000\tunknown\t/CN=a\n";
        let whole = format!("{first}R\t280102210038Z\t261128210038Z\t1001\tunknown\t/CN=b\n");
        for len in 1..whole.len() {
            let read = Index::parse(&whole[..len]);
            if len == first.len() {
                assert_eq!(read.unwrap().issued(), 1);
            } else {
                let number = if len < first.len() { 1 } else { 2 };
                let error = read.unwrap_err().to_string();
                assert!(error.starts_with(&format!("line {number} of the index: it has no line feed")), "{error}");
            }
        }
        // Cut off within a line, before other lines.
        let cut = format!("V\t280102210037Z\t\t10\n{first}");
        let error = Index::parse(&cut).unwrap_err().to_string();
        assert_eq!(error, "line 1 of the index: it has 4 fields, expected six separated by tabs (openssl-ca(1))");
        assert!(Index::parse(&first.replace("\n", "\tmore\n")).is_err());
        // A tab in a subject is escaped, and a file may have CRLF.
        assert_eq!(Index::parse(&first.replace("/CN=a\n", "/CN=a\\\tb\r\n")).unwrap().issued(), 1);
        assert_eq!(Index::parse("").unwrap().issued(), 0);
    }
}
