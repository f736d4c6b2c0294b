//! All signature algorithms and key encapsulation mechanisms: identifiers, parameters, key types and strength. Each
//! backend reports what it supports ([`Backend::signs`](crate::Backend::signs),
//! [`Backend::generates`](crate::Backend::generates)).

use tagwise_codec::Oid;
use tagwise_pkix::oids;

use crate::{CompositeMlDsa, CompositeMlKem, Digest, KeyType, Scheme, SlhDsa};

/// A row of [`SIGNATURES`]: a signature algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The algorithm's usual name.
    pub name: &'static str,
    /// The algorithm's object identifier.
    pub oid: Oid<'static>,
    /// The scheme, or `None` if it depends on the parameters or the algorithm is only recognized.
    pub scheme: Option<Scheme>,
    /// The required parameters.
    pub parameters: Parameters,
    /// The required key family.
    pub key: KeyFamily,
    /// The security strength in bits of the digest or parameter set (SP 800-57 part 1 §5.6.1; for SHA-1, the cost of
    /// the first public collision). The key may be weaker.
    pub strength: u16,
}

/// The parameters in a signature algorithm's identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// No parameters.
    Absent,
    /// NULL, or absent, which is also accepted (RFC 4055 §5).
    Null,
    /// RSASSA-PSS-params (RFC 4055 §3.1).
    Pss,
}

/// A key family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyFamily {
    /// RSA of any size.
    Rsa,
    /// Elliptic curves.
    Ec,
    /// Ed25519 and Ed448.
    Edwards,
    /// ML-DSA.
    MlDsa,
    /// SLH-DSA.
    SlhDsa,
    /// Composite ML-DSA.
    CompositeMlDsa,
    /// Falcon, to be standardized as FN-DSA.
    FnDsa,
}

const fn row(
    name: &'static str,
    oid: Oid<'static>,
    scheme: Option<Scheme>,
    parameters: Parameters,
    key: KeyFamily,
    strength: u16,
) -> Row {
    Row { name, oid, scheme, parameters, key, strength }
}

const fn rsa(name: &'static str, oid: Oid<'static>, digest: Digest, strength: u16) -> Row {
    row(name, oid, Some(Scheme::RsaPkcs1(digest)), Parameters::Null, KeyFamily::Rsa, strength)
}

const fn ecdsa(name: &'static str, oid: Oid<'static>, digest: Digest, strength: u16) -> Row {
    row(name, oid, Some(Scheme::Ecdsa(digest)), Parameters::Absent, KeyFamily::Ec, strength)
}

const fn pure(name: &'static str, oid: Oid<'static>, scheme: Scheme, key: KeyFamily, strength: u16) -> Row {
    row(name, oid, Some(scheme), Parameters::Absent, key, strength)
}

const fn known(name: &'static str, oid: Oid<'static>, key: KeyFamily, strength: u16) -> Row {
    row(name, oid, None, Parameters::Absent, key, strength)
}

