//! The command line.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::builder::styling::{AnsiColor, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::{self, Command};
use crate::conflicts;
use crate::shared::context::{self, GlobalArgs};
use crate::shared::output::{VisibleWriter, reason, signals};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Green.on_default());

/// An ASN.1 and PKI toolkit: certificates and CRLs, read strictly and shown completely.
#[derive(Debug, Parser)]
#[command(name = "tagwise", version, styles = STYLES, max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 success; 1 a negative answer; 2 usage error; 3 something could not be read or written; \
4 not known: evidence is missing, or a budget is exhausted. \
If the reader of its output closes the pipe, a command ends with SIGPIPE (141 in a shell), and the output is incomplete."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: GlobalArgs,
}

/// Returns the command-line definition, from which shell completions and manual pages are generated.
#[must_use]
pub fn command() -> clap::Command {
    commands::grouped(Cli::command())
}

/// Runs the command with the arguments of the process, and with an engine for `tagwise query`.
#[cfg(feature = "columns")]
#[must_use]
pub fn main_with(engine: commands::query::engine::Engine) -> ExitCode {
    commands::query::engine::set(engine);
    main()
}

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    signals::start();
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if commands::is_verbose(arguments.iter().skip(1).cloned()) {
        arguments.truncate(1);
        arguments.push("version".into());
    }
    let parsed = command().try_get_matches_from(arguments).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))?;
        Ok((cli, context::offered(&Cli::command(), &matches), conflicts::find(&matches)))
    });
    let (cli, offered) = match parsed {
        Ok((_, _, Some(conflict))) => {
            let _ = writeln!(VisibleWriter(io::stderr()), "tagwise: {conflict}");
            return ExitCode::from(usage_code());
        }
        Ok((cli, offered, None)) => (cli, offered),
        Err(error) => {
            if error.use_stderr()
                && let Some(advice) = verify_advice()
            {
                let _ = writeln!(io::stderr(), "tagwise: {advice}");
                return ExitCode::from(usage_code());
            }
            let arguments: Vec<String> =
                std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
            if is_unknown(&error)
                && let Some(hint) = commands::hint(&arguments)
            {
                let mut err = VisibleWriter(io::stderr());
                let what = if error.kind() == ErrorKind::InvalidSubcommand { "command" } else { "option" };
                let _ = writeln!(err, "tagwise: unknown {what} '{}'", named(&error));
                let _ = writeln!(err, "hint: {hint}");
                return ExitCode::from(usage_code());
            }
            if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
                && let Some(hint) = commands::form_hint(value)
            {
                let mut err = VisibleWriter(io::stderr());
                let option = named(&error);
                let option = option.split(' ').next().unwrap_or_default();
                let _ = writeln!(err, "tagwise: {option} does not accept '{value}'");
                let _ = writeln!(err, "hint: {hint}");
                return ExitCode::from(usage_code());
            }
            return told(&error);
        }
    };
    let context = match cli.global.context(cli.command.door(), offered) {
        Ok(context) => context,
        Err(message) => {
            let _ = writeln!(io::stderr(), "tagwise: {message}");
            return ExitCode::from(usage_code());
        }
    };
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    // Not locked: progress is drawn there by a thread of its own.
    let mut err = VisibleWriter(io::stderr());
    let done = cli.command.run(&context, &mut out, &mut err);
    match done.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Writing the rest of the buffer would only fail again.
            let _ = out.into_parts();
            unwritten(&error)
        }
    }
}

/// Returns the exit code for a usage error: 2, or UNKNOWN (3) for a monitoring plugin, in which 2 means CRITICAL.
fn usage_code() -> u8 {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let is_check = arguments.iter().any(|argument| argument == "check");
    let is_nagios = arguments.iter().any(|argument| argument == "--format=nagios")
        || arguments
            .windows(2)
            .any(|pair| matches!(pair, [option, value] if option == "--format" && value == "nagios"));
    if is_check && is_nagios { 3 } else { 2 }
}

/// Returns whether an error is about an unknown command or option.
fn is_unknown(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument)
}

/// Returns the word that an error is about.
fn named(error: &clap::Error) -> String {
    let place = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => ContextKind::InvalidArg,
    };
    match error.get(place) {
        Some(ContextValue::String(word)) => word.clone(),
        _ => String::new(),
    }
}

/// Returns advice if the arguments of `verify` contain an option of OpenSSL.
fn verify_advice() -> Option<String> {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if arguments.iter().any(|argument| argument == "verify") { commands::advice(arguments) } else { None }
}

/// Prints help, the version, or a usage error.
fn told(error: &clap::Error) -> ExitCode {
    let code = if error.use_stderr() { usage_code() } else { 0 };
    match error.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(code),
        Err(error) => unwritten(&error),
    }
}

/// Returns the exit code for output that could not be written.
fn unwritten(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return signals::broken_pipe();
    }
    let _ = writeln!(io::stderr(), "tagwise: the output could not be written: {}", reason(error));
    ExitCode::from(3)
}
