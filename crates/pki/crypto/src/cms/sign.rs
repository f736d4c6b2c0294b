//! Creates signed data (RFC 5652 §5): attached or detached, with one or more signers, and content of any size.

use std::io::{self, Read, Write};

use tagwise_codec::{Any, Decode, Oid, encode};
use tagwise_pkix::build::cms::{self, SignedParts, SignedWriter};
use tagwise_pkix::cms::{Attribute, CertificateChoices, ID_DATA, RevocationInfoChoice, SignerIdentifier};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo, oids};

use super::confusion::refuse_attributes;
use super::digests::{Digested, Digests, customary, identifier};
use super::{CmsError, Identifier};
use crate::signer::without_context;
use crate::{Backend, Digest, Error, ErrorKind, Scheme, Signer};

/// A signer with its certificate and attributes.
#[derive(Clone, Copy)]
pub struct Signing<'a> {
    /// The signing key.
    pub signer: &'a dyn Signer,
    /// The signer's certificate, which contains the public key.
    pub certificate: &'a Certificate<'a>,
    /// The way in which the message identifies the certificate.
    pub identifier: Identifier,
    /// The hash algorithm for the content. `None` selects the usual one for the key.
    pub digest: Option<Digest>,
    /// Signed attributes in addition to the content type and digest: see
    /// [`AttributeList`](tagwise_pkix::build::AttributeList). With `None`, the content is signed directly, and its type must be
    /// id-data (RFC 5652 §5.3).
    pub attributes: Option<&'a [Attribute<'a>]>,
    /// Unsigned attributes.
    pub unsigned_attributes: &'a [Attribute<'a>],
}

impl<'a> Signing<'a> {
    /// Creates a signer identified by issuer and serial number, with only the required attributes.
    #[must_use]
    pub const fn new(signer: &'a dyn Signer, certificate: &'a Certificate<'a>) -> Self {
        Self {
            signer,
            certificate,
            identifier: Identifier::IssuerAndSerialNumber,
            digest: None,
            attributes: Some(&[]),
            unsigned_attributes: &[],
        }
    }
}

impl core::fmt::Debug for Signing<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signing").field("scheme", self.signer.scheme()).finish_non_exhaustive()
    }
}

/// Options for signed data.
#[derive(Clone, Copy, Debug)]
pub struct SignedOptions<'a> {
    /// The content type.
    pub content_type: Oid<'a>,
    /// True if the message omits the content.
    pub detached: bool,
    /// Certificates to include, in DER. The signers' certificates are not added automatically.
    pub certificates: &'a [&'a [u8]],
    /// CRLs to include, in DER.
    pub crls: &'a [&'a [u8]],
    /// True to allow content that parses as signed attributes to be signed without attributes. The signature could then be
    /// presented as one over other content, whose digest these attributes contain.
    pub allow_attributes_as_content: bool,
}

impl SignedOptions<'_> {
    /// The default options: plain data, included in the message, without certificates and CRLs.
    pub const DEFAULT: Self = Self {
        content_type: ID_DATA,
        detached: false,
        certificates: &[],
        crls: &[],
        allow_attributes_as_content: false,
    };
}

impl Default for SignedOptions<'_> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A signer's certificate identifier and digest, and its signature algorithm in DER.
struct Prepared<'a> {
    sid: SignerIdentifier<'a>,
    digest: Digest,
    algorithm: Vec<u8>,
}

