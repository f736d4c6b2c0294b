//! The command line.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

use crate::ca::{self, CaCommand};
use crate::check::{self, CheckArgs};
use crate::cms::{self, CmsCommand};
use crate::compile::{self, CompileArgs};
use crate::convert::{self, ConvertArgs};
use crate::diff::{self, DiffArgs};
use crate::dump::args::{self as dump, DumpArgs};
use crate::edit::{self, EditArgs};
use crate::get::{self, ExplainArgs, GetArgs};
use crate::hierarchy::{self, TreeArgs};
use crate::input;
use crate::key::{self, KeyCommand};
use crate::lint::{self, LintArgs};
use crate::modules::{self, SchemaCommand};
pub(crate) use crate::moment::moment;
use crate::output::{reason, signals};
use crate::p12::{self, P12Command};
use crate::rules;
use crate::scan::{self, ScanArgs};
use crate::schema::{self, DecodeArgs, EncodeArgs};
use crate::show::Show;
use crate::tsp::{self, TspCommand};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default());

/// An ASN.1 and PKI toolkit: certificates and CRLs, read strictly and shown completely.
#[derive(Debug, Parser)]
#[command(name = "tagwise", version, styles = STYLES, max_term_width = 100, propagate_version = true)]
#[command(after_help = "Exit codes: 0 yes; 1 a negative answer; 2 usage; 3 something could not be read or written. \
A command whose reader closes the pipe ends by SIGPIPE (141 in a shell), for its answer is not complete.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colour; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Read at most this many mebibytes of a file or standard input; `dump` and mapped files are exempt
    #[arg(long, global = true, value_name = "MIB", default_value_t = input::DEFAULT_MIB, value_parser = clap::value_parser!(u64).range(1..=4096))]
    max_input: u64,
    /// Mebibytes of memory and work that an ASN.1 schema may take, besides 1,024 bytes for each byte of its text
    #[arg(long, global = true, value_name = "MIB", default_value_t = modules::DEFAULT_MIB, value_parser = clap::value_parser!(u64).range(1..=65536))]
    max_schema: u64,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show certificates, CRLs, requests, responses, messages and keys, complete and readable
    #[command(long_about = SHOW_ABOUT, after_long_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Compile modules of ASN.1: what is wrong with them
    #[command(long_about = compile::ABOUT, after_long_help = compile::EXAMPLES)]
    Compile(CompileArgs),
    /// Convert between DER, BER, CER, PEM, hexadecimal and base64
    #[command(long_about = convert::ABOUT, after_long_help = convert::EXAMPLES)]
    Convert(ConvertArgs),
    /// Show in what two certificates or two CRLs differ
    #[command(long_about = diff::ABOUT, after_long_help = diff::EXAMPLES)]
    Diff(DiffArgs),
    /// Dump any encoding: offsets, lengths, tags, values, up to the first fault
    #[command(long_about = dump::ABOUT, after_long_help = dump::EXAMPLES)]
    Dump(DumpArgs),
    /// Decode a value by an ASN.1 schema
    #[command(long_about = schema::DECODE_ABOUT, after_long_help = schema::DECODE_EXAMPLES)]
    Decode(DecodeArgs),
    /// Encode a value by an ASN.1 schema, from JSON
    #[command(long_about = schema::ENCODE_ABOUT, after_long_help = schema::ENCODE_EXAMPLES)]
    Encode(EncodeArgs),
    /// Edit an encoding as text, and put it back
    #[command(long_about = edit::ABOUT, after_long_help = edit::EXAMPLES)]
    Edit(EditArgs),
    /// Get parts of certificates and CRLs by path
    #[command(long_about = get::ABOUT, after_long_help = get::EXAMPLES)]
    Get(GetArgs),
    /// Say which component an octet belongs to
    #[command(long_about = get::EXPLAIN_ABOUT)]
    Explain(ExplainArgs),
    /// Check every certificate and CRL in files and folders: a table, CSV, JSON lines or counts
    #[command(long_about = scan::ABOUT, after_long_help = scan::EXAMPLES)]
    Scan(ScanArgs),
    /// Print who issued whom among the certificates of files and folders
    #[command(long_about = hierarchy::ABOUT, after_long_help = hierarchy::EXAMPLES)]
    Tree(TreeArgs),
    /// Find certificates that are expired, expire soon, or are not valid yet
    #[command(long_about = check::ABOUT, after_long_help = check::EXAMPLES)]
    Check(CheckArgs),
    /// Run a certificate authority: issue, revoke, list, CRLs, OCSP
    #[command(subcommand, long_about = ca::ABOUT, after_long_help = ca::EXAMPLES)]
    Ca(CaCommand),
    /// Make, show and convert keys
    #[command(subcommand, long_about = key::ABOUT)]
    Key(KeyCommand),
    /// Sign, verify, encrypt and decrypt messages of CMS (PKCS #7)
    #[command(subcommand, long_about = cms::ABOUT)]
    Cms(CmsCommand),
    /// Show, take apart and make PKCS #12 files
    #[command(subcommand, long_about = p12::ABOUT)]
    P12(P12Command),
    /// Ask for time stamps, give them, verify them
    #[command(subcommand, long_about = tsp::ABOUT)]
    Tsp(TspCommand),
    /// List modules of ASN.1, and lay them out
    #[command(subcommand, long_about = modules::ABOUT)]
    Schema(SchemaCommand),
    /// Say where certificates and CRLs depart from RFC 5280
    #[command(long_about = lint::ABOUT, after_long_help = lint::EXAMPLES)]
    Lint(LintArgs),
    /// List the rules that strict input obeys, for `show --allow`
    Rules {
        /// JSON (schema tagwise.rules/1)
        #[arg(long)]
        json: bool,
    },
}

