//! A dump as text, with one line per element: `offset depth header+length`, then the tag, indented by its depth, and its
//! value.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use tagwise_codec::stream::Rules;
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Class, Tag};
use tagwise_pkix::name::visible;

use super::{Content, Element, Fault, Meaning, Sink, meaning};

/// The number of bytes to show of a long value.
const FEW: usize = 24;
/// The number of bytes per line if all are shown.
const LINE: usize = 32;
/// The number of characters to show of a long text.
const CHARS: usize = 72;
/// The maximum indentation of a line.
const DEEP: usize = 40;
/// The width of the columns before the tag.
const MARGIN: usize = 25;

const DIM: Style = Style::new().dimmed();
const TAG: Style = AnsiColor::Cyan.on_default();
const NAME: Style = AnsiColor::Green.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const HEADING: Style = Style::new().bold();

/// Writes a dump as text.
pub(crate) struct Text<W> {
    out: W,
    color: bool,
    full: bool,
    fresh: bool,
}

impl<W: Write> Text<W> {
    pub(crate) const fn new(out: W, color: bool, full: bool) -> Self {
        Self { out, color, full, fresh: true }
    }

    fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        if self.color { write!(self.out, "{style}{text}{style:#}") } else { self.out.write_all(text.as_bytes()) }
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        if !core::mem::take(&mut self.fresh) {
            writeln!(self.out)?;
        }
        self.styled(HEADING, text)?;
        writeln!(self.out)
    }

    /// Writes the columns before the tag, and the indentation.
    fn margin(&mut self, columns: &str, depth: usize) -> io::Result<()> {
        self.styled(DIM, columns)?;
        let pad = MARGIN.saturating_sub(columns.len()).max(1) + 2 * depth.min(DEEP);
        write!(self.out, "{:pad$}", "")
    }

    /// Writes bytes in hexadecimal: all of them, or the first ones and the total number.
    fn octets(&mut self, octets: &[u8], total: u64, depth: usize) -> io::Result<()> {
        let most = if self.full { octets.len() } else { FEW };
        if octets.len() <= most.min(LINE) && octets.len() as u64 == total {
            return write!(self.out, " {}", Hex(octets));
        }
        if self.full {
            write!(self.out, " ({total} bytes)")?;
            return self.lines(octets, depth);
        }
        write!(self.out, " {}", Hex(octets.get(..most).unwrap_or(octets)))?;
        self.styled(DIM, &format!("… ({total} bytes)"))
    }

    fn lines(&mut self, octets: &[u8], depth: usize) -> io::Result<()> {
        let pad = MARGIN + 2 + 2 * depth.min(DEEP);
        octets.chunks(LINE).try_for_each(|line| write!(self.out, "\n{:pad$}{}", "", Hex(line)))
    }

    /// Writes the value of a primitive element.
    fn value(&mut self, element: &Element<'_>, octets: &[u8], whole: bool) -> io::Result<()> {
        let tag = element.header.tag;
        let total = element.header.len.unwrap_or_default();
        let depth = element.depth;
        if self.full && !whole {
            return self.octets(octets, total, depth);
        }
        match meaning(tag, octets, whole) {
            Meaning::Nothing => Ok(()),
            Meaning::Bool(yes) => {
                write!(self.out, " {}", if yes { "TRUE" } else { "FALSE" })?;
                if octets.first().is_some_and(|octet| !matches!(octet, 0 | 0xFF)) {
                    write!(self.out, " ({})", Hex(octets))?;
                }
                Ok(())
            }
            Meaning::Integer(Some(decimal)) if octets.len() <= 8 => write!(self.out, " {decimal}"),
            Meaning::Integer(_) => {
                write!(self.out, " 0x")?;
                // One word: the digits follow the prefix.
                let shown = if self.full || octets.len() <= FEW { octets } else { octets.get(..FEW).unwrap_or(octets) };
                write!(self.out, "{}", Hex(shown))?;
                if shown.len() < octets.len() {
                    self.styled(DIM, &format!("… ({total} bytes)"))?;
                }
                Ok(())
            }
            Meaning::Oid(dotted, name) => {
                write!(self.out, " {dotted}")?;
                match name {
                    Some(name) => {
                        write!(self.out, " ")?;
                        self.styled(NAME, name)
                    }
                    None => Ok(()),
                }
            }
            Meaning::Real(text) => write!(self.out, " {text}"),
            Meaning::Bits(unused) => {
                if unused > 0 {
                    self.styled(NOTE, &format!(" ({unused} unused)"))?;
                }
                self.octets(octets.get(1..).unwrap_or_default(), total.saturating_sub(1), depth)
            }
            Meaning::Text(text, iso) => {
                let shown: String = if self.full { text.clone() } else { text.chars().take(CHARS).collect() };
                write!(self.out, " \"{}\"", visible(&shown))?;
                if shown.len() < text.len() || !whole {
                    self.styled(DIM, &format!("… ({total} bytes)"))?;
                }
                match iso {
                    Some(iso) => self.styled(NAME, &format!(" {iso}")),
                    None => Ok(()),
                }
            }
            Meaning::Octets => {
                if octets.is_empty() && total == 0 {
                    return Ok(());
                }
                self.octets(octets, total, depth)?;
                // What may be text is shown as text, too.
                let printable = octets.len() >= 4 && octets.iter().all(|octet| matches!(octet, b' '..=b'~'));
                if printable && whole {
                    let shown = octets.get(..CHARS.min(octets.len())).unwrap_or(octets);
                    let cut = if shown.len() < octets.len() { "…" } else { "" };
                    self.styled(DIM, &format!(" \"{}\"{cut}", String::from_utf8_lossy(shown)))?;
                }
                Ok(())
            }
        }
    }
}

