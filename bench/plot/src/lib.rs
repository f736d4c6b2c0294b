//! Plots as inline SVG: lines over two logarithmic axes. Colours come from the page's style sheet, [`STYLE`].

use std::fmt::Write as _;

/// The style sheet of a page with tables and plots, light and dark.
pub const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fcfcf9; --faint: #7a7a74; --line: #dddcd5; --a: #0b6e4f; --b: #b3541e; --c: #3b5b92; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e8e2; --paper: #191a1b; --faint: #98978f; --line: #3a3b3c; --a: #4fc79a; --b: #e09a6b; --c: #8fb0e8; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
table { border-collapse: collapse; font-size: 13px; margin: .5rem 0 1rem; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .15rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .no { color: var(--b); font-weight: 600; } .yes { color: var(--a); }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(26rem, 1fr)); gap: 0 1rem; } .plots h4 { margin: 1rem 0 0; } svg { width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); } svg .label { text-anchor: end; fill: var(--faint); } svg .tick { text-anchor: middle; fill: var(--faint); }
svg .grid { stroke: var(--line); } svg polyline { fill: none; stroke-width: 2; } svg polyline.below { stroke-dasharray: 4 3; stroke-width: 1.3; }
svg polyline.aws-lc { stroke: var(--a); } svg polyline.openssl { stroke: var(--b); } svg polyline.nss { stroke: var(--c); }
svg text.aws-lc { fill: var(--a); } svg text.openssl { fill: var(--b); } svg text.nss { fill: var(--c); } nav a { margin-right: .8rem; }
";

/// One line of a plot.
pub struct Series {
    /// What it is called.
    pub name: String,
    /// The class of the style sheet that draws it.
    pub class: String,
    /// Across and up; what is not above zero is left out.
    pub points: Vec<(f64, f64)>,
}

/// Text as it may stand in HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 520.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 210.0;

/// Lines over batches; what the heights are is in the label.
pub fn lines(series: &[Series], label: &str) -> String {
    let points = || {
        series
            .iter()
            .flat_map(|line| &line.points)
            .filter(|(x, y)| *x > 0.0 && *y > 0.0)
    };
    let bounds = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).fold(f64::INFINITY, f64::min).log10();
        let high = points().map(of).fold(f64::NEG_INFINITY, f64::max).log10();
        (low, high)
    };
    let ((from, to), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
    if !from.is_finite() || !low.is_finite() {
        return String::new();
    }
    let to = to.max(from + 0.3);
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let x = |value: f64| LEFT + (RIGHT - LEFT) * (value.log10() - from) / (to - from);
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value.log10() - low) / (high - low);
    let mut svg = format!(
        "<svg viewBox=\"0 0 700 250\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    );
    for power in low as i32..=high as i32 {
        let (value, at) = (10f64.powi(power), y(10f64.powi(power)));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"label\" x=\"{}\" y=\"{:.1}\">{value}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    let mut marks: Vec<f64> = points().map(|point| point.0).collect();
    marks.sort_unstable_by(f64::total_cmp);
    marks.dedup();
    for mark in marks {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{}\">{mark}</text>",
            x(mark),
            BOTTOM + 16.0
        );
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"295\" y=\"{}\">{}</text>",
        BOTTOM + 34.0,
        escape(label)
    );
    // Names stand at the right, pushed apart where lines end close together.
    let mut ends: Vec<(f64, &Series)> = series
        .iter()
        .filter_map(|line| Some((y(line.points.last()?.1), line)))
        .collect();
    ends.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = f64::NEG_INFINITY;
    for (end, line) in ends {
        let path: Vec<String> = line
            .points
            .iter()
            .map(|(across, up)| format!("{:.1},{:.1}", x(*across), y(*up)))
            .collect();
        lowest = end.max(lowest + 13.0);
        let _ = write!(
            svg,
            "<polyline class=\"{0}\" points=\"{1}\"/><text class=\"{0}\" x=\"{2}\" y=\"{3:.1}\">{4}</text>",
            line.class,
            path.join(" "),
            RIGHT + 6.0,
            lowest + 4.0,
            escape(&line.name)
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_and_nothing() {
        assert_eq!(lines(&[], "nothing"), "");
        let series = Series {
            name: "<b>".to_owned(),
            class: "first".to_owned(),
            points: vec![(1.0, 5.0), (1024.0, 500.0)],
        };
        let svg = lines(&[series], "a & b");
        assert!(
            svg.contains("&lt;b&gt;") && svg.contains("a &amp; b") && !svg.contains("<b>"),
            "{svg}"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
