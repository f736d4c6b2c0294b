//! `tagwise edit`: edits an encoding as text in an editor, and encodes it again.

mod editor;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use editor::Draft;
use tagwise_codec::Budget;
use tagwise_input::{Armour, Wrapped, WrappedValue};
use tagwise_notation::{Error, Options, parse_within, to_text};
use tagwise_pkix::{name::visible, oids};

use crate::shared::context::Context;
use crate::shared::output::{Access, Failure, Secrecy, deliver, deliver_as, finish, name_of, write};
use crate::shared::refused::Refused;

pub(crate) const ABOUT: &str = "\
Edit an encoding as text.

The file is written as text, one element per line, and opened in $VISUAL or $EDITOR. The edited text is converted to bytes and \
replaces the file atomically. Any bytes can be edited, even malformed ones. Unedited parts are preserved byte for byte: indefinite \
lengths, overlong lengths and tags, and bytes that are not an element. PEM stays PEM, with its label and the text around it; \
hexadecimal and base64 also keep their form.

If the text is malformed, nothing is written: the editor is opened again, or the text is kept and its path is printed. A text that \
shows a private key is never kept, and no text is kept if the editor fails.

The notation is that of Google's DER ASCII:
  SEQUENCE { … }  [0] { … }  [1 PRIMITIVE] { … }     elements; their lengths are counted
  OBJECT_IDENTIFIER { 2.5.4.3 }  INTEGER { -5 }      numbers
  UTF8String { \"Zo\\xc3\\xab\" }  BMPString { u\"Zoë\" }  text, with escapes for any byte
  OCTET_STRING { `00ff` }  BIT_STRING { b`101` }     bytes in hexadecimal, bits
  SEQUENCE indefinite { }  INTEGER long-form:2 { 5 } lengths that DER does not allow
  # comment";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise edit cert.pem                        edit the file in place
  tagwise edit --block 2 chain.pem             the second of several blocks
  tagwise edit -o new.der old.der              write another file
  tagwise edit --text cert.der > cert.txt      print the text only
  tagwise edit --assemble -o cert.der cert.txt convert a text to bytes only
  tagwise edit --apply cert.txt cert.pem       apply a text to the file, without an editor
  echo 'SEQUENCE { INTEGER { 5 } }' | tagwise edit --assemble - | tagwise convert --to hex -

Exit codes: 0 done, or nothing to do; 1 a text is malformed, or the editor failed; 2 usage error; 3 a file could not be read \
or written; 4 a limit was exceeded.";

#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The file; `-` is standard input, with --text and --assemble
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the text form, without editing
    #[arg(long, conflicts_with_all = ["assemble", "apply"])]
    text: bool,
    /// Read FILE as text, and write its bytes
    #[arg(long, conflicts_with_all = ["apply", "block", "bare", "flat", "depth"])]
    assemble: bool,
    /// Replace the value in FILE with the bytes of this text, without an editor
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["bare", "flat", "depth"])]
    apply: Option<PathBuf>,
    /// Write to this file instead of FILE or standard output; required for a value in an archive, which is written alone
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Number of the block in a PEM file with several, from 1
    #[arg(long, value_name = "N")]
    block: Option<usize>,
    /// Omit comments from the text
    #[arg(long)]
    bare: bool,
    /// Do not expand OCTET STRING and BIT STRING in the text
    #[arg(long)]
    flat: bool,
    /// Depth to which elements are expanded; deeper ones are shown in hexadecimal
    #[arg(long, value_name = "N", default_value_t = Budget::DEFAULT.depth, value_parser = clap::value_parser!(u8).range(1..=i64::from(Budget::MAX_DEPTH)))]
    depth: u8,
    /// Write binary output to a terminal, and overwrite an existing file with a private key
    #[arg(short, long)]
    force: bool,
}

