//! Findings as text, grouped by certificate or CRL, with a summary line at the end.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tagwise_pkix::lint::Severity;
use tagwise_pkix::name::visible;
use tagwise_show::lint::{File, Found, Judged, Subject};

/// Writes findings as text.
pub(super) struct Text {
    color: bool,
}

impl Text {
    pub(super) const fn new(color: bool) -> Self {
        Self { color }
    }

    fn style(&self, style: Style) -> Style {
        if self.color { style } else { Style::new() }
    }

    /// Writes the findings in a file.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(super) fn file(&self, out: &mut dyn Write, file: &File) -> io::Result<()> {
        for subject in
            file.items.iter().filter(|subject| subject.errors + subject.warnings > 0 || subject.not_checked.is_some())
        {
            self.subject(out, file, subject)?;
        }
        Ok(())
    }

    fn subject(&self, out: &mut dyn Write, file: &File, subject: &Subject) -> io::Result<()> {
        let bold = self.style(Style::new().bold());
        let dim = self.style(Style::new().dimmed());
        let what = if subject.kind == "crl" { "CRL" } else { "certificate" };
        let number = match subject.place {
            (1, 1) => String::new(),
            (number, total) => format!(" {number} of {total}"),
        };
        let place = match subject.line {
            Some(line) => format!(", line {line}"),
            None if subject.offset > 0 => format!(", byte {}", subject.offset),
            None => String::new(),
        };
        let name = visible(&subject.subject);
        let colon = if subject.subject.is_empty() { "" } else { ": " };
        writeln!(out, "{bold}{what}{number}{colon}{name}{bold:#}  {dim}{}{place}{dim:#}", file.name)?;
        for found in &subject.findings {
            self.finding(out, found)?;
        }
        if subject.omitted > 0 {
            writeln!(out, "  … and {} more", subject.omitted)?;
        }
        if let Some(reason) = &subject.not_checked {
            let tone = self.style(AnsiColor::Yellow.on_default());
            writeln!(out, "  {tone}not checked:{tone:#} {}", visible(reason))?;
        }
        writeln!(out)
    }

    fn finding(&self, out: &mut dyn Write, found: &Found) -> io::Result<()> {
        let dim = self.style(Style::new().dimmed());
        let tone = self.style(match found.severity {
            Severity::Error => AnsiColor::Red.on_default().bold(),
            Severity::Warning => AnsiColor::Yellow.on_default(),
        });
        let path = if found.path.is_empty() { String::new() } else { format!("{} ", visible(&found.path)) };
        writeln!(out, "  {tone}{:<9}{tone:#}{}", found.severity, found.title)?;
        writeln!(out, "           {path}at byte {} ({})", found.offset, found.clause)?;
        writeln!(out, "           {dim}{}{dim:#}", found.id)
    }

    /// Writes the summary.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(super) fn summary(&self, out: &mut dyn Write, judged: &Judged) -> io::Result<()> {
        let mut parts = Vec::new();
        if judged.certificates > 0 {
            parts.push(counted(judged.certificates, "certificate"));
        }
        if judged.crls > 0 {
            parts.push(counted(judged.crls, "CRL"));
        }
        if parts.is_empty() {
            return Ok(());
        }
        let what = parts.join(", ");
        let unchecked = match judged.not_checked {
            0 => String::new(),
            count => format!(", {count} not checked"),
        };
        let found = format!("{}, {}", counted(judged.errors, "error"), counted(judged.warnings, "warning"));
        writeln!(
            out,
            "{what}: {found} ({} with errors, {} with warnings only, {} clean{unchecked})",
            judged.with_errors, judged.with_warnings, judged.clean
        )
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