const SHOW_ABOUT: &str = "\
Show certificates, CRLs, certification requests, OCSP and time stamps both ways, CMS (PKCS #7), PKCS #12 in outline, attribute \
certificates and keys, complete and readable. Of private keys and passwords only how long they are is shown.

The form of a file is found by looking: PEM with any mix of blocks and text between them, DER (one value \
or several in a row), hexadecimal, base64. Every value in it is shown; PEM blocks that are none of these are named.

Input is held to DER and to the profile of RFC 5280. Where it departs from them, the first error is shown with path, \
offset and clause, then everything that can be read all the same, and the exit code is 1. Offsets count from the \
first byte of the value's own DER.";

const SHOW_EXAMPLES: &str = "\
Examples:
  tagwise show chain.pem                     every certificate of a chain
  tagwise show --json cert.der | jq .        the same for programs (schema tagwise.show/1)
  openssl s_client -connect HOST:443 -showcerts </dev/null | tagwise show -
  tagwise show --allow negative-serial,ber old.der
                                             tolerate deviations, and list them
  tagwise show request.csr response.ocsp keys.p12
                                             whatever they are
  tagwise show --entries 100 list.crl        the first 100 entries of a CRL
  tagwise show --text=openssl chain.pem      as `openssl x509 -text -noout` prints it, every certificate; into a file or a
                                             pipe byte for byte, on a terminal with what is hidden made visible

Exit codes: 0 all is well; 1 something is malformed, or there is nothing to show; 2 usage; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// JSON (schema tagwise.show/1)
    #[arg(long, conflicts_with = "text")]
    json: bool,
    /// Text in the layout of another tool: `openssl` is that of `openssl x509 -text` and `openssl crl -text`, version 3.0
    #[arg(long, value_name = "LAYOUT")]
    text: Option<Layout>,
    /// Tolerate departures from these rules, comma-separated; they are listed as notes. Sets: all, ber, pem
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
    /// How many entries of a CRL to show: a number, or `all` [default: all; on a terminal 20]
    #[arg(long, value_name = "N", value_parser = entries)]
    entries: Option<usize>,
    /// Show keys and signatures whole in text; JSON always has them
    #[arg(long)]
    full: bool,
    /// Judge validity at this moment instead of now, as in 2026-11-21 or 2026-11-21T10:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<i64>,
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

pub(crate) fn now() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        // The clock is before 1970: rounded down, as after it.
        Err(before) => {
            let before = before.duration();
            let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            -seconds - i64::from(before.subsec_nanos() > 0)
        }
    }
}

/// Whether standard output gets colour.
fn colored(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // NO_COLOR, CLICOLOR and dumb terminals are looked at there.
        ColorChoice::Auto => {
            io::stdout().is_terminal() && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    signals::start();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return told(&error),
    };
    let color = colored(cli.color);
    input::set_limit(cli.max_input);
    modules::set_limit(cli.max_schema);
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    // Not locked: progress is drawn there by a thread of its own.
    let mut err = io::stderr();
    let done = match cli.command {
        Command::Compile(args) => args.run(color, &mut out, &mut err),
        Command::Convert(args) => args.run(&mut out, &mut err),
        Command::Decode(args) => args.run(color, &mut out, &mut err),
        Command::Encode(args) => args.run(&mut out, &mut err),
        Command::Diff(args) => args.run(color, &mut out, &mut err),
        Command::Edit(args) => args.run(&mut out, &mut err),
        Command::Get(args) => args.run(color, &mut out, &mut err),
        Command::Explain(args) => args.run(&mut out, &mut err),
        Command::Scan(args) => args.run(color, &mut out, &mut err),
        Command::Tree(args) => args.run(color, &mut out, &mut err),
        Command::Check(args) => args.run(color, &mut out, &mut err),
        Command::Ca(command) => command.run(color, &mut out, &mut err),
        Command::Key(command) => command.run(color, &mut out, &mut err),
        Command::Cms(command) => command.run(color, &mut out, &mut err),
        Command::P12(command) => command.run(color, &mut out, &mut err),
        Command::Tsp(command) => command.run(color, &mut out, &mut err),
        Command::Schema(command) => command.run(color, &mut out, &mut err),
        Command::Lint(args) => args.run(color, &mut out, &mut err),
        Command::Rules { json } => rules::list(&mut out, json, color).map(|()| 0),
        Command::Dump(args) => args.into_dump(color).run(&mut out, &mut err).map(super::show::Outcome::code),
        Command::Show(args) => {
            let rules = match rules::allowed(&args.allow) {
                Ok(rules) => rules,
                Err(message) => {
                    let mut command = Cli::command();
                    command.build();
                    let show = command.find_subcommand_mut("show").map(std::mem::take).unwrap_or_default();
                    show.color(cli.color).error(clap::error::ErrorKind::InvalidValue, message).exit()
                }
            };
            let show = Show {
                files: args.files,
                rules,
                json: args.json,
                openssl: matches!(args.text, Some(Layout::Openssl)),
                color,
                full: args.full,
                entries: args.entries,
                now: args.at.unwrap_or_else(now),
            };
            show.run(&mut out, &mut err).map(super::show::Outcome::code)
        }
    };
    match done.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // What is left in the buffer would only fail again.
            let _ = out.into_parts();
            unwritten(&error)
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn told(error: &clap::Error) -> ExitCode {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(code),
        Err(error) => unwritten(&error),
    }
}

/// Ends the command whose output could not be written.
fn unwritten(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return signals::broken_pipe();
    }
    let _ = writeln!(io::stderr(), "tagwise: the output could not be written: {}", reason(error));
    ExitCode::from(3)
}
