//! Signed files: programs and catalogs (Authenticode), PDF documents, and the security object of a passport.

use std::path::{Path, PathBuf};

use tagwise_codec::text::hex;
use tagwise_codec::{Any, Decode, Options, RuleSet, ber};
use tagwise_crypto::cms::Verification;
use tagwise_crypto::{Digest, Secret};
use tagwise_input::signed::digests::{self, Listed};
use tagwise_input::signed::{Signature, SignedFile, SignedKind, image_ranges, joined};
use tagwise_pkix::cms::{SignerIdentifier, SignerInfo};
use tagwise_pkix::name::visible;
use tagwise_pkix::tsp::TstInfo;
use tagwise_pkix::{AlgorithmIdentifier, oids};

use super::document::{Finding, Signer, name_of_type, remarks};
use super::outcome::Outcome;
use super::purpose::Purpose;
use crate::shared::backend::Chosen;
use crate::shared::context::Context;
use crate::shared::credentials::{negative, octets};
use crate::shared::output::{Failure, name_of};

/// A file with signatures inside.
pub(super) struct Container {
    file: Vec<u8>,
    signed: SignedFile,
}

/// The maximum number of nested signatures.
const NESTED: usize = 16;

/// The maximum number of notes on a signature.
const NOTES: usize = 16;

/// The signature to verify, with the name that it gets in the result.
struct Waiting {
    name: String,
    message: Vec<u8>,
}

impl Container {
    /// Locates the signatures of a file. Returns the file if it is not a program or a document.
    pub(super) fn open(path: &Path, file: Vec<u8>) -> Result<Result<Self, Vec<u8>>, Failure> {
        match SignedFile::read(&file) {
            None => Ok(Err(file)),
            Some(Ok(signed)) if signed.signatures.is_empty() => Err(negative(path, &"the file has no signature")),
            Some(Ok(signed)) => Ok(Ok(Self { file, signed })),
            Some(Err(problem)) => Err(negative(path, &problem)),
        }
    }

