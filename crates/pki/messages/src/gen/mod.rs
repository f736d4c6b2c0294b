/// Attribute certificates, and the attributes and extensions in them.
#[cfg(feature = "cms")]
pub mod ac;
/// Attribute certificates of version 1, which CMS messages may still contain.
#[cfg(feature = "cms")]
pub mod ac_v1;
/// Keys and signatures with RSA, DSA, Diffie-Hellman and elliptic curves.
pub mod algorithms;
/// Classes and parameterized types that the other modules share: attributes, extensions, security categories.
#[cfg(feature = "cms")]
pub mod attributes;
/// Certificate Management over CMS.
#[cfg(feature = "cms")]
pub mod cmc;
/// The Certificate Management Protocol.
#[cfg(feature = "cms")]
pub mod cmp;
/// The Cryptographic Message Syntax: signed, enveloped, encrypted, digested and authenticated data.
#[cfg(feature = "cms")]
pub mod cms;
/// AES-CCM and AES-GCM for content.
#[cfg(feature = "cms")]
pub mod cms_aead;
/// AES in CBC mode for content, and AES key wrap.
#[cfg(feature = "cms")]
pub mod cms_aes;
/// The algorithms of CMS, as sets that CryptographicMessageSyntax-2010 takes, and those of 2001 by themselves.
#[cfg(feature = "cms")]
pub mod cms_algorithms;
/// Authenticated-enveloped data: content encrypted and authenticated in one operation.
#[cfg(feature = "cms")]
pub mod cms_auth_enveloped;
/// Several contents in one, and contents with attributes.
#[cfg(feature = "cms")]
pub mod cms_collection;
/// Compressed data.
#[cfg(feature = "cms")]
pub mod cms_compressed;
/// Elliptic curves for recipients of enveloped and authenticated data.
#[cfg(feature = "cms")]
pub mod cms_ecc;
/// Recipients with a key encapsulation key.
#[cfg(feature = "cms")]
pub mod cms_kem;
/// Signatures that reference each other, so that none can be removed unnoticed.
#[cfg(feature = "cms")]
pub mod cms_multiple;
/// A signed attribute that repeats the algorithms, so that they cannot be substituted.
#[cfg(feature = "cms")]
pub mod cms_protection;
/// The time of a signature as a number.
#[cfg(feature = "cms")]
pub mod cms_signing_time;
/// The Certificate Request Message Format.
#[cfg(feature = "cms")]
pub mod crmf;
/// Ed25519, Ed448, X25519 and X448 in certificates.
pub mod edwards;
/// Enhanced Security Services: receipts, labels, mailing lists, and the signing certificate.
#[cfg(feature = "cms")]
pub mod ess;
/// HMAC with SHA-2.
pub mod hmac;
/// ML-DSA signatures and keys in certificates, and private keys.
pub mod ml_dsa;
/// ML-KEM keys in certificates, and private keys.
pub mod ml_kem;
/// The Online Certificate Status Protocol.
#[cfg(feature = "ocsp")]
pub mod ocsp;
/// RSA private keys, and the input of PKCS \#1 signatures.
pub mod pkcs1;
/// PKCS \#12: keys and certificates in one file under a password.
#[cfg(feature = "pkcs12")]
pub mod pkcs12;
/// Password-based cryptography: PBKDF2, PBES1, PBES2, PBMAC1.
pub mod pkcs5;
/// Private keys, plain and encrypted; packages of them as CMS content.
#[cfg(feature = "cms")]
pub mod pkcs8;
/// Attributes of certification requests, private keys and PKCS \#12 bags.
pub mod pkcs9;
/// RSA with SHA-2, RSASSA-PSS and RSAES-OAEP, and the SHA-2 digests.
pub mod pss;
/// Manifests of the Resource Public Key Infrastructure: lists of the files that a certification authority has published.
#[cfg(feature = "cms")]
pub mod rpki_manifest;
/// Route origin authorizations of the RPKI: prefixes that an autonomous system may announce.
#[cfg(feature = "cms")]
pub mod rpki_roa;
/// scrypt as a key derivation function.
pub mod scrypt;
/// Private keys of elliptic curves.
pub mod sec1;
/// SLH-DSA signatures and keys.
pub mod slh_dsa;
/// SLH-DSA and HashSLH-DSA in certificates.
pub mod slh_dsa_x509;
/// S/MIME attributes: the sender's capabilities, and the key to use for replies.
#[cfg(feature = "cms")]
pub mod smime;
/// The Time-Stamp Protocol.
#[cfg(feature = "cms")]
pub mod tsp;
