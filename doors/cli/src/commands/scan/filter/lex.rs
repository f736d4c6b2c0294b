//! The tokens of a filter: words, operators and quoted text.

use super::FilterError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    /// The text between the quotation marks, before backslashes are removed.
    Quoted(&'t str),
    Operator(&'static str),
    Not,
    And,
    Or,
    OpenParen,
    CloseParen,
    End,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

/// The operators, longest first.
const OPERATORS: [(&str, Token<'_>); 15] = [
    ("!=", Token::Operator("!=")),
    ("!~", Token::Operator("!~")),
    ("<=", Token::Operator("<=")),
    (">=", Token::Operator(">=")),
    ("==", Token::Operator("=")),
    ("&&", Token::And),
    ("||", Token::Or),
    ("=", Token::Operator("=")),
    ("<", Token::Operator("<")),
    (">", Token::Operator(">")),
    ("~", Token::Operator("~")),
    ("!", Token::Not),
    ("&", Token::And),
    ("|", Token::Or),
    ("(", Token::OpenParen),
];

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&mut self) -> &'t str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    /// Returns the next token where a field, an operator or a connective is allowed, and its offset.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'t>), FilterError> {
        let rest = self.rest();
        let at = self.at;
        if rest.is_empty() {
            return Ok((at, Token::End));
        }
        if let Some((text, token)) = OPERATORS.iter().find(|(text, _)| rest.starts_with(text)) {
            self.at += text.len();
            return Ok((at, *token));
        }
        if rest.starts_with(')') {
            self.at += 1;
            return Ok((at, Token::CloseParen));
        }
        let end = rest.find(|char: char| !char.is_alphanumeric() && !matches!(char, '_' | '-')).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        if word.is_empty() {
            return Err(FilterError { at, message: "unexpected character".to_owned() });
        }
        self.at += end;
        let token = match word.to_ascii_lowercase().as_str() {
            "and" => Token::And,
            "or" => Token::Or,
            "not" => Token::Not,
            _ => Token::Word(word),
        };
        Ok((at, token))
    }

    /// Returns the next token where a value is allowed: quoted text, or an unquoted word, which may contain almost any
    /// character.
    pub(super) fn value(&mut self) -> Result<(usize, Token<'t>), FilterError> {
        let rest = self.rest();
        let at = self.at;
        if let Some(inside) = rest.strip_prefix('"') {
            let mut escaped = false;
            for (index, char) in inside.char_indices() {
                match char {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => {
                        self.at += index + 2;
                        return Ok((at, Token::Quoted(inside.get(..index).unwrap_or_default())));
                    }
                    _ => {}
                }
            }
            return Err(FilterError { at, message: "unterminated string".to_owned() });
        }
        let end = rest
            .find(|char: char| {
                char.is_whitespace() || matches!(char, '&' | '|' | '(' | ')' | '"' | '<' | '>' | '=' | '!')
            })
            .unwrap_or(rest.len());
        self.at += end;
        let word = rest.get(..end).unwrap_or_default();
        Ok((at, if word.is_empty() { Token::End } else { Token::Word(word) }))
    }
}

/// Removes the backslashes from quoted text.
pub(super) fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escaped = false;
    for char in text.chars() {
        if char == '\\' && !escaped {
            escaped = true;
            continue;
        }
        escaped = false;
        out.push(char);
    }
    out
}
