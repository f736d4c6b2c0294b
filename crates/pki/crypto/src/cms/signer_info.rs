//! Verifies a single signer: its attributes and its signature.

use tagwise_codec::{Any, Oid, Options, Rule, SetOf, Tag};
use tagwise_pkix::cms::protection::{CmsAlgorithmProtection, ID_AA_CMS_ALGORITHM_PROTECTION};
use tagwise_pkix::cms::{
    Attribute, Attributes, ID_CONTENT_TYPE, ID_DATA, ID_MESSAGE_DIGEST, ID_SIGNING_TIME, SignerInfo,
};
use tagwise_pkix::ess::{
    ID_AA_SIGNING_CERTIFICATE, ID_AA_SIGNING_CERTIFICATE_V2, IssuerSerial, SigningCertificate, SigningCertificateV2,
};
use tagwise_pkix::ext::GeneralName;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, UnixTime, oids};

use super::confusion::refuse_attributes;
use super::digests::Digested;
use super::evidence::children;
use super::{CmsError, VerifyOptions, placement};
use crate::error::named as algorithm_name;
use crate::signer::verify_scheme;
use crate::{Backend, Digest, Error, ErrorKind, Scheme};

/// A signer whose attributes are valid.
pub(super) struct Checked {
    pub(super) scheme: Scheme,
    pub(super) digest: Digest,
    pub(super) signing_time: Option<UnixTime>,
    /// True if legacy signatures are accepted.
    legacy: bool,
    /// The bytes that the signature covers.
    message: Vec<u8>,
}

/// Returns a signer's signature scheme. With `rsaEncryption`, the digest is a separate field (RFC 3370 §3.2). Other
/// identifiers include it.
fn scheme(identifier: &AlgorithmIdentifier<'_>, digest: Digest, legacy: bool) -> Result<Scheme, Error> {
    let scheme = if identifier.algorithm == oids::RSA_ENCRYPTION {
        // Parameters are NULL; signers leave them out, as RFC 4055 §5 has it for the algorithms with digests.
        if identifier.parameters.is_some_and(|parameters| parameters.tag() != Tag::NULL) {
            return Err(Error::new(ErrorKind::Parameters, "RSA"));
        }
        Scheme::RsaPkcs1(digest)
    } else {
        Scheme::of_legacy(identifier)?
    };
    if legacy {
        return Ok(scheme);
    }
    // The digest of the content has collisions regardless of the signature algorithm (RFC 6194 §3).
    match (scheme.is_legacy(), digest) {
        (true, _) => Err(Error::new(ErrorKind::Legacy, scheme)),
        (false, Digest::Sha1) => Err(Error::new(ErrorKind::Legacy, digest)),
        _ => Ok(scheme),
    }
}

/// Digests and signature algorithms with MD2, MD4 or MD5 (RFC 6149, RFC 6150, RFC 6151 §2).
const FORGEABLE: [Oid<'static>; 7] = [
    oids::MD2,
    oids::MD5,
    oids::MD2_WITH_RSA_ENCRYPTION,
    oids::MD4_WITH_RSA_ENCRYPTION,
    oids::MD5_WITH_RSA_ENCRYPTION,
    oids::MD5_WITH_RSA,
    oids::MD5_WITH_RSA_SIGNATURE,
];

