//! The command line of `dump`.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_codec::stream::Rules;

use super::Dump;
use crate::shared::outcome::Outcome;

pub(crate) const ABOUT: &str = "\
Dump any encoding: the tree of its elements, up to the first fault.

A line holds the absolute offset, the depth, the bytes of header and content, then the tag, indented by its depth, and \
the value. OCTET STRINGs and BIT STRINGs whose content is itself well-formed DER are looked into (`encapsulates`). No \
schema is used: the content of context tags is shown as bytes, and the order in a SET OF and DEFAULT values are \
not checked.

Binary input of any size streams through in constant memory, from standard input too; values in a row are all shown. \
PEM, hexadecimal and base64 are recognised up to 16 MiB; offsets then count in what they decode to.

Without a schema a dump does not know what is secret: it prints a private key in DER as it prints anything. Only PEM \
blocks labelled PRIVATE KEY are left out, unless --secrets is given.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise dump cert.der
  tagwise dump --rules ber message.p7m       indefinite lengths and segmented strings, too
  tagwise dump --depth 2 huge.crl            only the outermost elements; all is checked
  tagwise dump --offset 1024 image.bin       the element at byte 1024
  tagwise dump --json - <list.crl | jq -c 'select(.oid)'
                                             a line of JSON an element (schema tagwise.dump/1)

Exit codes: 0 all is well-formed; 1 something is malformed, or the input is empty; 2 usage; 3 a file could not be read.";

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
    /// Print long values whole
    #[arg(long)]
    full: bool,
    /// Begin at this byte of the input, or of what hexadecimal or base64 decodes to; PEM blocks are shown whole
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    offset: u64,
    /// Show elements down to this depth only; deeper ones are still checked
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Print the content of private keys in PEM, too
    #[arg(long)]
    secrets: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum RulesArg {
    Der,
    Ber,
    Cer,
}

impl DumpArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Those of the writers.
    pub(crate) fn run(self, color: bool, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let dump = Dump {
            files: self.files,
            rules: match self.rules {
                RulesArg::Der => Rules::Der,
                RulesArg::Ber => Rules::Ber,
                RulesArg::Cer => Rules::Cer,
            },
            json: self.json,
            color,
            full: self.full,
            offset: self.offset,
            depth: self.depth.unwrap_or(usize::MAX),
            secrets: self.secrets,
        };
        dump.run(out, err).map(Outcome::code)
    }
}
