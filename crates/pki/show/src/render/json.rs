//! JSON that is safe to display: control characters, bidirectional controls and invisible characters are escaped.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use serde_json::value::RawValue;
use tagwise_pkix::name::visible;

/// Writes an indented document with a trailing line break.
pub fn write<W: Write, T: Serialize + ?Sized>(mut out: W, document: &T) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping(PrettyFormatter::new()));
    document.serialize(&mut serializer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a document on one line.
pub fn line<W: Write, T: Serialize + ?Sized>(mut out: W, document: &T) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping(CompactFormatter));
    document.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Wraps existing JSON for embedding in another document.
///
/// # Errors
/// Returns an error if the text is not valid JSON.
pub fn raw(text: String) -> io::Result<Box<RawValue>> {
    Ok(RawValue::from_string(text)?)
}

struct Escaping<F>(F);

/// Delegates to serde's own formatter for everything except strings.
macro_rules! passed_on {
    ($($name:ident ( $($arg:ident : $ty:ty),* );)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $arg: $ty)*) -> io::Result<()> {
            self.0.$name(writer $(, $arg)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Escaping<F> {
    passed_on! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        escaped(writer, fragment)
    }

    /// Escapes embedded JSON. Outside of strings, JSON contains no hidden characters.
    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        escaped(writer, fragment)
    }
}

/// Writes a part of a document, with hidden characters as `\uXXXX`.
fn escaped<W: ?Sized + Write>(writer: &mut W, fragment: &str) -> io::Result<()> {
    let mut rest = fragment;
    while let Some((at, char)) = rest.char_indices().find(|(_, char)| is_hidden(*char)) {
        let (shown, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        writer.write_all(shown.as_bytes())?;
        for unit in char.encode_utf16(&mut [0; 2]) {
            write!(writer, "\\u{unit:04x}")?;
        }
        rest = after.get(char.len_utf8()..).unwrap_or_default();
    }
    writer.write_all(rest.as_bytes())
}

fn is_hidden(char: char) -> bool {
    // Below are those that serde escapes, and ASCII that can be seen.
    char >= '\u{7F}' && visible(&char).to_string().starts_with('\\')
}