    pub(super) const fn name(&self) -> &'static str {
        self.signed.kind.name()
    }

    /// Verifies every signature with the given function.
    pub(super) fn judge(
        &self,
        path: &Path,
        compare: Compare,
        allow_updates: bool,
        mut signed: impl FnMut(&[u8], Option<&[u8]>, Purpose) -> Result<(Verification, Vec<Signer>), Failure>,
    ) -> Result<Outcome, Failure> {
        let mut outcome = Outcome {
            content_type: String::new(),
            content: Secret::default(),
            secret: false,
            signers: Vec::new(),
            layers: Vec::new(),
            headers: None,
            findings: Vec::new(),
            notes: Vec::new(),
            is_carrier: false,
        };
        let mut nested = 0_usize;
        for signature in &self.signed.signatures {
            if let Some(fault) = &signature.fault {
                outcome.findings.push(Finding::new("coverage", false, format!("{}: {fault}", signature.name)));
                continue;
            }
            if let Some(doubt) = &signature.doubt {
                outcome.findings.push(Finding::unknown("signature", false, format!("{}: {doubt}", signature.name)));
                continue;
            }
            let covered = joined(&self.file, &signature.covered);
            let mut waiting = vec![Waiting { name: signature.name.clone(), message: signature.message.clone() }];
            while let Some(Waiting { name, message }) = waiting.pop() {
                let message = ber::unpadded(&message);
                let detached = self.signed.kind == SignedKind::Pdf && is_detached(message);
                let content = detached.then_some(&covered[..]);
                let purpose = match self.signed.kind {
                    SignedKind::Pe => Purpose::CodeSigning,
                    _ if signature.format.as_deref() == Some("ETSI.RFC3161") => Purpose::Timestamping,
                    _ => Purpose::Any,
                };
                let (verified, signers) = signed(message, content, purpose)?;
                if !detached && let Some(finding) = uncovered(compare, &name, signature, &verified, &covered) {
                    outcome.findings.push(finding);
                }
                if signers.is_empty() {
                    outcome.findings.push(Finding::new("signer", false, format!("{name}: no signer")));
                }
                outcome.notes.extend(remarks(&verified).into_iter().map(|note| format!("{name}: {note}")));
                for signer in &verified.signers {
                    let info = SignerInfo::from_der(&signer.info).map_err(|error| negative(path, &error))?;
                    let Some(unsigned) = &info.unsigned_attrs else { continue };
                    let notes = attached(&info, "--tsa-trust verifies it");
                    outcome.notes.extend(notes.iter().map(|note| format!("{name}: {note}")));
                    for (index, message) in digests::nested(&unsigned.0).into_iter().enumerate() {
                        nested = nested.saturating_add(1);
                        if nested > NESTED {
                            return Err(negative(path, &format_args!("more than {NESTED} nested signatures")));
                        }
                        let name = format!("{name}.{} (nested)", index.saturating_add(1));
                        waiting.push(Waiting { name, message: message.to_vec() });
                    }
                }
                if outcome.content_type.is_empty() {
                    outcome.content_type = name_of_type(&verified);
                    outcome.content = Secret::from(if detached { covered.clone() } else { verified.content });
                }
                outcome.signers.extend(signers.into_iter().map(|signer| Signer { of: Some(name.clone()), ..signer }));
            }
        }
        // Each revision of a document has its own signatures; those before the last only cover their own.
        let counted = || self.signed.signatures.iter().filter(|signature| signature.doubt.is_none());
        let last = counted().map(|signature| signature.after).min().unwrap_or_default();
        if last > 0 {
            let message = format!(
                "{last} bytes were added after the last signature: an incremental update that no signature covers \
                 (ISO 32000-2 §12.8.1)"
            );
            outcome.findings.push(Finding::unknown("update", allow_updates, message));
        }
        for signature in counted().filter(|signature| signature.after > last) {
            let after = signature.after;
            outcome
                .notes
                .push(format!("{}: covers an earlier revision; {after} bytes were added after it", signature.name));
        }
        Ok(outcome)
    }
}

/// Returns whether a message has no content.
fn is_detached(message: &[u8]) -> bool {
    tagwise_pkix::cms::SignedReader::new(message).is_ok_and(|reader| reader.is_detached())
}

/// The rules for comparing listed digests.
#[derive(Clone, Copy)]
pub(super) struct Compare {
    pub(super) backend: Chosen,
    /// Set if digests with collisions (SHA-1) are accepted.
    pub(super) legacy: bool,
}

impl Compare {
    /// Returns the finding if a listed digest is not that of the bytes, cannot be computed, or is weak.
    fn finding(self, what: &str, listed: &Listed<'_>, octets: &[u8]) -> Option<Finding> {
        let digest = match Digest::from_identifier(&listed.algorithm) {
            Ok(digest) => digest,
            Err(error) => return Some(Finding::unknown("digest", false, format!("{what}: {error}"))),
        };
        match self.backend.digest(digest, octets) {
            Err(error) => Some(Finding::unknown("digest", false, format!("{what}: {error}"))),
            Ok(computed) if computed != listed.digest => {
                Some(Finding::new("digest", false, format!("{what}: the digest does not match")))
            }
            // RFC 6194 §3: whoever made two files with one digest has both signed.
            Ok(_) if digest == Digest::Sha1 && !self.legacy => {
                Some(Finding::new("digest", false, format!("{what}: {digest} is weak; pass --legacy to accept it")))
            }
            Ok(_) => None,
        }
    }
}

