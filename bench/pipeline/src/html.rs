//! Results as one page that needs nothing else: tables, and plots by batch size as inline SVG.

use serde::Serialize;
use tagwise_plot::{Error, Scale, Series, lines};

use crate::report::{Line, Report, Run, SCALING, Scaling};
use crate::stage::Stage;
use crate::table::{number, shown};

#[derive(Serialize)]
struct Page<'a> {
    facts: &'a [(String, String)],
    /// The least that scaling is held to.
    held: f64,
    kinds: Vec<Kind<'a>>,
}

/// One kind of key.
#[derive(Serialize)]
struct Kind<'a> {
    algorithm: &'a str,
    missing: Vec<&'a Run>,
    backends: Vec<&'a str>,
    tables: Vec<Table<'a>>,
    scaling: Vec<(&'a str, &'a Scaling)>,
    plots: Vec<Plot>,
}

/// One size of batch.
#[derive(Serialize)]
struct Table<'a> {
    batch: usize,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    stage: &'static str,
    bar: &'a str,
    cells: Vec<Cell>,
}

/// A stage on one backend; empty where it did not run.
#[derive(Default, Serialize)]
struct Cell {
    ms: String,
    rate: String,
    below: String,
    class: &'static str,
    ratio: String,
}

#[derive(Serialize)]
struct Plot {
    stage: &'static str,
    svg: String,
}

/// Renders all that there is.
pub(crate) fn render(report: &Report) -> Result<String, Error> {
    let page = Page {
        facts: &report.facts,
        held: SCALING,
        kinds: report
            .algorithms()
            .into_iter()
            .map(|algorithm| kind(algorithm, report.of(algorithm).collect()))
            .collect(),
    };
    tagwise_plot::page("The pipeline of a CA", include_str!("page.html"), page)
}

fn kind<'a>(algorithm: &'a str, runs: Vec<&'a Run>) -> Kind<'a> {
    let (there, missing): (Vec<&Run>, Vec<&Run>) = runs.into_iter().partition(|run| run.not_offered.is_none());
    let plot = |stage: Stage| Plot {
        stage: stage.name(),
        svg: lines(&series(&there, stage), "items in the batch: time an item", Scale::Time),
    };
    Kind {
        algorithm,
        missing,
        backends: there.iter().map(|run| run.backend.as_str()).collect(),
        tables: if there.is_empty() {
            Vec::new()
        } else {
            shown(&there).into_iter().map(|batch| table(&there, batch)).collect()
        },
        scaling: there
            .iter()
            .flat_map(|run| run.scaling.iter().map(|line| (run.backend.as_str(), line)))
            .collect(),
        plots: Stage::ALL
            .into_iter()
            .map(plot)
            .filter(|plot| !plot.svg.is_empty())
            .collect(),
    }
}

/// Of each backend the stage, and what is below it.
fn series(runs: &[&Run], stage: Stage) -> Vec<Series> {
    let mut all = Vec::new();
    for run in runs {
        let points = |of: fn(&Line) -> Option<f64>| -> Vec<(f64, f64)> {
            let point = |batch: usize| {
                let line = run.line(batch, stage)?;
                Some((batch as f64, of(line)? * 1e6 / line.items as f64))
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

fn table<'a>(runs: &[&'a Run], batch: usize) -> Table<'a> {
    let row = |stage: Stage| Row {
        stage: stage.name(),
        bar: runs
            .iter()
            .find_map(|run| run.line(batch, stage)?.bar.as_deref())
            .unwrap_or_default(),
        cells: runs
            .iter()
            .map(|run| run.line(batch, stage).map(cell).unwrap_or_default())
            .collect(),
    };
    Table {
        batch,
        rows: Stage::ALL.map(row).into(),
    }
}

fn cell(line: &Line) -> Cell {
    let class = match line.holds {
        Some(true) => "yes",
        Some(false) => "no",
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
    Cell {
        ms: number(line.ms),
        rate: number(line.items_per_second / 1e3),
        below,
        class,
        ratio,
    }
}
