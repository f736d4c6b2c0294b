//! PEM blocks by the kind of their value.

use tagwise_codec::pem::{self as codec, PemError};
use tagwise_codec::{Frame, Options, frame};
use tagwise_facts::files::{FileKind, label};

/// Decodes the first PEM block that the labels of a kind denote.
///
/// OpenSSL's trust settings behind a certificate are dropped.
///
/// ```
/// use tagwise_x509::oids::files;
/// let text = b"-----BEGIN TRUSTED CERTIFICATE-----\nMAAwAA==\n-----END TRUSTED CERTIFICATE-----\n";
/// assert_eq!(tagwise_x509::pem::first(&files::CERTIFICATE, text)?, [0x30, 0x00]);
/// # Ok::<(), tagwise_codec::pem::PemError>(())
/// ```
///
/// # Errors
/// [`PemError::Missing`], or the first error in a block's structure up to that point.
pub fn first(kind: &FileKind, text: &[u8]) -> Result<Vec<u8>, PemError> {
    let missing = || PemError::Missing(kind.labels.first().copied().unwrap_or_default().to_owned());
    all(kind, text).next().ok_or_else(missing)?
}

/// Decodes every PEM block that the labels of a kind denote, as [`first`] does.
pub fn all<'t>(kind: &FileKind, text: &'t [u8]) -> impl Iterator<Item = Result<Vec<u8>, PemError>> + use<'t> {
    codec::all_labelled(kind.labels, text).map(|found| {
        let (label, mut der) = found?;
        untrusted(label, &mut der);
        Ok(der)
    })
}

/// Drops the trust settings that OpenSSL writes behind a certificate, from the content of a PEM block with this label.
pub fn untrusted(label: &str, der: &mut Vec<u8>) {
    if label == label::TRUSTED_CERTIFICATE
        && let Ok(Frame::Complete(len)) = frame(der, &Options::ber_definite())
    {
        der.truncate(len);
    }
}
