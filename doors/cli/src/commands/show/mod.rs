//! `tagwise show`: shows files as trees.

mod fields;

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::RuleSet;
use tagwise_input::{Found, find};
use tagwise_pkix::UnixTime;
use tagwise_pkix::name::visible;
use tagwise_show::Lens;
use tagwise_show::Scene;
use tagwise_show::render::openssl::{self, Shown};
use tagwise_show::render::{json, text::Text};
use tagwise_show::tree::Value;
use tagwise_show::{Report, report};

use crate::shared::files;
use crate::shared::moment::{moment, now};
use crate::shared::outcome::{Outcome, unreadable};
use crate::shared::output::{Failure, name_of};
use crate::shared::remote::{self, Session, Target};
use crate::shared::rules::{self, Door};
use crate::shared::servers;

pub(crate) const ABOUT: &str = "\
Show certificates, CRLs, certification requests, OCSP and time-stamp requests and responses, CMS (PKCS #7) messages, PKCS #12 files \
(in outline), attribute certificates and keys, complete and readable. For private keys and passwords, only the length is shown.

The form of a file is detected: PEM with any mix of blocks and text between them, DER (one or more concatenated values), hexadecimal \
(also as a dump), base64, zip and gzip, CSV, base64 values in other text (Kubernetes manifests, LDIF, JSON, XML), and Java keystores. \
Every value in a file is shown; other PEM blocks and formats are only named.

For a server (tls://HOST:PORT and others, see the examples), the certificates that it sends are shown, valid or not, and then whether \
they are valid for the server, as `tagwise verify` reports it. A server that does not sign the handshake with the certificate's key \
is not valid.

Input must conform to DER and the profile of RFC 5280. If it does not, the first error is shown with its path, offset and clause, \
followed by everything that can be read, and the exit code is 1. Offsets count from the first byte of the value's own DER.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise show chain.pem                     every certificate of a chain
  tagwise show --json cert.der | jq .        the same for programs (schema tagwise.show/1)
  tagwise show tls://www.example.org:443     a server's certificates, and whether they are valid; also smtp+starttls://,
                                             ldap+starttls://, postgres://
  tagwise show --allow negative-serial,ber old.der
                                             tolerate deviations, and list them
  tagwise show request.csr response.ocsp keys.p12
                                             any kind of file
  tagwise show --subject --enddate --san cert.pem
                                             only these fields
  tagwise show --entries 100 list.crl        the first 100 entries of a CRL
  tagwise show --text=openssl chain.pem      every certificate, as `openssl x509 -text -noout` prints it; invisible
                                             characters are escaped

Exit codes: 0 no errors; 1 something is malformed, a server's certificate is not valid, or there is nothing to show; 2 usage error; 3 \
a file could not be read, or a server sent no certificate; 4 not known if a server is valid, because of a budget or missing \
evidence.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Files, or servers as tls://HOST:PORT; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(file_or_server))]
    files: Vec<PathBuf>,
    /// Print JSON (schema tagwise.show/1)
    #[arg(long, conflicts_with = "text")]
    json: bool,
    /// Print text in another tool's layout: `openssl` is that of `openssl x509 -text` and `openssl crl -text`, version
    /// 3.0
    #[arg(long, value_name = "LAYOUT")]
    text: Option<Layout>,
    /// Maximum number of CRL entries to show, or `all` [default: 20 on a terminal, otherwise all]
    #[arg(long, value_name = "N", value_parser = entries)]
    entries: Option<usize>,
    /// Show keys and signatures in full in text output; JSON always contains them
    #[arg(long)]
    full: bool,
    /// Check validity at this time instead of now, such as 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    #[command(flatten)]
    fields: fields::FieldArgs,
    #[command(flatten)]
    remote: servers::Options,
}

/// Parses a file path or a server address.
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
        text => text.parse().map_err(|_error| "expected a number or `all`".to_owned()),
    }
}

impl ShowArgs {
    /// Returns the rules that `--allow` can disable. Path validation rules apply only to servers.
    pub(crate) fn door(&self) -> Door {
        let is_server = self.files.iter().any(|file| remote::target(file).is_some());
        Door { paths: is_server, ..Door::EVERY }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
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
            fields: self.fields.chosen(),
            remote: self.remote,
        };
        show.run(out, err).map(Outcome::code)
    }
}

