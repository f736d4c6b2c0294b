//! INTEGER content bytes: two's complement of any size.

/// Removes superfluous leading bytes.
#[must_use]
pub fn shortest(mut content: Vec<u8>) -> Vec<u8> {
    let redundant = content.windows(2).take_while(|pair| matches!(pair, [0, 0..0x80] | [0xFF, 0x80..=0xFF])).count();
    content.drain(..redundant);
    content
}

/// The content bytes of a number.
#[must_use]
pub fn content(number: i128) -> Vec<u8> {
    shortest(number.to_be_bytes().to_vec())
}

/// The number, if it has at most 128 bits.
#[must_use]
pub fn value(content: &[u8]) -> Option<i128> {
    let first = content.first()?;
    let fill = if *first >= 0x80 { 0xFF } else { 0 };
    let (extra, rest) = content.split_at(content.len().saturating_sub(16));
    if extra.iter().any(|octet| *octet != fill) {
        return None;
    }
    let mut octets = [fill; 16];
    octets.get_mut(16 - rest.len()..)?.copy_from_slice(rest);
    let number = i128::from_be_bytes(octets);
    ((number < 0) == (fill != 0)).then_some(number)
}

/// The sum of a number and a difference, as content bytes.
#[must_use]
pub fn sum(content: &[u8], difference: i128) -> Vec<u8> {
    total(content, &difference.to_be_bytes(), false)
}

/// The difference of two numbers, as content bytes.
#[must_use]
pub fn difference(content: &[u8], other: &[u8]) -> Vec<u8> {
    total(content, other, true)
}

/// The sum of two numbers, as content bytes.
#[must_use]
pub fn total_of(content: &[u8], other: &[u8]) -> Vec<u8> {
    total(content, other, false)
}

/// The sum of a number and another one, which is negated if requested.
fn total(content: &[u8], other: &[u8], negated: bool) -> Vec<u8> {
    let size = content.len().max(other.len()) + 1;
    let extended = |octets: &[u8]| {
        let fill = if octets.first().is_some_and(|first| *first >= 0x80) { 0xFF } else { 0 };
        let mut all = vec![fill; size.saturating_sub(octets.len())];
        all.extend_from_slice(octets);
        all
    };
    let mut total = extended(content);
    // The negative of a number is its complement plus 1.
    let (mask, mut carry) = if negated { (0xFF, 1) } else { (0, 0) };
    for (octet, other) in total.iter_mut().zip(extended(other)).rev() {
        let sum = u16::from(*octet) + u16::from(other ^ mask) + carry;
        *octet = sum as u8;
        carry = sum >> 8;
    }
    shortest(total)
}

/// The bytes of a number that is not negative, without a sign: at least one.
#[must_use]
pub fn magnitude(content: &[u8]) -> Option<&[u8]> {
    match content {
        [0x80..=0xFF, ..] | [] => None,
        [0, rest @ ..] if !rest.is_empty() => Some(rest),
        content => Some(content),
    }
}

/// The size of a number that is not negative, in bits.
#[must_use]
pub const fn width(number: u128) -> u32 {
    128 - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_value() {
        for number in [0, 1, -1, 127, 128, -128, -129, 255, 256, i128::MAX, i128::MIN] {
            let octets = content(number);
            assert_eq!(value(&octets), Some(number));
            assert_eq!(shortest(octets.clone()), octets);
        }
        assert_eq!((content(128), content(-128)), (vec![0, 0x80], vec![0x80]));
        assert_eq!(value(&[1; 17]), None);
        assert_eq!(value(&[0; 20]), Some(0));
    }

    #[test]
    fn sums() {
        for (one, other) in [(0, 0), (127, 1), (-128, -1), (255, -256), (1 << 100, -(1 << 99)), (i128::MAX, 0)] {
            assert_eq!(value(&sum(&content(one), other)), Some(one + other));
        }
        assert_eq!(sum(&content(i128::MAX), 1), [&[0, 0x80][..], &[0; 15]].concat());
        for (one, other) in [(0, 0), (127, -1), (-128, 1), (5, 1 << 90), (-(1 << 100), 1 << 100)] {
            assert_eq!(value(&difference(&content(one), &content(other))), Some(one - other));
            assert_eq!(value(&total_of(&content(one), &content(other))), Some(one + other));
        }
        assert_eq!(magnitude(&[0, 0x80]), Some(&[0x80][..]));
        assert_eq!((magnitude(&[0]), magnitude(&[0xFF])), (Some(&[0][..]), None));
    }
}
