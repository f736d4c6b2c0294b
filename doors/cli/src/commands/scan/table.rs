//! A human-readable table, with one line per certificate, as wide as the terminal.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use tagwise_pkix::KeyInfo;
use tagwise_pkix::name::visible;
use tagwise_show::{short_name_of, short_subject, summary};
use unicode_width::UnicodeWidthStr;

use crate::shared::stores::facts::{Facts, Judge, State, Status};
use crate::shared::stores::place_text;

pub(crate) struct Table<'w> {
    out: &'w mut dyn Write,
    color: bool,
    /// The terminal's width, or `None` if the output is not a terminal. Lines are then not shortened.
    width: Option<usize>,
    rows: u64,
}

/// The columns of fixed width: the expiration date, key, signature, and result of the check.
const FIXED: [(&str, usize); 4] = [("expires", 10), ("key", 15), ("signature", 14), ("check", 9)];

impl<'w> Table<'w> {
    pub(crate) fn new(out: &'w mut dyn Write, color: bool) -> Self {
        let width = if io::stdout().is_terminal() { terminal_size::terminal_size() } else { None };
        let width = width.map(|(width, _)| usize::from(width.0).max(60));
        Self { out, color, width, rows: 0 }
    }

    /// Returns whether a column is shown. A narrow terminal only has room for the expiration date and the check.
    fn shows(&self, column: &str) -> bool {
        let least = match column {
            "signature" => 130,
            "key" => 110,
            _ => 0,
        };
        self.width.is_none_or(|width| width >= least)
    }

    /// Returns the widths of the subject and location columns.
    fn flexible(&self) -> (usize, usize) {
        match self.width {
            Some(width) => {
                let fixed =
                    FIXED.iter().filter(|(name, _)| self.shows(name)).map(|(_, width)| width + 2).sum::<usize>();
                let left = width.saturating_sub(fixed + 2);
                let subject = left * 45 / 100;
                (subject, left.saturating_sub(subject))
            }
            None => (44, usize::MAX),
        }
    }

    fn cell(&mut self, text: &str, width: usize, style: Style, last: bool) -> io::Result<()> {
        if self.color {
            write!(self.out, "{style}{text}{style:#}")?;
        } else {
            self.out.write_all(text.as_bytes())?;
        }
        if last {
            return writeln!(self.out);
        }
        let pad = width.saturating_sub(text.width()) + 2;
        write!(self.out, "{:pad$}", "")
    }

    fn heading(&mut self) -> io::Result<()> {
        let dim = Style::new().dimmed();
        for (name, width) in FIXED {
            if self.shows(name) {
                self.cell(name, width, dim, false)?;
            }
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
            None if facts.kind() == "crl" => "CRL".to_owned(),
            None => match facts.key() {
                Some(KeyInfo { algorithm, curve: Some(curve), .. }) => format!("{algorithm} {curve}"),
                key => key.map_or("-", |key| key.algorithm).to_owned(),
            },
        };
        let (check, style) = match facts.state {
            State::Strict => ("ok", AnsiColor::Green.on_default()),
            State::Deviates if facts.sound => ("allowed", AnsiColor::Green.on_default()),
            State::Deviates => ("deviates", AnsiColor::Yellow.on_default()),
            State::Malformed => ("malformed", AnsiColor::Red.on_default().bold()),
            State::Unreadable => ("no frame", AnsiColor::Red.on_default().bold()),
        };
        let name = match facts.certificate() {
            Some(certificate) => short_subject(certificate),
            None if facts.kind() == "log-entry" => {
                let subject = facts.subject().filter(|name| !name.is_empty()).map(|name| short_name_of(&name));
                subject.or_else(|| facts.dns_names().first().map(|name| visible(name).to_string())).unwrap_or_default()
            }
            None => match facts.issuer() {
                Some(name) if name.is_empty() => "an issuer without a name".to_owned(),
                name => name.map(|name| short_name_of(&name)).unwrap_or_default(),
            },
        };
        let place = place_text(facts.file, &facts.item.place);
        let cells = [(day, tone), (&*key, plain), (facts.signature().unwrap_or("-"), plain), (check, style)];
        for ((column, width), (text, style)) in FIXED.iter().zip(cells) {
            if self.shows(column) {
                self.cell(text, *width, style, false)?;
            }
        }
        let (subject_width, place_width) = self.flexible();
        let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
        // Neither is ever cut: what does not fit beside the other has a line of its own.
        let fits = name.width() <= subject_width && place.width() <= place_width;
        if fits || self.width.is_none() {
            self.cell(&name, subject_width, bold, false)?;
        } else {
            self.cell(&name, 0, bold, true)?;
            write!(self.out, "{:12}", "")?;
        }
        self.cell(&place, 0, dim, true)?;
        self.detail(facts)
    }

    /// Writes the reason why a value is not strictly encoded.
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
        write!(self.out, "{:12}", "")?;
        self.cell(&line, 0, style, true)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.out.flush()
    }
}
