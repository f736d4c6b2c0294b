//! `tagwise show`: shows files as trees.

mod fields;
mod printer;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use tagwise_codec::RuleSet;
use tagwise_input::{Content, Found, InputItem, ValueKind, find};
use tagwise_pkix::UnixTime;
use tagwise_show::{Lens, Scene};

use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::outcome::{Outcome, unreadable};
use crate::shared::output::{Failure, name_of};
use crate::shared::remote::{self, Session, Target};
use crate::shared::rules::Door;
use crate::shared::servers;
use printer::{Json, Lines, Printer};

pub(crate) const ABOUT: &str = "\
Show certificates, CRLs, certification requests, OCSP and time-stamp requests and responses, CMS (PKCS #7) messages, PKCS #12 files \
(in outline), attribute certificates and keys, complete and readable. For private keys and passwords, only the length is shown.

The form of a file is detected: PEM with any mix of blocks and text between them, DER (one or more concatenated values), hexadecimal \
(also as a dump), base64, tar, zip, gzip and zstd, entries of CT logs, CSV, base64 values in other text (Kubernetes manifests, LDIF, JSON, XML), and Java keystores. \
Every value in a file is shown; other PEM blocks and formats are only named.

For a server, the certificates that it sends are shown, valid or not, and then whether they are valid for the server, as `tagwise \
verify` reports it. A server that does not sign the handshake with the certificate's key is not valid. Servers are addressed as \
tls://HOST:PORT, or by the scheme of a protocol: imap, imaps, pop3, pop3s, smtp, smtps, submission, submissions, lmtp, sieve, nntp, \
nntps, ldap, ldaps, ftp, ftps, xmpp, xmpps, xmpp-server, postgres, mysql or ircs, with its default port. Those that do not begin with \
TLS are asked to switch to it (STARTTLS, AUTH TLS and the like). Servers that support only TLS 1.0, TLS 1.1 or RSA key exchange are \
named as such.

Input must conform to DER and the profile of RFC 5280. If it does not, the first error is shown with its path, offset and clause, \
followed by everything that can be read, and the exit code is 1. Offsets count from the first byte of the value's own DER.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise show chain.pem                     every certificate of a chain
  tagwise show --json cert.der | jq .        the same for programs (schema tagwise.show/1)
  tagwise show tls://www.example.org:443     a server's certificates, and whether they are valid
  tagwise show imap://mail.example.org smtp://mail.example.org
                                             the same, with STARTTLS
  tagwise show tls://192.0.2.7:443 --servername www.example.org
                                             a server by its address, for a host name
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
    #[arg(required = true, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(remote::file_or_server))]
    files: Vec<PathBuf>,
    /// Print JSON (schema tagwise.show/1)
    #[arg(long, conflicts_with = "text")]
    json: bool,
    /// Print text in another tool's layout: `openssl` is that of `openssl x509 -text` and `openssl crl -text`, version
    /// 3.0
    #[arg(long, value_name = "LAYOUT")]
    text: Option<Layout>,
    /// Show only the first certificate, CRL or request of each file
    #[arg(long)]
    first: bool,
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
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let show = Show { context, now: self.at.unwrap_or_else(now), fields: self.fields.chosen(), args: self };
        show.run(out, err).map(Outcome::code)
    }
}

/// The command with its settings.
struct Show<'c> {
    args: ShowArgs,
    context: &'c Context,
    /// The time at which validity is checked.
    now: UnixTime,
    /// The names of the only fields to show, if any.
    fields: Vec<&'static str>,
}

/// Returns whether `--first` shows a value: a certificate, CRL or request, or a damaged value that may be one.
fn is_object(item: &InputItem<'_>) -> bool {
    let is_key = item.label.as_deref().is_some_and(|label| label.contains("KEY"));
    match item.content {
        Content::Kind(ValueKind::Certificate | ValueKind::CertificateList | ValueKind::CertificationRequest) => true,
        _ => item.problem.is_some() && !is_key,
    }
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

impl Show<'_> {
    /// Shows all inputs on `out`, and the reasons for a non-zero exit code on `err`.
    fn run(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
        if self.args.json {
            return self.show(&mut Json::new(self, out, err)?);
        }
        let item = match self.args.text {
            _ if !self.fields.is_empty() => Lines::fields,
            Some(Layout::Openssl) => Lines::openssl,
            None => Lines::tree,
        };
        self.show(&mut Lines { show: self, out, err, is_first: true, item })
    }

    /// Reads a file or contacts a server.
    fn open(&self, path: &Path) -> Result<Source, String> {
        match remote::target(path) {
            None => self.context.load(path).map(Source::File).map_err(|error| unreadable(&error)),
            Some(target) => {
                let target = target?;
                let session = remote::fetch(self.context, &target, &self.args.remote.connect)?;
                Ok(Source::Server(target, session))
            }
        }
    }

    fn scene(&self, entries: Option<usize>) -> Scene {
        Scene {
            lens: Lens::new(self.context.allowed.decoding),
            now: self.now,
            entries,
            depth: 0,
            proof: Some(tagwise_mtc::show::proof),
            verify: Some(tagwise_show::verify),
        }
    }

    /// Shows every value in every file, each followed by the verdict if it is a server.
    fn show(&self, printer: &mut dyn Printer) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        for path in &self.args.files {
            let name = name_of(path);
            printer.file(path)?;
            match self.open(path) {
                Ok(source) => self.source(&source, &name, &mut outcome, printer)?,
                Err(error) => {
                    outcome.unreadable = true;
                    printer.error(Some(&name), &error)?;
                }
            }
            printer.end_file()?;
        }
        printer.end(outcome)?;
        Ok(outcome)
    }

    fn source(&self, source: &Source, name: &str, outcome: &mut Outcome, printer: &mut dyn Printer) -> io::Result<()> {
        let found = source.found(self.context.allowed.decoding);
        let items: Vec<&InputItem<'_>> = match self.args.first {
            true => found.items.iter().filter(|item| is_object(item)).take(1).collect(),
            false => found.items.iter().collect(),
        };
        let total = items.len();
        printer.items(found.form.name(), source.len())?;
        let mut is_known = false;
        for (index, item) in items.into_iter().enumerate() {
            let shown = printer.item(item, (index + 1, total), name)?;
            is_known |= shown.known;
            if let Some(error) = shown.error {
                outcome.negative = true;
                let which = if total > 1 { format!("{} of {total}: ", index + 1) } else { String::new() };
                printer.item_error(name, &format!("{which}{error}"))?;
            }
        }
        printer.end_items()?;
        if !is_known {
            outcome.negative = true;
            printer.error(Some(name), &found.nothing("certificate and no CRL", source.len()))?;
        }
        let Source::Server(target, session) = source else { return Ok(()) };
        match servers::judge(self.context, target, session, &self.args.remote, self.args.at, self.now) {
            Ok(judged) => {
                outcome.add(judged.status());
                printer.verdict(&judged, name)
            }
            Err(Failure::Said(_, message)) => {
                outcome.unreadable = true;
                printer.error(None, &message)
            }
            Err(Failure::Output(error)) => Err(error),
        }
    }
}
