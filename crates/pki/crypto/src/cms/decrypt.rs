//! Decrypts enveloped (RFC 5652 §6), authenticated-enveloped (RFC 5083) and encrypted data (RFC 5652 §8).

use std::io::Read;

use tagwise_codec::{Decode, Oid};
use tagwise_pkix::cms::auth_enveloped::ID_CT_AUTH_ENVELOPED_DATA;
use tagwise_pkix::cms::kem::{ID_ORI_KEM, KemRecipientInfo};
use tagwise_pkix::cms::{
    EncryptedReader, ID_ENCRYPTED_DATA, KeyAgreeRecipientIdentifier, KeyTransRecipientInfo, Limits, RecipientInfo,
};
use tagwise_pkix::{AlgorithmIdentifier, Certificate};

use super::content::ContentCipher;
use super::identify::{is_recipient, is_serial, key_identifier};
use super::signer_info::once;
use super::wrap::KeyWrap;
use super::{CmsError, agreement, kem, part, password};
use crate::{Backend, Error, ErrorKind, KeyTransport, KeyType, PasswordOptions, PrivateKey, Secret};

/// A key or password for decrypting a message.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Unlock<'a> {
    /// A private key. If its certificate is given, recipients are matched by identifier. Otherwise, every recipient with the
    /// key's type is tried.
    PrivateKey {
        /// The key.
        key: &'a dyn PrivateKey,
        /// The recipient's certificate, which contains the public key.
        certificate: Option<&'a Certificate<'a>>,
    },
    /// A shared key-encryption key.
    SharedKey {
        /// The key's identifier. With `None`, the key is tried for every shared-key recipient.
        id: Option<&'a [u8]>,
        /// The key.
        key: &'a [u8],
    },
    /// A password.
    Password(&'a [u8]),
    /// The content encryption key itself, required for encrypted data.
    ContentKey(&'a [u8]),
}

impl core::fmt::Debug for Unlock<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::PrivateKey { .. } => "PrivateKey(..)",
            Self::SharedKey { .. } => "SharedKey(..)",
            Self::Password(_) => "Password(..)",
            Self::ContentKey(_) => "ContentKey(..)",
        })
    }
}

/// Limits on the resources that decrypting a message can consume.
#[derive(Clone, Copy, Debug)]
pub struct DecryptOptions {
    /// The maximum number of recipients to try, each with an operation of the private key. Recipients of other types of keys, of RSA
    /// keys with another size, and of other curves are not counted.
    pub max_attempts: usize,
    /// The maximum number of password-based key derivation iterations, summed over all recipients. A recipient that would
    /// exceed it is skipped.
    pub max_iterations: u32,
    /// The maximum content size to decrypt, in bytes. The content is held in memory.
    pub max_content: usize,
    /// Limits on the rest of the message that is held in memory.
    pub limits: Limits,
}

impl DecryptOptions {
    /// The default limits: 256 recipients, 10,000,000 iterations as in [`PasswordOptions::DEFAULT`], and 1 GiB of content.
    pub const DEFAULT: Self = Self {
        max_attempts: 256,
        max_iterations: PasswordOptions::DEFAULT.max_iterations,
        max_content: 1 << 30,
        limits: Limits::DEFAULT,
    };
}

impl Default for DecryptOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A decrypted message.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decrypted {
    /// The decrypted content.
    pub content: Secret,
    /// True if the content is authentic: it was written by someone with the key. False for enveloped data, which does not
    /// reliably detect modifications.
    pub authenticated: bool,
    /// Attributes authenticated with the content: a SET OF in DER.
    pub attributes: Option<Vec<u8>>,
    /// The content type, as the content bytes of an OBJECT IDENTIFIER.
    content_type: Vec<u8>,
}

impl Decrypted {
    /// Returns the content type.
    #[must_use]
    pub fn content_type(&self) -> Oid<'_> {
        Oid::from_content(&self.content_type).unwrap_or(tagwise_codec::oid!("0.0"))
    }
}

