//! `tagwise cms verify`.

use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;

use tagwise_codec::{Decode, Oid, encode};
use tagwise_crypto::Secret;
use tagwise_crypto::cms::TimeSource;
use tagwise_crypto::cms::{
    CmsError, DecryptOptions, MAX_DECOMPRESSED, Objection, Unlock, Verification, VerifiedSigner, VerifyOptions,
    countersignatures, decompress, decrypt, is_compressed, objections, verify,
};
use tagwise_crypto::tsp::signature_time_stamps;
use tagwise_input::Mail;
use tagwise_input::mail::Messages;
use tagwise_pkix::cms::{EncryptedReader, ID_SIGNED_DATA, SignerInfo};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, UnixTime, oids};
use tagwise_show::render::json;

use super::container::{self, Compare, Container};
use super::document::{Document, Finding, Signer, Status, TimeStamp, name_of_type, reason, remarks};
use super::inner::{self, Inner};
use super::mail::{self, Layers};
use super::outcome::{Outcome, unless};
use super::purpose::Purpose;
use crate::shared::backend::{BackendArgs, Chosen};
use crate::shared::context::Context;
use crate::shared::credentials::{
    Credentials, alone, certificate, fingerprint, mail_of, negative, octets, slices, subject, unusable,
};
use crate::shared::keys::private_key_of;
use crate::shared::output::{Failure, Secrecy, deliver, deliver_as, name_of};
use crate::shared::passphrase::PassphraseArgs;
use crate::shared::standing::{Standing, StandingArgs, TRUST};
use crate::shared::trust::{Beside, Judged, Origin, SignerTrust, TrustArgs};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise cms verify letter.p7m -o letter.txt
  tagwise cms verify letter.sig --content letter.txt
  tagwise cms verify letter.p7m --certificate signer.pem --json | jq .
  tagwise cms verify old.p7m --at 2012-06-01 --purpose email
  tagwise cms verify old.p7m --allow validity
  tagwise cms verify letter.p7m --trust root.pem --crl root.crl --revocation require
  tagwise cms verify program.p7s --content program --trust root.pem --purpose code-signing
  tagwise cms verify mail.eml --key me.key --trust root.pem
  tagwise cms verify setup.exe --trust code-root.pem
  tagwise cms verify drivers.cat --member driver.sys
  tagwise cms verify contract.pdf --trust root.pem
  tagwise cms verify EF.SOD --data-group 1=DG1.bin --data-group 2=DG2.bin --trust csca.pem
  tagwise cms verify old.p7m --trust root.pem --tsa-trust tsa-root.pem

A signer is good if the signature verifies, the certificate is currently valid, and its key usage allows signatures. The time that a \
signer claims (the signed attribute signingTime) is shown but never trusted. Instead, --at sets the time to check, and so does a time \
stamp over the signature (RFC 3161 appendix A, or a countersignature as of Authenticode) if its authority has a valid path to an \
anchor of --tsa-trust, and it is not from the future. The certificate must still be valid at the end of the accuracy that the \
authority states. With --trust, there \
must also be a valid path from the signer's certificate to a trust anchor, as `tagwise verify` finds it. The extended key usage of the \
signer must be absent, or list emailProtection or anyExtendedKeyUsage (RFC 8550 §4.4.4); programs and catalogs require codeSigning, time \
stamps timeStamping, and PDF documents and passports nothing. --purpose requires another purpose, or none with `any`. \
Without --trust, trust is not checked. CRLs and OCSP responses must be current now, or at the time of --evidence-at or --at. Every \
revocation in them counts, regardless of the claimed signing time. There is one exception: if the time is set by a trusted time stamp, \
or by --at with a later --evidence-at, a later revocation that states a harmless reason (superseded, cessationOfOperation, \
affiliationChanged, unspecified) does not count. One without a reason counts. The content is written only if every signer is good.

