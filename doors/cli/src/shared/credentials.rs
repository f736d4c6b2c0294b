//! Reads certificates, CRLs and messages from files, for commands that process them.

use std::path::{Path, PathBuf};

use tagwise_codec::{Options, RuleSet, text::hex};
use tagwise_crypto::Digest;
use tagwise_crypto::cms::CmsError;
use tagwise_input::{Mail, Wrapped, security_object};
use tagwise_pkix::ext::SubjectAltName;
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, CertificateList, UnixTime};
use tagwise_store::{Contents, Limits};

use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use crate::shared::parts_read::{complete, evidence_beside};

/// Reads a file and unwraps its content.
pub(crate) fn source(context: &Context, path: &Path) -> Result<Wrapped, Failure> {
    unwrapped(path, octets(context, path)?)
}

/// Unwraps the content of a file.
fn unwrapped(path: &Path, octets: Vec<u8>) -> Result<Wrapped, Failure> {
    Wrapped::open(octets, None)
        .map_err(|problem| Failure::negative(format!("{}: {}", name_of(path), visible(&problem))))
}

/// Reads a file and returns its raw bytes.
pub(crate) fn octets(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    context.load(path).map_err(|error| Failure::file(path, "read", &error))
}

/// Reads the only message of a file: DER or BER, a PEM block, or S/MIME.
pub(crate) fn message(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    Ok(mail(context, path)?.message)
}

/// Reads a message from a file. If the file is a clear-signed mail, also returns the signed content. Mail programs write
/// this format, and so does `openssl cms` by default.
pub(crate) fn mail(context: &Context, path: &Path) -> Result<Mail, Failure> {
    mail_of(context, path, octets(context, path)?)
}

/// Finds the message in the bytes of a file, like [`mail`].
pub(crate) fn mail_of(context: &Context, path: &Path, octets: Vec<u8>) -> Result<Mail, Failure> {
    if let Some(found) = Mail::read(&octets) {
        return alone(context, path, found.map_err(|problem| negative(path, &problem))?);
    }
    let source = unwrapped(path, octets)?;
    let count = source.values.len();
    if count > 1 {
        let text = format!("{}: {count} values, expected one message: give each in a file of its own", name_of(path));
        return Err(Failure::negative(text));
    }
    let value = source.values.into_iter().next();
    let value = value.ok_or_else(|| Failure::negative(format!("{}: the file is empty", name_of(path))))?;
    match value.problem {
        Some(problem) => Err(Failure::negative(format!("{}: {}", name_of(path), visible(&problem)))),
        None => {
            // ICAO Doc 9303-10 §4.6.2: a passport's EF.SOD has a tag around the message.
            let range = security_object(&value.octets);
            let message = range.and_then(|range| value.octets.get(range)).map(<[u8]>::to_vec);
            let message = message.unwrap_or(value.octets);
            alone(context, path, Mail { message, content: None, header: Vec::new() })
        }
    }
}

/// Checks that nothing follows the message, unless `--allow` tolerates it.
pub(crate) fn alone(context: &Context, path: &Path, mut mail: Mail) -> Result<Mail, Failure> {
    context.allowed.alone(&mut mail.message).map_err(|message| negative(path, &message))?;
    Ok(mail)
}

/// Decodes a certificate's outer structure. Errors inside it are left to other commands.
pub(crate) fn certificate<'a>(context: &Context, der: &'a [u8]) -> Result<Certificate<'a>, tagwise_codec::Error> {
    Ok(Options::der().rules(RuleSet::ALL).parts(context.allowed.decoding).outline::<Certificate<'_>>(der)?.value)
}

/// The certificates, CRLs and OCSP responses in files.
#[derive(Debug, Default)]
pub(crate) struct Credentials {
    pub(crate) certificates: Vec<Vec<u8>>,
    pub(crate) crls: Vec<Vec<u8>>,
    /// The OCSP responses in the files and in their messages.
    pub(crate) responses: Vec<Vec<u8>>,
    /// The formats of revocation information in the messages that is not read.
    pub(crate) unused: Vec<String>,
}