impl EditArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = if self.text {
            self.print(context, out)
        } else if self.assemble {
            self.assemble(context, out)
        } else if let Some(text) = &self.apply {
            self.apply(context, text, out, err)
        } else {
            self.edit(context, out, err)
        };
        finish(done, err)
    }

    fn options(&self) -> Options {
        Options {
            comments: !self.bare,
            nested: !self.flat,
            names: Some(|oid| oids::lookup(oid).map(|info| info.name)),
            budget: Budget { depth: self.depth, ..Budget::DEFAULT },
        }
    }

    fn written(&self, octets: &[u8]) -> Result<String, Failure> {
        to_text(octets, &self.options()).map_err(|fault| Refused::from(fault).failure(&self.file))
    }

    fn source(&self, context: &Context) -> Result<Wrapped, Failure> {
        let input = load(context, &self.file)?;
        Wrapped::open(input, None).map_err(|message| Failure::negative(format!("{}: {message}", name_of(&self.file))))
    }

    /// Prints the value as text (`--text`).
    fn print(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let source = self.source(context)?;
        let mut text = String::new();
        let several = source.values.len() > 1 && self.block.is_none();
        for (index, value) in source.values.iter().enumerate() {
            if self.block.is_some() && self.block != Some(index + 1) {
                continue;
            }
            let octets = sound(value, &self.file)?;
            if several && !self.bare {
                let separator = if index > 0 { "\n" } else { "" };
                text.push_str(&format!("{separator}# {}\n", visible(&value.name())));
            }
            text.push_str(&self.written(octets)?);
        }
        self.chosen_exists(&source)?;
        deliver_as(Secrecy::of_values(&source.values), text.as_bytes(), self.output.as_ref(), self.force, out)?;
        Ok(0)
    }

    /// Encodes a text (`--assemble`).
    fn assemble(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let text = load(context, &self.file)?;
        let octets = octets_of(&text, &self.file)?;
        deliver(&octets, self.output.as_ref(), self.force, out)?;
        Ok(0)
    }

    /// Applies an edited text to the file (`--apply`).
    fn apply(
        &self,
        context: &Context,
        text_file: &Path,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        self.not_a_stream()?;
        let source = self.source(context)?;
        let value = self.chosen(&source)?;
        if self.output.is_none() && !value.is_replaceable() {
            return Err(self.locked(&source));
        }
        let text = load(context, text_file)?;
        let octets = octets_of(&text, text_file)?;
        self.put_back(&source, value, &octets, out, err)?;
        Ok(0)
    }

    /// Opens the value in the editor.
    fn edit(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        self.not_a_stream()?;
        let source = self.source(context)?;
        let value = self.chosen(&source)?;
        if self.output.is_none() && !value.is_replaceable() {
            return Err(self.locked(&source));
        }
        let octets = sound(value, &self.file)?;
        let header = format!(
            "# {}: {}\n# Save and close to write this into the file. If the text is unchanged or empty, the file is not changed.\n",
            name_of(&self.file),
            visible(&value.name()),
        );
        let secret = Secrecy::of_values(&source.values) == Secrecy::Secret;
        let draft = Draft::new(&self.file, &(header + &self.written(octets)?), secret)?;
        loop {
            let text = match draft.edit(context) {
                Ok(text) => text,
                Err(message) => return Err(Failure::negative(message)),
            };
            match parse_within(&text, Budget::DEFAULT) {
                Ok(changed) if changed.is_empty() || changed == octets => {
                    writeln!(err, "tagwise: {}: unchanged", name_of(&self.file))?;
                    return Ok(0);
                }
                Ok(changed) => {
                    // Neither a concurrent change of the file nor the edited text is lost.
                    let done = match load(context, &self.file) {
                        Ok(now) if now == source.input() => self.put_back(&source, value, &changed, out, err),
                        Ok(_) => Err(Failure::negative(format!(
                            "{}: not written: another program changed it in the meantime",
                            name_of(&self.file)
                        ))),
                        Err(failure) => Err(failure),
                    };
                    return match done {
                        Ok(()) => Ok(0),
                        Err(Failure::Said(code, message)) => Err(draft.kept(code, &message, &self.file, self.block)),
                        Err(output) => Err(output),
                    };
                }
                Err(error) => {
                    writeln!(err, "tagwise: the text: {}", located(&error, &text))?;
                    let again = io::stdin().is_terminal() && io::stderr().is_terminal() && {
                        write!(err, "Edit it again? [Y/n] ")?;
                        err.flush()?;
                        editor::yes()
                    };
                    if !again {
                        let message = format!("{}: nothing is written", name_of(&self.file));
                        return Err(draft.kept(1, &message, &self.file, self.block));
                    }
                }
            }
        }
    }

    /// Replaces the old bytes with the changed ones.
    fn put_back(
        &self,
        source: &Wrapped,
        value: &WrappedValue,
        octets: &[u8],
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<(), Failure> {
        let path = self.output.as_ref().unwrap_or(&self.file);
        // A value in a container cannot be put back; it is written by itself, to another file.
        let output = source.replaced(value, octets).unwrap_or_else(|| octets.to_vec());
        if self.output.is_none() && output == source.input() {
            writeln!(err, "tagwise: {}: unchanged", name_of(path))?;
            return Ok(());
        }
        match self.output {
            None => write(path, &output, Access::Public).map_err(|error| Failure::file(path, "written", &error))?,
            Some(_) => deliver_as(self.secrecy(source, &output), &output, Some(path), self.force, out)?,
        }
        writeln!(err, "tagwise: {}: {} bytes written", name_of(path), octets.len())?;
        Ok(())
    }

    /// Creates the error for editing a value that cannot be replaced.
    fn locked(&self, source: &Wrapped) -> Failure {
        let form = match source.armour {
            Armour::Container(form) => form.name(),
            _ => "text",
        };
        let name = name_of(&self.file);
        Failure::usage(format!(
            "{name}: a value in {form} cannot be replaced in place: give -o OUT to write only the value"
        ))
    }

    /// Returns the secrecy of the edit: secret if the file, before or after it, contains a key.
    fn secrecy(&self, source: &Wrapped, output: &[u8]) -> Secrecy {
        match Secrecy::of_values(&source.values) {
            Secrecy::Public => Secrecy::of(output),
            secret => secret,
        }
    }

    fn not_a_stream(&self) -> Result<(), Failure> {
        if self.file.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be edited in place: use --text, then --assemble"));
        }
        Ok(())
    }

    fn chosen_exists(&self, source: &Wrapped) -> Result<(), Failure> {
        match self.block {
            Some(number) if number == 0 || number > source.values.len() => Err(Failure::usage(format!(
                "{}: block {number} not found: the file has {}",
                name_of(&self.file),
                source.values.len()
            ))),
            _ => Ok(()),
        }
    }

    /// The value to edit.
    fn chosen<'s>(&self, source: &'s Wrapped) -> Result<&'s WrappedValue, Failure> {
        self.chosen_exists(source)?;
        match (self.block, source.values.as_slice()) {
            (Some(number), values) => values.get(number - 1),
            (None, [value]) => Some(value),
            (None, values) => {
                let list =
                    values.iter().enumerate().map(|(at, value)| format!("\n  {} {}", at + 1, visible(&value.name())));
                return Err(Failure::usage(format!(
                    "{}: the file has several blocks: give --block N{}",
                    name_of(&self.file),
                    list.collect::<String>()
                )));
            }
        }
        .ok_or_else(|| Failure::usage("the block was not found"))
    }
}

