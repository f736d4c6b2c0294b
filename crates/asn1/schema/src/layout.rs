//! Canonical formatting of modules: the same tokens and comments in the same order, with different white space.
//!
//! Assignments begin on a new line. SEQUENCE, SET, CHOICE and CLASS have one item per line, as do other braces that do
//! not fit on a line. Long lines are broken at the language's separators. Comments stay on their own lines, or after
//! the token that they follow.

use crate::ast::{Assignment, Body};
use crate::diagnostic::Diagnostics;
use crate::lex::{Token, TokenKind, Tokens, lex};
use crate::source::Source;
use crate::words::is_reserved;
use crate::{Compilation, Limits, parse};

/// The maximum line width in characters. Lines can exceed it if they cannot be broken.
const WIDTH: usize = 100;

/// Formats a text canonically.
///
/// ```
/// use tagwise_schema::{Source, layout};
/// let text = "M DEFINITIONS::=BEGIN A::=SEQUENCE{a INTEGER(0..5)OPTIONAL,-- first\n b[1]B}\nB ::=ENUMERATED{c(1),d(2)}END";
/// assert_eq!(
///     layout(&Source::new("m", text)).unwrap(),
///     "\
/// M DEFINITIONS ::= BEGIN
///
/// A ::= SEQUENCE {
///   a INTEGER (0..5) OPTIONAL,  -- first
///   b [1] B
/// }
///
/// B ::= ENUMERATED { c(1), d(2) }
///
/// END
/// "
/// );
/// ```
///
/// # Errors
/// Returns the compilation with its errors if the text cannot be parsed.
pub fn layout(source: &Source) -> Result<String, Box<Compilation>> {
    layout_within(source, &Limits::DEFAULT)
}

/// Formats a text canonically, if its nesting is within the limits. This also limits the indentation.
///
/// ```
/// use tagwise_schema::{Limits, Source, layout_within};
/// let source = Source::new("m", "M DEFINITIONS ::= BEGIN a A ::= {{{{1}}}} END");
/// let mut limits = Limits::DEFAULT;
/// limits.depth = 3;
/// assert!(layout_within(&source, &limits).is_err());
/// ```
///
/// # Errors
/// Returns the compilation with its errors if the text cannot be parsed.
pub fn layout_within(source: &Source, limits: &Limits) -> Result<String, Box<Compilation>> {
    let mut diagnostics = Diagnostics::default();
    let tokens = lex(0, source, &mut diagnostics);
    let modules = parse::modules(&tokens, limits.depth, &mut diagnostics);
    diagnostics.settle();
    if diagnostics.errors() > 0 {
        return Err(Box::new(Compilation {
            model: None,
            diagnostics,
            sources: vec![source.clone()],
            omitted: Vec::new(),
        }));
    }
    let begins = |one: &Assignment| Begin {
        at: one.span.start,
        verbatim: matches!(one.body, Body::Macro | Body::Skipped).then_some(one.span.end),
    };
    let starts = modules.iter().flat_map(|module| &module.assignments).map(begins).collect();
    let mut writer = Writer::new(&tokens, starts, limits.depth as usize);
    writer.all();
    Ok(writer.out)
}

/// The beginning of an assignment.
struct Begin {
    at: u32,
    /// The end of the assignment, if its text is kept unchanged.
    verbatim: Option<u32>,
}

/// A token or a comment, in source order.
#[derive(Clone, Copy)]
enum Piece {
    Token(Token),
    Comment(u32, u32),
}

impl Piece {
    const fn start(self) -> u32 {
        match self {
            Self::Token(token) => token.start,
            Self::Comment(start, _) => start,
        }
    }

    const fn end(self) -> u32 {
        match self {
            Self::Token(token) => token.end,
            Self::Comment(_, end) => end,
        }
    }
}

/// An open brace.
struct Open {
    /// True if the items are on separate lines.
    broken: bool,
    is_brace: bool,
    /// True if the content is not separated from the brackets by spaces, as for parameters.
    tight: bool,
}

