//! The JSON of entries of certificate transparency logs (RFC 8259): the objects with an entry's members, however they are nested.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memmem};

/// The deepest nesting that is read.
const DEPTH: usize = 128;

/// A member of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Member<'t> {
    /// There is no such member.
    #[default]
    Missing,
    /// A string, without escapes.
    Text(Cow<'t, [u8]>),
    /// A value that is not a string.
    Other,
    /// Several members with the name.
    Duplicate,
}

/// An object with a member of an entry, or an element of the array `entries`.
#[derive(Debug)]
pub(crate) struct Entry<'t> {
    pub(crate) start: usize,
    pub(crate) line: u32,
    pub(crate) leaf: Member<'t>,
    pub(crate) extra: Member<'t>,
}

/// A part that is not JSON, with its position.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) start: usize,
    pub(crate) line: u32,
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
}

/// The reasons why a part is not JSON, or is not read.
enum Reason {
    Truncated,
    Malformed,
    TooDeep,
}

/// The name of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Leaf,
    Extra,
    Entries,
    Other,
}

/// The next element in an object or array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The first member or element, or the end.
    First,
    /// A member or an element.
    Another,
    /// The value of a member.
    Value,
    /// A comma or the end.
    Comma,
}

/// An object or array whose end is not yet read.
struct Open<'t> {
    entry: Entry<'t>,
    is_object: bool,
    /// True for the array `entries`. Its elements are entries.
    is_list: bool,
    /// True for an element of such an array.
    is_element: bool,
    /// The name of the current member.
    name: Name,
    next: Next,
}

impl Open<'_> {
    fn is_entry(&self) -> bool {
        self.is_element || self.entry.leaf != Member::Missing || self.entry.extra != Member::Missing
    }
}

/// The entries of a text with one or more JSON values. After a malformed value, it continues with the next line that begins with
/// an object.
pub(crate) struct Entries<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
    open: Vec<Open<'t>>,
}

impl<'t> Entries<'t> {
    pub(crate) fn new(text: &'t [u8], line: u32) -> Self {
        let at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { text, at, line, open: Vec::new() }
    }

    /// Moves to a position, and counts the lines up to it.
    fn go(&mut self, to: usize) {
        let between = self.text.get(self.at..to).unwrap_or_default();
        self.line = self.line.saturating_add(memchr_iter(b'\n', between).count() as u32);
        self.at = to;
    }

