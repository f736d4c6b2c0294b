//! Checks an algorithm's parameters: absent, NULL, or specific to the algorithm.
//!
//! Only algorithms for signing certificates and CRLs, and for certified keys, are checked, each against its standard. The
//! content of the parameters is checked only for RSASSA-PSS.

use tagwise_codec::{Any, Fault, Int, Reader, Rule, Tag};

use crate::alg::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use crate::profile::{NAMED_CURVE, NO_PARAMETERS, PSS_PARAMETERS, RSA_PARAMETERS};

/// The parameters that an algorithm allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Absent,
    Null,
    /// The parameters are NULL. Absent parameters must also be accepted.
    NullOrAbsent,
    /// The parameters are a SEQUENCE, or absent: a key may omit the parameters that its signatures require.
    SequenceOrAbsent,
    Anything,
}

impl Asked {
    /// Returns the parameters that an algorithm allows, given the content bytes of its identifier.
    #[inline]
    const fn of(algorithm: &[u8]) -> Self {
        match algorithm {
            // PKCS #1, 1.2.840.113549.1.1.
            [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, arc] => match arc {
                // rsaEncryption (RFC 3279 §2.3.1); with MD2, MD5, SHA-1 (§2.2.1).
                1 | 2 | 4 | 5 => Self::Null,
                // id-RSASSA-PSS (RFC 4055 §3.1).
                10 => Self::SequenceOrAbsent,
                // With SHA-2 (RFC 4055 §5): NULL, and implementations must accept that it is absent.
                11..=14 => Self::NullOrAbsent,
                _ => Self::Anything,
            },
            // ecdsa-with-SHA1, 1.2.840.10045.4.1 (RFC 3279 §2.2.3); with SHA-2, 1.2.840.10045.4.3 (RFC 5758 §3.2).
            [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1] | [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 1..=4] => Self::Absent,
            // id-dsa-with-sha1, 1.2.840.10040.4.3 (RFC 3279 §2.2.2).
            [0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3] => Self::Absent,
            // 2.16.840.1.101.3.4.3: DSA with SHA-224 and SHA-256 (RFC 5758 §3.1), ML-DSA (RFC 9881 §2), SLH-DSA (RFC 9909 §3).
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 1 | 2 | 17..=31] => Self::Absent,
            // ML-KEM, 2.16.840.1.101.3.4.4 (RFC 9935 §3).
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 1..=3] => Self::Absent,
            // X25519, X448, Ed25519, Ed448, 1.3.101.110 to 113 (RFC 8410 §3).
            [0x2B, 0x65, 110..=113] => Self::Absent,
            // 1.3.6.1.5.5.7.6: RSASSA-PSS and ECDSA with SHAKE (RFC 8692 §2), XMSS and XMSS^MT (RFC 9802 §3).
            [0x2B, 6, 1, 5, 5, 7, 6, 30..=35] => Self::Absent,
            // HSS/LMS, 1.2.840.113549.1.9.16.3.17 (RFC 9802 §3).
            [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 16, 3, 17] => Self::Absent,
            _ => Self::Anything,
        }
    }

    const fn rule(self) -> &'static Rule {
        match self {
            Self::Absent => &NO_PARAMETERS,
            _ => &RSA_PARAMETERS,
        }
    }

    fn fits(self, parameters: Option<&Any<'_>>) -> bool {
        match (self, parameters.map(Any::tag)) {
            (Self::Anything, _) | (Self::Absent | Self::NullOrAbsent | Self::SequenceOrAbsent, None) => true,
            (Self::Null | Self::NullOrAbsent, Some(tag)) => tag == Tag::NULL,
            (Self::SequenceOrAbsent, Some(tag)) => tag == Tag::SEQUENCE,
            (Self::Absent, Some(_)) | (Self::Null, None) => false,
        }
    }
}

/// Checks the parameters of an algorithm.
#[inline]
pub(crate) fn check(algorithm: &AlgorithmIdentifier<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    let asked = Asked::of(algorithm.algorithm.as_bytes());
    if !reader.is_deep() {
        return Ok(());
    }
    if !asked.fits(algorithm.parameters.as_ref()) {
        return reader.deviate_profile(asked.rule(), at);
    }
    match &algorithm.parameters {
        Some(parameters) if asked == Asked::SequenceOrAbsent => check_pss(parameters, reader),
        _ => Ok(()),
    }
}

