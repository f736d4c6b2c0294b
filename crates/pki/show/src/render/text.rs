//! Renders trees as indented, optionally colored text of at most 100 columns. Long words are not broken, so that they
//! can be copied. Untrusted characters are made visible.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tagwise_codec::text::hex::Hex;
use tagwise_input::Problem;
use tagwise_pkix::name::visible;
use unicode_width::UnicodeWidthStr;

use crate::model::oid_line;
use crate::tree::{Field, Line, Record, Seen, Tone, Value, decimal};

/// The width at which lines are wrapped, in columns.
const WIDTH: usize = 100;
/// The number of bytes in a line of hexadecimal.
const OCTETS: usize = 32;
/// The number of bytes shown of keys and signatures by default.
const FEW: usize = 16;

/// A text renderer.
pub struct Text<W> {
    out: W,
    color: bool,
    /// True if keys and signatures are shown in full.
    full: bool,
}

impl<W: Write> Text<W> {
    /// Creates a renderer that writes to `out`. `full` shows keys and signatures in full.
    pub const fn new(out: W, color: bool, full: bool) -> Self {
        Self { out, color, full }
    }

    /// Flushes the writer.
    ///
    /// # Errors
    /// Returns any error from the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Writes a heading, preceded by a blank line unless it is the first.
    pub fn heading(&mut self, title: &Line, first: bool) -> io::Result<()> {
        if !first {
            writeln!(self.out)?;
        }
        self.wrapped(title, 0, 0, 2)
    }

    /// Writes a value as a block of lines.
    pub fn block(&mut self, value: &Value<'_>, indent: usize) -> io::Result<()> {
        match value {
            Value::List(items) if items.is_empty() => self.line(&Line::new(Tone::Dim, "none"), indent),
            Value::List(items) if is_words(items) => self.line(&joined(items), indent),
            Value::List(items) => items.iter().try_for_each(|item| self.block(item, indent)),
            Value::Stream(make) => make().try_for_each(|item| self.block(&item, indent)),
            Value::Record(record) => self.record(record, indent),
            Value::Problem(problem) => self.problem(problem, indent),
            scalar => {
                let lines = self.scalar(scalar);
                lines.iter().try_for_each(|line| self.line(line, indent))
            }
        }
    }

    /// Writes a record: its title, and its fields below it.
    fn record(&mut self, record: &Record<'_>, indent: usize) -> io::Result<()> {
        if record.title.is_empty() {
            return self.fields(&record.fields, indent);
        }
        self.line(&record.title, indent)?;
        self.fields(&record.fields, indent + 2)
    }

    /// Writes fields with aligned labels.
    ///
    /// # Errors
    /// Returns any error from the writer.
    pub fn fields(&mut self, fields: &[Field<'_>], indent: usize) -> io::Result<()> {
        let labelled = |field: &&Field<'_>| matches!(field.seen, Seen::Both | Seen::Text);
        let widths = fields.iter().filter(labelled).map(|field| label(&field.key).width());
        let column = widths.max().unwrap_or_default();
        for field in fields {
            match field.seen {
                Seen::Json => {}
                Seen::Bare | Seen::BareText => self.block(&field.value, indent)?,
                Seen::Both | Seen::Text => self.field(field, indent, column)?,
            }
        }
        Ok(())
    }

    /// Writes a label, with the value beside it or below it.
    fn field(&mut self, field: &Field<'_>, indent: usize, column: usize) -> io::Result<()> {
        let name = label(&field.key);
        let hang = indent + column + 2;
        match &field.value {
            Value::List(items) if items.is_empty() => {
                self.labelled(&name, column, indent)?;
                self.wrapped(&Line::new(Tone::Dim, "none"), 0, hang, hang)
            }
            Value::List(items) if is_words(items) => {
                self.labelled(&name, column, indent)?;
                self.wrapped(&joined(items), 0, hang, hang)
            }
            Value::List(items) if items.iter().all(is_scalar) => {
                self.labelled(&name, column, indent)?;
                let lines = items.iter().flat_map(|item| self.scalar(item)).collect::<Vec<_>>();
                self.hanging(&lines, hang)
            }
            Value::Record(record) if !record.title.is_empty() => {
                self.labelled(&name, column, indent)?;
                self.wrapped(&record.title, 0, hang, hang)?;
                self.fields(&record.fields, indent + 2)
            }
            scalar if is_scalar(scalar) => {
                self.labelled(&name, column, indent)?;
                let lines = self.scalar(scalar);
                self.hanging(&lines, hang)
            }
            block => {
                write!(self.out, "{:indent$}", "")?;
                self.styled(LABEL, &name)?;
                writeln!(self.out)?;
                self.block(block, indent + 2)
            }
        }
    }

    /// Writes a label without a line break.
    fn labelled(&mut self, name: &str, column: usize, indent: usize) -> io::Result<()> {
        write!(self.out, "{:indent$}", "")?;
        self.styled(LABEL, name)?;
        let pad = column.saturating_sub(name.width()) + 2;
        write!(self.out, "{:pad$}", "")
    }

    /// Writes lines, the first one at the cursor.
    fn hanging(&mut self, lines: &[Line], hang: usize) -> io::Result<()> {
        if lines.is_empty() {
            return writeln!(self.out);
        }
        for (index, line) in lines.iter().enumerate() {
            let pad = if index == 0 { 0 } else { hang };
            self.wrapped(line, pad, hang, hang)?;
        }
        Ok(())
    }

    /// Writes a line, wrapped if it is too long.
    ///
    /// # Errors
    /// Returns any error from the writer.
    pub fn line(&mut self, line: &Line, indent: usize) -> io::Result<()> {
        self.wrapped(line, indent, indent, indent + 4)
    }

    /// Writes a line after `pad` spaces, when `at` columns are filled. Continuation lines are indented by `hang`.
    fn wrapped(&mut self, line: &Line, pad: usize, at: usize, hang: usize) -> io::Result<()> {
        write!(self.out, "{:pad$}", "")?;
        let mut column = at;
        // Blanks that are written when a word follows on the same line.
        let mut blanks = 0;
        let mut fresh = true;
        for (tone, text) in &line.0 {
            let text = visible(text).to_string();
            for (index, word) in text.split(' ').enumerate() {
                if index > 0 {
                    blanks += 1;
                }
                if word.is_empty() {
                    continue;
                }
                let width = word.width();
                if !fresh && column + blanks + width > WIDTH && blanks > 0 && hang + width <= WIDTH.max(column) {
                    write!(self.out, "\n{:hang$}", "")?;
                    column = hang;
                } else {
                    write!(self.out, "{:blanks$}", "")?;
                    column += blanks;
                }
                blanks = 0;
                fresh = false;
                self.styled(style(*tone), word)?;
                column += width;
            }
        }
        writeln!(self.out)
    }

    fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        if self.color { write!(self.out, "{style}{text}{style:#}") } else { self.out.write_all(text.as_bytes()) }
    }