/// The finding if the signed content is not the digest of the covered bytes.
fn uncovered(
    compare: Compare,
    name: &str,
    signature: &Signature,
    verified: &Verification,
    covered: &[u8],
) -> Option<Finding> {
    let kind = verified.content_type();
    let unreadable = |error: &dyn core::fmt::Display| {
        Some(Finding::new("digest", false, format!("{name}: the signed content does not decode: {error}")))
    };
    if kind == oids::SPC_INDIRECT_DATA_CONTEXT {
        let content = digests::sequence(&verified.content);
        return match digests::of_program(&content) {
            Err(error) => unreadable(&error),
            Ok(listed) => compare.finding(&format!("{name}, the file"), &listed, covered),
        };
    }
    if kind == oids::CT_TST_INFO {
        return match TstInfo::from_der(&verified.content) {
            Err(error) => unreadable(&error),
            Ok(info) => {
                let imprint = &info.message_imprint;
                let algorithm = imprint.hash_algorithm;
                let listed = Listed { number: None, algorithm, digest: imprint.hashed_message.as_bytes() };
                compare.finding(&format!("{name}, the document"), &listed, covered)
            }
        };
    }
    // ISO 32000-1 §12.8.3.3.1: adbe.pkcs7.sha1 has the SHA-1 digest as its content.
    if signature.format.as_deref() == Some("adbe.pkcs7.sha1") {
        let algorithm = AlgorithmIdentifier { algorithm: Digest::Sha1.oid(), parameters: None };
        let listed = Listed { number: None, algorithm, digest: &verified.content };
        return compare.finding(&format!("{name}, the document"), &listed, covered);
    }
    let what = format!("{name}: the signature covers its own content of type {}, not the file", name_of_type(verified));
    Some(Finding::new("digest", false, what))
}

/// The notes on what is attached to a signature without being verified: countersignatures (RFC 5652 §11.4) and time stamps.
pub(super) fn attached(signer: &SignerInfo<'_>, hint: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let attributes = signer.unsigned_attrs.iter().flat_map(|attributes| attributes.0.iter());
    for attribute in attributes.map_while(Result::ok) {
        if attribute.attr_type == oids::COUNTERSIGNATURE {
            notes.extend(attribute.attr_values.iter().map_while(Result::ok).map(|value| countersigned(value, hint)));
        } else if attribute.attr_type == oids::SPC_RFC3161_COUNTERSIGNATURE
            || attribute.attr_type == oids::AA_TIME_STAMP_TOKEN
        {
            notes.push(format!("has a time stamp (RFC 3161); {hint}"));
        }
        if notes.len() >= NOTES {
            notes.truncate(NOTES);
            notes.push("has more countersignatures or time stamps".to_owned());
            break;
        }
    }
    notes
}

/// The note on a countersignature: a SignerInfo over the signature (RFC 5652 §11.4).
fn countersigned(value: Any<'_>, hint: &str) -> String {
    let Ok(info) = Options::der().rules(RuleSet::ALL).decode::<SignerInfo<'_>>(value.as_bytes()) else {
        return format!("has a countersignature that does not decode; {hint}");
    };
    let info = info.value;
    let who = match info.sid {
        SignerIdentifier::IssuerAndSerialNumber(id) => {
            format!("the certificate {} of {}", hex::encode(id.serial_number.as_bytes()), visible(&id.issuer))
        }
        SignerIdentifier::SubjectKeyIdentifier(id) => format!("the key {}", hex::encode(id.as_bytes())),
        SignerIdentifier::Unknown(_) => "an unknown signer".to_owned(),
    };
    match info.signing_time() {
        Ok(Some(time)) => {
            format!("has a countersignature by {who}, which claims the time {}; {hint}", time.unix())
        }
        _ => format!("has a countersignature by {who}, without a time; {hint}"),
    }
}

/// Parses `1=DG1.bin`.
pub(super) fn data_group(text: &str) -> Result<(u8, PathBuf), String> {
    let wrong = || "expected a number from 1 to 16, an equals sign and a file, such as 1=DG1.bin".to_owned();
    let (number, path) = text.split_once('=').ok_or_else(wrong)?;
    let number = number.parse::<u8>().ok().filter(|number| (1..=16).contains(number)).ok_or_else(wrong)?;
    Ok((number, PathBuf::from(path)))
}

