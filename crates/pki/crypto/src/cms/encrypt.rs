//! Creates enveloped data (RFC 5652 §6) and authenticated-enveloped data (RFC 5083).

use tagwise_codec::{BitStr, Decode, OctetStr, Oid};
use tagwise_pkix::build::cms::{self, AuthEnvelopedParts, EnvelopedParts, Recipient};
use tagwise_pkix::cms::{
    Attribute, ID_DATA, IssuerAndSerialNumber, KekIdentifier, KeyAgreeRecipientIdentifier, OriginatorIdentifierOrKey,
    OriginatorPublicKey, RecipientEncryptedKey, RecipientIdentifier, RecipientKeyIdentifier,
};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo};

use super::content::ContentCipher;
use super::wrap::KeyWrap;
use super::{CmsError, Identifier, agreement, kem, password};
use crate::{
    Backend, Cipher, Digest, Error, ErrorKind, KeyTransport, KeyType, OaepParameters, PasswordOptions, Secret,
};

/// A recipient of a message.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum RecipientKey<'a> {
    /// The holder of a certificate's key: RSA, elliptic curve, X25519, ML-KEM or composite ML-KEM.
    Certificate {
        /// The certificate.
        certificate: &'a Certificate<'a>,
        /// The form in which the message identifies the certificate.
        identifier: Identifier,
        /// The RSA encryption scheme.
        transport: KeyTransport,
    },
    /// The holder of a key without a certificate, such as a key for which one is requested.
    PublicKey {
        /// The public key.
        key: SubjectPublicKeyInfo<'a>,
        /// The identifier in the message.
        identifier: IssuerAndSerialNumber<'a>,
        /// The RSA encryption scheme.
        transport: KeyTransport,
    },
    /// Recipients that share a key-encryption key of 16, 24 or 32 bytes (RFC 5652 §6.2.3).
    SharedKey {
        /// The key's identifier.
        id: &'a [u8],
        /// The key-encryption key.
        key: &'a [u8],
    },
    /// Anyone who knows a password (RFC 5652 §6.2.4).
    Password {
        /// The password.
        password: &'a [u8],
        /// Options for deriving the key.
        options: PasswordOptions,
    },
}

impl<'a> RecipientKey<'a> {
    /// Creates a recipient from a certificate, identified by issuer and serial number. RSA keys use OAEP with SHA-256.
    #[must_use]
    pub const fn new(certificate: &'a Certificate<'a>) -> Self {
        let transport = KeyTransport::Oaep(OaepParameters::of(Digest::Sha256));
        Self::Certificate { certificate, identifier: Identifier::IssuerAndSerialNumber, transport }
    }
}

impl core::fmt::Debug for RecipientKey<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Certificate { .. } => "Certificate(..)",
            Self::PublicKey { .. } => "PublicKey(..)",
            Self::SharedKey { .. } => "SharedKey(..)",
            Self::Password { .. } => "Password(..)",
        })
    }
}

/// Encryption options.
#[derive(Clone, Copy, Debug)]
pub struct EncryptOptions<'a> {
    /// The content type.
    pub content_type: Oid<'a>,
    /// The cipher. GCM produces authenticated-enveloped data, which detects damage. CBC produces enveloped data.
    pub cipher: Cipher,
    /// Unencrypted attributes: authenticated with GCM, unprotected with CBC.
    pub attributes: &'a [Attribute<'a>],
}

impl EncryptOptions<'_> {
    /// The default options: plain data with AES-256-GCM, and no attributes.
    pub const DEFAULT: Self = Self { content_type: ID_DATA, cipher: Cipher::Aes256Gcm, attributes: &[] };
}

