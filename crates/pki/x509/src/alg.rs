//! Algorithm identifiers and public keys (RFC 5280 §4.1.1.2, §4.1.2.7).

use tagwise_codec::{Any, BitStr, Int, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// AlgorithmIdentifier  ::=  SEQUENCE  {
///      algorithm   OBJECT IDENTIFIER,
///      parameters  ANY DEFINED BY algorithm OPTIONAL  }
/// ```
///
/// An algorithm and its parameters (RFC 5280 §4.1.1.2). Decoding checks the structure of the parameters. It enforces absent
/// or NULL parameters for algorithms whose standard requires them, and decodes the parameters of RSASSA-PSS. Decoding only
/// the outline (the top-level structure) checks none of this.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = crate::parameters::check, rules(crate::profile::RSA_PARAMETERS, crate::profile::NO_PARAMETERS, crate::profile::PSS_PARAMETERS))]
pub struct AlgorithmIdentifier<'a> {
    /// The algorithm's identifier.
    pub algorithm: Oid<'a>,
    /// The algorithm's parameters. Absent and NULL are distinct.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// SubjectPublicKeyInfo  ::=  SEQUENCE  {
///      algorithm            AlgorithmIdentifier,
///      subjectPublicKey     BIT STRING  }
/// ```
///
/// A public key and its algorithm (RFC 5280 §4.1.2.7). Decoding checks the key's own encoding for RSA, DSA, elliptic curves
/// and algorithms with fixed-length keys (EdDSA, X25519, X448, ML-DSA, ML-KEM). It also checks that an RSA key's modulus and
/// exponent are possible (RFC 8017 §3.1). Decoding only the outline (the top-level structure) checks none of this.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(
    check = crate::public_key::check,
    rules(crate::profile::PUBLIC_KEY, crate::profile::NAMED_CURVE, crate::profile::RSA_KEY)
)]
pub struct SubjectPublicKeyInfo<'a> {
    /// The key's algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The key, encoded as its algorithm specifies.
    pub subject_public_key: BitStr<'a>,
}

/// ```asn1
/// RSAPublicKey ::= SEQUENCE {
///     modulus           INTEGER,  -- n
///     publicExponent    INTEGER   -- e
/// }
/// ```
///
/// An RSA public key (RFC 8017 §A.1.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "RSAPublicKey")]
pub struct RsaPublicKey<'a> {
    /// The modulus.
    pub modulus: Int<'a>,
    /// The public exponent.
    pub public_exponent: Int<'a>,
}