/// All known signature algorithms.
pub const SIGNATURES: &[Row] = &[
    rsa("RSA-SHA1", oids::SHA1_WITH_RSA_ENCRYPTION, Digest::Sha1, 63),
    rsa("RSA-SHA224", oids::SHA224_WITH_RSA_ENCRYPTION, Digest::Sha224, 112),
    rsa("RSA-SHA256", oids::SHA256_WITH_RSA_ENCRYPTION, Digest::Sha256, 128),
    rsa("RSA-SHA384", oids::SHA384_WITH_RSA_ENCRYPTION, Digest::Sha384, 192),
    rsa("RSA-SHA512", oids::SHA512_WITH_RSA_ENCRYPTION, Digest::Sha512, 256),
    rsa("RSA-SHA512/256", oids::SHA512_256_WITH_RSA_ENCRYPTION, Digest::Sha512_256, 128),
    rsa("RSA-SHA3-256", oids::RSASSA_PKCS1_V1_5_WITH_SHA3_256, Digest::Sha3_256, 128),
    rsa("RSA-SHA3-384", oids::RSASSA_PKCS1_V1_5_WITH_SHA3_384, Digest::Sha3_384, 192),
    rsa("RSA-SHA3-512", oids::RSASSA_PKCS1_V1_5_WITH_SHA3_512, Digest::Sha3_512, 256),
    row("RSASSA-PSS", oids::RSASSA_PSS, None, Parameters::Pss, KeyFamily::Rsa, 256),
    known("RSASSA-PSS-SHAKE128", oids::RSASSA_PSS_SHAKE128, KeyFamily::Rsa, 128),
    known("RSASSA-PSS-SHAKE256", oids::RSASSA_PSS_SHAKE256, KeyFamily::Rsa, 256),
    ecdsa("ECDSA-SHA1", oids::ECDSA_WITH_SHA1, Digest::Sha1, 63),
    ecdsa("ECDSA-SHA224", oids::ECDSA_WITH_SHA224, Digest::Sha224, 112),
    ecdsa("ECDSA-SHA256", oids::ECDSA_WITH_SHA256, Digest::Sha256, 128),
    ecdsa("ECDSA-SHA384", oids::ECDSA_WITH_SHA384, Digest::Sha384, 192),
    ecdsa("ECDSA-SHA512", oids::ECDSA_WITH_SHA512, Digest::Sha512, 256),
    ecdsa("ECDSA-SHA3-256", oids::ECDSA_WITH_SHA3_256, Digest::Sha3_256, 128),
    ecdsa("ECDSA-SHA3-384", oids::ECDSA_WITH_SHA3_384, Digest::Sha3_384, 192),
    ecdsa("ECDSA-SHA3-512", oids::ECDSA_WITH_SHA3_512, Digest::Sha3_512, 256),
    ecdsa("ECDSA-SHAKE128", oids::ECDSA_WITH_SHAKE128, Digest::Shake128, 128),
    ecdsa("ECDSA-SHAKE256", oids::ECDSA_WITH_SHAKE256, Digest::Shake256, 256),
    pure("Ed25519", oids::ED25519, Scheme::Ed25519, KeyFamily::Edwards, 128),
    pure("Ed448", oids::ED448, Scheme::Ed448, KeyFamily::Edwards, 224),
    pure("ML-DSA-44", oids::ML_DSA_44, Scheme::MlDsa44, KeyFamily::MlDsa, 128),
    pure("ML-DSA-65", oids::ML_DSA_65, Scheme::MlDsa65, KeyFamily::MlDsa, 192),
    pure("ML-DSA-87", oids::ML_DSA_87, Scheme::MlDsa87, KeyFamily::MlDsa, 256),
    pure("SLH-DSA-SHA2-128s", oids::SLH_DSA_SHA2_128S, Scheme::SlhDsa(SlhDsa::Sha2_128s), KeyFamily::SlhDsa, 128),
    pure("SLH-DSA-SHA2-128f", oids::SLH_DSA_SHA2_128F, Scheme::SlhDsa(SlhDsa::Sha2_128f), KeyFamily::SlhDsa, 128),
    pure("SLH-DSA-SHA2-192s", oids::SLH_DSA_SHA2_192S, Scheme::SlhDsa(SlhDsa::Sha2_192s), KeyFamily::SlhDsa, 192),
    pure("SLH-DSA-SHA2-192f", oids::SLH_DSA_SHA2_192F, Scheme::SlhDsa(SlhDsa::Sha2_192f), KeyFamily::SlhDsa, 192),
    pure("SLH-DSA-SHA2-256s", oids::SLH_DSA_SHA2_256S, Scheme::SlhDsa(SlhDsa::Sha2_256s), KeyFamily::SlhDsa, 256),
    pure("SLH-DSA-SHA2-256f", oids::SLH_DSA_SHA2_256F, Scheme::SlhDsa(SlhDsa::Sha2_256f), KeyFamily::SlhDsa, 256),
    pure("SLH-DSA-SHAKE-128s", oids::SLH_DSA_SHAKE_128S, Scheme::SlhDsa(SlhDsa::Shake128s), KeyFamily::SlhDsa, 128),
    pure("SLH-DSA-SHAKE-128f", oids::SLH_DSA_SHAKE_128F, Scheme::SlhDsa(SlhDsa::Shake128f), KeyFamily::SlhDsa, 128),
    pure("SLH-DSA-SHAKE-192s", oids::SLH_DSA_SHAKE_192S, Scheme::SlhDsa(SlhDsa::Shake192s), KeyFamily::SlhDsa, 192),
    pure("SLH-DSA-SHAKE-192f", oids::SLH_DSA_SHAKE_192F, Scheme::SlhDsa(SlhDsa::Shake192f), KeyFamily::SlhDsa, 192),
    pure("SLH-DSA-SHAKE-256s", oids::SLH_DSA_SHAKE_256S, Scheme::SlhDsa(SlhDsa::Shake256s), KeyFamily::SlhDsa, 256),
    pure("SLH-DSA-SHAKE-256f", oids::SLH_DSA_SHAKE_256F, Scheme::SlhDsa(SlhDsa::Shake256f), KeyFamily::SlhDsa, 256),
    pure(
        "HashSLH-DSA-SHA2-128s-with-SHA256",
        oids::HASH_SLH_DSA_SHA2_128S_WITH_SHA256,
        Scheme::HashSlhDsa(SlhDsa::Sha2_128s),
        KeyFamily::SlhDsa,
        128,
    ),
    pure(
        "HashSLH-DSA-SHA2-128f-with-SHA256",
        oids::HASH_SLH_DSA_SHA2_128F_WITH_SHA256,
        Scheme::HashSlhDsa(SlhDsa::Sha2_128f),
        KeyFamily::SlhDsa,
        128,
    ),
    pure(
        "HashSLH-DSA-SHA2-192s-with-SHA512",
        oids::HASH_SLH_DSA_SHA2_192S_WITH_SHA512,
        Scheme::HashSlhDsa(SlhDsa::Sha2_192s),
        KeyFamily::SlhDsa,
        192,
    ),
    pure(
        "HashSLH-DSA-SHA2-192f-with-SHA512",
        oids::HASH_SLH_DSA_SHA2_192F_WITH_SHA512,
        Scheme::HashSlhDsa(SlhDsa::Sha2_192f),
        KeyFamily::SlhDsa,
        192,
    ),
    pure(
        "HashSLH-DSA-SHA2-256s-with-SHA512",
        oids::HASH_SLH_DSA_SHA2_256S_WITH_SHA512,
        Scheme::HashSlhDsa(SlhDsa::Sha2_256s),
        KeyFamily::SlhDsa,
        256,
    ),
    pure(
        "HashSLH-DSA-SHA2-256f-with-SHA512",
        oids::HASH_SLH_DSA_SHA2_256F_WITH_SHA512,
        Scheme::HashSlhDsa(SlhDsa::Sha2_256f),
        KeyFamily::SlhDsa,
        256,
    ),
    pure(
        "HashSLH-DSA-SHAKE-128s-with-SHAKE128",
        oids::HASH_SLH_DSA_SHAKE_128S_WITH_SHAKE128,
        Scheme::HashSlhDsa(SlhDsa::Shake128s),
        KeyFamily::SlhDsa,
        128,
    ),
    pure(
        "HashSLH-DSA-SHAKE-128f-with-SHAKE128",
        oids::HASH_SLH_DSA_SHAKE_128F_WITH_SHAKE128,
        Scheme::HashSlhDsa(SlhDsa::Shake128f),
        KeyFamily::SlhDsa,
        128,
    ),
    pure(
        "HashSLH-DSA-SHAKE-192s-with-SHAKE256",
        oids::HASH_SLH_DSA_SHAKE_192S_WITH_SHAKE256,
        Scheme::HashSlhDsa(SlhDsa::Shake192s),
        KeyFamily::SlhDsa,
        192,
    ),
    pure(
        "HashSLH-DSA-SHAKE-192f-with-SHAKE256",
        oids::HASH_SLH_DSA_SHAKE_192F_WITH_SHAKE256,
        Scheme::HashSlhDsa(SlhDsa::Shake192f),
        KeyFamily::SlhDsa,
        192,
    ),
    pure(
        "HashSLH-DSA-SHAKE-256s-with-SHAKE256",
        oids::HASH_SLH_DSA_SHAKE_256S_WITH_SHAKE256,
        Scheme::HashSlhDsa(SlhDsa::Shake256s),
        KeyFamily::SlhDsa,
        256,
    ),
    pure(
        "HashSLH-DSA-SHAKE-256f-with-SHAKE256",
        oids::HASH_SLH_DSA_SHAKE_256F_WITH_SHAKE256,
        Scheme::HashSlhDsa(SlhDsa::Shake256f),
        KeyFamily::SlhDsa,
        256,
    ),
    pure(
        "MLDSA44-RSA2048-PSS-SHA256",
        oids::MLDSA44_RSA2048_PSS_SHA256,
        Scheme::Composite(CompositeMlDsa::MlDsa44Rsa2048PssSha256),
        KeyFamily::CompositeMlDsa,
        128,
    ),
    pure(
        "MLDSA44-RSA2048-PKCS15-SHA256",
        oids::MLDSA44_RSA2048_PKCS15_SHA256,
        Scheme::Composite(CompositeMlDsa::MlDsa44Rsa2048Pkcs15Sha256),
        KeyFamily::CompositeMlDsa,
        128,
    ),
    pure(
        "MLDSA44-Ed25519-SHA512",
        oids::MLDSA44_ED25519_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa44Ed25519Sha512),
        KeyFamily::CompositeMlDsa,
        128,
    ),
    pure(
        "MLDSA44-ECDSA-P256-SHA256",
        oids::MLDSA44_ECDSA_P256_SHA256,
        Scheme::Composite(CompositeMlDsa::MlDsa44EcdsaP256Sha256),
        KeyFamily::CompositeMlDsa,
        128,
    ),
    pure(
        "MLDSA65-RSA3072-PSS-SHA512",
        oids::MLDSA65_RSA3072_PSS_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65Rsa3072PssSha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-RSA3072-PKCS15-SHA512",
        oids::MLDSA65_RSA3072_PKCS15_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65Rsa3072Pkcs15Sha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-RSA4096-PSS-SHA512",
        oids::MLDSA65_RSA4096_PSS_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65Rsa4096PssSha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-RSA4096-PKCS15-SHA512",
        oids::MLDSA65_RSA4096_PKCS15_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65Rsa4096Pkcs15Sha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-ECDSA-P256-SHA512",
        oids::MLDSA65_ECDSA_P256_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65EcdsaP256Sha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-ECDSA-P384-SHA512",
        oids::MLDSA65_ECDSA_P384_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65EcdsaP384Sha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA65-Ed25519-SHA512",
        oids::MLDSA65_ED25519_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa65Ed25519Sha512),
        KeyFamily::CompositeMlDsa,
        192,
    ),
    pure(
        "MLDSA87-ECDSA-P384-SHA512",
        oids::MLDSA87_ECDSA_P384_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa87EcdsaP384Sha512),
        KeyFamily::CompositeMlDsa,
        256,
    ),
    pure(
        "MLDSA87-Ed448-SHAKE256",
        oids::MLDSA87_ED448_SHAKE256,
        Scheme::Composite(CompositeMlDsa::MlDsa87Ed448Shake256),
        KeyFamily::CompositeMlDsa,
        256,
    ),
    pure(
        "MLDSA87-RSA3072-PSS-SHA512",
        oids::MLDSA87_RSA3072_PSS_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa87Rsa3072PssSha512),
        KeyFamily::CompositeMlDsa,
        256,
    ),
    pure(
        "MLDSA87-RSA4096-PSS-SHA512",
        oids::MLDSA87_RSA4096_PSS_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa87Rsa4096PssSha512),
        KeyFamily::CompositeMlDsa,
        256,
    ),
    pure(
        "MLDSA87-ECDSA-P521-SHA512",
        oids::MLDSA87_ECDSA_P521_SHA512,
        Scheme::Composite(CompositeMlDsa::MlDsa87EcdsaP521Sha512),
        KeyFamily::CompositeMlDsa,
        256,
    ),
    known(
        "MLDSA65-ECDSA-brainpoolP256r1-SHA512",
        oids::MLDSA65_ECDSA_BRAINPOOL_P256R1_SHA512,
        KeyFamily::CompositeMlDsa,
        192,
    ),
    known(
        "MLDSA87-ECDSA-brainpoolP384r1-SHA512",
        oids::MLDSA87_ECDSA_BRAINPOOL_P384R1_SHA512,
        KeyFamily::CompositeMlDsa,
        256,
    ),
    known("FN-DSA-512 (Falcon)", oids::OQS_FALCON_512, KeyFamily::FnDsa, 128),
    known("FN-DSA-1024 (Falcon)", oids::OQS_FALCON_1024, KeyFamily::FnDsa, 256),
];