fn prepare<'a>(signing: &Signing<'a>) -> Result<Prepared<'a>, CmsError> {
    let scheme = signing.signer.scheme();
    without_context(signing.signer)?;
    if scheme.is_legacy() {
        return Err(Error::new(ErrorKind::Legacy, scheme).into());
    }
    let malformed = |error| Error::new(ErrorKind::MalformedKey, "public").because(error);
    let key = SubjectPublicKeyInfo::from_der(signing.signer.public_key_info()).map_err(malformed)?;
    if key.subject_public_key != signing.certificate.tbs_certificate.subject_public_key_info.subject_public_key {
        return Err(Error::new(ErrorKind::Inconsistent, "the signer's key and certificate").into());
    }
    let digest = signing.digest.map_or_else(|| customary(scheme), Ok)?;
    // RFC 8933 §3: one digest for the content and for what is signed.
    if digest == Digest::Sha1 || scheme.digest().is_some_and(|other| other != digest) {
        return Err(Error::new(ErrorKind::Parameters, format_args!("{scheme} with {digest}")).into());
    }
    let algorithm = match scheme {
        // RFC 3370 §3.2: this identifier is the one that everybody must understand; the digest stands beside it.
        Scheme::RsaPkcs1(_) => {
            encode(&AlgorithmIdentifier { algorithm: oids::RSA_ENCRYPTION, parameters: Some(Any::null(0)) })?
        }
        _ => scheme.identifier()?,
    };
    Ok(Prepared { sid: signing.identifier.signer(signing.certificate)?, digest, algorithm })
}

/// The parts of a message, borrowed from all inputs.
struct Parts<'a> {
    signers: Vec<cms::Signer<'a>>,
    certificates: Vec<CertificateChoices<'a>>,
    crls: Vec<RevocationInfoChoice<'a>>,
}

impl<'a> Parts<'a> {
    fn new(
        signings: &'a [Signing<'a>],
        prepared: &'a [Prepared<'a>],
        options: &SignedOptions<'a>,
    ) -> Result<Self, CmsError> {
        let signers = signings.iter().zip(prepared).map(|(signing, prepared)| {
            Ok(cms::Signer {
                sid: prepared.sid,
                digest_algorithm: identifier(signing.signer.scheme(), prepared.digest),
                signature_algorithm: AlgorithmIdentifier::from_der(&prepared.algorithm)
                    .map_err(CmsError::malformed("the algorithm"))?,
                signed_attrs: signing.attributes,
                unsigned_attrs: signing.unsigned_attributes,
            })
        });
        let signers = signers.collect::<Result<_, CmsError>>()?;
        let certificates = options.certificates.iter().map(|der| CertificateChoices::outline(der));
        let crls = options.crls.iter().map(|der| RevocationInfoChoice::outline(der));
        Ok(Self {
            signers,
            certificates: certificates.collect::<Result<_, _>>().map_err(CmsError::malformed("a certificate"))?,
            crls: crls.collect::<Result<_, _>>().map_err(CmsError::malformed("a CRL"))?,
        })
    }

    fn signed(&self, options: &SignedOptions<'a>) -> SignedParts<'_> {
        SignedParts {
            content_type: options.content_type,
            certificates: &self.certificates,
            crls: &self.crls,
            signers: &self.signers,
        }
    }
}

