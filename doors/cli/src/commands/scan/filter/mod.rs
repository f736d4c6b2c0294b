//! The language of `--filter`: comparisons of fields, joined by `&`, `|`, `!` and parentheses.
//!
//! ```text
//! filter     = conjunct *( "|" conjunct )
//! conjunct   = test *( "&" test )
//! test       = "!" test / "(" filter ")" / flag / field operator value
//! operator   = "=" / "!=" / "<" / "<=" / ">" / ">=" / "~" / "!~"
//! value      = a word / text in quotation marks, in which \" and \\ stand for themselves
//! ```
//!
//! `&&`, `||`, `==`, `and`, `or` and `not` are also supported. A filter is compiled to a program without jumps and
//! evaluated without recursion.

mod eval;
mod lex;
#[cfg(test)]
mod tests;

use std::fmt;

use lex::{Lexer, Token};
use tagwise_pkix::UnixTime;

use crate::shared::moment::{self, duration};

/// The maximum length of a filter, in bytes.
const LONG: usize = 64 * 1024;

/// A parsed filter.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The steps in postfix order: a test pushes its result; AND and OR pop two results and push one.
    program: Vec<Step>,
}

/// The reason why a filter could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The offset in the filter's text.
    at: usize,
    message: String,
}

#[derive(Clone, Debug)]
enum Step {
    Test(Test),
    Not,
    And,
    Or,
}

#[derive(Clone, Debug)]
enum Test {
    Flag(Flag),
    Text(Text, bool, Match),
    Number(Number, Order, i64),
    /// A comparison of a time with a day, month or year, given by its first and last second.
    Time(Moment, Order, (UnixTime, UnixTime)),
}

#[derive(Clone, Debug)]
enum Match {
    /// The text is equal, ignoring case.
    Same(String),
    /// The text contains the given text, ignoring case.
    Has(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    Ca,
    Strict,
    Crl,
    SelfIssued,
    Expired,
    Valid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Subject,
    Issuer,
    CommonName,
    Dns,
    Serial,
    Sha256,
    Key,
    Curve,
    Signature,
    File,
    Entry,
    State,
    Status,
    Error,
    Rule,
    Lint,
    Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Bits,
    Version,
    Days,
    Size,
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    NotBefore,
    NotAfter,
}

#[derive(Clone, Copy)]
enum Field {
    Flag(Flag),
    Text(Text),
    Number(Number),
    Time(Moment),
}

/// The fields by name. If a field has two names, the second is accepted but not documented.
const FIELDS: &[(&str, Field)] = &[
    ("subject", Field::Text(Text::Subject)),
    ("issuer", Field::Text(Text::Issuer)),
    ("cn", Field::Text(Text::CommonName)),
    ("dns", Field::Text(Text::Dns)),
    ("serial", Field::Text(Text::Serial)),
    ("sha256", Field::Text(Text::Sha256)),
    ("key", Field::Text(Text::Key)),
    ("curve", Field::Text(Text::Curve)),
    ("bits", Field::Number(Number::Bits)),
    ("signature", Field::Text(Text::Signature)),
    ("sig", Field::Text(Text::Signature)),
    ("version", Field::Number(Number::Version)),
    ("expires", Field::Time(Moment::NotAfter)),
    ("not_after", Field::Time(Moment::NotAfter)),
    ("begins", Field::Time(Moment::NotBefore)),
    ("not_before", Field::Time(Moment::NotBefore)),
    ("days", Field::Number(Number::Days)),
    ("status", Field::Text(Text::Status)),
    ("valid", Field::Flag(Flag::Valid)),
    ("expired", Field::Flag(Flag::Expired)),
    ("ca", Field::Flag(Flag::Ca)),
    ("self_issued", Field::Flag(Flag::SelfIssued)),
    ("crl", Field::Flag(Flag::Crl)),
    ("strict", Field::Flag(Flag::Strict)),
    ("state", Field::Text(Text::State)),
    ("error", Field::Text(Text::Error)),
    ("rule", Field::Text(Text::Rule)),
    ("lint", Field::Text(Text::Lint)),
    ("trust", Field::Text(Text::Trust)),
    ("file", Field::Text(Text::File)),
    ("entry", Field::Text(Text::Entry)),
    ("offset", Field::Number(Number::Offset)),
    ("size", Field::Number(Number::Size)),
];

/// A parenthesis or operator that is open during parsing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Or,
    And,
    Not,
    /// An opening parenthesis, with its offset.
    Paren(usize),
}

impl Filter {
    /// Parses a filter. Times such as `+30d` are relative to `now`.
    ///
    /// ```
    /// use tagwise_cli::Filter;
    /// use tagwise_codec::UnixTime;
    /// assert!(Filter::parse("key=rsa & bits<2048", UnixTime(0)).is_ok());
    /// let error = Filter::parse("key=rsa & bitz<2048", UnixTime(0)).unwrap_err();
    /// assert_eq!(error.to_string(), "at character 11: unknown field 'bitz'; did you mean bits?");
    /// ```
    ///
    /// # Errors
    /// Returns the position and the reason of the syntax error.
    pub fn parse(text: &str, now: UnixTime) -> Result<Self, FilterError> {
        if text.len() > LONG {
            return Err(FilterError { at: LONG, message: "the filter is longer than 64 KiB".to_owned() });
        }
        let mut lexer = Lexer::new(text);
        let mut program = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        loop {
            // A test is due.
            let (at, token) = lexer.next()?;
            match token {
                Token::Not => {
                    open.push(Open::Not);
                    continue;
                }
                Token::OpenParen => {
                    open.push(Open::Paren(at));
                    continue;
                }
                Token::Word(name) => program.push(Step::Test(test(&mut lexer, at, name, now)?)),
                Token::End => return Err(fail(at, "missing comparison, such as key=rsa")),
                _ => return Err(fail(at, "expected a field, ! or (")),
            }
            // Now what joins it to the next one, or ends what is open.
            loop {
                let (at, token) = lexer.next()?;
                match token {
                    Token::And => {
                        close(&mut open, &mut program, Open::And);
                        open.push(Open::And);
                        break;
                    }
                    Token::Or => {
                        close(&mut open, &mut program, Open::Or);
                        open.push(Open::Or);
                        break;
                    }
                    Token::CloseParen => {
                        close(&mut open, &mut program, Open::Or);
                        match open.pop() {
                            Some(Open::Paren(_)) => {}
                            _ => return Err(fail(at, "unmatched )")),
                        }
                    }
                    Token::End => {
                        close(&mut open, &mut program, Open::Or);
                        return match open.pop() {
                            Some(Open::Paren(at)) => Err(fail(at, "unclosed (")),
                            _ => Ok(Self { program }),
                        };
                    }
                    _ => return Err(fail(at, "expected &, | or the end")),
                }
            }
        }
    }
}

