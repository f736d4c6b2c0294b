//! Result tables: Markdown to read, JSON to compare, a plain table while it runs.

use crate::harness::Samples;
use crate::peer::Peer;
use crate::rows::Row;
use crate::{machine, peers};
use std::fmt::Write as _;

/// One library in a row.
pub struct Line {
    /// Its name, with the variant after a colon.
    pub library: String,
    /// What it checks and what it leaves.
    pub says: &'static str,
    /// How many items a run handles.
    pub items: usize,
    /// How many of them it accepted.
    pub accepted: u64,
    /// What was measured.
    pub samples: Samples,
}

/// A row's results.
pub struct Section {
    /// The row.
    pub row: Row,
    /// What the input is.
    pub about: String,
    /// The libraries.
    pub lines: Vec<Line>,
}

impl Section {
    /// The line that ratios refer to.
    fn base(&self) -> Option<&Line> {
        self.lines.iter().find(|line| line.library == peers::BASE)
    }

    fn ratio(&self, line: &Line) -> Option<f64> {
        Some(line.samples.faster_than(&self.base()?.samples))
    }
}

/// Where and with what the figures were taken.
pub struct Head {
    /// Name and value.
    facts: Vec<(&'static str, String)>,
}

/// Describes this machine, this build and the peers in it. `rounds` is 0 where nothing was timed.
#[must_use]
pub fn head(peers: &[Box<dyn Peer>], rounds: usize) -> Head {
    let versions = peers
        .iter()
        .flat_map(|peer| peer.crates())
        .map(|name| {
            format!(
                "{name} {}",
                machine::version(name).unwrap_or_else(|| "(this tree)".to_owned())
            )
        })
        .collect::<Vec<_>>()
        .join(", ");
    let mut facts = vec![
        ("date", machine::today()),
        ("processor", machine::cpu()),
        ("compiler", machine::rustc()),
        (
            "profile",
            "opt-level 3, fat LTO, codegen-units 1, no target-cpu".to_owned(),
        ),
        ("libraries", versions),
    ];
    if rounds > 0 {
        let clock = format!("thread CPU time, {rounds} interleaved rounds in one process");
        facts.push(("clock", clock));
    }
    Head { facts }
}

/// The table for the terminal.
#[must_use]
pub fn text(section: &Section) -> String {
    let mut text = format!("\n{} [{}]\n  {}\n", section.row.title, section.row.id, section.about);
    for line in &section.lines {
        let ratio = section
            .ratio(line)
            .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}×"));
        let _ = writeln!(
            text,
            "  {:<22} {:>10.1} ns  min {:>10.1}  {ratio:>8}  {}/{}",
            line.library,
            line.samples.median(),
            line.samples.min(),
            line.accepted,
            line.items
        );
    }
    text
}

/// Writes `results/<date>-<group>.md` and `.json`.
///
/// # Errors
/// Says which file could not be written.
pub fn write(group: &str, head: &Head, sections: &[Section]) -> Result<(), String> {
    save(group, "md", &markdown(group, head, sections))?;
    save(group, "json", &json(group, head, sections))
}

/// Writes `results/<date>-instructions.md`.
///
/// # Errors
/// Says which file could not be written.
pub fn write_instructions(head: &Head, counted: &[(String, String, f64)]) -> Result<(), String> {
    let mut text = String::from("# Instructions per item, by callgrind\n\n");
    facts(&mut text, head);
    text += "\n| row | library | instructions |\n|---|---|--:|\n";
    for (row, library, count) in counted {
        let _ = writeln!(text, "| {row} | {library} | {count:.1} |");
    }
    save("instructions", "md", &text)
}

/// Writes any other table under the same name scheme.
///
/// # Errors
/// Says which file could not be written.
pub fn save(name: &str, extension: &str, text: &str) -> Result<(), String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    let file = format!("{}-{name}.{extension}", machine::today());
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(format!("{folder}/{file}"), text))
        .map_err(|error| format!("could not write results/{file}: {error}"))
}

/// The head as a Markdown list.
pub fn facts(text: &mut String, head: &Head) {
    for (name, value) in &head.facts {
        let _ = writeln!(text, "- {name}: {value}");
    }
}

fn markdown(group: &str, head: &Head, sections: &[Section]) -> String {
    let mut text = format!("# Benchmark: {group}\n\n");
    facts(&mut text, head);
    let _ = writeln!(
        text,
        "\nNanoseconds per item. The ratio is the median, over the rounds, of {base}'s time by the library's own in that \
         round: above 1 is faster than {base}. *Accepted* counts the items that the library did not refuse; \
         refusing is cheaper than parsing.",
        base = peers::BASE
    );
    for section in sections {
        let _ = writeln!(
            text,
            "\n## {} — `{}`\n\n{}.\n",
            section.row.title, section.row.id, section.about
        );
        let _ = writeln!(
            text,
            "| library | median | min | × {} | accepted | what it checks, what it leaves |",
            peers::BASE
        );
        text += "|---|--:|--:|--:|--:|---|\n";
        for line in &section.lines {
            let ratio = section
                .ratio(line)
                .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(
                text,
                "| {} | {:.1} | {:.1} | {ratio} | {} of {} | {} |",
                line.library,
                line.samples.median(),
                line.samples.min(),
                line.accepted,
                line.items,
                line.says
            );
        }
    }
    text
}

fn json(group: &str, head: &Head, sections: &[Section]) -> String {
    let mut text = format!("{{\n  \"group\": {},\n", quoted(group));
    for (name, value) in &head.facts {
        let _ = writeln!(text, "  {}: {},", quoted(name), quoted(value));
    }
    text += "  \"rows\": [";
    for (index, section) in sections.iter().enumerate() {
        text += if index == 0 { "\n" } else { ",\n" };
        let _ = write!(
            text,
            "    {{\"id\": {}, \"title\": {}, \"input\": {}, \"libraries\": [",
            quoted(&section.row.id),
            quoted(section.row.title),
            quoted(&section.about)
        );
        for (index, line) in section.lines.iter().enumerate() {
            text += if index == 0 { "\n" } else { ",\n" };
            let ratio = section
                .ratio(line)
                .map_or_else(|| "null".to_owned(), |ratio| format!("{ratio:.3}"));
            let _ = write!(
                text,
                "      {{\"library\": {}, \"median_ns\": {:.2}, \"min_ns\": {:.2}, \"ratio\": {ratio}, \
                 \"accepted\": {}, \"items\": {}, \"says\": {}}}",
                quoted(&line.library),
                line.samples.median(),
                line.samples.min(),
                line.accepted,
                line.items,
                quoted(line.says)
            );
        }
        text += "\n    ]}";
    }
    text + "\n  ]\n}\n"
}

/// A JSON string. The texts here hold no control characters other than those escaped.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    )
}
