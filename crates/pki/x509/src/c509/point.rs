//! Elliptic curve point compression and decompression (SEC 1 §2.3).
//!
//! Public keys are not secret, so this is not constant-time.

use num_bigint::BigUint;

/// A curve y² = x³ + ax + b over a prime that is 3 modulo 4, so that a square root is a power.
struct Curve {
    p: &'static str,
    a: &'static str,
    b: &'static str,
}

/// Returns the curve with a public key registry value (§9.13).
fn curve(number: i128) -> Option<Curve> {
    Some(match number {
        1 => Curve {
            p: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
            a: "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
            b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
        },
        2 => Curve {
            p: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
            a: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000fffffffc",
            b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
        },
        3 => Curve {
            p: concat!(
                "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
            ),
            a: concat!(
                "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc"
            ),
            b: concat!(
                "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109",
                "e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00"
            ),
        },
        24 => Curve {
            p: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377",
            a: "7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9",
            b: "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6",
        },
        25 => Curve {
            p: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53",
            a: "7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826",
            b: "04a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11",
        },
        26 => Curve {
            p: concat!(
                "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871",
                "7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3"
            ),
            a: concat!(
                "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc",
                "2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca"
            ),
            b: concat!(
                "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a7",
                "2bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723"
            ),
        },
        28 => Curve {
            p: "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff",
            a: "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc",
            b: "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93",
        },
        _ => return None,
    })
}

/// Returns the length in bytes of a coordinate on the curve with this registry value.
pub(super) fn coordinate(number: i128) -> Option<usize> {
    curve(number).map(|curve| curve.p.len() / 2)
}

/// Returns the uncompressed point with the x-coordinate `x`. `odd` selects one of the two possible points.
pub(super) fn decompress(number: i128, odd: bool, x: &[u8]) -> Option<Vec<u8>> {
    let curve = curve(number)?;
    let len = curve.p.len() / 2;
    let parse = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 16);
    let (p, a, b) = (parse(curve.p)?, parse(curve.a)?, parse(curve.b)?);
    let value = BigUint::from_bytes_be(x);
    if x.len() != len || value >= p {
        return None;
    }
    let square = (&value * &value * &value + a * &value + b) % &p;
    let root = square.modpow(&((&p + 1u8) >> 2), &p);
    if &root * &root % &p != square {
        return None;
    }
    // Zero has no other root.
    let root = if root.bit(0) == odd { root } else { (&p - root) % &p };
    let octets = root.to_bytes_be();
    let mut point = vec![4];
    point.extend_from_slice(x);
    point.resize(point.len() + len.checked_sub(octets.len())?, 0);
    point.extend_from_slice(&octets);
    (point.len() == 2 * len + 1 && root.bit(0) == odd).then_some(point)
}
