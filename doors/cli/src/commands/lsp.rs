//! `tagwise lsp`.

use crate::shared::context::Context;
use std::io::{self, Write};

pub(crate) const ABOUT: &str = "\
Run a language server for ASN.1 modules on standard input and output (Language Server Protocol 3.17). Editors start it. It reports \
errors with their clauses while you type, and supports hover, definition, references, renaming, completion, formatting, outlines, \
semantic tokens, and inlay hints with automatic tags. The code lens at each type decodes hexadecimal with it.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise lsp                                                           as the command of a language server in an editor
  vim.lsp.start({ name = 'tagwise', cmd = { 'tagwise', 'lsp' } })       in Neovim, for files of the type asn1
  hx: [language-server.tagwise] command = 'tagwise', args = ['lsp']     in Helix's languages.toml

Exit codes: 0 the editor ended the session; 2 usage error; 3 the connection failed.";

#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    /// Communicate on standard input and output, which is the only way
    #[arg(long, hide = true)]
    stdio: bool,
}

impl LspArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, _context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let Self { stdio: _ } = self;
        match tagwise_lsp::stdio(out) {
            Ok(()) => Ok(0),
            Err(error) => {
                writeln!(err, "tagwise: {error}")?;
                Ok(3)
            }
        }
    }
}
