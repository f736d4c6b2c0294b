//! The revocation status of checked certificates, with `--fetch`.

use tagwise_path::Pool;
use tagwise_pkix::name::visible;

use super::{Answer, Seen};
use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::web::{Fetched, Fetcher, Revocation};

/// A certificate whose revocation status is determined after all files have been read, because its issuer may be in any of them.
pub(super) struct Waiting {
    pub(super) seen: Seen,
    /// The finding in JSON, if that is the format.
    pub(super) json: serde_json::Value,
    pub(super) der: Vec<u8>,
}

impl Waiting {
    /// Determines the revocation status, which is a finding unless it is good or the certificate names no source. Returns whether
    /// it is not known.
    pub(super) fn judge(
        &mut self,
        context: &Context,
        fetcher: &mut Fetcher,
        issuers: &mut Pool,
        log: &mut Vec<Fetched>,
    ) -> Result<bool, Failure> {
        let status = fetcher.status(context, &self.der, issuers)?;
        let fetched = fetcher.take_log();
        // The last failure is that of the last resort.
        let failure = fetched.iter().rev().find_map(Fetched::failure);
        log.extend(fetched);
        let (answer, text) = match status {
            Revocation::Good | Revocation::Unnamed => return Ok(false),
            Revocation::Revoked(text) => (Answer::Revoked, text),
            Revocation::Unknown(text) => {
                // Its expiry is the more certain finding.
                let soon = self.seen.answer == Answer::ExpiresSoon;
                (if soon { Answer::ExpiresSoon } else { Answer::Unknown }, failure.unwrap_or(text))
            }
        };
        let is_unknown = answer != Answer::Revoked;
        let text = visible(&text).to_string();
        if let Some(map) = self.json.as_object_mut() {
            map.insert("status".to_owned(), answer.name().into());
            map.insert("revocation".to_owned(), text.clone().into());
        }
        self.seen.answer = answer;
        self.seen.revocation = Some(text);
        Ok(is_unknown)
    }
}
