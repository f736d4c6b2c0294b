//! Algorithm identifiers and public keys (RFC 5280 §4.1.1.2, §4.1.2.7).

use tagwise_codec::{Any, BitStr, Int, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// AlgorithmIdentifier  ::=  SEQUENCE  {
///      algorithm   OBJECT IDENTIFIER,
///      parameters  ANY DEFINED BY algorithm OPTIONAL  }
/// ```
///
/// RFC 5280 §4.1.1.2. The parameters are checked as far as that is possible without their type, and kept as they are. Of
/// algorithms whose standard says that they are absent or NULL, so they must be; those of RSASSA-PSS are read too. An outline
/// does not look.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(check = crate::parameters::check, rules(crate::profile::RSA_PARAMETERS, crate::profile::NO_PARAMETERS, crate::profile::PSS_PARAMETERS))]
pub struct AlgorithmIdentifier<'a> {
    /// The algorithm.
    pub algorithm: Oid<'a>,
    /// Its parameters; absent and NULL differ.
    pub parameters: Option<Any<'a>>,
}

/// ```asn1
/// SubjectPublicKeyInfo  ::=  SEQUENCE  {
///      algorithm            AlgorithmIdentifier,
///      subjectPublicKey     BIT STRING  }
/// ```
///
/// RFC 5280 §4.1.2.7. Reading checks the key's own encoding for RSA, DSA, elliptic curves and
/// the algorithms whose keys have one length (EdDSA, X25519, X448, ML-DSA, ML-KEM), and that an RSA key's numbers are possible
/// ones (RFC 8017 §3.1); an outline does not.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(
    check = crate::public_key::check,
    rules(crate::profile::PUBLIC_KEY, crate::profile::NAMED_CURVE, crate::profile::RSA_KEY)
)]
pub struct SubjectPublicKeyInfo<'a> {
    /// The algorithm the key is for.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The key, encoded as its algorithm says.
    pub subject_public_key: BitStr<'a>,
}

/// ```asn1
/// RSAPublicKey ::= SEQUENCE {
///     modulus           INTEGER,  -- n
///     publicExponent    INTEGER   -- e
/// }
/// ```
///
/// RFC 8017 §A.1.1.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "RSAPublicKey")]
pub struct RsaPublicKey<'a> {
    /// The modulus.
    pub modulus: Int<'a>,
    /// The public exponent.
    pub public_exponent: Int<'a>,
}
