//! Validation of challenges (RFC 8555 §8, RFC 8737, RFC 8738).

mod caa;
mod connect;
mod dns;
mod http;
mod persist;
mod tls;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tagwise_crypto::{Backend, Digest};

use crate::authorization::Attempt;
use crate::policy::{ChallengeType, Policy};
use crate::problem::{Identifier, Kind, Problem};

/// Validates challenges under a policy.
pub(crate) struct Validator {
    policy: Arc<Policy>,
    backend: &'static dyn Backend,
    dns: dns::Dns,
    tls: tls::Configs,
}

impl Validator {
    /// Creates a validator. It must run within a tokio runtime.
    pub(crate) fn new(policy: Arc<Policy>, backend: &'static dyn Backend) -> Result<Self, String> {
        let dns = dns::Dns::new(policy.resolver)?;
        let tls = tls::Configs::new(backend)?;
        Ok(Self { policy, backend, dns, tls })
    }

    /// Validates a challenge, and checks the CAA records of its name.
    pub(crate) async fn validate(&self, attempt: &Attempt) -> Result<(), Problem> {
        let most = Duration::from_secs(self.policy.validation_seconds);
        let slow =
            || Problem::new(Kind::Connection, format!("the validation took more than {} seconds", most.as_secs()));
        tokio::time::timeout(most, self.run(attempt)).await.unwrap_or_else(|_| Err(slow()))
    }

    async fn run(&self, attempt: &Attempt) -> Result<(), Problem> {
        if !attempt.kind.suits(&attempt.identifier, attempt.wildcard) {
            return Err(Problem::malformed("the challenge cannot validate this identifier"));
        }
        match attempt.kind {
            ChallengeType::Http => self.http(attempt).await?,
            ChallengeType::Dns | ChallengeType::DnsAccount => self.txt(attempt).await?,
            ChallengeType::DnsPersist => self.persistent(attempt).await?,
            ChallengeType::TlsAlpn => self.tls_alpn(attempt).await?,
        }
        if self.policy.checks_caa(&attempt.identifier) { self.caa(attempt).await } else { Ok(()) }
    }

    /// The digest of a key authorization.
    fn digest(&self, attempt: &Attempt) -> Result<Vec<u8>, Problem> {
        self.backend.digest(Digest::Sha256, attempt.key_authorization.as_bytes()).map_err(Problem::internal)
    }

    /// The addresses of a host to which the policy allows connections. They are resolved once, so that the answer of another
    /// query cannot replace them.
    async fn addresses(&self, host: &Identifier) -> Result<Vec<IpAddr>, Problem> {
        let found = match host.value.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.dns.addresses(&host.value).await?,
        };
        if found.is_empty() {
            return Err(Problem::new(Kind::Dns, format!("{} has no address", host.value)));
        }
        let allowed: Vec<IpAddr> = found.into_iter().filter(|address| self.policy.may_connect(*address)).collect();
        if allowed.is_empty() {
            let what = format!("the policy does not allow connections to the addresses of {}", host.value);
            return Err(Problem::new(Kind::Connection, what));
        }
        Ok(allowed)
    }
}
