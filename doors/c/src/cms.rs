//! CMS (RFC 5652) and PKCS #7: signing and verification, encryption and decryption, and certificate bundles.

use std::mem::MaybeUninit;

use tagwise::codec::Decode as _;
use tagwise::codec::{Oid, UnixTime};
use tagwise::crypto::PasswordOptions;
use tagwise::crypto::cms::{
    self, DecryptOptions, EncryptOptions, RecipientKey, SignedOptions, Signing, Unlock, Verification, VerifyOptions,
};
use tagwise::pkix::build::cms::certificates_only;
use tagwise::pkix::cms::ContentInfo;
use tagwise::pkix::{Bundle, BundleKind, Certificate};

use crate::bytes::{List, given, put, tagwise_buffer, tagwise_bytes};
use crate::certificate::tagwise_certificate;
use crate::error::{Problem, tagwise_error};
use crate::key::{tagwise_backend, tagwise_key};
use crate::options::tagwise_options;

/// Returns the slices in a list from the caller.
pub(crate) fn slices<'a>(first: *const tagwise_bytes, count: usize) -> Result<Vec<&'a [u8]>, Problem> {
    List::new(first, count).get()?.iter().map(|bytes| bytes.der()).collect()
}

/// A SignedData whose signatures were checked: content, signers and certificates. Values returned by its functions are
/// borrowed from it. Immutable: threads may share it.
pub struct tagwise_cms {
    pub(crate) verification: Verification,
    /// For each signer, the reason why the signature is invalid. Empty if it is valid.
    faults: Vec<String>,
}

/// Verifies the signatures of a SignedData in DER or BER. The content is taken from `content` if present, otherwise from
/// the message. Signers' certificates are looked up in the message and in `certificates`, an array of `count` certificates
/// in DER. `at` is the time at which they are checked, in seconds since 1970; NULL means now. `purpose` is the purpose
/// required in the extended key usage; if absent, any purpose is accepted. The signers' certificates may violate the rules
/// that `options` tolerate.
///
/// A readable message is returned even if its signatures are invalid; call tagwise_cms_is_valid() to check them. Trust in the
/// signers is not checked; pass their certificates to tagwise_path_find().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_verify(
    backend: Option<&tagwise_backend>,
    message: tagwise_bytes,
    content: tagwise_bytes,
    certificates: *const tagwise_bytes,
    count: usize,
    at: Option<&i64>,
    purpose: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_cms>> {
    guard!(error, {
        let certificates = slices(certificates, count)?;
        let purpose = purpose.optional()?.map(Oid::from_content).transpose()?;
        let at = at.map(|at| UnixTime(*at));
        let tolerate = tagwise_options::of(options)?.tolerated();
        let options = VerifyOptions { certificates: &certificates, at, purpose, tolerate, ..VerifyOptions::DEFAULT };
        let verification = cms::verify(tagwise_backend::of(backend)?, message.der()?, content.optional()?, &options)?;
        let faults = verification.signers.iter().map(|signer| {
            let objections = signer.objections.iter().map(ToString::to_string);
            let fault = signer.outcome.as_ref().err().map(ToString::to_string);
            fault.into_iter().chain(objections).collect::<Vec<_>>().join("; ")
        });
        let faults = faults.collect();
        Ok(Some(Box::new(tagwise_cms { verification, faults })))
    })
}

/// A signer of a message. Its bytes are borrowed from the tagwise_cms.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_cms_signer {
    /// True if the signature is valid and the certificate passes the checks that need no certification path.
    valid: bool,
    /// The description of the fault. Empty if the signature is valid.
    fault: tagwise_bytes,
    /// The signer's certificate in DER. Absent if it was not found.
    certificate: tagwise_bytes,
    /// The signing time claimed by the signer, in seconds since 1970; INT64_MIN if there is none. It is not verified.
    signing_time: i64,
}

/// Gets the signer at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_signer_get(
    cms: Option<&tagwise_cms>,
    index: usize,
    signer: Option<&mut MaybeUninit<tagwise_cms_signer>>,
) -> bool {
    guard!({
        let found = cms.and_then(|cms| cms.verification.signers.get(index).zip(cms.faults.get(index)));
        found.is_some_and(|(found, fault)| {
            put(
                signer,
                tagwise_cms_signer {
                    valid: found.outcome.is_ok() && found.objections.is_empty(),
                    fault: tagwise_bytes::of(fault.as_bytes()),
                    certificate: tagwise_bytes::of_option(found.certificate.as_deref()),
                    signing_time: found.signing_time.map_or(i64::MIN, |time| time.0),
                },
            );
            true
        })
    })
}

/// Returns the message's content type, as OBJECT IDENTIFIER content bytes borrowed from the message. The rest of the
/// message is not parsed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_type(
    message: tagwise_bytes,
    oid: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let info = ContentInfo::outline(message.der()?)?;
        put(oid, tagwise_bytes::of(info.content_type.as_bytes()));
        Ok(true)
    })
}

/// Creates a SignedData in DER, signed with a key. The message includes the key's certificate and `certificates`, an array
/// of `count` certificates. It includes the content unless `detached` is set.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_sign(
    backend: Option<&tagwise_backend>,
    content: tagwise_bytes,
    key: Option<&tagwise_key>,
    certificate: Option<&tagwise_certificate>,
    certificates: *const tagwise_bytes,
    count: usize,
    detached: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificate = given(certificate, "certificate")?;
        let mut along = vec![certificate.0.der()];
        along.extend(slices(certificates, count)?);
        let signing = Signing::new(given(key, "key")?.signer()?, certificate.value());
        let options = SignedOptions { detached, certificates: &along, ..SignedOptions::DEFAULT };
        Ok(tagwise_buffer::new(cms::sign(tagwise_backend::of(backend)?, content.get()?, &[signing], &options)?))
    })
}