A message is read through all its layers, encrypted ones with --key, also if the content of one is another without MIME, such as a \
file that was signed twice. The content is that of the innermost layer. A mail must have one field From, whose senders, or else the one in the \
field Sender, must be in the signer's certificate (RFC 8550 §3), and the fields From and Subject outside must be those that the message \
protects (RFC 9788). Every signed part of a mail is verified, also inside other signed parts and forwarded mails, and no other part may have content. Text \
before the first and after the last part, which readers do not show (RFC 2046 §5.1.1), is ignored. In a program (PE), a PDF document or a passport's \
EF.SOD, every signature is verified over the bytes that it covers. Bytes that were added to a PDF document later are not known to be \
good.
Exit codes: 0 every signer is good; 1 one is not, or the message is malformed; 2 usage error; 3 a file could not be read or written; \
4 not known: an algorithm is not supported, the content or a certificate is missing, a limit is exceeded, or trust cannot be decided.";

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Message: DER, BER, PEM or S/MIME, a program (PE), a PDF document or EF.SOD; `-` is standard input
    #[arg(value_name = "MESSAGE")]
    message: PathBuf,
    /// The content, if it is not in the message
    #[arg(long, value_name = "FILE")]
    content: Option<PathBuf>,
    /// Certificates in which to look for a signer's, besides those in the message, and for that of --key
    #[arg(long, value_name = "FILE")]
    certificate: Vec<PathBuf>,
    /// Accept weak signatures of the message and along the path: with SHA-1, or by RSA keys below 2,048 bits
    #[arg(long)]
    legacy: bool,
    #[command(flatten)]
    standing: StandingArgs,
    #[command(flatten)]
    trust: TrustArgs,
    /// Private key for the encrypted layers of the message
    #[arg(long, value_name = "KEY")]
    key: Option<PathBuf>,
    /// Require this purpose of certificates that list purposes (extended key usage) [default: by the content; email for mail]
    #[arg(long, value_name = "PURPOSE", value_enum)]
    purpose: Option<Purpose>,
    /// Trust time stamps over signatures from authorities with a valid path to these trust anchors: a file, a folder, `system` or
    /// `mozilla`; may be repeated
    #[arg(long, value_name = "SOURCE", requires = "trust", help_heading = "Trust")]
    tsa_trust: Vec<Origin>,
    /// Accept content signed without attributes that could itself be read as signed attributes
    #[arg(long)]
    allow_attributes_as_content: bool,
    /// Accept a mail whose header differs from the signed one, or whose sender is not in the signer's certificate
    #[arg(long)]
    allow_headers: bool,
    /// Accept a mail with parts that are not signed, such as the footer of a mailing list
    #[arg(long)]
    allow_unsigned_parts: bool,
    /// Accept a PDF document with changes after its last signature
    #[arg(long)]
    allow_updates: bool,
    /// Require the digest of this file to be in the catalog; may be repeated
    #[arg(long, value_name = "FILE")]
    member: Vec<PathBuf>,
    /// Require this data group of a passport to have the signed digest, such as 1=DG1.bin; may be repeated
    #[arg(long, value_name = "NUMBER=FILE", value_parser = container::data_group)]
    data_group: Vec<(u8, PathBuf)>,
    /// Write the content to this file; `-` is standard output
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
    /// Print JSON (schema tagwise.cms-verify/3)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    pub(super) backend: BackendArgs,
}

/// The inputs for verifying the messages of a file.
struct Inputs<'a> {
    context: &'a Context,
    backend: Chosen,
    trusted: Option<SignerTrust<'a>>,
    /// The certificates, CRLs and OCSP responses of `--certificate`.
    others: Credentials,
}

/// The maximum number of layers of a message. RFC 8551 §3.7 and RFC 2634 §1.1 have three.
const LAYERS: usize = 8;

/// The maximum number of messages in a mail, with those inside signed parts.
const MESSAGES: usize = 256;

/// A message to verify.
struct Waiting {
    mail: Mail,
    /// The number of layers around it.
    depth: usize,
    /// Set if a signature around it covers it.
    is_covered: bool,
}

/// The messages in the parts of a message's innermost layer.
struct Inside {
    messages: Messages,
    depth: usize,
    is_covered: bool,
}

/// Returns whether a SubjectPublicKeyInfo in DER is that of a certificate.
fn is_key_of(key: &[u8], certificate: &Certificate<'_>) -> bool {
    encode(&certificate.tbs_certificate.subject_public_key_info).is_ok_and(|own| own == key)
}

