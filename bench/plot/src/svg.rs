//! Plots as inline SVG on logarithmic axes: bars for one input, lines for growth. Colours come from the page's style sheet.

use std::fmt::Write as _;

/// The unit of figures, for the marks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Nanoseconds, marked as ns, µs and ms.
    Time,
    /// Plain numbers.
    Count,
}

impl Scale {
    fn mark(self, power: i32) -> String {
        match (self, power) {
            (Self::Count, _) | (_, ..0) => format!("{}", 10f64.powi(power)),
            (_, 0..3) => format!("{} ns", 10i64.pow(power.unsigned_abs())),
            (_, 3..6) => format!("{} µs", 10i64.pow(power.unsigned_abs() - 3)),
            _ => format!("{} ms", 10i64.pow((power.unsigned_abs() - 6).min(9))),
        }
    }
}

/// One bar.
pub struct Bar<'a> {
    /// The name in front of it.
    pub name: &'a str,
    /// The value that its length stands for.
    pub value: f64,
    /// True for Tagwise's own.
    pub own: bool,
}

/// One line of a plot.
pub struct Series {
    /// The name at its end.
    pub name: String,
    /// The class of the style sheet that draws it.
    pub class: String,
    /// Across and up; what is not above zero is left out.
    pub points: Vec<(f64, f64)>,
}

/// Text as it may stand in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 520.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 210.0;

/// Lines over sizes; `label` says what is across, and `scale` what is up. Nothing where there is no point.
pub fn lines(series: &[Series], label: &str, scale: Scale) -> String {
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
        let at = y(10f64.powi(power));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"label\" x=\"{}\" y=\"{:.1}\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            scale.mark(power)
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

/// Horizontal bars, for libraries lie two powers of ten apart. Nothing where no bar has a length.
pub fn bars(bars: &[Bar<'_>], scale: Scale) -> String {
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
    let mut svg = format!("<svg viewBox=\"0 0 780 {height}\" role=\"img\" aria-label=\"by library, logarithmic\">");
    for power in low as i32..=high as i32 {
        let at = x(10f64.powi(power));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{}\"/><text class=\"tick\" x=\"{at:.1}\" y=\"{}\">{}</text>",
            height - 18,
            height - 4,
            scale.mark(power)
        );
    }
    for (number, bar) in bars.iter().enumerate() {
        let y = number * STEP + 3;
        let class = if bar.own { "own" } else { "peer" };
        let width = (x(bar.value) - LABEL).max(1.0);
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text><rect class=\"{class}\" x=\"{LABEL}\" y=\"{y}\" width=\"{width:.1}\" height=\"14\"/>\
             <text class=\"value\" x=\"{:.1}\" y=\"{}\">{}</text>",
            LABEL - 6.0,
            y + 11,
            escape(bar.name),
            LABEL + width + 4.0,
            y + 11,
            figure(bar.value)
        );
    }
    svg + "</svg>"
}

/// A figure in three significant places, so that 5 and 50,000 both read.
#[must_use]
pub fn figure(value: f64) -> String {
    let places = usize::from(value < 100.0);
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_and_nothing() {
        assert_eq!(lines(&[], "nothing", Scale::Count), "");
        let series = Series {
            name: "<b>".to_owned(),
            class: "first".to_owned(),
            points: vec![(1.0, 5.0), (1024.0, 500.0)],
        };
        let svg = lines(&[series], "a & b", Scale::Time);
        assert!(
            svg.contains("&lt;b&gt;") && svg.contains("a &amp; b") && !svg.contains("<b>"),
            "{svg}"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