/// Checks the parameters of RSASSA-PSS, which end at the reader's position.
///
/// DEFAULT values may be encoded, although DER omits them. RFC 4055 §3.1 requires verifiers to recognize both forms of
/// SHA-1, MGF1 with SHA-1 and the trailer field 1, and the same encoders also write the salt length 20. If the rule is
/// tolerated, any parameters are accepted here, and checked where they are used.
#[cold]
#[inline(never)]
fn check_pss(parameters: &Any<'_>, reader: &Reader<'_, '_>) -> Result<(), Fault> {
    let start = reader.position().saturating_sub(parameters.as_bytes().len());
    let read = || {
        let mut inside = reader.revisit(start, reader.position())?;
        inside.element(Tag::SEQUENCE, |inside| {
            let [hash, mask, salt, trailer] = [0, 1, 2, 3].map(|number| Tag::context(number).constructed());
            for tag in [hash, mask] {
                if inside.at(tag) {
                    inside.read_explicit::<AlgorithmIdentifier<'_>>(tag)?;
                }
            }
            for (tag, is_salt) in [(salt, true), (trailer, false)] {
                let at = inside.position();
                if inside.at(tag) {
                    let int = inside.read_explicit::<Int<'_>>(tag)?;
                    let fits = if is_salt { !int.is_negative() } else { int.as_bytes() == [1] };
                    if !fits {
                        inside.deviate_profile(&PSS_PARAMETERS, at)?;
                    }
                }
            }
            Ok(())
        })
    };
    match read() {
        Err(fault) if reader.deviate_profile(&PSS_PARAMETERS, start).is_err() => Err(fault),
        _ => Ok(()),
    }
}

