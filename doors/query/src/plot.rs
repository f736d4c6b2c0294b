//! Plots of a result, as text for terminals and as SVG for pages.
//!
//! The first column has the labels. Bars show the first column of numbers after it, and lines show all such columns.

use tagwise_cli::{Plot, escaped};
use unicode_width::UnicodeWidthStr;

use crate::sample::Sample;

/// The width of bars and lines in a terminal, in characters.
const COLUMNS: usize = 60;
/// The height of lines in a terminal, in characters.
const LINES: usize = 12;
/// The maximum number of bars in a page.
const BARS: usize = 100;
/// The maximum width of a label, in characters.
const LABEL: usize = 40;

/// Draws a plot as text.
pub(crate) fn text(sample: &Sample, plot: Plot) -> String {
    match plot {
        Plot::Bar => sample.series().next().map_or_else(String::new, |(_, numbers)| text_bars(sample, numbers)),
        Plot::Line => sample.series().map(|(name, numbers)| text_line(sample, name, numbers)).collect(),
    }
}

/// Draws a plot as SVG. The result is empty without a column of numbers.
pub(crate) fn svg(sample: &Sample, plot: Plot) -> String {
    if sample.rows.is_empty() || sample.series().next().is_none() {
        return String::new();
    }
    match plot {
        Plot::Bar => sample.series().next().map_or_else(String::new, |(_, numbers)| svg_bars(sample, numbers)),
        Plot::Line => svg_lines(sample),
    }
}

/// The range of values on an axis, which includes 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of<'n>(numbers: impl Iterator<Item = &'n Option<f64>>) -> Self {
        let (low, high) = numbers.flatten().fold((0f64, 0f64), |(low, high), n| (low.min(*n), high.max(*n)));
        Self { low, high: if low < high { high } else { low + 1.0 } }
    }

    /// Returns the position of a value, from 0 to 1.
    fn at(self, number: f64) -> f64 {
        // Halves: the difference of two large numbers can be infinite.
        ((number / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)).clamp(0.0, 1.0)
    }
}

/// Writes a number briefly: whole numbers without a fraction, others with two digits after the point.
fn figure(number: f64) -> String {
    match number {
        _ if number.abs() >= 1e15 => format!("{number:e}"),
        _ if number.fract() == 0.0 => format!("{number:.0}"),
        _ => format!("{number:.2}"),
    }
}

fn short(label: &str) -> String {
    if label.chars().count() <= LABEL {
        return label.to_owned();
    }
    label.chars().take(LABEL - 1).chain(['…']).collect()
}

fn text_bars(sample: &Sample, numbers: &[Option<f64>]) -> String {
    /// Parts of a full block, in eighths.
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let range = Range::of(numbers.iter());
    let labels: Vec<String> = (0..numbers.len()).map(|row| short(sample.label(row))).collect();
    let width = labels.iter().map(|label| label.width()).max().unwrap_or_default();
    let mut text = String::new();
    for (label, number) in labels.iter().zip(numbers) {
        let pad = width.saturating_sub(label.width());
        let Some(number) = number else {
            text.push_str(&format!("{label}\n"));
            continue;
        };
        // A bar begins at 0, also if it is negative.
        let (from, until) = (range.at(number.min(0.0)), range.at(number.max(0.0)));
        let eighths = |place: f64| (place * (COLUMNS * 8) as f64).round() as usize;
        let (start, len) = (eighths(from) / 8, eighths(until).saturating_sub(eighths(from) / 8 * 8));
        let part = PARTS.get(len % 8).copied().unwrap_or_default();
        let bar = format!("{:start$}{}{part}", "", "█".repeat(len / 8));
        text.push_str(format!("{label}{:pad$}  {bar} {}", "", figure(*number)).trim_end());
        text.push('\n');
    }
    text
}

/// Returns the positions of the rows across a plot, from 0 to 1: their numbers if the first column has numbers, or their order.
fn across(sample: &Sample) -> Vec<f64> {
    let even = |row: usize| if sample.rows.len() < 2 { 0.5 } else { row as f64 / (sample.rows.len() - 1) as f64 };
    let numbers = sample.numbers.first().filter(|numbers| !numbers.is_empty() && numbers.iter().all(Option::is_some));
    let Some(numbers) = numbers else { return (0..sample.rows.len()).map(even).collect() };
    let low = numbers.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = Range { low, high: if low < high { high } else { low + 1.0 } };
    numbers.iter().flatten().map(|number| range.at(*number)).collect()
}

