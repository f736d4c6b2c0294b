//! `tagwise ca serve-acme`.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tagwise_acme::{Acme, Limits, NamedProfile, Policy, Transport, serve};
use tagwise_ca::serve::Pool;
use tagwise_ca::{AltName, Error};
use tagwise_crypto::Signer;
use tagwise_daemon::IdentityIssuer;
use tagwise_pkix::name::visible;
use tokio::net::TcpListener;

use super::common::{DAY, KeyArgs};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use crate::shared::profiles;
use crate::shared::stop::stop;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca serve-acme --config acme.toml --listen 0.0.0.0:443
  tagwise ca serve-acme --config acme.toml --plain            on http://127.0.0.1:8555/, for a reverse proxy
  REQUESTS_CA_BUNDLE=root.pem certbot certonly --standalone --server https://ca.example.org/directory -d www.example.org

A configuration:
  url = 'https://ca.example.org'          the URL for clients
  dns = ['example.org']                   names that may be ordered: these domains, and all below them
  ip = ['192.0.2.0/24']                   addresses that may be ordered
  wildcards = true
  challenges = ['http-01', 'dns-01', 'tls-alpn-01']
  profiles = ['server', 'vpn.toml']       the first is the default
  external-account-required = true        see tagwise ca acme eab
  caa = 'public'                          whose CAA records are checked: public (default), always or never
  caa-identities = ['ca.example.org']
  resolver = '192.0.2.53:53'              the DNS server for validation [default: the system's]

The CA issues the server's TLS certificate at the start, for the host of `url` and the address, and replaces it every two weeks. Clients \
trust it if they trust the CA. All state is in the CA's database. Several servers can share it, and each can finish what another began. Certificates are issued with \
the CA's key, so they can be revoked and listed with the other commands. Validation does not connect to loopback, link-local and \
multicast addresses, unless `allow-addresses` contains them.
Exit codes: 0 ended by a signal; 1 the key or the configuration cannot be used; 2 usage error; 3 a file, the address or the database cannot be used.";

/// Number of connections to the database.
const STORES: usize = 4;

/// The validity period of the server's certificate.
const TLS: Duration = Duration::from_secs(30 * 86_400);

/// Reports an error while the server runs.
fn report(error: &str) {
    let _ = writeln!(io::stderr(), "tagwise: {}", visible(&error));
}

/// The host of a URL without its scheme.
fn host(rest: &str) -> Option<String> {
    let authority = rest.split('/').next()?;
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_owned())
}

#[derive(Debug, clap::Args)]
pub(crate) struct ServeAcmeArgs {
    #[command(flatten)]
    key: KeyArgs,
    /// The policy, in TOML
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Listen on this address and port; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8555")]
    listen: SocketAddr,
    /// Name or address in the server's TLS certificate; may be repeated [default: the host of `url`, and the address of --listen]
    #[arg(long, value_name = "NAME", conflicts_with = "plain")]
    tls_name: Vec<String>,
    /// Serve HTTP without TLS, on a loopback address, for a reverse proxy
    #[arg(long)]
    plain: bool,
}

impl ServeAcmeArgs {
    /// The policy and its profiles.
    fn policy(&self, context: &Context) -> Result<(Policy, Vec<NamedProfile>), Failure> {
        let octets = context.load(&self.config).map_err(|error| Failure::file(&self.config, "read", &error))?;
        let text = String::from_utf8(octets).map_err(|error| error.to_string());
        let policy = text.and_then(|text| Policy::from_toml(&text));
        let mut policy =
            policy.map_err(|what| Failure::negative(format!("{}: {}", name_of(&self.config), visible(&what))))?;
        let folder = self.config.parent().unwrap_or(Path::new(""));
        policy.alternate_chains.iter_mut().for_each(|path| *path = folder.join(&*path));
        let mut profiles = Vec::new();
        for name in &policy.profiles {
            let definition = profiles::for_service(context, name)?;
            let days = definition.validity.as_secs() / DAY.as_secs();
            let (name, description) = (definition.name.clone(), format!("valid for {days} days"));
            profiles.push(NamedProfile { name, description, definition: Arc::new(definition) });
        }
        Ok((policy, profiles))
    }

    /// The names in the TLS certificate.
    fn names(&self, policy: &Policy) -> Result<Vec<AltName>, Failure> {
        let mut names = self.tls_name.clone();
        if names.is_empty() {
            let rest = policy.url.as_deref().and_then(|url| url.split_once("://")).map(|(_, rest)| rest);
            names.extend(rest.and_then(host));
            let address = self.listen.ip();
            names.extend((!address.is_unspecified()).then(|| address.to_string()));
            names.dedup();
        }
        if names.is_empty() {
            return Err(Failure::usage("no name for the TLS certificate: expected `url` in the policy, or --tls-name"));
        }
        let name = |name: &String| name.parse().map_or_else(|_| AltName::dns(name), |address| Ok(AltName::ip(address)));
        names
            .iter()
            .map(name)
            .collect::<Result<_, Error>>()
            .map_err(|error| Failure::usage(format!("--tls-name: {error}")))
    }

    pub(super) fn serve(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if self.plain && !self.listen.ip().is_loopback() {
            return Err(Failure::usage(format!(
                "--plain requires a loopback address, found {}: requests would be sent without TLS (RFC 8555 §6.1)",
                self.listen.ip()
            )));
        }
        let (policy, profiles) = self.policy(context)?;
        let names = if self.plain { Vec::new() } else { self.names(&policy)? };
        let (store, authority) = self.key.open()?;
        let (authority, signer) = self.key.issuer(authority)?;
        let signer: Arc<dyn Signer> = Arc::new(signer);
        drop(store);
        let pool = Pool::new(self.key.stores(STORES)?);
        // PostgreSQL's client must not be dropped in asynchronous code.
        let kept = pool.clone();
        let failed = |error: io::Error| Failure::Said(3, format!("{}: {error}", self.listen));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        let counters = runtime.block_on(async {
            let stop = stop().map_err(failed)?;
            let listener = TcpListener::bind(self.listen).await.map_err(failed)?;
            let local = listener.local_addr().map_err(failed)?;
            let url = match self.tls_name.first() {
                _ if self.plain => format!("http://{local}"),
                Some(name) => format!("https://{name}:{}", local.port()),
                None => format!("https://{local}"),
            };
            let issuer = IdentityIssuer {
                authority: Arc::new(authority.clone()),
                signer: Arc::clone(&signer),
                backend: EMBEDDED,
                names,
                lifetime: TLS,
            };
            let acme = Acme::new(authority, signer, EMBEDDED, policy, profiles, &url).map_err(Failure::negative)?;
            let acme = acme.with_issued(Arc::new(|what: &str| report(&format!("issued: {what}"))));
            let transport = if self.plain {
                Transport::Plain
            } else {
                let (tls, renewal) = issuer.start(pool.clone(), report).await.map_err(Failure::negative)?;
                tokio::spawn(renewal);
                Transport::Tls(tls)
            };
            writeln!(out, "{}", acme.directory_url())?;
            out.flush()?;
            let counters = Arc::clone(acme.counters());
            let served = serve(listener, transport, acme, pool, Limits::DEFAULT, Box::new(report), stop);
            served.await.map_err(Failure::negative)?;
            Ok::<_, Failure>(counters)
        })?;
        runtime.shutdown_timeout(Limits::DEFAULT.grace);
        drop(kept);
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (requests, problems) = (count(&counters.requests), count(&counters.problems));
        writeln!(err, "{requests} requests, {problems} problems, {} validations", count(&counters.validations))?;
        Ok(0)
    }
}
