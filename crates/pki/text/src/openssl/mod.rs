//! Certificates and CRLs as printed by `openssl x509 -text -noout` and `openssl crl -text -noout`.
//!
//! The layout follows OpenSSL [`VERSION`], and tests compare it to the command's output. Values are parsed leniently,
//! as in OpenSSL: unreadable and unknown extensions are printed as bytes. There are two differences: invalid UTF-8
//! becomes U+FFFD, and OpenSSL's details of a key loading error, which include a thread number, are omitted.
//!
//! Control characters, bidirectional controls and invisible characters are escaped as in OpenSSL names: `\1B`. OpenSSL
//! prints some of them unescaped.

mod access;
mod admission;
mod constraints;
mod extension;
mod general;
mod key;
mod objects;
mod octets;
mod points;
mod policies;
mod rare;
mod resources;
mod sct;
mod signature;
mod trust;
mod walk;

use core::fmt::{self, Write};

use tagwise_codec::encode;

use crate::openssl::octets::{Guard, colons, dump, magnitude, time};
use crate::openssl::walk::Seq;
use tagwise_pkix::alg::AlgorithmIdentifier;
use tagwise_pkix::cert::{Certificate, Extensions};
use tagwise_pkix::crl::CertificateList;

pub use trust::TrustSettings;

/// The OpenSSL version whose output is reproduced. Changes in 3.2 and later (UTF-8 names, more extensions) are not
/// included.
pub const VERSION: &str = "3.0";

/// Writes a certificate in the format of `openssl x509 -text -noout`.
///
/// The certificate may have been decoded tolerantly, or as an outline (only its top-level structure), because its parts are
/// parsed again here.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_pkix::Certificate;
/// use tagwise_text::openssl;
/// let der = std::fs::read("certificate.der")?;
/// let certificate = Certificate::outline(&der)?;
/// let mut text = String::new();
/// openssl::certificate(&certificate, &mut text)?;
/// assert!(text.starts_with("Certificate:\n    Data:\n        Version: "));
/// assert_eq!(text, openssl::OpensslText::openssl_text(&certificate).to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns any error from the writer.
pub fn certificate(certificate: &Certificate<'_>, out: &mut dyn Write) -> fmt::Result {
    let out: &mut dyn Write = &mut Guard(out);
    let tbs = &certificate.tbs_certificate;
    let version = tbs.version.0;
    out.write_str("Certificate:\n    Data:\n")?;
    match version {
        0..=2 => writeln!(out, "        Version: {} (0x{version:x})", version + 1)?,
        _ => writeln!(out, "        Version: Unknown ({version})")?,
    }
    out.write_str("        Serial Number:")?;
    serial(tbs.serial_number.as_bytes(), out)?;
    out.write_str("    ")?;
    signature::algorithm(&tbs.signature, out)?;
    writeln!(out, "        Issuer: {}", tbs.issuer.openssl_oneline())?;
    out.write_str("        Validity\n            Not Before: ")?;
    time(&tbs.validity.not_before, out)?;
    out.write_str("\n            Not After : ")?;
    time(&tbs.validity.not_after, out)?;
    writeln!(out, "\n        Subject: {}", tbs.subject.openssl_oneline())?;
    out.write_str("        Subject Public Key Info:\n            Public Key Algorithm: ")?;
    objects::long(tbs.subject_public_key_info.algorithm.algorithm.as_bytes(), out)?;
    out.write_str("\n")?;
    key::public_key(&tbs.subject_public_key_info, out)?;
    for (title, id) in [("Issuer", &tbs.issuer_unique_id), ("Subject", &tbs.subject_unique_id)] {
        if let Some(id) = id {
            // OpenSSL ends no line here.
            write!(out, "        {title} Unique ID: ")?;
            dump(id.as_bytes(), 12, out)?;
        }
    }
    extensions("X509v3 extensions", tbs.extensions.as_ref(), out)?;
    signature::whole(&certificate.signature_algorithm, certificate.signature_value.as_bytes(), out)
}

