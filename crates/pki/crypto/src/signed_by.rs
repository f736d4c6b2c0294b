//! Convenient verification of certificate, CRL and request signatures.

use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::{
    AlgorithmIdentifier, AsCertificate, Certificate, CertificateBuf, CertificateList, CrlBuf, CsrBuf, Name,
};

use crate::{Backend, Error, ErrorKind, verify};

/// A value signed by an issuer: a certificate or CRL.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::{Backend, KeySigner, KeyType, VerifySigned, backends::AwsLc};
/// use tagwise_pkix::build::CertificateBuilder;
/// let backend = AwsLc::new();
/// let key = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
/// let root = CertificateBuilder::new().subject("CN=Example Root")?.ca(None).self_signed(&key)?;
/// root.verify_signed_by(&root, &backend)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait VerifySigned {
    /// Verifies that `issuer` is the value's issuer, and that its key created the signature. The issuer's authority to sign,
    /// its validity period and revocation are not checked. To establish trust, validate the path.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Signature`] if the signature is invalid, [`ErrorKind::Mismatch`] if the value has a different
    /// issuer or inconsistent algorithm identifiers, or any error from [`verify`].
    fn verify_signed_by(&self, issuer: &impl AsCertificate, backend: &dyn Backend) -> Result<(), Error>;
}

fn verify_by(
    issuer: &Certificate<'_>,
    named: &Name<'_>,
    (signed, algorithm): (&AlgorithmIdentifier<'_>, &AlgorithmIdentifier<'_>),
    tbs: &[u8],
    signature: Option<&[u8]>,
    backend: &dyn Backend,
) -> Result<(), Error> {
    if !named.matches(&issuer.subject()) {
        return Err(Error::new(ErrorKind::Mismatch, "the issuer's name"));
    }
    // RFC 5280 §4.1.1.2, §5.1.1.2: strict decoding checks it, but a rule may have tolerated a difference.
    if signed != algorithm {
        return Err(Error::new(ErrorKind::Mismatch, "the algorithm outside the signed part"));
    }
    let signature = signature.ok_or_else(|| Error::new(ErrorKind::Signature, "unused bits"))?;
    verify(backend, &issuer.public_key(), algorithm, tbs, signature)
}

impl VerifySigned for Certificate<'_> {
    fn verify_signed_by(&self, issuer: &impl AsCertificate, backend: &dyn Backend) -> Result<(), Error> {
        let tbs = &self.tbs_certificate;
        let signature = self.signature_value.octets();
        let issuer = issuer.as_certificate();
        verify_by(issuer, &tbs.issuer, (&tbs.signature, &self.signature_algorithm), tbs.as_bytes(), signature, backend)
    }
}

impl VerifySigned for CertificateBuf {
    fn verify_signed_by(&self, issuer: &impl AsCertificate, backend: &dyn Backend) -> Result<(), Error> {
        self.get().verify_signed_by(issuer, backend)
    }
}

impl VerifySigned for CertificateList<'_> {
    fn verify_signed_by(&self, issuer: &impl AsCertificate, backend: &dyn Backend) -> Result<(), Error> {
        let tbs = &self.tbs_cert_list;
        let signature = self.signature_value.octets();
        let issuer = issuer.as_certificate();
        verify_by(issuer, &tbs.issuer, (&tbs.signature, &self.signature_algorithm), tbs.as_bytes(), signature, backend)
    }
}

impl VerifySigned for CrlBuf {
    fn verify_signed_by(&self, issuer: &impl AsCertificate, backend: &dyn Backend) -> Result<(), Error> {
        self.get().verify_signed_by(issuer, backend)
    }
}

/// A value signed with the key that it contains: a certification request, which thus proves possession of the private key
/// (RFC 2986 §3).
pub trait VerifySelfSigned {
    /// Verifies the signature with the contained key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Signature`] if the signature is invalid, or any error from [`verify`].
    fn verify(&self, backend: &dyn Backend) -> Result<(), Error>;
}

impl VerifySelfSigned for CertificationRequest<'_> {
    fn verify(&self, backend: &dyn Backend) -> Result<(), Error> {
        let info = &self.certification_request_info;
        let signature = self.signature.octets().ok_or_else(|| Error::new(ErrorKind::Signature, "unused bits"))?;
        verify(backend, &info.subject_pk_info, &self.signature_algorithm, info.as_bytes(), signature)
    }
}

impl VerifySelfSigned for CsrBuf {
    fn verify(&self, backend: &dyn Backend) -> Result<(), Error> {
        self.get().verify(backend)
    }
}