    /// Moves over white space, and returns the byte that follows.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
        self.go(self.at + blanks);
        self.text.get(self.at).copied()
    }

    /// Reads the string that begins at the position, without its quotation marks.
    fn string(&mut self) -> Result<&'t [u8], Reason> {
        let end = string_end(self.text, self.at + 1).ok_or(Reason::Truncated)?;
        let raw = self.text.get(self.at + 1..end).unwrap_or_default();
        // Control characters must be escaped (RFC 8259 §7).
        if raw.iter().any(|byte| *byte < b' ') {
            return Err(Reason::Malformed);
        }
        self.at = end + 1;
        Ok(raw)
    }

    /// Returns an entry without members at the position.
    const fn entry(&self) -> Entry<'t> {
        Entry { start: self.at, line: self.line, leaf: Member::Missing, extra: Member::Missing }
    }

    /// Notes a value in the innermost object or array: the content of a string, or `None` for other values.
    /// Returns whether it is an element of `entries`.
    fn note(&mut self, raw: Option<&'t [u8]>) -> Result<bool, Reason> {
        let Some(open) = self.open.last_mut() else { return Ok(false) };
        let is_next = match open.next {
            Next::First | Next::Another => !open.is_object,
            Next::Value => true,
            Next::Comma => false,
        };
        if !is_next {
            return Err(Reason::Malformed);
        }
        open.next = Next::Comma;
        let member = match open.name {
            Name::Leaf => &mut open.entry.leaf,
            Name::Extra => &mut open.entry.extra,
            Name::Entries | Name::Other => return Ok(open.is_list),
        };
        *member = match (&*member, raw) {
            (Member::Missing, Some(raw)) => Member::Text(unescaped(raw).ok_or(Reason::Malformed)?),
            (Member::Missing, None) => Member::Other,
            _ => Member::Duplicate,
        };
        Ok(false)
    }

    /// Reads the name of a member and the colon.
    fn name(&mut self) -> Result<(), Reason> {
        let start = (self.at, self.line);
        let name = unescaped(self.string()?).ok_or(Reason::Malformed)?;
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => {
                (self.at, self.line) = start;
                return Err(Reason::Malformed);
            }
            None => return Err(Reason::Truncated),
        }
        if let Some(open) = self.open.last_mut() {
            open.next = Next::Value;
            open.name = match &*name {
                b"leaf_input" => Name::Leaf,
                b"extra_data" => Name::Extra,
                b"entries" => Name::Entries,
                _ => Name::Other,
            };
        }
        Ok(())
    }

    /// Reads a token that begins with a byte. Returns an entry at its end.
    fn token(&mut self, byte: u8) -> Result<Option<Entry<'t>>, Reason> {
        match byte {
            b'{' | b'[' => {
                if self.open.len() >= DEPTH {
                    return Err(Reason::TooDeep);
                }
                let is_object = byte == b'{';
                let is_list = !is_object && self.open.last().is_some_and(|open| open.name == Name::Entries);
                let is_element = self.note(None)?;
                let entry = self.entry();
                self.open.push(Open { entry, is_object, is_list, is_element, name: Name::Other, next: Next::First });
                self.at += 1;
                Ok(None)
            }
            b'}' | b']' => {
                let is_end = |open: &&mut Open<'_>| {
                    open.is_object == (byte == b'}') && matches!(open.next, Next::First | Next::Comma)
                };
                if self.open.last_mut().filter(is_end).is_none() {
                    return Err(Reason::Malformed);
                }
                self.at += 1;
                Ok(self.open.pop().filter(Open::is_entry).map(|open| open.entry))
            }
            b',' => {
                let open = self.open.last_mut().filter(|open| open.next == Next::Comma).ok_or(Reason::Malformed)?;
                open.next = Next::Another;
                self.at += 1;
                Ok(None)
            }
            b'"' => {
                let is_name = |open: &Open<'_>| open.is_object && matches!(open.next, Next::First | Next::Another);
                if self.open.last().is_some_and(is_name) {
                    return self.name().map(|()| None);
                }
                let entry = self.entry();
                let raw = self.string()?;
                Ok(self.note(Some(raw))?.then_some(entry))
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let entry = self.entry();
                let is_element = self.note(None)?;
                let rest = self.text.get(self.at..).unwrap_or_default();
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                self.at += rest.iter().take_while(is_part).count();
                Ok(is_element.then_some(entry))
            }
            _ => Err(Reason::Malformed),
        }
    }

    /// Reports a part, and moves to the next line that begins with an object.
    fn broken(&mut self, reason: &Reason) -> Broken {
        let innermost = self.open.iter().rfind(|open| open.is_entry()).map(|open| &open.entry);
        let is_entry = innermost.is_some();
        let innermost = match reason {
            Reason::Truncated => innermost.or_else(|| self.open.last().map(|open| &open.entry)),
            Reason::Malformed | Reason::TooDeep => innermost,
        };
        let (start, line) = innermost.map_or((self.at, self.line), |entry| (entry.start, entry.line));
        let (code, message) = match reason {
            Reason::Truncated if is_entry => ("truncated", "truncated JSON: an entry of a CT log has no end"),
            Reason::Truncated => ("truncated", "truncated JSON: the entries of a CT log have no end"),
            Reason::Malformed if is_entry => ("ct", "malformed JSON in an entry of a CT log"),
            Reason::Malformed => ("ct", "malformed JSON between the entries of a CT log"),
            Reason::TooDeep => ("nesting-exceeded", "the nesting of the JSON of a CT log exceeds the limit"),
        };
        self.open.clear();
        // The line may begin at the position.
        let from = self.at.saturating_sub(1);
        let next = memmem::find(self.text.get(from..).unwrap_or_default(), b"\n{");
        match next {
            Some(step) if !matches!(reason, Reason::Truncated) => self.go(from + step + 1),
            _ => self.at = self.text.len(),
        }
        Broken { start, line, code, message }
    }
}

impl<'t> Iterator for Entries<'t> {
    type Item = Result<Entry<'t>, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let step = match self.peek() {
                Some(byte) => self.token(byte),
                None if self.open.is_empty() => return None,
                None => Err(Reason::Truncated),
            };
            match step {
                Ok(None) => {}
                Ok(Some(entry)) => return Some(Ok(entry)),
                Err(reason) => return Some(Err(self.broken(&reason))),
            }
        }
    }
}

/// Returns the position of the quotation mark that ends a string.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        end += memchr2(b'"', b'\\', text.get(end..)?)?;
        if text.get(end) == Some(&b'"') {
            return Some(end);
        }
        end += 2;
    }
}

/// Returns whether a text contains a string, in which characters may be escaped.
pub(crate) fn contains(text: &[u8], string: &[u8]) -> bool {
    let mut at = 0;
    while let Some(quote) = memchr(b'"', text.get(at..).unwrap_or_default()) {
        let start = at + quote + 1;
        let Some(end) = string_end(text, start) else { return false };
        if text.get(start..end).and_then(unescaped).is_some_and(|found| *found == *string) {
            return true;
        }
        at = end + 1;
    }
    false
}

