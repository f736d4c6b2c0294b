//! The header of a verified mail: its sender (RFC 8550 §3), and header protection (RFC 9788).

use tagwise_input::mail::{Field, HeaderVerdict, mailboxes};
use tagwise_pkix::name::visible;

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

/// Adds the findings about a mail's header.
pub(super) fn judge(context: &Context, outside: &[Field], outcome: &mut Outcome, layers: &Layers) {
    let signed = outcome.signers.iter().any(|signer| signer.status == Status::Good);
    let certificates: Vec<&[u8]> = outcome.signers.iter().filter_map(|signer| signer.certificate.as_deref()).collect();
    let found = (layers.is_mail && !certificates.is_empty()).then(|| {
        let read = certificates.into_iter().filter_map(|der| certificate(context, der).ok());
        read.flat_map(|certificate| mailboxes(&certificate)).collect::<Vec<String>>()
    });
    let verdict = HeaderVerdict::of(outside, outcome.content.expose(), outcome.secret, found.as_deref());
    outcome.headers = verdict.protection.map(|protection| Headers::new(&protection, signed, outcome.secret));
    outcome.notes.extend(verdict.notes.iter().map(|note| visible(note).to_string()));
    let finding = |found: &tagwise_input::mail::HeaderFinding| Finding::new(found.name(), layers.allowed, found.text());
    outcome.findings.extend(verdict.findings.iter().map(finding));
}
