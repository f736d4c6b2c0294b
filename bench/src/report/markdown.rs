//! The report as Markdown.

use super::{Report, Section};
use crate::peers;
use std::fmt::Write as _;
use tagwise_plot::figure;

/// Renders all that there is.
pub(super) fn render(report: &Report) -> String {
    let mut text = String::from("# Benchmark\n\n");
    super::facts(&mut text, &report.head);
    text += "\n## Which libraries ran\n\n| library | state |\n|---|---|\n";
    for library in &report.libraries {
        let _ = writeln!(text, "| {} | {} |", library.name, library.state);
    }
    probes(&mut text, report);
    agreement(&mut text, report);
    if !report.sections.is_empty() {
        let _ = writeln!(
            text,
            "\n## Times\n\nNanoseconds per item. The ratio is the median, over the rounds, of {base}'s time by the library's own in \
             that round: above 1 is faster than {base}. *Accepted* counts the items that the library did not refuse; \
             refusing is cheaper than parsing for most. What each call does stands below its group.",
            base = peers::BASE
        );
    }
    for group in report.groups() {
        let _ = writeln!(text, "\n### {group}");
        for section in report.sections.iter().filter(|section| section.group == group) {
            row(&mut text, section);
        }
        text += "\n| call | what it checks, what it leaves |\n|---|---|\n";
        for (library, says) in report.calls(group) {
            let _ = writeln!(text, "| {library} | {says} |");
        }
    }
    sizes(&mut text, report);
    memory(&mut text, report);
    instructions(&mut text, report);
    text
}

fn row(text: &mut String, section: &Section) {
    let _ = writeln!(
        text,
        "\n**{}** — `{}`: {}. {} rounds.\n\n| library | median | min | × {} | accepted |\n|---|--:|--:|--:|--:|",
        section.title,
        section.id,
        section.input,
        section.rounds,
        peers::BASE
    );
    for line in &section.lines {
        let ratio = line.ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
        let clock = line
            .clock
            .as_ref()
            .map(|clock| format!(" ({clock} clock)"))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "| {}{clock} | {} | {} | {ratio} | {} of {} |",
            line.library,
            figure(line.median_ns),
            figure(line.min_ns),
            line.accepted,
            line.items
        );
    }
}

fn probes(text: &mut String, report: &Report) {
    let Some(first) = report.probes.first() else { return };
    *text += "\n## What each library checks, by experiment\n\nOne good certificate, one fault at a time. **R** refused, · accepted. \
        A call that is not the library's only one is named; *(deep)* is the deepest check of one call.\n\n| fault | rule |";
    for (library, _) in &first.refused {
        let _ = write!(text, " {library} |");
    }
    *text += "\n|---|---|";
    *text += &":-:|".repeat(first.refused.len());
    for probe in &report.probes {
        let _ = write!(text, "\n| {} | {} |", probe.fault, probe.clause);
        for (_, refused) in &probe.refused {
            *text += if *refused { " **R** |" } else { " · |" };
        }
    }
    *text += "\n| *refused in all* | |";
    for at in 0..first.refused.len() {
        let count = report
            .probes
            .iter()
            .filter(|probe| probe.refused.get(at).is_some_and(|(_, refused)| *refused));
        let _ = write!(text, " {} |", count.count());
    }
    *text += "\n";
}

fn agreement(text: &mut String, report: &Report) {
    if report.agreement.is_empty() {
        return;
    }
    *text += "\n## Agreement\n\nBefore anything is timed, what each library says of each certificate is compared, field by field, with what \
        most say.\n\n| set | library | read | fields that it offers | differs from most |\n|---|---|--:|---|---|\n";
    for result in &report.agreement {
        let differs: Vec<String> = result
            .differs
            .iter()
            .map(|difference| format!("{} on {} ({})", difference.field, difference.count, difference.example))
            .collect();
        let differs = if differs.is_empty() {
            "nowhere".to_owned()
        } else {
            differs.join("; ")
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} of {} | {} | {differs} |",
            result.input,
            result.library,
            result.read,
            result.items,
            result.offers.join(", ")
        );
    }
}

fn sizes(text: &mut String, report: &Report) {
    if report.sizes.is_empty() {
        return;
    }
    let mut whats: Vec<&str> = Vec::new();
    let mut libraries: Vec<&str> = Vec::new();
    for size in &report.sizes {
        if !whats.contains(&size.what.as_str()) {
            whats.push(&size.what);
        }
        if !libraries.contains(&size.library.as_str()) {
            libraries.push(&size.library);
        }
    }
    let _ = write!(
        text,
        "\n## Sizes of types, in octets\n\n| type | {} |\n|---|",
        libraries.join(" | ")
    );
    *text += &"--:|".repeat(libraries.len());
    for what in whats {
        let _ = write!(text, "\n| {what} |");
        for library in &libraries {
            let found = report
                .sizes
                .iter()
                .find(|size| size.what == what && size.library == *library);
            let _ = write!(
                text,
                " {} |",
                found.map_or_else(|| "–".to_owned(), |size| size.octets.to_string())
            );
        }
    }
    *text += "\n";
}

fn memory(text: &mut String, report: &Report) {
    if report.memory.is_empty() {
        return;
    }
    *text += "\n## Heap and stack per item\n\nEvery call of the C allocator is counted, whichever language made it; a reallocation counts as one, with \
        its new size. Go's own heap is counted by its runtime. The stack is the deepest of one run over the row's input, \
        without what the call of the row itself takes.\n\n| row | library | allocations | octets | stack |\n|---|---|--:|--:|--:|\n";
    for line in &report.memory {
        let stack = line.stack.map_or_else(|| "–".to_owned(), |stack| stack.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.0} | {stack} |",
            line.row, line.library, line.allocations, line.octets
        );
    }
}

fn instructions(text: &mut String, report: &Report) {
    if report.instructions.is_empty() {
        return;
    }
    let _ = write!(
        text,
        "\n## Instructions per item, by callgrind\n\nThey repeat exactly, where times do not. Go runs outside: its runtime does not under valgrind.\n\n\
         | row | library | instructions | {} : own |\n|---|---|--:|--:|\n",
        peers::BASE
    );
    for line in &report.instructions {
        let base = report
            .instructions
            .iter()
            .find(|other| other.row == line.row && other.library == peers::BASE);
        let ratio = base.map_or_else(
            || "–".to_owned(),
            |base| format!("{:.2}", base.instructions / line.instructions),
        );
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {ratio} |",
            line.row, line.library, line.instructions
        );
    }
}
