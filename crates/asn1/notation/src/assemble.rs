//! Assembles tokens into bytes: identifiers, lengths and content.
//!
//! Lengths are known only when braces close. Content is therefore collected without them, and joined at the end, so
//! that no byte is moved twice at any depth.

use alloc::vec::Vec;

use tagwise_codec::{Budget, Class, Tag};

use crate::error::{Error, Reason};
use crate::header::minimal_more;
use crate::lex::{Lexer, Token, What};
use crate::{names, number};

/// Converts text to bytes. Errors refer to a line and column of the text.
///
/// ```
/// use tagwise_notation::{Reason, parse};
/// let octets = parse("
///     SEQUENCE indefinite {           # BER
///       [0 PRIMITIVE] { \"Zo\\xeb\" }
///       BIT_STRING { b`101` } OCTET_STRING long-form:2 { `00ff` }
///     }")?;
/// assert_eq!(octets, [
///     0x30, 0x80, 0x80, 3, b'Z', b'o', 0xEB, 0x03, 2, 5, 0xA0, 0x04, 0x82, 0, 2, 0, 0xFF, 0, 0,
/// ]);
/// let error = parse("INTEGER { 5").unwrap_err();
/// assert_eq!((error.reason(), error.line(), error.column()), (Reason::UnclosedBrace, 1, 9));
/// # Ok::<(), tagwise_notation::Error>(())
/// ```
///
/// # Errors
/// Returns the first error in the text, or [`Reason::Output`] above 4 GiB.
pub fn parse(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    parse_within(text, Budget::DEFAULT)
}

/// Converts text to bytes, limited by a budget's output limit. The depth limit is ignored, because braces use no stack and
/// deeply nested encodings are a common use.
///
/// # Errors
/// Returns the same errors as [`parse`].
pub fn parse_within(text: impl AsRef<[u8]>, budget: Budget) -> Result<Vec<u8>, Error> {
    Assembler::new(text.as_ref(), budget).run()
}

/// A length to insert before the output at position `at`.
struct Mark {
    at: usize,
    content: u64,
    form: LengthForm,
}

#[derive(Clone, Copy)]
enum LengthForm {
    Shortest,
    /// The long form, with this number of bytes after the first.
    Long(u8),
    Indefinite,
}

/// An open brace.
struct Brace {
    /// The index of the brace's mark.
    mark: usize,
    /// The size of all output before the brace's content.
    before: u64,
    /// The position of the brace in the text.
    at: usize,
}

struct Assembler<'a> {
    lexer: Lexer<'a>,
    budget: Budget,
    /// The output without lengths.
    out: Vec<u8>,
    marks: Vec<Mark>,
    braces: Vec<Brace>,
    /// The total size of the lengths of closed braces.
    lengths: u64,
}

impl<'a> Assembler<'a> {
    fn new(text: &'a [u8], budget: Budget) -> Self {
        let (out, marks, braces) = (Vec::new(), Vec::new(), Vec::new());
        Self { lexer: Lexer::new(text), budget, out, marks, braces, lengths: 0 }
    }

    fn size(&self) -> u64 {
        self.out.len() as u64 + self.lengths
    }

    fn run(mut self) -> Result<Vec<u8>, Error> {
        while let Some(token) = self.lexer.next(&mut self.out)? {
            self.token(token)?;
            if self.size() > self.budget.output {
                return Err(self.lexer.error_of(Reason::Output, token.at, b""));
            }
        }
        if let Some(brace) = self.braces.last() {
            return Err(self.lexer.error_of(Reason::UnclosedBrace, brace.at, b""));
        }
        Ok(self.join())
    }

    fn token(&mut self, token: Token<'a>) -> Result<(), Error> {
        match token.what {
            What::Literal => Ok(()),
            What::Open => {
                self.open(token.at, LengthForm::Shortest);
                Ok(())
            }
            What::Close => self.close(token.at),
            What::Tag(inside) => self.tag(inside, token.at),
            What::Word(word) => self.word(word, token.at),
        }
    }

    fn word(&mut self, word: &[u8], at: usize) -> Result<(), Error> {
        match word {
            b"TRUE" => self.out.push(0xFF),
            b"FALSE" => self.out.push(0x00),
            b"indefinite" => return self.brace(LengthForm::Indefinite),
            [b'-' | b'0'..=b'9', ..] => {
                number::put(word, &mut self.out).map_err(|reason| self.lexer.error_of(reason, at, word))?;
            }
            _ => {
                if let Some(count) = word.strip_prefix(b"long-form:") {
                    let count = long_form(count).ok_or_else(|| self.lexer.error_of(Reason::LongForm, at, word))?;
                    return self.brace(LengthForm::Long(count));
                }
                let Some(number) = names::number_of(word) else {
                    let is_word = word.iter().all(|octet| octet.is_ascii_graphic());
                    let reason = if is_word { Reason::Word } else { Reason::Token };
                    return Err(self.lexer.error_of(reason, at, word));
                };
                self.identifier(Tag::new(Class::Universal, number, names::is_constructed(number)), None);
            }
        }
        Ok(())
    }

    /// Reads the opening brace, which must come next.
    fn brace(&mut self, form: LengthForm) -> Result<(), Error> {
        let end = self.lexer.position();
        // Nothing of a literal stays if there is one: this ends in an error then.
        match self.lexer.next(&mut self.out)? {
            Some(Token { what: What::Open, at }) => {
                self.open(at, form);
                Ok(())
            }
            Some(token) => Err(self.lexer.error(Reason::Brace, token.at)),
            None => Err(self.lexer.error_of(Reason::Brace, end, b"")),
        }
    }