impl Credentials {
    /// Reads all credentials from the files. Keys and other known content are skipped. A file without credentials, or with a part that
    /// nothing recognizes, is an error.
    pub(crate) fn read(context: &Context, paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            let before = found.certificates.len() + found.crls.len();
            let octets = octets(context, path)?;
            let contents = Contents::read(&octets, &Limits::DEFAULT);
            complete(context, &contents, &name_of(path))?;
            contents.items().for_each(|item| found.add(context, item.der.to_vec()));
            let others = evidence_beside(&octets, &contents, context);
            found.crls.extend(others.crls);
            found.responses.extend(others.ocsp_responses);
            found.unused.extend(others.unused);
            let is_empty = contents.is_empty();
            drop(contents);
            if is_empty {
                // Certificates in CBOR (C509), for example.
                for value in unwrapped(path, octets)?.values {
                    if let Some(problem) = &value.problem {
                        return Err(Failure::negative(format!("{}: {}", name_of(path), visible(problem))));
                    }
                    found.add(context, value.octets);
                }
            }
            if found.certificates.len() + found.crls.len() == before {
                return Err(Failure::negative(format!("{}: no certificate found", name_of(path))));
            }
        }
        Ok(found)
    }

    /// Adds a certificate or a CRL.
    fn add(&mut self, context: &Context, octets: Vec<u8>) {
        if certificate(context, &octets).is_ok() {
            self.certificates.push(octets);
        } else if Options::der().rules(RuleSet::ALL).outline::<CertificateList<'_>>(&octets).is_ok() {
            self.crls.push(octets);
        }
    }

    /// Returns the first certificate in a file, and the certificates after it.
    pub(crate) fn leading(context: &Context, path: &Path) -> Result<(Vec<u8>, Vec<Vec<u8>>), Failure> {
        let mut found = Self::read(context, std::slice::from_ref(&path.to_owned()))?.certificates;
        if found.is_empty() {
            return Err(Failure::negative(format!("{}: no certificate found", name_of(path))));
        }
        let first = found.remove(0);
        Ok((first, found))
    }
}

/// Borrows the items as slices, as the library expects them.
pub(crate) fn slices(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

/// Returns a one-line summary of a certificate's subject, or of its alternative names if the subject is empty.
pub(crate) fn subject(context: &Context, der: &[u8]) -> String {
    match certificate(context, der) {
        Ok(certificate) if certificate.tbs_certificate.subject.is_empty() => {
            let names = certificate.tbs_certificate.extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok());
            let names: Vec<String> = names
                .flatten()
                .iter()
                .flat_map(|names| names.0.iter())
                .map_while(Result::ok)
                .take(3)
                .map(|name| name.to_string())
                .collect();
            visible(&format!("(no subject) {}", names.join(", "))).to_string()
        }
        Ok(certificate) => visible(&certificate.tbs_certificate.subject.rfc4514().extended()).to_string(),
        Err(error) => visible(&error).to_string(),
    }
}

/// Returns a message if the certificate is not valid at the given time. A signature made at that time would not verify.
pub(crate) fn out_of_time(certificate: &Certificate<'_>, now: UnixTime) -> Option<String> {
    let validity = &certificate.tbs_certificate.validity;
    let (from, until) = (validity.not_before, validity.not_after);
    let what = match () {
        () if now < from.unix() => "is not yet valid",
        () if now > until.unix() => "has expired",
        () => return None,
    };
    Some(format!("the certificate {what} at {now}: it is valid from {} to {}", from.civil(), until.civil()))
}

/// Returns the SHA-256 fingerprint of bytes, in hexadecimal.
pub(crate) fn fingerprint(backend: Chosen, octets: &[u8]) -> Result<String, Failure> {
    let digest = backend.digest(Digest::Sha256, octets).map_err(|error| Failure::negative(error.to_string()))?;
    Ok(hex::encode(&digest))
}

/// Converts the error of processing a message to an answer: not known (exit code 4) for a missing input, an exceeded limit or an
/// unsupported algorithm, otherwise negative.
pub(crate) fn unusable(path: &Path, error: &CmsError) -> Failure {
    let hint = match error {
        CmsError::NoContent => "; pass --content to supply it",
        CmsError::Ambiguous | CmsError::Limit { what: "recipients" } => "; pass --certificate to select the recipient",
        _ => "",
    };
    match negative(path, &format_args!("{error}{hint}")) {
        Failure::Said(_, text) if error.is_unknown() => Failure::Said(4, text),
        failure => failure,
    }
}

/// Converts a library error to a negative answer about a file (exit code 1).
pub(crate) fn negative(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::negative(format!("{}: {}", name_of(path), visible(error)))
}
