//! `tagwise show`: files in, trees out.

mod remote;

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::RuleSet;
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;
use tagwise_show::Lens;
use tagwise_show::Scene;
use tagwise_show::render::openssl::{self, Shown};
use tagwise_show::render::{json, text::Text};
use tagwise_show::tree::Value;
use tagwise_show::{Report, report};
use tagwise_source::{Found, find};

use crate::shared::files;
use crate::shared::moment::{moment, now};
use crate::shared::outcome::{Outcome, unreadable};
use crate::shared::output::{Failure, name_of};
use crate::shared::rules::{self, Door};
use remote::{Session, Target};

pub(crate) const ABOUT: &str = "\
Show certificates, CRLs, certification requests, OCSP and time stamps both ways, CMS (PKCS #7), PKCS #12 in outline, attribute \
certificates and keys, complete and readable. For private keys and passwords, only the length is shown.

The form of a file is detected: PEM with any mix of blocks and text between them, DER (one value \
or several in a row), hexadecimal (also as a dump), base64, zip and gzip, CSV, values in base64 in other text (Kubernetes manifests, \
LDIF, JSON, XML), Java keystores. Every value in it is shown; PEM blocks and formats that are none of these are named.

For a server (tls://HOST:PORT and others, see the examples), the certificates that it sends are shown, valid or not; then \
whether they are valid for it, as `tagwise verify` reports it. A server that has not signed the handshake with the \
certificate's key is not valid, whatever it sends.

Input is held to DER and to the profile of RFC 5280. Where it departs from them, the first error is shown with path, \
offset and clause, then everything that can be read, and the exit code is 1. Offsets count from the \
first byte of the value's own DER.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise show chain.pem                     every certificate of a chain
  tagwise show --json cert.der | jq .        the same for programs (schema tagwise.show/1)
  tagwise show tls://www.example.org:443     what a server sends, and whether it is valid; also smtp+starttls://,
                                             ldap+starttls://, postgres://
  tagwise show --allow negative-serial,ber old.der
                                             tolerate deviations, and list them
  tagwise show request.csr response.ocsp keys.p12
                                             any kind of file
  tagwise show --entries 100 list.crl        the first 100 entries of a CRL
  tagwise show --text=openssl chain.pem      as `openssl x509 -text -noout` prints it, every certificate; characters that
                                             cannot be seen are escaped

Exit codes: 0 all is well; 1 something is malformed, a server's certificate is not valid, or there is nothing to show; 2 usage; \
3 a file could not be read, or a server sends no certificate; 4 a budget or missing evidence kept a server from being judged.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Files, and servers as tls://HOST:PORT; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(file_or_server))]
    files: Vec<PathBuf>,
    /// Print JSON (schema tagwise.show/1)
    #[arg(long, conflicts_with = "text")]
    json: bool,
    /// Print text in another tool's layout: `openssl` is that of `openssl x509 -text` and `openssl crl -text`, version
    /// 3.0
    #[arg(long, value_name = "LAYOUT")]
    text: Option<Layout>,
    /// Entries of a CRL to show: a number, or `all` [default: all; on a terminal 20]
    #[arg(long, value_name = "N", value_parser = entries)]
    entries: Option<usize>,
    /// Show keys and signatures whole in text; JSON always has them
    #[arg(long)]
    full: bool,
    /// Judge validity at this moment instead of now, as in 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    #[command(flatten)]
    remote: remote::Options,
}

/// A file, or the address of a server.
fn file_or_server(text: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match remote::target(&path) {
        Some(Err(problem)) => Err(problem),
        _ => Ok(path),
    }
}

/// Another tool's layout.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Layout {
    /// OpenSSL 3.0
    Openssl,
}

fn entries(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        text => text.parse().map_err(|_error| "not a number and not `all`".to_owned()),
    }
}

impl ShowArgs {
    /// The rules that it can do without: those of paths for servers alone.
    pub(crate) fn door(&self) -> Door {
        let is_server = self.files.iter().any(|file| remote::target(file).is_some());
        Door { paths: is_server, ..Door::EVERY }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Those of the writers.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let show = Show {
            files: self.files,
            rules: rules::in_force().decoding,
            json: self.json,
            openssl: matches!(self.text, Some(Layout::Openssl)),
            color,
            full: self.full,
            entries: self.entries,
            now: self.at.unwrap_or_else(now),
            at: self.at,
            remote: self.remote,
        };
        show.run(out, err).map(Outcome::code)
    }
}

/// Number of a CRL's entries that a terminal gets.
const SCREEN: usize = 20;

