//! The report as one page that needs nothing else: tables, and plots as inline SVG.

use super::svg::{Bar, Series, bars, escape, lines};
use super::{Report, Section, nanoseconds};
use crate::peers;
use std::fmt::Write as _;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fcfcf9; --faint: #7a7a74; --line: #dddcd5; --own: #0b6e4f; --peer: #9aa5ad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e8e2; --paper: #191a1b; --faint: #98978f; --line: #3a3b3c; --own: #4fc79a; --peer: #6d7a83; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
table { border-collapse: collapse; font-size: 13px; margin: .5rem 0 1rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .15rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.c { text-align: center; }
td.r { text-align: center; color: var(--own); font-weight: 600; } tr.own td:first-child { color: var(--own); font-weight: 600; }
.turned th { writing-mode: vertical-rl; white-space: nowrap; } .turned th:nth-child(-n+2) { writing-mode: horizontal-tb; }
p.about { color: var(--faint); margin: 0 0 .3rem; } svg { width: 100%; height: auto; max-width: 780px; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); } svg .label { text-anchor: end; } svg .tick { text-anchor: middle; fill: var(--faint); }
svg .grid { stroke: var(--line); } svg rect.own { fill: var(--own); } svg rect.peer { fill: var(--peer); }
svg polyline { fill: none; stroke-width: 1.5; } svg polyline.own { stroke: var(--own); stroke-width: 2.5; } svg polyline.peer { stroke: var(--peer); }
details { margin: .3rem 0; } summary { cursor: pointer; color: var(--faint); } nav a { margin-right: .8rem; }
";

/// Renders all that there is.
pub(super) fn render(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Tagwise beside its peers</title><style>\n{STYLE}</style>\n<h1>Tagwise beside its peers</h1>\n<table>"
    );
    for (name, value) in &report.head {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(name), escape(value));
    }
    page += "</table>\n<nav>";
    for group in report.groups() {
        let _ = write!(page, "<a href=\"#{0}\">{0}</a>", escape(group));
    }
    page += "<a href=\"#checks\">what each checks</a><a href=\"#agreement\">agreement</a><a href=\"#memory\">memory</a>\
        <a href=\"#instructions\">instructions</a></nav>\n<h2>Which libraries ran</h2><table>";
    for library in &report.libraries {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td></tr>",
            escape(&library.name),
            escape(&library.state)
        );
    }
    page += "</table>";
    let _ = write!(
        page,
        "<p>Nanoseconds per item, median of the rounds; bars are logarithmic. The ratio is the median, over the rounds, of {0}'s time \
         by the library's own: above 1 is faster than {0}. Libraries differ in what one call checks: see \
         <a href=\"#checks\">what each checks</a> and the note under each group.</p>",
        peers::BASE
    );
    for group in report.groups() {
        groups(&mut page, report, group);
    }
    checks(&mut page, report);
    agreement(&mut page, report);
    rest(&mut page, report);
    page + "</html>\n"
}

fn groups(page: &mut String, report: &Report, group: &str) {
    let _ = write!(page, "\n<h2 id=\"{0}\">{0}</h2>", escape(group));
    let sections: Vec<&Section> = report
        .sections
        .iter()
        .filter(|section| section.group == group)
        .collect();
    for (prefix, across) in [
        ("outline/padded-", "octets of the signature"),
        ("outline/named-", "alternative names in the certificate: parse"),
        ("strict/named-", "alternative names in the certificate: full check"),
        ("outline/store-", "certificates in the store: parse"),
        ("tree/store-", "certificates in the store: dependency tree"),
    ] {
        let series = series(&sections, prefix);
        if !series.is_empty() {
            let _ = write!(page, "<h3>{}</h3>{}", escape(across), lines(&series, across));
        }
    }
    for section in sections {
        row(page, section);
    }
    *page += "<details><summary>What each call does</summary><table>";
    for (library, says) in report.calls(group) {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(library), escape(says));
    }
    *page += "</table></details>";
}

/// The medians of each library over the sections whose ids are the prefix and a number.
fn series(sections: &[&Section], prefix: &str) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for section in sections {
        let Some(at) = section
            .id
            .strip_prefix(prefix)
            .and_then(|rest| rest.parse::<f64>().ok())
        else {
            continue;
        };
        for line in &section.lines {
            let known = all
                .iter()
                .position(|(name, _)| *name == line.library)
                .unwrap_or_else(|| {
                    all.push((line.library.clone(), Vec::new()));
                    all.len() - 1
                });
            all[known].1.push((at, line.median_ns));
        }
    }
    all
}

