extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::hash::{BuildHasher, RandomState};

use super::*;
use crate::encode;
use crate::options::Options;
use crate::types::testing::{accepted, refused, tolerated};

/// A REAL with these content octets.
fn element(content: &[u8]) -> Vec<u8> {
    [&[0x09, content.len() as u8], content].concat()
}

/// Content octets that are DER, and the float they are or are nearest to.
#[track_caller]
fn canonical(content: &[u8], expected: f64) {
    let input = element(content);
    let real: Real<'_> = accepted(&input);
    assert_eq!(real.to_f64().to_bits(), expected.to_bits(), "{real}");
    assert_eq!(Real::from_content(content).unwrap(), real);
}

/// Content octets that are BER, at which position they are not DER, and what they are in DER.
#[track_caller]
fn loose(content: &[u8], at: usize, expected: &[u8]) {
    let input = element(content);
    let real: Real<'_> = tolerated(&input, &Rule::REAL_FORM, FaultKind::RealNotCanonical, at + 2);
    assert_eq!(encode(&real).unwrap(), element(expected), "{real}");
    let strict = Real::from_content(expected).unwrap();
    assert_eq!(real, strict);
    assert_eq!(real.to_f64().to_bits(), strict.to_f64().to_bits());
    let state = RandomState::new();
    assert_eq!(state.hash_one(real), state.hash_one(strict));
}

