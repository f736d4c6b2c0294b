//! `tagwise compile`: modules of ASN.1, checked.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::modules::check::check;

pub(crate) const ABOUT: &str = "\
Compile modules of ASN.1.

Modules are taken as they are published: several files, several modules in a file, imports across them. A folder stands for \
all .asn1 and .asn files in it. What is wrong is told with file, line and column, the line marked, and the clause of X.680 to \
X.683 that decides; several errors a run.

--check writes nothing: it says whether the modules are right.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise compile --check schemas/                 what is wrong with the modules of a folder
  tagwise compile --check --json m.asn1 | jq .     the same for programs (schema tagwise.compile/1)

Exit codes: 0 the modules are right; 1 they are wrong; 2 usage; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct CompileArgs {
    /// Modules: files, or folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say what is wrong, and write nothing
    #[arg(long, required = true)]
    check: bool,
    /// JSON (schema tagwise.compile/1)
    #[arg(long)]
    json: bool,
}

impl CompileArgs {
    /// Runs the command; the exit code.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        check(&self.files, self.json, color, out, err)
    }
}
