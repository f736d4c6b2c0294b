//! The report as one page that needs nothing else: tables, and plots as inline SVG.

use super::{Line, Memory, Report, Section, Size};
use crate::agree::Agreement;
use crate::peers;
use crate::probes::Probe;
use serde::Serialize;
use tagwise_plot::{Bar, Error, Scale, Series, bars, lines};

/// Rows that are plotted over a number in their ids, and what that number is.
const GROWTH: [(&str, &str); 5] = [
    ("outline/padded-", "bytes of the signature"),
    ("outline/named-", "alternative names in the certificate: parse"),
    ("strict/named-", "alternative names in the certificate: full check"),
    ("outline/store-", "certificates in the store: parse"),
    ("tree/store-", "certificates in the store: dependency tree"),
];

#[derive(Serialize)]
struct Page<'a> {
    base: &'static str,
    head: &'a [(String, String)],
    libraries: Vec<(&'a str, &'a str)>,
    groups: Vec<Group<'a>>,
    probes: &'a [Probe],
    agreement: &'a [Agreement],
    sizes: &'a [Size],
    memory: &'a [Memory],
    instructions: Vec<Counts<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    name: &'a str,
    plots: Vec<Plot>,
    rows: Vec<Row<'a>>,
    calls: Vec<(&'a str, &'a str)>,
}

#[derive(Serialize)]
struct Plot {
    title: &'static str,
    svg: String,
}

#[derive(Serialize)]
struct Row<'a> {
    section: &'a Section,
    svg: String,
    lines: Vec<&'a Line>,
}

/// Instructions of a row.
#[derive(Serialize)]
struct Counts<'a> {
    title: &'a str,
    id: &'a str,
    svg: String,
}

/// Renders all that there is.
pub(super) fn render(report: &Report) -> Result<String, Error> {
    let libraries = report.libraries.iter();
    let page = Page {
        base: peers::BASE,
        head: &report.head,
        libraries: libraries
            .map(|library| (library.name.as_str(), library.state.as_str()))
            .collect(),
        groups: report.groups().into_iter().map(|name| group(report, name)).collect(),
        probes: &report.probes,
        agreement: &report.agreement,
        sizes: &report.sizes,
        memory: &report.memory,
        instructions: instructions(report),
    };
    tagwise_plot::page("Tagwise beside its peers", include_str!("page.html"), page)
}

fn group<'a>(report: &'a Report, name: &'a str) -> Group<'a> {
    let sections: Vec<&Section> = report.sections.iter().filter(|section| section.group == name).collect();
    let plot = |(prefix, title): (&str, &'static str)| Plot {
        title,
        svg: lines(&series(&sections, prefix), title, Scale::Time),
    };
    Group {
        name,
        plots: GROWTH
            .into_iter()
            .map(plot)
            .filter(|plot| !plot.svg.is_empty())
            .collect(),
        rows: sections.iter().map(|section| row(section)).collect(),
        calls: report.calls(name),
    }
}

/// The medians of each library over the sections whose ids are the prefix and a number.
fn series(sections: &[&Section], prefix: &str) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for section in sections {
        let size = section
            .id
            .strip_prefix(prefix)
            .and_then(|rest| rest.parse::<f64>().ok());
        let Some(size) = size else { continue };
        for line in &section.lines {
            let point = (size, line.median_ns);
            match all.iter_mut().find(|series| series.name == line.library) {
                Some(series) => series.points.push(point),
                None => all.push(Series {
                    name: line.library.clone(),
                    class: if own(&line.library) { "own" } else { "peer" }.to_owned(),
                    points: vec![point],
                }),
            }
        }
    }
    all
}

fn row(section: &Section) -> Row<'_> {
    let mut lines: Vec<&Line> = section.lines.iter().collect();
    lines.sort_by(|a, b| a.median_ns.total_cmp(&b.median_ns));
    let drawn: Vec<Bar<'_>> = lines.iter().map(|line| bar(&line.library, line.median_ns)).collect();
    Row {
        section,
        svg: bars(&drawn, Scale::Time),
        lines,
    }
}

fn bar(name: &str, value: f64) -> Bar<'_> {
    Bar {
        name,
        value,
        own: own(name),
    }
}

fn own(library: &str) -> bool {
    library.starts_with("tagwise")
}

fn instructions(report: &Report) -> Vec<Counts<'_>> {
    let mut rows: Vec<&str> = report.instructions.iter().map(|line| line.row.as_str()).collect();
    rows.dedup();
    let counts = |id| {
        let mut lines: Vec<_> = report.instructions.iter().filter(|line| line.row == id).collect();
        lines.sort_by(|a, b| a.instructions.total_cmp(&b.instructions));
        let drawn: Vec<Bar<'_>> = lines.iter().map(|line| bar(&line.library, line.instructions)).collect();
        Counts {
            title: report.section(id).map_or("", |section| section.title.as_str()),
            id,
            svg: bars(&drawn, Scale::Count),
        }
    };
    rows.into_iter().map(counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report with all parts, as one was saved, and one without any.
    #[test]
    fn a_whole_report_and_an_empty_one() {
        let report: Report = serde_json::from_str(include_str!("sample.json")).unwrap();
        let page = render(&report).unwrap();
        let plots = report.sections.len() + report.instructions.len() / 20;
        assert!(
            page.matches("<svg").count() >= plots,
            "{}",
            page.matches("<svg").count()
        );
        assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("NaN"));
        assert!(report.head.iter().all(|(name, _)| page.contains(name.as_str())));
        assert!(render(&Report::default()).is_ok());
    }
}
