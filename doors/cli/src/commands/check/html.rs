//! The results of `tagwise check` as an HTML page with a timeline and a table. The page contains no scripts and loads no resources. All
//! text from files is escaped.

use tagwise_pkix::UnixTime;

use super::{Report, Seen};
use crate::shared::html::{escaped, html_page};

/// The maximum number of certificates in the timeline. The table lists all of them.
const DRAWN: usize = 500;
/// The height of a row in pixels. The other constants are the widths of the names and of the drawing.
const ROW: usize = 22;
const NAMES: f64 = 260.0;
const WIDTH: f64 = 1000.0;
/// The height above the rows, which contains the years.
const TOP: usize = 24;

const STYLE: &str = "\
body{font-family:sans-serif;margin:2em;color:#222}table{border-collapse:collapse}\
td,th{text-align:left;padding:.2em .8em;border-bottom:1px solid #ddd}td{overflow-wrap:anywhere}\
.valid{fill:#3a7d44;color:#3a7d44}.expires-soon{fill:#c77d0a;color:#a06200}\
.expired{fill:#b3261e;color:#b3261e}.not-yet-valid{fill:#3b5ba5;color:#3b5ba5}.revoked{fill:#b3261e;color:#b3261e}\
.revocation-unknown{fill:#777;color:#555}\
svg text{font-size:12px}.grid{stroke:#ddd}.now{stroke:#000;stroke-dasharray:4 3}";

/// Builds the page.
pub(super) fn page(report: &Report<'_>) -> String {
    let mut seen: Vec<&Seen> = report.seen.iter().collect();
    seen.sort_by_key(|seen| (seen.until.unwrap_or(UnixTime::MAX), seen.place.clone()));
    let counts = report.counts;
    let title = format!("Certificates at {}", report.now);
    let mut page = format!(
        "<h1>{title}</h1>\n<p>{} checked: {} expired, {} expiring soon, {} not yet valid, {} revoked; {} malformed.</p>\n",
        counts.checked,
        counts.expired,
        counts.soon,
        counts.early,
        counts.revoked,
        report.skipped.malformed(),
    );
    let skipped: Vec<String> = report.skipped.counts().map(|(reason, count)| format!("{count} {reason}")).collect();
    if !skipped.is_empty() {
        page.push_str(&format!("<p>Skipped files: {}.</p>\n", escaped(&skipped.join(", "))));
    }
    if !seen.is_empty() {
        page.push_str(&timeline(&seen, report.now));
        page.push_str(
            "<table>\n<tr><th>Name</th><th>Status</th><th>From</th><th>Until</th><th>Where</th><th>SHA-256</th></tr>\n",
        );
        for one in &seen {
            let until = one.until.map_or("no end".to_owned(), |until| until.to_string());
            let status = one.answer.name();
            page.push_str(&format!(
                "<tr><td>{}</td><td class=\"{status}\">{}</td><td>{}</td><td>{until}</td><td>{}</td><td>{}</td></tr>\n",
                escaped(&one.title()),
                escaped(&one.words(report.now)),
                one.from,
                escaped(&one.place),
                one.sha256.as_deref().unwrap_or_default()
            ));
        }
        page.push_str("</table>\n");
    }
    html_page(&title, STYLE, &page)
}

/// Converts a time to a number of seconds for drawing.
fn seconds(time: UnixTime) -> f64 {
    // Years beyond 9999 are not drawn.
    const LIMIT: i64 = 253_402_300_799;
    time.0.clamp(-LIMIT, LIMIT) as f64
}

/// The time range of the drawing, which maps times to positions.
struct Scale {
    first: f64,
    span: f64,
}

impl Scale {
    /// Covers all validities and a year around now, limited to ten years in each direction.
    fn new(seen: &[&Seen], now: UnixTime) -> Self {
        const YEAR: f64 = 365.25 * 86_400.0;
        let now = seconds(now);
        let ends = seen.iter().filter_map(|seen| seen.until).map(seconds);
        let first = seen.iter().map(|seen| seconds(seen.from)).fold(now - YEAR, f64::min).max(now - 10.0 * YEAR);
        let last = ends.fold(now + YEAR, f64::max).min(now + 10.0 * YEAR);
        Self { first, span: (last - first).max(1.0) }
    }

    fn at(&self, moment: f64) -> f64 {
        NAMES + ((moment - self.first) / self.span).clamp(0.0, 1.0) * (WIDTH - NAMES)
    }
}

/// Draws the validity periods, with a line for the current time and one for each year.
fn timeline(seen: &[&Seen], now: UnixTime) -> String {
    let drawn = seen.get(..DRAWN).unwrap_or(seen);
    let scale = Scale::new(drawn, now);
    let height = TOP + drawn.len() * ROW + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Timeline of validity\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n"
    );
    for year in 1970..10_000 {
        let Ok(moment) = crate::shared::moment::moment(&format!("{year}-01-01")) else { continue };
        let moment = seconds(moment);
        if moment < scale.first || moment > scale.first + scale.span {
            continue;
        }
        let x = scale.at(moment);
        svg.push_str(&format!("<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{height}\"/>"));
        svg.push_str(&format!("<text x=\"{x:.1}\" y=\"14\">{year}</text>\n"));
    }
    for (index, one) in drawn.iter().enumerate() {
        let y = TOP + index * ROW;
        let (from, until) = (scale.at(seconds(one.from)), scale.at(seconds(one.until.unwrap_or(UnixTime::MAX))));
        let title = escaped(&format!("{}: {}", one.title(), one.words(now)));
        let name: String = one.title().chars().take(36).collect();
        svg.push_str(&format!(
            "<g><title>{title}</title><text x=\"0\" y=\"{}\">{}</text><rect class=\"{}\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"/></g>\n",
            y + 15,
            escaped(&name),
            one.answer.name(),
            y + 4,
            (until - from).max(1.0),
            ROW - 8
        ));
    }
    let x = scale.at(seconds(now));
    svg.push_str(&format!("<line class=\"now\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{height}\"/>\n</svg>\n"));
    if seen.len() > drawn.len() {
        svg.push_str(&format!("<p>The timeline shows the first {} of {}.</p>\n", drawn.len(), seen.len()));
    }
    svg
}
