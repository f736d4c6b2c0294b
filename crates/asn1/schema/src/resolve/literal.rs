//! Literals: numbers, bits, bytes, characters, times.

use crate::ast::{self, ValueKind};
use crate::diagnostic::Clause;
use crate::model::{Bits, Real, Shape, StringKind, TimeKind, TypeId, Value};
use crate::parse::{Failed, Parsed};
use crate::resolve::{Resolver, Scope};
use crate::source::Span;
use crate::{Int, IntError};

/// The maximum number of a named bit. A named bit requires memory for all bits before it.
const MAX_BITS: u32 = 1 << 16;

/// Parses the bits of `'…'B`.
pub(crate) fn bits(literal: &str) -> Bits {
    let mut bits = Bits::default();
    for bit in literal.bytes().filter(|octet| matches!(octet, b'0' | b'1')) {
        bits.push(bit == b'1');
    }
    bits
}

/// Parses the bits of `'…'H`.
pub(crate) fn nibbles(literal: &str) -> Bits {
    let mut bits = Bits::default();
    // The last character says which literal it is.
    let inside = literal.strip_suffix("'H").unwrap_or(literal);
    for digit in inside.chars().filter_map(|char| char.to_digit(16)) {
        for place in [8, 4, 2, 1] {
            bits.push(digit & place != 0);
        }
    }
    bits
}

impl Bits {
    pub(crate) fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.octets.push(0);
        }
        if let (true, Some(last)) = (bit, self.octets.last_mut()) {
            *last |= 0x80 >> (self.len % 8);
        }
        self.len += 1;
    }
}

/// Parses the characters of `"…"`. Doubled quotation marks become single ones, and white space around a line break is
/// dropped (§12.14).
pub(crate) fn text(literal: &str) -> String {
    let inside = literal.strip_prefix('"').unwrap_or(literal);
    let inside = inside.strip_suffix('"').unwrap_or(inside).replace("\"\"", "\"");
    if !inside.contains(['\n', '\r']) {
        return inside;
    }
    let lines: Vec<&str> = inside.split(['\n', '\r']).collect();
    let last = lines.len() - 1;
    let blank = |char: char| char == ' ' || char == '\t';
    let trimmed = lines.iter().enumerate().map(|(index, line)| {
        let line = if index > 0 { line.trim_start_matches(blank) } else { line };
        if index < last { line.trim_end_matches(blank) } else { line }
    });
    trimmed.collect()
}

