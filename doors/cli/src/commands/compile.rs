//! `tagwise compile`: modules of ASN.1, checked, or made into Rust, C or Python.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use tagwise_codegen::Builder;
use tagwise_codegen::emit::rust::Layout;

use crate::shared::diagnostics::check;
use crate::shared::files;
use crate::shared::generated::{deliver, failed};
use crate::shared::modules::options;

pub(crate) const ABOUT: &str = "\
Compile ASN.1 modules.

Modules are read as they are published: several files, several modules in a file, imports across them. A folder stands for \
all .asn1 and .asn files in it. Errors are printed with file, line and column, the line marked, and the clause of X.680 to \
X.683 that decides; several errors a run. Then nothing is written.

--check alone only checks the modules.

--lang rust writes a file for each module and mod.rs, which has them as modules: structs and enums that derive the codec's \
traits, constants for values, each item under its definition. An overlay (TOML) adds what a schema cannot express: parts that stay raw, \
signed parts, names.

--lang c writes a header and a source for libtagwise: a struct for each type with parts, constants for values, and functions that \
decode, encode, check, print and free each type. The source carries the modules and no code that parses. A file whose name would hide a \
header of C, or a module of Python, has _asn1 behind its name, which a note says.

--lang python writes a module for the package tagwise: a class for each SEQUENCE and SET, with hints, that decodes and encodes; \
enumerations, aliases and codecs for the rest.

Departures from X.680 that published modules make are errors unless --allow-schema names them; then they are warnings. The code \
speaks DER, BER and CER. PER, OER and XER are not spoken yet: of modules whose protocol uses them, the types are made all the same.

With --keep-going one defective assignment does not stop the others: it is left out, and so is all that needs it. Each is listed with its \
reason, the rest is written, and the exit code is 1 all the same.

Parts of the schema that the code leaves out or checks less strictly are listed on standard error.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise compile --check schemas/                 check the modules of a folder
  tagwise compile --check --json m.asn1 | jq .     the same for programs (schema tagwise.compile/2)
  tagwise compile --lang rust -o src/gen schemas/
  tagwise compile --lang rust -o src/gen --overlay schemas/overlay.toml schemas/a.asn1 schemas/b.asn1
  tagwise compile --lang rust -o src/gen --check schemas/     which files would change; exit code 1 if any
  tagwise compile --lang c --name ldap -o src ldap.asn1       src/ldap.h and src/ldap.c
  tagwise compile --lang python -o src ldap.asn1              src/ldap.py
  tagwise compile --lang c --keep-going -o src charging/      what is right of a set with errors

Exit codes: 0 done; 1 the modules or the overlay have errors, or --check found something; 2 usage; 3 a file could not be read or written.";

/// A target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Rust,
    C,
    Python,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompileArgs {
    /// Modules: files, or folders of them; with --check alone `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The language to write
    #[arg(long, value_name = "LANG", requires = "output", required_unless_present = "check")]
    lang: Option<Language>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", requires = "lang")]
    output: Option<PathBuf>,
    /// Overlay (TOML) with what the schema does not say: names and documentation; for Rust also representations
    #[arg(long, value_name = "FILE", requires = "lang")]
    overlay: Option<PathBuf>,
    /// Write nothing: print errors of the modules, and with --lang the files that would change
    #[arg(long)]
    check: bool,
    /// Leave out assignments that have errors and those that need them, and write the rest; exit code 1
    #[arg(long)]
    keep_going: bool,
    /// Print errors as JSON (schema tagwise.compile/2)
    #[arg(long, conflicts_with = "lang")]
    json: bool,
    /// The name of C's or Python's files, without extension [default: the module's, or schema where there are several]
    #[arg(long, value_name = "NAME", requires = "lang")]
    name: Option<String>,
    /// Put before every name that C's files define; the files' own names stay
    #[arg(long, value_name = "TEXT", requires = "lang")]
    prefix: Option<String>,
    /// The path of the codec in the code
    #[arg(long, value_name = "PATH", default_value = "tagwise::codec")]
    codec: String,
    /// The path of the derive in the code
    #[arg(long, value_name = "PATH", default_value = "tagwise::Asn1")]
    derive: String,
    /// The code's width, where rustfmt is configured with `max_width` and `use_small_heuristics = "Max"`
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(60..))]
    width: Option<u16>,
}

impl CompileArgs {
    /// Runs the command; the exit code.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let (Some(language), Some(folder)) = (self.lang, &self.output) else {
            return check(&self.files, self.keep_going, self.json, color, out, err);
        };
        let refused = match language {
            Language::Rust if self.name.is_some() => Some("--name"),
            Language::Rust if self.prefix.is_some() => Some("--prefix"),
            Language::Python if self.prefix.is_some() => Some("--prefix"),
            Language::C | Language::Python if self.width.is_some() => Some("--width"),
            _ => None,
        };
        if let Some(option) = refused {
            writeln!(err, "tagwise: {option} does not go with this language")?;
            return Ok(2);
        }
        let mut builder = Builder::new()
            .codec(&self.codec, &self.derive)
            .max_file(files::limit())
            .schema(if self.keep_going { options().keep_going() } else { options() });
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
