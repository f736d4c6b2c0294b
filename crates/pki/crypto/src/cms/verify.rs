//! Verifies signed data (RFC 5652 §5): the signers, their certificates, and objections to the certificates. Certification
//! paths are not validated here.

use std::io::{Read, Write};

use tagwise_codec::{Oid, Rule, RuleSet, ber};
use tagwise_pkix::cms::{Limits, SignedReader, SignerInfo};
use tagwise_pkix::{Certificate, UnixTime};

use super::digests::{Digested, Digests};
use super::evidence::RevocationInfo;
use super::identify::{is_signer, read, read_with};
use super::standing::{Objection, TimeSource, now, objections};
use super::{CmsError, part, signer_info};
use crate::{Backend, Digest, ErrorKind, Scheme};

/// Verification options, and limits on the work caused by a message.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions<'a> {
    /// Additional certificates in DER, in which signers' certificates are looked up.
    pub certificates: &'a [&'a [u8]],
    /// True to accept signatures and digests with SHA-1, which is no longer secure.
    pub legacy: bool,
    /// The time at which signers' certificates are checked. The default is the current time. The signer's own signingTime
    /// is never used, because the holder of an expired certificate's key can claim any time.
    /// [`signature_time_stamps`](crate::tsp::signature_time_stamps) returns times attested by time stamp authorities.
    pub at: Option<UnixTime>,
    /// The purpose that a certificate's extended key usage, if present, must include: `id-kp-emailProtection` for email.
    pub purpose: Option<Oid<'a>>,
    /// True to accept content that parses as signed attributes and is signed without attributes. An attacker can turn any
    /// signature with attributes into such a message.
    pub allow_attributes_as_content: bool,
    /// Decoding rules that signers' certificates may violate, so that their key usage can still be read. With
    /// [`Rule::SET_OF_ORDER`](tagwise_codec::Rule::SET_OF_ORDER), a signature may also cover signed attributes in the order of the
    /// message, although RFC 5652 §5.4 requires that of DER.
    pub tolerate: RuleSet,
    /// The maximum number of signatures to verify.
    pub max_signatures: usize,
    /// The maximum content size to buffer for signers without signed attributes, in bytes.
    pub max_held: usize,
    /// Limits on the rest of the message that is held in memory.
    pub limits: Limits,
}

impl VerifyOptions<'_> {
    /// The default options: no additional certificates, no SHA-1 and any purpose. At most 256 signatures, more than real
    /// messages have, and 64 MiB of content.
    pub const DEFAULT: Self = Self {
        certificates: &[],
        legacy: false,
        at: None,
        purpose: None,
        allow_attributes_as_content: false,
        tolerate: RuleSet::NONE,
        max_signatures: 256,
        max_held: 64 << 20,
        limits: Limits::DEFAULT,
    };
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The result of verifying a message.
#[derive(Debug, Default)]
pub struct Verification {
    /// The content type, as the content bytes of an OBJECT IDENTIFIER.
    content_type: Vec<u8>,
    /// The content. Empty for a stream.
    pub content: Vec<u8>,
    /// The message's certificates and attribute certificates, unchanged except that BER is converted to DER.
    pub certificates: Vec<Vec<u8>>,
    /// The CRLs in the message and in the attributes revocation-values (ETSI EN 319 122-1 §A.1.5.2) and `RevocationInfoArchival`
    /// (ISO 32000-2 §12.8.3.3.2) of its signers, unchanged.
    pub crls: Vec<Vec<u8>>,
    /// The OCSP responses in the message (RFC 5940 §2.1) and in the same attributes, each an `OCSPResponse`.
    pub ocsp_responses: Vec<Vec<u8>>,
    /// The names of the formats of other revocation information in the message, such as `id-ri-scvp`. It is not read.
    pub unused_revocation: Vec<String>,
    /// The message's signers.
    pub signers: Vec<VerifiedSigner>,
}