fn signer(
    context: &Context,
    backend: Chosen,
    signer: &VerifiedSigner,
    standing: Standing,
    timestamps: Vec<TimeStamp>,
) -> Result<Signer, Failure> {
    let signature_good = signer.outcome.is_ok();
    let status = match &signer.outcome {
        Ok(()) if standing.is_good() => Status::Good,
        Ok(()) if standing.is_undecided() => Status::NotKnown,
        // Objections to the certificate still apply.
        Err(error) if error.is_unknown() && (standing.is_good() || standing.is_undecided()) => Status::NotKnown,
        _ => Status::NotGood,
    };
    Ok(Signer {
        of: None,
        certificate: signer.certificate.clone(),
        good: status == Status::Good,
        status,
        signature_good,
        error: signer.outcome.as_ref().err().map(reason),
        subject: signer.certificate.as_deref().map(|der| subject(context, der)),
        certificate_sha256: signer.certificate.as_deref().map(|der| fingerprint(backend, der)).transpose()?,
        algorithm: signer.scheme.map(|scheme| scheme.to_string()),
        digest: signer.digest.map(|digest| digest.to_string()),
        signing_time: signer.signing_time.map(|time| time.to_string()),
        timestamps,
        standing,
    })
}

impl VerifyArgs {
    pub(super) fn verify(
        &self,
        backend: Chosen,
        context: &Context,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        let to_stdout = self.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if self.json && to_stdout {
            return Err(Failure::usage("--json and -o - would both write to standard output"));
        }
        let inputs = Inputs {
            context,
            backend,
            trusted: self.trust.read(context, backend, self.standing.at)?,
            others: Credentials::read(context, &self.certificate)?,
        };
        let (outcome, container) = match Container::open(&self.message, octets(context, &self.message)?)? {
            Ok(container) => (self.container(&inputs, &container)?, Some(container.name())),
            Err(file) => (self.message(context, &inputs, file)?, None),
        };
        // A signature in an unknown format may be good.
        let is_open = outcome.findings.iter().any(|finding| finding.kind == "signature");
        let without = if is_open { Status::NotKnown } else { Status::NotGood };
        let of_signers = outcome.signers.iter().map(|signer| signer.status).max().unwrap_or(without);
        let findings = outcome.findings.iter().filter(|finding| !finding.allowed).map(|finding| finding.status);
        let status = findings.fold(of_signers, Status::max);
        let good = status == Status::Good;
        if good && let Some(path) = &self.output {
            let content = outcome.content.expose();
            match outcome.secret {
                true => deliver_as(Secrecy::Secret, content, Some(path), self.force, out)?,
                false => deliver(content, Some(path), self.force, out)?,
            }
        }
        let document = Document {
            schema: "tagwise.cms-verify/3",
            file: name_of(&self.message),
            good,
            content_type: outcome.content_type,
            content_length: outcome.content.expose().len(),
            container,
            layers: outcome.layers,
            headers: outcome.headers,
            findings: outcome.findings,
            notes: outcome.notes,
            trust: if inputs.trusted.is_some() { "judged" } else { TRUST },
            signers: outcome.signers,
        };
        if self.json {
            json::write(out, &document)?;
        } else {
            // Messages are not mixed with the content.
            match to_stdout {
                true => document.text(context, err)?,
                false => document.text(context, out)?,
            }
        }
        Ok(status.code())
    }

