//! Results as one page that needs nothing else: a table, and a plot of each stage by the size of the log.

use std::fmt::Write as _;

use tagwise_plot::{STYLE, Series, escape, lines};

use crate::measure::Row;
use crate::report::{machine, rate};
use crate::stage::Stage;

/// Colours of the lines: the stage and, dashed, its floor.
const LINES: &str = "svg polyline.own { stroke: var(--a); } svg text.own { fill: var(--a); } \
    svg polyline.below { stroke: var(--b); } svg text.below { fill: var(--b); }";

/// The page of all rows.
pub(crate) fn page(rows: &[Row], algorithms: &str) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>A log of Merkle Tree Certificates</title><style>\n{STYLE}{LINES}</style>\n\
         <h1>A log of Merkle Tree Certificates, stage by stage</h1>\n<table>"
    );
    let hash = [("tree hash".to_owned(), algorithms.to_owned())];
    for (name, value) in machine().iter().chain(&hash) {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(name), escape(value));
    }
    page += "</table><p>Medians over rounds; a ratio is the median of the ratios within rounds, below 1 where the stage is faster than its \
        floor. The plots have nanoseconds an item over the size of the log; the floor is dashed.</p>\n<div class=\"plots\">";
    for stage in Stage::ALL {
        let points = |of: fn(&Row) -> f64| {
            rows.iter()
                .filter(|row| row.stage == stage)
                .map(|row| (row.size as f64, of(row)))
                .collect()
        };
        let series = [
            Series {
                name: "Tagwise".to_owned(),
                class: "own".to_owned(),
                points: points(|row| row.own),
            },
            Series {
                name: "floor".to_owned(),
                class: "below".to_owned(),
                points: points(|row| row.floor),
            },
        ];
        let plot = lines(&series, "entries of the log");
        if !plot.is_empty() {
            let _ = write!(page, "<div><h4>{}</h4>{plot}</div>", stage.name());
        }
    }
    page += "</div>\n<div class=\"wide\"><table><tr><th>stage<th class=\"n\">size<th class=\"n\">rounds<th class=\"n\">a second\
        <th class=\"n\">floor<th class=\"n\">by its floor</tr>\n";
    for row in Stage::ALL
        .iter()
        .flat_map(|stage| rows.iter().filter(move |row| row.stage == *stage))
    {
        let _ = writeln!(
            page,
            "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{:.2}</tr>",
            row.stage.name(),
            row.size,
            row.rounds,
            rate(row.own),
            rate(row.floor),
            row.ratio
        );
    }
    page + "</table></div></html>\n"
}