/// The verification result for one signer.
#[derive(Debug)]
#[non_exhaustive]
pub struct VerifiedSigner {
    /// The SignerInfo in DER.
    pub info: Vec<u8>,
    /// The signer's certificate in DER, if found.
    pub certificate: Option<Vec<u8>>,
    /// The signature scheme, if known.
    pub scheme: Option<Scheme>,
    /// The hash algorithm of the content's digest, if known.
    pub digest: Option<Digest>,
    /// Violations of the algorithms' standards that do not affect the signature, such as parameters that must be absent.
    pub deviations: Vec<String>,
    /// The signing time claimed by the signer.
    pub signing_time: Option<UnixTime>,
    /// The result of verifying the signature.
    pub outcome: Result<(), CmsError>,
    /// The time at which the certificate was checked.
    pub at: UnixTime,
    /// The source of that time.
    pub at_from: TimeSource,
    /// Objections to the certificate: its validity at that time and its key usage. The list is also empty if no certificate was
    /// found.
    pub objections: Vec<Objection>,
}

impl Verification {
    /// Returns the content type.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        type_of(&self.content_type)
    }

    /// Returns whether there is at least one signer and all signatures are valid. It ignores objections to the signers'
    /// certificates, which [`is_acceptable`](Self::is_acceptable) includes.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        !self.signers.is_empty() && self.signers.iter().all(|signer| signer.outcome.is_ok())
    }

    /// Returns whether there is at least one signer, all signatures are valid, and there are no objections to the
    /// certificates. Trust in the certificates is not checked, because no path is validated.
    #[must_use]
    pub fn is_acceptable(&self) -> bool {
        self.is_signed() && self.signers.iter().all(|signer| signer.objections.is_empty())
    }
}

/// Converts checked content bytes to an OBJECT IDENTIFIER. Invalid bytes would become 0.0.
fn type_of(octets: &[u8]) -> Oid<'_> {
    Oid::from_content(octets).unwrap_or(tagwise_codec::oid!("0.0"))
}

/// Verifies signed data in BER or DER. Pass detached content separately.
///
/// An invalid signature is not an error: see [`Verification::is_signed`] and [`VerifiedSigner::outcome`].
///
/// # Errors
/// Returns an error if the message is malformed, the content is missing or given twice, or a limit of the options is
/// exceeded.
pub fn verify(
    backend: &dyn Backend,
    message: &[u8],
    content: Option<&[u8]>,
    options: &VerifyOptions<'_>,
) -> Result<Verification, CmsError> {
    let mut held = Vec::new();
    let mut given = content;
    let given = given.as_mut().map(|content| content as &mut dyn Read);
    let verified = verify_stream(backend, message, given, &mut held, options)?;
    Ok(Verification { content: held, ..verified })
}

/// Verifies a message and content of any size, like [`verify`]. The content is written as it is read, before the signatures
/// are verified.
///
/// # Errors
/// Returns any error from [`verify`], or an error if reading or writing fails.
pub fn verify_stream(
    backend: &dyn Backend,
    message: impl Read,
    content: Option<&mut dyn Read>,
    out: &mut dyn Write,
    options: &VerifyOptions<'_>,
) -> Result<Verification, CmsError> {
    let mut reader = SignedReader::with(message, options.limits)?;
    // Unknown or unsupported ones are reported for their signers.
    let listed = reader.digest_algorithms();
    let listed = listed.iter().filter_map(|algorithm| Digest::from_identifier(algorithm).ok());
    let listed = listed.filter(|digest| backend.hasher(*digest).is_ok());
    let mut digests = Digests::new(backend, listed, options.max_held)?;
    match (content, reader.is_detached()) {
        (Some(content), true) => digests.pass(content, out)?,
        (None, false) => digests.pass(&mut reader, out).map_err(super::of_stream)?,
        (None, true) => return Err(CmsError::NoContent),
        (Some(_), false) => {
            return Err(CmsError::Invalid {
                what: "content was given, but the message contains its own",
                clause: "RFC 5652 §5.2",
            });
        }
    }
    let content_type = reader.content_type().as_bytes().to_vec();
    let tail = reader.finish()?;
    let digested = digests.finish()?;
    if tail.signers.len() > options.max_signatures {
        return Err(CmsError::Limit { what: "signers" });
    }
    let certificates: Vec<Vec<u8>> = tail.certificates.into_iter().map(in_der).collect();
    // Read once, however many signers there are.
    let all = certificates.iter().map(Vec::as_slice).chain(options.certificates.iter().copied());
    let known: Vec<Known<'_>> = all.filter_map(|der| Some((der, read_with(der, options.tolerate).ok()?))).collect();
    let mut left = options.max_signatures;
    let mut signers = Vec::new();
    let mut evidence = RevocationInfo::of(tail.crls);
    for info in tail.signers.into_iter().zip(tail.written) {
        let content_type = type_of(&content_type);
        signers.push(one(backend, info, content_type, &known, &digested, options, &mut left)?);
        // It was read before.
        signers.last().and_then(|signer| part(&signer.info).ok()).iter().for_each(|info| evidence.add_attributes(info));
    }
    drop(known);
    let RevocationInfo { crls, ocsp_responses, unused } = evidence;
    let content = Vec::new();
    Ok(Verification { content_type, content, certificates, crls, ocsp_responses, unused_revocation: unused, signers })
}

