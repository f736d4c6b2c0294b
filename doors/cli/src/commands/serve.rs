//! `tagwise serve`: a CA's services from one configuration file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use serde::Serialize;
use tagwise_daemon::admin::{self, Status};
use tagwise_daemon::{Config, Failure as Failed, Options, Parts, Problems, Started, check, run};
use tagwise_pkix::name::visible;
use tagwise_show::render::json;

use super::ca::openable;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::files;
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::profiles;

pub(crate) const ABOUT: &str = "\
Run the services of a certificate authority from one configuration file, with TLS: ACME, EST, SCEP, CMP, OCSP, CRLs and time stamps.

The CA's database is a SQLite file or a PostgreSQL database, which several servers can share. The CA issues the server's TLS \
certificate and replaces it before it expires. SIGHUP reloads the configuration; if the new one has errors, the old one stays. SIGTERM \
and SIGINT complete current requests and stop the server.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise serve check --config server.toml        report all errors of a configuration
  tagwise serve run --config server.toml
  tagwise serve status --socket admin.sock        see [admin]
  tagwise serve reload --socket admin.sock
  tagwise serve drain --socket admin.sock         report that the server is not ready, before it is stopped

A configuration:
  [ca]
  sqlite = 'ca.db'                        or postgresql = 'host=/run/postgresql dbname=ca'
  passphrase-file = 'passphrase'
  [[listen]]
  address = '0.0.0.0:443'                 or 'fd:NAME', a socket that systemd has opened
  [[listen]]
  address = '0.0.0.0:80'
  plain = true
  services = ['ocsp', 'crl']
  [tls]
  names = ['ca.example.org']              or certificate = 'tls.pem' and key = 'tls.key'
  [acme]                                  the keys of tagwise ca serve-acme
  dns = ['example.org']
  [ocsp]
  [crl]
  [est]
  [cmp]
  [[enroll.grants]]                       who may request what with EST, SCEP and CMP; see tagwise ca enroll
  name = 'servers'
  profile = 'server'
  dns = ['example.org']
  [metrics]
  address = '127.0.0.1:9464'              /metrics for Prometheus, /healthz and /readyz
  [admin]
  socket = 'admin.sock'
  [log]
  format = 'json'

Relative paths are relative to the configuration's folder.
Exit codes: 0 done, or ended by a signal; 1 the configuration has errors, or the server refused; 2 usage error; 3 the configuration \
cannot be read, or the database, an address or the socket cannot be used.";

#[derive(Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Report all errors of a configuration, without changing anything
    Check(ConfigArgs),
    /// Run the services until a signal stops them
    Run(ConfigArgs),
    /// Report the status of a running server
    Status(StatusArgs),
    /// Reload the configuration of a running server, and replace its TLS certificate
    Reload(SocketArgs),
    /// Report to load balancers that a running server is not ready; a reload ends it
    Drain(SocketArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// The configuration, in TOML
    #[arg(long, value_name = "FILE", default_value = "/etc/tagwise/server.toml")]
    config: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SocketArgs {
    /// The server's administration socket
    #[arg(long, value_name = "PATH", default_value = "/run/tagwise/serve.sock")]
    socket: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    socket: SocketArgs,
    /// Write JSON (schema tagwise.serve/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    #[serde(flatten)]
    status: &'a Status,
}

impl ServeCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = match &self {
            Self::Check(args) => args.check(context, out, err),
            Self::Run(args) => args.run(context, out),
            Self::Status(args) => args.status(out),
            Self::Reload(args) => args.send("reload").map(|_| 0),
            Self::Drain(args) => args.send("drain").map(|_| 0),
        };
        finish(done, err)
    }
}

/// Writes the addresses and URLs of a server.
fn announce(started: &Started, out: &mut dyn Write) -> io::Result<()> {
    for (name, local) in &started.listeners {
        writeln!(out, "{name}: {local}")?;
    }
    for url in &started.urls {
        writeln!(out, "{url}")?;
    }
    out.flush()
}

