//! The header of a verified mail: its sender (RFC 8550 §3), and header protection (RFC 9788).

use tagwise_input::mail::{Field, Protection, Scheme, addresses};
use tagwise_pkix::ext::{GeneralName, OtherNameValue, SubjectAltName};
use tagwise_pkix::oids;

use super::document::{Finding, Headers, Status};
use super::outcome::Outcome;
use crate::shared::context::Context;
use crate::shared::credentials::certificate;

/// The rules for judging a mail.
pub(super) struct Layers {
    /// Set if the sender must be in the signer's certificate.
    pub(super) is_mail: bool,
    /// Set if findings about the header are allowed.
    pub(super) allowed: bool,
}

/// The fields whose difference is a finding: what a reader takes for the sender and the topic.
const SHOWN: [&str; 2] = ["From", "Subject"];

/// Adds the findings about a mail's header.
pub(super) fn judge(context: &Context, outside: &[Field], outcome: &mut Outcome, layers: &Layers) {
    let signed = outcome.signers.iter().any(|signer| signer.status == Status::Good);
    let encrypted = outcome.secret;
    let protection = match outside {
        [] => None,
        outside => Protection::of(outside, outcome.content.expose()),
    };
    let mut from: Vec<&Field> = outside.iter().collect();
    if let Some(protection) = &protection {
        outcome.headers = Some(Headers::new(protection, signed, encrypted));
        if protection.scheme == Scheme::Cipher && !encrypted {
            // RFC 9788 §2.1: the sender states that the message was encrypted.
            outcome.notes.push("the header states hp=\"cipher\", but the message is not encrypted".to_owned());
        }
        for field in protection.fields.iter().filter(|field| field.changed) {
            let name = &field.field.name;
            let is_shown = SHOWN.iter().any(|shown| field.field.is(shown));
            let outer = field.outside.as_deref().map_or("absent".to_owned(), |outside| format!("\"{outside}\""));
            let message = format!("{name} differs outside: {outer}, expected \"{}\"", field.field.value);
            // A forwarded mail that is signed as a whole has other headers than the mail around it.
            if is_shown && protection.scheme != Scheme::Wrapped {
                let message = format!("{message} (RFC 9788)");
                outcome.findings.push(Finding::new("header-difference", layers.allowed, message));
            } else {
                let message = tagwise_pkix::name::visible(&message).to_string();
                outcome.notes.push(message);
            }
        }
        if protection.fields.iter().any(|field| field.field.is("from")) {
            from = protection.fields.iter().map(|field| &field.field).collect();
        }
    }
    if !layers.is_mail {
        return;
    }
    let is_sender = |field: &&&Field| field.is("from") || field.is("sender");
    let senders: Vec<String> = from.iter().filter(is_sender).flat_map(|field| addresses(&field.value)).collect();
    let mailboxes: Vec<Vec<String>> = outcome
        .signers
        .iter()
        .filter_map(|signer| signer.certificate.as_deref())
        .map(|der| mailboxes(context, der))
        .collect();
    // RFC 8550 §3: only if the certificate has mailboxes.
    if senders.is_empty() || mailboxes.is_empty() || mailboxes.iter().any(Vec::is_empty) {
        return;
    }
    let matches = |sender: &String| mailboxes.iter().flatten().any(|mailbox| is_same(sender, mailbox));
    if !senders.iter().any(matches) {
        let found = mailboxes.concat().join(", ");
        let message = format!(
            "the sender {} is not in the signer's certificate, which has {found} (RFC 8550 §3)",
            senders.join(", ")
        );
        outcome.findings.push(Finding::new("sender", layers.allowed, message));
    }
}

/// The mailboxes in a certificate (RFC 8550 §3): among the alternative names, and in the subject.
fn mailboxes(context: &Context, der: &[u8]) -> Vec<String> {
    let Ok(certificate) = certificate(context, der) else { return Vec::new() };
    let tbs = &certificate.tbs_certificate;
    let names = tbs.extensions.and_then(|list| list.get::<SubjectAltName<'_>>().ok().flatten());
    let names = names.iter().flat_map(|names| names.0.iter()).map_while(Result::ok);
    let mut found: Vec<String> = names
        .filter_map(|name| match name {
            GeneralName::Rfc822Name(mailbox) => Some(mailbox.to_string()),
            GeneralName::OtherName(other) => match other.value.get() {
                Ok(OtherNameValue::SmtpUtf8Mailbox(mailbox)) => Some(mailbox.0.to_string()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let subject = tbs.subject.attributes().filter(|attribute| attribute.attr_type == oids::EMAIL_ADDRESS);
    found.extend(
        subject.filter_map(|attribute| core::str::from_utf8(attribute.value.content()).map(str::to_owned).ok()),
    );
    found
}

/// Compares mailboxes: the host without regard to case, and the local part exactly (RFC 5280 §7.5).
fn is_same(one: &str, other: &str) -> bool {
    match (one.rsplit_once('@'), other.rsplit_once('@')) {
        (Some((local, host)), Some((other_local, other_host))) => {
            local == other_local && host.eq_ignore_ascii_case(other_host)
        }
        _ => false,
    }
}
