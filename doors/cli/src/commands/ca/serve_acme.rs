//! `tagwise ca serve-acme`.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tagwise_acme::{Acme, Counters, Limits, NamedProfile, Policy, serve};
use tagwise_ca::serve::Pool;
use tagwise_ca::{Documents, Error, SqliteOptions, SqliteStore};
use tagwise_pkix::name::visible;
use tokio::net::TcpListener;

use super::common::{DAY, KeyArgs};
use super::profile;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};
use crate::shared::stop::stop;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise ca serve-acme --config acme.toml --plain            on http://127.0.0.1:8555/, for a reverse proxy
  certbot certonly --standalone --server http://127.0.0.1:8555/directory -d www.example.org

A configuration:
  url = 'https://ca.example.org'          the URL for clients, if a reverse proxy is in front
  dns = ['example.org']                   names that may be ordered: these domains, and all below them
  ip = ['192.0.2.0/24']                   addresses that may be ordered
  wildcards = true
  challenges = ['http-01', 'dns-01', 'tls-alpn-01']
  profiles = ['server', 'vpn.toml']       the first is the default
  external-account-required = true        see tagwise ca acme eab
  caa = 'public'                          whose CAA records are checked: public (default), always or never
  caa-identities = ['ca.example.org']
  resolver = '192.0.2.53:53'              the DNS server for validation [default: the system's]

All state is in the CA's database. Several servers can share it, and each can finish what another began. Certificates are issued with \
the CA's key, so they can be revoked and listed with the other commands. Validation does not connect to loopback, link-local and \
multicast addresses, unless `allow-addresses` contains them.
Exit codes: 0 ended by a signal; 1 the key or the configuration cannot be used; 2 usage error; 3 a file, the address or the database cannot be used.";

/// Number of connections to the database.
const STORES: usize = 4;

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
    /// Serve HTTP without TLS, on a loopback address, for a reverse proxy
    #[arg(long, required = true)]
    plain: bool,
}

impl ServeAcmeArgs {
    /// The policy and its profiles.
    fn policy(&self, context: &Context) -> Result<(Policy, Vec<NamedProfile>), Failure> {
        let octets = context.load(&self.config).map_err(|error| Failure::file(&self.config, "read", &error))?;
        let text = String::from_utf8(octets).map_err(|error| error.to_string());
        let policy = text.and_then(|text| Policy::from_toml(&text));
        let policy =
            policy.map_err(|what| Failure::negative(format!("{}: {}", name_of(&self.config), visible(&what))))?;
        let mut profiles = Vec::new();
        for name in &policy.profiles {
            let definition = profile::of(context, name)?;
            let days = definition.validity.as_secs() / DAY.as_secs();
            let (name, description) = (definition.name.clone(), format!("valid for {days} days"));
            profiles.push(NamedProfile { name, description, definition: Arc::new(definition) });
        }
        Ok((policy, profiles))
    }

    pub(super) fn serve(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        if !self.listen.ip().is_loopback() {
            return Err(Failure::usage(format!(
                "--plain requires a loopback address, found {}: requests would be sent without TLS (RFC 8555 §6.1)",
                self.listen.ip()
            )));
        }
        let (policy, profiles) = self.policy(context)?;
        let (store, authority) = self.key.open()?;
        let signer = self.key.signer(&authority)?;
        drop(store);
        // A client does not wait as long as a person.
        let options = SqliteOptions { patience: Duration::from_secs(5), ..SqliteOptions::DEFAULT };
        let open = |_| SqliteStore::open(self.key.path(), &options).map(|store| Box::new(store) as Box<dyn Documents>);
        let stores = (0..STORES).map(open).collect::<Result<Vec<_>, Error>>();
        let stores = stores.map_err(|error| self.key.failed(&error))?;
        let failed = |error: io::Error| Failure::Said(3, format!("{}: {error}", self.listen));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
        let counters = Arc::new(Counters::default());
        runtime.block_on(async {
            let stop = stop().map_err(failed)?;
            let listener = TcpListener::bind(self.listen).await.map_err(failed)?;
            let url = format!("http://{}", listener.local_addr().map_err(failed)?);
            let acme = Acme::new(authority, Arc::new(signer), EMBEDDED, policy, profiles, &url);
            let acme = acme.map_err(Failure::negative)?;
            writeln!(out, "{}", acme.directory_url())?;
            out.flush()?;
            let report = |error: &str| {
                let _ = writeln!(io::stderr(), "tagwise: {}", visible(&error));
            };
            let counters = Arc::clone(&counters);
            let served = serve(listener, acme, Pool::new(stores), Limits::DEFAULT, counters, Box::new(report), stop);
            served.await.map_err(Failure::negative)
        })?;
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (requests, problems) = (count(&counters.requests), count(&counters.problems));
        writeln!(err, "{requests} requests, {problems} problems, {} validations", count(&counters.validations))?;
        Ok(0)
    }
}