impl ConfigArgs {
    fn parts(&self, context: &Context) -> Parts {
        let (context, folder) = (context.clone(), self.config.parent().unwrap_or(Path::new("")).to_owned());
        let read = move |name: &str| {
            let is_file = name.contains('/') || name.to_ascii_lowercase().ends_with(".toml");
            let path = folder.join(name);
            let name = if is_file { path.to_str().unwrap_or(name) } else { name };
            profiles::for_service(&context, name).map_err(|failure| match failure {
                Failure::Said(_, text) => text,
                Failure::Output(error) => error.to_string(),
            })
        };
        Parts { backend: EMBEDDED, profiles: Arc::new(read) }
    }

    /// Opens the configuration, so that a file that cannot be read has its own exit code.
    fn open(&self) -> Result<(), Failure> {
        let opened = std::fs::metadata(&self.config).and_then(|found| match found.is_file() {
            true => std::fs::File::open(&self.config).map(drop),
            false if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // A pipe is read only once.
            false => Ok(()),
        });
        opened.map_err(|error| Failure::file(&self.config, "read", &error))
    }

    /// Returns the failure for a database file that cannot be opened, as the commands of `tagwise ca` report it.
    fn missing_database(&self) -> Option<Failure> {
        let text = files::regular(&self.config).and_then(|()| std::fs::read_to_string(&self.config));
        let text = text.unwrap_or_default();
        let database = match Config::parse(&self.config, &text) {
            (Some(config), problems) if problems.is_empty() => config.ca.sqlite,
            _ => None,
        };
        database.and_then(|path| openable(&path).err())
    }

    /// Creates the failure for a configuration with errors, of which a missing database may be the only one.
    fn failed(&self, problems: &Problems) -> Failure {
        let missing = if problems.list().len() == 1 { self.missing_database() } else { None };
        missing.unwrap_or_else(|| Failure::negative(problems.to_string()))
    }

    fn check(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        self.open()?;
        let problems = check(&self.config, &self.parts(context));
        for note in problems.notes() {
            writeln!(err, "tagwise: {}: note: {}", name_of(&self.config), visible(note))?;
        }
        if !problems.is_empty() {
            return Err(self.failed(&problems));
        }
        writeln!(out, "{}: good", name_of(&self.config))?;
        Ok(0)
    }

    fn run(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        self.open()?;
        let options = Options {
            config: self.config.clone(),
            parts: self.parts(context),
            log: Box::new(io::stderr()),
            commands: None,
        };
        let mut written = Ok(());
        let done = run(options, |started| written = announce(started, out));
        match done {
            Ok(()) => Ok(written.map(|()| 0)?),
            Err(Failed::Config(problems)) => Err(self.failed(&problems)),
            Err(error) => Err(self.missing_database().unwrap_or_else(|| Failure::Said(3, error.to_string()))),
        }
    }
}

impl SocketArgs {
    fn send(&self, command: &str) -> Result<Option<Status>, Failure> {
        admin::send(&self.socket, command).map_err(|error| {
            let code = if error.kind() == io::ErrorKind::Other { 1 } else { 3 };
            Failure::Said(code, format!("{}: {error}", name_of(&self.socket)))
        })
    }
}

impl StatusArgs {
    fn status(&self, out: &mut dyn Write) -> Result<u8, Failure> {
        let Some(status) = self.socket.send("status")? else {
            return Err(Failure::negative("the server returned no status"));
        };
        if self.json {
            let document = Document { schema: "tagwise.serve/1", command: "status", status: &status };
            json::write(out, &document)?;
            return Ok(0);
        }
        writeln!(out, "{}, process {}, up {} s, {} reloads", status.state, status.pid, status.uptime, status.reloads)?;
        for listener in &status.listeners {
            let tls = if listener.tls { "TLS" } else { "plain" };
            writeln!(out, "{:<24} {tls:<6} {}", listener.address, listener.services.join(" "))?;
        }
        for service in &status.services {
            writeln!(out, "{:<6} {} requests, {} errors", service.name, service.requests, service.errors)?;
        }
        writeln!(out, "{} certificates issued, {} database errors", status.issued, status.database_errors)?;
        if let Some(time) = &status.tls_not_after {
            writeln!(out, "TLS certificate valid until {}", visible(time))?;
        }
        Ok(0)
    }
}
