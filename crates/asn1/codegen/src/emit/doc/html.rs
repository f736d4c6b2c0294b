//! Renders pages as HTML.

use super::{Block, Inline, Page};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}\
h2{margin-top:2.5rem;border-bottom:1px solid #ccc}pre{background:#f4f4f4;padding:.75rem;overflow-x:auto}\
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25rem .6rem;text-align:left;vertical-align:top}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}pre{background:#242424}a{color:#8ab4f8}td,th,h2{border-color:#444}}";

pub(super) fn write(page: &Page) -> String {
    let title = text(&page.title);
    let mut lines = vec![
        "<!DOCTYPE html>".to_owned(),
        format!(
            "<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>"
        ),
        format!("<h1>{title}</h1>"),
    ];
    for block in &page.blocks {
        lines.push(match block {
            Block::Heading { text: title, anchor } => format!("<h2 id=\"{}\">{}</h2>", text(anchor), text(title)),
            Block::Paragraph(parts) => format!("<p>{}</p>", inlines(parts)),
            Block::Code(code) => format!("<pre><code>{}</code></pre>", text(&code.join("\n"))),
            Block::Table { head, rows } => {
                let cells: String = head.iter().map(|cell| format!("<th>{}</th>", text(cell))).collect();
                let row = |cells: &Vec<Vec<Inline>>| {
                    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", inlines(cell))).collect();
                    format!("\n<tr>{cells}</tr>")
                };
                let rows: String = rows.iter().map(row).collect();
                format!("<table>\n<tr>{cells}</tr>{rows}\n</table>")
            }
        });
    }
    lines.push("</body></html>\n".to_owned());
    lines.join("\n")
}

fn inlines(parts: &[Inline]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Inline::Text(plain) => text(plain),
            Inline::Code(code) => format!("<code>{}</code>", text(code)),
            Inline::Link { text: name, page, anchor } => {
                let hash = if anchor.is_empty() { "" } else { "#" };
                format!("<a href=\"{}.html{hash}{}\">{}</a>", text(page), text(anchor), text(name))
            }
        })
        .collect()
}

/// Escapes text so that nothing in it is interpreted as markup.
fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