/// Settings of `show`.
#[derive(Clone, Debug)]
pub struct Show {
    /// The files; `-` is standard input. `tls://HOST:PORT` and the like are servers.
    pub files: Vec<PathBuf>,
    /// Tolerated rules.
    pub rules: RuleSet,
    /// JSON instead of text.
    pub json: bool,
    /// Text as OpenSSL has it.
    pub openssl: bool,
    /// Text in colour.
    pub color: bool,
    /// Keys and signatures whole in text.
    pub full: bool,
    /// Number of entries of a CRL to show, if given.
    pub entries: Option<usize>,
    /// The moment that validity is judged at.
    pub now: UnixTime,
    /// The moment that the user states.
    at: Option<UnixTime>,
    /// The options for servers.
    remote: remote::Options,
}

/// An input.
enum Source {
    File(Vec<u8>),
    Server(Target, Session),
}

impl Source {
    fn found(&self, rules: RuleSet) -> Found<'_> {
        match self {
            Self::File(bytes) => find(bytes, rules),
            Self::Server(_, session) => session.found(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::File(bytes) => bytes.len(),
            Self::Server(_, session) => session.certificates.iter().map(Vec::len).sum(),
        }
    }
}

impl Show {
    /// Shows everything: what there is to say on `out`, why the exit code is not 0 on `err`.
    ///
    /// # Errors
    /// Those of the writers; unreadable files are part of the outcome.
    pub fn run(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        match self {
            Self { json: true, .. } => self.json(out, err),
            Self { openssl: true, .. } => self.openssl(out, err),
            _ => self.text(out, err),
        }
    }

    /// Reads a file, or asks a server.
    fn open(&self, path: &Path) -> Result<Source, String> {
        match remote::target(path) {
            None => files::load(path).map(Source::File).map_err(|error| unreadable(&error)),
            Some(target) => {
                let target = target?;
                let session = remote::fetch(&target, &self.remote)?;
                Ok(Source::Server(target, session))
            }
        }
    }

    fn scene(&self) -> Scene {
        Scene { lens: Lens::new(self.rules), now: self.now, entries: self.entries, depth: 0 }
    }

    fn text(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut first = true;
        let mut scene = self.scene();
        for path in &self.files {
            let name = name_of(path);
            let source = match self.open(path) {
                Ok(source) => source,
                Err(error) => {
                    outcome.unreadable = true;
                    out.flush()?;
                    writeln!(err, "tagwise: {name}: {error}")?;
                    continue;
                }
            };
            let found = source.found(self.rules);
            // Lists of one screen, unless they go to a file or a program.
            if self.entries.is_none() && io::stdout().is_terminal() {
                scene.entries = Some(SCREEN);
            }
            let mut known = false;
            let mut text = Text::new(&mut *out, self.color, self.full);
            for (index, item) in found.items.iter().enumerate() {
                let report = report(item, (index + 1, found.items.len()), &name, self.rules, &scene);
                text.heading(&report.heading, first)?;
                text.fields(&report.record.fields, 2)?;
                first = false;
                known |= report.known || !report.sound;
                if let Some(line) = complaint(&report, index, &found) {
                    outcome.negative = true;
                    text.flush()?;
                    writeln!(err, "tagwise: {name}: {line}")?;
                }
            }
            if !known {
                outcome.negative = true;
                text.flush()?;
                writeln!(err, "tagwise: {name}: {}", found.nothing("certificate and no CRL", source.len()))?;
            }
            self.server(&source, &name, &mut outcome, out, err)?;
        }
        out.flush()?;
        Ok(outcome)
    }

    /// Judges a server, if the source is one, and writes the verdict.
    fn server(
        &self,
        source: &Source,
        name: &str,
        outcome: &mut Outcome,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        let Source::Server(target, session) = source else { return Ok(()) };
        match remote::judge(target, session, &self.remote, self.at, self.now) {
            Ok(judged) => {
                outcome.add(judged.status());
                writeln!(out)?;
                judged.text(name, self.color, out)
            }
            Err(failure) => {
                out.flush()?;
                unjudged(failure, outcome, err)
            }
        }
    }

