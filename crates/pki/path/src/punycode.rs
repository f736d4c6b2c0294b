//! Punycode (RFC 3492), as needed to distinguish A-labels (RFC 5890 §2.3.2.1) from fake ones.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// Returns whether a label has no hyphens in its third and fourth place, or encodes a label outside ASCII.
pub(crate) fn is_plain_or_a_label(label: &str) -> bool {
    match label.as_bytes() {
        [first, second, b'-', b'-', ..] => {
            let prefix = first.eq_ignore_ascii_case(&b'x') && second.eq_ignore_ascii_case(&b'n');
            let decoded = label.get(4..).filter(|_| prefix).and_then(decode);
            decoded.is_some_and(|decoded| !decoded.is_ascii() && is_label(&decoded))
        }
        _ => true,
    }
}

/// Returns whether a decoded label has none of the characters that are excluded whatever the tables of IDNA2008 say:
/// those that separate, change direction or do not show.
fn is_label(label: &str) -> bool {
    !label.chars().any(|char| {
        char.is_control() || char.is_whitespace() || char.is_uppercase()
            || matches!(char, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
    })
}

/// Decodes Punycode (RFC 3492 §6.2).
fn decode(text: &str) -> Option<String> {
    let (basic, extended) = text.rsplit_once('-').unwrap_or(("", text));
    // A label of at most 63 octets; nothing longer is decoded.
    if text.len() > 63 || extended.is_empty() {
        return None;
    }
    let mut output: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (INITIAL_N, 0u32, INITIAL_BIAS);
    let mut digits = extended.bytes();
    while digits.len() > 0 {
        let before = i;
        let mut weight = 1u32;
        let mut k = BASE;
        loop {
            let digit = match digits.next()? {
                octet @ b'a'..=b'z' => u32::from(octet - b'a'),
                octet @ b'A'..=b'Z' => u32::from(octet - b'A'),
                octet @ b'0'..=b'9' => u32::from(octet - b'0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let count = output.len() as u32 + 1;
        bias = adapt(i - before, count, before == 0);
        n = n.checked_add(i / count)?;
        i %= count;
        output.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(output.into_iter().collect())
}

/// Adapts the bias (RFC 3492 §6.1).
fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        // RFC 3492 §7.1, and names in use.
        assert_eq!(decode("bcher-kva").as_deref(), Some("bücher"));
        assert_eq!(decode("ihqwcrb4cv8a8dqg056pqjye").as_deref(), Some("他们为什么不说中文"));
        for good in ["example", "xn--bcher-kva", "XN--bcher-KVA", "a-b", "ab-c", "xn--n3h"] {
            assert!(is_plain_or_a_label(good), "{good}");
        }
        for bad in ["ab--c", "xn--", "xn--abc-", "xn--ascii-only-", "xn--99999999999", "xn--\u{e9}"] {
            assert!(!is_plain_or_a_label(bad), "{bad}");
        }
    }
}