    fn open(&mut self, at: usize, form: LengthForm) {
        self.braces.push(Brace { mark: self.marks.len(), before: self.size(), at });
        self.marks.push(Mark { at: self.out.len(), content: 0, form });
    }

    fn close(&mut self, at: usize) -> Result<(), Error> {
        let Some(brace) = self.braces.pop() else {
            return Err(self.lexer.error_of(Reason::UnopenedBrace, at, b""));
        };
        let content = self.size() - brace.before;
        let Some(mark) = self.marks.get_mut(brace.mark) else { return Ok(()) };
        mark.content = content;
        let more = match mark.form {
            LengthForm::Shortest => minimal_more(content),
            LengthForm::Indefinite => 0,
            LengthForm::Long(more) => usize::from(more),
        };
        let fits = more >= 8 || content >> (more * 8) == 0;
        if let (LengthForm::Long(_), false) = (mark.form, fits) {
            return Err(self.lexer.error_of(Reason::LongFormTooShort, brace.at, b""));
        }
        if let LengthForm::Indefinite = mark.form {
            self.out.extend_from_slice(&[0, 0]);
        }
        self.lengths += 1 + more as u64;
        Ok(())
    }

    /// Parses `[long-form:N CLASS number FORM]`. Only the number or type name is required.
    fn tag(&mut self, inside: &[u8], at: usize) -> Result<(), Error> {
        let mut words =
            inside.split(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n')).filter(|word| !word.is_empty());
        let wrong = |reason| self.lexer.error_of(reason, at + 1, inside);
        let mut word = words.next().ok_or_else(|| wrong(Reason::Tag))?;
        let mut more = None;
        if let Some(count) = word.strip_prefix(b"long-form:") {
            more = Some(long_form(count).ok_or_else(|| wrong(Reason::LongForm))?);
            word = words.next().ok_or_else(|| wrong(Reason::Tag))?;
        }
        let class = match word {
            b"UNIVERSAL" => Some(Class::Universal),
            b"APPLICATION" => Some(Class::Application),
            b"PRIVATE" => Some(Class::Private),
            _ => None,
        };
        let tag = match names::number_of(word) {
            Some(number) => Tag::new(Class::Universal, number, names::is_constructed(number)),
            None => {
                let digits = if class.is_some() { words.next() } else { Some(word) };
                let number = digits.and_then(tag_number).ok_or_else(|| wrong(Reason::Tag))?;
                Tag::new(class.unwrap_or(Class::Context), number, true)
            }
        };
        let constructed = match words.next() {
            None => tag.is_constructed(),
            Some(b"CONSTRUCTED") => true,
            Some(b"PRIMITIVE") => false,
            Some(_) => return Err(wrong(Reason::Tag)),
        };
        if words.next().is_some() {
            return Err(wrong(Reason::Tag));
        }
        let tag = Tag::new(tag.class(), tag.number(), constructed);
        if more.is_some_and(|more| usize::from(more) < groups(tag.number())) {
            return Err(wrong(Reason::LongFormTooShort));
        }
        self.identifier(tag, more);
        Ok(())
    }

    /// Writes identifier bytes, with the given number of bytes after the first, or with as few as possible (X.690 §8.1.2).
    fn identifier(&mut self, tag: Tag, more: Option<u8>) {
        let more = more.map_or_else(|| tag.encoded_len() - 1, usize::from);
        if more == 0 {
            return self.out.push(tag.first_octet());
        }
        self.out.push(tag.first_octet() | 0x1F);
        for left in (0..more).rev() {
            let group = if left < 5 { (tag.number() >> (left * 7)) as u8 & 0x7F } else { 0 };
            self.out.push(group | if left > 0 { 0x80 } else { 0 });
        }
    }

    /// Inserts the lengths into the output.
    fn join(self) -> Vec<u8> {
        let mut joined = Vec::with_capacity(usize::try_from(self.size()).unwrap_or_default());
        let mut from = 0;
        for mark in &self.marks {
            joined.extend_from_slice(self.out.get(from..mark.at).unwrap_or_default());
            from = mark.at;
            let more = match mark.form {
                LengthForm::Indefinite => {
                    joined.push(0x80);
                    continue;
                }
                LengthForm::Shortest if mark.content < 0x80 => {
                    joined.push(mark.content as u8);
                    continue;
                }
                LengthForm::Shortest => minimal_more(mark.content),
                LengthForm::Long(more) => usize::from(more),
            };
            // At most 126 by the text, and 8 by the content.
            joined.push(0x80 | more as u8);
            for left in (0..more).rev() {
                joined.push(if left < 8 { (mark.content >> (left * 8)) as u8 } else { 0 });
            }
        }
        joined.extend_from_slice(self.out.get(from..).unwrap_or_default());
        joined
    }
}

/// Returns the number of seven-bit groups in a number.
const fn groups(number: u32) -> usize {
    match number {
        0 => 1,
        number => (38 - number.leading_zeros() as usize) / 7,
    }
}

/// Parses the number of bytes after `long-form:`.
fn long_form(digits: &[u8]) -> Option<u8> {
    let count = tag_number(digits)?;
    u8::try_from(count).ok().filter(|count| matches!(count, 1..=126))
}

/// Parses decimal digits, up to `u32::MAX`.
fn tag_number(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    core::str::from_utf8(digits).ok()?.parse().ok()
}
