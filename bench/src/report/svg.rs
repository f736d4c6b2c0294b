//! Plots as inline SVG: bars for a row, lines for growth. Colours come from the page's style sheet.

use std::fmt::Write as _;

/// One bar: label, value, and whether it is Tagwise's own.
pub(super) struct Bar<'a> {
    pub(super) label: &'a str,
    pub(super) value: f64,
    pub(super) own: bool,
}

/// Text as it may stand in HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Horizontal bars on a logarithmic scale, for libraries lie two powers of ten apart.
pub(super) fn bars(bars: &[Bar<'_>]) -> String {
    const LABEL: f64 = 210.0;
    const WIDTH: f64 = 470.0;
    const STEP: usize = 20;
    let positive = || {
        bars.iter()
            .map(|bar| bar.value)
            .filter(|value| *value > 0.0 && value.is_finite())
    };
    let low = positive().fold(f64::INFINITY, f64::min).log10().floor();
    let high = positive().fold(0.0, f64::max).log10().ceil().max(low + 1.0);
    if !low.is_finite() {
        return String::new();
    }
    let x = |value: f64| LABEL + WIDTH * (value.max(1e-3).log10() - low) / (high - low);
    let height = STEP * bars.len() + 24;
    let mut svg =
        format!("<svg viewBox=\"0 0 780 {height}\" role=\"img\" aria-label=\"nanoseconds per item, logarithmic\">");
    for power in low as i32..=high as i32 {
        let at = x(10f64.powi(power));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{}\"/><text class=\"tick\" x=\"{at:.1}\" y=\"{}\">{}</text>",
            height - 18,
            height - 4,
            tick(power)
        );
    }
    for (number, bar) in bars.iter().enumerate() {
        let y = number * STEP + 3;
        let class = if bar.own { "own" } else { "peer" };
        let width = (x(bar.value) - LABEL).max(1.0);
        let _ = write!(
            svg,
            "<text class=\"label\" x=\"{}\" y=\"{}\">{}</text><rect class=\"{class}\" x=\"{LABEL}\" y=\"{y}\" width=\"{width:.1}\" height=\"14\"/>\
             <text class=\"value\" x=\"{:.1}\" y=\"{}\">{}</text>",
            LABEL - 6.0,
            y + 11,
            escape(bar.label),
            LABEL + width + 4.0,
            y + 11,
            super::nanoseconds(bar.value)
        );
    }
    svg + "</svg>"
}

fn tick(power: i32) -> String {
    match power {
        ..0 => format!("{:.1}", 10f64.powi(power)),
        0..3 => format!("{} ns", 10i64.pow(power as u32)),
        3..6 => format!("{} µs", 10i64.pow(power as u32 - 3)),
        _ => format!("{} ms", 10i64.pow((power as u32 - 6).min(9))),
    }
}

/// One line of a plot: its name and its points.
pub(super) type Series = (String, Vec<(f64, f64)>);

/// Lines over two logarithmic axes.
pub(super) fn lines(series: &[Series], across: &str) -> String {
    let points = || {
        series
            .iter()
            .flat_map(|(_, points)| points)
            .filter(|(x, y)| *x > 0.0 && *y > 0.0)
    };
    let bounds = |of: fn(&(f64, f64)) -> f64| {
        let low = points().map(of).fold(f64::INFINITY, f64::min).log10();
        let high = points().map(of).fold(0.0, f64::max).log10();
        (low, high.max(low + 0.3))
    };
    let ((left, right), (bottom, top)) = (bounds(|point| point.0), bounds(|point| point.1));
    if !left.is_finite() || !bottom.is_finite() {
        return String::new();
    }
    let (bottom, top) = (bottom.floor(), top.ceil());
    let x = |value: f64| 60.0 + 500.0 * (value.log10() - left) / (right - left);
    let y = |value: f64| 300.0 - 280.0 * (value.log10() - bottom) / (top - bottom);
    let mut svg = String::from(
        "<svg viewBox=\"0 0 780 345\" role=\"img\" aria-label=\"nanoseconds per item as the input grows\">",
    );
    for power in bottom as i32..=top as i32 {
        let at = y(10f64.powi(power));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"60\" x2=\"560\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"label\" x=\"54\" y=\"{:.1}\">{}</text>",
            at + 4.0,
            tick(power)
        );
    }
    let mut marks: Vec<f64> = points().map(|point| point.0).collect();
    marks.sort_unstable_by(f64::total_cmp);
    marks.dedup();
    for mark in marks {
        let _ = write!(svg, "<text class=\"tick\" x=\"{:.1}\" y=\"318\">{mark}</text>", x(mark));
    }
    let _ = write!(
        svg,
        "<text class=\"tick\" x=\"310\" y=\"338\">{}</text>",
        escape(across)
    );
    // Names stand at the right, pushed apart where lines end close together.
    let mut ends: Vec<(f64, usize)> = series
        .iter()
        .enumerate()
        .filter_map(|(number, (_, points))| Some((y(points.last()?.1), number)))
        .collect();
    ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest: f64 = 0.0;
    for (end, number) in ends {
        let (name, points) = &series[number];
        let class = if name.starts_with("tagwise") { "own" } else { "peer" };
        let path: Vec<String> = points
            .iter()
            .map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b)))
            .collect();
        lowest = end.max(lowest + 13.0);
        let _ = write!(
            svg,
            "<polyline class=\"{class}\" points=\"{}\"/><text class=\"end\" x=\"566\" y=\"{:.1}\">{}</text>",
            path.join(" "),
            lowest + 4.0,
            escape(name)
        );
    }
    svg + "</svg>"
}
