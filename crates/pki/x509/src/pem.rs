//! PEM blocks by file kind.

use tagwise_codec::pem::{self as codec, PemError};
use tagwise_codec::{Frame, Options, frame};
use tagwise_facts::files::{FileKind, label};

/// Decodes the first PEM block with a label for this kind of file.
///
/// OpenSSL's auxiliary trust data after a certificate is removed.
///
/// ```
/// use tagwise_x509::oids::files;
/// let text = b"-----BEGIN TRUSTED CERTIFICATE-----\nMAAwAA==\n-----END TRUSTED CERTIFICATE-----\n";
/// assert_eq!(tagwise_x509::pem::first(&files::CERTIFICATE, text)?, [0x30, 0x00]);
/// # Ok::<(), tagwise_codec::pem::PemError>(())
/// ```
///
/// # Errors
/// Returns [`PemError::Missing`] if there is no such block, or the first error in a block's structure up to that point.
pub fn first(kind: &FileKind, text: &[u8]) -> Result<Vec<u8>, PemError> {
    let missing = || PemError::Missing(kind.labels.first().copied().unwrap_or_default().to_owned());
    all(kind, text).next().ok_or_else(missing)?
}

/// Decodes every PEM block with a label for this kind of file, like [`first`].
pub fn all<'t>(kind: &FileKind, text: &'t [u8]) -> impl Iterator<Item = Result<Vec<u8>, PemError>> + use<'t> {
    codec::all_labelled(kind.labels, text).map(|found| {
        let (label, mut der) = found?;
        untrusted(label, &mut der);
        Ok(der)
    })
}

/// Strips OpenSSL's auxiliary trust data from the content of a `TRUSTED CERTIFICATE` PEM block. Content with another label
/// is left unchanged.
pub fn untrusted(label: &str, der: &mut Vec<u8>) {
    if label == label::TRUSTED_CERTIFICATE
        && let Ok(Frame::Complete(len)) = frame(der, &Options::ber_definite())
    {
        der.truncate(len);
    }
}
