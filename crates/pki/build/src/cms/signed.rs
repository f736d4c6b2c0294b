//! Signed data (RFC 5652 §5): attached, detached, or certificates only.

use tagwise_codec::{Any, Decode, OctetStr, Oid, Options, RuleSet, SetOf, Tag, encode};

use super::choices::{AttributePlacement, Kinds, as_set, attributes, check_attributes, lists, retag};
use super::piece::Piece;
use super::{message, octet_string};
use crate::{BuildError, digest, error::demand};
use tagwise_messages::cms::{
    Attribute, CertificateChoices, CmsVersion, ContentInfo, ID_CONTENT_TYPE, ID_DATA, ID_MESSAGE_DIGEST,
    ID_SIGNED_DATA, RevocationInfoChoice, SignerIdentifier,
};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::{Certificate, CertificateList};

/// The parts of signed data, except for the content, digests and signatures.
#[derive(Clone, Copy, Debug)]
pub struct SignedParts<'a> {
    /// The content type, usually [`ID_DATA`].
    pub content_type: Oid<'a>,
    /// The certificates to include.
    pub certificates: &'a [CertificateChoices<'a>],
    /// The CRLs and other revocation information to include.
    pub crls: &'a [RevocationInfoChoice<'a>],
    /// The signers. Without signers and content, the message only conveys certificates and CRLs.
    pub signers: &'a [Signer<'a>],
}

/// A signer with its algorithms and attributes.
#[derive(Clone, Copy, Debug)]
pub struct Signer<'a> {
    /// The identifier of the signer's certificate.
    pub sid: SignerIdentifier<'a>,
    /// The digest algorithm for the content.
    pub digest_algorithm: AlgorithmIdentifier<'a>,
    /// The signature algorithm.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// Signed attributes in addition to the content type and digest, which are added automatically. If this is `None`, the
    /// signature covers the content itself, whose type must then be id-data (RFC 5652 §5.3).
    pub signed_attrs: Option<&'a [Attribute<'a>]>,
    /// Attributes that the signature does not cover.
    pub unsigned_attrs: &'a [Attribute<'a>],
}

/// The encoded parts of one signer, except for the signature.
#[derive(Clone, Debug)]
struct Pieces {
    /// The encoded version, identifier and digest algorithm.
    head: Vec<u8>,
    /// The signed attributes in the form that is signed, a DER SET OF.
    signed_attrs: Option<Vec<u8>>,
    algorithm: Vec<u8>,
    unsigned_attrs: Vec<u8>,
}

/// The encoded parts before and after the content.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// The version and the digest algorithms.
    pub(super) head: Vec<u8>,
    /// The encoded content type.
    pub(super) content_type: Vec<u8>,
    /// The encoded certificates and CRLs.
    pub(super) lists: Vec<u8>,
}

/// Signed data that is complete except for its signatures.
#[derive(Clone, Debug)]
pub struct UnsignedMessage<'a> {
    around: Around,
    content: Option<&'a [u8]>,
    signers: Signers,
}

/// The signers, which still need signatures.
#[derive(Clone, Debug)]
pub(super) struct Signers(Vec<Pieces>);

/// Builds signed data without its signatures. If there is no content, the result is detached.
///
/// `digests` contains the content digests, one per signer, in order. Digests of signers without signed attributes are
/// ignored. This function does not hash or sign anything.
///
/// ```
/// use tagwise_codec::{BitStr, Decode, Int};
/// use tagwise_build::{Digest, cms};
/// use tagwise_messages::cms::{Content, ContentInfo, ID_DATA, SignerIdentifier};
/// use tagwise_x509::{AlgorithmIdentifier, oids};
/// let signer = cms::Signer {
///     sid: SignerIdentifier::SubjectKeyIdentifier(b"key 1"[..].into()),
///     digest_algorithm: Digest::Sha512.algorithm(),
///     signature_algorithm: AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None },
///     signed_attrs: Some(&[]),
///     unsigned_attrs: &[],
/// };
/// let parts = cms::SignedParts { content_type: ID_DATA, certificates: &[], crls: &[], signers: &[signer] };
/// let digest = Digest::Sha512.of(b"Hello");
/// let unsigned = cms::signed_data(&parts, Some(b"Hello"), &[&digest])?;
/// # fn sign(_: &[u8]) -> [u8; 64] { [1; 64] }
/// let signature = sign(unsigned.tbs(0).expect("attributes are signed"));
/// let der = unsigned.attach(&[&signature])?;
/// let message = ContentInfo::from_der(&der)?;
/// let Content::SignedData(signed) = message.content.get()? else { panic!() };
/// assert_eq!(signed.version.0, 3); // because the signer is identified by a key identifier
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the numbers of digests and signers differ, or a digest does not have its algorithm's length. Also
/// fails if typed content is signed without attributes, an attribute is duplicated or misplaced, the content does not match
/// its type, or a part cannot be encoded.
pub fn signed_data<'a>(
    parts: &SignedParts<'_>,
    content: Option<&'a [u8]>,
    digests: &[&[u8]],
) -> Result<UnsignedMessage<'a>, BuildError> {
    let around = around(parts)?;
    let signers = Signers::new(parts, digests)?;
    let message = UnsignedMessage { around, content, signers };
    message.attach(&vec![&[][..]; parts.signers.len()])?;
    Ok(message)
}

