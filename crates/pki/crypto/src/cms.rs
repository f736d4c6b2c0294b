//! Signs, verifies, encrypts, decrypts and compresses CMS messages (RFC 5652, RFC 3274).
//!
//! The formats are defined in [`tagwise_pkix::cms`] and [`tagwise_pkix::build::cms`]. This module performs the operations
//! that use keys. It does not decide whether a certificate is trusted: [`verify`] returns the signer's certificate and any
//! problems with its validity period and key usage.
//!
//! Signed content can be of any size ([`sign_stream`], [`verify_stream`]). Encrypted content is held in memory, so that
//! unauthenticated plaintext is never released.

mod agreement;
mod authenticated;
mod compressed;
mod confusion;
mod content;
mod countersignature;
mod decrypt;
mod digests;
mod encrypt;
mod error;
mod evidence;
mod identify;
mod kem;
mod password;
mod placement;
mod plain;
mod sign;
mod signer_info;
mod standing;
mod verify;
mod wrap;

use tagwise_codec::{Decode, Options};
use tagwise_pkix::profile::{NO_PARAMETERS, PSS_PARAMETERS, RSA_PARAMETERS};

pub use authenticated::{authenticate, verify_mac};
pub use compressed::{MAX_DECOMPRESSED, compress, decompress, is_compressed};
pub use countersignature::{Countersignature, countersignatures};
pub use decrypt::{DecryptOptions, Decrypted, Unlock, decrypt};
pub use encrypt::{EncryptOptions, RecipientKey, encrypt, encrypt_with_key};
pub use error::CmsError;
pub use evidence::RevocationInfo;
pub(crate) use evidence::children;
pub use identify::Identifier;
pub(crate) use identify::read_with as read_certificate;

pub use plain::verify_digest;
pub use sign::{SignedOptions, Signing, sign, sign_stream};
pub(crate) use standing::now;
pub use standing::{Objection, TimeSource, objections};
pub use verify::{Verification, VerifiedSigner, VerifyOptions, verify, verify_stream};

/// Decodes a structure returned by the message reader. Algorithm parameters are checked where the algorithm is used.
pub(crate) fn part<'a, T: Decode<'a>>(der: &'a [u8]) -> Result<T, tagwise_codec::Error> {
    let options = Options::der().allow(&RSA_PARAMETERS).allow(&NO_PARAMETERS).allow(&PSS_PARAMETERS);
    Ok(options.decode::<T>(der)?.value)
}

/// Unwraps the error of a message's reader from [`std::io::Error`].
fn of_stream(error: std::io::Error) -> CmsError {
    match error.downcast::<tagwise_codec::stream::Error>() {
        Ok(error) => CmsError::Read(error.into()),
        Err(error) => CmsError::Io(error),
    }
}