struct Writer<'t> {
    tokens: &'t Tokens,
    pieces: Vec<Piece>,
    /// For each opening piece, the index of the closing one.
    closes: Vec<usize>,
    starts: Vec<Begin>,
    open: Vec<Open>,
    /// The number of open braces whose items are on separate lines. `unbroken` counts the others.
    broken: usize,
    unbroken: usize,
    /// The maximum number of indentation levels. Skipped text may nest deeper than parsed text.
    max_levels: usize,
    out: String,
    /// The number of characters in the last line.
    column: usize,
    previous: Option<Token>,
    before: Option<Token>,
    /// True if there was no space before the last token in the source.
    touched: bool,
    /// True if the last closed brace was tight.
    closed_tight: bool,
    /// Position within IMPORTS.
    imports: Imports,
}

/// The position of a token in IMPORTS.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Imports {
    Outside,
    /// At the next symbol.
    Start,
    Symbols,
    /// After FROM.
    From,
    /// After the module's name.
    Module,
}

impl<'t> Writer<'t> {
    fn new(tokens: &'t Tokens, starts: Vec<Begin>, max_levels: usize) -> Self {
        let mut pieces: Vec<Piece> = tokens.list.iter().copied().map(Piece::Token).collect();
        pieces.extend(tokens.comments.iter().map(|span| Piece::Comment(span.start, span.end)));
        pieces.sort_by_key(|piece| (piece.start(), piece.end()));
        pieces.retain(|piece| !matches!(piece, Piece::Token(Token { kind: TokenKind::End, .. })));
        let mut closes = vec![0; pieces.len()];
        let mut stack = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Token(Token { kind: TokenKind::Symbol(b'{' | b'('), .. }) => stack.push(index),
                Piece::Token(Token { kind: TokenKind::Symbol(b'}' | b')'), .. }) => {
                    if let Some(slot) = stack.pop().and_then(|open| closes.get_mut(open)) {
                        *slot = index;
                    }
                }
                _ => {}
            }
        }
        let out = String::with_capacity(tokens.source.text().len());
        Self {
            tokens,
            pieces,
            closes,
            starts,
            open: Vec::new(),
            broken: 0,
            unbroken: 0,
            max_levels,
            out,
            column: 0,
            previous: None,
            before: None,
            touched: false,
            closed_tight: false,
            imports: Imports::Outside,
        }
    }

    fn text(&self, piece: Piece) -> &'t str {
        self.tokens.source.text().get(piece.start() as usize..piece.end() as usize).unwrap_or_default()
    }

    fn word(&self, token: Option<Token>) -> &'t str {
        token.map_or("", |token| self.tokens.text(token))
    }

    fn line(&mut self) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.column = 0;
    }

    fn blank(&mut self) {
        self.line();
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        let last = text.rsplit('\n').next().unwrap_or_default();
        self.column = if text.contains('\n') { 0 } else { self.column } + last.chars().count();
    }

    fn indent(&mut self) {
        if self.column == 0 {
            let imports = usize::from(self.imports != Imports::Outside);
            let levels = (self.broken + imports).min(self.max_levels);
            self.push(&"  ".repeat(levels));
        }
    }

    fn all(&mut self) {
        let mut starts = std::mem::take(&mut self.starts).into_iter().peekable();
        let mut written = 0;
        for index in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(index).copied() else { return };
            if piece.start() < written {
                continue;
            }
            match piece {
                Piece::Comment(..) => self.comment(index, piece),
                Piece::Token(token) => {
                    let begin = starts.next_if(|begin| begin.at == token.start);
                    if begin.is_some() {
                        self.begin_assignment(index);
                    }
                    match begin.and_then(|begin| begin.verbatim) {
                        // Of what uses a macro, only the macro says what it means.
                        Some(end) => {
                            let text = self.tokens.source.text().get(token.start as usize..end as usize);
                            self.push(text.unwrap_or_default());
                            self.column = 1;
                            self.previous = Some(token);
                            written = end;
                        }
                        None => self.token(index, token),
                    }
                }
            }
        }
        self.line();
    }

    /// Returns whether one piece follows another on the same line or on the next line.
    fn is_near(&self, one: Option<&Piece>, other: Option<&Piece>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return false };
        let between = self.tokens.source.text().get(one.end() as usize..other.start() as usize).unwrap_or_default();
        between.matches('\n').count() <= 1
    }

    /// Begins an assignment on a new line, after an empty line or after the comment that describes it. A comment that is
    /// followed by an empty line does not describe it.
    fn begin_assignment(&mut self, index: usize) {
        let before = index.checked_sub(1).and_then(|before| self.pieces.get(before));
        let is_near = self.is_near(before, self.pieces.get(index));
        let is_behind_comment = self.column == 0 && self.previous.is_none() && is_near;
        if is_behind_comment { self.line() } else { self.blank() }
    }

    fn comment(&mut self, index: usize, piece: Piece) {
        let text = self.text(piece);
        let source = self.tokens.source.text();
        let before = index.checked_sub(1).and_then(|before| self.pieces.get(before)).map_or(0, |before| before.end());
        let between = source.get(before as usize..piece.start() as usize).unwrap_or_default();
        // A comment behind a comment has a line of its own too, for the first one ends its line.
        let is_own_line = between.contains('\n') || before == 0 || self.column == 0;
        let is_remark = is_own_line && self.is_remark(index);
        if is_own_line {
            let has_blank = between.matches('\n').count() > 1;
            let is_outside = self.open.is_empty() && self.imports == Imports::Outside;
            // What stands behind an assignment is about the next one.
            let is_apart = has_blank || (self.previous.is_some() && !is_remark);
            if is_outside && is_apart {
                self.blank();
            } else {
                self.line();
            }
            self.indent();
        } else if self.column > 0 {
            self.push(if self.out.ends_with(' ') { " " } else { "  " });
        }
        self.push(text.trim_end());
        // A comment that a line ends must end one here too; others are taken for such.
        self.line();
        if self.open.is_empty() && is_own_line && !is_remark {
            self.previous = None;
        }
    }

    /// Returns whether a comment is directly below an assignment and above an empty line. Such a comment belongs to that
    /// assignment rather than to the next one.
    fn is_remark(&self, index: usize) -> bool {
        let is_near = |one: Option<&Piece>, other: Option<&Piece>| self.is_near(one, other);
        let is_comment = |piece: Option<&Piece>| matches!(piece, Some(Piece::Comment(..)));
        let (mut first, mut last) = (index, index);
        while let Some(before) = first.checked_sub(1)
            && is_comment(self.pieces.get(before))
            && is_near(self.pieces.get(before), self.pieces.get(first))
        {
            first = before;
        }
        while is_comment(self.pieces.get(last + 1)) && is_near(self.pieces.get(last), self.pieces.get(last + 1)) {
            last += 1;
        }
        let above = first.checked_sub(1).and_then(|before| self.pieces.get(before));
        let is_below_assignment = match above {
            Some(Piece::Token(token)) => {
                !matches!(token.kind, TokenKind::Symbol(b';')) && self.tokens.text(*token) != "BEGIN"
            }
            _ => false,
        };
        is_below_assignment
            && is_near(above, self.pieces.get(first))
            && !is_near(self.pieces.get(last), self.pieces.get(last + 1))
    }

    fn token(&mut self, index: usize, token: Token) {
        let text = self.tokens.text(token);
        let is_word = token.kind == TokenKind::Upper;
        if is_word && self.open.is_empty() && matches!(text, "IMPORTS" | "EXPORTS" | "END") {
            self.blank();
        }
        let closing = matches!(token.kind, TokenKind::Symbol(b'}' | b')'));
        if closing && let Some(open) = self.open.pop() {
            self.broken -= usize::from(open.broken);
            self.unbroken -= usize::from(open.is_brace && !open.broken);
            if open.broken {
                self.line();
            }
            self.closed_tight = open.tight;
        }
        let is_word_behind_end = self.open.is_empty() && self.word(self.previous) == "END";
        if is_word_behind_end {
            self.blank();
        }
        let gap = self.gap(token);
        self.touched = !gap;
        self.import(index, token);
        if self.column > 0 && self.must_wrap(index, token, gap) {
            self.line();
            self.indent();
            self.push("  ");
        } else if self.column == 0 {
            self.indent();
        } else if gap {
            self.push(" ");
        }
        self.push(text);
        self.before = self.previous;
        self.previous = Some(token);
        if text == "IMPORTS" && is_word && self.open.is_empty() {
            self.imports = Imports::Start;
        }
        match token.kind {
            TokenKind::Symbol(b'{') => self.open_brace(index),
            TokenKind::Symbol(b'(') => self.open.push(Open { broken: false, is_brace: false, tight: true }),
            TokenKind::Symbol(b',') if self.open.last().is_some_and(|open| open.broken) => self.end_item(index),
            _ => {}
        }
        if matches!(token.kind, TokenKind::Symbol(b';')) && self.open.is_empty() {
            self.imports = Imports::Outside;
        }
    }

    /// Starts a new line for each imported module.
    fn import(&mut self, index: usize, token: Token) {
        if !self.open.is_empty() {
            return;
        }
        let text = self.tokens.text(token);
        let is_name = matches!(token.kind, TokenKind::Upper | TokenKind::Lower);
        self.imports = match self.imports {
            Imports::Start => {
                self.line();
                Imports::Symbols
            }
            Imports::Symbols if text == "FROM" => Imports::From,
            Imports::From => Imports::Module,
            Imports::Module if is_name && self.is_symbol(index) => {
                self.line();
                Imports::Symbols
            }
            other => other,
        };
    }

    /// Returns whether a name in IMPORTS is a symbol, rather than part of a module's object identifier.
    fn is_symbol(&self, index: usize) -> bool {
        let mut behind = self.pieces.get(index + 1..).unwrap_or_default().iter();
        let next = behind.find_map(|piece| match piece {
            Piece::Token(token) => Some(*token),
            Piece::Comment(..) => None,
        });
        next.is_some_and(|next| matches!(next.kind, TokenKind::Symbol(b',' | b'{')) || self.tokens.text(next) == "FROM")
    }

    /// Ends the line after a comma, unless a comment follows it.
    fn end_item(&mut self, index: usize) {
        let Some(Piece::Comment(start, _)) = self.pieces.get(index + 1).copied() else {
            self.line();
            return;
        };
        let end = self.previous.map_or(0, |token| token.end);
        let between = self.tokens.source.text().get(end as usize..start as usize).unwrap_or_default();
        if between.contains('\n') {
            self.line();
        }
    }

    fn open_brace(&mut self, index: usize) {
        let close = self.closes.get(index).copied().unwrap_or(0);
        let before = self.word(self.before);
        let is_empty = close == index + 1;
        let is_body = matches!(before, "SEQUENCE" | "SET" | "CHOICE" | "CLASS");
        // What stands in parameters is laid out as they are.
        let tight = self.touched || self.open.last().is_some_and(|open| open.tight);
        let broken = !is_empty && (is_body || self.flat(index, close).is_none());
        self.open.push(Open { broken, is_brace: true, tight });
        self.broken += usize::from(broken);
        self.unbroken += usize::from(!broken);
        if broken {
            let comment_follows = match self.pieces.get(index + 1) {
                Some(Piece::Comment(start, _)) => {
                    let end = self.previous.map_or(0, |token| token.end);
                    !self.tokens.source.text().get(end as usize..*start as usize).unwrap_or_default().contains('\n')
                }
                _ => false,
            };
            if !comment_follows {
                self.line();
            }
        }
    }

    /// Returns the length of the content between two braces on one line. Returns `None` if it does not fit or contains a
    /// comment.
    fn flat(&self, open: usize, close: usize) -> Option<usize> {
        let mut length = self.column + 2;
        for piece in self.pieces.get(open + 1..=close)? {
            match piece {
                Piece::Comment(..) => return None,
                Piece::Token(token) => length += self.tokens.text(*token).len() + 1,
            }
            if length > WIDTH {
                return None;
            }
        }
        Some(length)
    }

    /// Returns whether the line must be broken before a token, because the token does not fit and a break is allowed there.
    fn must_wrap(&self, index: usize, token: Token, gap: bool) -> bool {
        if !gap || self.unbroken > 0 {
            return false;
        }
        let text = self.tokens.text(token);
        let follows_comma = self.previous.is_some_and(|token| token.kind == TokenKind::Symbol(b','));
        let is_edge = matches!(token.kind, TokenKind::Symbol(b'|' | b'^' | b'('))
            || follows_comma
            || matches!(text, "FROM" | "DEFAULT" | "OPTIONAL" | "UNION" | "WITH" | "UNIQUE")
            || matches!(token.kind, TokenKind::UpperField | TokenKind::LowerField)
            || self.previous.is_some_and(|token| token.kind == TokenKind::Assign);
        // Behind the module of an import, the next symbols begin a line.
        let ahead = text.len()
            + usize::from(
                matches!(self.pieces.get(index + 1), Some(Piece::Token(next)) if next.kind == TokenKind::Symbol(b',')),
            );
        is_edge && self.column + 1 + ahead > WIDTH
    }

    /// Returns whether a space is required before a token.
    fn gap(&self, token: Token) -> bool {
        self.wants_gap(token) || self.would_merge(token)
    }

    /// Returns whether a token, without a space before it, would merge with the previous one or start a comment with it.
    fn would_merge(&self, token: Token) -> bool {
        let Some(previous) = self.previous.filter(|previous| previous.end != token.start) else { return false };
        let (left, right) = (self.tokens.text(previous), self.tokens.text(token));
        let is_word = |text: char| text.is_alphanumeric() || text == '-';
        let is_symbol = matches!(previous.kind, TokenKind::Symbol(_));
        match (left.chars().next_back(), right.chars().next()) {
            (Some('-'), Some('-')) | (Some('/'), Some('*')) | (Some('*'), Some('/')) | (Some('"'), Some('"')) => true,
            (Some('.'), Some('.')) | (Some(':'), Some(':')) => true,
            // A number takes a point, but not the two of a range.
            (Some(last), Some('.')) => last.is_ascii_digit() && !is_symbol && right != "..",
            (Some('.'), Some(first)) => previous.kind == TokenKind::Real && first.is_ascii_digit(),
            (Some(last), Some(first)) => !is_symbol && is_word(last) && is_word(first),
            _ => false,
        }
    }

    fn wants_gap(&self, token: Token) -> bool {
        let Some(previous) = self.previous else { return false };
        let symbol = |kind: TokenKind| match kind {
            TokenKind::Symbol(symbol) => symbol,
            _ => 0,
        };
        let (left, right) = (symbol(previous.kind), symbol(token.kind));
        if previous.kind == TokenKind::Range || token.kind == TokenKind::Range {
            return false;
        }
        match (left, right) {
            (_, b',' | b';' | b')' | b']' | b'.' | b':') | (b'(' | b'[' | b'.' | b'@' | b'!' | b'-', _) => {
                return false;
            }
            (b'{', b'}') => return false,
            (b'{', _) => return !self.open.last().is_some_and(|open| open.tight),
            (_, b'}') => return !self.closed_tight,
            (b'}', b'{') => return !self.closed_tight,
            _ => {}
        }
        if right == b'<' || left == b'<' {
            // `0<..<9`, but `a < B`.
            return !self.is_range_near(token);
        }
        if right == b'(' {
            // `name(1)`, but `INTEGER (1)`.
            return previous.kind != TokenKind::Lower;
        }
        if right == b'{' && previous.kind == TokenKind::Upper {
            let word = self.tokens.text(previous);
            let is_header = self.open.is_empty() && !self.starts_type();
            // Parameters touch their name, and a word of a class's syntax has a space behind it: the text tells them apart.
            return is_reserved(word) || is_header || previous.end != token.start;
        }
        true
    }

    /// Returns whether the preceding tokens belong to a type or an assignment, rather than to a module header.
    fn starts_type(&self) -> bool {
        self.before.is_some_and(|before| {
            !matches!(self.tokens.text(before), "END" | "FROM") && before.kind != TokenKind::Symbol(b';')
        })
    }

    fn is_range_near(&self, token: Token) -> bool {
        let at = self.tokens.list.partition_point(|other| other.start < token.start);
        let kind = |at: usize| self.tokens.list.get(at).map(|token| token.kind);
        kind(at) == Some(TokenKind::Range) || kind(at + 1) == Some(TokenKind::Range) || {
            let before = |back: usize| at.checked_sub(back).and_then(kind);
            before(1) == Some(TokenKind::Range) || before(2) == Some(TokenKind::Range)
        }
    }
}