    /// Certificates and CRLs as OpenSSL prints them, one after the other; after those of a server, the verdict on it.
    fn openssl(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        for path in &self.files {
            let name = name_of(path);
            let source = match self.open(path) {
                Ok(source) => source,
                Err(error) => {
                    outcome.unreadable = true;
                    out.flush()?;
                    writeln!(err, "tagwise: {name}: {error}")?;
                    continue;
                }
            };
            let found = source.found(self.rules);
            let mut known = false;
            for (index, item) in found.items.iter().enumerate() {
                let Shown { known: is_known, error } = openssl::write(item, self.rules, out)?;
                known |= is_known;
                if let Some(error) = error {
                    outcome.negative = true;
                    out.flush()?;
                    writeln!(err, "tagwise: {name}: {}", numbered(&error, index, &found))?;
                }
            }
            if !known {
                outcome.negative = true;
                out.flush()?;
                writeln!(err, "tagwise: {name}: {}", found.nothing("certificate and no CRL", source.len()))?;
            }
            self.server(&source, &name, &mut outcome, out, err)?;
        }
        Ok(outcome)
    }

    fn json(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        let document = Document { show: self, outcome: Cell::default() };
        json::write(out, &document)?;
        let outcome = document.outcome.get();
        if outcome.unreadable {
            writeln!(err, "tagwise: not every file could be read")?;
        }
        Ok(outcome)
    }
}

/// Reports why a server was not judged.
fn unjudged(failure: Failure, outcome: &mut Outcome, err: &mut dyn Write) -> io::Result<()> {
    outcome.unreadable = true;
    match failure {
        Failure::Output(error) => Err(error),
        Failure::Said(_, message) => writeln!(err, "tagwise: {}", visible(&message)),
    }
}

/// Reason for exit code 1 that an item adds.
fn complaint(report: &Report<'_>, index: usize, found: &Found<'_>) -> Option<String> {
    Some(numbered(report.error.as_ref()?, index, found))
}

/// A complaint with the number of the item, if there are several.
fn numbered(error: &str, index: usize, found: &Found<'_>) -> String {
    let which = if found.items.len() > 1 { format!("{} of {}: ", index + 1, found.items.len()) } else { String::new() };
    format!("{which}{}", visible(error))
}

/// The JSON document, made while it is written.
struct Document<'s> {
    show: &'s Show,
    outcome: Cell<Outcome>,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "tagwise.show/1")?;
        map.serialize_entry("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))?;
        map.serialize_entry("files", &Files(self))?;
        map.serialize_entry("exit_code", &self.outcome.get().code())?;
        map.end()
    }
}

struct Files<'d>(&'d Document<'d>);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.show.files.iter().map(|path| FileOf(self.0, path)))
    }
}

struct FileOf<'d>(&'d Document<'d>, &'d Path);

impl Serialize for FileOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(document, path) = self;
        let mut map = serializer.serialize_map(None)?;
        let stdin = path.as_os_str() == "-";
        map.serialize_entry("path", &if stdin { None } else { Some(path.to_string_lossy()) })?;
        let mut outcome = document.outcome.get();
        match document.show.open(path) {
            Ok(source) => {
                let found = source.found(document.show.rules);
                map.serialize_entry("form", found.form)?;
                map.serialize_entry("size", &source.len())?;
                let known = Cell::new(false);
                map.serialize_entry("items", &Items { document, found: &found, known: &known })?;
                if !known.get() {
                    map.serialize_entry("error", &found.nothing("certificate and no CRL", source.len()))?;
                }
                outcome = document.outcome.get();
                outcome.negative |= !known.get();
                if let Source::Server(target, session) = &source {
                    match remote::judge(target, session, &document.show.remote, document.show.at, document.show.now) {
                        Ok(judged) => {
                            outcome.add(judged.status());
                            map.serialize_entry("tls", &judged.document().map_err(S::Error::custom)?)?;
                        }
                        Err(Failure::Said(_, message)) => {
                            outcome.unreadable = true;
                            map.serialize_entry("error", &message)?;
                        }
                        Err(Failure::Output(error)) => return Err(S::Error::custom(error)),
                    }
                }
            }
            Err(error) => {
                outcome.unreadable = true;
                map.serialize_entry("error", &error)?;
            }
        }
        document.outcome.set(outcome);
        map.end()
    }
}

struct Items<'d> {
    document: &'d Document<'d>,
    found: &'d Found<'d>,
    known: &'d Cell<bool>,
}

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let show = self.document.show;
        let mut seq = serializer.serialize_seq(Some(self.found.items.len()))?;
        for (index, item) in self.found.items.iter().enumerate() {
            let place = (index + 1, self.found.items.len());
            let report = report(item, place, "", show.rules, &show.scene());
            self.known.set(self.known.get() || report.known || !report.sound);
            let mut outcome = self.document.outcome.get();
            outcome.negative |= !report.sound;
            self.document.outcome.set(outcome);
            seq.serialize_element(&Value::Record(report.record))?;
        }
        seq.end()
    }
}
