//! The texts of values without components.

use tagwise_codec::value::{Scaled, binary_from_decimal, binary_to_decimal, decimal, real_from_decimal};
use tagwise_codec::{EncodeValue, Real, Writer};

/// The names of the elements for control characters, from U+0000 on (X.680 §12.15.5). Empty for characters that XML
/// allows.
pub(crate) const CONTROLS: [&str; 32] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "", "", "vt", "ff", "", "so", "si", "dle", "dc1",
    "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1",
];

/// Returns the control character of an element.
pub(crate) fn control(name: &str) -> Option<char> {
    let found = CONTROLS.iter().position(|known| !known.is_empty() && *known == name)?;
    u8::try_from(found).ok().map(char::from)
}

/// Returns the content bytes of a value, if it can be encoded.
pub(crate) fn encoded(value: &impl EncodeValue) -> Option<Vec<u8>> {
    let mut octets = vec![0; value.value_len()];
    let mut writer = Writer::new(&mut octets);
    value.encode_value(&mut writer).ok()?;
    (writer.free() == 0).then_some(octets)
}

/// The normalized form of a number: a digit that is not zero, a point, digits and an exponent (§9.2).
fn normalized(negative: bool, digits: &str, exponent: i128) -> String {
    let digits = digits.trim_end_matches('0');
    let sign = if negative { "-" } else { "" };
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{sign}{first}.{rest}E{exponent}")
}

/// The text of a REAL that is not a special value. `None` if no decimal text identifies it.
pub(crate) fn real_text(real: &Real<'_>, content: &[u8]) -> Option<String> {
    match content {
        [] => return Some("0".to_owned()),
        [0x43] => return Some("-0".to_owned()),
        _ => {}
    }
    if real.is_decimal() {
        let scaled = Scaled::of(real)?;
        let text = decimal(&scaled.mantissa)?;
        let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
        let exponent = i128::from(scaled.exponent) + digits.len() as i128 - 1;
        return Some(normalized(negative, digits, exponent));
    }
    Number::parse(&binary_to_decimal(real)?).map(|number| number.text())
}

/// A number in decimal text.
pub(crate) struct Number {
    negative: bool,
    /// The significant digits, which begin with one that is not zero. Empty for zero.
    digits: String,
    /// The exponent of the first digit.
    exponent: i128,
}

impl Number {
    /// Parses a number: digits, a fraction and an exponent (X.680 §12.9).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
                let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
                (mantissa, if is_number { exponent.parse::<i64>().ok()? } else { return None })
            }
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let are_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() || !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let zeros = all.len().saturating_sub(digits.len());
        let exponent = i128::from(exponent) + whole.len() as i128 - 1 - zeros as i128;
        Some(Self { negative, digits: digits.trim_end_matches('0').to_owned(), exponent })
    }

    pub(crate) fn text(&self) -> String {
        match (self.digits.is_empty(), self.negative) {
            (true, false) => "0".to_owned(),
            (true, true) => "-0".to_owned(),
            _ => normalized(self.negative, &self.digits, self.exponent),
        }
    }

    /// Returns the content bytes of the number with base 2 or 10.
    pub(crate) fn content(&self, is_binary: bool) -> Option<Vec<u8>> {
        let convert = if is_binary { binary_from_decimal } else { real_from_decimal };
        convert(&self.text())
    }
}

/// The text of a normalized number without an exponent, unless it would be very long.
pub(crate) fn without_exponent(text: &str) -> Option<String> {
    let number = Number::parse(text)?;
    let exponent = i64::try_from(number.exponent).ok().filter(|exponent| exponent.unsigned_abs() < 1000)?;
    let sign = if number.negative { "-" } else { "" };
    let digits = number.digits;
    if digits.is_empty() {
        return Some(format!("{sign}0"));
    }
    Some(match usize::try_from(exponent) {
        Ok(whole) if whole + 1 >= digits.len() => format!("{sign}{digits}{}", "0".repeat(whole + 1 - digits.len())),
        Ok(whole) => {
            let (whole, fraction) = digits.split_at_checked(whole + 1)?;
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) => format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1)),
    })
}
