//! Results as one page that needs nothing else: a table, and a plot of each stage by the size of the log.

use serde::Serialize;
use tagwise_plot::{Error, Scale, Series, lines};

use crate::measure::Row;
use crate::report::{machine, rate};
use crate::stage::Stage;

#[derive(Serialize)]
struct Page {
    facts: Vec<(String, String)>,
    plots: Vec<Plot>,
    rows: Vec<Line>,
}

#[derive(Serialize)]
struct Plot {
    name: &'static str,
    svg: String,
}

#[derive(Serialize)]
struct Line {
    stage: &'static str,
    size: u64,
    rounds: usize,
    own: String,
    floor: String,
    ratio: f64,
}

/// The page of all rows.
pub(crate) fn page(rows: &[Row], algorithms: &str) -> Result<String, Error> {
    let mut facts = machine();
    facts.push(("tree hash".to_owned(), algorithms.to_owned()));
    let of = |stage: Stage| rows.iter().filter(move |row| row.stage == stage);
    let plot = |stage: Stage| {
        let line = |name: &str, class: &str, value: fn(&Row) -> f64| Series {
            name: name.to_owned(),
            class: class.to_owned(),
            points: of(stage).map(|row| (row.size as f64, value(row))).collect(),
        };
        let series = [
            line("Tagwise", "own", |row| row.own),
            line("floor", "floor", |row| row.floor),
        ];
        Plot {
            name: stage.name(),
            svg: lines(&series, "entries of the log", Scale::Time),
        }
    };
    let line = |row: &Row| Line {
        stage: row.stage.name(),
        size: row.size,
        rounds: row.rounds,
        own: rate(row.own),
        floor: rate(row.floor),
        ratio: row.ratio,
    };
    let page = Page {
        facts,
        plots: Stage::ALL
            .into_iter()
            .map(plot)
            .filter(|plot| !plot.svg.is_empty())
            .collect(),
        rows: Stage::ALL.into_iter().flat_map(of).map(line).collect(),
    };
    tagwise_plot::page("A log of Merkle Tree Certificates", include_str!("page.html"), page)
}