/// Content octets that no rule tolerates.
#[track_caller]
fn malformed(content: &[u8], at: usize) {
    let input = element(content);
    refused::<Real<'_>>(&input, FaultKind::RealFormat, at + 2);
    assert!(Options::der().allow(&Rule::REAL_FORM).decode::<Real<'_>>(&input).is_err());
}

#[test]
fn special_values() {
    canonical(&[], 0.0);
    canonical(&[0x40], f64::INFINITY);
    canonical(&[0x41], f64::NEG_INFINITY);
    canonical(&[0x42], f64::NAN);
    canonical(&[0x43], -0.0);
    malformed(&[0x44], 0);
    malformed(&[0x7F], 0);
    malformed(&[0x40, 0x00], 1);
    malformed(&[0x50, 0x00], 0);
    for (real, octet) in
        [(Real::INFINITY, 0x40), (Real::NEG_INFINITY, 0x41), (Real::NAN, 0x42), (Real::MINUS_ZERO, 0x43)]
    {
        assert_eq!(encode(&real).unwrap(), [0x09, 0x01, octet]);
        assert_eq!(Real::from_content(&[octet]).unwrap(), real);
    }
    assert_eq!(encode(&Real::ZERO).unwrap(), [0x09, 0x00]);
    assert_eq!(Real::from_f64(0.0), Real::default());
    assert_ne!(Real::MINUS_ZERO, Real::ZERO);
}

#[test]
fn binary_in_der() {
    canonical(&[0x80, 0x00, 0x01], 1.0);
    canonical(&[0xC0, 0x00, 0x01], -1.0);
    canonical(&[0x80, 0xFF, 0x05], 2.5);
    canonical(&[0x80, 0x7F, 0x03], 3.0 * 2f64.powi(127));
    canonical(&[0x81, 0x00, 0x80, 0x03], 3.0 * 2f64.powi(128));
    canonical(&[0x81, 0xFB, 0xCE, 0x01], f64::from_bits(1));
    canonical(&[0x81, 0x03, 0xCB, 0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], f64::MAX);
    // Exponents of three, four and twelve octets.
    canonical(&[0x82, 0x01, 0x00, 0x00, 0x01], f64::INFINITY);
    canonical(&[0xC2, 0xFE, 0xFF, 0xFF, 0x01], -0.0);
    canonical(&[0x83, 0x04, 0x01, 0x00, 0x00, 0x00, 0x01], f64::INFINITY);
    canonical(&[0xC3, 0x0C, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01], -0.0);
    canonical(&[0x83, 0x0C, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01], f64::INFINITY);
}

#[test]
fn binary_in_ber() {
    // Bases 8 and 16, and a scaling factor: 1 × 8^-1 × 2^1; 1 × 16^3 × 2^3.
    loose(&[0x94, 0xFF, 0x01], 0, &[0x80, 0xFE, 0x01]);
    loose(&[0xAC, 0x03, 0x01], 0, &[0x80, 0x0F, 0x01]);
    loose(&[0x84, 0x00, 0x01], 0, &[0x80, 0x01, 0x01]);
    // Even mantissas, with and without whole octets of zeros, and one that loses its first octet.
    loose(&[0x80, 0x00, 0x06], 2, &[0x80, 0x01, 0x03]);
    loose(&[0x80, 0x00, 0x01, 0x00, 0x00], 4, &[0x80, 0x10, 0x01]);
    loose(&[0xC0, 0x01, 0x05, 0x40, 0x00], 4, &[0xC0, 0x0F, 0x15]);
    loose(&[0x80, 0x00, 0x12, 0x34, 0x50], 4, &[0x80, 0x04, 0x01, 0x23, 0x45]);
    // A mantissa with leading zeros.
    loose(&[0x80, 0x00, 0x00, 0x00, 0x01], 2, &[0x80, 0x00, 0x01]);
    // Exponents that are longer than they need to be.
    loose(&[0x81, 0x00, 0x05, 0x01], 1, &[0x80, 0x05, 0x01]);
    loose(&[0x82, 0xFF, 0xFF, 0x80, 0x01], 1, &[0x80, 0x80, 0x01]);
    loose(&[0x83, 0x01, 0x05, 0x01], 1, &[0x80, 0x05, 0x01]);
    loose(&[0x83, 0x03, 0x01, 0x00, 0x00, 0x01], 1, &[0x82, 0x01, 0x00, 0x00, 0x01]);
    // The exponent grows by an octet: 2 × 2^127; and into a length of its own: 1 × 16^(2^23 - 1).
    loose(&[0x80, 0x7F, 0x02], 2, &[0x81, 0x00, 0x80, 0x01]);
    loose(&[0xA2, 0x7F, 0xFF, 0xFF, 0x01], 0, &[0x83, 0x04, 0x01, 0xFF, 0xFF, 0xFC, 0x01]);
}

#[test]
fn binary_that_is_neither() {
    malformed(&[0x80], 1);
    malformed(&[0x80, 0x00], 2);
    malformed(&[0x81, 0x01], 2);
    malformed(&[0x81, 0x01, 0x00], 3);
    malformed(&[0x83], 1);
    malformed(&[0x83, 0x00, 0x01], 1);
    malformed(&[0x83, 0x04, 0x01, 0x02], 4);
    // The first nine bits of an exponent with a length are not all the same.
    malformed(&[0x83, 0x04, 0x00, 0x7F, 0x00, 0x00, 0x01], 2);
    malformed(&[0x83, 0x02, 0xFF, 0x80, 0x01], 2);
    // Base 11 is reserved.
    malformed(&[0xB0, 0x00, 0x01], 0);
    // Zero has no content octets.
    malformed(&[0x80, 0x00, 0x00], 2);
    malformed(&[0x80, 0x05, 0x00, 0x00], 2);
}

#[test]
fn binary_with_an_exponent_beyond_62_bits() {
    // As DER it is kept as it is; as BER it is read but not written.
    let huge = [0x83, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x01];
    let real = accepted::<Real<'_>>(&element(&huge)).to_string();
    assert_eq!(real, "0x1phuge");
    assert_eq!(Real::from_content(&huge).unwrap(), Real::from_content(&huge).unwrap());
    let even = element(&[0x83, 0x09, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0, 0x06]);
    let real: Real<'_> = tolerated(&even, &Rule::REAL_FORM, FaultKind::RealNotCanonical, 13);
    assert_eq!(encode(&real).unwrap_err().kind(), FaultKind::NotEncodable);
    assert_eq!((real.to_f64(), real), (0.0, real));
}

#[test]
fn decimal_in_der() {
    canonical(b"\x031.E+0", 1.0);
    canonical(b"\x03-1.E+0", -1.0);
    canonical(b"\x0315.E-1", 1.5);
    canonical(b"\x031.E3", 1000.0);
    canonical(b"\x03101.E10", 101e10);
    canonical(b"\x031.E-400", 0.0);
    canonical(b"\x03-1.E400", f64::NEG_INFINITY);
    canonical(b"\x031.E99999999999999999999999999999999999999999999", f64::INFINITY);
    canonical(b"\x03-1.E-99999999999999999999999999999999999999999999", -0.0);
    assert!(Real::from_content(b"\x031.E-1").unwrap().is_decimal());
    assert!(!Real::from_f64(0.1).is_decimal());
    // The same number, but not the same value.
    assert_ne!(Real::from_content(b"\x031.E+0").unwrap(), Real::from_f64(1.0));
}

#[test]
fn decimal_in_ber() {
    // NR1, NR2, NR3 with all that ISO 6093 allows.
    loose(b"\x0115", 0, b"\x0315.E+0");
    loose(b"\x01  +00120", 0, b"\x0312.E1");
    loose(b"\x01-7", 0, b"\x03-7.E+0");
    loose(b"\x021.5", 0, b"\x0315.E-1");
    loose(b"\x02-.50", 0, b"\x03-5.E-1");
    loose(b"\x02 0,00120", 0, b"\x0312.E-4");
    loose(b"\x02100.", 0, b"\x031.E2");
    loose(b"\x03 1.E+0", 1, b"\x031.E+0");
    loose(b"\x03+1.E+0", 1, b"\x031.E+0");
    loose(b"\x0301.E+0", 1, b"\x031.E+0");
    loose(b"\x03-01.E+0", 2, b"\x03-1.E+0");
    loose(b"\x0310.E+0", 2, b"\x031.E1");
    loose(b"\x03.5E+0", 1, b"\x035.E-1");
    loose(b"\x031.5E+0", 3, b"\x0315.E-1");
    loose(b"\x031.0E+0", 3, b"\x031.E+0");
    loose(b"\x031,E+0", 2, b"\x031.E+0");
    loose(b"\x0312E+0", 3, b"\x0312.E+0");
    loose(b"\x031.e+0", 3, b"\x031.E+0");
    loose(b"\x031.E0", 4, b"\x031.E+0");
    loose(b"\x031.E-0", 5, b"\x031.E+0");
    loose(b"\x031.E+1", 4, b"\x031.E1");
    loose(b"\x031.E01", 4, b"\x031.E1");
    loose(b"\x031.E-01", 5, b"\x031.E-1");
    loose(b"\x031.E+00", 4, b"\x031.E+0");
    loose(b"\x03100.001E-3", 3, b"\x03100001.E-6");
    loose(b"\x03000.00100E4611686018427387900", 1, b"\x031.E4611686018427387897");
}

#[test]
fn decimal_that_is_neither() {
    malformed(b"\x00", 0);
    malformed(b"\x041", 0);
    malformed(b"\x3F1", 0);
    malformed(b"\x01", 1);
    malformed(b"\x01 ", 2);
    malformed(b"\x01-", 2);
    malformed(b"\x011.", 2);
    malformed(b"\x01+-1", 2);
    malformed(b"\x011 ", 2);
    malformed(b"\x0212", 3);
    malformed(b"\x02.", 2);
    malformed(b"\x021.2.3", 4);
    malformed(b"\x021.E+0", 3);
    malformed(b"\x031.", 3);
    malformed(b"\x031.E", 4);
    malformed(b"\x031.E+", 5);
    malformed(b"\x031.E+-1", 5);
    malformed(b"\x031.E1.", 5);
    malformed(b"\x03.E1", 2);
    malformed(b"\x03E1", 1);
    malformed(b"\x03\xB11.E1", 1);
    malformed(b"\x03NaN", 1);
    // Zero has no content octets, and minus zero is no number.
    malformed(b"\x010", 1);
    malformed(b"\x030.E+0", 1);
    malformed(b"\x03-0.0E5", 2);
}

#[test]
fn decimal_with_an_exponent_beyond_62_bits() {
    let input = element(b"\x0310.E4611686018427387903");
    let real: Real<'_> = tolerated(&input, &Rule::REAL_FORM, FaultKind::RealNotCanonical, 4);
    assert_eq!(encode(&real).unwrap_err().kind(), FaultKind::NotEncodable);
    assert_eq!((real.to_f64(), real.to_string().as_str()), (f64::INFINITY, "1Ehuge"));
}

#[test]
fn decimal_rounds_correctly() {
    // Half-way between 1 and the next float, exactly, and with a digit after 900 zeros.
    let half = "100000000000000011102230246251565404236316680908203125";
    let exponent = 1 - half.len() as i64;
    canonical(format!("\x03{half}.E{exponent}").as_bytes(), 1.0);
    let more = format!("\x03{half}{}1.E{}", "0".repeat(900), exponent - 901);
    assert_eq!(Real::from_content(more.as_bytes()).unwrap().to_f64(), 1.0 + f64::EPSILON);
    let whole = format!("\x031{}1.E-2000", "0".repeat(1999));
    assert_eq!(Real::from_content(whole.as_bytes()).unwrap().to_f64(), 1.0);
}

#[test]
fn floats_survive() {
    let some = [1.0, -1.0, 0.1, 1e300, -1e-300, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, f64::from_bits(1), 6.02e23];
    let more = (0..2000u64).map(|n| f64::from_bits(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ n << 52));
    for float in some.into_iter().chain(more).filter(|float| !float.is_nan()) {
        let octets = encode(&Real::from_f64(float)).unwrap();
        let read: Real<'_> = accepted(&octets);
        assert_eq!(read.to_f64().to_bits(), float.to_bits(), "{float:e}");
        assert_eq!(read, Real::from_f64(float));
    }
}

#[test]
fn binary_rounds_correctly() {
    let check = |mantissa: u128, exponent: i16, expected: f64| {
        let content = [&[0x81][..], &exponent.to_be_bytes(), &mantissa.to_be_bytes()].concat();
        let Ok((content::RealValue::Binary(binary), _)) = content::parse(&content) else { panic!() };
        let (found, exact) = binary.to_f64();
        assert_eq!(found.to_bits(), expected.to_bits(), "{mantissa:X} × 2^{exponent}");
        assert_eq!(exact, found != 0.0 && found.is_finite() && exactly(found, mantissa, exponent));
    };
    // Conversion from integers and multiplication by powers of two each round once, correctly.
    for n in 1..3000u128 {
        let wide = n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) | 1 << 64;
        check(wide, 0, wide as f64);
        check(wide, -900, wide as f64 * 2f64.powi(-900));
        let short = (wide >> 76) | 1;
        check(short, -1074 - (n % 60) as i16, short as f64 * 2f64.powi(-1000) * 2f64.powi(-74 - (n % 60) as i32));
        check(short, 960 + (n % 70) as i16, short as f64 * 2f64.powi(900) * 2f64.powi(60 + (n % 70) as i32));
    }
    // Ties to even, and what follows the 128 bits that are looked at.
    check((1 << 53) + 1, 0, 2f64.powi(53));
    check((1 << 53) + 3, 0, 2f64.powi(53) + 4.0);
    check(1, -1075, 0.0);
    check(3, -1075, f64::from_bits(2));
    check(3, -1076, f64::from_bits(1));
    check(u128::MAX, -1074 - 127, f64::from_bits(2));
    check(u128::MAX, 1024 - 128, f64::INFINITY);
    let mut tie = Vec::from([0x80, 0x00, 0x80, 0, 0, 0, 0, 0, 0x04, 0x00]);
    tie.extend([0; 200]);
    tie.push(1);
    let Ok((content::RealValue::Binary(binary), None)) = content::parse(&tie) else { panic!() };
    let Ok((content::RealValue::Binary(even), _)) = content::parse(&tie[..10]) else { panic!() };
    assert_eq!(even.to_f64(), (2f64.powi(63), false));
    assert_eq!(binary.to_f64(), (f64::INFINITY, false));
    tie[..2].copy_from_slice(&[0x81, 0xFA]);
    tie.insert(2, 0x00);
    let Ok((content::RealValue::Binary(binary), None)) = content::parse(&tie) else { panic!() };
    let above = f64::from_bits(2f64.powi(63).to_bits() + 1) * 2f64.powi(201 * 8 - 0x600);
    assert_eq!(binary.to_f64(), (above, false));
}

