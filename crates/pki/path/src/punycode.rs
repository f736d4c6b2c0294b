//! Distinguishes A-labels (RFC 5890 §2.3.2.1) from labels that merely resemble them.

/// The maximum length of a label (RFC 1035 §2.3.4).
const LONGEST: usize = 63;

/// Returns whether a label is a valid A-label, or does not have hyphens in third and fourth position like one.
pub(crate) fn is_plain_or_a_label(label: &str) -> bool {
    match label.as_bytes() {
        [first, second, b'-', b'-', ..] => {
            let prefix = first.eq_ignore_ascii_case(&b'x') && second.eq_ignore_ascii_case(&b'n');
            let decoded = label
                .get(4..)
                .filter(|text| prefix && text.len() <= LONGEST)
                .and_then(idna::punycode::decode_to_string);
            decoded.is_some_and(|decoded| !decoded.is_ascii() && is_label(&decoded))
        }
        _ => true,
    }
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