/// Writes a CRL in the format of `openssl crl -text -noout`.
///
/// # Errors
/// Returns any error from the writer.
pub fn list(list: &CertificateList<'_>, out: &mut dyn Write) -> fmt::Result {
    let out: &mut dyn Write = &mut Guard(out);
    let tbs = &list.tbs_cert_list;
    out.write_str("Certificate Revocation List (CRL):\n")?;
    match tbs.version.map_or(0, |version| version.0) {
        version @ 0..=1 => writeln!(out, "        Version {} (0x{version:x})", version + 1)?,
        version => writeln!(out, "        Version unknown ({version})")?,
    }
    // The inner and outer algorithm are equal in a CRL that decodes. OpenSSL prints the outer one.
    out.write_str("    ")?;
    signature::algorithm(&list.signature_algorithm, out)?;
    writeln!(out, "        Issuer: {}", tbs.issuer.openssl_oneline())?;
    out.write_str("        Last Update: ")?;
    time(&tbs.this_update, out)?;
    out.write_str("\n        Next Update: ")?;
    match &tbs.next_update {
        Some(next) => time(next, out)?,
        None => out.write_str("NONE")?,
    }
    out.write_str("\n")?;
    extensions("CRL extensions", tbs.crl_extensions.as_ref(), out)?;
    match &tbs.revoked_certificates {
        Some(entries) if !entries.is_empty() => {
            out.write_str("Revoked Certificates:\n")?;
            match entries.content() {
                Some(content) => entries_of(content, out)?,
                None => entries_of(Seq::whole(&encode(entries).unwrap_or_default()).map_or(&[], |seq| seq.0), out)?,
            }
        }
        _ => out.write_str("No Revoked Certificates.\n")?,
    }
    signature::whole(&list.signature_algorithm, list.signature_value.as_bytes(), out)
}

/// Writes the entries of a CRL. They are parsed again, because their extensions need not decode.
fn entries_of(content: &[u8], out: &mut dyn Write) -> fmt::Result {
    let mut entries = Seq(content);
    let mut scratch = String::new();
    while let Some(entry) = entries.next() {
        let mut entry = Seq(entry.content);
        let (Some(serial), Some(date)) = (entry.next(), entry.next()) else { break };
        out.write_str("    Serial Number: ")?;
        octets::serial(serial.content, out)?;
        out.write_str("\n        Revocation Date: ")?;
        octets::time_of(date.tag, date.content, out)?;
        out.write_str("\n")?;
        if let Some(list) = entry.next() {
            extension::list("CRL entry extensions", list.content, &mut scratch, out)?;
        }
    }
    Ok(())
}

/// Writes the serial number after `Serial Number:`.
fn serial(content: &[u8], out: &mut dyn Write) -> fmt::Result {
    let (negative, number) = magnitude(content);
    // A number that fits in a `long`. OpenSSL mistakes -1 for an error, and prints it like a large number.
    let small = (number.len() <= 8).then(|| number.iter().fold(0, |sum: u64, octet| sum << 8 | u64::from(*octet)));
    let small = small.filter(|small| *small <= i64::MAX as u64 && !(negative && *small == 1));
    match small {
        Some(small) => {
            let sign = if negative { "-" } else { "" };
            writeln!(out, " {sign}{small} ({sign}0x{small:x})")
        }
        None => {
            write!(out, "\n            {}", if negative { " (Negative)" } else { "" })?;
            colons(&number, out)?;
            out.write_str("\n")
        }
    }
}

fn extensions(title: &str, extensions: Option<&Extensions<'_>>, out: &mut dyn Write) -> fmt::Result {
    let Some(extensions) = extensions else { return Ok(()) };
    let mut scratch = String::new();
    match extensions.as_seq_of().content() {
        Some(content) => extension::list(title, content, &mut scratch, out),
        None => {
            let der = encode(extensions).unwrap_or_default();
            extension::list(title, Seq::whole(&der).map_or(&[], |seq| seq.0), &mut scratch, out)
        }
    }
}

/// A certificate or CRL with an OpenSSL text form.
///
/// ```no_run
/// use tagwise_codec::Decode;
/// use tagwise_text::openssl::OpensslText;
/// let der = std::fs::read("certificate.der")?;
/// println!("{}", tagwise_pkix::Certificate::outline(&der)?.openssl_text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OpensslText {
    /// Displays the value in the format of `openssl x509 -text -noout` or `openssl crl -text -noout`: see [`certificate()`] and
    /// [`list()`].
    fn openssl_text(&self) -> impl fmt::Display;
}

impl OpensslText for Certificate<'_> {
    fn openssl_text(&self) -> impl fmt::Display {
        Text(self, certificate)
    }
}

impl OpensslText for CertificateList<'_> {
    fn openssl_text(&self) -> impl fmt::Display {
        Text(self, list)
    }
}

/// A value and the function that writes it.
struct Text<'v, T>(&'v T, fn(&T, &mut dyn Write) -> fmt::Result);

impl<T> fmt::Display for Text<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.1)(self.0, f)
    }
}

/// The algorithm of a signature or key, of which only the identifier and parameters are printed.
type Algorithm<'a> = AlgorithmIdentifier<'a>;

#[cfg(test)]
mod tests;
