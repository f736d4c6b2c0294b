//! The commands of `./x`, in groups. Help, usage and the overview come from here.

use anyhow::Result;
use clap::{Args, Command, CommandFactory as _, Parser, Subcommand};

use crate::bench::Bench;
use crate::c::C;
use crate::fuzz::Fuzz;
use crate::install::Install;
use crate::needs::provide;
use crate::newcomer::Newcomer;
use crate::project::Project;
use crate::python::Python;
use crate::wasm::Wasm;
use crate::{duckdb, krb5, layers, lint, package, peers, quick, tests};

const ENVIRONMENT: &str = "\
`./x COMMAND --help` describes the arguments of a command.
You can run ./x from any folder. Relative paths in arguments start there.
Exit codes: 0 success, 1 failure, 2 wrong arguments, 3 a requirement is missing.

Environment:
  CI=true            Freeze lock files, fail where a test would be skipped, and keep builds small
  CARGO_TARGET_DIR   The folder for all builds [default: target]
  TAGWISE_ALL=1      Run tests on all data, where they otherwise use a sample
  TAGWISE_MUTATIONS  Number of mutations of each real file [default: 100]
  TAGWISE_VALGRIND   A folder: `krb5-plugins` runs hosts under valgrind and writes logs there (minutes)
  TAGWISE_PYTHONS    Interpreters for `python interpreters`, separated by colons
  TAGWISE_CORPORA    Third-party test data [default: ../shared/corpora]";

/// The command line of `./x`.
#[derive(Parser)]
#[command(
    name = "x",
    bin_name = "./x",
    override_usage = "./x COMMAND [ARGS]",
    help_template = "{usage-heading} {usage}{after-help}\n"
)]
pub(crate) struct X {
    #[command(subcommand)]
    command: Group,
}

/// The commands, by task.
#[derive(Subcommand)]
enum Group {
    #[command(flatten)]
    Everyday(Everyday),
    #[command(flatten)]
    Checks(Checks),
    #[command(flatten)]
    Bindings(Bindings),
    #[command(flatten)]
    Peers(Comparisons),
    #[command(flatten)]
    Packages(Packages),
}

