//! `tagwise compile`: checks ASN.1 modules, or compiles them to Rust, C or Python.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use tagwise_codegen::Builder;
use tagwise_codegen::emit::rust::Layout;
use tagwise_schema::Options;

use crate::shared::context::Context;
use crate::shared::diagnostics::check;
use crate::shared::generated::{deliver, failed};
use crate::shared::modules::SchemaArgs;

pub(crate) const ABOUT: &str = "\
Compile ASN.1 modules.

Modules are read as published: in several files, with several modules in a file and imports between them. A folder stands for all \
.asn1 and .asn files in it. Each error is printed with its file, line and column, the marked line, and the relevant clause of X.680 \
to X.683. If there are errors, nothing is written.

--check alone only checks the modules.

--lang rust writes a file for each module, and a mod.rs that declares them. They contain structs and enums that derive the codec's \
traits and constants for values, each item with its ASN.1 definition. An overlay (TOML) adds what a schema cannot express: parts that \
stay undecoded, signed parts, and names.

--lang c writes a header and a source file for libtagwise: a struct for each structured type, constants for values, and functions \
that decode, encode, check, print and free each type. The source file contains the modules, but no parsing code. If a file name would \
hide a C header or a Python module, _asn1 is appended to it, with a note.

--lang python writes a module for the package tagwise: for each SEQUENCE and SET a class with type hints that decodes and encodes, \
and enumerations, aliases and codecs for the other types.

Known departures of published modules from X.680 are errors; with --allow-schema, they are warnings. The generated code supports DER, \
BER and CER. For Rust, types that the overlay marks with rules = \"per\" are also written for PER, to per.rs. OER and XER are not \
supported; types of protocols that use them are generated nevertheless.

With --keep-going, an assignment with errors is left out, together with everything that depends on it. Each omission is listed with \
its reason, the rest is written, and the exit code is still 1.

Parts of the schema that the generated code omits or checks less strictly are listed on standard error.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise compile --check schemas/                 check the modules of a folder
  tagwise compile --check --json m.asn1 | jq .     the same for programs (schema tagwise.compile/2)
  tagwise compile --lang rust -o src/gen schemas/
  tagwise compile --lang rust -o src/gen --overlay schemas/overlay.toml schemas/a.asn1 schemas/b.asn1
  tagwise compile --lang rust -o src/gen --check schemas/     which files would change; exit code 1 if any
  tagwise compile --lang c --name ldap -o src ldap.asn1       src/ldap.h and src/ldap.c
  tagwise compile --lang python -o src ldap.asn1              src/ldap.py
  tagwise compile --lang c --keep-going -o src charging/      the valid part of a set with errors

Exit codes: 0 done; 1 the modules or the overlay have errors, or --check found something; 2 usage error; 3 a file could not be read \
or written.";

/// A target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Rust,
    C,
    Python,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompileArgs {
    /// Modules: files, or folders of them; with --check alone, `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Target language
    #[arg(long, value_name = "LANG", requires = "output", required_unless_present = "check")]
    lang: Option<Language>,
    /// Write to this folder
    #[arg(short, long, value_name = "DIR", requires = "lang")]
    output: Option<PathBuf>,
    /// Overlay (TOML) with names and documentation, and for Rust also representations
    #[arg(long, value_name = "FILE", requires = "lang")]
    overlay: Option<PathBuf>,
    /// Write nothing; print the errors of the modules, and with --lang the files that would change
    #[arg(long)]
    check: bool,
    /// Omit assignments that have errors and those that depend on them, and write the rest; the exit code is 1
    #[arg(long)]
    keep_going: bool,
    /// Print errors as JSON (schema tagwise.compile/2)
    #[arg(long, conflicts_with = "lang")]
    json: bool,
    /// Base name of the C or Python files [default: the module's name, or `schema` if there are several]
    #[arg(long, value_name = "NAME", requires = "lang")]
    name: Option<String>,
    /// Prefix of every name that the C files define; file names do not change
    #[arg(long, value_name = "TEXT", requires = "lang")]
    prefix: Option<String>,
    /// Path of the codec in the generated code
    #[arg(long, value_name = "PATH", default_value = "tagwise::codec")]
    codec: String,
    /// Path of the derive macro in the generated code
    #[arg(long, value_name = "PATH", default_value = "tagwise::Asn1")]
    derive: String,
    /// Line width of the generated code, for a rustfmt configuration with `max_width` and `use_small_heuristics = "Max"`
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(60..))]
    width: Option<u16>,
    #[command(flatten)]
    limits: SchemaArgs,
}

impl CompileArgs {
    fn options(&self) -> Options {
        let options = self.limits.options();
        if self.keep_going { options.keep_going() } else { options }
    }

    /// Runs the command and returns the exit code.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let (Some(language), Some(folder)) = (self.lang, &self.output) else {
            return check(&self.files, &self.options(), self.json, context, out, err);
        };
        let refused = match language {
            Language::Rust if self.name.is_some() => Some("--name"),
            Language::Rust if self.prefix.is_some() => Some("--prefix"),
            Language::Python if self.prefix.is_some() => Some("--prefix"),
            Language::C | Language::Python if self.width.is_some() => Some("--width"),
            _ => None,
        };
        if let Some(option) = refused {
            writeln!(err, "tagwise: {option} does not apply to this language")?;
            return Ok(2);
        }
        let mut builder =
            Builder::new().codec(&self.codec, &self.derive).max_file(context.limit).schema(self.options());
        for file in &self.files {
            builder = builder.files(file);
        }
        if let Some(overlay) = &self.overlay {
            builder = builder.overlay(overlay);
        }
        if let Some(width) = self.width {
            builder = builder.layout(Layout::max(usize::from(width)));
        }
        let name = self.name.as_deref().unwrap_or_default();
        let made = match language {
            Language::Rust => builder.rust(),
            Language::C => builder.c(name, self.prefix.as_deref().unwrap_or_default()),
            Language::Python => builder.python(name),
        };
        match made {
            Ok(output) => deliver(&output, folder, self.check, out, err),
            Err(error) => failed(&error, err),
        }
    }
}