    /// Verifies a message, or every message of a mail.
    fn message(&self, context: &Context, inputs: &Inputs<'_>, file: Vec<u8>) -> Result<Outcome, Failure> {
        let given = self.content.as_deref().map(|path| octets(inputs.context, path)).transpose()?;
        let messages = match Messages::read(&file) {
            Some(found) => found.map_err(|problem| negative(&self.message, &problem))?,
            None => Messages { list: vec![mail_of(context, &self.message, file)?], ..Messages::default() },
        };
        let count = messages.list.len();
        if count > 1 && (given.is_some() || self.output.is_some()) {
            let text = format!("the mail has {count} messages: --content and --output are for one");
            return Err(Failure::usage(text));
        }
        let mut waiting = VecDeque::new();
        for mail in messages.list {
            let mail = alone(context, &self.message, mail)?;
            if given.is_some() && mail.content.is_some() {
                return Err(Failure::usage(
                    "the mail contains the signed content: --content is for detached signatures",
                ));
            }
            let content = given.clone().or(mail.content);
            waiting.push_back(Waiting { mail: Mail { content, ..mail }, depth: 0, is_covered: false });
        }
        let (mut others, mut ignored, mut left) = (messages.others, messages.ignored, MAX_DECOMPRESSED);
        let mut outcomes = Vec::new();
        while let Some(next) = waiting.pop_front() {
            if outcomes.len() == MESSAGES {
                let text = format!("{}: more than {MESSAGES} messages in the mail", name_of(&self.message));
                return Err(Failure::Said(4, text));
            }
            let (outcome, inside) = self.layers(context, inputs, next, &mut left)?;
            if !inside.is_covered && !inside.messages.list.is_empty() {
                others = others.saturating_add(inside.messages.others);
            }
            ignored = ignored.saturating_add(inside.messages.ignored);
            let Inside { depth, is_covered, .. } = inside;
            waiting.extend(inside.messages.list.into_iter().map(|mail| Waiting { mail, depth, is_covered }));
            outcomes.push(outcome);
        }
        let mut outcome = Outcome::joined(outcomes, self.allow_unsigned_parts);
        if ignored > 0 {
            outcome
                .notes
                .push("text after the last part of the mail is not signed, and ignored (RFC 2046 §5.1.1)".to_owned());
        }
        if others > 0 {
            // A reader shows all parts of a mail together, whatever the signature covers.
            let (parts, are) = if others == 1 { ("part", "is") } else { ("parts", "are") };
            let message = format!("{others} {parts} of the mail {are} not signed{}", unless(self.allow_unsigned_parts));
            outcome.findings.push(Finding::new("unsigned-parts", self.allow_unsigned_parts, message));
        }
        let unused = inputs.others.unused.iter().map(|format| super::document::unused(format));
        outcome.notes.extend(unused);
        container::listed(inputs.context, self.compare(inputs), &mut outcome, &self.member, &self.data_group)?;
        Ok(outcome)
    }