/// Checks the parameters of an elliptic curve key. Only a named curve is allowed (RFC 5480 §2.1.1).
#[inline]
pub(crate) fn check_curve(info: &SubjectPublicKeyInfo<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    match info.algorithm.parameters {
        Some(curve) if curve.tag() == Tag::OBJECT_IDENTIFIER => Ok(()),
        _ => reader.deviate_profile(&NAMED_CURVE, at),
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{Decode, Options, encode};

    use super::*;

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, content.len() as u8], content].concat()
    }

    fn algorithm(dotted: &str, parameters: &[u8]) -> Vec<u8> {
        let oid = tagwise_codec::value::from_dotted(dotted).unwrap();
        element(0x30, &[element(0x06, &oid), parameters.to_vec()].concat())
    }

    /// What each algorithm takes of: nothing, NULL, a SEQUENCE, an OBJECT IDENTIFIER.
    #[test]
    fn what_algorithms_take() {
        const KINDS: [&[u8]; 4] = [&[], &[0x05, 0x00], &[0x30, 0x00], &[0x06, 0x01, 0x2A]];
        for (dotted, taken) in [
            ("1.2.840.113549.1.1.1", [false, true, false, false]),
            ("1.2.840.113549.1.1.2", [false, true, false, false]),
            ("1.2.840.113549.1.1.4", [false, true, false, false]),
            ("1.2.840.113549.1.1.5", [false, true, false, false]),
            ("1.2.840.113549.1.1.10", [true, false, true, false]),
            ("1.2.840.113549.1.1.11", [true, true, false, false]),
            ("1.2.840.113549.1.1.14", [true, true, false, false]),
            ("1.2.840.10045.4.1", [true, false, false, false]),
            ("1.2.840.10045.4.3.2", [true, false, false, false]),
            ("1.2.840.10040.4.3", [true, false, false, false]),
            ("2.16.840.1.101.3.4.3.2", [true, false, false, false]),
            ("2.16.840.1.101.3.4.3.17", [true, false, false, false]),
            ("2.16.840.1.101.3.4.3.31", [true, false, false, false]),
            ("2.16.840.1.101.3.4.4.3", [true, false, false, false]),
            ("1.3.101.110", [true, false, false, false]),
            ("1.3.101.113", [true, false, false, false]),
            ("1.3.6.1.5.5.7.6.30", [true, false, false, false]),
            ("1.3.6.1.5.5.7.6.35", [true, false, false, false]),
            ("1.2.840.113549.1.9.16.3.17", [true, false, false, false]),
            // Keys of these have parameters that are looked at with the key; of others nothing is known.
            ("1.2.840.10045.2.1", [true; 4]),
            ("1.2.840.10040.4.1", [true; 4]),
            ("2.16.840.1.101.3.4.2.1", [true; 4]),
            ("1.2.840.10045.4.3.5", [true; 4]),
            ("2.999", [true; 4]),
        ] {
            for (parameters, taken) in KINDS.into_iter().zip(taken) {
                let der = algorithm(dotted, parameters);
                let read = AlgorithmIdentifier::from_der(&der);
                assert_eq!(read.is_ok(), taken, "{dotted} {parameters:?}");
                if let Err(error) = read {
                    let rule = if dotted.starts_with("1.2.840.113549.1.1.") { &RSA_PARAMETERS } else { &NO_PARAMETERS };
                    assert_eq!((error.rule(), error.offset()), (Some(rule), 2));
                    let read = Options::der().allow(rule).decode::<AlgorithmIdentifier<'_>>(&der);
                    assert_eq!(encode(&read.unwrap().value).unwrap(), der);
                }
                assert!(AlgorithmIdentifier::outline(&der).is_ok());
            }
        }
    }

    /// `[0] SEQUENCE { sha1, NULL }`: the DEFAULT of `hashAlgorithm`.
    const SHA1: &[u8] = &[0xA0, 11, 0x30, 9, 6, 5, 0x2B, 0x0E, 3, 2, 0x1A, 5, 0];
    /// `[1] SEQUENCE { mgf1, SEQUENCE { sha1, NULL } }`: the DEFAULT of `maskGenAlgorithm`.
    const MGF1_SHA1: &[u8] = &[
        0xA1, 24, 0x30, 22, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 8, 0x30, 9, 6, 5, 0x2B, 0x0E, 3, 2, 0x1A,
        5, 0,
    ];

    /// RFC 4055 §3.1: what is DEFAULT may be encoded, the salt is not negative, the trailer field is 1.
    #[test]
    fn parameters_of_pss() {
        // id-sha256 with NULL, and MGF1 with it.
        let sha256 = element(0x30, b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00");
        let mgf1 = element(0x30, &[&b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x08"[..], &sha256].concat());
        let hash = element(0xA0, &sha256);
        let mask = element(0xA1, &mgf1);
        let salt = |content: &[u8]| element(0xA2, &element(0x02, content));
        let trailer = |content: &[u8]| element(0xA3, &element(0x02, content));
        let whole = |parts: &[&[u8]]| algorithm("1.2.840.113549.1.1.10", &element(0x30, &parts.concat()));
        for right in [
            whole(&[]),
            whole(&[&hash, &mask, &salt(&[32])]),
            whole(&[&salt(&[0])]),
            whole(&[&salt(&[0, 200])]),
            // Another value than the DEFAULT: no NULL.
            whole(&[b"\xA0\x09\x30\x07\x06\x05\x2B\x0E\x03\x02\x1A"]),
            // DEFAULT values, one by one and all of them.
            whole(&[SHA1]),
            whole(&[&hash, MGF1_SHA1]),
            whole(&[&hash, &mask, &salt(&[20])]),
            whole(&[&salt(&[32]), &trailer(&[1])]),
            whole(&[SHA1, MGF1_SHA1, &salt(&[20]), &trailer(&[1])]),
        ] {
            AlgorithmIdentifier::from_der(&right).unwrap();
        }
        // Code, and how far from the end what is wrong starts.
        for (wrong, code, from_end) in [
            (whole(&[&hash, &mask, &salt(&[0xFF])]), "pss-parameters", 5),
            (whole(&[&salt(&[32]), &trailer(&[0])]), "pss-parameters", 5),
            (whole(&[&salt(&[32]), &trailer(&[1, 1])]), "pss-parameters", 6),
            (whole(&[&trailer(&[2])]), "pss-parameters", 5),
            // What does not decode.
            (whole(&[&element(0xA2, &[5, 0])]), "unexpected-tag", 2),
            (whole(&[&salt(&[32]), &hash]), "trailing-data", hash.len()),
        ] {
            let error = AlgorithmIdentifier::from_der(&wrong).unwrap_err();
            assert_eq!((error.code(), wrong.len() - error.offset()), (code, from_end), "{wrong:X?}");
            let read = Options::der().allow(&PSS_PARAMETERS).decode::<AlgorithmIdentifier<'_>>(&wrong).unwrap();
            assert_eq!(encode(&read.value).unwrap(), wrong);
            assert!(read.deviations.iter().all(|deviation| deviation.rule == &PSS_PARAMETERS));
            assert!(AlgorithmIdentifier::outline(&wrong).is_ok());
        }
        // Both of two.
        let all = whole(&[&salt(&[0xFF]), &trailer(&[2])]);
        let read = Options::der().allow(&PSS_PARAMETERS).decode::<AlgorithmIdentifier<'_>>(&all).unwrap();
        assert_eq!(read.deviations.len(), 2);
    }

    /// RFC 5480 §2.1.1: a curve by its name.
    #[test]
    fn keys_name_their_curve() {
        for (parameters, taken) in [
            (&b"\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07"[..], true),
            (b"", false),
            (b"\x05\x00", false),
            // specifiedCurve
            (b"\x30\x03\x02\x01\x01", false),
        ] {
            let info =
                [algorithm("1.2.840.10045.2.1", parameters), element(0x03, &[[0, 4].as_slice(), &[7; 64]].concat())];
            let der = element(0x30, &info.concat());
            match SubjectPublicKeyInfo::from_der(&der) {
                Ok(_) => assert!(taken),
                Err(error) => {
                    assert!(!taken, "{error}");
                    assert_eq!((error.code(), error.path()), ("named-curve", ""));
                }
            }
        }
    }
}
