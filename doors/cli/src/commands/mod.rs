//! The commands, each in its own module. Commands do not use each other. Code that several commands need is in `shared`, and the formats
//! are implemented in the libraries. `cert show` and `csr show` are aliases of `show`.

mod ca;
mod cert;
mod check;
mod cms;
mod compile;
mod convert;
mod csr;
mod ct;
mod decode;
mod diff;
pub(crate) mod dump;
mod edit;
mod encode;
mod explain;
mod from_openssl;
mod get;
mod hints;
mod key;
mod krb5;
mod lint;
#[cfg(target_os = "linux")]
mod localkdc;
mod lsp;
mod matching;
mod mtc;
mod ocsp;
mod oid;
mod p12;
pub(crate) mod query;
mod rules;
pub(crate) mod scan;
mod schema;
#[cfg(unix)]
mod serve;
pub(crate) mod show;
mod tree;
mod tsp;
#[cfg(target_os = "linux")]
mod userdb;
mod verify;
mod version;
mod view;

use std::io::{self, Write};

pub(crate) use hints::{form_hint, hint};
pub(crate) use verify::advice;
pub(crate) use version::is_verbose;

use crate::shared::context::Context;
use crate::shared::rules::Door;

/// The list of commands, each with its name and a line of help.
macro_rules! commands {
    ($(= $heading:literal; $($(#[$doc:meta])* $name:ident($args:ty) $(if $cfg:meta)? $(, allows $door:expr)?;)*)*) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Command {
            $($($(#[cfg($cfg)])? $(#[$doc])* $name($args),)*)*
        }

        /// The headings in the command's help, with the names of the variants below each.
        const GROUPS: &[(&str, &[&str])] = &[$(($heading, &[$(stringify!($name)),*])),*];

        impl Command {
            /// Runs the command and returns the exit code.
            ///
            /// # Errors
            /// Returns an error if writing fails.
            pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
                match self {
                    $($($(#[cfg($cfg)])? Self::$name(args) => args.run(context, out, err),)*)*
                }
            }

            /// Returns the rules that `--allow` can disable for the command.
            pub(crate) fn door(&self) -> Door {
                #[allow(unused_variables, reason = "most commands have the same rules for all subcommands")]
                match self {
                    $($($(#[cfg($cfg)])? Self::$name(args) => commands!(@door args $(, $door)?),)*)*
                }
            }
        }
    };
    (@door $args:ident) => { Door::default() };
    (@door $args:ident, $door:expr) => { ($door)($args) };
}

/// Groups the commands in the help under headings.
pub(crate) fn grouped(line: clap::Command) -> clap::Command {
    let style = *line.get_styles().get_header();
    let name = *line.get_styles().get_literal();
    let width = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).clamp(60, 100));
    let column = line.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default() + 4;
    let mut text = String::new();
    let row = |style: clap::builder::styling::Style, name: &str, about: &str, text: &mut String| {
        let pad = column.saturating_sub(name.len() + 2);
        text.push_str(&format!("  {style}{name}{style:#}{:pad$}", ""));
        let mut at = column;
        for word in about.split(' ') {
            if at > column && at + 1 + word.len() > width {
                text.push_str(&format!("\n{:column$}", ""));
                at = column;
            } else if at > column {
                text.push(' ');
                at += 1;
            }
            text.push_str(word);
            at += word.len();
        }
        text.push('\n');
    };
    for (heading, variants) in GROUPS {
        text.push_str(&format!("{style}{heading}:{style:#}\n"));
        for variant in *variants {
            let wanted = kebab(variant);
            let Some(command) = line.get_subcommands().find(|command| command.get_name() == wanted) else { continue };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            row(name, &wanted, &about, &mut text);
        }
        text.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{style}Options:{style:#}\n{{options}}{{after-help}}"
    );
    line.help_template(template)
}

/// Converts a variant's name to the command's name: `FromOpenssl` becomes `from-openssl`.
fn kebab(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Returns the same rules for all arguments.
const fn always<T>(door: Door) -> impl Fn(&T) -> Door {
    move |_| door
}

commands! {
    = "Look at files";
    /// Show certificates, CRLs, requests, responses, messages and keys as complete, readable text
    #[command(long_about = show::ABOUT, after_long_help = show::EXAMPLES, aliases = ["inspect", "info", "print"])]
    Show(show::ShowArgs), allows show::ShowArgs::door;
    /// Show files in a browser: components beside bytes, errors, findings, and a drawing of the certificates
    #[command(long_about = view::ABOUT, after_long_help = view::EXAMPLES)]
    View(view::ViewArgs), allows always(Door::READS_ANY);
    /// Get parts of certificates and CRLs by path or customary name
    #[command(long_about = get::ABOUT, after_long_help = get::EXAMPLES)]
    Get(get::GetArgs), allows always(Door::READS_ANY);
    /// Show which component a byte belongs to
    #[command(long_about = explain::ABOUT, after_long_help = explain::EXAMPLES)]
    Explain(explain::ExplainArgs);
    /// Dump any encoding: offsets, lengths, tags and values, up to the first error
    #[command(long_about = dump::args::ABOUT, after_long_help = dump::args::EXAMPLES)]
    Dump(dump::args::DumpArgs);
    /// Show the differences between two certificates, CRLs, messages or keys
    #[command(long_about = diff::ABOUT, after_long_help = diff::EXAMPLES)]
    Diff(diff::DiffArgs);
    /// Look up object identifiers by name or number
    #[command(long_about = oid::ABOUT, after_long_help = oid::EXAMPLES)]
    Oid(oid::OidArgs);
    = "Check";
    /// Build and validate certification paths, and explain each rejection
    #[command(long_about = verify::ABOUT, after_long_help = verify::EXAMPLES, alias = "validate")]
    Verify(Box<verify::VerifyArgs>), allows always(Door::JUDGES);
    /// Find certificates that have expired, expire soon, or are not yet valid, in files and on servers
    #[command(long_about = check::ABOUT, after_long_help = check::EXAMPLES)]
    Check(check::CheckArgs);
    /// Check every certificate and CRL in files and folders: a table, CSV, JSON lines or counts
    #[command(long_about = scan::ABOUT, after_long_help = scan::EXAMPLES)]
    Scan(scan::ScanArgs), allows always(Door::READS);
    /// Answer a query in SQL over certificates, CRLs and messages in files
    #[command(long_about = query::ABOUT, after_long_help = query::EXAMPLES)]
    Query(Box<query::QueryArgs>), allows always(Door::READS);
    /// Print the issuing hierarchy of the certificates in files and folders
    #[command(long_about = tree::ABOUT, after_long_help = tree::EXAMPLES)]
    Tree(tree::TreeArgs);
    /// Find deviations from RFC 5280 in certificates and CRLs
    #[command(long_about = lint::ABOUT, after_long_help = lint::EXAMPLES)]
    Lint(lint::LintArgs);
    /// Ask OCSP responders about certificates
    #[command(subcommand, long_about = ocsp::ABOUT)]
    Ocsp(ocsp::OcspCommand), allows always(Door::JUDGES);
    /// Read logs of Certificate Transparency: verify tree heads, entries and inclusion, find names
    #[command(subcommand, long_about = ct::ABOUT, after_long_help = ct::EXAMPLES)]
    Ct(ct::CtCommand);
    /// Report whether keys, certificates and requests have the same public key
    #[command(long_about = matching::ABOUT, after_long_help = matching::EXAMPLES, alias = "compare")]
    Match(matching::MatchArgs), allows always(Door::READS);
    = "Keys, requests and certificates";
    /// Generate, show and convert keys; sign and verify with them
    #[command(subcommand, long_about = key::ABOUT)]
    Key(key::KeyCommand), allows always(Door::READS);
    /// Create, show, check and sign certification requests
    #[command(subcommand, long_about = csr::ABOUT, after_long_help = csr::EXAMPLES, alias = "request")]
    Csr(csr::CsrCommand), allows always(Door::READS);
    /// Create self-signed certificates, and show certificates
    #[command(subcommand, long_about = cert::ABOUT, after_long_help = cert::EXAMPLES, alias = "certificate")]
    Cert(cert::CertCommand), allows always(Door::READS);
    /// Run a certificate authority: issue, revoke and list certificates, create CRLs, answer OCSP
    #[command(subcommand, long_about = ca::ABOUT, after_long_help = ca::EXAMPLES)]
    Ca(ca::CaCommand), allows ca::CaCommand::door;
    /// Run the services of a certificate authority: ACME, EST, SCEP, CMP, OCSP, CRLs and time stamps
    #[command(subcommand, long_about = serve::ABOUT, after_long_help = serve::EXAMPLES)]
    Serve(serve::ServeCommand) if unix;
    /// Show, extract and create PKCS #12 files
    #[command(subcommand, long_about = p12::ABOUT, aliases = ["pkcs12", "pfx"])]
    P12(p12::P12Command), allows always(Door::READS);
    /// Run a Merkle Tree Certificate log, with witnesses and mirrors; verify and audit
    #[command(subcommand, long_about = mtc::ABOUT, after_long_help = mtc::EXAMPLES)]
    Mtc(mtc::MtcCommand);
    = "Messages";
    /// Sign, verify, encrypt and decrypt CMS messages (PKCS #7)
    #[command(subcommand, long_about = cms::ABOUT)]
    Cms(cms::CmsCommand), allows cms::CmsCommand::door;
    /// Request, issue and verify time stamps
    #[command(subcommand, long_about = tsp::ABOUT, alias = "timestamp")]
    Tsp(tsp::TspCommand), allows tsp::TspCommand::door;
    = "Convert, edit and encode";
    /// Convert between DER, BER, CER, PEM, hexadecimal and base64
    #[command(long_about = convert::ABOUT, after_long_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs), allows always(Door::READS);
    /// Edit an encoding as text
    #[command(long_about = edit::ABOUT, after_long_help = edit::EXAMPLES)]
    Edit(edit::EditArgs);
    /// Decode a value with an ASN.1 schema
    #[command(long_about = decode::ABOUT, after_long_help = decode::EXAMPLES)]
    Decode(decode::DecodeArgs), allows always(Door::READS_ANY);
    /// Encode a value with an ASN.1 schema, from JSON
    #[command(long_about = encode::ABOUT, after_long_help = encode::EXAMPLES)]
    Encode(encode::EncodeArgs);
    /// Compile ASN.1 modules to Rust, C or Python, or check them
    #[command(long_about = compile::ABOUT, after_long_help = compile::EXAMPLES)]
    Compile(compile::CompileArgs);
    /// List, format and document ASN.1 modules
    #[command(subcommand, long_about = schema::ABOUT)]
    Schema(schema::SchemaCommand);
    /// Run a language server for ASN.1 modules in an editor
    #[command(long_about = lsp::ABOUT, after_long_help = lsp::EXAMPLES)]
    Lsp(lsp::LspArgs);
    = "Kerberos and users";
    /// Read Kerberos messages, captures, keytabs and caches; get tickets
    #[command(subcommand, long_about = krb5::ABOUT)]
    Krb5(krb5::Krb5Command), allows krb5::Krb5Command::door;
    /// Run Kerberos for this machine alone, with its existing passwords
    #[command(subcommand, long_about = localkdc::ABOUT, after_long_help = localkdc::EXAMPLES)]
    Localkdc(localkdc::LocalkdcCommand) if target_os = "linux";
    /// Look up the users and groups of this host, or serve records from a file
    #[command(subcommand, long_about = userdb::ABOUT, after_long_help = userdb::EXAMPLES)]
    Userdb(userdb::UserdbCommand) if target_os = "linux";
    = "About this program";
    /// Translate a command line of OpenSSL
    #[command(long_about = from_openssl::ABOUT, after_long_help = from_openssl::EXAMPLES)]
    FromOpenssl(from_openssl::FromOpensslArgs);
    /// List the decoding rules that `--allow` can disable
    Rules(rules::RulesArgs);
    /// Print the version, the features of this build, and the cryptographic backends
    #[command(long_about = version::ABOUT)]
    Version(version::VersionArgs);
}
