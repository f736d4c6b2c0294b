//! Derivation of reply keys from shared secrets: RFC 4556 §3.2.3.1, and the functions in RFC 8636 §6.

use tagwise_codec::{OctetStr, Oid, encode};
use tagwise_crypto::{Digest, Error, ErrorKind, Primitives, Secret};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::Principal;
use crate::crypto::{EncType, Key};
use crate::pkinit::Krb5PrincipalName;
use crate::pkinit_agility::{OtherInfo, PkinitSuppPubInfo};

/// A key derivation function (RFC 8636 §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kdf {
    /// `id-pkinit-kdf-ah-sha1`.
    Sha1,
    /// `id-pkinit-kdf-ah-sha256`.
    Sha256,
    /// `id-pkinit-kdf-ah-sha384`.
    Sha384,
    /// `id-pkinit-kdf-ah-sha512`.
    Sha512,
}

/// The exchange to which a derived key is bound (RFC 8636 §6).
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The client named in the request.
    pub client: &'a Principal,
    /// The service named in the request.
    pub server: &'a Principal,
    /// The AS-REQ as it was sent.
    pub as_req: &'a [u8],
    /// The PA-PK-AS-REP as it was sent.
    pub pk_as_rep: &'a [u8],
}

impl Kdf {
    /// All key derivation functions, strongest first.
    pub const ALL: &[Self] = &[Self::Sha512, Self::Sha384, Self::Sha256, Self::Sha1];

    /// Returns the function's object identifier.
    #[must_use]
    pub const fn oid(self) -> Oid<'static> {
        match self {
            Self::Sha1 => oids::PKINIT_KDF_AH_SHA1,
            Self::Sha256 => oids::PKINIT_KDF_AH_SHA256,
            Self::Sha384 => oids::PKINIT_KDF_AH_SHA384,
            Self::Sha512 => oids::PKINIT_KDF_AH_SHA512,
        }
    }

    /// Returns the key derivation function with the given object identifier.
    #[must_use]
    pub fn from_oid(oid: Oid<'_>) -> Option<Self> {
        Self::ALL.iter().copied().find(|kdf| kdf.oid() == oid)
    }

    const fn digest(self) -> Digest {
        match self {
            Self::Sha1 => Digest::Sha1,
            Self::Sha256 => Digest::Sha256,
            Self::Sha384 => Digest::Sha384,
            Self::Sha512 => Digest::Sha512,
        }
    }

    /// Derives the reply key from a shared secret.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm, or [`ErrorKind::Failed`] if a name
    /// cannot be encoded.
    pub fn derive(
        self,
        backend: &dyn Primitives,
        enc_type: EncType,
        shared: &Secret,
        binding: &Binding<'_>,
    ) -> Result<Key, Error> {
        let failed = |error| Error::new(ErrorKind::Failed, "encoding").because(error);
        let info = self.other_info(enc_type, binding).map_err(failed)?;
        let mut seed = Vec::new();
        // Of 2^32 blocks that the standard allows, no key takes more than four.
        for counter in 1_u32..=4 {
            let mut hasher = backend.hasher(self.digest())?;
            hasher.update(&counter.to_be_bytes());
            hasher.update(shared.expose());
            hasher.update(&info);
            seed.extend(Secret::from(hasher.finish()?).expose());
        }
        key_of(enc_type, seed)
    }

    fn other_info(self, enc_type: EncType, binding: &Binding<'_>) -> Result<Vec<u8>, tagwise_codec::EncodeError> {
        let party = |principal: &Principal| {
            let strings = principal.strings();
            encode(&Krb5PrincipalName { realm: principal.realm_string(), principal_name: principal.name(&strings) })
        };
        // The anonymous principal is in the anonymous realm, regardless of the requested realm (RFC 8062 §3), as in MIT's KDC and
        // client.
        let nobody = Principal::anonymous(Principal::ANONYMOUS_REALM);
        let client = if binding.client.is_anonymous() { &nobody } else { binding.client };
        let (client, server) = (party(client)?, party(binding.server)?);
        let public = encode(&PkinitSuppPubInfo {
            enctype: enc_type.number(),
            as_req: OctetStr::new(binding.as_req),
            pk_as_rep: OctetStr::new(binding.pk_as_rep),
            additions: Default::default(),
        })?;
        encode(&OtherInfo {
            algorithm_id: AlgorithmIdentifier { algorithm: self.oid(), parameters: None },
            party_u_info: OctetStr::new(&client),
            party_v_info: OctetStr::new(&server),
            supp_pub_info: Some(OctetStr::new(&public)),
            supp_priv_info: None,
        })
    }
}