/// Returns whether a signature does not verify.
fn is_wrong(outcome: &Result<(), CmsError>) -> bool {
    matches!(outcome, Err(CmsError::Crypto(error)) if error.kind() == ErrorKind::Signature)
}

/// A certificate with its bytes.
type Known<'a> = (&'a [u8], Certificate<'a>);

/// Converts a certificate from BER to DER, because its signature covers the DER (RFC 5280 §4.1.1.3). Returns input unchanged
/// if it is DER or not a certificate.
fn in_der(octets: Vec<u8>) -> Vec<u8> {
    if read(&octets).is_ok() {
        return octets;
    }
    let converted = ber::to_der::<Certificate<'_>>(&octets).map(|der| der.into_bytes().into_owned());
    converted.unwrap_or(octets)
}

fn one(
    backend: &dyn Backend,
    (info, written): (Vec<u8>, Option<Vec<u8>>),
    content_type: Oid<'_>,
    known: &[Known<'_>],
    content: &Digested,
    options: &VerifyOptions<'_>,
    left: &mut usize,
) -> Result<VerifiedSigner, CmsError> {
    let mut signer = VerifiedSigner {
        info,
        certificate: None,
        scheme: None,
        digest: None,
        deviations: Vec::new(),
        signing_time: None,
        outcome: Ok(()),
        at: UnixTime::EPOCH,
        at_from: TimeSource::Clock,
        objections: Vec::new(),
    };
    let read_info: SignerInfo<'_> = part(&signer.info).map_err(CmsError::malformed("a signer"))?;
    let mut named = known.iter().filter(|(_, certificate)| is_signer(&read_info.sid, certificate));

    let checked = signer_info::check(backend, &read_info, Some(content_type), content, options);
    let (outcome, certificate) = match &checked {
        Err(_) => (Ok(()), named.next().map(|(der, _)| der.to_vec())),
        Ok(checked) => {
            signer.scheme = Some(checked.scheme);
            signer.digest = Some(checked.digest);
            signer.deviations = signer_info::deviations(&read_info);
            signer.signing_time = checked.signing_time;
            let as_written = written.and_then(|written| checked.as_written(&written));
            // Several certificates may have the same key identifier: the one whose key verifies the signature counts.
            let mut found = (Err(CmsError::NoCertificate), None);
            for (der, certificate) in named {
                *left = left.checked_sub(1).ok_or(CmsError::Limit { what: "signatures" })?;
                let mut outcome = checked.verify(backend, &read_info, der, certificate);
                if let Some(other) = as_written.as_ref().filter(|_| is_wrong(&outcome)) {
                    *left = left.checked_sub(1).ok_or(CmsError::Limit { what: "signatures" })?;
                    if other.checked.verify(backend, &read_info, der, certificate).is_ok() {
                        let is_allowed = other.is_only_order && options.tolerate.has(&Rule::SET_OF_ORDER);
                        outcome = if is_allowed { Ok(()) } else { Err(CmsError::NotDer) };
                        signer.deviations.extend(is_allowed.then(|| CmsError::NotDer.to_string()));
                    }
                }
                let done = outcome.is_ok();
                found = (outcome, Some(der.to_vec()));
                if done {
                    break;
                }
            }
            found
        }
    };
    (signer.at, signer.at_from) = options.at.map_or_else(|| (now(), TimeSource::Clock), |at| (at, TimeSource::Given));
    if let Some(der) = &certificate {
        let read = read_with(der, options.tolerate).map_err(CmsError::malformed("the certificate of a signer"))?;
        signer.objections = objections(&read, signer.at, options.purpose);
    }
    signer.outcome = checked.map(|_| ()).and(outcome);
    signer.certificate = certificate;
    Ok(signer)
}
