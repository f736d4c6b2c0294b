//! Compares expected names with a certificate's names (RFC 9525 §6, RFC 8550 §3, RFC 9598 §5).

use tagwise_pkix::ext::{GeneralName, OtherNameValue};

use crate::budget::Meter;
use crate::cert::Cert;
use crate::constraints::{split_mailbox, uri_host, uri_scheme};
use crate::names::ExpectedName;
use crate::policy::Policy;
use crate::refusal::{Refusal, Stop};
use crate::rules::Rule;

/// Checks that every expected name is among the alternative names. The subject's common name is ignored, as RFC 9525
/// §6.4.4 advises.
pub(crate) fn check(cert: &Cert<'_>, policy: &Policy, meter: &mut Meter) -> Result<(), Stop> {
    if !policy.rules.has(Rule::PeerName) {
        return Ok(());
    }
    for expected in &policy.names {
        let mut found = false;
        for name in cert.names.iter().flat_map(|names| names.value.0.iter()).map_while(Result::ok) {
            meter.name_comparisons(1)?;
            if matches(expected, &name) {
                found = true;
                break;
            }
        }
        if !found {
            let offset = cert.names.as_ref().map_or_else(|| cert.extensions_offset(), |names| names.offset);
            let message = format!("the alternative names do not include {expected}");
            let refusal = Refusal::new(Rule::PeerName, message).at(offset);
            return Err(match expected {
                // RFC 9525 is about services.
                ExpectedName::Mail(_) => refusal.clause("RFC 8550 §3").into(),
                _ => refusal.into(),
            });
        }
    }
    Ok(())
}

fn matches(expected: &ExpectedName, name: &GeneralName<'_>) -> bool {
    match (expected, name) {
        (ExpectedName::Dns(host), GeneralName::DnsName(presented)) => {
            presented.as_str().is_some_and(|presented| host_matches(host, presented))
        }
        (ExpectedName::Ip(address), GeneralName::IpAddress(presented)) => presented.addr() == Some(*address),
        (ExpectedName::Mail(mailbox), GeneralName::Rfc822Name(presented)) => {
            presented.as_str().is_some_and(|presented| mailbox_matches(mailbox, presented))
        }
        (ExpectedName::Mail(mailbox), GeneralName::OtherName(name)) => match name.value.get() {
            Ok(OtherNameValue::SmtpUtf8Mailbox(presented)) => mailbox_matches(mailbox, presented.0.as_str()),
            _ => false,
        },
        (ExpectedName::Uri(uri), GeneralName::UniformResourceIdentifier(presented)) => {
            presented.as_str().is_some_and(|presented| uri_matches(uri, presented))
        }
        _ => false,
    }
}

/// Compares hosts label by label, ignoring case (RFC 9525 §6.3). A wildcard must be the complete first label and
/// matches one label.
pub(crate) fn host_matches(host: &str, presented: &str) -> bool {
    match presented.strip_prefix("*.") {
        Some(parent) => {
            let below = host.split_once('.');
            !parent.contains('*')
                && below.is_some_and(|(first, rest)| !first.is_empty() && rest.eq_ignore_ascii_case(parent))
        }
        None => !presented.contains('*') && host.eq_ignore_ascii_case(presented),
    }
}

/// Compares the local part exactly, and the domain case-insensitively.
fn mailbox_matches(mailbox: &str, presented: &str) -> bool {
    match (split_mailbox(mailbox), split_mailbox(presented)) {
        (Some((local, domain)), Some((other, host))) => local == other && domain.eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// Compares scheme and host (RFC 9525 §6.5).
fn uri_matches(uri: &str, presented: &str) -> bool {
    match (uri_scheme(uri), uri_scheme(presented), uri_host(uri), uri_host(presented)) {
        (Some(scheme), Some(other), Some(host), Some(presented)) => {
            scheme.eq_ignore_ascii_case(other) && host.eq_ignore_ascii_case(presented)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert!(host_matches("www.example.org", "WWW.example.ORG"));
        assert!(host_matches("www.example.org", "*.example.org"));
        // RFC 9525 §6.3: one label, the whole first one, and not none.
        for (host, presented) in [
            ("a.b.example.org", "*.example.org"),
            ("example.org", "*.example.org"),
            ("www.example.org", "w*.example.org"),
            ("www.example.org", "www.*.org"),
            ("www.example.org", "*.*.org"),
            ("www.example.org", "*"),
            ("www.example.org", "www.example.org.evil.test"),
        ] {
            assert!(!host_matches(host, presented), "{host} {presented}");
        }
    }

    #[test]
    fn mailboxes() {
        assert!(mailbox_matches("Eva@example.org", "Eva@EXAMPLE.org"));
        assert!(!mailbox_matches("eva@example.org", "Eva@example.org"));
        assert!(mailbox_matches("老师@example.org", "老师@example.org"));
        assert!(!mailbox_matches("eva@example.org", "*@example.org"));
    }

    #[test]
    fn uris() {
        assert!(uri_matches("sip://voice.example.org", "SIP://Voice.example.org/anything"));
        assert!(!uri_matches("sip://voice.example.org", "https://voice.example.org"));
        assert!(!uri_matches("sip://voice.example.org", "sip://example.org"));
    }
}
