//! The server's TLS certificate: from its own CA, or from files.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tagwise_ca::serve::Pool;
use tagwise_ca::{AltName, Authority, Documents, Error, Order, Profile, Restrictions, Store};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType, Signer};
use tagwise_path::{Anchor, Anchors, CryptoVerifier, Policy, Profile as Rules};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{CertificateBuf, UnixTime, Validity, oids};
use tagwise_rustls::{ClientVerifier, Judge};
use tagwise_serve::tls::Tls;
use tagwise_serve::tls::rustls::pki_types::pem::PemObject;
use tagwise_serve::tls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tagwise_serve::tls::rustls::server::{NoClientAuth, NoServerSessionStorage};
use tagwise_serve::tls::rustls::{ServerConfig, crypto, version};

use crate::config::TlsClients;

/// A certificate with its chain and private key.
#[derive(Debug)]
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    not_before: UnixTime,
    not_after: UnixTime,
}

/// Issues the server's TLS certificates with the CA's key.
#[derive(Clone)]
pub struct IdentityIssuer {
    /// The CA.
    pub authority: Arc<Authority>,
    /// The CA's key.
    pub signer: Arc<dyn Signer>,
    /// The backend that generates keys.
    pub backend: &'static dyn Backend,
    /// The names and addresses in the certificate.
    pub names: Vec<AltName>,
    /// The validity period.
    pub lifetime: Duration,
}

impl std::fmt::Debug for IdentityIssuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdentityIssuer").field("names", &self.names).finish_non_exhaustive()
    }
}

/// The time by which certificates begin before their issuance, for clients with slow clocks.
const BACKDATE: Duration = Duration::from_secs(300);

/// The interval at which the certificate's age is checked.
pub(crate) const RENEWAL: Duration = Duration::from_secs(30);

impl IdentityIssuer {
    /// Generates a key and issues a certificate for it, which is stored like every other. The key is not stored.
    ///
    /// # Errors
    /// Any error of the CA, the database or the random number generator.
    pub fn issue(&self, store: &mut dyn Store, now: UnixTime) -> Result<Identity, Error> {
        let crypto = |error| Error::Crypto { what: "the server's key", error };
        let key = self.backend.generate(KeyType::P256).map_err(crypto)?;
        let own = self.authority.certificate().tbs_certificate.validity;
        let not_before = now.saturating_sub(BACKDATE).max(own.not_before.unix());
        let not_after = Validity::end(not_before, self.lifetime).min(own.not_after.unix());
        let order = Order {
            subject: NameBuf::default(),
            names: self.names.clone(),
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Server,
            not_before,
            not_after,
        };
        let issued = self.authority.issue(store, self.backend, &*self.signer, &order, now)?;
        let chain = [issued.der, self.authority.certificate_der().to_vec()].map(CertificateDer::from).to_vec();
        let key = key.to_pkcs8().map_err(crypto)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.expose().to_vec()));
        Ok(Identity { chain, key, not_before, not_after })
    }

    /// Issues a certificate, and returns TLS with it and a task that replaces it halfway through its validity. If that
    /// fails, the task reports the reason and tries again.
    ///
    /// # Errors
    /// Any error from [`issue`](Self::issue).
    pub async fn start(
        self,
        pool: Pool<dyn Documents>,
        report: impl Fn(&str) + Send + 'static,
    ) -> Result<(Tls, impl Future<Output = ()> + Send + 'static), String> {
        let renewed = move |issuer: Self, pool: Pool<dyn Documents>| async move {
            let own = issuer.clone();
            let identity = pool.run(move |store| own.issue(store, SystemTime::now().into())).await;
            let identity = identity.map_err(|error| format!("the server's certificate: {error}"))?;
            let config = identity.config(TlsClients::None, issuer.authority.certificate_der())?;
            Ok::<_, String>((config, identity.due()))
        };
        let (config, mut due) = renewed(self.clone(), pool.clone()).await?;
        let tls = Tls::new(config);
        let own = tls.clone();
        let task = async move {
            loop {
                tokio::time::sleep(RENEWAL).await;
                if UnixTime::from(SystemTime::now()) < due {
                    continue;
                }
                match renewed(self.clone(), pool.clone()).await {
                    Ok((config, next)) => {
                        own.replace(config);
                        due = next;
                    }
                    Err(what) => report(&what),
                }
            }
        };
        Ok((tls, task))
    }
}