/// Arguments for another program.
#[derive(Args)]
struct Rest {
    /// Arguments of the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

#[derive(Subcommand)]
enum Everyday {
    /// Show a tour of the library on the root certificates of Mozilla's program
    Demo(Rest),
    /// Run the command `tagwise` from a release build: ./x run show cert.pem
    #[command(disable_help_flag = true)]
    Run(Rest),
    /// Check format, clippy and tests of what changed, and unit tests of dependents
    Quick {
        /// Crates to check instead, such as codec or tagwise-codec
        crates: Vec<String>,
    },
    /// Run every test: all features, the codec without std, a CA's pipeline
    Test {
        /// Arguments of cargo test, to run only some tests: a name, -p CRATE, -- --nocapture
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Subcommand)]
enum Checks {
    /// Check format, clippy, docs, generated files, API listings, manifests, sizes, words
    Lint,
    /// Compare public APIs with api/CRATE.txt
    Api {
        /// Rewrite the listings
        #[arg(long)]
        bless: bool,
        /// Crates to compare [default: all]
        #[arg(value_name = "CRATE")]
        crates: Vec<String>,
    },
    /// Rewrite the generated files
    Codegen {
        /// Only report the stale files
        #[arg(long)]
        check: bool,
    },
    /// Rewrite the diagram of the crates, and lower the counts of upward imports
    Layers {
        /// Crates whose upward imports and cycles to list
        #[arg(value_name = "CRATE")]
        crates: Vec<String>,
    },
    /// Run the workspace's tests in an optimized build, on all data (minutes)
    #[command(name = "test-optimised")]
    TestOptimized,
    /// Run the tests of keys and signatures with a vendored OpenSSL (minutes, once)
    TestVendored {
        /// Arguments of cargo test
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Kill servers of a CA, and their PostgreSQL, 200 times under load (minutes)
    ServeFailover,
    /// Measure line coverage with and without the corpora (an hour)
    Coverage,
    /// Run fuzz targets under AddressSanitizer, or rerun one input
    Fuzz(Fuzz),
}

#[derive(Subcommand)]
enum Bindings {
    /// Test the Python package: its tests, PyCA cryptography's own tests, examples, types
    Python(Python),
    /// Test libtagwise with gcc, clang, C++, sanitizers and valgrind, and after installation
    C(C),
    /// Add a toy extension to a copy of the sources, and find it everywhere (minutes)
    Toy,
    /// Build the npm package with the WebAssembly module, and test it (--test)
    Wasm(Wasm),
}

#[derive(Subcommand)]
enum Comparisons {
    /// Measure Tagwise and its peers side by side
    Bench(Bench),
    /// Measure every stage of a CA on each backend, compared with its lower bound
    #[command(disable_help_flag = true)]
    Pipeline(Rest),
    /// Measure every stage of a Merkle Tree Certificate log, compared with its lower bound
    #[command(disable_help_flag = true)]
    Mtc(Rest),
    /// Verify Tagwise's certificates and proofs with mtcs and Boulder, and vice versa
    MtcPeers,
    /// Read a log of Certificate Transparency by Tessera, and compare every entry
    CtPeers,
    /// Compare PER, OER and XER encodings with those of asn1tools (minutes)
    PerPeers,
    /// Test Python's columns in Polars, DuckDB, DataFusion, Daft, Ray, Spark, Sail
    Columns,
    /// Build and test tagwise-query, the program for queries in SQL (many minutes)
    Query {
        /// Arguments of the tests: a name, --nocapture
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Build the DuckDB extension and compare its columns with the Python package's
    Duckdb,
    /// Build the PostgreSQL extension and test it on a server of its own
    Postgres,
    /// Compile the generated Rust of published ASN.1 modules (minutes)
    Modules {
        /// Compare with asn1tools, pycrate and rasn-compiler instead, and write bench/results/schema.md
        #[arg(long, conflicts_with = "names")]
        peers: bool,
        /// Prefixes of the sets to compile [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Compare every field of 10,000 files with PyCA cryptography
    ///
    /// The files are the certificates of CCADB, and pyca's certificates, CRLs, requests and OCSP messages. Writes
    /// bench/results/agreement.md.
    Agree {
        /// Rewrite the register of differences
        #[arg(long)]
        bless: bool,
    },
    /// Compare path verdicts with OpenSSL, Go, rustls-webpki and PyCA cryptography
    ///
    /// The paths are those of PKITS, x509-limbo and generated hierarchies. Writes bench/results/paths.md.
    AgreePaths {
        /// The number of generated hierarchies; with fewer than the default, the page is not written
        #[arg(default_value_t = 2000)]
        count: u32,
    },
    /// Test Kerberos with MIT, Heimdal, python-gssapi and OpenSSH, without skipping tests
    Krb5 {
        /// Arguments of the tests: a name, --nocapture
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Test plugins for MIT Kerberos inside MIT's programs, and the local KDC
    Krb5Plugins {
        /// Test in a chroot with the MIT Kerberos of another Debian release, such as forky; needs root
        #[arg(long, conflicts_with = "args")]
        release: Option<String>,
        /// `asan`, to test a thousand kadmin operations and ten thousand logins under AddressSanitizer, or arguments of cargo test
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[derive(Subcommand)]
enum Packages {
    /// Install the command `tagwise` and the files that `tagwise localkdc` needs
    Install(Install),
    /// Follow README.md in a new Debian, as root: compare what it prints, and time it
    Newcomer(Newcomer),
    /// Build packages for Debian, RPM and Python, an image, crates, bills of materials
    Package(package::Args),
}

impl X {
    /// The parser, with the overview as its help.
    pub(crate) fn parser() -> Command {
        X::command().after_help(overview())
    }

    /// Runs the command; returns whether everything passed.
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        match &self.command {
            Group::Everyday(command) => command.run(project),
            Group::Checks(command) => command.run(project),
            Group::Bindings(Bindings::Python(python)) => python.run(project),
            Group::Bindings(Bindings::C(c)) => c.run(project),
            Group::Bindings(Bindings::Toy) => crate::toy::toy(project),
            Group::Bindings(Bindings::Wasm(wasm)) => wasm.run(project),
            Group::Peers(command) => command.run(project),
            Group::Packages(Packages::Install(install)) => install.run(project).map(|()| true),
            Group::Packages(Packages::Newcomer(newcomer)) => newcomer.run(project),
            Group::Packages(Packages::Package(args)) => {
                provide(project, "package")?;
                package::run(project, args)
            }
        }
    }
}

impl Everyday {
    fn run(&self, project: &Project) -> Result<bool> {
        let manifest = project.root.join("Cargo.toml");
        let manifest = &*manifest.to_string_lossy();
        match self {
            // `x` runs it itself; this is for its help.
            Self::Demo(Rest { args }) => project.release(
                "examples/demo",
                &["--manifest-path", manifest, "-p", "tagwise", "--example", "demo"],
                args,
            ),
            Self::Run(Rest { args }) => project.release(
                "tagwise",
                &["--manifest-path", manifest, "-p", "tagwise-cli", "--bin", "tagwise"],
                args,
            ),
            Self::Quick { crates } => quick::quick(project, crates),
            Self::Test { args } => tests::test(project, args),
        }
    }
}

impl Checks {
    fn run(&self, project: &Project) -> Result<bool> {
        match self {
            Self::Lint => lint::lint(project),
            Self::Api { bless, crates } => lint::api(project, *bless, crates).map(|()| true),
            Self::Codegen { check } => lint::codegen(project, *check),
            Self::Layers { crates } => layers::hold(&project.root, false, crates),
            Self::TestOptimized => tests::optimized(project),
            Self::TestVendored { args } => tests::vendored(project, args),
            Self::ServeFailover => tests::failover(project),
            Self::Coverage => crate::coverage::coverage(project),
            Self::Fuzz(fuzz) => fuzz.run(project),
        }
    }
}

impl Comparisons {
    fn run(&self, project: &Project) -> Result<bool> {
        let manifest = project.root.join("bench/Cargo.toml");
        let manifest = &*manifest.to_string_lossy();
        match self {
            Self::Bench(bench) => bench.run(project),
            Self::Pipeline(Rest { args }) => {
                // It uses the backends that it finds, and names those that it does not.
                provide(project, "pipeline")?;
                let arguments = ["--manifest-path", manifest, "-p", "tagwise-pipeline", "--bin", "tagwise-pipeline"];
                project.release("tagwise-pipeline", &arguments, args)
            }
            Self::Mtc(Rest { args }) => project.release(
                "mtcbench",
                &["--manifest-path", manifest, "-p", "tagwise-mtcbench", "--bin", "mtcbench"],
                args,
            ),
            Self::MtcPeers => peers::mtc_peers(project),
            Self::CtPeers => peers::ct_peers(project),
            Self::PerPeers => peers::per_peers(project),
            Self::Columns => peers::columns(project),
            Self::Query { args } => tests::query(project, args),
            Self::Duckdb => duckdb::duckdb(project),
            Self::Postgres => peers::postgres(project),
            Self::Modules { peers: true, .. } => peers::modules_peers(project),
            Self::Modules { names, .. } => peers::modules(project, names),
            Self::Agree { bless } => peers::agree(project, *bless),
            Self::AgreePaths { count } => peers::agree_paths(project, *count),
            Self::Krb5 { args } => krb5::krb5(project, args),
            Self::Krb5Plugins { release: Some(release), .. } => krb5::plugins_elsewhere(project, release),
            Self::Krb5Plugins { args, .. } if args.as_slice() == ["asan"] => krb5::plugins_sanitized(project),
            Self::Krb5Plugins { args, .. } => krb5::plugins(project, args),
        }
    }
}

/// Lists every command with its first line of help, by group, followed by its subcommands.
fn overview() -> String {
    fn lines(text: &mut String, prefix: &str, commands: &Command) {
        for command in commands.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = format!("{prefix}{}", command.get_name());
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            *text += &format!("  {name:<21}  {about}\n");
            lines(text, &format!("{name} "), command);
        }
    }
    let group = |name: &str, commands: Command| {
        let mut text = format!("{name}:\n");
        lines(&mut text, "", &commands);
        text
    };
    let all = [
        group("Everyday", Everyday::augment_subcommands(Command::new(""))),
        group("Checks", Checks::augment_subcommands(Command::new(""))),
        group("Bindings", Bindings::augment_subcommands(Command::new(""))),
        group("Peers and benchmarks", Comparisons::augment_subcommands(Command::new(""))),
        group("Packages", Packages::augment_subcommands(Command::new(""))),
    ];
    format!("{}\n{ENVIRONMENT}", all.join("\n"))
}

/// Keeps a `--` that comes before every other argument of a command: clap would drop it.
pub(crate) fn with_dashes(mut arguments: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let quick =
        arguments.get(1).is_some_and(|word| word == "python") && arguments.get(2).is_some_and(|word| word == "quick");
    let first = if quick { 3 } else { 2 };
    if arguments.get(first).is_some_and(|word| word == "--") {
        arguments.insert(first, "--".into());
    }
    arguments
}

/// The names of the commands.
#[cfg(test)]
pub(crate) fn names() -> Vec<String> {
    X::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[cfg(test)]
mod checks {
    use super::*;

    fn parse(line: &str) -> Result<X, clap::Error> {
        let words = line.split(' ').map(Into::into).collect();
        X::try_parse_from(with_dashes(words))
    }

    fn code(line: &str) -> i32 {
        parse(line).err().map_or(0, |error| error.exit_code())
    }

    #[test]
    fn definitions_are_consistent() {
        X::parser().debug_assert();
    }

    #[test]
    fn overview_has_every_command_once() {
        let help = X::parser().render_help().to_string();
        for name in names() {
            let start = format!("  {name} ");
            assert_eq!(
                help.lines().filter(|line| line.starts_with(&start) && line[start.len()..].starts_with(' ')).count(),
                1,
                "{name}\n{help}"
            );
        }
        assert!(help.contains("  python interpreters ") && help.contains("TAGWISE_VALGRIND"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 110), "{help}");
    }

    #[test]
    fn arguments_of_programs_are_kept() {
        let args = |line: &str| match parse(line).map_err(|error| error.to_string()).unwrap().command {
            Group::Everyday(Everyday::Test { args } | Everyday::Run(Rest { args }))
            | Group::Checks(Checks::TestVendored { args })
            | Group::Peers(
                Comparisons::Krb5 { args } | Comparisons::Krb5Plugins { args, .. } | Comparisons::Mtc(Rest { args }),
            ) => args.join(" "),
            _ => panic!("{line}"),
        };
        for kept in [
            "test -p tagwise-codec oid",
            "test --test book -- --nocapture",
            "test -- --nocapture",
            "test oid -- --nocapture -- x",
            "run show cert.pem --help",
            "run --help",
            "run -- x",
            "test-vendored --release",
            "krb5 --nocapture",
            "krb5-plugins --test load",
            "krb5-plugins asan",
            "mtc --sizes 1,1024 --seconds 2",
        ] {
            let (_, rest) = kept.split_once(' ').unwrap();
            assert_eq!(args(&format!("x {kept}")), rest);
        }
    }

    #[test]
    fn every_former_call_parses() {
        for line in [
            "demo 7",
            "install --prefix /p --destdir d",
            "quick codec pkix",
            "codegen --check",
            "modules x509 ldap",
            "modules --peers",
            "agree --bless",
            "agree-paths 10",
            "python",
            "python --bless",
            "python quick -k name",
            "python fuzz 10",
            "python interpreters",
            "python asan",
            "python bench",
            "c",
            "c header",
            "c install --prefix /p --libdir lib --destdir d --features openssl",
            "c bench",
            "api --bless tagwise-codec",
            "layers codec",
            "bench --peers openssl,go outline",
            "bench --peers all --users --instructions strict/mozilla",
            "bench --list",
            "pipeline --batch 64,1024",
            "mtc-peers",
            "ct-peers",
            "per-peers",
            "columns",
            "query chapter",
            "duckdb",
            "postgres",
            "newcomer --peers",
            "newcomer --programs",
            "package deb wheel --check --no-build --out d",
            "krb5-plugins --release forky",
            "fuzz",
            "fuzz 30",
            "fuzz pem 30",
            "fuzz pem fuzz/artifacts/x",
        ] {
            assert_eq!(code(&format!("x {line}")), 0, "{line}: {:?}", parse(&format!("x {line}")).err());
        }
    }

    #[test]
    fn wrong_arguments_have_code_2() {
        for line in [
            "nothing",
            "lint x",
            "codegen --bless",
            "modules --peers x",
            "agree x",
            "agree-paths many",
            "python x",
            "python fuzz 0",
            "python --bless quick",
            "c header x",
            "c x",
            "install x",
            "mtc-peers x",
            "fuzz a b c",
        ] {
            assert_eq!(code(&format!("x {line}")), 2, "{line}");
        }
    }
}