/// Computes octetstring2key (RFC 4556 §3.2.3.1), for KDCs that do not select a function. The input is the shared secret,
/// followed by the client's and KDC's nonces if the key is reused.
///
/// # Errors
/// Returns [`ErrorKind::NotOffered`] if the backend does not support the algorithm.
pub fn octetstring_to_key(backend: &dyn Primitives, enc_type: EncType, value: &Secret) -> Result<Key, Error> {
    let mut seed = Vec::new();
    for counter in 0_u8..4 {
        let mut hasher = backend.hasher(Digest::Sha1)?;
        hasher.update(&[counter]);
        hasher.update(value.expose());
        seed.extend(Secret::from(hasher.finish()?).expose());
    }
    key_of(enc_type, seed)
}

fn key_of(enc_type: EncType, seed: Vec<u8>) -> Result<Key, Error> {
    let mut seed = Secret::from(seed);
    seed.truncate(enc_type.seed_len());
    Key::from_seed(enc_type, &seed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use tagwise_codec::text::hex;
    use tagwise_crypto::backends::AwsLc;

    use super::*;

    /// Checks the test vectors of RFC 8636 Appendix B.
    #[test]
    fn vectors() {
        let backend = AwsLc::new();
        let (client, server) =
            (Principal::parse("lha@SU.SE", None).unwrap(), Principal::parse("krbtgt/SU.SE@SU.SE", None).unwrap());
        let shared = Secret::zeroed(256);
        // The vectors have names of type 1 on both sides.
        let server = server.with_type(1);
        let binding = Binding { client: &client, server: &server, as_req: &[0xAA; 10], pk_as_rep: &[0xBB; 9] };
        for (kdf, enc_type, expected) in [
            (
                Kdf::Sha1,
                EncType::Aes256CtsHmacSha196,
                "e6ab38c9413e035bb079201ed0b6b73d8d49a814a737c04ee6649614206f73ad",
            ),
            (
                Kdf::Sha256,
                EncType::Aes256CtsHmacSha196,
                "77ef4e48c420ae3fec75109d7981697eed5d295c90c62564f7bfd101fa9bc1d5",
            ),
            (Kdf::Sha512, EncType::Des3CbcSha1Kd, "d3c78a79d65213efe9a826f75dfb01f72362fb16fb01dad6"),
        ] {
            let key = kdf.derive(&backend, enc_type, &shared, &binding).unwrap();
            assert_eq!(hex::encode(key.expose()), expected, "{kdf:?}");
            assert_eq!(Kdf::from_oid(kdf.oid()), Some(kdf));
        }
        assert_eq!(Kdf::from_oid(oids::PKINIT_SAN), None);
    }

    /// Checks test vectors 1 and 3 of RFC 4556 Appendix B.
    #[test]
    fn octet_strings() {
        let backend = AwsLc::new();
        let key = |value: &[u8]| {
            let made = octetstring_to_key(&backend, EncType::Aes256CtsHmacSha196, &Secret::from(value)).unwrap();
            hex::encode(made.expose())
        };
        assert_eq!(
            key(&[0; 256]),
            "5e e5 0d 67 5c 80 9f e5 9e 4a 77 62 c5 4b 65 83 75 47 ea fb 15 9b d8 cd c7 5f fc a5 91 1e 4c 41"
                .replace(' ', "")
        );
    }
}