/// Performs all checks of a signer that do not require a certificate. A countersignature has no content type: its content is
/// the value of another signature (RFC 5652 §11.4).
pub(super) fn check(
    backend: &dyn Backend,
    info: &SignerInfo<'_>,
    content_type: Option<Oid<'_>>,
    content: &Digested,
    options: &VerifyOptions<'_>,
) -> Result<Checked, CmsError> {
    placement::check(info)?;
    let legacy = options.legacy;
    let algorithms = [info.digest_algorithm.algorithm, info.signature_algorithm.algorithm];
    let is_forgeable = algorithms.iter().any(|algorithm| FORGEABLE.contains(algorithm));
    // With legacy algorithms, the signature could be right; it is not verified.
    CmsError::demand(
        legacy || !is_forgeable,
        "signatures with MD2, MD4 or MD5 can be forged",
        "RFC 6149, RFC 6151 §2",
    )?;
    let digest = Digest::from_identifier(&info.digest_algorithm)?;
    let scheme = scheme(&info.signature_algorithm, digest, legacy)?;
    // RFC 8933 §3: one digest for the content and for what is signed.
    let same = scheme.digest().is_none_or(|other| other == digest);
    CmsError::demand(same, "the digest algorithm differs from the signature algorithm's", "RFC 8933 §3")?;
    let malformed = CmsError::malformed("signed attributes");
    let Some(attributes) = &info.signed_attrs else {
        CmsError::demand(
            content_type.is_none_or(|content_type| content_type == ID_DATA),
            "a content type other than id-data requires signed attributes",
            "RFC 5652 §5.3",
        )?;
        // The signature is of the content itself.
        let message =
            content.held.clone().ok_or(CmsError::Limit { what: "content that is signed without attributes" })?;
        if content_type.is_some() && !options.allow_attributes_as_content {
            refuse_attributes(&message)?;
        }
        return Ok(Checked { scheme, digest, signing_time: None, legacy, message });
    };
    once(&attributes.0, "signed attributes")?;
    let signed_type = info.content_type().map_err(malformed)?;
    if let Some(content_type) = content_type {
        let signed_type = signed_type
            .ok_or(CmsError::Invalid { what: "the contentType attribute is missing", clause: "RFC 5652 §5.3" })?;
        CmsError::demand(
            signed_type == content_type,
            "the contentType attribute does not match eContentType",
            "RFC 5652 §11.1",
        )?;
    } else {
        // RFC 5652 §11.4 forbids the attribute. Authenticode's time stamps have it, with the type id-data.
        CmsError::demand(
            signed_type.is_none_or(|signed_type| signed_type == ID_DATA),
            "a countersignature has a contentType attribute other than id-data",
            "RFC 5652 §11.4",
        )?;
    }
    let signed = info.message_digest().map_err(malformed)?;
    let signed =
        signed.ok_or(CmsError::Invalid { what: "the messageDigest attribute is missing", clause: "RFC 5652 §5.3" })?;
    if content.of(backend, digest)? != signed {
        return Err(CmsError::Digest);
    }
    if let Some(protected) =
        attributes.value::<CmsAlgorithmProtection<'_>>(ID_AA_CMS_ALGORITHM_PROTECTION).map_err(malformed)?
    {
        let same = protected.digest_algorithm.algorithm == info.digest_algorithm.algorithm
            && protected.signature_algorithm == Some(info.signature_algorithm);
        CmsError::demand(
            same,
            "the algorithm identifiers differ from the signed cmsAlgorithmProtection attribute",
            "RFC 6211 §3",
        )?;
    }
    let signing_time = info.signing_time().map_err(|error| match error.clause() {
        clause if clause.contains("RFC 5280 §4.1.2.5") => CmsError::Invalid {
            what: "the signing time has the wrong type: expected UTCTime up to 2049, and GeneralizedTime after it",
            clause: "RFC 5652 §11.3",
        },
        _ => malformed(error),
    })?;
    let signing_time = signing_time.map(|time| time.unix());
    let message = info.signed_octets()?.unwrap_or_default();
    Ok(Checked { scheme, digest, signing_time, legacy, message })
}

/// Returns the violations of the algorithms' standards that do not affect the signature.
pub(super) fn deviations(info: &SignerInfo<'_>) -> Vec<String> {
    let id = info.signature_algorithm.algorithm;
    let mut found = Vec::new();
    let is_ecdsa = [oids::ECDSA_WITH_SHA224, oids::ECDSA_WITH_SHA256, oids::ECDSA_WITH_SHA384, oids::ECDSA_WITH_SHA512];
    let clause = match () {
        () if id == oids::ED25519 || id == oids::ED448 => "RFC 8410 §3",
        () if is_ecdsa.contains(&id) => "RFC 5754 §3.3",
        () => return found,
    };
    let name = algorithm_name(id);
    if info.signature_algorithm.parameters.is_some() {
        found.push(format!("the algorithm {name} has parameters, expected none ({clause})"));
    }
    let digest = info.digest_algorithm.algorithm;
    if id == oids::ED25519 && info.signed_attrs.is_some() && digest != oids::SHA512 {
        let digest = algorithm_name(digest);
        found
            .push(format!("the digest of {name} is {digest}, expected SHA-512 with signed attributes (RFC 8419 §3.1)"));
    }
    found
}