/// Draws one series with dots of Braille patterns, two across and four down in a character.
fn text_line(sample: &Sample, name: &str, numbers: &[Option<f64>]) -> String {
    let range = Range::of(numbers.iter());
    let mut canvas = vec![0u8; COLUMNS * LINES];
    let mut set = |x: usize, y: usize| {
        // Unicode, Braille Patterns: dots 1 to 3 and 7 are the left column, from the top.
        let bit = match (x % 2, y % 4) {
            (0, 3) => 6,
            (0, row) => row,
            (_, 3) => 7,
            (_, row) => row + 3,
        };
        if let Some(cell) = canvas.get_mut(y / 4 * COLUMNS + x / 2) {
            *cell |= 1 << bit;
        }
    };
    let place = |(x, number): (&f64, &Option<f64>)| {
        number.map(|number| (x * (COLUMNS * 2 - 1) as f64, (1.0 - range.at(number)) * (LINES * 4 - 1) as f64))
    };
    let mut last: Option<(f64, f64)> = None;
    for point in across(sample).iter().zip(numbers).map(place) {
        if let Some((x, y)) = point {
            let (from_x, from_y) = last.unwrap_or((x, y));
            let steps = (x - from_x).abs().max((y - from_y).abs()).ceil().max(1.0) as usize;
            for step in 0..=steps {
                let part = step as f64 / steps as f64;
                set((from_x + (x - from_x) * part).round() as usize, (from_y + (y - from_y) * part).round() as usize);
            }
        }
        last = point;
    }
    let (high, low) = (figure(range.high), figure(range.low));
    let width = high.width().max(low.width());
    let mut text = format!("{name}\n");
    for (row, cells) in canvas.chunks(COLUMNS).enumerate() {
        let mark = match row {
            0 => &*high,
            row if row == LINES - 1 => &*low,
            _ => "",
        };
        let dots = cells.iter().map(|cell| char::from_u32(0x2800 + u32::from(*cell)).unwrap_or(' '));
        let dots: String = dots.map(|dot| if dot == '\u{2800}' { ' ' } else { dot }).collect();
        text.push_str(format!("{mark:>width$} ┤{dots}").trim_end());
        text.push('\n');
    }
    let (first, last) = (short(sample.label(0)), short(sample.label(sample.rows.len().saturating_sub(1))));
    let gap = COLUMNS.saturating_sub(first.width() + last.width()).max(1);
    text.push_str(&format!("{:width$}  {first}{:gap$}{last}\n", "", ""));
    text
}

fn svg_bars(sample: &Sample, numbers: &[Option<f64>]) -> String {
    const ROW: usize = 20;
    let drawn = numbers.get(..BARS).unwrap_or(numbers);
    let range = Range::of(drawn.iter());
    let x = |number: f64| 300.0 + range.at(number) * 600.0;
    let height = drawn.len() * ROW + 4;
    let mut svg = begin(height);
    for (row, number) in drawn.iter().enumerate() {
        let (y, label) = (row * ROW, escaped(sample.label(row)));
        let Some(number) = number else { continue };
        let (from, until) = (x(number.min(0.0)), x(number.max(0.0)));
        svg.push_str(&format!(
            "<g><title>{label}: {value}</title><text x=\"292\" y=\"{}\" text-anchor=\"end\">{}</text>\
<rect class=\"line0\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"/><text x=\"{:.1}\" y=\"{}\">{value}</text></g>\n",
            y + 14,
            escaped(&short(sample.label(row))),
            y + 3,
            (until - from).max(1.0),
            ROW - 6,
            until + 6.0,
            y + 14,
            value = figure(*number),
        ));
    }
    svg.push_str("</svg>\n");
    if numbers.len() > drawn.len() {
        svg.push_str(&format!("<p>The plot shows the first {} of {} rows.</p>\n", drawn.len(), numbers.len()));
    }
    svg
}

