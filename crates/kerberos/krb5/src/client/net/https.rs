//! An HTTPS client for proxies, based on `rustls` with AWS-LC.

use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use super::kkdcp::{Https, MAX_ANSWER, MEDIA_TYPE};

/// An HTTPS client for proxies, with its trust anchors.
#[derive(Clone, Debug)]
pub struct Proxies {
    agent: Agent,
}

impl Proxies {
    /// Creates a client with the given DER certificates as trust anchors. If there are none, the system's trust anchors are used.
    #[must_use]
    pub fn new(anchors: &[Vec<u8>]) -> Self {
        let certificates: Vec<Certificate<'static>> = match anchors.is_empty() {
            // Without one, no server is trusted.
            true => {
                let found = rustls_native_certs::load_native_certs().certs;
                found.iter().map(|der| Certificate::from_der(der).to_owned()).collect()
            }
            false => anchors.iter().map(|der| Certificate::from_der(der).to_owned()).collect(),
        };
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .root_certs(RootCerts::new_with_certs(&certificates))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .https_only(true)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            // A proxy may close an idle connection at any time, and a request that it did not answer is not sent again.
            .max_idle_connections(0)
            .user_agent("tagwise")
            .build();
        Self { agent: Agent::new_with_config(config) }
    }
}

impl Https for Proxies {
    fn post(&self, _: &str, url: &str, body: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
        let request = self.agent.post(url).config().timeout_global(Some(timeout)).build();
        let request = request.content_type(MEDIA_TYPE).header("Cache-Control", "no-cache");
        let mut answer = request.send(body).map_err(ureq::Error::into_io)?;
        if answer.status().as_u16() != 200 {
            return Err(io::Error::other(format!("the proxy answered with status {}", answer.status())));
        }
        let mut octets = Vec::new();
        let limit = u64::try_from(MAX_ANSWER).unwrap_or(u64::MAX);
        answer.body_mut().as_reader().take(limit.saturating_add(1)).read_to_end(&mut octets)?;
        match octets.len() > MAX_ANSWER {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "the proxy's reply is too long")),
            false => Ok(octets),
        }
    }
}
