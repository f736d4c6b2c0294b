//! Recipients of a message and their encrypted keys (RFC 5652 §6.2; RFC 9629 for KEMs).

use tagwise_codec::{Any, Oid, Open, SeqOf, encode};

use crate::{BuildError, error::demand};
use tagwise_messages::cms::kem::{CmsOriForKemOtherInfo, ID_ORI_KEM, KemRecipientInfo};
use tagwise_messages::cms::{
    CmsVersion, KekIdentifier, KekRecipientInfo, KeyAgreeRecipientInfo, KeyTransRecipientInfo,
    OriginatorIdentifierOrKey, OtherRecipientInfo, PasswordRecipientInfo, RecipientEncryptedKey, RecipientIdentifier,
    RecipientInfo,
};
use tagwise_x509::alg::AlgorithmIdentifier;

/// A recipient with its encrypted content-encryption key, which the caller has computed. Versions are derived from the type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Recipient<'a> {
    /// Key transport to a public key: RSA (§6.2.1).
    KeyTransport {
        /// The identifier of the recipient's certificate.
        rid: RecipientIdentifier<'a>,
        /// The key encryption algorithm.
        algorithm: AlgorithmIdentifier<'a>,
        /// The encrypted content-encryption key.
        encrypted_key: &'a [u8],
    },
    /// Key agreement: ECDH or X25519 (§6.2.2).
    KeyAgreement {
        /// The sender's key, usually ephemeral.
        originator: OriginatorIdentifierOrKey<'a>,
        /// User keying material, which makes each shared secret different.
        ukm: Option<&'a [u8]>,
        /// The key agreement algorithm, with the key wrap algorithm as parameter.
        algorithm: AlgorithmIdentifier<'a>,
        /// The recipients, each with the wrapped key.
        keys: &'a [RecipientEncryptedKey<'a>],
    },
    /// A previously distributed key-encryption key (§6.2.3).
    SharedKey {
        /// The key-encryption key's identifier.
        kekid: KekIdentifier<'a>,
        /// The key wrap algorithm.
        algorithm: AlgorithmIdentifier<'a>,
        /// The wrapped content-encryption key.
        encrypted_key: &'a [u8],
    },
    /// A password (§6.2.4).
    Password {
        /// The key derivation algorithm, or `None` if the key-encryption key is derived by other means.
        derivation: Option<AlgorithmIdentifier<'a>>,
        /// The key wrap algorithm.
        algorithm: AlgorithmIdentifier<'a>,
        /// The wrapped content-encryption key.
        encrypted_key: &'a [u8],
    },
    /// Key encapsulation: ML-KEM (RFC 9629 §3).
    KeyEncapsulation {
        /// The identifier of the recipient's certificate.
        rid: RecipientIdentifier<'a>,
        /// The key encapsulation algorithm, such as ML-KEM-768.
        kem: AlgorithmIdentifier<'a>,
        /// The ciphertext that encapsulates the shared secret.
        kemct: &'a [u8],
        /// The key derivation function. Its inputs are the shared secret and [`kem_other_info`].
        kdf: AlgorithmIdentifier<'a>,
        /// The length of the derived key-encryption key in bytes.
        kek_length: u16,
        /// User keying material for the derivation.
        ukm: Option<&'a [u8]>,
        /// The key wrap algorithm.
        wrap: AlgorithmIdentifier<'a>,
        /// The wrapped content-encryption key.
        encrypted_key: &'a [u8],
    },
    /// A recipient type that another standard defines (§6.2.5).
    Other {
        /// The object identifier of the recipient type.
        ori_type: Oid<'a>,
        /// The recipient information, in the syntax of that type.
        ori_value: Any<'a>,
    },
}

/// Encodes the key derivation's additional input, `CMSORIforKEMOtherInfo`, as DER (RFC 9629 §5).
///
/// # Errors
/// Returns an error if the length is 0.
pub fn kem_other_info(
    wrap: &AlgorithmIdentifier<'_>,
    kek_length: u16,
    ukm: Option<&[u8]>,
) -> Result<Vec<u8>, BuildError> {
    Ok(encode(&CmsOriForKemOtherInfo { wrap: *wrap, kek_length, ukm: ukm.map(Into::into) })?)
}