impl Resolver<'_> {
    pub(crate) fn int(&mut self, text: &str, negative: bool, span: Span) -> Parsed<Int> {
        match text.parse::<Int>() {
            Ok(int) if negative && int.is_zero() => {
                self.fail(span, "number", "-0 is not an integer value".to_owned(), Clause::x680("19.9"))
            }
            Ok(int) => Ok(if negative { int.negated() } else { int }),
            Err(error @ IntError) => self.fail(span, "number", error.to_string(), Clause::NONE),
        }
    }

    /// Evaluates a REAL (§21): a number with or without a decimal point, `{mantissa, base, exponent}`, or a special
    /// value.
    pub(crate) fn real(&mut self, value: &ast::Value, scope: Scope) -> Parsed<Real> {
        let clause = Clause::x680("21.6");
        Ok(match &value.kind {
            ValueKind::Number { negative, text } | ValueKind::Real { negative, text } => {
                let Some(real) = decimal(text, *negative) else {
                    return self.fail(value.span, "number", IntError.to_string(), Clause::NONE);
                };
                real
            }
            ValueKind::PlusInfinity => Real::PlusInfinity,
            ValueKind::MinusInfinity => Real::MinusInfinity,
            ValueKind::NotANumber => Real::NotANumber,
            ValueKind::Braced(braced) => {
                let given = self.inside_whole(*braced, |parser| parser.named_values_inside())?;
                let [(mantissa, m), (base, b), (exponent, e)] = given.as_slice() else {
                    let message = "expected `{mantissa 1, base 2, exponent 0}`".to_owned();
                    return self.fail(value.span, "type", message, clause);
                };
                if (mantissa.text.as_str(), base.text.as_str(), exponent.text.as_str())
                    != ("mantissa", "base", "exponent")
                {
                    let message = "expected `{mantissa 1, base 2, exponent 0}`".to_owned();
                    return self.fail(value.span, "type", message, clause);
                }
                let mantissa = self.integer(m, scope, clause)?;
                let exponent = self.integer(e, scope, clause)?;
                let base = match self.integer(b, scope, clause)?.to_u32() {
                    Some(2) => 2,
                    Some(10) => 10,
                    _ => return self.fail(b.span, "range", "the base must be 2 or 10".to_owned(), clause),
                };
                Real::Number { mantissa, base, exponent }
            }
            _ => return self.fail(value.span, "type", "expected a value of REAL".to_owned(), clause),
        })
    }

    /// Evaluates `{bit, …}` for a BIT STRING with named bits (§22.9), or `{}`.
    pub(crate) fn bits_by_name(&mut self, braced: ast::Braced, base: TypeId) -> Parsed<Value> {
        let names = self.inside_whole(braced, |parser| parser.names_inside())?;
        let known = self.names_in(base);
        let mut places = Vec::new();
        for name in &names {
            let named = match self.model.ty(base).map(|ty| &ty.shape) {
                Some(Shape::BitString(named)) => named.as_slice(),
                _ => &[],
            };
            let Some(bit) = known.place(&name.text).and_then(|place| named.get(place)) else {
                let message = format!("the BIT STRING has no bit {}", name.text);
                return self.fail(name.span, "undefined", message, Clause::x680("22.9"));
            };
            match bit.number.to_u32() {
                Some(place) if place < MAX_BITS => places.push(place),
                _ => {
                    let message = format!("the bit number {} exceeds {MAX_BITS}", name.text);
                    return self.fail(name.span, "range", message, Clause::NONE);
                }
            }
        }
        let len = places.iter().max().map_or(0, |last| *last as usize + 1);
        let mut bits = Bits { octets: vec![0; len.div_ceil(8)], len };
        for place in places {
            if let Some(octet) = bits.octets.get_mut(place as usize / 8) {
                *octet |= 0x80 >> (place % 8);
            }
        }
        Ok(Value::BitString(bits))
    }

    /// Evaluates `{"abc", name, {0, 0, 3, 145}}` (§41.8): a sequence of strings, quadruples and tuples.
    pub(crate) fn characters(&mut self, braced: ast::Braced, scope: Scope, ty: TypeId) -> Parsed<String> {
        let clause = Clause::x680("41.8");
        let parts = self.inside_whole(braced, |parser| parser.values_inside())?;
        let numbers = |part: &ast::Value| match &part.kind {
            ValueKind::Number { negative: false, text } => text.parse::<u32>().ok(),
            _ => None,
        };
        let plain: Option<Vec<u32>> = parts.iter().map(numbers).collect();
        if let Some(numbers) = plain.filter(|numbers| !numbers.is_empty()) {
            return match character(&numbers) {
                Some(char) => Ok(char.to_string()),
                None => self.fail(
                    braced.span,
                    "range",
                    "no character at this position in the character table".to_owned(),
                    clause,
                ),
            };
        }
        let mut text = String::new();
        for part in &parts {
            match &part.kind {
                ValueKind::CString(literal) => text.push_str(&self::text(literal)),
                ValueKind::Braced(inner) => {
                    text.push_str(&self.deeper(part.span, |resolver| resolver.characters(*inner, scope, ty))?);
                }
                ValueKind::Reference(..) => match self.eval(part, scope, ty)? {
                    Value::String(more) => text.push_str(&more),
                    _ => return Err(Failed),
                },
                _ => return self.fail(part.span, "type", "expected characters".to_owned(), clause),
            }
        }
        Ok(text)
    }

    /// Checks that all characters belong to the string type.
    pub(crate) fn check_string(&mut self, text: &str, kind: StringKind, span: Span) -> Parsed<()> {
        let repertoire = repertoire(kind);
        match text.chars().find(|char| !repertoire.iter().any(|range| range.contains(&u32::from(*char)))) {
            None => Ok(()),
            Some(char) => {
                let message = format!("the string type does not allow the character {char:?}");
                self.fail(span, "range", message, Clause::x680("41.1"))
            }
        }
    }

    /// Checks the digits of a UTCTime or GeneralizedTime, or the text of any other time type.
    pub(crate) fn check_time(&mut self, text: &str, kind: TimeKind, span: Span) -> Parsed<()> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (fine, clause) = match kind {
            TimeKind::Utc => (matches!(digits, 10 | 12) && zone(text.get(digits..).unwrap_or_default(), true), "47.3"),
            TimeKind::Generalized => {
                let rest = text.get(digits..).unwrap_or_default();
                let fraction =
                    rest.trim_start_matches(|char: char| char == '.' || char == ',' || char.is_ascii_digit());
                (matches!(digits, 10 | 12 | 14) && zone(fraction, false), "46.3")
            }
            _ => (!text.is_empty() && text.is_ascii(), "38.3"),
        };
        if !fine {
            return self.fail(span, "type", "not a valid value of the time type".to_owned(), Clause::x680(clause));
        }
        if !super::clock::is_time(text, kind) {
            return self.fail(span, "range", "the date or time is out of range".to_owned(), Clause::x680(clause));
        }
        Ok(())
    }
}