fn row(page: &mut String, section: &Section) {
    let mut sorted: Vec<_> = section.lines.iter().collect();
    sorted.sort_by(|a, b| a.median_ns.total_cmp(&b.median_ns));
    let drawn: Vec<Bar<'_>> = sorted
        .iter()
        .map(|line| Bar {
            label: &line.library,
            value: line.median_ns,
            own: own(&line.library),
        })
        .collect();
    let _ = write!(
        page,
        "\n<h3>{}</h3><p class=\"about\"><code>{}</code>: {}; {} rounds</p>{}<details><summary>figures</summary><table><tr><th>library</th>\
         <th class=\"n\">median</th><th class=\"n\">min</th><th class=\"n\">× {}</th><th class=\"n\">accepted</th></tr>",
        escape(&section.title),
        escape(&section.id),
        escape(&section.input),
        section.rounds,
        bars(&drawn),
        peers::BASE
    );
    for line in sorted {
        let class = if own(&line.library) { " class=\"own\"" } else { "" };
        let clock = line
            .clock
            .as_ref()
            .map(|clock| format!(" ({clock} clock)"))
            .unwrap_or_default();
        let _ = write!(
            page,
            "<tr{class}><td>{}{clock}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{} of {}</td></tr>",
            escape(&line.library),
            nanoseconds(line.median_ns),
            nanoseconds(line.min_ns),
            line.ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
            line.accepted,
            line.items
        );
    }
    *page += "</table></details>";
}

fn own(library: &str) -> bool {
    library.starts_with("tagwise")
}

fn checks(page: &mut String, report: &Report) {
    let Some(first) = report.probes.first() else { return };
    *page += "\n<h2 id=\"checks\">What each library checks, by experiment</h2><p>One good certificate, one fault at a time. R: refused; ·: accepted. \
        <i>(deep)</i> is the deepest check of one call, where it is another than the usual one.</p><div class=\"wide\"><table><tr class=\"turned\">\
        <th>fault</th><th>rule</th>";
    for (library, _) in &first.refused {
        let _ = write!(page, "<th>{}</th>", escape(library));
    }
    *page += "</tr>";
    for probe in &report.probes {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td>",
            escape(&probe.fault),
            escape(&probe.clause)
        );
        for (_, refused) in &probe.refused {
            *page += if *refused {
                "<td class=\"r\">R</td>"
            } else {
                "<td class=\"c\">·</td>"
            };
        }
        *page += "</tr>";
    }
    *page += "</table></div>";
}

fn agreement(page: &mut String, report: &Report) {
    if report.agreement.is_empty() {
        return;
    }
    *page += "\n<h2 id=\"agreement\">Agreement</h2><p>What each library says of each certificate, compared field by field with what most say.</p>\
        <div class=\"wide\"><table><tr><th>set</th><th>library</th><th class=\"n\">read</th><th>fields</th><th>differs from most</th></tr>";
    for result in &report.agreement {
        let differs: Vec<String> = result
            .differs
            .iter()
            .map(|difference| format!("{} on {} ({})", difference.field, difference.count, difference.example))
            .collect();
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{} of {}</td><td>{}</td><td>{}</td></tr>",
            escape(&result.input),
            escape(&result.library),
            result.read,
            result.items,
            escape(&result.offers.join(", ")),
            escape(&if differs.is_empty() {
                "nowhere".to_owned()
            } else {
                differs.join("; ")
            })
        );
    }
    *page += "</table></div>";
}

fn rest(page: &mut String, report: &Report) {
    *page +=
        "\n<h2 id=\"memory\">Sizes, heap and stack</h2><details><summary>sizes of types, in octets</summary><table>";
    for size in &report.sizes {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
            escape(&size.what),
            escape(&size.library),
            size.octets
        );
    }
    *page += "</table></details><details><summary>heap and stack per item</summary><table><tr><th>row</th><th>library</th>\
        <th class=\"n\">allocations</th><th class=\"n\">octets</th><th class=\"n\">stack</th></tr>";
    for line in &report.memory {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.0}</td><td class=\"n\">{}</td></tr>",
            escape(&line.row),
            escape(&line.library),
            line.allocations,
            line.octets,
            line.stack.map_or_else(|| "–".to_owned(), |stack| stack.to_string())
        );
    }
    *page += "</table></details>\n<h2 id=\"instructions\">Instructions per item, by callgrind</h2>";
    let mut rows: Vec<&str> = report.instructions.iter().map(|line| line.row.as_str()).collect();
    rows.dedup();
    for row in rows {
        let mut counts: Vec<_> = report.instructions.iter().filter(|line| line.row == row).collect();
        counts.sort_by(|a, b| a.instructions.total_cmp(&b.instructions));
        let drawn: Vec<Bar<'_>> = counts
            .iter()
            .map(|line| Bar {
                label: &line.library,
                value: line.instructions,
                own: own(&line.library),
            })
            .collect();
        let title = report.section(row).map_or("", |section| section.title.as_str());
        let svg = bars(&drawn)
            .replace(" ns<", "<")
            .replace(" µs<", " thousand<")
            .replace(" ms<", " million<");
        let _ = write!(
            page,
            "<h3>{}</h3><p class=\"about\"><code>{}</code></p>{svg}",
            escape(title),
            escape(row)
        );
    }
}