/// Returns a string without escapes (RFC 8259 §7), or `None` if one is malformed. Characters outside of ASCII, which no name and
/// no base64 has, become a byte FF.
fn unescaped(raw: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr(b'\\', raw).is_none() {
        return Some(Cow::Borrowed(raw));
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            out.push(*first);
            continue;
        }
        let (escape, after) = rest.split_first()?;
        rest = after;
        out.push(match escape {
            b'"' | b'\\' | b'/' => *escape,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (digits, after) = rest.split_at_checked(4)?;
                rest = after;
                let digit = |number: u32, digit: &u8| Some((number << 4) | char::from(*digit).to_digit(16)?);
                let number = digits.iter().try_fold(0, digit)?;
                u8::try_from(number).ok().filter(u8::is_ascii).unwrap_or(0xFF)
            }
            _ => return None,
        });
    }
    Some(Cow::Owned(out))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    /// The members of entries in quotation marks, and the codes of malformed parts, with their offsets.
    fn found(text: &str) -> Vec<(usize, String)> {
        let shown = |member: Member<'_>| match member {
            Member::Missing => "missing".to_owned(),
            Member::Text(text) => format!("{:?}", String::from_utf8_lossy(&text)),
            Member::Other => "other".to_owned(),
            Member::Duplicate => "duplicate".to_owned(),
        };
        let entries = Entries::new(text.as_bytes(), 1).map(|entry| match entry {
            Ok(entry) => (entry.start, format!("{} {}", shown(entry.leaf), shown(entry.extra))),
            Err(broken) => (broken.start, broken.code.to_owned()),
        });
        entries.collect()
    }

    fn one(text: &str) -> (usize, String) {
        let mut found = found(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.pop().unwrap()
    }

    #[test]
    fn members_are_found_beside_any_others() {
        for (text, start, members) in [
            (r#"{"leaf_input":"A","extra_data":"B"}"#, 0, r#""A" "B""#),
            (r#" {"leaf_input":"A","extra_data":"B","meta":{"a":1}}"#, 1, r#""A" "B""#),
            (r#"{"meta":[{"a":{}}, -1.5e+3],"leaf_input":"A","extra_data":"B"}"#, 0, r#""A" "B""#),
            (r#"{"leaf\u005Finput" : "\u0041\/\u002b\u003D"}"#, 0, r#""A/+=" missing"#),
            ("\u{FEFF}{\"leaf_input\":\"A\"}", 3, r#""A" missing"#),
        ] {
            assert_eq!(one(text), (start, members.to_owned()), "{text}");
        }
    }

    #[test]
    fn no_element_of_entries_is_dropped() {
        for (entry, members) in [
            (r#"{"leaf_input":null,"extra_data":"B"}"#, r#"other "B""#),
            (r#"{"leaf_input":["A"],"extra_data":"B"}"#, r#"other "B""#),
            (r#"{"leaf_input":{"leaf_inputs":"A"},"extra_data":"B"}"#, r#"other "B""#),
            (r#"{"extra_data":"B"}"#, r#"missing "B""#),
            (r#"{"leaf_input":"A","leaf_input":"C"}"#, "duplicate missing"),
            (r#"{"leaf_input":null,"leaf_input":"C"}"#, "duplicate missing"),
            ("{}", "missing missing"),
            ("[]", "missing missing"),
            ("null", "missing missing"),
            ("\"A\"", "missing missing"),
        ] {
            let text = format!(r#"{{"entries":[{{"leaf_input":"A"}},{entry}]}}"#);
            assert_eq!(found(&text), [(12, r#""A" missing"#.to_owned()), (31, members.to_owned())], "{text}");
        }
        assert_eq!(found(r#"{"entries":[],"others":[{},1]}"#), []);
    }

    #[test]
    fn every_cut_text_is_reported() {
        let text =
            r#"{"entries":[{"leaf_input":"A","extra_data":"B"},{"leaf_input":"A\u0041","extra_data":""}], "a": 1}"#;
        assert_eq!(found(text).len(), 2);
        for len in 1..text.len() {
            let (start, code) = found(text.get(..len).unwrap()).pop().unwrap();
            assert_eq!(code, "truncated", "{len}");
            assert!(start <= 48);
        }
    }

    #[test]
    fn malformed_json_is_reported_and_the_next_line_is_read() {
        for (line, start) in [
            (r#"{"leaf_input":"A"]"#, 0),
            (r#"{"leaf_input":"A" "extra_data":"B"}"#, 0),
            (r#"{"leaf_input":"A",}"#, 0),
            (r#"{"leaf_input":"\x41"}"#, 20),
            (r#"{"leaf_input":"A"#, 14),
            (r#"{"leaf_input":"A""#, 0),
            (r#"{"leaf_input" "A"}"#, 1),
            ("}", 0),
            ("{'leaf_input':'A'}", 1),
        ] {
            let text = format!("{line}\n{{\"leaf_input\":\"C\"}}");
            let expected = [(start, "ct".to_owned()), (line.len() + 1, r#""C" missing"#.to_owned())];
            assert_eq!(found(&text), expected, "{text}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(found(&nested(DEPTH)), []);
        assert_eq!(one(&nested(DEPTH + 1)), (DEPTH, "nesting-exceeded".to_owned()));
        assert_eq!(found(&"{\"a\":".repeat(100_000)), [(5 * DEPTH, "nesting-exceeded".to_owned())]);
    }

    #[test]
    fn strings_are_found_by_their_meaning() {
        assert!(contains(br#"{"a\"": "leaf\u005finput"}"#, b"leaf_input"));
        assert!(!contains(br#"{"a": "\\leaf_input", "leaf\u00dfinput": "\uD83D\uDE00", "leaf_input"#, b"leaf_input"));
    }
}