    fn problem(&mut self, problem: &Problem, indent: usize) -> io::Result<()> {
        let mut line = Line::new(Tone::Bad, "malformed: ");
        if !problem.path.is_empty() {
            line = line.and(Tone::Strong, &problem.path).and(Tone::Plain, ": ");
        }
        let place = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
        line = line
            .and(Tone::Plain, format!("{}, at byte {}{place}", problem.message, problem.offset))
            .and(Tone::Dim, format!(" ({})", problem.clause));
        self.line(&line, indent)?;
        if !problem.excerpt.is_empty() {
            self.line(&marked(&problem.excerpt), indent + 2)?;
        }
        match problem.rule {
            Some(rule) => self.line(&Line::new(Tone::Dim, format!("--allow {rule} tolerates this")), indent + 2),
            None => Ok(()),
        }
    }

    /// Formats a value without structure as lines.
    fn scalar(&self, value: &Value<'_>) -> Vec<Line> {
        match value {
            Value::Null => vec![Line::new(Tone::Dim, "none")],
            Value::Bool(yes) => vec![Line::plain(if *yes { "yes" } else { "no" })],
            Value::Number(number) => vec![Line::plain(number)],
            Value::Word(text) => vec![Line::plain(text)],
            // Each line of a text by itself would look like several values.
            Value::Text(text) => vec![Line::plain(text)],
            Value::Oid(oid) => vec![oid_line(*oid, Tone::Plain)],
            Value::Integer(int) => match decimal(*int) {
                Some(decimal) => vec![Line::plain(decimal)],
                None => hex_lines(int.magnitude()),
            },
            Value::Time(time) => vec![Line::plain(time)],
            Value::Hex(octets) => hex_lines(octets),
            Value::Bulk(octets) => match octets.get(..FEW) {
                Some(first) if !self.full && octets.len() > OCTETS => {
                    let rest = format!("… {} bytes", octets.len());
                    vec![Line::new(Tone::Plain, Hex(first)).and(Tone::Dim, rest)]
                }
                _ => hex_lines(octets),
            },
            Value::List(_) | Value::Stream(_) | Value::Record(_) | Value::Problem(_) => Vec::new(),
        }
    }
}

const LABEL: Style = AnsiColor::Cyan.on_default();

const fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Strong => Style::new().bold(),
        Tone::Dim => Style::new().dimmed(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Warn => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default().bold(),
    }
}

/// Highlights the bracketed part of an excerpt.
fn marked(excerpt: &str) -> Line {
    let Some((before, rest)) = excerpt.split_once('[') else { return Line::plain(excerpt) };
    let (inside, after) = rest.split_once(']').unwrap_or((rest, ""));
    Line::new(Tone::Dim, before).and(Tone::Bad, format!("[{inside}]")).and(Tone::Dim, after)
}

fn hex_lines(octets: &[u8]) -> Vec<Line> {
    if octets.is_empty() {
        return vec![Line::new(Tone::Dim, "no bytes")];
    }
    octets.chunks(OCTETS).map(|chunk| Line::plain(Hex(chunk))).collect()
}

fn is_scalar(value: &Value<'_>) -> bool {
    !matches!(value, Value::List(_) | Value::Stream(_) | Value::Record(_) | Value::Problem(_))
}

fn is_words(items: &[Value<'_>]) -> bool {
    items.iter().all(|item| matches!(item, Value::Word(_) | Value::Integer(_)))
}

fn joined(items: &[Value<'_>]) -> Line {
    let words = items.iter().filter_map(|item| match item {
        Value::Word(word) => Some(word.to_string()),
        Value::Integer(int) => Some(decimal(*int).unwrap_or_else(|| Hex(int.magnitude()).to_string())),
        _ => None,
    });
    Line::plain(words.collect::<Vec<_>>().join(", "))
}

/// Converts a JSON key to a label in words.
fn label(key: &str) -> String {
    let words = key.split('_').map(|word| match word {
        "ca" => "CA",
        "crl" => "CRL",
        "id" => "ID",
        "oid" => "OID",
        "sha1" => "SHA-1",
        "sha256" => "SHA-256",
        "spki" => "SPKI",
        "len" => "length",
        "certs" => "certificates",
        "cps" => "CPS",
        "uri" => "URI",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}
