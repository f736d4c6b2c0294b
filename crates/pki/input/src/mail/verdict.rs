//! The verdict on the header of a verified mail: its sender (RFC 8550 §3), and header protection (RFC 9788).

use tagwise_pkix::ext::{GeneralName, OtherNameValue, SubjectAltName};
use tagwise_pkix::{Certificate, oids};

use super::address::addresses;
use super::entity::Field;
use super::protection::{Protection, Scheme};

/// A problem with the header of a mail whose signatures verify.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderFinding {
    /// A field that readers take for the sender or the topic differs from the protected one (RFC 9788).
    Difference(String),
    /// The sender is not in the signer's certificate (RFC 8550 §3), or is not clear.
    Sender(String),
}

impl HeaderFinding {
    /// The stable name: `header-difference` or `sender`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Difference(_) => "header-difference",
            Self::Sender(_) => "sender",
        }
    }

    /// The description, which quotes the mail. It can contain control characters.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Difference(text) | Self::Sender(text) => text,
        }
    }
}

/// The verdict on a mail's header.
///
/// ```
/// use tagwise_input::mail::{Field, HeaderVerdict};
/// let outside = [Field { name: "From".to_owned(), value: "boss@example.org".to_owned() }];
/// let mailboxes = ["eva@example.org".to_owned()];
/// let verdict = HeaderVerdict::of(&outside, b"Content-Type: text/plain\r\n\r\nHi\r\n", false, Some(&mailboxes));
/// assert_eq!(verdict.findings[0].name(), "sender");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderVerdict {
    /// The protected fields. `None` if the header is not protected.
    pub protection: Option<Protection>,
    /// The problems. Without one, the header is accepted.
    pub findings: Vec<HeaderFinding>,
    /// Remarks that do not change the verdict. They can contain control characters.
    pub notes: Vec<String>,
}

/// The fields whose difference is a finding: what a reader takes for the sender and the topic.
const SHOWN: [&str; 2] = ["From", "Subject"];

impl HeaderVerdict {
    /// Compares the header of a mail with its innermost signed or encrypted content, and its sender with the mailboxes in the
    /// signers' certificates, which [`mailboxes`] returns. With `None`, the sender is not checked. `encrypted` states whether the
    /// content was encrypted.
    #[must_use]
    pub fn of(outside: &[Field], content: &[u8], encrypted: bool, mailboxes: Option<&[String]>) -> Self {
        let mut verdict = Self::default();
        if outside.is_empty() {
            return verdict;
        }
        let protection = Protection::of(outside, content);
        let mut from: Vec<&Field> = outside.iter().collect();
        if let Some(protection) = &protection {
            verdict.compare(protection, encrypted, outside.iter().all(Field::is_structural));
            // RFC 8551 §3.1: message/rfc822 as the protected entity is a protected header, too, whoever wrote the mail.
            if protection.fields.iter().any(|field| field.field.is("from")) {
                from = protection.fields.iter().map(|field| &field.field).collect();
            }
        }
        match mailboxes.map(|mailboxes| sender(&from, mailboxes)) {
            None | Some(Ok(None)) => {}
            Some(Ok(Some(note))) => verdict.notes.push(note),
            Some(Err(text)) => verdict.findings.push(HeaderFinding::Sender(text)),
        }
        verdict.protection = protection;
        verdict
    }

    /// Adds the differences. `is_bare` is set for a MIME entity without a mail around it, such as decrypted content, so that no
    /// reader sees other fields than the protected ones.
    fn compare(&mut self, protection: &Protection, encrypted: bool, is_bare: bool) {
        if protection.scheme == Scheme::Cipher && !encrypted {
            // RFC 9788 §2.1: the sender states that the message was encrypted.
            self.notes.push("the header states hp=\"cipher\", but the message is not encrypted".to_owned());
        }
        let is_shown = |field: &Field| !is_bare && SHOWN.iter().any(|shown| field.is(shown));
        for field in protection.fields.iter().filter(|field| field.changed) {
            let name = &field.field.name;
            let outer = field.outside.as_deref().map_or("absent".to_owned(), |outside| format!("\"{outside}\""));
            let message = format!("{name} differs outside: {outer}, expected \"{}\"", field.field.value);
            if is_shown(&field.field) {
                let clause = if protection.scheme == Scheme::Wrapped { "RFC 8551 §3.1" } else { "RFC 9788" };
                self.findings.push(HeaderFinding::Difference(format!("{message} ({clause})")));
            } else {
                self.notes.push(message);
            }
        }
        for field in &protection.unprotected {
            let is_again = protection.fields.iter().any(|inner| inner.field.is(&field.name));
            // RFC 5322 §3.6: at most one of each, so that readers do not choose between them.
            if is_again && is_shown(field) {
                let Field { name, value } = field;
                let message = format!(
                    "{name} is outside once more: \"{value}\", expected only what is signed (RFC 5322 §3.6, RFC 9788)"
                );
                self.findings.push(HeaderFinding::Difference(message));
            }
        }
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
///
/// ```
/// use tagwise_input::mail::{HeaderVerdict, mailboxes};
/// use tagwise_pkix::Certificate;
/// /// Returns whether the sender in a MIME entity's header is the signer.
/// fn is_sender(header: &[tagwise_input::mail::Field], entity: &[u8], signer: &Certificate<'_>) -> bool {
///     HeaderVerdict::of(header, entity, false, Some(&mailboxes(signer))).findings.is_empty()
/// }
/// ```
#[must_use]
pub fn mailboxes(certificate: &Certificate<'_>) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, value: &str) -> Field {
        Field { name: name.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn the_sender_is_in_the_certificate() {
        let mailboxes = ["eva@example.org".to_owned()];
        let of = |outside: &[Field]| {
            HeaderVerdict::of(outside, b"Content-Type: text/plain\r\n\r\nHi", false, Some(&mailboxes))
        };
        assert_eq!(of(&[field("From", "Eva <eva@Example.org>")]), HeaderVerdict::default());
        let text =
            "the sender boss@example.org is not in the signer's certificate, which has eva@example.org (RFC 8550 §3)";
        assert_eq!(of(&[field("From", "boss@example.org")]).findings, [HeaderFinding::Sender(text.to_owned())]);
        assert_eq!(
            of(&[field("Content-Type", "a/b")]).notes,
            ["the sender was not checked: the file has no mail header"]
        );
        assert_eq!(of(&[]), HeaderVerdict::default());
    }

    #[test]
    fn shown_fields_are_those_inside() {
        let inside = b"Content-Type: text/plain; hp=clear\r\nSubject: Dinner\r\nTo: a@b\r\n\r\nHi";
        let of = |outside: &[Field]| HeaderVerdict::of(outside, inside, false, None);
        let found = of(&[field("Subject", "Lunch"), field("To", "c@d")]);
        let text = "Subject differs outside: \"Lunch\", expected \"Dinner\" (RFC 9788)";
        assert_eq!(found.findings, [HeaderFinding::Difference(text.to_owned())]);
        assert_eq!(found.notes, ["To differs outside: \"c@d\", expected \"a@b\""]);
        // Content that was decrypted before has no header outside.
        assert_eq!(of(&[field("Content-Type", "multipart/signed")]).findings, []);
    }
}
