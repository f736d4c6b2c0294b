//! `tagwise explain`: converts an offset to a path.

use std::io::{self, Write};
use std::path::PathBuf;

use tagwise_codec::value::Dynamic;
use tagwise_input::{Wrapped, WrappedValue};
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::modules::{self, SchemaArgs};
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::parts::{Part, open, parts_of, type_of};
use crate::shared::rules_arg::RulesArg;
use crate::shared::untagged;

pub(crate) const ABOUT: &str = "\
Show which component a byte belongs to.

The offset counts from the first byte of the value's DER, as in the messages of `tagwise show`, or from the start of the first of \
several concatenated values. The prefix 0x marks a hexadecimal offset. The value need not be valid: the path is shown as far as it \
can be determined.

With --schema, the value is of one of the schema's types, in DER, PER or OER. --bit counts bits instead of bytes. In PER and OER, the \
component of a bit behind an error is not known.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise explain 0x1f cert.der
  tagwise explain --schema m.asn1 --type Point --rules uper --bit 7 point.hex

Exit codes: 0 the path is printed; 1 the input has no such byte or bit, or is malformed; 2 usage error; 3 a file could not be read; 4 a limit was exceeded.";

/// The rules under which a byte or bit has a component.
const RULES: [RulesArg; 7] =
    [RulesArg::Der, RulesArg::Uper, RulesArg::Aper, RulesArg::Cuper, RulesArg::Caper, RulesArg::Oer, RulesArg::Coer];

#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct ExplainArgs {
    /// Offset of the byte, in decimal or with 0x in hexadecimal
    #[arg(value_name = "OFFSET", value_parser = offset, required_unless_present = "bit")]
    offset: Option<usize>,
    /// The file; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    file: PathBuf,
    /// Type of the file's content, as for `get` [default: detected], or of the schema, as for `decode`
    #[arg(short = 't', long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// File with ASN.1 modules, or a folder of them; may be repeated
    #[arg(short, long, value_name = "PATH")]
    schema: Vec<PathBuf>,
    /// Encoding rules of the input, with --schema
    #[arg(long, value_name = "RULES", default_value = "der", value_parser = RulesArg::among(&RULES))]
    rules: RulesArg,
    /// Offset of a bit, instead of a byte, with --rules
    #[arg(long, value_name = "N", conflicts_with = "offset", requires = "schema")]
    bit: Option<u64>,
    #[command(flatten)]
    limits: SchemaArgs,
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
        if !self.schema.is_empty() {
            return self.by_schema(context, out);
        }
        if self.rules != RulesArg::Der {
            return Err(Failure::usage("--rules requires --schema"));
        }
        let Some(offset) = self.offset else { return Err(Failure::usage("an offset is missing")) };
        let negative = |message: String| self.negative(&message);
        let source = open(context, &self.file)?;
        let item = self.single(&source)?;
        let mut parts = parts_of(item, false, 1);
        let size = item.octets.len();
        parts.retain(|part| part.start <= offset && offset < size);
        let Some(Part { octets: Ok(octets), start, .. }) = parts.pop() else {
            return Err(negative(format!("the value has {size} bytes")));
        };
        let ty = type_of(self.ty.as_deref(), octets)?;
        let path = Dynamic::new(ty).path_at(octets, offset - start);
        print(out, &path, &ty.name, "")
    }

    fn negative(&self, message: &str) -> Failure {
        Failure::negative(format!("{}: {}", name_of(&self.file), visible(&message)))
    }

    /// Returns the only value of an input.
    fn single<'w>(&self, source: &'w Wrapped) -> Result<&'w WrappedValue, Failure> {
        let [item] = source.values.as_slice() else {
            let count = source.values.len();
            return Err(self.negative(&format!("{count} blocks found, expected exactly one when an offset is given")));
        };
        match &item.problem {
            Some(problem) => Err(self.negative(problem)),
            None => Ok(item),
        }
    }

    /// Explains a value of a schema's type.
    fn by_schema(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let schema = modules::compile(context, &self.schema, &self.limits.options())?;
        let (name, ty) = modules::ty(&schema, self.ty.as_deref())?;
        let untagged = self.rules.untagged();
        let untagged = untagged.map(|rules| untagged::Type::new(context, &schema, &name, rules)).transpose()?;
        let source = match &untagged {
            Some(ty) => {
                let octets = context.load(&self.file).map_err(|error| Failure::file(&self.file, "read", &error))?;
                ty.open(octets, None).map_err(|message| self.negative(&message))?
            }
            None => open(context, &self.file)?,
        };
        let octets = self.single(&source)?.octets.as_slice();
        let bit = self.bit.unwrap_or_else(|| (self.offset.unwrap_or_default() as u64).saturating_mul(8));
        let size = (octets.len() as u64).saturating_mul(8);
        if bit >= size {
            return Err(self.negative(&format!("the value has {} bytes, which are {size} bits", octets.len())));
        }
        let (path, mark) = match &untagged {
            Some(ty) => ty.path_at(octets, bit).map_err(|error| error.failure(&self.file))?,
            None => (ty.path_at(octets, (bit / 8) as usize), ""),
        };
        print(out, &path, &ty.ty().name, mark)
    }
}

/// Prints a path, or the name of the type for the value itself, and a mark for padding.
fn print(out: &mut dyn Write, path: &str, name: &str, mark: &str) -> Result<u8, Failure> {
    match path.is_empty() {
        true => writeln!(out, "{} itself{mark}", visible(&name))?,
        false => writeln!(out, "{}{mark}", visible(&path))?,
    }
    Ok(0)
}

fn offset(text: &str) -> Result<usize, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_error| "not a number".to_owned())
}