/// The single-valued attributes that are evaluated here (RFC 5652 §11.1 to §11.3, RFC 6211 §2, RFC 2634 §5.4, RFC 5035 §3).
const SINGLE: [Oid<'static>; 6] = [
    ID_CONTENT_TYPE,
    ID_MESSAGE_DIGEST,
    ID_SIGNING_TIME,
    ID_AA_CMS_ALGORITHM_PROTECTION,
    ID_AA_SIGNING_CERTIFICATE,
    ID_AA_SIGNING_CERTIFICATE_V2,
];

/// Checks that no attribute is repeated (RFC 5652 §5.3), and that single-valued attributes have exactly one value. Without
/// this check, such an attribute would be treated as absent.
pub(super) fn once(attributes: &SetOf<'_, Attribute<'_>>, part: &'static str) -> Result<(), CmsError> {
    let mut types = Vec::new();
    for attribute in attributes.iter() {
        let attribute = attribute.map_err(CmsError::malformed(part))?;
        if SINGLE.contains(&attribute.attr_type) {
            let single = attribute.attr_values.iter().take(2).count() == 1;
            CmsError::demand(single, "a single-valued attribute must have exactly one value", "RFC 5652 §11")?;
        }
        types.push(attribute.attr_type);
    }
    types.sort_unstable();
    let twice = types.windows(2).any(|pair| matches!(pair, [one, other] if one == other));
    CmsError::demand(!twice, "duplicate attribute", "RFC 5652 §5.3")
}

/// A signer as checked, but with the signed attributes as they are in the message.
pub(super) struct AsWritten {
    pub(super) checked: Checked,
    /// True if only the order of the attributes and of their values differs from DER.
    pub(super) is_only_order: bool,
}

impl Checked {
    /// Returns the signer with the signed attributes as they are in a SignerInfo that is not DER. Returns `None` if it has none.
    pub(super) fn as_written(&self, written: &[u8]) -> Option<AsWritten> {
        // SignerInfo ::= SEQUENCE { version, sid, digestAlgorithm, signedAttrs [0] IMPLICIT SET OPTIONAL, ... }
        let attributes = children(written).get(3).copied()?;
        let (0xA0, rest) = attributes.split_first()? else { return None };
        // §5.4: the signature covers them with the tag of a SET.
        let message = [&[0x31], rest].concat();
        let is_only_order = Options::der().allow(&Rule::SET_OF_ORDER).decode::<Attributes<'_>>(&message).is_ok();
        let Self { scheme, digest, signing_time, legacy, .. } = *self;
        Some(AsWritten { checked: Self { scheme, digest, signing_time, legacy, message }, is_only_order })
    }

    /// Verifies that the signature was created with this certificate's key. If the signed attributes identify a certificate, it
    /// must be this one.
    pub(super) fn verify(
        &self,
        backend: &dyn Backend,
        info: &SignerInfo<'_>,
        der: &[u8],
        certificate: &Certificate<'_>,
    ) -> Result<(), CmsError> {
        if let Some(attributes) = &info.signed_attrs {
            named(backend, attributes, der, certificate)?;
        }
        let key = &certificate.tbs_certificate.subject_public_key_info;
        Ok(verify_scheme(backend, key, &self.scheme, &self.message, &info.signature, self.legacy)?)
    }
}