/// Compares files with the digests that a catalog or a passport's security object lists.
pub(super) fn listed(
    context: &Context,
    compare: Compare,
    outcome: &mut Outcome,
    members: &[PathBuf],
    groups: &[(u8, PathBuf)],
) -> Result<(), Failure> {
    let content = outcome.content.expose();
    let catalog = outcome.content_type == name_of_oid(oids::MS_CTL);
    let passport = outcome.content_type == name_of_oid(oids::ICAO_MRTD_SECURITY_LDS_SECURITY_OBJECT);
    if !members.is_empty() && !catalog {
        return Err(Failure::usage("--member requires a catalog: the message is not one"));
    }
    if !groups.is_empty() && !passport {
        return Err(Failure::usage(
            "--data-group requires a passport's security object (EF.SOD): the message is not one",
        ));
    }
    let (mut findings, mut notes) = (Vec::new(), Vec::new());
    let malformed = |error: tagwise_codec::Error| Failure::negative(format!("the signed content: {error}"));
    if catalog {
        let whole = digests::sequence(content);
        let digests = digests::of_catalog(&whole).map_err(malformed)?;
        notes.push(format!("a catalog with {} digests", digests.len()));
        for path in members {
            let file = octets(context, path)?;
            // Programs are digested without their signatures, other files as a whole.
            let image = image_ranges(&file).transpose().map_err(|problem| negative(path, &problem))?;
            let image = image.map(|ranges| joined(&file, &ranges));
            let name = name_of(path);
            let forms = [Some(&file), image.as_ref()];
            let each = forms.into_iter().flatten().flat_map(|octets| {
                digests.iter().map(|listed| compare.finding(&name, listed, octets)).collect::<Vec<_>>()
            });
            // A weak digest that matches says more than the others, which do not match.
            let is_weak = |finding: &Finding| finding.message.contains("--legacy");
            let mut weak = None;
            let mut is_listed = false;
            for found in each {
                is_listed |= found.is_none();
                weak = weak.or_else(|| found.filter(is_weak));
            }
            match (is_listed, weak) {
                (true, _) => notes.push(format!("{name}: its digest is in the catalog")),
                (false, Some(weak)) => findings.push(weak),
                (false, None) => {
                    findings.push(Finding::new("digest", false, format!("{name}: its digest is not in the catalog")));
                }
            }
        }
    }
    if passport {
        let listed = digests::of_data_groups(content).map_err(malformed)?;
        let numbers: Vec<String> =
            listed.iter().map(|group| group.number.map_or("?".to_owned(), |number| number.to_string())).collect();
        notes.push(format!("digests of the data groups {}", numbers.join(", ")));
        for (number, path) in groups {
            let file = octets(context, path)?;
            let Some(group) = listed.iter().find(|group| group.number == Some(*number)) else {
                findings.push(Finding::new(
                    "digest",
                    false,
                    format!("data group {number} is not in the security object"),
                ));
                continue;
            };
            match compare.finding(&format!("data group {number}, {}", name_of(path)), group, &file) {
                None => notes.push(format!("data group {number}: matches")),
                Some(finding) => findings.push(finding),
            }
        }
    }
    if outcome.content_type == name_of_oid(oids::SPC_INDIRECT_DATA_CONTEXT) {
        notes.push("the digest of the signed program was not compared; verify the program itself".to_owned());
    }
    outcome.findings.extend(findings);
    outcome.notes.extend(notes.iter().map(|note| visible(note).to_string()));
    Ok(())
}

fn name_of_oid(oid: tagwise_codec::Oid<'_>) -> String {
    oids::lookup(oid).map_or_else(|| oid.to_string(), |info| info.short_name().to_owned())
}
