//! A table for people: one line for each certificate, as wide as the terminal.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use tagwise_pkix::name::visible;
use tagwise_show::{short_name_of, summary};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::shared::stores::facts::{Facts, Judge, State, Status};
use crate::shared::stores::place_text;

pub(crate) struct Table<'w> {
    out: &'w mut dyn Write,
    color: bool,
    /// The width of the terminal; none where lines go elsewhere and stay whole.
    width: Option<usize>,
    rows: u64,
}

/// The columns of fixed width: the last day, key, signature, what the check says.
const FIXED: [(&str, usize); 4] = [("expires", 10), ("key", 15), ("signature", 14), ("check", 9)];

impl<'w> Table<'w> {
    pub(crate) fn new(out: &'w mut dyn Write, color: bool) -> Self {
        let width = if io::stdout().is_terminal() { terminal_size::terminal_size() } else { None };
        let width = width.map(|(width, _)| usize::from(width.0).max(60));
        Self { out, color, width, rows: 0 }
    }

    /// The widths of subject and place.
    fn flexible(&self) -> (usize, usize) {
        match self.width {
            Some(width) => {
                let left = width.saturating_sub(FIXED.iter().map(|(_, width)| width + 2).sum::<usize>() + 2);
                let subject = left * 55 / 100;
                (subject, left.saturating_sub(subject))
            }
            None => (44, usize::MAX),
        }
    }

    fn cell(&mut self, text: &str, width: usize, style: Style, last: bool) -> io::Result<()> {
        let whole = self.width.is_none();
        let (text, used) = if whole { (text.to_owned(), text.width()) } else { cut(text, width) };
        if self.color {
            write!(self.out, "{style}{text}{style:#}")?;
        } else {
            self.out.write_all(text.as_bytes())?;
        }
        if last {
            return writeln!(self.out);
        }
        let pad = width.saturating_sub(used) + 2;
        write!(self.out, "{:pad$}", "")
    }

    fn heading(&mut self) -> io::Result<()> {
        let dim = Style::new().dimmed();
        for (name, width) in FIXED {
            self.cell(name, width, dim, false)?;
        }
        let (subject, place) = self.flexible();
        self.cell("subject", subject, dim, false)?;
        self.cell("where", place, dim, true)
    }

    pub(crate) fn row(&mut self, facts: &Facts<'_>, judge: &Judge) -> io::Result<()> {
        if self.rows == 0 {
            self.heading()?;
        }
        self.rows += 1;
        let plain = Style::new();
        let day = facts.not_after().map(|time| time.to_string()).unwrap_or_default();
        let day = day.get(..10).unwrap_or("-");
        let tone = match judge.status(facts) {
            Some(Status::Valid) => plain,
            Some(Status::NotYetValid) => AnsiColor::Yellow.on_default(),
            Some(Status::Expired) | None => AnsiColor::Red.on_default(),
        };
        let key = match facts.certificate() {
            Some(certificate) => summary(&certificate.tbs_certificate.subject_public_key_info),
            None => if facts.kind() == "crl" { "CRL" } else { "-" }.to_owned(),
        };
        let (check, style) = match facts.state {
            State::Strict => ("ok", AnsiColor::Green.on_default()),
            State::Deviates if facts.sound => ("allowed", AnsiColor::Green.on_default()),
            State::Deviates => ("deviates", AnsiColor::Yellow.on_default()),
            State::Malformed => ("malformed", AnsiColor::Red.on_default().bold()),
            State::Unreadable => ("no frame", AnsiColor::Red.on_default().bold()),
        };
        let name = facts.subject().or_else(|| facts.issuer());
        let name = name.map(|name| short_name_of(&name)).unwrap_or_default();
        let place = place_text(facts.file, &facts.item.place);
        let [(_, expires_width), (_, key_width), (_, signature_width), (_, check_width)] = FIXED;
        let (subject_width, place_width) = self.flexible();
        self.cell(day, expires_width, tone, false)?;
        self.cell(&key, key_width, plain, false)?;
        self.cell(facts.signature().unwrap_or("-"), signature_width, plain, false)?;
        self.cell(check, check_width, style, false)?;
        self.cell(&name, subject_width, Style::new().bold(), false)?;
        // Of a place the end says most.
        let place = if self.width.is_some() { cut_front(&place, place_width) } else { place };
        self.cell(&place, place_width, Style::new().dimmed(), true)?;
        self.detail(facts)
    }

    /// Reason why something is not strict.
    fn detail(&mut self, facts: &Facts<'_>) -> io::Result<()> {
        let line = match (facts.state, &facts.error) {
            (State::Strict, _) | (_, None) => return Ok(()),
            (State::Deviates, _) => {
                let names = facts.deviations.iter().take(4);
                let mut text = names
                    .map(|deviation| format!("{} at byte {}", deviation.rule.name, deviation.offset))
                    .collect::<Vec<_>>()
                    .join(", ");
                let more = facts.deviations.len().saturating_sub(4);
                if more > 0 {
                    text.push_str(&format!(" and {more} more"));
                }
                text
            }
            (_, Some(error)) => visible(error).to_string(),
        };
        let style = Style::new().dimmed();
        let width = self.width.map_or(usize::MAX, |width| width.saturating_sub(12));
        write!(self.out, "{:12}", "")?;
        self.cell(&line, width, style, true)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The end of a text, of at most that many columns.
fn cut_front(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |char: &char| {
        used += char.width().unwrap_or_default();
        used <= width
    };
    let end: Vec<char> = text.chars().rev().take_while(fits).collect();
    std::iter::once('…').chain(end.into_iter().rev()).collect()
}

/// A text of at most that many columns, and how many it takes.
fn cut(text: &str, width: usize) -> (String, usize) {
    let whole = text.width();
    if whole <= width {
        return (text.to_owned(), whole);
    }
    let mut out = String::new();
    let mut used = 0;
    for char in text.chars() {
        let next = char.width().unwrap_or_default();
        if used + next + 1 > width {
            break;
        }
        out.push(char);
        used += next;
    }
    out.push('…');
    (out, used + 1)
}
