//! Constraints on mailboxes: a single mailbox, a host or a domain (RFC 5280 §4.2.1.10), including non-ASCII mailboxes
//! (RFC 9598 §6).

use std::borrow::Cow;

use super::{Subject, dns};

/// The base of a subtree.
pub(super) enum Base<'p> {
    /// A single mailbox: its local part and host.
    Mailbox(&'p str, &'p str),
    /// All mailboxes at a host.
    Host(&'p str),
    /// All mailboxes at hosts in a domain.
    Domain(&'p str),
}

/// Splits a mailbox into local part and domain, at the last `@` outside quotation marks.
pub(crate) fn split(mailbox: &str) -> Option<(&str, &str)> {
    let (local, domain) = mailbox.rsplit_once('@')?;
    let quoted = local.len() >= 2 && local.starts_with('"') && local.ends_with('"');
    let plain = !local.is_empty()
        && !local
            .chars()
            .any(|char| char.is_ascii_control() || char == ' ' || matches!(char, '@' | '"' | '<' | '>' | ','));
    (quoted || plain).then_some((local, domain))
}

pub(super) fn base(text: &str) -> Option<Base<'_>> {
    match split(text) {
        Some((local, domain)) => dns::is_host(domain).then_some(Base::Mailbox(local, domain)),
        None if text.contains('@') => None,
        None => match text.strip_prefix('.') {
            Some(domain) => dns::is_host(domain).then_some(Base::Domain(domain)),
            None => dns::is_host(text).then_some(Base::Host(text)),
        },
    }
}

/// Parses a mailbox. RFC 9598 §3 requires the domain in ASCII, even if the local part is not.
pub(super) fn subject(mailbox: &str) -> Subject<'_> {
    match split(mailbox) {
        Some((_, domain)) if dns::is_host(domain) => Subject::Mail(mailbox),
        _ => Subject::Opaque,
    }
}

/// Removes quotation marks and backslashes, which are not part of the local part's value (RFC 5321 §4.1.2).
fn unquoted(local: &str) -> Cow<'_, str> {
    let Some(inner) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return local.into() };
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut escaped = false;
    let kept = inner.chars().filter(|char| {
        escaped = *char == '\\' && !escaped;
        !escaped
    });
    kept.collect::<String>().into()
}

/// Returns whether a mailbox lies within a subtree. Local parts are compared exactly (RFC 5280 §7.5), because only the
/// receiving host may interpret them (RFC 5321 §2.4). Hosts are compared case-insensitively.
pub(super) fn is_within(mailbox: &str, base: &Base<'_>) -> bool {
    within(mailbox, base, |local, only| local == only)
}

/// Returns whether a mailbox may lie within a subtree. RFC 5321 §2.4 discourages hosts from distinguishing local parts by
/// case, and few do. Local parts that differ only in case are therefore treated as equal.
pub(super) fn may_be_within(mailbox: &str, base: &Base<'_>) -> bool {
    within(mailbox, base, |local, only| local.to_lowercase() == only.to_lowercase())
}

fn within(mailbox: &str, base: &Base<'_>, is_same: impl Fn(&str, &str) -> bool) -> bool {
    let Some((local, domain)) = split(mailbox) else { return false };
    match base {
        Base::Mailbox(only, host) => is_same(&unquoted(local), &unquoted(only)) && domain.eq_ignore_ascii_case(host),
        Base::Host(host) => domain.eq_ignore_ascii_case(host),
        Base::Domain(above) => domain.len() > above.len() && dns::is_within(domain, above),
    }
}