/// The bytes of a value, if they are readable.
fn sound<'v>(value: &'v WrappedValue, file: &Path) -> Result<&'v [u8], Failure> {
    match &value.problem {
        Some(problem) => Err(Failure::negative(format!("{}: {}", name_of(file), visible(problem)))),
        None => Ok(&value.octets),
    }
}

fn load(context: &Context, path: &Path) -> Result<Vec<u8>, Failure> {
    context.load(path).map_err(|error| Failure::file(path, "read", &error))
}

/// Encodes a text, or returns an error with the position at which it is malformed.
fn octets_of(text: &[u8], file: &Path) -> Result<Vec<u8>, Failure> {
    parse_within(text, Budget::DEFAULT)
        .map_err(|error| Failure::negative(format!("{}: {}", name_of(file), located(&error, text))))
}

/// Formats an error with its line, and a mark under its column.
fn located(error: &Error, text: &[u8]) -> String {
    let line = text.split(|octet| *octet == b'\n').nth(error.line() - 1).unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let before: String = line.chars().take(error.column() - 1).collect();
    // Of a long line, what is around the column.
    let shown = visible(&before).to_string();
    let skipped = shown.chars().count().saturating_sub(60);
    let head: String = shown.chars().skip(skipped).collect();
    let tail: String = visible(&line.chars().skip(error.column() - 1).take(40).collect::<String>()).to_string();
    let width = unicode_width::UnicodeWidthStr::width(head.as_str());
    format!("{}\n  {head}{}\n  {:width$}^", visible(&error.to_string()), tail.trim_end(), "")
}