/// Returns whether a text is a time zone: `Z`, `+0100`, or, unless `needed` is true, empty.
fn zone(text: &str, needed: bool) -> bool {
    let offset = text.strip_prefix(['+', '-']);
    (text.is_empty() && !needed)
        || text == "Z"
        || offset
            .is_some_and(|digits| matches!(digits.len(), 2 | 4) && digits.bytes().all(|octet| octet.is_ascii_digit()))
}

/// Returns the character at a position: column and row of ISO 646, or group, plane, row and cell of ISO/IEC 10646.
fn character(place: &[u32]) -> Option<char> {
    match *place {
        [column @ 0..=7, row @ 0..=15] => char::from_u32(column * 16 + row),
        [group @ 0..=127, plane @ 0..=255, row @ 0..=255, cell @ 0..=255] => {
            char::from_u32((group << 24) | (plane << 16) | (row << 8) | cell)
        }
        _ => None,
    }
}

/// Returns the characters of a string type, or all characters for types with registered character sets.
pub(crate) fn repertoire(kind: StringKind) -> Vec<std::ops::RangeInclusive<u32>> {
    let one = |char: char| u32::from(char)..=u32::from(char);
    match kind {
        StringKind::Numeric => vec![one(' '), 0x30..=0x39],
        StringKind::Printable => {
            vec![one(' '), 0x27..=0x29, 0x2B..=0x2F, 0x30..=0x3A, one('='), one('?'), 0x41..=0x5A, 0x61..=0x7A]
        }
        StringKind::Ia5 => vec![0..=0x7F],
        StringKind::Visible => vec![0x20..=0x7E],
        StringKind::Bmp => vec![0..=0xFFFF],
        _ => vec![0..=0x10_FFFF],
    }
}

/// Parses a number with a decimal point and an exponent, exactly.
fn decimal(text: &str, negative: bool) -> Option<Real> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let mantissa: Int = format!("{whole}{fraction}").parse().ok()?;
    if mantissa.is_zero() {
        return Some(if negative { Real::MinusZero } else { Real::Number { mantissa, base: 10, exponent: Int::ZERO } });
    }
    let exponent: Int = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    let exponent = exponent.to_i64()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let mantissa = if negative { mantissa.negated() } else { mantissa };
    Some(Real::Number { mantissa, base: 10, exponent: exponent.into() })
}
