//! A result as an HTML page with a plot and a table. The page contains no scripts and loads no resources.

use tagwise_cli::{Plot, escaped, html_page};

use crate::plot;
use crate::sample::Sample;

const STYLE: &str = "\
body{font-family:sans-serif;margin:2em;color:#222}table{border-collapse:collapse}pre{white-space:pre-wrap}\
td,th{text-align:left;padding:.2em .8em;border-bottom:1px solid #ddd}td{overflow-wrap:anywhere}.number{text-align:right}\
svg text{font-size:12px}.grid{stroke:#ddd}.path{fill:none!important;stroke-width:2}\
.line0{fill:#3b5ba5;stroke:#3b5ba5}.line1{fill:#c77d0a;stroke:#c77d0a}.line2{fill:#3a7d44;stroke:#3a7d44}\
.line3{fill:#b3261e;stroke:#b3261e}.line4{fill:#7b4fa3;stroke:#7b4fa3}.line5{fill:#555;stroke:#555}";

/// Builds the page.
pub(crate) fn page(sql: &str, sample: &Sample, kind: Plot) -> String {
    let mut body = format!("<h1>Query</h1>\n<pre>{}</pre>\n{}", lines(sql), plot::svg(sample, kind));
    body.push_str("<table>\n<tr>");
    let class = |is_number: bool| if is_number { " class=\"number\"" } else { "" };
    for (name, is_number) in sample.names.iter().zip(&sample.is_number) {
        body.push_str(&format!("<th{}>{}</th>", class(*is_number), escaped(name)));
    }
    body.push_str("</tr>\n");
    for row in &sample.rows {
        body.push_str("<tr>");
        for (cell, is_number) in row.iter().zip(&sample.is_number) {
            body.push_str(&format!("<td{}>{}</td>", class(*is_number), escaped(cell)));
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table>\n");
    if sample.more > 0 {
        body.push_str(&format!("<p>{} more rows are omitted.</p>\n", sample.more));
    }
    html_page("Query", STYLE, &body)
}

/// Escapes text, and keeps its line breaks.
fn lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}