impl<W: Write> Sink for Text<W> {
    fn file(&mut self, _: &Path, heading: Option<&str>, _: &'static str, _: Rules) -> io::Result<()> {
        match heading {
            Some(heading) => self.heading(heading),
            None => Ok(()),
        }
    }

    fn block(&mut self, label: &str, line: usize) -> io::Result<()> {
        self.heading(&format!("{}, line {line}", visible(label)))
    }

    fn element(&mut self, element: &Element<'_>) -> io::Result<()> {
        self.fresh = false;
        let header = &element.header;
        let len = header.len.map_or("indef".to_owned(), |len| len.to_string());
        let columns = format!("{:>8} {:>2} {:>2}+{len}", header.offset, element.depth, header.header_len);
        self.margin(&columns, element.depth)?;
        let form = match (header.tag.class(), header.tag.is_constructed()) {
            (Class::Universal, true) if !is_constructed_type(header.tag) => " (constructed)",
            (Class::Universal, _) | (_, true) => "",
            (_, false) => " (primitive)",
        };
        self.styled(TAG, &format!("{}{form}", header.tag))?;
        match element.content {
            Content::Elements { cut } => {
                if cut && header.len != Some(0) {
                    self.styled(DIM, " …")?;
                }
            }
            Content::Whole { encapsulates: true, octets } => {
                if matches!(meaning(header.tag, octets, true), Meaning::Bits(1..)) {
                    self.styled(NOTE, " (unused bits)")?;
                }
                self.styled(NOTE, " encapsulates")?;
            }
            Content::Whole { octets, .. } => self.value(element, octets, true)?,
            Content::Front(octets) => self.value(element, octets, false)?,
            Content::Wrong(octets) => {
                let full = core::mem::take(&mut self.full);
                self.octets(octets, header.len.unwrap_or_default(), element.depth)?;
                self.full = full;
            }
            Content::Hidden => {
                let count = header.len.unwrap_or_default();
                self.styled(NOTE, &format!(" not shown: part of a private key ({count} bytes)"))?;
            }
        }
        writeln!(self.out)
    }

    fn more(&mut self, _: u64, octets: &[u8], depth: usize) -> io::Result<()> {
        let pad = MARGIN + 2 + 2 * depth.min(DEEP);
        octets.chunks(LINE).try_for_each(|line| writeln!(self.out, "{:pad$}{}", "", Hex(line)))
    }

    fn end_of_contents(&mut self, offset: u64, depth: usize) -> io::Result<()> {
        self.margin(&format!("{offset:>8} {depth:>2}  2"), depth)?;
        self.styled(DIM, "end of contents")?;
        writeln!(self.out)
    }

    fn fault(&mut self, fault: &Fault<'_>) -> io::Result<()> {
        self.fresh = false;
        let error = fault.error;
        write!(self.out, "{:>8} ", error.offset())?;
        self.styled(BAD, "malformed")?;
        write!(self.out, ": {}, at byte {}", visible(&error.message()), error.offset())?;
        self.styled(DIM, &format!(" ({})", error.clause()))?;
        writeln!(self.out)?;
        if let Some(excerpt) = &fault.excerpt {
            writeln!(self.out, "{:9}{excerpt}", "")?;
        }
        if fault.ber_may_help {
            writeln!(self.out, "{:9}try --rules ber", "")?;
        }
        Ok(())
    }

    fn wrong(&mut self, line: &str) -> io::Result<()> {
        self.styled(BAD, "malformed")?;
        writeln!(self.out, ": {}", visible(line))
    }

    fn unreadable(&mut self, _: &Path, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn done(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns whether a universal type is always constructed, so that its name implies the constructed form.
fn is_constructed_type(tag: Tag) -> bool {
    [Tag::SEQUENCE, Tag::SET, Tag::EXTERNAL, Tag::EMBEDDED_PDV, Tag::CHARACTER_STRING].iter().any(|own| own.same(tag))
}
