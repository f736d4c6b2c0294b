//! Matches explicit elliptic curve parameters to named curves (SEC 1 §C.2).
//!
//! RFC 5480 §2.1.1 requires named curves, because a verifier that accepts arbitrary parameters can be tricked into
//! accepting forged signatures (CVE-2020-0601). Passport keys have explicit parameters (ICAO 9303-12, BSI TR-03110). If
//! [`NAMED_CURVE`](crate::profile::NAMED_CURVE) is allowed, such a key is accepted if all parameters are those of a
//! named curve.

use tagwise_codec::text::hex;
use tagwise_codec::{Any, BitStr, Fault, Int, OctetStr, Oid, Reader, Tag};

use crate::alg::AlgorithmIdentifier;
use crate::{oids, profile};

/// A curve over a prime field with cofactor 1. Its parameters are in hexadecimal.
struct Curve {
    oid: Oid<'static>,
    prime: &'static str,
    a: &'static str,
    b: &'static str,
    /// The seed from which the curve was generated, or empty if it has none.
    seed: &'static str,
    x: &'static str,
    y: &'static str,
    order: &'static str,
}

/// The known curves (SEC 2 §2, RFC 5639 §3).
#[rustfmt::skip]
const CURVES: &[Curve] = &[
    Curve { oid: oids::SECP224R1, prime: "ffffffffffffffffffffffffffffffff000000000000000000000001", a: "fffffffffffffffffffffffffffffffefffffffffffffffffffffffe", b: "b4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4", seed: "bd71344799d5c7fcdc45b59fa3b9ab8f6a948bc5", x: "b70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21", y: "bd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34", order: "ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d" },
    Curve { oid: oids::SECP256R1, prime: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", a: "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc", b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", seed: "c49d360886e704936a6678e1139d26b7819f7e90", x: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", y: "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5", order: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551" },
    Curve { oid: oids::SECP384R1, prime: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff", a: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000fffffffc", b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef", seed: "a335926aa319a27a1d00896a6773a4827acdac73", x: "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7", y: "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f", order: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973" },
    Curve { oid: oids::SECP521R1, prime: "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", a: "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc", b: "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00", seed: "d09e8800291cb85396cc6717393284aaa0da64ba", x: "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66", y: "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650", order: "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409" },
    Curve { oid: oids::SECP256K1, prime: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", a: "0000000000000000000000000000000000000000000000000000000000000000", b: "0000000000000000000000000000000000000000000000000000000000000007", seed: "", x: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", y: "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", order: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141" },
    Curve { oid: oids::BRAINPOOL_P224R1, prime: "d7c134aa264366862a18302575d1d787b09f075797da89f57ec8c0ff", a: "68a5e62ca9ce6c1c299803a6c1530b514e182ad8b0042a59cad29f43", b: "2580f63ccfe44138870713b1a92369e33e2135d266dbb372386c400b", seed: "", x: "0d9029ad2c7e5cf4340823b2a87dc68c9e4ce3174c1e6efdee12c07d", y: "58aa56f772c0726f24c6b89e4ecdac24354b9e99caa3f6d3761402cd", order: "d7c134aa264366862a18302575d0fb98d116bc4b6ddebca3a5a7939f" },
    Curve { oid: oids::BRAINPOOL_P256R1, prime: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377", a: "7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9", b: "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6", seed: "", x: "8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262", y: "547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997", order: "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7" },
    Curve { oid: oids::BRAINPOOL_P320R1, prime: "d35e472036bc4fb7e13c785ed201e065f98fcfa6f6f40def4f92b9ec7893ec28fcd412b1f1b32e27", a: "3ee30b568fbab0f883ccebd46d3f3bb8a2a73513f5eb79da66190eb085ffa9f492f375a97d860eb4", b: "520883949dfdbc42d3ad198640688a6fe13f41349554b49acc31dccd884539816f5eb4ac8fb1f1a6", seed: "", x: "43bd7e9afb53d8b85289bcc48ee5bfe6f20137d10a087eb6e7871e2a10a599c710af8d0d39e20611", y: "14fdd05545ec1cc8ab4093247f77275e0743ffed117182eaa9c77877aaac6ac7d35245d1692e8ee1", order: "d35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311" },
    Curve { oid: oids::BRAINPOOL_P384R1, prime: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53", a: "7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826", b: "04a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11", seed: "", x: "1d1c64f068cf45ffa2a63a81b7c13f6b8847a3e77ef14fe3db7fcafe0cbd10e8e826e03436d646aaef87b2e247d4af1e", y: "8abe1d7520f9c2a45cb1eb8e95cfd55262b70b29feec5864e19c054ff99129280e4646217791811142820341263c5315", order: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565" },
    Curve { oid: oids::BRAINPOOL_P512R1, prime: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3", a: "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca", b: "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723", seed: "", x: "81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098eff3b1f78e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822", y: "7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111b2dcde494a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892", order: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069" },
];

/// Explicit curve parameters.
struct Explicit<'a> {
    prime: Int<'a>,
    a: OctetStr<'a>,
    b: OctetStr<'a>,
    seed: Option<BitStr<'a>>,
    base: OctetStr<'a>,
    order: Int<'a>,
    cofactor: Option<Int<'a>>,
}

impl<'a> AlgorithmIdentifier<'a> {
    /// Returns the curve of an elliptic curve key. Explicit parameters are resolved to a curve only if
    /// [`NAMED_CURVE`](profile::NAMED_CURVE) was allowed while reading, and all of them match a known curve.
    ///
    /// ```
    /// use tagwise_codec::{Any, Decode, encode};
    /// use tagwise_x509::{AlgorithmIdentifier, oids};
    /// let curve = encode(&oids::SECP256R1)?;
    /// let algorithm = AlgorithmIdentifier { algorithm: oids::EC_PUBLIC_KEY, parameters: Some(Any::from_der(&curve)?) };
    /// assert_eq!(algorithm.curve(), Some(oids::SECP256R1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn curve(&self) -> Option<Oid<'a>> {
        let parameters = self.parameters?;
        match parameters.tag() {
            Tag::SEQUENCE if parameters.tolerates(&profile::NAMED_CURVE) => named(&parameters),
            _ => parameters.decode_as().ok(),
        }
    }
}

