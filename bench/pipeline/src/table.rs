//! Results as text: a table for each kind of key, backends side by side. It is Markdown, which a terminal shows well enough.

use std::fmt::Write as _;

use crate::report::{Line, Report, Run, SCALING};
use crate::stage::Stage;

/// The batches that are shown; all are in the JSON and in the page.
const SHOWN: [usize; 2] = [64, 1024];

pub(crate) fn render(report: &Report) -> String {
    let mut text = String::new();
    for (name, value) in &report.facts {
        let _ = writeln!(text, "- {name}: {value}");
    }
    text.push_str(
        "\nMedians of the rounds; ratios of pairs of rounds. In brackets: by the time of processors alone.\n",
    );
    for algorithm in report.algorithms() {
        let runs: Vec<&Run> = report.of(algorithm).collect();
        let subscriber = runs.first().map_or("", |run| run.subscriber.as_str());
        let _ = write!(text, "\n## {algorithm}");
        if subscriber != algorithm {
            let _ = write!(text, ", subscribers with {subscriber}");
        }
        text.push('\n');
        let (there, missing): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.not_offered.is_none());
        for run in missing {
            let _ = writeln!(
                text,
                "\n{}: {}",
                run.backend,
                run.not_offered.as_deref().unwrap_or_default()
            );
        }
        for batch in shown(&there) {
            batch_table(&mut text, &there, batch);
        }
        scaling(&mut text, &there);
    }
    text
}

/// Those that are customary, as far as they ran; else the largest.
pub(crate) fn shown(runs: &[&Run]) -> Vec<usize> {
    let all = |run: &&Run| run.batches.iter().map(|batch| batch.batch).collect::<Vec<_>>();
    let sizes: Vec<usize> = runs.first().map(all).unwrap_or_default();
    let shown: Vec<usize> = SHOWN.into_iter().filter(|batch| sizes.contains(batch)).collect();
    if shown.is_empty() {
        sizes.into_iter().max().into_iter().collect()
    } else {
        shown
    }
}

fn batch_table(text: &mut String, runs: &[&Run], batch: usize) {
    let mut rows = vec![vec![format!("batch of {batch}")]];
    rows.extend(Stage::ALL.map(|stage| vec![stage.name().to_owned()]));
    for run in runs {
        let head = [
            format!("{}: ms", run.backend),
            "1000/s".to_owned(),
            "÷ floor".to_owned(),
        ];
        let lines = Stage::ALL.map(|stage| run.line(batch, stage).map(cells).unwrap_or_default());
        for (row, more) in rows.iter_mut().zip(std::iter::once(head).chain(lines)) {
            row.extend(more);
        }
    }
    aligned(text, &rows);
}

/// Milliseconds, thousand items a second, and the ratio with what it is held to.
fn cells(line: &Line) -> [String; 3] {
    let mark = match line.holds {
        Some(true) => " ✓",
        Some(false) => " ✗",
        None => "",
    };
    let ratio = match (
        line.by_floor.zip(line.by_floor_cpu),
        line.by_synta.zip(line.by_synta_cpu),
    ) {
        (Some((ratio, cpu)), _) => format!("{ratio:.2} ({cpu:.2}){mark}"),
        (None, Some((ratio, cpu))) => format!("synta ÷ {ratio:.1} ({cpu:.1}){mark}"),
        (None, None) => String::new(),
    };
    [number(line.ms), number(line.items_per_second / 1e3), ratio]
}

/// Three significant places.
pub(crate) fn number(value: f64) -> String {
    let places = match value {
        ..0.1 => 4,
        0.1..1.0 => 3,
        1.0..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{value:.places$}")
}

fn scaling(text: &mut String, runs: &[&Run]) {
    if runs.iter().all(|run| run.scaling.is_empty()) {
        return;
    }
    let mut rows = vec![vec!["1 → 2 threads".to_owned()]];
    for line in runs.iter().flat_map(|run| &run.scaling) {
        if !rows
            .iter()
            .any(|row| row.first().is_some_and(|name| name == line.stage))
        {
            rows.push(vec![line.stage.to_owned()]);
        }
    }
    for run in runs {
        for row in &mut rows {
            let name = row.first().cloned().unwrap_or_default();
            match run.scaling.iter().find(|line| line.stage == name) {
                Some(line) => {
                    let mark = if line.of_raw >= SCALING { "✓" } else { "✗" };
                    row.push(format!(
                        "{:.2} of raw {:.2}: {:.2} {mark}",
                        line.own, line.raw, line.of_raw
                    ));
                }
                None if name.starts_with('1') => row.push(run.backend.clone()),
                None => row.push(String::new()),
            }
        }
    }
    aligned(text, &rows);
}

/// A Markdown table whose columns stand below each other.
fn aligned(text: &mut String, rows: &[Vec<String>]) {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    text.push('\n');
    for (number, row) in rows.iter().enumerate() {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = if column == 0 {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
        if number == 0 {
            for (column, width) in widths.iter().enumerate() {
                let dashes = "-".repeat(width + 1);
                let _ = if column == 0 {
                    write!(text, "|{dashes}-")
                } else {
                    write!(text, "|{dashes}:")
                };
            }
            text.push_str("|\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_columns() {
        assert_eq!(
            [0.01234, 0.5, 5.0, 12.34, 1234.5].map(number),
            ["0.0123", "0.500", "5.00", "12.3", "1234"]
        );
        let mut text = String::new();
        aligned(
            &mut text,
            &[vec!["a".into(), "b".into()], vec!["long".into(), "÷ 2".into()]],
        );
        assert_eq!(text, "\n| a    |   b |\n|------|----:|\n| long | ÷ 2 |\n");
    }
}