impl Identity {
    /// Reads a certificate with its chain, and its key, from PEM files.
    ///
    /// # Errors
    /// The file and the reason, also if the certificate is not valid now.
    pub fn read(certificate: &Path, key: &Path, now: UnixTime) -> Result<Self, String> {
        let wrong = |path: &Path, what: String| format!("{}: {what}", path.display());
        let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let chain = chain.map_err(|error| wrong(certificate, error.to_string()))?;
        let Some(own) = chain.first() else {
            return Err(wrong(certificate, "no certificate found, expected PEM".to_owned()));
        };
        let own = CertificateBuf::from_der(own.to_vec()).map_err(|error| wrong(certificate, error.to_string()))?;
        let validity = own.get().tbs_certificate.validity;
        let (not_before, not_after) = (validity.not_before.unix(), validity.not_after.unix());
        if now > not_after {
            return Err(wrong(certificate, format!("the certificate expired at {not_after}")));
        }
        if now < not_before {
            return Err(wrong(certificate, format!("the certificate is not valid before {not_before}")));
        }
        let own = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, error.to_string()))?;
        let identity = Self { chain, key: own, not_before, not_after };
        // Checks that the key is that of the certificate.
        identity.config(TlsClients::None, &[]).map_err(|what| wrong(key, what))?;
        Ok(identity)
    }

    /// The certificate in DER.
    pub(crate) fn certificate(&self) -> &[u8] {
        self.chain.first().map_or(&[], |der| der.as_ref())
    }

    /// The end of the certificate's validity.
    #[must_use]
    pub const fn not_after(&self) -> UnixTime {
        self.not_after
    }

    /// The time at which the certificate should be replaced, halfway through its validity.
    #[must_use]
    pub fn due(&self) -> UnixTime {
        self.not_before.saturating_add(self.not_after.since(self.not_before).unwrap_or_default() / 2)
    }

    /// The configuration for a listener, which accepts client certificates that the CA has issued. `authority` is the CA's
    /// certificate in DER.
    ///
    /// # Errors
    /// The reason, if the key is not that of the certificate.
    pub fn config(&self, clients: TlsClients, authority: &[u8]) -> Result<ServerConfig, String> {
        static BACKEND: AwsLc = AwsLc::new();
        let provider = Arc::new(crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_protocol_versions(&[&version::TLS13, &version::TLS12]);
        let builder = builder.map_err(|error| error.to_string())?;
        let builder = if clients == TlsClients::None {
            builder.with_client_cert_verifier(Arc::new(NoClientAuth))
        } else {
            let mut anchors = Anchors::new();
            anchors.add(Anchor::from_certificate(authority).map_err(|error| error.to_string())?);
            let mut policy = Policy::new(&Rules::RFC5280, UnixTime::EPOCH);
            policy.require_purpose(oids::KP_CLIENT_AUTH);
            let verifier = ClientVerifier::new(Judge::new(anchors, policy, CryptoVerifier(&BACKEND)), &provider);
            let verifier = if clients == TlsClients::Optional { verifier.optional() } else { verifier };
            builder.with_client_cert_verifier(Arc::new(verifier))
        };
        let config = builder.with_single_cert(self.chain.clone(), self.key.clone_key());
        let mut config = config.map_err(|error| error.to_string())?;
        if clients != TlsClients::None {
            // A resumed session would keep a certificate that has expired since.
            config.session_storage = Arc::new(NoServerSessionStorage {});
            config.send_tls13_tickets = 0;
        }
        Ok(config)
    }
}