impl Default for EncryptOptions<'_> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The content key, encrypted for one recipient. [`tagwise_pkix`]'s recipient types borrow from it.
pub(super) enum Made<'a> {
    Transport { rid: RecipientIdentifier<'a>, algorithm: Vec<u8>, encrypted_key: Vec<u8> },
    Agreement { rid: KeyAgreeRecipientIdentifier<'a>, agreed: agreement::Agreed },
    Kem { rid: RecipientIdentifier<'a>, encapsulated: kem::Encapsulated },
    Shared { id: &'a [u8], wrap: KeyWrap, encrypted_key: Vec<u8> },
    Password(password::Wrapped),
}

/// Encrypts the content key with a public key.
fn to_public<'a>(
    backend: &dyn Backend,
    public: &SubjectPublicKeyInfo<'_>,
    rid: RecipientIdentifier<'a>,
    transport: KeyTransport,
    key: &Secret,
) -> Result<Made<'a>, CmsError> {
    let kind = KeyType::of(public)?;
    match kind {
        KeyType::Rsa(_) => Ok(Made::Transport {
            rid,
            algorithm: transport.identifier()?,
            encrypted_key: backend.public_key(public)?.encrypt(transport, key.expose())?,
        }),
        _ if kind.encapsulates() => Ok(Made::Kem { rid, encapsulated: kem::encrypt(backend, public, kind, key)? }),
        _ if kind.agrees() => {
            let rid = match rid {
                RecipientIdentifier::SubjectKeyIdentifier(subject_key_identifier) => {
                    let (date, other) = (None, None);
                    KeyAgreeRecipientIdentifier::RKeyId(RecipientKeyIdentifier { subject_key_identifier, date, other })
                }
                RecipientIdentifier::IssuerAndSerialNumber(name) => {
                    KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(name)
                }
                RecipientIdentifier::Unknown(_) => return Err(Error::new(ErrorKind::Failed, kind).into()),
            };
            Ok(Made::Agreement { rid, agreed: agreement::encrypt(backend, public, kind, key)? })
        }
        _ => Err(Error::new(ErrorKind::WrongKey, format_args!("encryption to {kind}")).into()),
    }
}

fn make<'a>(backend: &dyn Backend, recipient: &RecipientKey<'a>, key: &Secret) -> Result<Made<'a>, CmsError> {
    match *recipient {
        RecipientKey::Certificate { certificate, identifier, transport } => {
            let public = &certificate.tbs_certificate.subject_public_key_info;
            to_public(backend, public, identifier.recipient(certificate)?, transport, key)
        }
        RecipientKey::PublicKey { key: public, identifier, transport } => {
            to_public(backend, &public, RecipientIdentifier::IssuerAndSerialNumber(identifier), transport, key)
        }
        RecipientKey::SharedKey { id, key: kek } => {
            let wrap = KeyWrap::for_key(kek.len());
            if kek.len() != wrap.key_len() {
                return Err(Error::new(ErrorKind::Length, "the shared key").into());
            }
            Ok(Made::Shared { id, wrap, encrypted_key: wrap.wrap(backend, kek, key.expose())? })
        }
        RecipientKey::Password { password, options } => {
            Ok(Made::Password(password::encrypt(backend, password, &options, key)?))
        }
    }
}

/// Returns the encrypted key of a key agreement, as a list with one element.
pub(super) fn agreed_key<'m>(made: &'m Made<'_>) -> Option<[RecipientEncryptedKey<'m>; 1]> {
    let Made::Agreement { rid, agreed } = made else { return None };
    Some([RecipientEncryptedKey { rid: *rid, encrypted_key: OctetStr::new(&agreed.encrypted_key) }])
}

fn algorithm(der: &[u8]) -> Result<AlgorithmIdentifier<'_>, CmsError> {
    AlgorithmIdentifier::from_der(der).map_err(CmsError::malformed("an algorithm"))
}

fn recipient<'m>(
    made: &'m Made<'_>,
    keys: Option<&'m [RecipientEncryptedKey<'m>; 1]>,
) -> Result<Recipient<'m>, CmsError> {
    Ok(match made {
        Made::Transport { rid, algorithm: der, encrypted_key } => {
            Recipient::KeyTransport { rid: *rid, algorithm: algorithm(der)?, encrypted_key }
        }
        Made::Agreement { agreed, .. } => Recipient::KeyAgreement {
            originator: OriginatorIdentifierOrKey::OriginatorKey(OriginatorPublicKey {
                algorithm: AlgorithmIdentifier { algorithm: agreed.originator_algorithm, parameters: None },
                public_key: BitStr::from_octets(&agreed.originator),
            }),
            ukm: None,
            algorithm: algorithm(&agreed.algorithm)?,
            keys: keys.map(<[_; 1]>::as_slice).unwrap_or_default(),
        },
        Made::Kem { rid, encapsulated } => Recipient::KeyEncapsulation {
            rid: *rid,
            kem: encapsulated.kem,
            kemct: &encapsulated.kemct,
            kdf: encapsulated.kdf,
            kek_length: u16::try_from(encapsulated.wrap.key_len()).unwrap_or_default(),
            ukm: None,
            wrap: encapsulated.wrap.identifier(),
            encrypted_key: &encapsulated.encrypted_key,
        },
        Made::Shared { id, wrap, encrypted_key } => Recipient::SharedKey {
            kekid: KekIdentifier { key_identifier: OctetStr::new(id), date: None, other: None },
            algorithm: wrap.identifier(),
            encrypted_key,
        },
        Made::Password(wrapped) => Recipient::Password {
            derivation: Some(algorithm(&wrapped.derivation)?),
            algorithm: algorithm(&wrapped.algorithm)?,
            encrypted_key: &wrapped.encrypted_key,
        },
    })
}

