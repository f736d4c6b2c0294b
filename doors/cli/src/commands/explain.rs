//! `tagwise explain`: converts an offset to a path.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_codec::value::Dynamic;
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::parts::{Part, open, parts_of, type_of};

pub(crate) const ABOUT: &str = "\
Show which component a byte belongs to.

The offset counts from the first byte of the value's DER, as in the messages of `tagwise show`, or from the start of the first of \
several concatenated values. The prefix 0x marks a hexadecimal offset. The value need not be valid: the path is shown as far as it \
can be determined.";

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// Offset of the byte, in decimal or with 0x in hexadecimal
    #[arg(value_name = "OFFSET", value_parser = offset)]
    offset: usize,
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Type of the file's content, as for `get` [default: detected]
    #[arg(long = "type", value_name = "NAME")]
    ty: Option<String>,
}

impl ExplainArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.explain(context, out);
        finish(done, err)
    }

    fn explain(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let source = open(context, &self.file)?;
        let negative = |message: String| Failure::negative(format!("{}: {}", name_of(&self.file), visible(&message)));
        let [item] = source.values.as_slice() else {
            return Err(negative(format!(
                "{} blocks found, expected exactly one when an offset is given",
                source.values.len()
            )));
        };
        if let Some(problem) = &item.problem {
            return Err(negative(problem.clone()));
        }
        let mut parts = parts_of(item, false, 1);
        let size = item.octets.len();
        parts.retain(|part| part.start <= self.offset && self.offset < size);
        let Some(Part { octets: Ok(octets), start, .. }) = parts.pop() else {
            return Err(negative(format!("the value has {size} bytes")));
        };
        let ty = type_of(self.ty.as_deref(), octets)?;
        let path = Dynamic::new(ty).path_at(octets, self.offset - start);
        if path.is_empty() {
            writeln!(out, "{} itself", &*ty.name)?;
        } else {
            writeln!(out, "{}", visible(&path))?;
        }
        Ok(0)
    }
}

fn offset(text: &str) -> Result<usize, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_error| "not a number".to_owned())
}