/// The default number of CRL entries on a terminal.
const SCREEN: usize = 20;

/// Settings of `show`.
#[derive(Clone, Debug)]
pub struct Show {
    /// The files to show. `-` is standard input, and URLs such as `tls://HOST:PORT` are servers.
    pub files: Vec<PathBuf>,
    /// The tolerated rules.
    pub rules: RuleSet,
    /// True to print JSON instead of text.
    pub json: bool,
    /// True to print text in OpenSSL's layout.
    pub openssl: bool,
    /// True to color the text.
    pub color: bool,
    /// True to print keys and signatures in full.
    pub full: bool,
    /// The maximum number of CRL entries to show, or `None` for all.
    pub entries: Option<usize>,
    /// The time at which validity is checked.
    pub now: UnixTime,
    /// The time given by the user.
    at: Option<UnixTime>,
    /// The names of the fields to show. If empty, everything is shown.
    fields: Vec<&'static str>,
    /// The options for servers.
    remote: servers::Options,
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
    /// Shows all inputs on `out`, and the reasons for a non-zero exit code on `err`.
    ///
    /// # Errors
    /// Returns an error if writing fails. Unreadable files are part of the outcome.
    pub fn run(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        match self {
            Self { json: true, .. } => self.json(out, err),
            _ if !self.fields.is_empty() => self.fields(out, err),
            Self { openssl: true, .. } => self.openssl(out, err),
            _ => self.text(out, err),
        }
    }

    /// Reads a file or contacts a server.
    fn open(&self, path: &Path) -> Result<Source, String> {
        match remote::target(path) {
            None => files::load(path).map(Source::File).map_err(|error| unreadable(&error)),
            Some(target) => {
                let target = target?;
                let session = remote::fetch(&target, self.remote.timeout())?;
                Ok(Source::Server(target, session))
            }
        }
    }

    fn scene(&self) -> Scene {
        Scene {
            lens: Lens::new(self.rules),
            now: self.now,
            entries: self.entries,
            depth: 0,
            proof: Some(tagwise_mtc::show::proof),
            verify: Some(tagwise_show::verify),
        }
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

    /// Validates a server's certificate, if the source is a server, and writes the verdict.
    fn server(
        &self,
        source: &Source,
        name: &str,
        outcome: &mut Outcome,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        let Source::Server(target, session) = source else { return Ok(()) };
        match servers::judge(target, session, &self.remote, self.at, self.now) {
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

    /// Writes certificates and CRLs in OpenSSL's layout. For a server, the verdict follows.
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

/// Reports why a server was not validated.
fn unjudged(failure: Failure, outcome: &mut Outcome, err: &mut dyn Write) -> io::Result<()> {
    outcome.unreadable = true;
    match failure {
        Failure::Output(error) => Err(error),
        Failure::Said(_, message) => writeln!(err, "tagwise: {}", visible(&message)),
    }
}

/// Returns the reason if an item causes exit code 1.
fn complaint(report: &Report<'_>, index: usize, found: &Found<'_>) -> Option<String> {
    Some(numbered(report.error.as_ref()?, index, found))
}

/// Adds the item's number to an error message, if there are several items.
fn numbered(error: &str, index: usize, found: &Found<'_>) -> String {
    let which = if found.items.len() > 1 { format!("{} of {}: ", index + 1, found.items.len()) } else { String::new() };
    format!("{which}{}", visible(error))
}

/// The JSON document, which is generated while it is written.
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
                map.serialize_entry("form", found.form.name())?;
                map.serialize_entry("size", &source.len())?;
                let known = Cell::new(false);
                map.serialize_entry("items", &Items { document, found: &found, known: &known })?;
                if !known.get() {
                    map.serialize_entry("error", &found.nothing("certificate and no CRL", source.len()))?;
                }
                outcome = document.outcome.get();
                outcome.negative |= !known.get();
                if let Source::Server(target, session) = &source {
                    match servers::judge(target, session, &document.show.remote, document.show.at, document.show.now) {
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
