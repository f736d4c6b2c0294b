//! Formats events as text.

use core::fmt::Write;

use alloc::string::String;

use tagwise_codec::{Class, Fault, FaultKind, Tag};

use crate::Options;
use crate::header::{Identifier, Length};
use crate::leaf::{self, Literals};
use crate::quote;
use crate::scan::{Element, EndForm, Event, Why};

/// The number of bytes per line of hexadecimal.
const LINE: usize = 32;

pub(crate) fn write(octets: &[u8], events: &[Event], options: &Options) -> Result<String, Fault> {
    let mut writer = Writer { octets, options, out: String::new(), level: 0, braces: alloc::vec::Vec::new() };
    let mut events = events.iter().peekable();
    while let Some(event) = events.next() {
        match event {
            Event::Open(element, form) => {
                let empty = events.next_if_eq(&&Event::Close).is_some();
                writer.room(*element)?;
                writer.open(*element, *form, empty);
            }
            Event::Close => writer.close(),
            Event::Leaf(element, why) => {
                writer.room(*element)?;
                writer.leaf(*element, *why);
            }
            Event::Raw(start, end, why) => {
                writer.room(Element { start: *start, length: *start, content: *start, end: *end })?;
                writer.raw(*start, *end, *why);
            }
        }
        if writer.out.len() as u64 > options.budget.output {
            return Err(Fault::new(FaultKind::OutputExceeded, 0));
        }
    }
    Ok(writer.out)
}

struct Writer<'a> {
    octets: &'a [u8],
    options: &'a Options,
    out: String,
    level: usize,
    /// The open elements. `true` for those with a closing brace.
    braces: alloc::vec::Vec<bool>,
}