/// The properties that determine a message's version (RFC 5652 §6.1).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// True if a recipient's version is not 0.
    pub(super) versioned: bool,
    /// True if a recipient uses a password, or a type defined by another standard.
    pub(super) modern: bool,
}

/// Encodes each recipient in DER. Also returns the properties that determine the message's version.
pub(super) fn recipients(list: &[Recipient<'_>]) -> Result<(Vec<Vec<u8>>, Needs), BuildError> {
    demand(!list.is_empty(), "the message has no recipients", "RFC 5652 §6.1")?;
    let mut needs = Needs::default();
    let mut infos = Vec::with_capacity(list.len());
    for recipient in list {
        infos.push(info(recipient, &mut needs)?);
    }
    Ok((infos, needs))
}

fn info(recipient: &Recipient<'_>, needs: &mut Needs) -> Result<Vec<u8>, BuildError> {
    let inner;
    let info = match *recipient {
        Recipient::KeyTransport { rid, algorithm, encrypted_key } => {
            let version = match rid {
                RecipientIdentifier::IssuerAndSerialNumber(_) => CmsVersion::V0,
                RecipientIdentifier::SubjectKeyIdentifier(_) => CmsVersion::V2,
                RecipientIdentifier::Unknown(_) => return Err(unnamed()),
            };
            needs.versioned |= version != CmsVersion::V0;
            let encrypted_key = encrypted_key.into();
            let key_encryption_algorithm = algorithm;
            RecipientInfo::Ktri(KeyTransRecipientInfo { version, rid, key_encryption_algorithm, encrypted_key })
        }
        Recipient::KeyAgreement { originator, ukm, algorithm, keys } => {
            needs.versioned = true;
            demand(!keys.is_empty(), "a key agreement must have at least one recipient", "RFC 5652 §6.2.2")?;
            RecipientInfo::Kari(KeyAgreeRecipientInfo {
                version: CmsVersion::V3,
                originator,
                ukm: ukm.map(Into::into),
                key_encryption_algorithm: algorithm,
                recipient_encrypted_keys: SeqOf::from_slice(keys),
            })
        }
        Recipient::SharedKey { kekid, algorithm, encrypted_key } => {
            needs.versioned = true;
            RecipientInfo::Kekri(KekRecipientInfo {
                version: CmsVersion::V4,
                kekid,
                key_encryption_algorithm: algorithm,
                encrypted_key: encrypted_key.into(),
            })
        }
        Recipient::Password { derivation, algorithm, encrypted_key } => {
            needs.modern = true;
            RecipientInfo::Pwri(PasswordRecipientInfo {
                version: CmsVersion::V0,
                key_derivation_algorithm: derivation,
                key_encryption_algorithm: algorithm,
                encrypted_key: encrypted_key.into(),
            })
        }
        Recipient::KeyEncapsulation { rid, kem, kemct, kdf, kek_length, ukm, wrap, encrypted_key } => {
            needs.modern = true;
            if matches!(rid, RecipientIdentifier::Unknown(_)) {
                return Err(unnamed());
            }
            inner = encode(&KemRecipientInfo {
                // RFC 9629 §3: always 0.
                version: CmsVersion::V0,
                rid,
                kem,
                kemct: kemct.into(),
                kdf,
                kek_length,
                ukm: ukm.map(Into::into),
                wrap,
                encrypted_key: encrypted_key.into(),
            })?;
            let ori_value = Open::new(ID_ORI_KEM.as_bytes(), &inner);
            RecipientInfo::Ori(OtherRecipientInfo { ori_type: ID_ORI_KEM, ori_value })
        }
        Recipient::Other { ori_type, ori_value } => {
            needs.modern = true;
            let ori_value = Open::new(ori_type.as_bytes(), ori_value.as_bytes());
            RecipientInfo::Ori(OtherRecipientInfo { ori_type, ori_value })
        }
    };
    Ok(encode(&info)?)
}

const fn unnamed() -> BuildError {
    BuildError::Invalid { what: "unknown recipient identifier", clause: "RFC 5652 §6.2.1" }
}
