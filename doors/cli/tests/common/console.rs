//! Console blocks of pages: commands, and what they print. `./x newcomer` (tools/xtask) shares this file.

/// A command of a page, and the lines that it has to print.
pub(crate) struct Step<'a> {
    pub(crate) line: usize,
    pub(crate) command: &'a str,
    pub(crate) expected: Vec<&'a str>,
}

/// The commands of a page, in order, and the line numbers of fences that nothing closes.
pub(crate) fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut inside = None;
    for (index, line) in text.lines().enumerate() {
        match (inside, line.strip_prefix("```")) {
            (None, Some(language)) => inside = Some(language),
            (Some(_), Some("")) => inside = None,
            (Some("console"), _) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { line: index + 1, command, expected: Vec::new() }),
                (None, Some(step)) => step.expected.push(line),
                (None, None) => panic!("line {}: output without a command", index + 1),
            },
            _ => {}
        }
    }
    assert!(inside.is_none(), "a fence is not closed");
    steps
}

/// Returns whether a line is as a page shows it, `...` standing for any text.
fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((head, rest)) = shown.trim_end().split_once("...") else {
        return shown.trim_end() == printed.trim_end();
    };
    let Some(mut tail) = printed.trim_end().strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split("...").collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = tail.split_once(part) else { return false };
        tail = after;
    }
    tail.ends_with(last)
}

/// Returns whether lines are as a page shows them, a line of `...` standing for any lines.
pub(crate) fn matches(shown: &[&str], printed: &[&str]) -> bool {
    // `open[i]` says whether the lines printed so far match the first `i` shown ones.
    let mut open = vec![false; shown.len() + 1];
    let skip = |open: &mut Vec<bool>| {
        for (i, line) in shown.iter().enumerate() {
            if open[i] && line.trim() == "..." {
                open[i + 1] = true;
            }
        }
    };
    open[0] = true;
    skip(&mut open);
    for text in printed {
        let mut next = vec![false; shown.len() + 1];
        for (i, line) in shown.iter().enumerate() {
            if open[i] && line.trim() == "..." {
                next[i] = true;
                next[i + 1] = true;
            } else if open[i] && line_matches(line, text) {
                next[i + 1] = true;
            }
        }
        skip(&mut next);
        open = next;
    }
    open[shown.len()]
}
