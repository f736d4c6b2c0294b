//! The certificates and CRLs of a file, extracted from any container.

use tagwise_codec::{RuleSet, pem};
use tagwise_input::Content;
use tagwise_input::ValueKind;
use tagwise_pkix::build::cms::certificates_only;
use tagwise_pkix::oids::files::label;
use tagwise_pkix::{Bundle, BundleKind, c509};

use crate::shared::keystores::Keystores;

/// The certificates and CRLs found in a file, and notes about omitted parts.
#[derive(Default)]
pub(super) struct Found {
    certificates: Vec<Vec<u8>>,
    crls: Vec<Vec<u8>>,
    /// Descriptions of the parts that were omitted.
    pub(super) notes: Vec<String>,
}

/// Searches a file for certificates and CRLs: PEM blocks, concatenated values, containers, CMS messages, and PKCS #12
/// files, which are opened if necessary.
///
/// # Errors
/// Returns a description of the part that could not be read.
pub(super) fn find(octets: &[u8], keystores: &Keystores) -> Result<Found, String> {
    let mut found = Found::default();
    let source = tagwise_input::find(octets, RuleSet::PEM_LAX);
    // The certificates of a PKCS #12 file that was opened: those that are in the clear follow it as items of their own.
    let mut opened: Vec<Vec<u8>> = Vec::new();
    for item in &source.items {
        if let Some(problem) = &item.problem {
            return Err(problem.line());
        }
        let der: &[u8] = &item.der;
        match &item.content {
            Content::Kind(ValueKind::Certificate | ValueKind::CertificateList)
                if opened.iter().any(|one| one == der) => {}
            Content::Kind(ValueKind::Certificate) => found.certificates.push(der.to_vec()),
            Content::Kind(ValueKind::CertificateList) => found.crls.push(der.to_vec()),
            Content::Kind(what @ (ValueKind::Cms | ValueKind::Pkcs12)) => {
                let bundle = Bundle::read(der).map_err(|error| error.to_string())?;
                let is_locked = bundle.items().any(|one| one.kind == BundleKind::Encrypted);
                if *what == ValueKind::Pkcs12 && is_locked {
                    opened = keystores.open(der)?;
                    for one in &opened {
                        let is_list = tagwise_input::content(one) == Content::Kind(ValueKind::CertificateList);
                        if is_list { &mut found.crls } else { &mut found.certificates }.push(one.clone());
                    }
                    found.note("keys and other bags");
                    continue;
                }
                for one in bundle.items() {
                    match one.kind {
                        // Those of PKCS #12 follow as items of their own.
                        BundleKind::Certificate | BundleKind::CertificateList if *what == ValueKind::Pkcs12 => {}
                        BundleKind::Certificate => found.certificates.push(one.octets.to_vec()),
                        BundleKind::CertificateList => found.crls.push(one.octets.to_vec()),
                        BundleKind::Encrypted => found.note("encrypted bags"),
                        BundleKind::AttributeCertificate => found.note("an attribute certificate"),
                        _ => found.note("a key or another bag"),
                    }
                }
            }
            Content::Kind(what) => found.note(what.words()),
            Content::Other(what) if what.contains("keystore") => found.note(&format!("private keys of {what}")),
            Content::Other(what) => found.note(what),
            Content::Trust => found.note("OpenSSL trust settings"),
            // The certificate that it is follows.
            Content::C509 | Content::Nothing => {}
        }
    }
    if found.certificates.is_empty() && found.crls.is_empty() {
        return Err(source.nothing("certificate and no CRL", octets.len()));
    }
    Ok(found)
}

impl Found {
    fn note(&mut self, what: &str) {
        let note = format!("{what} omitted");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Packs all certificates and CRLs into one CMS message without signers.
    ///
    /// # Errors
    /// Returns a description of the failure if no message can be created.
    pub(super) fn message(&self) -> Result<Vec<u8>, String> {
        let certificates: Vec<&[u8]> = self.certificates.iter().map(Vec::as_slice).collect();
        let crls: Vec<&[u8]> = self.crls.iter().map(Vec::as_slice).collect();
        certificates_only(&certificates, &crls).map_err(|error| error.to_string())
    }

    /// Returns the concatenated encodings, in file order.
    pub(super) fn octets(&self) -> Vec<u8> {
        [self.certificates.concat(), self.crls.concat()].concat()
    }

    /// Encodes the certificates in CBOR: a single certificate by itself, several as a COSE structure.
    ///
    /// # Errors
    /// Returns a description if a certificate cannot be represented.
    pub(super) fn compact(&mut self) -> Result<Vec<u8>, String> {
        if !self.crls.is_empty() {
            self.note("a CRL");
        }
        let all: Result<Vec<_>, _> = self.certificates.iter().map(|der| c509::from_x509(der)).collect();
        let mut all = all.map_err(|error| error.to_string())?;
        match all.len() {
            0 => Err("it contains no certificate".to_owned()),
            1 => Ok(all.remove(0)),
            _ => Ok(c509::cose(&all)),
        }
    }

    /// Encodes each certificate or CRL as a PEM block.
    ///
    /// # Errors
    /// Returns a description of the PEM error.
    pub(super) fn blocks(&self) -> Result<String, String> {
        let mut text = String::new();
        for (label, list) in [(label::CERTIFICATE, &self.certificates), (label::X509_CRL, &self.crls)] {
            for octets in list {
                text.push_str(&pem::encode(label, octets).map_err(|error| error.to_string())?);
            }
        }
        Ok(text)
    }
}
