//! The commands, with one file for each. No command uses another. Code that several commands need is in `shared`. The
//! formats are implemented in the libraries.

mod ca;
mod check;
mod cms;
mod compile;
mod convert;
mod decode;
mod diff;
pub(crate) mod dump;
mod edit;
mod encode;
mod explain;
mod get;
mod key;
mod krb5;
mod lint;
#[cfg(target_os = "linux")]
mod localkdc;
mod mtc;
mod oid;
mod p12;
mod rules;
pub(crate) mod scan;
mod schema;
pub(crate) mod show;
mod tree;
mod tsp;
#[cfg(target_os = "linux")]
mod userdb;
mod verify;
mod version;

use std::io::{self, Write};

pub(crate) use verify::advice;
pub(crate) use version::is_verbose;

use crate::shared::rules::Door;

/// The list of commands, each with its name and a line of help.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($args:ty) $(if $cfg:meta)? $(, allows $door:expr)?;)*) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Command {
            $($(#[cfg($cfg)])? $(#[$doc])* $name($args),)*
        }

        impl Command {
            /// Runs the command and returns the exit code.
            ///
            /// # Errors
            /// Returns an error if writing fails.
            pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
                match self {
                    $($(#[cfg($cfg)])? Self::$name(args) => args.run(color, out, err),)*
                }
            }

            /// The rules that `--allow` can disable for the command.
            pub(crate) fn door(&self) -> Door {
                #[allow(unused_variables, reason = "most commands have the same rules for all subcommands")]
                match self {
                    $($(#[cfg($cfg)])? Self::$name(args) => commands!(@door args $(, $door)?),)*
                }
            }
        }
    };
    (@door $args:ident) => { Door::default() };
    (@door $args:ident, $door:expr) => { ($door)($args) };
}

/// Returns the same rules for all arguments.
const fn always<T>(door: Door) -> impl Fn(&T) -> Door {
    move |_| door
}

commands! {
    /// Show certificates, CRLs, requests, responses, messages and keys as complete, readable text
    #[command(long_about = show::ABOUT, after_long_help = show::EXAMPLES)]
    Show(show::ShowArgs), allows show::ShowArgs::door;
    /// Compile ASN.1 modules to Rust, C or Python, or check them
    #[command(long_about = compile::ABOUT, after_long_help = compile::EXAMPLES)]
    Compile(compile::CompileArgs);
    /// Convert between DER, BER, CER, PEM, hexadecimal and base64
    #[command(long_about = convert::ABOUT, after_long_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs), allows always(Door::READS);
    /// Show the differences between two certificates, CRLs, messages or keys
    #[command(long_about = diff::ABOUT, after_long_help = diff::EXAMPLES)]
    Diff(diff::DiffArgs);
    /// Dump any encoding: offsets, lengths, tags and values, up to the first error
    #[command(long_about = dump::args::ABOUT, after_long_help = dump::args::EXAMPLES)]
    Dump(dump::args::DumpArgs);
    /// Decode a value with an ASN.1 schema
    #[command(long_about = decode::ABOUT, after_long_help = decode::EXAMPLES)]
    Decode(decode::DecodeArgs), allows always(Door::READS_ANY);
    /// Encode a value with an ASN.1 schema, from JSON
    #[command(long_about = encode::ABOUT, after_long_help = encode::EXAMPLES)]
    Encode(encode::EncodeArgs);
    /// Edit an encoding as text
    #[command(long_about = edit::ABOUT, after_long_help = edit::EXAMPLES)]
    Edit(edit::EditArgs);
    /// Get parts of certificates and CRLs by path
    #[command(long_about = get::ABOUT, after_long_help = get::EXAMPLES)]
    Get(get::GetArgs), allows always(Door::READS_ANY);
    /// Look up object identifiers by name or number
    #[command(long_about = oid::ABOUT, after_long_help = oid::EXAMPLES)]
    Oid(oid::OidArgs);
    /// Show which component a byte belongs to
    #[command(long_about = explain::ABOUT)]
    Explain(explain::ExplainArgs);
    /// Check every certificate and CRL in files and folders: a table, CSV, JSON lines or counts
    #[command(long_about = scan::ABOUT, after_long_help = scan::EXAMPLES)]
    Scan(scan::ScanArgs), allows always(Door::READS);
    /// Build and validate certification paths, and explain each rejection
    #[command(long_about = verify::ABOUT, after_long_help = verify::EXAMPLES)]
    Verify(Box<verify::VerifyArgs>), allows always(Door::JUDGES);
    /// Print the issuing hierarchy of the certificates in files and folders
    #[command(long_about = tree::ABOUT, after_long_help = tree::EXAMPLES)]
    Tree(tree::TreeArgs);
    /// Find certificates that have expired, expire soon, or are not yet valid
    #[command(long_about = check::ABOUT, after_long_help = check::EXAMPLES)]
    Check(check::CheckArgs);
    /// Run a certificate authority: issue, revoke and list certificates, create CRLs, answer OCSP
    #[command(subcommand, long_about = ca::ABOUT, after_long_help = ca::EXAMPLES)]
    Ca(ca::CaCommand), allows ca::CaCommand::door;
    /// Run a Merkle Tree Certificate log, with witnesses and mirrors; verify and audit
    #[command(subcommand, long_about = mtc::ABOUT, after_long_help = mtc::EXAMPLES)]
    Mtc(mtc::MtcCommand);
    /// Generate, show and convert keys; sign and verify with them
    #[command(subcommand, long_about = key::ABOUT)]
    Key(key::KeyCommand), allows always(Door::READS);
    /// Sign, verify, encrypt and decrypt CMS messages (PKCS #7)
    #[command(subcommand, long_about = cms::ABOUT)]
    Cms(cms::CmsCommand), allows cms::CmsCommand::door;
    /// Show, extract and create PKCS #12 files
    #[command(subcommand, long_about = p12::ABOUT)]
    P12(p12::P12Command), allows always(Door::READS);
    /// Read Kerberos messages, captures, keytabs and caches; get tickets
    #[command(subcommand, long_about = krb5::ABOUT)]
    Krb5(krb5::Krb5Command), allows krb5::Krb5Command::door;
    /// Run Kerberos for this machine alone, with its existing passwords
    #[command(subcommand, long_about = localkdc::ABOUT, after_long_help = localkdc::EXAMPLES)]
    Localkdc(localkdc::LocalkdcCommand) if target_os = "linux";
    /// Request, issue and verify time stamps
    #[command(subcommand, long_about = tsp::ABOUT)]
    Tsp(tsp::TspCommand), allows tsp::TspCommand::door;
    /// Look up the users and groups of this host, or serve records from a file
    #[command(subcommand, long_about = userdb::ABOUT, after_long_help = userdb::EXAMPLES)]
    Userdb(userdb::UserdbCommand) if target_os = "linux";
    /// List, format and document ASN.1 modules
    #[command(subcommand, long_about = schema::ABOUT)]
    Schema(schema::SchemaCommand);
    /// Find deviations from RFC 5280 in certificates and CRLs
    #[command(long_about = lint::ABOUT, after_long_help = lint::EXAMPLES)]
    Lint(lint::LintArgs);
    /// List the decoding rules that `--allow` can disable
    Rules(rules::RulesArgs);
    /// Print the version, the features of this build, and the cryptographic backends
    #[command(long_about = version::ABOUT)]
    Version(version::VersionArgs);
}
