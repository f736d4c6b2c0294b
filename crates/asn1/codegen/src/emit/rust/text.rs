//! Schema text in Rust: documentation, names and literals.

use std::cmp::Ordering;

use tagwise_schema::Span;
use tagwise_schema::model::Model;

/// Makes a line of text safe in a comment. Control characters, invisible characters and characters that change the text
/// direction are escaped.
pub(crate) fn visible(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        let hidden = character.is_control()
            || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
        match character {
            '\t' => line.push(' '),
            _ if hidden => line.push_str(&format!("\\u{{{:X}}}", u32::from(character))),
            _ => line.push(character),
        }
    }
    line
}

/// Returns the lines of a definition as in the schema, without the indentation common to all but the first.
pub(crate) fn quoted(model: &Model, span: Span) -> Vec<String> {
    let expanded = model.text(span).replace("\r\n", "\n").replace('\r', "\n").replace('\t', "    ");
    let lines: Vec<&str> = expanded.split('\n').collect();
    let depth = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let rest = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    // The first line begins where the definition does; the others are moved as far as the line it stands in is indented.
    let source = model.sources.get(span.file as usize);
    let first = source.map_or(0, |source| {
        let (_, line) = source.line_at(span.start as usize);
        let line = line.replace('\t', "    ");
        depth(&line.as_str())
    });
    let cut = rest.map(depth).min().unwrap_or(0).min(first);
    lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            visible(if index == 0 { line } else { line.get(cut..).unwrap_or_default() }).trim_end().to_owned()
        })
        .collect()
}

/// The maximum number of lines in a comment. Longer comments describe more than the item after them.
const COMMENT: usize = 12;

/// Returns the comment directly above a definition, escaped so that Markdown shows it unchanged.
pub(crate) fn comment_above(model: &Model, span: Span) -> Vec<String> {
    let text = model.sources.get(span.file as usize).map_or("", |source| source.text());
    let before = text.get(..span.start as usize).unwrap_or_default();
    before.strip_suffix('\n').map(last_comment).unwrap_or_default()
}

/// Returns the comment above a module, which an empty line may separate from the module.
pub(crate) fn comment_of_module(model: &Model, span: Span) -> Vec<String> {
    let text = model.sources.get(span.file as usize).map_or("", |source| source.text());
    let before = text.get(..span.start as usize).unwrap_or_default();
    last_comment(before.trim_end())
}

fn last_comment(above: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in above.lines().rev() {
        let Some(comment) = line.trim().strip_prefix("--") else { break };
        let comment = comment.strip_suffix("--").unwrap_or(comment).trim_matches(['-', '=', '*', ' ', '\t']);
        // Two comments in a line.
        if comment.contains("--") || lines.len() == COMMENT {
            return Vec::new();
        }
        lines.push(escaped(&visible(comment)));
    }
    lines.reverse();
    // A frame of hyphens leaves empty lines at both ends.
    let filled = |line: &String| !line.is_empty();
    let first = lines.iter().position(filled).unwrap_or(lines.len());
    let last = lines.iter().rposition(filled).map_or(0, |last| last + 1);
    lines.get(first..last).map(<[String]>::to_vec).unwrap_or_default()
}

/// Escapes a text for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Formats schema text on one line, without comments, as inline code followed by `more`.
pub(crate) fn inline(model: &Model, span: Span, more: &str) -> String {
    let text = model.text(span);
    let mut words = Vec::new();
    for line in text.lines() {
        let code = uncommented(line);
        words.extend(code.split_whitespace().map(str::to_owned));
    }
    let flat = visible(&words.join(" "));
    let flat = format!("{}{}", flat.trim_end_matches(',').trim(), visible(more));
    let short = if flat.chars().count() > 160 { flat.chars().take(157).chain("...".chars()).collect() } else { flat };
    if short.contains('`') { format!("`` {short} ``") } else { format!("`{short}`") }
}

/// Strips comments from a line: `-- … --`, and `--` to the end of the line.
fn uncommented(line: &str) -> String {
    let mut code = String::new();
    let mut rest = line;
    while let Some((before, comment)) = rest.split_once("--") {
        // Quotes before it that are not closed: the hyphens stand in a string.
        if before.matches('"').count() % 2 == 1 {
            code.push_str(before);
            code.push_str("--");
            rest = comment;
            continue;
        }
        code.push_str(before);
        rest = comment.split_once("--").map_or("", |(_, after)| after);
    }
    code + rest
}

/// Returns the name of the file that contains a span, without its directory.
pub(crate) fn file_of(model: &Model, span: Span) -> String {
    let name = model.sources.get(span.file as usize).map_or("", |source| source.name());
    visible(name.rsplit(['/', '\\']).next().unwrap_or(name))
}

/// Converts a name to a Rust identifier. Keywords become raw identifiers.
pub(crate) fn ident(name: &str) -> String {
    const KEYWORDS: &[&str] = &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
        "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
        "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

/// Compares names in rustfmt's order: numbers by value, underscores first.
pub(super) fn by_version(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    let number = |text: &[u8]| text.iter().take_while(|octet| octet.is_ascii_digit()).count();
    loop {
        let (digits, others) = (number(one), number(other));
        let order = if digits > 0 && others > 0 {
            let (first, one_rest) = one.split_at(digits);
            let (second, other_rest) = other.split_at(others);
            (one, other) = (one_rest, other_rest);
            let value = |text: &[u8]| {
                let zeros = text.iter().take_while(|digit| **digit == b'0').count();
                (text.len() - zeros, text.get(zeros..).unwrap_or_default().to_vec())
            };
            // Of one value, the one with more zeros in front comes first.
            value(first).cmp(&value(second)).then(second.len().cmp(&first.len()))
        } else {
            let (Some((first, one_rest)), Some((second, other_rest))) = (one.split_first(), other.split_first()) else {
                return one.len().cmp(&other.len());
            };
            (one, other) = (one_rest, other_rest);
            let rank = |octet: u8| if octet == b'_' { 0 } else { octet };
            rank(*first).cmp(&rank(*second))
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Returns the name that the derive assigns to a field by default.
pub(super) fn field_name(ident: &str) -> String {
    let mut words = ident.split('_').filter(|word| !word.is_empty());
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// Returns the name that the derive assigns to a variant by default.
pub(super) fn variant_name(ident: &str) -> String {
    let mut letters = ident.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// Formats a string literal.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Formats bytes as an array literal.
pub(super) fn octets(octets: &[u8]) -> String {
    let list: Vec<String> = octets.iter().map(|octet| format!("0x{octet:02X}")).collect();
    format!("&[{}]", list.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let mut names = ["pkix10", "aa", "pkix1a", "pkix2", "a1", "pkix1", "a_b", "pkix_b", "pkix01", "a_", "pkix1_a"];
        names.sort_by(|one, other| by_version(one, other));
        // As rustfmt has them.
        let sorted = ["a_", "a_b", "a1", "aa", "pkix_b", "pkix01", "pkix1", "pkix1_a", "pkix1a", "pkix2", "pkix10"];
        assert_eq!(names, sorted);
    }
}
