//! OID-IRI and RELATIVE-OID-IRI values (X.680 §34, §35): the syntax of their labels (X.660 §7.5). No registry is
//! consulted.

/// Returns whether a text is a path from the root, or from any node if `relative` is true.
pub(crate) fn is_path(text: &str, relative: bool) -> bool {
    let labels = if relative { Some(text) } else { text.strip_prefix('/') };
    labels.is_some_and(|labels| labels.split('/').all(is_label))
}

fn is_label(label: &str) -> bool {
    // X.660 §7.5.4: a number has no leading zeros.
    if label.bytes().all(|octet| octet.is_ascii_digit()) {
        return !label.is_empty() && (label == "0" || !label.starts_with('0'));
    }
    // X.660 §7.5.3: no hyphen first or last, nor in the third and fourth place.
    let announces = label.chars().skip(2).take(2).filter(|char| *char == '-').count() == 2;
    !label.starts_with('-') && !label.ends_with('-') && !announces && label.chars().all(is_unreserved)
}

/// Returns whether a character is allowed in labels (X.660 §7.5.2): the unreserved characters of RFC 3987 §2.2.
const fn is_unreserved(char: char) -> bool {
    match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' | '~' => true,
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}' => true,
        '\u{10000}'..='\u{DFFFD}' | '\u{E1000}'..='\u{EFFFD}' => char as u32 & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn labels() {
        for text in ["/ISO", "/0", "/ISO/Registration_Authority/19785.CBEFF", "/1/台北", "/a--b", "/0a"] {
            assert!(is_path(text, false), "{text}");
            assert!(is_path(text.trim_start_matches('/'), true), "{text}");
        }
        for text in ["", "/", "ISO", "/ISO/", "//a", "/01", "/-a", "/a-", "/xn--a", "/a b", "/ISO/a:b"] {
            assert!(!is_path(text, false), "{text}");
        }
        assert!(!is_path("/ISO", true));
    }
}
