//! Constraints on host names: a name and everything below it (RFC 5280 §4.2.1.10).

use super::Subject;

/// Returns whether a host name is in preferred name syntax (RFC 1034 §3.5, RFC 1123 §2.1). Underscores are tolerated,
/// because another rule decides whether such a name may be certified.
pub(crate) fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        let octets = label.as_bytes();
        !octets.is_empty()
            && octets.len() <= 63
            && octets.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    !host.is_empty() && host.len() <= 253 && host.split('.').all(label)
}

/// Parses the base of a subtree. The empty base contains every host. With `dots`, a leading dot excludes the host itself,
/// although RFC 5280 does not define that for DNS names.
pub(super) fn base(host: &str, dots: bool) -> Option<&str> {
    let below = if dots { host.strip_prefix('.').unwrap_or(host) } else { host };
    (host.is_empty() || is_host(below)).then_some(host)
}

/// Parses a name that may begin with a wildcard label.
pub(super) fn subject(host: &str) -> Subject<'_> {
    if is_host(host.strip_prefix("*.").unwrap_or(host)) { Subject::Dns(host) } else { Subject::Opaque }
}

/// Returns whether a host lies within a subtree. A wildcard is treated like any other label, so all hosts that it matches
/// must lie within the subtree.
pub(crate) fn is_within(host: &str, base: &str) -> bool {
    if base.is_empty() {
        return true;
    }
    let Some(start) = host.len().checked_sub(base.len()) else { return false };
    let (above, end) = host.split_at_checked(start).unwrap_or_default();
    let whole_labels = if base.starts_with('.') { !above.is_empty() } else { above.is_empty() || above.ends_with('.') };
    whole_labels && end.eq_ignore_ascii_case(base)
}

/// Returns whether a host, or any host that its wildcard matches, lies within a subtree.
pub(super) fn may_be_within(host: &str, base: &str) -> bool {
    if is_within(host, base) {
        return true;
    }
    let Some(parent) = host.strip_prefix("*.") else { return false };
    // The subtree's root is just one label below what follows the wildcard.
    let below = base.strip_prefix('.').unwrap_or(base);
    below.split_once('.').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(parent))
}
