//! The command line of `dump`.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_codec::stream::Rules;

use super::Dump;
use crate::shared::context::Context;
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, finish};

pub(crate) const ABOUT: &str = "\
Dump any encoding: the tree of its elements, up to the first error.

Each line shows the absolute offset, the depth, the lengths of header and content, the tag (indented by depth) and the value. OCTET \
STRINGs and BIT STRINGs that contain well-formed DER are expanded (`encapsulates`). No schema is used: the content of \
context-specific tags is shown as bytes, and the order of a SET OF and DEFAULT values are not checked.

Binary input of any size is processed in constant memory, also from standard input; all concatenated values are shown. PEM, \
hexadecimal and base64 are recognized up to 16 MiB; offsets then refer to the decoded bytes.

Without a schema, a dump cannot recognize secrets: it prints a private key in DER like any other value. Only PEM blocks labeled \
PRIVATE KEY are left out, unless --secrets is given.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise dump cert.der
  tagwise dump --rules ber message.p7m       also indefinite lengths and segmented strings
  tagwise dump --depth 2 huge.crl            only the outermost elements; everything is checked
  tagwise dump --offset 1024 image.bin       the element at byte 1024
  tagwise dump --json - <list.crl | jq -c 'select(.oid)'
                                             one line of JSON per element (schema tagwise.dump/1)

Exit codes: 0 everything is well-formed; 1 something is malformed, or the input is empty; 2 usage error; 3 a file could not be read; 4 a limit was exceeded.";

#[derive(Debug, clap::Args)]
pub(crate) struct DumpArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Encoding rules of the input
    #[arg(long, value_name = "RULES", value_enum, default_value = "der")]
    rules: RulesArg,
    /// Print JSON lines (schema tagwise.dump/1)
    #[arg(long)]
    json: bool,
    /// Print long values in full
    #[arg(long)]
    full: bool,
    /// Begin at this byte of the input, or of the decoded bytes of hexadecimal or base64; PEM blocks are shown completely
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    offset: u64,
    /// Show elements only down to this depth; deeper ones are still checked
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Also print the content of private keys in PEM
    #[arg(long)]
    secrets: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum RulesArg {
    Der,
    Ber,
    Cer,
    #[value(hide = true, aliases = ["aper", "cuper", "caper", "oer", "coer"])]
    Uper,
}

impl DumpArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let rules = match self.rules {
            RulesArg::Der => Rules::Der,
            RulesArg::Ber => Rules::Ber,
            RulesArg::Cer => Rules::Cer,
            RulesArg::Uper => {
                let reason =
                    "PER and OER have no elements to dump; use tagwise decode --schema PATH --rules RULES --bits";
                return finish(Err(Failure::usage(reason)), err);
            }
        };
        let dump = Dump {
            files: self.files,
            rules,
            json: self.json,
            color: context.color,
            full: self.full,
            offset: self.offset,
            depth: self.depth.unwrap_or(usize::MAX),
            secrets: self.secrets,
        };
        dump.run(out, err).map(Outcome::code)
    }
}
