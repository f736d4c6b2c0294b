//! Plots as inline SVG: lines over two logarithmic axes. Colours come from the page's style sheet.

use std::fmt::Write as _;

/// One line of a plot: its name, the class that draws it, and its points.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Text as it may stand in HTML.
pub(crate) fn escape(text: &str) -> String {
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
pub(crate) fn lines(series: &[Series], label: &str) -> String {
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