/// Builds a message with only certificates and CRLs, as in `.p7b` and `.p7c` files (RFC 5652 §5.2, the degenerate
/// case). The DER input is written unchanged, even if a strict decoder would reject its contents.
///
/// ```
/// use tagwise_build::cms;
/// use tagwise_messages::Bundle;
/// let der = cms::certificates_only(&[], &[])?;
/// assert_eq!(Bundle::read(&der)?.certificates().count(), 0);
/// assert!(cms::certificates_only(&[b"\x30\x00"], &[]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if a value does not have the top-level structure of a certificate or CRL.
pub fn certificates_only(certificates: &[&[u8]], crls: &[&[u8]]) -> Result<Vec<u8>, BuildError> {
    // They are written as their signers encoded them, including deviations.
    let lax = Options::der().rules(RuleSet::ALL);
    for der in certificates {
        lax.outline::<Certificate<'_>>(der)?;
    }
    for der in crls {
        lax.outline::<CertificateList<'_>>(der)?;
    }
    let list = |number, items: &[&[u8]]| match items {
        [] => Piece::octets(&[]),
        items => Piece::tagged(number, Piece::set(items.iter().map(|item| item.to_vec()).collect())),
    };
    let signed = Piece::sequence(vec![
        Piece::value(&CmsVersion::V1)?,
        Piece::Element(Tag::SET, Vec::new()),
        Piece::sequence(vec![Piece::value(&ID_DATA)?]),
        list(0, certificates),
        list(1, crls),
        Piece::Element(Tag::SET, Vec::new()),
    ]);
    let der = encode(&message(ID_SIGNED_DATA, signed)?)?;
    ContentInfo::outline(&der)?;
    Ok(der)
}

/// Returns the version required by RFC 5652 §5.1.
fn version(parts: &SignedParts<'_>, kinds: Kinds) -> CmsVersion {
    let v3 = |signer: &Signer<'_>| matches!(signer.sid, SignerIdentifier::SubjectKeyIdentifier(_));
    if kinds.other {
        CmsVersion::V5
    } else if kinds.v2 {
        CmsVersion::V4
    } else if kinds.v1 || parts.signers.iter().any(v3) || parts.content_type != ID_DATA {
        CmsVersion::V3
    } else {
        CmsVersion::V1
    }
}

pub(super) fn around(parts: &SignedParts<'_>) -> Result<Around, BuildError> {
    let (lists, kinds) = lists(parts.certificates, parts.crls)?;
    let mut algorithms = Vec::new();
    for signer in parts.signers {
        algorithms.push(encode(&signer.digest_algorithm)?);
    }
    algorithms.sort_unstable();
    algorithms.dedup();
    let mut head = encode(&version(parts, kinds))?;
    head.extend(encode(&Piece::Element(Tag::SET, Piece::set(algorithms)))?);
    Ok(Around { head, content_type: encode(&parts.content_type)?, lists })
}