/// Checks the signing certificate attribute (RFC 5035 §5.4 for version 2, RFC 2634 §5.4). Its first entry must be the
/// signer's certificate.
fn named(
    backend: &dyn Backend,
    attributes: &Attributes<'_>,
    der: &[u8],
    certificate: &Certificate<'_>,
) -> Result<(), CmsError> {
    let malformed = CmsError::malformed("the signing certificate");
    let mut said = Vec::new();
    if let Some(value) = attributes.value::<Any<'_>>(ID_AA_SIGNING_CERTIFICATE_V2).map_err(malformed)? {
        // RFC 5035 §4 makes SHA-256 the DEFAULT; many signers nevertheless encode it.
        let lax = Options::der().allow(&Rule::DEFAULT_ENCODED);
        let list = lax.decode::<SigningCertificateV2<'_>>(value.as_bytes()).map_err(malformed)?.value;
        let first = list.certs.iter().next().transpose().map_err(malformed)?;
        let first = first.ok_or(EMPTY)?;
        said.push((Digest::from_identifier(&first.hash_algorithm)?, first.cert_hash, first.issuer_serial));
    }
    if let Some(list) = attributes.value::<SigningCertificate<'_>>(ID_AA_SIGNING_CERTIFICATE).map_err(malformed)? {
        let first = list.certs.iter().next().transpose().map_err(malformed)?;
        let first = first.ok_or(EMPTY)?;
        // RFC 2634 §5.4.1: always SHA-1. It is a name here, and the signature is elsewhere.
        said.push((Digest::Sha1, first.cert_hash, first.issuer_serial));
    }
    for (digest, hash, serial) in said {
        let same = backend.digest(digest, der)? == hash.as_bytes()
            && serial.is_none_or(|serial| is_issuer_serial(&serial, certificate));
        CmsError::demand(
            same,
            "the signed certificate reference does not match the signer's certificate",
            "RFC 5035 §3",
        )?;
    }
    Ok(())
}

const EMPTY: CmsError = CmsError::Invalid { what: "the list of signing certificates is empty", clause: "RFC 5035 §3" };

fn is_issuer_serial(name: &IssuerSerial<'_>, certificate: &Certificate<'_>) -> bool {
    let tbs = &certificate.tbs_certificate;
    let issuer = name.issuer.0.iter().any(|issuer| match issuer {
        Ok(GeneralName::DirectoryName(issuer)) => issuer.matches(&tbs.issuer),
        _ => false,
    });
    issuer && name.serial_number == tbs.serial_number.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violations_of_the_algorithms_standards() {
        let of = |attributes: &[u8], algorithm: &[u8]| {
            // version, sid
            let start = b"\x02\x01\x03\x80\x01\x01";
            // digestAlgorithm: SHA-256
            let digest = b"\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01";
            let content = [start, &digest[..], attributes, algorithm, b"\x04\x01\x00"].concat();
            let der = [&[0x30, u8::try_from(content.len()).unwrap()][..], &content].concat();
            deviations(&super::super::part(&der).unwrap())
        };
        // 1.2.3: NULL
        let attributes = b"\xA0\x0A\x30\x08\x06\x02\x2A\x03\x31\x02\x05\x00";
        let (ed25519, null) = (b"\x30\x05\x06\x03\x2B\x65\x70", b"\x30\x07\x06\x03\x2B\x65\x70\x05\x00");
        assert_eq!(of(b"", ed25519), [""; 0]);
        assert_eq!(of(b"", null), ["the algorithm Ed25519 has parameters, expected none (RFC 8410 §3)"]);
        assert_eq!(
            of(attributes, ed25519),
            ["the digest of Ed25519 is SHA-256, expected SHA-512 with signed attributes (RFC 8419 §3.1)"]
        );
        let ecdsa = b"\x30\x0C\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02\x05\x00";
        assert_eq!(of(attributes, ecdsa), ["the algorithm ECDSA-SHA256 has parameters, expected none (RFC 5754 §3.3)"]);
        assert_eq!(of(attributes, &[b"\x30\x0A", &ecdsa[2..12]].concat()), [""; 0]);
    }
}