/// A row of [`KEMS`]: a key encapsulation mechanism.
#[derive(Clone, Copy, Debug)]
pub struct KemRow {
    /// The mechanism's usual name.
    pub name: &'static str,
    /// The object identifier of the mechanism and its keys.
    pub oid: Oid<'static>,
    /// The key type, or `None` if the mechanism is only recognized.
    pub key: Option<KeyType>,
    /// The security strength in bits of the ML-KEM parameter set.
    pub strength: u16,
}

const fn kem(name: &'static str, oid: Oid<'static>, key: KeyType) -> KemRow {
    KemRow { name, oid, key: Some(key), strength: key.strength() }
}

const fn composite_kem(set: CompositeMlKem) -> KemRow {
    kem(set.name(), set.oid(), KeyType::CompositeMlKem(set))
}

/// All known key encapsulation mechanisms (RFC 9935, RFC 9936, draft-ietf-lamps-pq-composite-kem-15).
///
/// ```
/// use tagwise_crypto::{KeyType, table};
/// let row = table::KEMS.iter().find(|row| row.name == "ML-KEM-768").unwrap();
/// assert_eq!((row.key, row.strength), (Some(KeyType::MlKem768), 192));
/// ```
pub const KEMS: &[KemRow] = &[
    kem("ML-KEM-512", oids::ML_KEM_512, KeyType::MlKem512),
    kem("ML-KEM-768", oids::ML_KEM_768, KeyType::MlKem768),
    kem("ML-KEM-1024", oids::ML_KEM_1024, KeyType::MlKem1024),
    composite_kem(CompositeMlKem::MlKem768Rsa2048),
    composite_kem(CompositeMlKem::MlKem768Rsa3072),
    composite_kem(CompositeMlKem::MlKem768Rsa4096),
    composite_kem(CompositeMlKem::MlKem768X25519),
    composite_kem(CompositeMlKem::MlKem768P256),
    composite_kem(CompositeMlKem::MlKem768P384),
    KemRow {
        name: "MLKEM768-ECDH-brainpoolP256r1-SHA3-256",
        oid: oids::MLKEM768_ECDH_BRAINPOOL_P256R1_SHA3_256,
        key: None,
        strength: 192,
    },
    composite_kem(CompositeMlKem::MlKem1024Rsa3072),
    composite_kem(CompositeMlKem::MlKem1024P384),
    KemRow {
        name: "MLKEM1024-ECDH-brainpoolP384r1-SHA3-256",
        oid: oids::MLKEM1024_ECDH_BRAINPOOL_P384R1_SHA3_256,
        key: None,
        strength: 256,
    },
    composite_kem(CompositeMlKem::MlKem1024X448),
    composite_kem(CompositeMlKem::MlKem1024P521),
];

/// Returns the row with the given identifier.
///
/// ```
/// use tagwise_crypto::table;
/// use tagwise_pkix::oids;
/// assert_eq!(table::lookup(oids::ML_DSA_65).unwrap().name, "ML-DSA-65");
/// assert!(table::lookup(oids::SHA256).is_none());
/// ```
#[must_use]
pub fn lookup(oid: Oid<'_>) -> Option<&'static Row> {
    SIGNATURES.iter().find(|row| row.oid == oid)
}
