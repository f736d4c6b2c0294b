//! Validation of user and group names, UIDs and GIDs (systemd's "User/Group Name Syntax", in its relaxed form).

/// The maximum length of a user or group name in bytes, from `utmp` and the kernel's `LOGIN_NAME_MAX`.
const LONGEST: usize = 255;

/// Returns the reason why a name is invalid.
pub(crate) fn fault(name: &str) -> Option<&'static str> {
    let is_odd = |char: char| char.is_control() || matches!(char, ':' | '/');
    match name {
        "" => Some("is empty"),
        "." | ".." => Some("is a path"),
        _ if name.len() > LONGEST => Some("is longer than 255 bytes"),
        _ if name.contains(is_odd) => Some("has a control character, a colon or a slash"),
        _ if name.starts_with([' ', '-']) || name.ends_with(' ') => {
            Some("begins with a space or hyphen, or ends with a space")
        }
        // It would be taken for a number.
        _ if name.chars().all(|char| char.is_ascii_digit()) => Some("is a number"),
        _ => None,
    }
}

/// Returns the reason why a UID or GID is invalid. The values -1 as 16-bit and 32-bit integers mean "no user" in system calls.
pub(crate) const fn number_fault(number: u32) -> Option<&'static str> {
    match number {
        0xFFFF | 0xFFFF_FFFF => Some("is not a user name"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nobodys() {
        for name in ["", ".", "..", "a:b", "a/b", "a\nb", "-a", " a", "a ", "0", "4711", "a\u{9f}", &"a".repeat(256)] {
            assert!(fault(name).is_some(), "{name:?}");
        }
        for name in ["root", "_apt", "user@example.org", "Jürgen", "a b", "0a", "a.b", "EXAMPLE\\ann", "host$"] {
            assert_eq!(fault(name), None, "{name:?}");
        }
        assert!(number_fault(u32::MAX).is_some() && number_fault(65535).is_some() && number_fault(65534).is_none());
    }
}
