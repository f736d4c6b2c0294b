//! The contents of a message, document or program, and its signers.

use tagwise_crypto::Secret;

use super::document::{Finding, Headers, Signer};

/// The contents of a file and its signers.
pub(super) struct Outcome {
    pub(super) content_type: String,
    /// The content of the innermost layer.
    pub(super) content: Secret,
    /// Set if some of it was encrypted.
    pub(super) secret: bool,
    pub(super) signers: Vec<Signer>,
    pub(super) layers: Vec<&'static str>,
    pub(super) headers: Option<Headers>,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
    /// Set if it needs no signer of its own: a signature around it covers it, or the messages inside have theirs.
    pub(super) is_carrier: bool,
}

/// The option that accepts unsigned parts, for a finding that it has not accepted.
pub(super) const fn unless(allowed: bool) -> &'static str {
    if allowed { "" } else { "; pass --allow-unsigned-parts to accept that" }
}

impl Outcome {
    /// The contents and signers of several messages in one mail. The content is that of the first.
    pub(super) fn joined(outcomes: Vec<Self>, allow_unsigned: bool) -> Self {
        let several = outcomes.len() > 1;
        let mut joined = Self {
            content_type: String::new(),
            content: Secret::default(),
            secret: false,
            signers: Vec::new(),
            layers: Vec::new(),
            headers: None,
            findings: Vec::new(),
            notes: Vec::new(),
            is_carrier: false,
        };
        for (number, mut next) in (1_usize..).zip(outcomes) {
            if several {
                let part = format!("message {number}");
                for signer in &mut next.signers {
                    signer.of = Some(signer.of.take().map_or_else(|| part.clone(), |of| format!("{part}, {of}")));
                }
                next.notes.iter_mut().for_each(|note| *note = format!("{part}: {note}"));
                if next.signers.is_empty() && !next.is_carrier {
                    let message = format!("no signer{}", unless(allow_unsigned));
                    next.findings.push(Finding::new("unsigned-parts", allow_unsigned, message));
                }
                next.findings.iter_mut().for_each(|finding| finding.message = format!("{part}: {}", finding.message));
            }
            if number == 1 {
                (joined.content_type, joined.content, joined.layers) = (next.content_type, next.content, next.layers);
            }
            joined.secret |= next.secret;
            joined.headers = joined.headers.or(next.headers);
            joined.signers.extend(next.signers);
            joined.findings.extend(next.findings);
            joined.notes.extend(next.notes);
        }
        if several {
            joined.notes.push("the content type and length are those of message 1".to_owned());
        }
        joined
    }
}