impl Writer<'_> {
    /// Returns an error if the element's bytes alone exceed the remaining output budget.
    fn room(&self, element: Element) -> Result<(), Fault> {
        let least = self.out.len() as u64 + u64::from(element.content - element.start);
        if least > self.options.budget.output {
            return Err(Fault::new(FaultKind::OutputExceeded, element.start as usize));
        }
        Ok(())
    }

    fn part(&self, start: u32, end: u32) -> &[u8] {
        self.octets.get(start as usize..end as usize).unwrap_or_default()
    }

    fn indent(&mut self) {
        for _ in 0..self.level {
            self.out.push_str("  ");
        }
    }

    /// Ends the line, with the comment that `say` writes, if any.
    fn end_line(&mut self, say: impl FnOnce(&Self, &mut String)) {
        if self.options.comments {
            let mut comment = String::new();
            say(self, &mut comment);
            if !comment.is_empty() {
                self.out.push_str("  # ");
                self.out.push_str(&comment);
            }
        }
        self.out.push('\n');
    }

    /// Writes the identifier.
    fn identifier(&mut self, element: Element) -> Option<Tag> {
        self.indent();
        let octets = self.octets.get(element.start as usize..element.length as usize).unwrap_or_default();
        let identifier = Identifier::read(octets)?;
        identifier.write(octets, &mut self.out);
        self.out.push(' ');
        identifier.tag
    }

    /// Writes the form of a length before its brace.
    fn length(&mut self, element: Element) {
        match Length::read(self.part(element.length, element.content)) {
            Some(Length::Definite { minimal: false, more, .. }) => {
                let _ = write!(self.out, "long-form:{more} ");
            }
            Some(Length::Indefinite) => self.out.push_str("indefinite "),
            _ => {}
        }
    }

    /// Writes length bytes that are not represented by a brace.
    fn bare_length(&mut self, element: Element) {
        quote::hex(
            self.octets.get(element.length as usize..element.content as usize).unwrap_or_default(),
            &mut self.out,
        );
    }

    fn open(&mut self, element: Element, form: EndForm, empty: bool) {
        let tag = self.identifier(element);
        let name = tag.filter(|tag| tag.class() == Class::Universal).and_then(|tag| leaf::unwritten(tag.number()));
        let braced = matches!(form, EndForm::Definite | EndForm::Indefinite);
        if braced {
            self.length(element);
            self.out.push_str(if empty { "{}" } else { "{" });
            self.end_line(|_, comment| comment.push_str(name.unwrap_or_default()));
        } else {
            self.bare_length(element);
            self.end_line(|writer, comment| match form {
                EndForm::Overrun => writer.overrun(element, comment),
                _ => comment.push_str("missing end-of-contents octets"),
            });
        }
        if empty {
            return;
        }
        self.level += 1;
        self.braces.push(braced);
        if tag == Some(Tag::BIT_STRING) {
            self.indent();
            self.out.push_str("`00`\n");
        }
    }

    fn close(&mut self) {
        self.level = self.level.saturating_sub(1);
        if self.braces.pop() == Some(true) {
            self.indent();
            self.out.push_str("}\n");
        }
    }

    fn overrun(&self, element: Element, comment: &mut String) {
        if let Some(Length::Definite { content, .. }) = Length::read(self.part(element.length, element.content)) {
            let _ = write!(comment, "the length is {content}, but only {} bytes remain", element.end - element.content);
        }
    }

    fn leaf(&mut self, element: Element, why: Why) {
        let tag = self.identifier(element);
        let braced = why != Why::Overrun;
        if braced {
            self.length(element);
        } else {
            self.bare_length(element);
        }
        let content = self.octets.get(element.content as usize..element.end as usize).unwrap_or_default();
        let before = self.out.len();
        self.out.push_str(if braced { "{ " } else { " " });
        // What was cut off may not be what it looks like.
        let known = tag.filter(|_| braced || content.is_empty());
        match leaf::literals(known, content, &mut self.out) {
            Literals::None => {
                self.out.truncate(before);
                self.out.push_str(if braced { "{}" } else { "" });
                self.end_line(|writer, comment| writer.comment(element, tag, content, why, comment));
            }
            Literals::Line => {
                self.out.push_str(if braced { " }" } else { "" });
                self.end_line(|writer, comment| writer.comment(element, tag, content, why, comment));
            }
            Literals::Block { first } => {
                self.out.truncate(before);
                self.out.push_str(if braced { "{" } else { "" });
                self.end_line(|writer, comment| writer.comment(element, tag, content, why, comment));
                self.level += 1;
                let (head, rest) = content.split_at_checked(usize::from(first)).unwrap_or_default();
                if first {
                    self.lines(head);
                }
                self.lines(rest);
                self.level -= 1;
                if braced {
                    self.indent();
                    self.out.push_str("}\n");
                }
            }
        }
    }

    fn comment(&self, element: Element, tag: Option<Tag>, content: &[u8], why: Why, comment: &mut String) {
        match why {
            Why::Overrun => self.overrun(element, comment),
            Why::TooDeep => comment.push_str(text(why)),
            _ => leaf::comment(tag, content, self.options, comment),
        }
    }

    /// Writes lines of hexadecimal.
    fn lines(&mut self, octets: &[u8]) {
        for line in octets.chunks(LINE) {
            self.indent();
            quote::hex(line, &mut self.out);
            self.out.push('\n');
        }
    }

    fn raw(&mut self, start: u32, end: u32, why: Why) {
        let octets = self.octets.get(start as usize..end as usize).unwrap_or_default();
        if self.options.comments {
            self.indent();
            let _ = writeln!(self.out, "# not an element: {}", text(why));
        }
        let before = self.out.len();
        self.indent();
        match leaf::untyped(octets, &mut self.out) {
            Literals::Line => self.out.push('\n'),
            _ => {
                self.out.truncate(before);
                self.lines(octets);
            }
        }
    }
}

const fn text(why: Why) -> &'static str {
    match why {
        Why::Usual => "",
        Why::TooDeep => "the nesting exceeds the depth limit",
        Why::Truncated => "truncated identifier or length",
        Why::Reserved => "the length byte ff is reserved",
        Why::Primitive => "a primitive element cannot have an indefinite length",
        Why::Overrun => "the length exceeds the remaining input",
    }
}