/// Returns the known curve that has these explicit parameters.
fn named(parameters: &Any<'_>) -> Option<Oid<'static>> {
    let explicit = Explicit::read(parameters.as_bytes()).ok()??;
    CURVES.iter().find(|curve| explicit.is(curve)).map(|curve| curve.oid)
}

impl<'a> Explicit<'a> {
    /// ```asn1
    /// SpecifiedECDomain ::= SEQUENCE {
    ///     version SpecifiedECDomainVersion(ecdpVer1 | ecdpVer2 | ecdpVer3, ...),
    ///     fieldID FieldID {{FieldTypes}},
    ///     curve Curve,
    ///     base ECPoint,
    ///     order INTEGER,
    ///     cofactor INTEGER OPTIONAL,
    ///     hash HashAlgorithm OPTIONAL,
    ///     ...
    /// }
    /// ```
    ///
    /// Decodes explicit parameters (SEC 1 §C.2). Returns `None` for fields other than prime fields.
    fn read(octets: &'a [u8]) -> Result<Option<Self>, Fault> {
        let mut reader = Reader::new(octets)?;
        let read = reader.element(Tag::SEQUENCE, |reader| {
            let version: u8 = reader.read()?;
            let prime = reader.element(Tag::SEQUENCE, |field| {
                let kind: Oid<'a> = field.read()?;
                let value: Any<'a> = field.read()?;
                Ok((kind == oids::PRIME_FIELD).then_some(value))
            })?;
            let (a, b, seed) =
                reader.element(Tag::SEQUENCE, |curve| Ok((curve.read()?, curve.read()?, curve.read_optional()?)))?;
            let (base, order, cofactor) = (reader.read()?, reader.read()?, reader.read_optional()?);
            let prime = prime.and_then(|prime| prime.decode_as::<Int<'a>>().ok());
            let prime = prime.filter(|_| (1..=3).contains(&version));
            Ok(prime.map(|prime| Self { prime, a, b, seed, base, order, cofactor }))
        })?;
        reader.finish()?;
        Ok(read)
    }

    fn is(&self, curve: &Curve) -> bool {
        let number = |int: Int<'_>, wanted: &str| !int.is_negative() && is(int.magnitude(), wanted);
        let seed = self.seed.is_none_or(|seed| seed.octets().is_some_and(|octets| hex::encode(octets) == curve.seed));
        let base = match self.base.as_bytes() {
            [4, both @ ..] if both.len().is_multiple_of(2) => {
                let (x, y) = both.split_at_checked(both.len() / 2).unwrap_or_default();
                is(x, curve.x) && is(y, curve.y)
            }
            // SEC 1 §2.3.3: the last bit of y.
            [form @ (2 | 3), x @ ..] => {
                let odd = curve.y.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']);
                is(x, curve.x) && (*form == 3) == odd
            }
            _ => false,
        };
        number(self.prime, curve.prime)
            && is(self.a.as_bytes(), curve.a)
            && is(self.b.as_bytes(), curve.b)
            && seed
            && base
            && number(self.order, curve.order)
            && self.cofactor.is_none_or(|cofactor| cofactor.as_bytes() == [1])
    }
}

/// Returns whether big-endian bytes equal a hexadecimal number, ignoring the leading zeros of both.
fn is(octets: &[u8], number: &str) -> bool {
    hex::encode(octets).trim_start_matches('0') == number.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Options, encode};

    use super::*;
    use crate::fixture::element;

    fn octets(text: &str) -> Vec<u8> {
        hex::decode(text.as_bytes()).unwrap()
    }

    fn int(text: &str) -> Vec<u8> {
        let mut number = octets(text);
        if number[0] & 0x80 != 0 {
            number.insert(0, 0);
        }
        element(0x02, &[&number])
    }

    /// Returns the parts of a curve's parameters, each an element.
    fn parts(curve: &Curve) -> Vec<Vec<u8>> {
        let field = element(0x30, &[&encode(&oids::PRIME_FIELD).unwrap(), &int(curve.prime)]);
        let mut equation = vec![element(0x04, &[&octets(curve.a)]), element(0x04, &[&octets(curve.b)])];
        if !curve.seed.is_empty() {
            equation.push(element(0x03, &[&[0], &octets(curve.seed)]));
        }
        let equation: Vec<&[u8]> = equation.iter().map(Vec::as_slice).collect();
        let base = element(0x04, &[&[4], &octets(curve.x), &octets(curve.y)]);
        vec![
            b"\x02\x01\x01".to_vec(),
            field,
            element(0x30, &equation),
            base,
            int(curve.order),
            b"\x02\x01\x01".to_vec(),
        ]
    }

    fn read(parts: &[Vec<u8>], options: &Options<'_>) -> Option<Oid<'static>> {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let der = element(0x30, &[&encode(&oids::EC_PUBLIC_KEY).unwrap(), &element(0x30, &parts)]);
        let der: &'static [u8] = Box::leak(der.into_boxed_slice());
        options.decode::<AlgorithmIdentifier<'_>>(der).unwrap().value.curve()
    }

    #[test]
    fn a_curve_that_is_written_out_is_known_where_that_is_allowed() {
        let allowed = Options::der().allow(&profile::NAMED_CURVE);
        for curve in CURVES {
            let mut all = parts(curve);
            assert_eq!(read(&all, &allowed), Some(curve.oid));
            assert_eq!(read(&all, &Options::der()), None);
            // A compressed generator, and no cofactor.
            let odd = u8::from_str_radix(&curve.y[curve.y.len() - 1..], 16).unwrap() & 1;
            all[3] = element(0x04, &[&[2 + odd], &octets(curve.x)]);
            assert_eq!(read(&all[..5], &allowed), Some(curve.oid));
            all[3] = element(0x04, &[&[3 - odd], &octets(curve.x)]);
            assert_eq!(read(&all[..5], &allowed), None);
        }
    }

    /// CVE-2020-0601: another generator for which the private key is known.
    #[test]
    fn one_other_parameter_is_another_curve() {
        let allowed = Options::der().allow(&profile::NAMED_CURVE);
        for curve in CURVES {
            let all = parts(curve);
            for (index, part) in all.iter().enumerate() {
                let mut changed = all.clone();
                let last = part.len() - 1;
                changed[index][last] ^= 4;
                assert_eq!(read(&changed, &allowed), None, "part {index} of {}", curve.oid);
            }
        }
    }
}