/// Whether `float` is `mantissa × 2^exponent`.
fn exactly(float: f64, mantissa: u128, exponent: i16) -> bool {
    let (bits, power) = binary::split(float);
    let (zeros, own) = (bits.trailing_zeros(), mantissa.trailing_zeros());
    u128::from(bits >> zeros) == mantissa >> own && power + i128::from(zeros) == i128::from(exponent) + i128::from(own)
}

#[test]
fn display() {
    let shown = |content: &[u8]| Real::from_content(content).unwrap().to_string();
    assert_eq!(shown(&[]), "0");
    assert_eq!(shown(&[0x43]), "-0");
    assert_eq!(shown(&[0x41]), "MINUS-INFINITY");
    assert_eq!(shown(&[0x42]), "NOT-A-NUMBER");
    assert_eq!(shown(&[0x80, 0xFF, 0x05]), "2.5");
    assert_eq!(shown(&[0xC2, 0xFE, 0xFF, 0xFF, 0x01, 0x01]), "-0x101p-65537");
    assert_eq!(shown(b"\x03-15.E-1"), "-15E-1");
    assert_eq!(shown(b"\x0315.E+0"), "15");
    assert_eq!(format!("{:?}", Real::from_f64(1e300)), "Real(1e300)");
}

/// Exact order, whatever the bases, where the nearest floats are the same or there are none.
#[test]
fn order() {
    use core::cmp::Ordering::{Equal, Greater, Less};
    fn compare(one: &[u8], other: &[u8]) -> Compared {
        let parse = |octets| content::parse(octets).unwrap_or_else(|_| panic!("{octets:02X?}")).0;
        super::order::compare(&parse(one), &parse(other))
    }
    let is = |one: &[u8], order: core::cmp::Ordering, other: &[u8]| {
        assert_eq!(compare(one, other), Compared::Ordered(order), "{one:02X?} {other:02X?}");
        assert_eq!(compare(other, one), Compared::Ordered(order.reverse()), "{other:02X?} {one:02X?}");
    };
    let (half, three_halves): (&[u8], &[u8]) = (&[0x80, 0xFF, 1], &[0x80, 0xFF, 3]);
    is(half, Less, three_halves);
    is(half, Equal, b"\x035.E-1");
    is(three_halves, Equal, b"\x0315.E-1");
    is(three_halves, Less, b"\x0315000000000000000000000000000000001.E-34");
    is(three_halves, Greater, b"\x03149999999999999999999999999999999999.E-35");
    // 2^53 and 2^53 + 1, of which the first is the nearest float.
    let (even, odd): (&[u8], &[u8]) = (&[0x80, 53, 1], &[0x80, 0, 0x20, 0, 0, 0, 0, 0, 1]);
    is(even, Less, odd);
    is(odd, Equal, b"\x039007199254740993.E+0");
    is(even, Less, b"\x039007199254740993.E+0");
    // Signs, zeros and infinities.
    is(&[0xC0, 53, 1], Greater, &[0xC0, 0, 0x20, 0, 0, 0, 0, 0, 1]);
    is(b"\x03-1.E+0", Less, &[]);
    is(&[], Equal, &[0x43]);
    is(&[], Less, &[0x80, 0x80, 1]);
    is(&[0x40], Greater, b"\x031.E999999999");
    is(&[0x41], Less, b"\x03-1.E999999999");
    is(&[0x40], Equal, &[0x40]);
    assert_eq!(compare(&[0x42], &[]), Compared::Unordered);
    // Mantissas of other lengths that begin alike.
    is(&[0x80, 0, 1], Less, &[0x80, 0xF8, 1, 1]);
    is(&[0x80, 0, 3], Greater, &[0x80, 0xF8, 2, 0xFF]);
    is(b"\x0312.E-1", Less, b"\x03121.E-2");
    // 10^-400 and 2^-1329 lie below all floats; 10^-400 is the larger one: 2^-1328.77.
    is(b"\x031.E-400", Greater, &[0x81, 0xFA, 0xCF, 1]);
    is(b"\x031.E-400", Less, &[0x81, 0xFA, 0xD0, 1]);
    is(b"\x031.E400", Less, &[0x81, 0x05, 0x31, 1]);
    is(b"\x031.E400", Greater, &[0x81, 0x05, 0x30, 1]);
    // Numbers too large to be multiplied out are compared by their magnitude. If that does not decide, the result is unknown: 10^99999 is
    // near 2^332189.
    is(b"\x031.E99999", Less, &[0x82, 0x05, 0x11, 0xA5, 1]);
    assert_eq!(compare(&[0x82, 0x05, 0x11, 0x9D, 1], b"\x031.E99999"), Compared::Unknown);
    // Exponents beyond 62 bits are on their side of everything, and not told apart.
    let huge: &[u8] = &[0x83, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    is(huge, Greater, b"\x031.E999999999");
    is(&[0x83, 9, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0, 1], Less, b"\x031.E-999999999");
    assert_eq!(compare(huge, huge), Compared::Unknown);
    // Against floats, which are exact, with what is next to them.
    for step in 1..2000u64 {
        let random = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let float = f64::from_bits((0x380 + (random >> 56)) << 52 | (random & ((1 << 52) - 1)));
        let (mantissa, exponent) = binary::split(float);
        let binary = [&[0x81][..], &i16::try_from(exponent).unwrap().to_be_bytes(), &mantissa.to_be_bytes()].concat();
        // The shortest decimal number that is nearest to the float is mostly not the float.
        let text = format!("{float:e}").to_uppercase();
        let decimal = format!("\x03{text}");
        let exact = format!("{float:.1100}").parse::<f64>().unwrap() == float;
        assert!(exact);
        let full = format!("{float:.1100}");
        let expected = {
            // Both as digits around the decimal mark.
            let shortest = written_out(&text);
            let (one, other) = (padded(&full), padded(&shortest));
            one.cmp(&other)
        };
        is(&binary, expected, decimal.as_bytes());
    }
}

/// A number such as 1.5E-7 without an exponent.
fn written_out(text: &str) -> String {
    let (digits, exponent) = text.split_once('E').unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let mark = whole.len() as i32 + exponent;
    if mark <= 0 {
        return format!("0.{}{all}", "0".repeat(mark.unsigned_abs() as usize));
    }
    let mark = mark as usize;
    let all = format!("{all:0<mark$}");
    format!("{}.{}", &all[..mark], &all[mark..])
}

/// With 400 digits before the decimal mark and 1200 behind it.
fn padded(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole:0>400}{fraction:0<1200}")
}