/// Decrypts a BER or DER message. Pass detached encrypted content separately.
///
/// # Errors
/// Returns [`CmsError::NoRecipient`] if the message is not for this key, or [`ErrorKind::Integrity`] if the key or password
/// is wrong or the message is damaged. With RSAES-PKCS1-v1_5, errors in an encrypted key are hidden: a random key is used
/// instead (RFC 3218 §2.3.2), and decrypting the content fails.
pub fn decrypt(
    backend: &dyn Backend,
    message: &[u8],
    content: Option<&[u8]>,
    unlock: &Unlock<'_>,
    options: &DecryptOptions,
) -> Result<Decrypted, CmsError> {
    let mut reader = EncryptedReader::with(message, options.limits)?;
    let ciphertext = match (content, reader.is_detached()) {
        (Some(content), true) => content.to_vec(),
        (None, true) => return Err(CmsError::NoContent),
        (_, false) => {
            let mut octets = Vec::new();
            let limit = u64::try_from(options.max_content).unwrap_or(u64::MAX).saturating_add(32);
            reader.by_ref().take(limit).read_to_end(&mut octets).map_err(super::of_stream)?;
            octets
        }
    };
    // A block of padding, or a tag, is not content.
    if ciphertext.len() > options.max_content.saturating_add(16) {
        return Err(CmsError::Limit { what: "encrypted content" });
    }
    let kind = reader.kind().as_bytes().to_vec();
    let content_type = reader.content_type().as_bytes().to_vec();
    let recipients = reader.recipients().to_vec();
    let algorithm = reader.algorithm().to_vec();
    let tail = reader.finish()?;

    let identifier: AlgorithmIdentifier<'_> = part(&algorithm).map_err(CmsError::malformed("the algorithm"))?;
    let cipher = ContentCipher::read(&identifier)?;
    let authenticated = kind == ID_CT_AUTH_ENVELOPED_DATA.as_bytes();
    let fits = authenticated == cipher.is_authenticated();
    CmsError::demand(fits, "the cipher is not allowed in this kind of message", "RFC 5083 §2, RFC 5652 §6.1")?;
    let attributes = tail.auth_attrs;
    if authenticated {
        check_type(attributes.as_deref(), &content_type)?;
    }
    let keys = if kind == ID_ENCRYPTED_DATA.as_bytes() {
        let Unlock::ContentKey(key) = unlock else { return Err(CmsError::NoRecipient) };
        vec![Secret::from(*key)]
    } else {
        content_keys(backend, &recipients, unlock, cipher.key_len(), options)?
    };
    let aad = attributes.as_deref().unwrap_or_default();
    let mac = tail.mac.unwrap_or_default();
    let mut last = CmsError::NoRecipient;
    for key in keys {
        // The sender must not learn what is wrong with a key.
        let outcome = if key.len() == cipher.key_len() || matches!(cipher, ContentCipher::Old { .. }) {
            cipher.decrypt(backend, &key, aad, &ciphertext, &mac)
        } else {
            Err(Error::new(ErrorKind::Length, "the content encryption key"))
        };
        match outcome {
            Ok(content) => return Ok(Decrypted { content, authenticated, attributes, content_type }),
            Err(error) => last = error.into(),
        }
    }
    Err(last)
}

/// Checks the content type attribute (RFC 5083 §2.1). Content other than plain data requires authenticated attributes with
/// the content type. If that attribute is present, it must match the content.
fn check_type(attributes: Option<&[u8]>, content_type: &[u8]) -> Result<(), CmsError> {
    let plain = content_type == tagwise_pkix::cms::ID_DATA.as_bytes();
    let Some(der) = attributes else {
        return CmsError::demand(plain, "a content type other than id-data requires attributes", "RFC 5083 §2.1");
    };
    let malformed = CmsError::malformed("authenticated attributes");
    let attributes = tagwise_pkix::cms::Attributes::from_der(der).map_err(malformed)?;
    once(&attributes.0, "authenticated attributes")?;
    let said = attributes.value::<Oid<'_>>(tagwise_pkix::cms::ID_CONTENT_TYPE).map_err(malformed)?;
    let same = said.map_or(plain, |said| said.as_bytes() == content_type);
    CmsError::demand(same, "the authenticated content type is missing or differs", "RFC 5083 §2.1, RFC 5652 §11.1")
}

