//! Renders pages as Markdown.

use super::{Block, Inline, Page};

pub(super) fn write(page: &Page) -> String {
    let mut lines = vec![format!("# {}", text(&page.title)), String::new()];
    for block in &page.blocks {
        match block {
            Block::Heading { text: title, anchor } => {
                lines.push(format!("<a id=\"{anchor}\"></a>\n\n## {}", text(title)))
            }
            Block::Paragraph(parts) => lines.push(inlines(parts)),
            Block::Code(code) => {
                let fence = if code.iter().any(|line| line.contains("```")) { "````" } else { "```" };
                lines.push(format!("{fence}asn1\n{}\n{fence}", code.join("\n")));
            }
            Block::Table { head, rows } => {
                let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
                let mut table = vec![row(head.iter().map(|cell| (*cell).to_owned()).collect())];
                table.push(row(head.iter().map(|_| "---".to_owned()).collect()));
                table.extend(rows.iter().map(|cells| row(cells.iter().map(|cell| inlines(cell)).collect())));
                lines.push(table.join("\n"));
            }
        }
        lines.push(String::new());
    }
    lines.join("\n")
}

fn inlines(parts: &[Inline]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Inline::Text(plain) => text(plain),
            Inline::Code(code) => format!("`{}`", code.replace('`', "'").replace('|', "\\|")),
            Inline::Link { text: name, page, anchor } if anchor.is_empty() => format!("[{}]({page}.md)", text(name)),
            Inline::Link { text: name, page, anchor } => format!("[{}]({page}.md#{anchor})", text(name)),
        })
        .collect()
}

/// Escapes text so that nothing in it is interpreted as Markdown.
fn text(plain: &str) -> String {
    let mut out = String::new();
    for character in plain.chars() {
        if "\\`*_[]<>|#".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
