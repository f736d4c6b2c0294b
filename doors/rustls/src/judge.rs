//! The code shared by both verifiers: anchors, policy, and path validation.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::Error;
use rustls::pki_types::{CertificateDer, UnixTime};
use tagwise_path::{Anchors, ExpectedName, Path, Policy, Pool, Report, Verifier, verify};

use crate::error::certificate_error;

/// A callback for reports.
type Callback = Arc<dyn Fn(&Report) + Send + Sync>;

/// Validates certificates with trust anchors, a policy, and a signature verifier.
///
/// Each handshake replaces the policy's time and expected names. The rest of the policy applies unchanged: rules, purposes, key sizes,
/// CRLs, budgets.
///
/// ```
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::{Anchors, CryptoVerifier, Policy, Profile};
/// use tagwise_pkix::UnixTime;
/// use tagwise_rustls::Judge;
///
/// static BACKEND: AwsLc = AwsLc::new();
/// let policy = Policy::new(&Profile::WEBPKI, UnixTime(0));
/// let judge = Judge::new(Anchors::new(), policy, CryptoVerifier(&BACKEND))
///     .on_refusal(|report| eprintln!("{report}"));
/// # let _ = judge;
/// ```
#[derive(Clone)]
pub struct Judge<V> {
    pub(crate) anchors: Arc<Anchors>,
    policy: Policy,
    intermediates: Pool,
    verifier: V,
    on_refusal: Option<Callback>,
}

impl<V> fmt::Debug for Judge<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = &self.policy;
        f.debug_struct("Judge")
            .field("anchors", &self.anchors.len())
            .field("profile", &policy.profile)
            .field("intermediates", &self.intermediates.len())
            .finish_non_exhaustive()
    }
}

impl<V: Verifier> Judge<V> {
    /// Creates a judge from trust anchors, a policy, and a verifier for certificate signatures.
    #[must_use]
    pub fn new(anchors: impl Into<Arc<Anchors>>, policy: Policy, verifier: V) -> Self {
        Self { anchors: anchors.into(), policy, intermediates: Pool::new(), verifier, on_refusal: None }
    }

    /// Adds intermediate certificates to those that the peer sends. They are copied in each handshake, so use a few dozen at
    /// most, not thousands.
    #[must_use]
    pub fn intermediates(mut self, pool: Pool) -> Self {
        self.intermediates = pool;
        self
    }

    /// Sets a callback for the report of each rejected certificate, for logging.
    #[must_use]
    pub fn on_refusal(mut self, callback: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.on_refusal = Some(Arc::new(callback));
        self
    }

    /// Validates a server's certificate at the given time, with the other certificates that the server sent. `stapled` is the
    /// OCSP response in the handshake. If it is empty, a certificate that requires one (RFC 7633) is rejected.
    ///
    /// # Errors
    /// Returns the report on the rejected certificate.
    pub fn path(
        &self,
        end_entity: &[u8],
        intermediates: &[CertificateDer<'_>],
        names: Vec<ExpectedName>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Result<Path, Report> {
        self.validate(end_entity, intermediates, names, Some(stapled), now)
    }

    /// Validates a certificate like [`path`](Self::path). For a client's certificate, `stapled` is `None`, and no OCSP response is
    /// required.
    fn validate(
        &self,
        end_entity: &[u8],
        intermediates: &[CertificateDer<'_>],
        names: Vec<ExpectedName>,
        stapled: Option<&[u8]>,
        now: UnixTime,
    ) -> Result<Path, Report> {
        let mut policy = self.policy.clone();
        policy.time = tagwise_pkix::UnixTime::EPOCH.saturating_add(Duration::from_secs(now.as_secs()));
        policy.names = names;
        // RFC 7633 §4.2.3.1: whether there is a staple matters to certificates that demand one.
        policy.stapled = stapled.map(|stapled| !stapled.is_empty());
        if let Some(stapled) = stapled.filter(|stapled| !stapled.is_empty()) {
            policy.revocation.evidence.add_ocsp(stapled);
        }
        let mut pool = self.intermediates.clone();
        for sent in intermediates {
            // One that does not decode is of no use in a path, and does no harm.
            let _ = pool.add(sent.as_ref());
        }
        let found = verify::path(end_entity, &pool, &self.anchors, &policy, &self.verifier);
        if let (Err(report), Some(callback)) = (&found, &self.on_refusal) {
            callback(report);
        }
        found
    }

    pub(crate) fn judge(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        names: Vec<ExpectedName>,
        stapled: Option<&[u8]>,
        now: UnixTime,
    ) -> Result<(), Error> {
        match self.validate(end_entity, intermediates, names, stapled, now) {
            Ok(_) => Ok(()),
            Err(report) => Err(Error::InvalidCertificate(certificate_error(report))),
        }
    }
}