/// Returns the candidate keys for decrypting the content, usually a single one.
pub(super) fn content_keys(
    backend: &dyn Backend,
    recipients: &[Vec<u8>],
    unlock: &Unlock<'_>,
    key_len: usize,
    options: &DecryptOptions,
) -> Result<Vec<Secret>, CmsError> {
    let (left, iterations) = (options.max_attempts, options.max_iterations);
    let mut attempts = Attempts { backend, unlock, key_len, left, iterations, transports: 0 };
    let mut keys = Vec::new();
    let mut last = CmsError::NoRecipient;
    if let Unlock::ContentKey(key) = unlock {
        return Ok(vec![Secret::from(*key)]);
    }
    for der in recipients {
        let info: RecipientInfo<'_> = part(der).map_err(CmsError::malformed("a recipient"))?;
        match attempts.recipient(&info) {
            Ok(found) => keys.extend(found),
            // Exceeding the limit ends the attempt; an error in one recipient does not.
            Err(error @ CmsError::Limit { .. }) => return Err(error),
            // A recipient skipped because of its cost is a more informative error than one that did not decrypt.
            Err(_) if is_limit(&last) => {}
            Err(error) => last = error,
        }
    }
    // Without a certificate, the intended recipient is unknown, and a random replacement key might seem to decrypt.
    if attempts.transports > 1 && matches!(unlock, Unlock::PrivateKey { certificate: None, .. }) {
        return Err(CmsError::Ambiguous);
    }
    if keys.is_empty() { Err(last) } else { Ok(keys) }
}

fn is_limit(error: &CmsError) -> bool {
    matches!(error, CmsError::Crypto(error) if error.kind() == ErrorKind::Limit)
}

struct Attempts<'a> {
    backend: &'a dyn Backend,
    unlock: &'a Unlock<'a>,
    key_len: usize,
    left: usize,
    /// The number of key derivation iterations that remain.
    iterations: u32,
    /// The number of RSAES-PKCS1-v1_5 recipients that were tried.
    transports: usize,
}