    /// Verifies a message through all its layers, and finds the messages in the parts of the innermost one. `left` is the remaining
    /// decompression budget, in bytes.
    fn layers(
        &self,
        context: &Context,
        inputs: &Inputs<'_>,
        Waiting { mail, depth, is_covered }: Waiting,
        left: &mut usize,
    ) -> Result<(Outcome, Inside), Failure> {
        let header = mail.header.clone();
        let mut next = Some(mail);
        let (mut layers, mut signers, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut findings = Vec::new();
        let (mut content, mut content_type) = (Secret::default(), None);
        let (mut secret, mut is_open) = (false, true);
        let failed = |error: &dyn std::fmt::Display| negative(&self.message, error);
        while let Some(layer) = next.take() {
            if depth.saturating_add(layers.len()) >= LAYERS {
                let text = format!("{}: the message has more than {LAYERS} layers", name_of(&self.message));
                return Err(Failure::Said(4, text));
            }
            let encrypted = EncryptedReader::new(&layer.message[..]).is_ok();
            if encrypted && self.key.is_none() && (is_covered || !layers.is_empty()) {
                is_open = false;
                notes.push("the content is encrypted; pass --key to read it".to_owned());
                break;
            }
            let is_compressed = is_compressed(&layer.message);
            if layer.content.is_some() && (is_compressed || encrypted) {
                let what = if is_compressed { "compressed" } else { "encrypted" };
                return Err(Failure::usage(format!(
                    "the message is {what} and contains its content: --content is for detached signatures"
                )));
            }
            // The type of the layer's content, as the content bytes of an OBJECT IDENTIFIER.
            let mut inner_type = None;
            if is_compressed {
                let plain = decompress(&layer.message, *left).map_err(|error| unusable(&self.message, &error))?;
                *left = left.saturating_sub(plain.len());
                content = Secret::from(plain);
                layers.push("compressed");
            } else if let Some(path) = self.key.as_ref().filter(|_| encrypted) {
                let key = private_key_of(inputs.context, inputs.backend, path, &self.passphrase)?;
                let mut own = inputs.others.certificates.iter().filter_map(|der| certificate(context, der).ok());
                let own = own.find(|own| is_key_of(key.public_key_info(), own));
                let unlock = Unlock::PrivateKey { key: key.as_ref(), certificate: own.as_ref() };
                let plain = decrypt(inputs.backend, &layer.message, None, &unlock, &DecryptOptions::DEFAULT);
                let plain = plain.map_err(|error| unusable(&self.message, &error))?;
                if !plain.authenticated {
                    notes.push("the encryption has no integrity protection".to_owned());
                }
                inner_type = Some(plain.content_type().as_bytes().to_vec());
                (content, secret) = (plain.content, true);
                layers.push("encrypted");
            } else {
                let purpose = Purpose::of(&layer.message);
                let (verified, found) = self.signed(inputs, &layer.message, layer.content.as_deref(), purpose)?;
                let number = layers.len().saturating_add(1);
                signers.push((number, found));
                notes.extend(self.attached(&verified));
                notes.extend(remarks(&verified));
                let is_evidence = !verified.crls.is_empty() || !verified.ocsp_responses.is_empty();
                if inputs.trusted.is_none() && is_evidence {
                    notes.push("the CRLs and OCSP responses in the message are not used; --trust uses them".to_owned());
                }
                content_type.get_or_insert_with(|| name_of_type(&verified));
                inner_type = Some(verified.content_type().as_bytes().to_vec());
                content = Secret::from(verified.content);
                layers.push("signed");
            }
            next = Mail::layer(content.expose()).transpose().map_err(|problem| failed(&problem))?;
            if next.is_none() {
                let inner_type = inner_type.as_deref().and_then(|octets| Oid::from_content(octets).ok());
                match inner::message(inner_type, content.expose()) {
                    Inner::Message(message) => next = Some(Mail { message, content: None, header: Vec::new() }),
                    // The type promises a signature, which may be good.
                    Inner::Note(note) if inner_type == Some(ID_SIGNED_DATA) => {
                        findings.push(Finding::unknown("signature", false, note));
                    }
                    Inner::Note(note) => notes.push(note),
                    Inner::Nothing => {}
                }
            }
        }
        let is_covered = is_covered || !signers.is_empty();
        let messages = match is_open {
            // Readers see the header of the first signature around a part.
            true => Messages::inside(content.expose(), if is_covered { &[] } else { &header }),
            false => Ok(Messages::default()),
        };
        let messages = messages.map_err(|problem| failed(&problem))?;
        let inside = Inside { messages, depth: depth.saturating_add(layers.len()), is_covered };
        let several = signers.len() > 1;
        let named = |(number, found): (usize, Vec<Signer>)| {
            let of = several.then(|| format!("layer {number}"));
            found.into_iter().map(move |signer| Signer { of: of.clone(), ..signer })
        };
        let signers: Vec<Signer> = signers.into_iter().flat_map(named).collect();
        let mut outcome = Outcome {
            content_type: content_type.unwrap_or_else(|| "data".to_owned()),
            content,
            secret,
            signers,
            layers: if layers.len() > 1 { layers } else { Vec::new() },
            headers: None,
            findings,
            notes,
            is_carrier: is_covered || !inside.messages.list.is_empty(),
        };
        if self.member.is_empty() && self.data_group.is_empty() {
            let is_mail = self.purpose.is_none_or(|purpose| purpose == Purpose::Email);
            mail::judge(context, &header, &mut outcome, &Layers { is_mail, allowed: self.allow_headers });
        }
        Ok((outcome, inside))
    }

    /// The notes on countersignatures and time stamps that are not verified.
    fn attached(&self, verified: &Verification) -> Vec<String> {
        let hint = match (self.tsa_trust.is_empty(), self.standing.at) {
            (true, _) => "not verified; --tsa-trust verifies it",
            (false, Some(_)) => "not verified, because --at sets the time",
            // They are shown with the signer.
            (false, None) => return Vec::new(),
        };
        let several = verified.signers.len() > 1;
        let mut notes = Vec::new();
        for (number, signer) in (1_usize..).zip(&verified.signers) {
            let of = if several { format!("signer {number}") } else { "the signature".to_owned() };
            // Attributes that are not DER have failed the signature.
            let info = SignerInfo::from_der(&signer.info);
            let found = info.map(|info| container::attached(&info, hint)).unwrap_or_default();
            notes.extend(found.iter().map(|note| format!("{of} {note}")));
        }
        notes
    }

    const fn compare(&self, inputs: &Inputs<'_>) -> Compare {
        Compare { backend: inputs.backend, legacy: self.legacy }
    }

    /// Verifies each signature of a file.
    fn container(&self, inputs: &Inputs<'_>, container: &Container) -> Result<Outcome, Failure> {
        if self.content.is_some() {
            return Err(Failure::usage("the content is in the file: --content is for detached signatures"));
        }
        container.judge(&self.message, self.compare(inputs), self.allow_updates, |message, content, purpose| {
            self.signed(inputs, message, content, purpose)
        })
    }

    /// Verifies one signed message. Without --purpose, the signers need the given purpose.
    fn signed(
        &self,
        inputs: &Inputs<'_>,
        message: &[u8],
        content: Option<&[u8]>,
        default: Purpose,
    ) -> Result<(Verification, Vec<Signer>), Failure> {
        let Inputs { context, backend, ref trusted, ref others } = *inputs;
        let certificates = slices(&others.certificates);
        let purpose = self.purpose.unwrap_or(default);
        let options = VerifyOptions {
            certificates: &certificates,
            legacy: self.legacy,
            at: self.standing.at,
            purpose: purpose.oid(),
            allow_attributes_as_content: self.allow_attributes_as_content,
            tolerate: context.allowed.decoding,
            ..VerifyOptions::DEFAULT
        };
        let verified =
            verify(backend, message, content, &options).map_err(|error| match EncryptedReader::new(message) {
                // Without signers, it does not matter which content was signed.
                _ if matches!(error, CmsError::NoContent)
                    && verify(backend, message, Some(&[]), &options).is_ok_and(|read| read.signers.is_empty()) =>
                {
                    let what = "no signer: the message only carries certificates and CRLs (RFC 5652 §5.2)";
                    negative(&self.message, &what)
                }
                // What it contains is not known.
                Ok(_) => {
                    let what = "the message is encrypted, expected signed data; pass --key to decrypt it";
                    Failure::Said(4, format!("{}: {what}", name_of(&self.message)))
                }
                Err(_) => unusable(&self.message, &error),
            })?;
        let mut beside = slices(&verified.certificates);
        beside.extend(&certificates);
        let crls = [verified.crls.as_slice(), &others.crls].concat();
        let responses = [verified.ocsp_responses.as_slice(), &others.responses].concat();
        let beside = Beside {
            certificates: &beside,
            crls: &crls,
            responses: &responses,
            allowed: StandingArgs::allowed_rules(context),
            legacy: self.legacy,
        };
        let mut signers = Vec::new();
        for found in &verified.signers {
            let (stamps, stamped) = self.timestamps(context, backend, found, &options, trusted.as_ref(), &beside)?;
            let at = stamped.unwrap_or(found.at);
            let judged = match (trusted, &found.certificate, self.purpose) {
                (Some(trusted), Some(own), None) => {
                    Some(trusted.judge_by_content(context, own, &beside, purpose.of_path(), at, stamped)?)
                }
                (Some(trusted), Some(own), Some(purpose)) => {
                    Some(trusted.judge(context, own, &beside, purpose.of_path(), at, stamped)?)
                }
                _ => None,
            };
            let standing = match (stamped, &found.certificate) {
                (Some(at), Some(own)) => {
                    let own = Certificate::outline(own).map_err(|error| negative(&self.message, &error))?;
                    self.standing.judge(context, at, TimeSource::GenTime, &objections(&own, at, options.purpose))
                }
                _ => self.standing.judge(context, at, found.at_from, &found.objections),
            };
            signers.push(signer(context, backend, found, standing.with_trust(judged)?, stamps)?);
        }
        Ok((verified, signers))
    }

    /// Verifies the time stamps over a signature, and returns the earliest time that a trusted authority attests. Authorities are
    /// validated at the current time, because the key of an expired certificate no longer proves anything.
    fn timestamps(
        &self,
        context: &Context,
        backend: Chosen,
        signer: &VerifiedSigner,
        options: &VerifyOptions<'_>,
        trusted: Option<&SignerTrust<'_>>,
        beside: &Beside<'_>,
    ) -> Result<(Vec<TimeStamp>, Option<UnixTime>), Failure> {
        let Some(trusted) = trusted.filter(|_| !self.tsa_trust.is_empty() && options.at.is_none()) else {
            return Ok((Vec::new(), None));
        };
        let anchors = trusted.authorities(context, &self.tsa_trust)?;
        let found = match signature_time_stamps(backend, &signer.info, options) {
            Ok(found) => found,
            Err(error) => return Ok((vec![TimeStamp::bad(&error)], None)),
        };
        // Without --at, this is the current time.
        let mut stamped = Stamped { clock: signer.at, list: Vec::new(), earliest: None };
        for stamp in found {
            let stamp = match stamp {
                Ok(stamp) => stamp,
                Err(error) => {
                    stamped.list.push(TimeStamp::bad(&error));
                    continue;
                }
            };
            let certificates: Vec<&[u8]> =
                stamp.certificates.iter().map(Vec::as_slice).chain(beside.certificates.iter().copied()).collect();
            let crls = [stamp.crls.as_slice(), beside.crls].concat();
            let responses = [stamp.ocsp_responses.as_slice(), beside.responses].concat();
            let beside = Beside { certificates: &certificates, crls: &crls, responses: &responses, ..*beside };
            let latest = stamp.latest();
            let judged = trusted.judge_authority(context, &anchors, &stamp.certificate, &beside, signer.at, latest)?;
            stamped.add((stamp.time, latest), subject(context, &stamp.certificate), &judged, &stamp.objections);
        }
        // The time stamps of Authenticode before RFC 3161, whose certificates are those of the message.
        let purpose = Some(oids::KP_TIME_STAMPING);
        let options = VerifyOptions { certificates: beside.certificates, purpose, ..*options };
        let found = match countersignatures(backend, &signer.info, &options) {
            Ok(found) => found,
            Err(error) => {
                stamped.list.push(TimeStamp::bad(&error.into()));
                Vec::new()
            }
        };
        for found in found {
            match found {
                Err(error) => stamped.list.push(TimeStamp::bad(&error.into())),
                Ok(found) => {
                    let authority = subject(context, &found.certificate);
                    let Some(time) = found.time else {
                        stamped.list.push(TimeStamp::without_time(authority));
                        continue;
                    };
                    let judged =
                        trusted.judge_authority(context, &anchors, &found.certificate, beside, signer.at, time)?;
                    stamped.add((time, time), authority, &judged, &found.objections);
                }
            }
        }
        Ok((stamped.list, stamped.earliest))
    }
}

/// The time stamps over a signature.
struct Stamped {
    /// The current time.
    clock: UnixTime,
    list: Vec<TimeStamp>,
    /// The earliest time by which the signature existed, as a trusted authority attests.
    earliest: Option<UnixTime>,
}

impl Stamped {
    /// Adds a time stamp by its time, and the time by which it was created at the latest.
    fn add(
        &mut self,
        (time, latest): (UnixTime, UnixTime),
        authority: String,
        judged: &Judged,
        objections: &[Objection],
    ) {
        let future = objections.iter().find(|objection| matches!(objection, Objection::Future { .. }));
        let error = match future.or(objections.first()) {
            Some(objection) => Some(visible(objection).to_string()),
            None => (!judged.is_trusted()).then(|| judged.summary()),
        };
        let is_trusted = error.is_none();
        if is_trusted {
            // A clock that is ahead within its accuracy does not move the time to check into the future.
            let latest = latest.min(self.clock);
            self.earliest = Some(self.earliest.map_or(latest, |earliest| earliest.min(latest)));
        }
        self.list.push(TimeStamp {
            time: Some(time.to_string()),
            latest: (latest != time).then(|| latest.to_string()),
            authority: Some(authority),
            trusted: is_trusted,
            error,
        });
    }
}
