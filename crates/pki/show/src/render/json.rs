//! JSON that is safe to display: control characters, bidirectional controls and invisible characters are escaped.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use serde_json::value::RawValue;
use tagwise_pkix::name::visible;

/// Writes an indented document with a trailing line break.
pub fn write<W: Write, T: Serialize + ?Sized>(out: W, document: &T) -> io::Result<()> {
    Writer::new(out).value(document)
}

/// Writes a document on one line.
pub fn line<W: Write, T: Serialize + ?Sized>(mut out: W, document: &T) -> io::Result<()> {
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Escaping(&mut CompactFormatter)))?;
    out.write_all(b"\n")
}

/// Writes an indented document in parts, so that it need not be in memory as a whole.
///
/// ```
/// let mut text = Vec::new();
/// let mut out = tagwise_show::render::json::Writer::new(&mut text);
/// out.object()?;
/// out.key("files")?;
/// out.list()?;
/// out.value("one")?;
/// out.end()?;
/// out.entry("count", &1)?;
/// out.end()?;
/// assert_eq!(text, b"{\n  \"files\": [\n    \"one\"\n  ],\n  \"count\": 1\n}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W> {
    out: W,
    formatter: PrettyFormatter<'static>,
    /// The open objects and lists, from the outermost: whether each is an object, and whether it is empty.
    open: Vec<(bool, bool)>,
}

impl<W: Write> Writer<W> {
    /// Creates a writer of a document.
    #[must_use]
    pub fn new(out: W) -> Self {
        Self { out, formatter: PrettyFormatter::new(), open: Vec::new() }
    }

    /// Begins an object, which contains entries until [`Writer::end`].
    pub fn object(&mut self) -> io::Result<()> {
        self.begin()?;
        self.open.push((true, true));
        self.formatter.begin_object(&mut self.out)
    }

    /// Begins a list, which contains values until [`Writer::end`].
    pub fn list(&mut self) -> io::Result<()> {
        self.begin()?;
        self.open.push((false, true));
        self.formatter.begin_array(&mut self.out)
    }

    /// Writes the key of an entry, whose value follows.
    pub fn key(&mut self, name: &str) -> io::Result<()> {
        let is_first = self.open.last_mut().is_some_and(|(_, is_empty)| std::mem::take(is_empty));
        self.formatter.begin_object_key(&mut self.out, is_first)?;
        name.serialize(&mut serde_json::Serializer::new(&mut self.out))?;
        self.formatter.end_object_key(&mut self.out)?;
        self.formatter.begin_object_value(&mut self.out)
    }

    /// Writes a value.
    pub fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        self.begin()?;
        let formatter = Escaping(&mut self.formatter);
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut self.out, formatter))?;
        self.ended()
    }

    /// Writes an entry of an object.
    pub fn entry<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> io::Result<()> {
        self.key(name)?;
        self.value(value)
    }

    /// Ends the innermost object or list, and with the outermost the document.
    pub fn end(&mut self) -> io::Result<()> {
        match self.open.pop() {
            Some((true, _)) => self.formatter.end_object(&mut self.out)?,
            Some((false, _)) => self.formatter.end_array(&mut self.out)?,
            None => {}
        }
        self.ended()
    }

    /// Separates an element of a list from the one before.
    fn begin(&mut self) -> io::Result<()> {
        match self.open.last_mut() {
            Some((false, is_empty)) => {
                let is_first = std::mem::take(is_empty);
                self.formatter.begin_array_value(&mut self.out, is_first)
            }
            _ => Ok(()),
        }
    }

    /// Records the end of a value.
    fn ended(&mut self) -> io::Result<()> {
        match self.open.last() {
            Some((true, _)) => self.formatter.end_object_value(&mut self.out),
            Some((false, _)) => self.formatter.end_array_value(&mut self.out),
            None => {
                self.out.write_all(b"\n")?;
                self.out.flush()
            }
        }
    }
}

/// Wraps existing JSON for embedding in another document.
///
/// # Errors
/// Returns an error if the text is not valid JSON.
pub fn raw(text: String) -> io::Result<Box<RawValue>> {
    Ok(RawValue::from_string(text)?)
}

struct Escaping<'f, F>(&'f mut F);

/// Delegates to serde's own formatter for everything except strings.
macro_rules! passed_on {
    ($($name:ident ( $($arg:ident : $ty:ty),* );)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $arg: $ty)*) -> io::Result<()> {
            self.0.$name(writer $(, $arg)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Escaping<'_, F> {
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