/// Returns the content's digest for each signer.
fn of_each(backend: &dyn Backend, prepared: &[Prepared<'_>], digested: &Digested) -> Result<Vec<Vec<u8>>, CmsError> {
    prepared.iter().map(|prepared| digested.of(backend, prepared.digest)).collect()
}

/// Creates each signer's signature over its attributes or the content.
fn signatures<'t>(
    signings: &[Signing<'_>],
    tbs: impl Fn(usize) -> Option<&'t [u8]>,
    content: Option<&'t [u8]>,
) -> Result<Vec<Vec<u8>>, CmsError> {
    let each = signings.iter().enumerate().map(|(index, signing)| {
        let message = tbs(index).or(content).ok_or(CmsError::Invalid {
            what: "a signature without attributes covers the whole content, which is not held in memory",
            clause: "RFC 5652 §5.4",
        })?;
        Ok(signing.signer.sign(message)?)
    });
    each.collect()
}

fn slices(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

/// Creates signed data in DER.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_codec::Decode;
/// use tagwise_crypto::cms::{SignedOptions, Signing, VerifyOptions, sign, verify};
/// use tagwise_crypto::{Backend, KeySigner, KeyType, Signer, backends::AwsLc};
/// # use tagwise_pkix::{build, name::NameBuf, *};
/// let backend = AwsLc::new();
/// let signer = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
/// # let name = NameBuf::parse("CN=Example")?;
/// # let time = |seconds| Time::from_unix(UnixTime(seconds));
/// # let algorithm = signer.scheme().identifier()?;
/// # let unsigned = build::certificate(&TbsCertificate {
/// #     version: Version::V1, serial_number: build::SerialNumber::from_random([1; 20]).number(),
/// #     signature: AlgorithmIdentifier::from_der(&algorithm)?, issuer: name.name(), subject: name.name(),
/// #     validity: Validity { not_before: time(1_700_000_000)?, not_after: time(2_600_000_000)? },
/// #     subject_public_key_info: SubjectPublicKeyInfo::from_der(signer.public_key_info())?,
/// #     issuer_unique_id: None, subject_unique_id: None, extensions: None,
/// # })?;
/// # let der = tagwise_crypto::sign(&unsigned, &signer)?;
/// let certificate = Certificate::from_der(&der)?;
/// let options = SignedOptions { certificates: &[&der], ..SignedOptions::DEFAULT };
/// let message = sign(&backend, b"what is said", &[Signing::new(&signer, &certificate)], &options)?;
///
/// let verified = verify(&backend, &message, None, &VerifyOptions::DEFAULT)?;
/// assert!(verified.is_signed());
/// assert_eq!(verified.content, b"what is said");
/// assert_eq!(verified.signers[0].certificate.as_deref(), Some(&der[..]));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a key does not match its certificate, does not support signing or does not fit the digest. Also
/// fails if content that parses as signed attributes would be signed without attributes, or if the message cannot be
/// built: see [`tagwise_pkix::build::cms::signed_data`].
pub fn sign(
    backend: &dyn Backend,
    content: &[u8],
    signings: &[Signing<'_>],
    options: &SignedOptions<'_>,
) -> Result<Vec<u8>, CmsError> {
    if !options.allow_attributes_as_content && signings.iter().any(|signing| signing.attributes.is_none()) {
        refuse_attributes(content)?;
    }
    let prepared = signings.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let mut digests = Digests::new(backend, prepared.iter().map(|prepared| prepared.digest), 0)?;
    digests.update(content);
    let digests = of_each(backend, &prepared, &digests.finish()?)?;
    let parts = Parts::new(signings, &prepared, options)?;
    let attached = (!options.detached).then_some(content);
    let unsigned = cms::signed_data(&parts.signed(options), attached, &slices(&digests))?;
    let signatures = signatures(signings, |signer| unsigned.tbs(signer), Some(content))?;
    Ok(unsigned.attach(&slices(&signatures))?)
}

/// Creates signed data with content of any size in a single pass. The result is BER with indefinite lengths or, if
/// detached, DER.
///
/// # Errors
/// Returns any error from [`sign`], or an error if reading or writing fails. Also fails if a signer has no attributes,
/// because its signature would need all of the content at once. Output written before an error is not a valid message.
pub fn sign_stream<W: Write>(
    backend: &dyn Backend,
    content: &mut dyn Read,
    mut out: W,
    signings: &[Signing<'_>],
    options: &SignedOptions<'_>,
) -> Result<W, CmsError> {
    let prepared = signings.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
    let mut digests = Digests::new(backend, prepared.iter().map(|prepared| prepared.digest), 0)?;
    let parts = Parts::new(signings, &prepared, options)?;
    let parts = parts.signed(options);
    if options.detached {
        digests.pass(content, &mut io::sink())?;
        let digests = of_each(backend, &prepared, &digests.finish()?)?;
        let unsigned = cms::signed_data(&parts, None, &slices(&digests))?;
        let signatures = signatures(signings, |signer| unsigned.tbs(signer), None)?;
        out.write_all(&unsigned.attach(&slices(&signatures))?)?;
        out.flush()?;
        return Ok(out);
    }
    let mut writer = SignedWriter::new(out, &parts)?;
    digests.pass(content, &mut writer)?;
    let digests = of_each(backend, &prepared, &digests.finish()?)?;
    let unsigned = writer.finish(&slices(&digests))?;
    let signatures = signatures(signings, |signer| unsigned.tbs(signer), None)?;
    Ok(unsigned.attach(&slices(&signatures))?)
}