fn svg_lines(sample: &Sample) -> String {
    const TOP: f64 = 10.0;
    const LEFT: f64 = 80.0;
    const WIDTH: f64 = 700.0;
    const HEIGHT: f64 = 300.0;
    let range = Range::of(sample.series().flat_map(|(_, numbers)| numbers));
    let across = across(sample);
    let y = |number: f64| TOP + (1.0 - range.at(number)) * HEIGHT;
    let mut svg = begin(350);
    for mark in [range.low, range.low / 2.0 + range.high / 2.0, range.high] {
        let y = y(mark);
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\
<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT + WIDTH,
            LEFT - 6.0,
            y + 4.0,
            figure(mark)
        ));
    }
    for (index, (name, numbers)) in sample.series().enumerate() {
        let class = index % 6;
        let points = across.iter().zip(numbers).map(|(x, number)| number.map(|number| (LEFT + x * WIDTH, y(number))));
        let points: Vec<Option<(f64, f64)>> = points.collect();
        // A null interrupts the line.
        for part in points.split(Option::is_none) {
            let part: Vec<String> = part.iter().flatten().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            svg.push_str(&format!("<polyline class=\"path line{class}\" points=\"{}\"/>\n", part.join(" ")));
        }
        let y = 24 + index * 18;
        svg.push_str(&format!(
            "<rect class=\"line{class}\" x=\"800\" y=\"{}\" width=\"12\" height=\"12\"/><text x=\"818\" y=\"{y}\">{}</text>\n",
            y - 11,
            escaped(&short(name))
        ));
    }
    let last = sample.rows.len().saturating_sub(1);
    for (x, anchor, row) in [(LEFT, "start", 0), (LEFT + WIDTH, "end", last)] {
        svg.push_str(&format!(
            "<text x=\"{x}\" y=\"334\" text-anchor=\"{anchor}\">{}</text>\n",
            escaped(&short(sample.label(row)))
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

fn begin(height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Plot\" width=\"1000\" height=\"{height}\" \
viewBox=\"0 0 1000 {height}\">\n"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};

    use super::*;

    fn sample(rows: &[(&str, Option<f64>)]) -> Sample {
        let labels: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|(label, _)| label)));
        let numbers: ArrayRef = Arc::new(Float64Array::from_iter(rows.iter().map(|(_, number)| *number)));
        let batch = RecordBatch::try_from_iter([("label", labels), ("count", numbers)]).unwrap();
        let mut sample = Sample::new(&batch.schema(), 10);
        sample.add(&batch).unwrap();
        sample
    }

    #[test]
    fn bars_are_proportional_and_begin_at_0() {
        let text = text(&sample(&[("a", Some(30.0)), ("bcd", Some(15.0)), ("e", None), ("f", Some(0.5))]), Plot::Bar);
        let expected = format!("a    {} 30\nbcd  {} 15\ne\nf    █ 0.50\n", "█".repeat(60), "█".repeat(30));
        assert_eq!(text, expected);
        let text = super::text(&sample(&[("a", Some(-1.0)), ("b", Some(1.0))]), Plot::Bar);
        assert_eq!(text, format!("a  {} -1\nb  {:30}{} 1\n", "█".repeat(30), "", "█".repeat(30)));
    }

    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let text = text(&sample(&[("first", Some(0.0)), ("last", Some(9.0))]), Plot::Line);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), LINES + 2);
        assert_eq!(lines[0], "count");
        assert!(lines[1].starts_with("9 ┤ ") && lines[1].ends_with('⠉') | lines[1].ends_with('⠈'), "{text}");
        assert!(lines[LINES].starts_with("0 ┤⣀") | lines[LINES].starts_with("0 ┤⡀"), "{text}");
        assert!(lines[LINES + 1].starts_with("   first ") && lines[LINES + 1].ends_with(" last"), "{text}");
    }

    #[test]
    fn labels_are_escaped_in_svg() {
        let sample = sample(&[("<b>&", Some(1.0)), ("c", Some(2.0))]);
        for plot in [Plot::Bar, Plot::Line] {
            let svg = svg(&sample, plot);
            assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"), "{svg}");
        }
        assert_eq!(super::svg(&super::tests::sample(&[]), Plot::Bar), "");
    }

    #[test]
    fn large_numbers_are_drawn() {
        let sample = sample(&[("a", Some(f64::MAX)), ("b", Some(f64::MIN)), ("c", Some(f64::NAN))]);
        assert!(!text(&sample, Plot::Bar).is_empty() && !svg(&sample, Plot::Line).contains("NaN"));
    }
}