impl Attempts<'_> {
    fn spend(&mut self) -> Result<(), CmsError> {
        self.left = self.left.checked_sub(1).ok_or(CmsError::Limit { what: "recipients" })?;
        Ok(())
    }

    /// Returns the candidate content keys of a recipient, if it matches.
    fn recipient(&mut self, info: &RecipientInfo<'_>) -> Result<Vec<Secret>, CmsError> {
        match (info, *self.unlock) {
            (RecipientInfo::Ktri(info), Unlock::PrivateKey { key, certificate }) => {
                let KeyType::Rsa(bits) = key.key_type() else { return Ok(Vec::new()) };
                // RFC 8017 §7.1.2, §7.2.2: the ciphertext has the length of the modulus, so other lengths are for other keys.
                let fits = usize::try_from(bits.div_ceil(8)) == Ok(info.encrypted_key.len());
                if !certificate.map_or(fits, |certificate| is_recipient(&info.rid, certificate)) {
                    return Ok(Vec::new());
                }
                self.spend()?;
                self.transport(key, info).map(|key| vec![key])
            }
            (RecipientInfo::Kari(info), Unlock::PrivateKey { key, certificate }) => {
                // Without a certificate, a recipient on another curve is another key's.
                let agrees = key.key_type().agrees() && (certificate.is_some() || agreement::fits(key, info));
                let mut keys = Vec::new();
                let mut last = None;
                for one in info.recipient_encrypted_keys.iter().filter(|_| agrees) {
                    let one = one.map_err(CmsError::malformed("a recipient"))?;
                    if certificate.is_some_and(|certificate| !is_agreed(&one.rid, certificate)) {
                        continue;
                    }
                    self.spend()?;
                    match agreement::decrypt(self.backend, key, info, &one.encrypted_key) {
                        Ok(key) => keys.push(key),
                        Err(error) => last = Some(error),
                    }
                }
                last.filter(|_| keys.is_empty()).map_or(Ok(keys), Err)
            }
            (RecipientInfo::Ori(info), Unlock::PrivateKey { key, certificate }) if info.ori_type == ID_ORI_KEM => {
                let malformed = CmsError::malformed("a recipient");
                let info: KemRecipientInfo<'_> = info.ori_value.decode_as().map_err(malformed)?;
                let encapsulates = key.key_type().encapsulates();
                let is_meant = certificate.is_none_or(|certificate| is_recipient(&info.rid, certificate));
                if !encapsulates || !is_meant {
                    return Ok(Vec::new());
                }
                self.spend()?;
                kem::decrypt(self.backend, key, &info).map(|key| vec![key])
            }
            (RecipientInfo::Kekri(info), Unlock::SharedKey { id, key }) => {
                let wrap = KeyWrap::of(&info.key_encryption_algorithm)?;
                let is_meant = id.is_none_or(|id| id == info.kekid.key_identifier.as_bytes());
                if !is_meant || wrap.key_len() != key.len() {
                    return Ok(Vec::new());
                }
                self.spend()?;
                Ok(vec![wrap.unwrap(self.backend, key, &info.encrypted_key)?])
            }
            (RecipientInfo::Pwri(info), Unlock::Password(password)) => {
                self.spend()?;
                password::decrypt(self.backend, password, &mut self.iterations, info).map(|key| vec![key])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn transport(&mut self, key: &dyn PrivateKey, info: &KeyTransRecipientInfo<'_>) -> Result<Secret, CmsError> {
        let (transport, label) = KeyTransport::labeled(&info.key_encryption_algorithm)?;
        if let KeyTransport::Oaep(oaep) = transport {
            return Ok(key.decrypt_labeled(oaep, label, &info.encrypted_key)?);
        }
        let decrypted = key.decrypt(transport, &info.encrypted_key);
        self.transports = self.transports.saturating_add(1);
        // RFC 3218 §2.3.2: a random key replaces one that did not decrypt, or has the wrong length.
        let mut random = Secret::zeroed(self.key_len);
        self.backend.random(random.expose_mut())?;
        match decrypted {
            Ok(found) if found.len() == self.key_len => Ok(found),
            Err(error) if error.kind() != ErrorKind::Integrity => Err(error.into()),
            _ => Ok(random),
        }
    }
}

fn is_agreed(rid: &KeyAgreeRecipientIdentifier<'_>, certificate: &Certificate<'_>) -> bool {
    match rid {
        KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(name) => is_serial(name, certificate),
        KeyAgreeRecipientIdentifier::RKeyId(id) => {
            key_identifier(certificate) == Some(id.subject_key_identifier.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use tagwise_pkix::cms::ID_DATA;

    use super::*;

    // contentType: id-data
    const DATA: &[u8] =
        b"\x30\x18\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x03\x31\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";
    // contentType: id-data, 1.2
    const TWO: &[u8] =
        b"\x30\x1B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x03\x31\x0E\x06\x01\x2A\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";
    // 1.2.3: NULL
    const OTHER: &[u8] = b"\x30\x08\x06\x02\x2A\x03\x31\x02\x05\x00";

    #[test]
    fn types_of_authenticated_content() {
        let set = |attribute: &[u8]| [&[0x31, attribute.len() as u8][..], attribute].concat();
        let (data, two, other) = (set(DATA), set(TWO), set(OTHER));
        let typed = b"\x2A\x03".as_slice();
        for (attributes, content_type, right) in [
            (None, ID_DATA.as_bytes(), true),
            (None, typed, false),
            (Some(&data), ID_DATA.as_bytes(), true),
            (Some(&data), typed, false),
            // RFC 5083 §2.1: only plain data does without.
            (Some(&other), ID_DATA.as_bytes(), true),
            (Some(&other), typed, false),
            (Some(&two), ID_DATA.as_bytes(), false),
            (Some(&two), typed, false),
        ] {
            let checked = check_type(attributes.map(Vec::as_slice), content_type);
            assert_eq!(checked.is_ok(), right, "{attributes:X?} {content_type:X?}: {checked:?}");
        }
    }
}