/// Encrypts the content key for each recipient.
pub(super) fn made_for<'a>(
    backend: &dyn Backend,
    recipients: &[RecipientKey<'a>],
    key: &Secret,
) -> Result<Vec<Made<'a>>, CmsError> {
    recipients.iter().map(|to| make(backend, to, key)).collect()
}

/// Converts the recipients to the types that the message builder requires.
pub(super) fn listed<'m>(
    made: &'m [Made<'_>],
    keys: &'m [Option<[RecipientEncryptedKey<'m>; 1]>],
) -> Result<Vec<Recipient<'m>>, CmsError> {
    made.iter().zip(keys).map(|(made, keys)| recipient(made, keys.as_ref())).collect()
}

/// Encrypts content under a new key for all recipients. Returns DER.
///
/// ```
/// # #[cfg(feature = "aws-lc")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_crypto::cms::{DecryptOptions, EncryptOptions, RecipientKey, Unlock, decrypt, encrypt};
/// let backend = AwsLc::new();
/// let shared = RecipientKey::SharedKey { id: b"key 1", key: &[7; 32] };
/// let message = encrypt(&backend, b"a secret", &[shared], &EncryptOptions::DEFAULT)?;
/// let unlock = Unlock::SharedKey { id: None, key: &[7; 32] };
/// let decrypted = decrypt(&backend, &message, None, &unlock, &DecryptOptions::DEFAULT)?;
/// assert_eq!(decrypted.content.expose(), b"a secret");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if there is no recipient, a key cannot encrypt, or the backend does not support the cipher. Also fails
/// if the message cannot be built.
pub fn encrypt(
    backend: &dyn Backend,
    content: &[u8],
    recipients: &[RecipientKey<'_>],
    options: &EncryptOptions<'_>,
) -> Result<Vec<u8>, CmsError> {
    let cipher = ContentCipher::fresh(backend, options.cipher)?;
    let mut key = Secret::zeroed(cipher.key_len());
    backend.random(key.expose_mut())?;

    let made = made_for(backend, recipients, &key)?;
    let keys: Vec<_> = made.iter().map(agreed_key).collect();
    let list = listed(&made, &keys)?;
    let identifier = cipher.identifier()?;
    let algorithm = algorithm(&identifier)?;

    if !cipher.is_authenticated() {
        let (ciphertext, _) = cipher.encrypt(backend, &key, &[], content)?;
        let parts = EnvelopedParts {
            originator_info: None,
            recipients: &list,
            content_type: options.content_type,
            algorithm,
            unprotected_attrs: options.attributes,
        };
        return Ok(cms::enveloped_data(&parts, Some(&ciphertext))?);
    }
    let parts = AuthEnvelopedParts {
        originator_info: None,
        recipients: &list,
        content_type: options.content_type,
        algorithm,
        auth_attrs: options.attributes,
        unauth_attrs: &[],
    };
    let unsealed = cms::auth_enveloped_data(&parts)?;
    let (ciphertext, tag) = cipher.encrypt(backend, &key, unsealed.aad().unwrap_or_default(), content)?;
    Ok(unsealed.attach(Some(&ciphertext), &tag)?)
}

/// Creates encrypted data (RFC 5652 §8) in DER, under a key known to the recipient.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for GCM, because there is no field for its tag, and [`ErrorKind::Length`] if the key
/// has the wrong length.
pub fn encrypt_with_key(
    backend: &dyn Backend,
    content: &[u8],
    key: &[u8],
    options: &EncryptOptions<'_>,
) -> Result<Vec<u8>, CmsError> {
    let cipher = ContentCipher::fresh(backend, options.cipher)?;
    if cipher.is_authenticated() {
        return Err(Error::new(ErrorKind::Unsupported, format_args!("encrypted data with {}", options.cipher)).into());
    }
    let (ciphertext, _) = cipher.encrypt(backend, &Secret::from(key), &[], content)?;
    let identifier = cipher.identifier()?;
    let algorithm = algorithm(&identifier)?;
    Ok(cms::encrypted_data(options.content_type, &algorithm, Some(&ciphertext), options.attributes)?)
}
