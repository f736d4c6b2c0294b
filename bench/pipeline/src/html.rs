//! Results as one page that needs nothing else: tables, and plots by batch size as inline SVG.

use std::fmt::Write as _;

use tagwise_plot::{STYLE, Series, escape, lines};

use crate::report::{Line, Report, Run, SCALING};
use crate::stage::Stage;
use crate::table::{number, shown};

/// Renders all that there is.
pub(crate) fn render(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>The pipeline of a CA</title><style>\n{STYLE}</style>\n<h1>The pipeline of a CA, stage by stage</h1>\n<table>"
    );
    for (name, value) in &report.facts {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(name), escape(value));
    }
    page += "</table>\n<nav>";
    for algorithm in report.algorithms() {
        let _ = write!(page, "<a href=\"#{0}\">{0}</a>", escape(algorithm));
    }
    page += "</nav><p>Medians over the rounds of a batch; ratios of pairs of successive rounds. The floor of a stage, which ran in the same round, is the bare signature or \
        verification of the same octets with the same handles on the same threads, or the same octets through prepared \
        statements; the floor is drawn dashed. Ratios in brackets are by the time of processors alone. Of what is only built, synta's builder on the same inputs stands in its place.</p>";
    for algorithm in report.algorithms() {
        let runs: Vec<&Run> = report.of(algorithm).collect();
        section(&mut page, algorithm, &runs);
    }
    page + "</html>\n"
}

fn section(page: &mut String, algorithm: &str, runs: &[&Run]) {
    let _ = write!(page, "\n<h2 id=\"{0}\">{0}</h2>", escape(algorithm));
    let (there, missing): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.not_offered.is_none());
    for run in missing {
        let why = run.not_offered.as_deref().unwrap_or_default();
        let _ = write!(page, "<p><b>{}</b>: {}</p>", escape(&run.backend), escape(why));
    }
    if there.is_empty() {
        return;
    }
    for batch in shown(&there) {
        table(page, &there, batch);
    }
    scaling(page, &there);
    *page += "<div class=\"plots\">";
    for stage in Stage::ALL {
        let drawn = lines(&series(&there, stage), "items in the batch: microseconds an item");
        if !drawn.is_empty() {
            let _ = write!(page, "<div><h4>{stage}</h4>{drawn}</div>");
        }
    }
    *page += "</div>";
}

/// Of each backend the stage, and what is below it.
fn series(runs: &[&Run], stage: Stage) -> Vec<Series> {
    let mut all = Vec::new();
    for run in runs {
        let points = |of: fn(&Line) -> Option<f64>| -> Vec<(f64, f64)> {
            let point = |batch: usize| {
                let line = run.line(batch, stage)?;
                Some((batch as f64, of(line)? * 1e3 / line.items as f64))
            };
            run.batches.iter().filter_map(|batch| point(batch.batch)).collect()
        };
        let below = if run
            .batches
            .iter()
            .any(|batch| run.line(batch.batch, stage).is_some_and(|line| line.synta_ms.is_some()))
        {
            "synta"
        } else {
            "floor"
        };
        all.push(Series {
            name: run.backend.clone(),
            class: run.backend.clone(),
            points: points(|line| Some(line.ms)),
        });
        let floor = points(|line| line.floor_ms.or(line.synta_ms));
        if !floor.is_empty() {
            all.push(Series {
                name: format!("{below}, {}", run.backend),
                class: format!("below {}", run.backend),
                points: floor,
            });
        }
    }
    all
}

fn table(page: &mut String, runs: &[&Run], batch: usize) {
    let _ = write!(
        page,
        "<h3>Batch of {batch}</h3><div class=\"wide\"><table><tr><th>stage</th><th>held to</th>"
    );
    for run in runs {
        let _ = write!(
            page,
            "<th class=\"n\">{} ms</th><th class=\"n\">thousand/s</th><th class=\"n\">floor ms</th><th class=\"n\">÷ floor</th>",
            escape(&run.backend)
        );
    }
    *page += "</tr>";
    for stage in Stage::ALL {
        let bar = runs
            .iter()
            .find_map(|run| run.line(batch, stage)?.bar.clone())
            .unwrap_or_default();
        let _ = write!(page, "<tr><td>{stage}</td><td>{}</td>", escape(&bar));
        for run in runs {
            match run.line(batch, stage) {
                Some(line) => cells(page, line),
                None => *page += "<td></td><td></td><td></td><td></td>",
            }
        }
        *page += "</tr>";
    }
    *page += "</table></div>";
}

fn cells(page: &mut String, line: &Line) {
    let class = match line.holds {
        Some(true) => " yes",
        Some(false) => " no",
        None => "",
    };
    let cpu = line.by_floor_cpu.or(line.by_synta_cpu).unwrap_or(f64::NAN);
    let (below, ratio) = match (line.floor_ms, line.by_floor, line.synta_ms, line.by_synta) {
        (Some(floor), Some(ratio), ..) => (number(floor), format!("{ratio:.2} ({cpu:.2})")),
        (_, _, Some(synta), Some(ratio)) => (
            format!("synta {}", number(synta)),
            format!("synta ÷ {ratio:.1} ({cpu:.1})"),
        ),
        _ => (String::new(), String::new()),
    };
    let _ = write!(
        page,
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{below}</td><td class=\"n{class}\">{ratio}</td>",
        number(line.ms),
        number(line.items_per_second / 1e3)
    );
}

fn scaling(page: &mut String, runs: &[&Run]) {
    if runs.iter().all(|run| run.scaling.is_empty()) {
        return;
    }
    let _ = write!(
        page,
        "<h3>From one thread to two</h3><p>How much faster the stage gets, how much the bare operation does, and the first by the \
         second, which is held to {SCALING} at least.</p><table><tr><th>backend</th><th>stage</th><th class=\"n\">stage</th>\
         <th class=\"n\">bare</th><th class=\"n\">of it</th></tr>"
    );
    for run in runs {
        for line in &run.scaling {
            let class = if line.of_raw >= SCALING { "yes" } else { "no" };
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{:.2}</td><td class=\"n {class}\">{:.2}</td></tr>",
                escape(&run.backend),
                line.stage,
                line.own,
                line.raw,
                line.of_raw
            );
        }
    }
    *page += "</table>";
}