/// Completes the operators that bind at least as strongly as `next`, up to an open parenthesis.
fn close(open: &mut Vec<Open>, program: &mut Vec<Step>, next: Open) {
    while let Some(last) = open.last() {
        let step = match (last, next) {
            (Open::Not, _) => Step::Not,
            (Open::And, _) => Step::And,
            (Open::Or, Open::Or) => Step::Or,
            _ => return,
        };
        program.push(step);
        open.pop();
    }
}

#[cold]
fn fail(at: usize, message: impl Into<String>) -> FilterError {
    FilterError { at, message: message.into() }
}

/// Parses a flag, or a field with its comparison.
fn test(lexer: &mut Lexer<'_>, at: usize, name: &str, now: UnixTime) -> Result<Test, FilterError> {
    let spelt = name.replace('-', "_");
    let found = FIELDS.iter().find(|(known, _)| spelt.eq_ignore_ascii_case(known));
    let Some((_, field)) = found else { return Err(fail(at, unknown(name))) };
    if let Field::Flag(flag) = field {
        return Ok(Test::Flag(*flag));
    }
    let (at, token) = lexer.next()?;
    let Token::Operator(operator) = token else {
        return Err(fail(at, format!("expected = != < <= > >= ~ or !~ after {name}")));
    };
    let (value_at, token) = lexer.value()?;
    let (Token::Word(value) | Token::Quoted(value)) = &token else {
        return Err(fail(value_at, "missing value"));
    };
    let value = if matches!(token, Token::Quoted(_)) { lex::unquoted(value) } else { (*value).to_owned() };
    match field {
        Field::Text(field) => {
            let (positive, matches) = match operator {
                "=" => (true, Match::Same(value)),
                "!=" => (false, Match::Same(value)),
                "~" => (true, Match::Has(value.to_lowercase())),
                "!~" => (false, Match::Has(value.to_lowercase())),
                _ => return Err(fail(at, format!("{name} is a text field: use = != ~ or !~"))),
            };
            Ok(Test::Text(*field, positive, matches))
        }
        Field::Number(field) => {
            let number = value.replace('_', "").parse();
            let number =
                number.map_err(|_error| fail(value_at, format!("expected a number, found '{}'", shown(&value))))?;
            Ok(Test::Number(*field, order(operator, at, name)?, number))
        }
        Field::Time(field) => {
            let span = span(&value, now).ok_or_else(|| {
                let examples = "2027, 2027-01, 2027-01-31, 2027-01-31T12:00:00Z, now, +30d or -1y";
                fail(value_at, format!("'{}' is not a time: {examples}", shown(&value)))
            })?;
            Ok(Test::Time(*field, order(operator, at, name)?, span))
        }
        Field::Flag(flag) => Ok(Test::Flag(*flag)),
    }
}

fn order(operator: &str, at: usize, name: &str) -> Result<Order, FilterError> {
    Ok(match operator {
        "=" => Order::Equal,
        "!=" => Order::Unequal,
        "<" => Order::Less,
        "<=" => Order::LessOrEqual,
        ">" => Order::Greater,
        ">=" => Order::GreaterOrEqual,
        _ => return Err(fail(at, format!("{name} has = != < <= > and >="))),
    })
}

/// Returns the first and last second of a time.
fn span(text: &str, now: UnixTime) -> Option<(UnixTime, UnixTime)> {
    let at = |time: UnixTime| Some((time, time));
    if text == "now" {
        return at(now);
    }
    if let Some(later) = text.strip_prefix('+') {
        return at(now.checked_add(duration(later)?)?);
    }
    if let Some(earlier) = text.strip_prefix('-') {
        return at(now.checked_sub(duration(earlier)?)?);
    }
    if text.contains('T') {
        return at(moment::instant(text).ok()?);
    }
    moment::period(text)
}

fn unknown(name: &str) -> String {
    let lower = name.to_lowercase();
    let near = FIELDS.iter().map(|(known, _)| (strsim::levenshtein(known, &lower), *known)).min();
    match near {
        Some((distance, near)) if distance <= 2 => {
            format!("unknown field '{}'; did you mean {near}?", shown(name))
        }
        _ => {
            let all: Vec<&str> = FIELDS.iter().map(|(known, _)| *known).collect();
            format!("unknown field '{}', expected one of {}", shown(name), all.join(", "))
        }
    }
}

/// Returns a piece of the filter in printable form.
fn shown(text: &str) -> String {
    text.chars().flat_map(char::escape_debug).take(40).collect()
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for FilterError {}
