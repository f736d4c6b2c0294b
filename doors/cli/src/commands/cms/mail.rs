//! The header of a verified mail: its sender (RFC 8550 §3), and header protection (RFC 9788).

use tagwise_input::mail::{Field, Protection, Scheme, addresses};
use tagwise_pkix::ext::{GeneralName, OtherNameValue, SubjectAltName};
use tagwise_pkix::name::visible;
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
                let message = visible(&message).to_string();
                outcome.notes.push(message);
            }
        }
        for field in &protection.unprotected {
            let is_again = protection.fields.iter().any(|inner| inner.field.is(&field.name));
            let is_shown = SHOWN.iter().any(|shown| field.is(shown));
            // RFC 5322 §3.6: at most one of each, so that readers do not choose between them.
            if is_again && is_shown && protection.scheme != Scheme::Wrapped {
                let Field { name, value } = field;
                let message = format!(
                    "{name} is outside once more: \"{value}\", expected only what is signed (RFC 5322 §3.6, RFC 9788)"
                );
                outcome.findings.push(Finding::new("header-difference", layers.allowed, message));
            }
        }
        // A mail that is wrapped as a whole may be another sender's: the sender outside is the one that readers see.
        let is_wrapped = protection.scheme == Scheme::Wrapped;
        if !is_wrapped && protection.fields.iter().any(|field| field.field.is("from")) {
            from = protection.fields.iter().map(|field| &field.field).collect();
        }
    }
    if !layers.is_mail || outside.is_empty() {
        return;
    }
    let certificates: Vec<&[u8]> = outcome.signers.iter().filter_map(|signer| signer.certificate.as_deref()).collect();
    if certificates.is_empty() {
        return;
    }
    let mailboxes: Vec<String> = certificates.into_iter().flat_map(|der| mailboxes(context, der)).collect();
    match sender(&from, &mailboxes) {
        Ok(None) => {}
        Ok(Some(note)) => outcome.notes.push(visible(&note).to_string()),
        Err(message) => outcome.findings.push(Finding::new("sender", layers.allowed, message)),
    }
}

/// Compares the sender of a mail with the mailboxes in the signer's certificate (RFC 8550 §3). Returns a note if the answer needs one.
///
/// # Errors
/// Returns the finding if the sender is not in the certificate, or is not clear.
fn sender(fields: &[&Field], mailboxes: &[String]) -> Result<Option<String>, String> {
    let of = |name: &str| -> Vec<&str> {
        fields.iter().filter(|field| field.is(name)).map(|field| field.value.as_str()).collect()
    };
    let from = of("from");
    if from.len() > 1 {
        // Readers show one of them, or all.
        let all = from.join("\", \"");
        return Err(format!("the mail has {} fields From: \"{all}\", expected 1 (RFC 5322 §3.6)", from.len()));
    }
    // RFC 8550 §3: only if the certificate has mailboxes.
    if mailboxes.is_empty() {
        return Ok(Some(
            "the sender was not checked: the signer's certificate has no mailbox (RFC 8550 §3)".to_owned(),
        ));
    }
    if fields.iter().all(|field| field.is_structural()) {
        // A MIME entity alone shows no sender.
        return Ok(Some("the sender was not checked: the file has no mail header".to_owned()));
    }
    let [from] = from.as_slice() else {
        return Err("the mail has no field From, expected 1 (RFC 5322 §3.6)".to_owned());
    };
    let authors = addresses(from).filter(|authors| !authors.is_empty());
    let authors = authors.ok_or_else(|| {
        format!("the sender cannot be read in the field From: \"{from}\", expected addresses (RFC 5322 §3.4)")
    })?;
    let is_known = |sender: &&String| mailboxes.iter().any(|mailbox| is_same(sender, mailbox));
    let missing: Vec<&str> = authors.iter().filter(|author| !is_known(author)).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    // RFC 5322 §3.6.2: the agent who sends the mail of others is in Sender, which has one mailbox.
    let agent = match of("sender").as_slice() {
        [agent] => addresses(agent).filter(|agents| agents.len() == 1).and_then(|agents| agents.into_iter().next()),
        _ => None,
    };
    let missing = missing.join(", ");
    match agent {
        Some(agent) if is_known(&&agent) => Ok(Some(format!(
            "signed by the sender {agent} (field Sender) for the author {missing} (field From), who is not in the signer's \
             certificate (RFC 8550 §3)"
        ))),
        agent => {
            let agent = agent.map_or(String::new(), |agent| format!(" (Sender: {agent})"));
            let found = mailboxes.join(", ");
            Err(format!(
                "the sender {missing}{agent} is not in the signer's certificate, which has {found} (RFC 8550 §3)"
            ))
        }
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