impl Signers {
    pub(super) fn new(parts: &SignedParts<'_>, digests: &[&[u8]]) -> Result<Self, BuildError> {
        let each = parts.signers.len() == digests.len();
        demand(each, "the number of digests differs from the number of signers", "RFC 5652 §5.4")?;
        let signers = parts.signers.iter().zip(digests);
        signers.map(|(signer, digest)| pieces(signer, parts.content_type, digest)).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn tbs(&self, signer: usize) -> Option<&[u8]> {
        self.0.get(signer)?.signed_attrs.as_deref()
    }

    pub(super) fn algorithm(&self, signer: usize) -> Option<&[u8]> {
        self.0.get(signer).map(|signer| signer.algorithm.as_slice())
    }

    /// Encodes the `SignerInfos` in the order of the signers, with their signatures.
    pub(super) fn attach(&self, signatures: &[&[u8]]) -> Result<Vec<u8>, BuildError> {
        let each = self.0.len() == signatures.len();
        demand(each, "the number of signatures differs from the number of signers", "RFC 5652 §5.3")?;
        let infos = self.0.iter().zip(signatures).map(|(signer, signature)| {
            let mut info = vec![Piece::octets(&signer.head)];
            if let Some(set) = &signer.signed_attrs {
                info.push(Piece::Octets(retag(set, 0).into()));
            }
            info.push(Piece::octets(&signer.algorithm));
            info.push(octet_string(signature));
            info.push(Piece::octets(&signer.unsigned_attrs));
            Ok(encode(&Piece::sequence(info))?)
        });
        let infos = infos.collect::<Result<Vec<_>, BuildError>>()?;
        Ok(encode(&Piece::Element(Tag::SET, Piece::set(infos)))?)
    }
}

fn pieces(signer: &Signer<'_>, content_type: Oid<'_>, digest: &[u8]) -> Result<Pieces, BuildError> {
    // §5.3: the version follows from the identifier.
    let version = match signer.sid {
        SignerIdentifier::IssuerAndSerialNumber(_) => CmsVersion::V1,
        SignerIdentifier::SubjectKeyIdentifier(_) => CmsVersion::V3,
        SignerIdentifier::Unknown(_) => {
            return Err(BuildError::Invalid { what: "unknown signer identifier", clause: "RFC 5652 §5.3" });
        }
    };
    let mut head = encode(&version)?;
    head.extend(encode(&signer.sid)?);
    head.extend(encode(&signer.digest_algorithm)?);
    let signed_attrs = match signer.signed_attrs {
        Some(more) => {
            digest::check(&signer.digest_algorithm, digest, "RFC 5652 §11.2")?;
            Some(protected(content_type, digest, more)?)
        }
        None => {
            demand(
                content_type == ID_DATA,
                "a content type other than id-data requires signed attributes",
                "RFC 5652 §5.3",
            )?;
            None
        }
    };
    let unsigned_attrs = attributes(1, signer.unsigned_attrs, AttributePlacement::Unprotected)?;
    Ok(Pieces { head, signed_attrs, algorithm: encode(&signer.signature_algorithm)?, unsigned_attrs })
}

/// Encodes the content type, the digest and further attributes as a DER SET OF.
pub(super) fn protected(content_type: Oid<'_>, digest: &[u8], more: &[Attribute<'_>]) -> Result<Vec<u8>, BuildError> {
    let (content_type, digest) = (encode(&content_type)?, encode(&OctetStr::new(digest))?);
    let values = [Any::from_der(&content_type)?, Any::from_der(&digest)?];
    let [content_type, digest] = values.each_ref().map(core::slice::from_ref).map(SetOf::from_slice);
    let mut list = vec![
        Attribute { attr_type: ID_CONTENT_TYPE, attr_values: content_type },
        Attribute { attr_type: ID_MESSAGE_DIGEST, attr_values: digest },
    ];
    list.extend(more);
    check_attributes(&list, AttributePlacement::Protected)?;
    as_set(&list)
}

impl UnsignedMessage<'_> {
    /// Returns the bytes to sign: the signer's signed attributes as a DER SET OF (RFC 5652 §5.4). Returns `None` if the signature
    /// covers the content itself, or there is no such signer.
    #[must_use]
    pub fn tbs(&self, signer: usize) -> Option<&[u8]> {
        self.signers.tbs(signer)
    }

    /// Returns a signer's signature AlgorithmIdentifier, in DER.
    #[must_use]
    pub fn algorithm(&self, signer: usize) -> Option<&[u8]> {
        self.signers.algorithm(signer)
    }

    /// Returns the message with a signature for each signer, in order. Signatures are not verified.
    ///
    /// # Errors
    /// Returns an error if the numbers of signatures and signers differ, or the message exceeds
    /// [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT). For larger messages, use a [stream](super::SignedWriter).
    pub fn attach(&self, signatures: &[&[u8]]) -> Result<Vec<u8>, BuildError> {
        let signers = self.signers.attach(signatures)?;
        let mut inside = vec![Piece::octets(&self.around.content_type)];
        if let Some(content) = self.content {
            inside.push(Piece::tagged(0, vec![octet_string(content)]));
        }
        let signed = Piece::sequence(vec![
            Piece::octets(&self.around.head),
            Piece::sequence(inside),
            Piece::octets(&self.around.lists),
            Piece::octets(&signers),
        ]);
        let der = encode(&message(ID_SIGNED_DATA, signed)?)?;
        ContentInfo::from_der(&der)?;
        Ok(der)
    }
}