/// Encrypts content for the holders of `certificates`, an array of `count` certificates in DER. Returns an EnvelopedData or
/// AuthEnvelopedData in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_encrypt(
    backend: Option<&tagwise_backend>,
    content: tagwise_bytes,
    certificates: *const tagwise_bytes,
    count: usize,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let certificates = slices(certificates, count)?;
        let certificates = certificates.into_iter().map(Certificate::from_der).collect::<Result<Vec<_>, _>>()?;
        let recipients: Vec<_> = certificates.iter().map(RecipientKey::new).collect();
        let message =
            cms::encrypt(tagwise_backend::of(backend)?, content.get()?, &recipients, &EncryptOptions::DEFAULT)?;
        Ok(tagwise_buffer::new(message))
    })
}

/// Encrypts content with a password. Returns an EnvelopedData or AuthEnvelopedData in DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_encrypt_password(
    backend: Option<&tagwise_backend>,
    content: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let recipient = RecipientKey::Password { password: password.get()?, options: PasswordOptions::DEFAULT };
        let message =
            cms::encrypt(tagwise_backend::of(backend)?, content.get()?, &[recipient], &EncryptOptions::DEFAULT)?;
        Ok(tagwise_buffer::new(message))
    })
}

fn decrypted(
    backend: Option<&tagwise_backend>,
    message: tagwise_bytes,
    unlock: &Unlock<'_>,
    authenticated: Option<&mut MaybeUninit<bool>>,
) -> Result<Option<Box<tagwise_buffer>>, Problem> {
    let backend = tagwise_backend::of(backend)?;
    let found = cms::decrypt(backend, message.der()?, None, unlock, &DecryptOptions::DEFAULT)?;
    put(authenticated, found.authenticated);
    Ok(tagwise_buffer::secret(found.content.expose()))
}

/// Decrypts a message with a private key. If `certificate` is not NULL, it selects the recipient. `authenticated` is set to
/// true if the content was protected against modification. The buffer is overwritten when it is freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_decrypt(
    backend: Option<&tagwise_backend>,
    message: tagwise_bytes,
    key: Option<&tagwise_key>,
    certificate: Option<&tagwise_certificate>,
    authenticated: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let key = given(key, "key")?.private()?;
        let unlock = Unlock::PrivateKey { key, certificate: certificate.map(tagwise_certificate::value) };
        decrypted(backend, message, &unlock, authenticated)
    })
}

/// Decrypts a message with a password. `authenticated` is set as in tagwise_cms_decrypt(). The buffer is overwritten when it is
/// freed.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_cms_decrypt_password(
    backend: Option<&tagwise_backend>,
    message: tagwise_bytes,
    password: tagwise_bytes,
    authenticated: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, decrypted(backend, message, &Unlock::Password(password.get()?), authenticated))
}

/// Kinds of items in bundles and PKCS #12 files.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_item_kind {
    /// Any other kind.
    Other = 0,
    /// A certificate in DER.
    Certificate = 1,
    /// A CRL in DER.
    Crl = 2,
    /// An unencrypted private key in PKCS #8.
    PrivateKey = 3,
    /// A password-encrypted private key in PKCS #8.
    EncryptedPrivateKey = 4,
    /// A secret that is not a private key.
    Secret = 5,
    /// An attribute certificate, with its CMS tag.
    AttributeCertificate = 6,
    /// Encrypted content.
    Encrypted = 7,
}

pub(crate) const fn kind(kind: BundleKind) -> tagwise_item_kind {
    match kind {
        BundleKind::Certificate => tagwise_item_kind::Certificate,
        BundleKind::CertificateList => tagwise_item_kind::Crl,
        BundleKind::PrivateKey => tagwise_item_kind::PrivateKey,
        BundleKind::EncryptedPrivateKey => tagwise_item_kind::EncryptedPrivateKey,
        BundleKind::Secret => tagwise_item_kind::Secret,
        BundleKind::AttributeCertificate => tagwise_item_kind::AttributeCertificate,
        BundleKind::Encrypted => tagwise_item_kind::Encrypted,
        _ => tagwise_item_kind::Other,
    }
}

/// Returns the certificates of a PKCS #7 bundle (a SignedData, signed or not) as concatenated DER. Iterate over them with
/// tagwise_element_next(). Signatures are not verified.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs7_certificates(
    message: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let bundle = Bundle::read(message.der()?)?;
        Ok(tagwise_buffer::new(bundle.certificates().collect::<Vec<_>>().concat()))
    })
}

/// Returns the CRLs of a PKCS #7 bundle as concatenated DER. Iterate over them with tagwise_element_next().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs7_crls(
    message: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let bundle = Bundle::read(message.der()?)?;
        Ok(tagwise_buffer::new(bundle.lists().collect::<Vec<_>>().concat()))
    })
}

/// Builds a PKCS #7 bundle of certificates and CRLs in DER, without signatures.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs7_build(
    certificates: *const tagwise_bytes,
    certificate_count: usize,
    crls: *const tagwise_bytes,
    crl_count: usize,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let (certificates, crls) = (slices(certificates, certificate_count)?, slices(crls, crl_count)?);
        Ok(tagwise_buffer::new(certificates_only(&certificates, &crls)?))
    })
}
