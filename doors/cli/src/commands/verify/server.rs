//! Servers, by the certificates that they send.

use super::{Finding, Judge};
use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::remote::{self, Target};
use crate::shared::servers;
use crate::shared::trust::CertificateSource;

impl Judge<'_> {
    /// Verifies a server.
    ///
    /// # Errors
    /// Returns an error if it sends no certificate.
    pub(super) fn server(&self, context: &Context, name: &str, target: &Target) -> Result<Finding, Failure> {
        let connect = &self.args.connect;
        let session =
            remote::fetch(context, target, connect).map_err(|error| Failure::Said(3, format!("{name}: {error}")))?;
        let mut revocation = self.revocation.clone();
        servers::staple(&session, &self.args.evidence, &mut revocation);
        let is_stapled = !session.stapled.is_empty();
        let choice =
            self.args.choice(context, &self.anchors, &revocation, Some((connect.name_for(target), is_stapled)))?;
        let mut sent = session.certificates.iter();
        let der = sent.next().cloned().unwrap_or_default();
        let mut pool = self.untrusted.clone();
        for other in sent {
            // One that does not decode is of no use in a path.
            let _ = pool.add(other.as_slice());
        }
        let leaf = CertificateSource { der, place: name.to_owned(), line: None, offset: 0 };
        let found = self.one(context, leaf, &pool, &choice);
        Ok(Finding { choice: found.choice.or(Some(choice)), session: Some(session), ..found })
    }
}
