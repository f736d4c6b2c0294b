//! Distinguishes A-labels (RFC 5890 §2.3.2.1) from labels that merely resemble them.

/// The maximum length of a label (RFC 1035 §2.3.4).
const LONGEST: usize = 63;

/// Returns whether a label is a valid A-label, or does not have hyphens in third and fourth position like one.
pub(crate) fn is_plain_or_a_label(label: &str) -> bool {
    match label.as_bytes() {
        [_, _, b'-', b'-', ..] => is_a_label(label),
        _ => true,
    }
}

/// Returns whether a label is a valid A-label: the prefix `xn--` and the Punycode of a label in Unicode (RFC 5890 §2.3.2.1).
///
/// ```
/// assert!(tagwise_path::is_a_label("xn--bcher-kva"));
/// assert!(!tagwise_path::is_a_label("xn--99999999999"));
/// assert!(!tagwise_path::is_a_label("example"));
/// ```
#[must_use]
pub fn is_a_label(label: &str) -> bool {
    let is_prefixed = label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--"));
    let text = label.get(4..).filter(|text| is_prefixed && text.len() <= LONGEST);
    text.and_then(idna::punycode::decode_to_string).is_some_and(|decoded| !decoded.is_ascii() && is_label(&decoded))
}

/// Returns whether a decoded label is free of separators, direction controls and invisible characters, which are excluded
/// regardless of the IDNA2008 tables.
fn is_label(label: &str) -> bool {
    !label.chars().any(|char| {
        char.is_control() || char.is_whitespace() || char.is_uppercase()
            || matches!(char, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        // RFC 3492 §7.1, and names in use.
        for good in
            ["example", "xn--bcher-kva", "XN--bcher-KVA", "a-b", "ab-c", "xn--n3h", "xn--ihqwcrb4cv8a8dqg056pqjye"]
        {
            assert!(is_plain_or_a_label(good), "{good}");
        }
        for bad in ["ab--c", "xn--", "xn--abc-", "xn--ascii-only-", "xn--99999999999", "xn--\u{e9}"] {
            assert!(!is_plain_or_a_label(bad), "{bad}");
        }
    }
}
