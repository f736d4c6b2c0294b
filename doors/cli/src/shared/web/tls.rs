//! TLS for `https`: the anchors for servers, and the verification of their certificates, for which nothing is fetched.

use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::trust::Origin;

#[cfg(feature = "tls")]
pub(super) use with::{TlsConfig, start};
#[cfg(not(feature = "tls"))]
pub(super) use without::{TlsConfig, start};

/// The anchors for servers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tls(Option<TlsConfig>);

impl Tls {
    /// Without anchors, `https` is not supported.
    pub(super) const fn none() -> Self {
        Self(None)
    }

    /// Reads the anchors. Without any source, `https` is not supported.
    ///
    /// # Errors
    /// Returns an error if a source cannot be read, or this command was built without TLS.
    pub(crate) fn new(context: &Context, origins: &[Origin]) -> Result<Self, Failure> {
        if origins.is_empty() {
            return Ok(Self::none());
        }
        TlsConfig::new(context, origins).map(|config| Self(Some(config)))
    }

    pub(super) const fn is_some(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn config(&self) -> Result<TlsConfig, String> {
        self.0.clone().ok_or_else(|| "no trust anchors for https servers".to_owned())
    }
}

#[cfg(feature = "tls")]
mod with {
    use std::sync::{Arc, Mutex, PoisonError};

    use rustls::ClientConfig;
    use rustls::pki_types::ServerName;
    use tagwise_path::{CryptoVerifier, Policy, Profile, Report};
    use tagwise_pkix::name::visible;
    use tagwise_pkix::oids;
    use tagwise_rustls::{Judge, ServerVerifier};
    use tokio::net::TcpStream;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::client::TlsStream;

    use crate::shared::backend::EMBEDDED;
    use crate::shared::context::Context;
    use crate::shared::moment::now;
    use crate::shared::output::{Failure, reason};
    use crate::shared::trust::{Origin, read_anchors};

    /// The configuration of connections, with the reason for the last rejected certificate.
    #[derive(Clone, Debug)]
    pub(crate) struct TlsConfig {
        config: Arc<ClientConfig>,
        refused: Arc<Mutex<Option<String>>>,
    }

    impl TlsConfig {
        pub(super) fn new(context: &Context, origins: &[Origin]) -> Result<Self, Failure> {
            let anchors = read_anchors(context, origins, None)?;
            // Public roots have the CA/Browser Forum's rules, and the user's own ones those of RFC 5280.
            let is_public = origins.iter().all(|origin| !matches!(origin, Origin::Path(_)));
            let profile = if is_public { &Profile::WEBPKI } else { &Profile::RFC5280 };
            let mut policy = Policy::new(profile, now());
            policy.purposes = vec![oids::KP_SERVER_AUTH.into()];
            let refused = Arc::new(Mutex::new(None));
            let place = Arc::clone(&refused);
            let judge = Judge::new(anchors, policy, CryptoVerifier(EMBEDDED)).on_refusal(move |report: &Report| {
                let why = report.refusal().map_or_else(|| report.to_string(), ToString::to_string);
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
            });
            let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
            let verifier = Arc::new(ServerVerifier::new(judge, &provider));
            let mut config = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .map_err(|error| Failure::negative(error.to_string()))?
                .dangerous()
                .with_custom_certificate_verifier(verifier)
                .with_no_client_auth();
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            Ok(Self { config: Arc::new(config), refused })
        }
    }

    /// Starts TLS on a connection.
    pub(crate) async fn start(host: &str, tls: TlsConfig, stream: TcpStream) -> Result<TlsStream<TcpStream>, String> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        *tls.refused.lock().unwrap_or_else(PoisonError::into_inner) = None;
        TlsConnector::from(tls.config).connect(name, stream).await.map_err(|error| {
            let refused = tls.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
            match refused {
                Some(why) => format!("the server's certificate is not accepted: {}", visible(&why)),
                None => format!("TLS: {}", reason(&error)),
            }
        })
    }
}

#[cfg(not(feature = "tls"))]
mod without {
    use tokio::net::TcpStream;

    use crate::shared::context::Context;
    use crate::shared::output::Failure;
    use crate::shared::trust::Origin;

    /// There is no configuration without TLS.
    #[derive(Clone, Debug)]
    pub(crate) enum TlsConfig {}

    impl TlsConfig {
        pub(super) fn new(_: &Context, _: &[Origin]) -> Result<Self, Failure> {
            Err(Failure::usage("this command was built without the feature tls"))
        }
    }

    pub(crate) async fn start(_: &str, tls: TlsConfig, _: TcpStream) -> Result<TcpStream, String> {
        match tls {}
    }
}
