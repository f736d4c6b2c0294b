//! Compiles a regular expression to a program, without recursion. It runs in constant evaluation, so an invalid
//! expression in a derive is a compile-time error.
//!
//! Each part of a program is self-contained. Repetition and alternation insert a step before a part, and leave the
//! part's relative jumps unchanged.

use super::{MAX_STEPS, PatternError, PatternFlaw, Step};

/// The maximum nesting depth of groups.
const GROUPS: usize = 32;

/// The maximum count after `#`. A program cannot have more steps.
const MAX_COUNT: u32 = MAX_STEPS as u32;

/// Checks an expression, and counts its program's steps.
///
/// # Errors
/// Returns the first error in the expression and its position.
///
/// ```
/// use tagwise_codec::pattern::{self, PatternFlaw};
/// const LEN: usize = match pattern::check("[A-Z]#2") {
///     Ok(len) => len,
///     Err(_) => 0,
/// };
/// assert_eq!(LEN, 4);
/// assert_eq!(pattern::check("a)").unwrap_err().flaw, PatternFlaw::GroupUnopened);
/// ```
pub const fn check(text: &str) -> Result<usize, PatternError> {
    let compiled = Compiler::run(text);
    match compiled.flaw {
        None => Ok(compiled.len),
        Some(flaw) => Err(PatternError { offset: compiled.at, flaw }),
    }
}

/// Counts the steps of an expression's program, in derived constants.
///
/// Not for use at run time: call [`Pattern::new`](super::Pattern::new) or [`check`], which report errors. This function
/// turns an invalid expression into a compile-time error, for which constant evaluation requires a panic.
///
/// # Panics
/// Panics if the expression is invalid. In constant evaluation, this is a compile-time error.
#[doc(hidden)]
#[must_use]
pub const fn size(text: &str) -> usize {
    match check(text) {
        Ok(len) => len,
        Err(error) => wrong(error),
    }
}

/// Compiles an expression to its program, in derived constants. `N` is its [`size`].
///
/// # Panics
/// Panics if the expression or `N` is wrong. In constant evaluation, this is a compile-time error.
#[doc(hidden)]
#[must_use]
pub const fn program<const N: usize>(text: &str) -> [Step; N] {
    let compiled = Compiler::run(text);
    if let Some(flaw) = compiled.flaw {
        wrong(PatternError { offset: compiled.at, flaw });
    }
    if compiled.len != N {
        wrong(PatternError { offset: 0, flaw: PatternFlaw::TooLarge });
    }
    let mut steps = [Step::Boundary; N];
    let mut index = 0;
    while index < N {
        let all: &mut [Step] = &mut steps;
        if let (Some(step), Some((_, [slot, ..]))) = (compiled.at(index), all.split_at_mut_checked(index)) {
            *slot = step;
        }
        index += 1;
    }
    steps
}

#[expect(clippy::panic, reason = "constant evaluation: the expression stands in the source")]
const fn wrong(error: PatternError) -> ! {
    panic!("{}", error.flaw.text())
}

/// An open group: the start of its steps, and the start of its last alternative's steps.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    alternative: usize,
    /// True if there are alternatives before the last one.
    several: bool,
    /// The position of the opening parenthesis in the text.
    opened: usize,
}

impl Group {
    const fn at(start: usize, opened: usize) -> Self {
        Self { start, alternative: start, several: false, opened }
    }
}

/// The state of one compilation.
pub(super) struct Compiler<'t> {
    text: &'t [u8],
    at: usize,
    steps: [Step; MAX_STEPS],
    len: usize,
    groups: [Group; GROUPS],
    depth: usize,
    /// The start of the steps that a quantifier would repeat.
    atom: Option<usize>,
    flaw: Option<PatternFlaw>,
}

/// Decodes a code point, and returns it with its size in bytes. Returns `None` at the end.
const fn decode(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let Some((_, rest)) = text.split_at_checked(at) else { return None };
    // The text is UTF-8.
    const fn tail(octet: u8) -> u32 {
        (octet & 0x3F) as u32
    }
    Some(match rest {
        [] => return None,
        [first, ..] if *first < 0x80 => (*first as u32, 1),
        [first, b, ..] if *first < 0xE0 => (((*first & 0x1F) as u32) << 6 | tail(*b), 2),
        [first, b, c, ..] if *first < 0xF0 => (((*first & 0x0F) as u32) << 12 | tail(*b) << 6 | tail(*c), 3),
        [first, b, c, d, ..] => (((*first & 0x07) as u32) << 18 | tail(*b) << 12 | tail(*c) << 6 | tail(*d), 4),
        _ => return None,
    })
}

/// Returns the value of a digit.
const fn digit(point: u32) -> Option<u32> {
    if point >= b'0' as u32 && point <= b'9' as u32 { Some(point - b'0' as u32) } else { None }
}

/// The names of the control characters (X.680 §43.2), from code point 0 on. The last one is code point 127.
const CONTROLS: [&str; 33] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr", "so", "si", "dle",
    "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1", "del",
];

const fn same(left: &[u8], right: &[u8]) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        match (left, right) {
            ([], []) => return true,
            ([one, more @ ..], [other, others @ ..]) if *one == *other => (left, right) = (more, others),
            _ => return false,
        }
    }
}

/// Returns the code point ranges that a character denotes after a backslash. Returns `None` if it denotes itself.
const fn class(letter: u32) -> Option<&'static [(u32, u32)]> {
    const fn of(octet: u8) -> u32 {
        octet as u32
    }
    if letter >= 0x80 {
        return None;
    }
    Some(match letter as u8 {
        b'd' => const { &[(of(b'0'), of(b'9'))] },
        b'w' => const { &[(of(b'0'), of(b'9')), (of(b'A'), of(b'Z')), (of(b'a'), of(b'z'))] },
        b't' => &[(9, 9)],
        b'r' => &[(13, 13)],
        // X.680 §12.1.6.
        b'n' => &[(10, 13)],
        b's' => &[(9, 13), (32, 32), (160, 160)],
        _ => return None,
    })
}

impl<'t> Compiler<'t> {
    /// Compiles an expression to a program, or records the first error in it.
    pub(super) const fn run(text: &'t str) -> Self {
        let mut compiler = Self {
            text: text.as_bytes(),
            at: 0,
            steps: [Step::Boundary; MAX_STEPS],
            len: 0,
            groups: [Group::at(0, 0); GROUPS],
            depth: 0,
            atom: None,
            flaw: None,
        };
        while compiler.flaw.is_none() && compiler.at < compiler.text.len() {
            compiler.next();
        }
        if compiler.flaw.is_none() {
            if compiler.depth > 0 {
                compiler.at = compiler.group().opened;
                compiler.fail(PatternFlaw::GroupOpen);
            } else {
                compiler.end_alternatives();
            }
        }
        compiler
    }

    #[cfg(feature = "alloc")]
    pub(super) fn error(&self) -> Option<PatternError> {
        self.flaw.map(|flaw| PatternError { offset: self.at, flaw })
    }

    #[cfg(feature = "alloc")]
    pub(super) fn steps(&self) -> &[Step] {
        self.steps.get(..self.len).unwrap_or_default()
    }

    const fn at(&self, index: usize) -> Option<Step> {
        match self.steps.as_slice().split_at_checked(index) {
            Some((_, [step, ..])) => Some(*step),
            _ => None,
        }
    }

    const fn put(&mut self, index: usize, step: Step) {
        let steps: &mut [Step] = &mut self.steps;
        if let Some((_, [slot, ..])) = steps.split_at_mut_checked(index) {
            *slot = step;
        }
    }

    const fn fail(&mut self, flaw: PatternFlaw) {
        if self.flaw.is_none() {
            self.flaw = Some(flaw);
        }
    }

    const fn push(&mut self, step: Step) {
        if self.len >= MAX_STEPS {
            self.fail(PatternFlaw::TooLarge);
            return;
        }
        self.put(self.len, step);
        self.len += 1;
    }

    /// Inserts a step before the one at `index`.
    const fn insert(&mut self, index: usize, step: Step) {
        self.push(step);
        if self.flaw.is_some() {
            return;
        }
        let mut to = self.len - 1;
        while to > index {
            if let Some(before) = self.at(to - 1) {
                self.put(to, before);
            }
            to -= 1;
        }
        self.put(index, step);
    }

    const fn group(&self) -> Group {
        match self.groups.as_slice().split_at_checked(self.depth) {
            Some((_, [group, ..])) => *group,
            _ => Group::at(0, 0),
        }
    }

    const fn set_group(&mut self, group: Group) {
        let groups: &mut [Group] = &mut self.groups;
        if let Some((_, [slot, ..])) = groups.split_at_mut_checked(self.depth) {
            *slot = group;
        }
    }

    const fn peek(&self) -> Option<(u32, usize)> {
        decode(self.text, self.at)
    }

    /// Skips a character if it comes next.
    const fn eat(&mut self, octet: u8) -> bool {
        match self.peek() {
            Some((point, len)) if point == octet as u32 => {
                self.at += len;
                true
            }
            _ => false,
        }
    }

    /// Compiles one character, group or quantifier.
    const fn next(&mut self) {
        let Some((point, len)) = self.peek() else {
            self.at = self.text.len();
            return;
        };
        let special = if point < 0x80 { point as u8 } else { 0 };
        match special {
            b'|' => {
                self.at += len;
                self.end_alternatives();
                let group = self.group();
                self.set_group(Group { alternative: self.len, several: true, ..group });
                // What came before is one alternative now, and this may be empty.
                self.atom = None;
            }
            b'(' => {
                let opened = self.at;
                if self.depth + 1 >= GROUPS {
                    self.fail(PatternFlaw::TooLarge);
                    return;
                }
                self.at += len;
                self.depth += 1;
                self.set_group(Group::at(self.len, opened));
                self.atom = None;
            }
            b')' => {
                if self.depth == 0 {
                    self.fail(PatternFlaw::GroupUnopened);
                    return;
                }
                self.at += len;
                self.end_alternatives();
                self.atom = Some(self.group().start);
                self.depth -= 1;
            }
            b'*' | b'+' | b'?' | b'#' => self.quantifier(special),
            b']' | b'}' => self.fail(PatternFlaw::Stray),
            b'[' => {
                self.atom = Some(self.len);
                self.set();
            }
            b'.' => {
                self.at += len;
                self.atom = Some(self.len);
                self.push(Step::Set { len: 1, not: true });
                self.push(Step::One { low: 10, high: 13 });
            }
            b'\\' if matches!(decode(self.text, self.at + 1), Some((0x62, _))) => {
                self.at += 2;
                self.atom = None;
                self.push(Step::Boundary);
            }
            _ => {
                let atom = self.len;
                self.atom = Some(atom);
                if let Some((low, high)) = self.character() {
                    self.push(Step::One { low, high });
                } else if self.flaw.is_none() {
                    // A class: its ranges are there, and become a set.
                    let count = self.len - atom;
                    if count > 1 {
                        self.insert(atom, Step::Set { len: count as u16, not: false });
                    }
                }
            }
        }
    }

    /// Parses one character. For a class, adds its ranges and returns `None`.
    const fn character(&mut self) -> Option<(u32, u32)> {
        let Some((point, len)) = self.peek() else {
            self.fail(PatternFlaw::Stray);
            return None;
        };
        if point == b'{' as u32 {
            return self.quadruple();
        }
        if point != b'\\' as u32 {
            self.at += len;
            return Some((point, point));
        }
        let Some((letter, len)) = decode(self.text, self.at + 1) else {
            self.fail(PatternFlaw::Stray);
            return None;
        };
        if letter == b'N' as u32 {
            return self.name();
        }
        self.at += 1 + len;
        let Some(mut ranges) = class(letter) else { return Some((letter, letter)) };
        while let [(low, high), rest @ ..] = ranges {
            self.push(Step::One { low: *low, high: *high });
            ranges = rest;
        }
        None
    }

    /// Parses `{group,plane,row,cell}`.
    const fn quadruple(&mut self) -> Option<(u32, u32)> {
        let start = self.at;
        let (mut point, mut count) = (0u32, 0);
        self.at += 1;
        while count < 4 {
            let Some(number) = self.number(255) else { break };
            // A group is below 128 (ISO/IEC 10646), so that this fits.
            point = point.wrapping_shl(8) | number;
            count += 1;
            if !self.eat(if count < 4 { b',' } else { b'}' }) {
                break;
            }
            if count == 4 {
                return Some((point, point));
            }
        }
        self.at = start;
        self.fail(PatternFlaw::Quadruple);
        None
    }

    /// Parses a number of at most `max`. Returns `None` if there is no number.
    const fn number(&mut self, max: u32) -> Option<u32> {
        let mut number = None;
        while let Some((point, len)) = self.peek() {
            let Some(value) = digit(point) else { break };
            let so_far = match number {
                Some(number) => number,
                None => 0u32,
            };
            let next = so_far.saturating_mul(10).saturating_add(value);
            if next > max {
                return None;
            }
            number = Some(next);
            self.at += len;
        }
        number
    }

    /// Parses `\N{name}`.
    const fn name(&mut self) -> Option<(u32, u32)> {
        let start = self.at;
        self.at += 2;
        if self.eat(b'{') {
            let Some((_, rest)) = self.text.split_at_checked(self.at) else { return None };
            let mut len = 0;
            while let Some((point, size)) = decode(rest, len) {
                if point == b'}' as u32 {
                    break;
                }
                len += size;
            }
            if let Some((name, [b'}', ..])) = rest.split_at_checked(len) {
                let (mut names, mut point) = (CONTROLS.as_slice(), 0);
                while let [control, others @ ..] = names {
                    if same(control.as_bytes(), name) {
                        self.at += len + 1;
                        let point = if point == 32 { 127 } else { point };
                        return Some((point, point));
                    }
                    names = others;
                    point += 1;
                }
            }
        }
        self.at = start;
        self.fail(PatternFlaw::Name);
        None
    }

    /// Compiles `[…]`. The cursor is on the opening bracket.
    const fn set(&mut self) {
        let (opened, start) = (self.at, self.len);
        self.at += 1;
        let not = self.eat(b'^');
        self.push(Step::Set { len: 0, not });
        loop {
            if self.flaw.is_some() {
                return;
            }
            match self.peek() {
                None => {
                    // The end of the text is where it is missing.
                    self.at = self.text.len();
                    return self.fail(PatternFlaw::SetOpen);
                }
                Some((point, len)) if point == b']' as u32 => {
                    self.at += len;
                    break;
                }
                Some(_) => {}
            }
            let before = self.at;
            let Some((low, _)) = self.character() else { continue };
            let mut high = low;
            // A hyphen that ends the set is one.
            let range =
                matches!(self.peek(), Some((0x2D, _))) && !matches!(decode(self.text, self.at + 1), Some((0x5D, _)));
            if range {
                self.at += 1;
                if self.at >= self.text.len() {
                    return self.fail(PatternFlaw::SetOpen);
                }
                high = match self.character() {
                    Some((high, _)) if high >= low => high,
                    _ => {
                        self.at = before;
                        return self.fail(PatternFlaw::Range);
                    }
                };
            }
            self.push(Step::One { low, high });
        }
        let count = self.len - start - 1;
        if count == 0 {
            self.at = opened;
            return self.fail(PatternFlaw::SetEmpty);
        }
        self.put(start, Step::Set { len: count as u16, not });
    }

    /// Combines the alternatives of the innermost group into one part.
    const fn end_alternatives(&mut self) {
        let Group { start, alternative, several, .. } = self.group();
        if several {
            // Split, the earlier ones, over the last one, the last one.
            let (earlier, last) = (alternative - start, self.len - alternative);
            self.insert(alternative, Step::Jump(last as i16 + 1));
            self.insert(start, Step::Split(earlier as i16 + 2));
        }
    }

    /// Repeats the part before a quantifier.
    const fn quantifier(&mut self, sign: u8) {
        let start = self.at;
        let Some(atom) = self.atom else { return self.fail(PatternFlaw::NothingToRepeat) };
        self.at += 1;
        let (min, max) = match sign {
            b'*' => (0, None),
            b'+' => (1, None),
            b'?' => (0, Some(1)),
            _ => match self.count() {
                Some(count) => count,
                None => {
                    self.at = start;
                    return self.fail(PatternFlaw::Count);
                }
            },
        };
        self.repeat(atom, min, max);
        if self.flaw.is_some() {
            self.at = start;
        }
    }

    /// Parses the count after `#`.
    const fn count(&mut self) -> Option<(u32, Option<u32>)> {
        if !self.eat(b'(') {
            // One digit.
            let Some((point, len)) = self.peek() else { return None };
            let Some(number) = digit(point) else { return None };
            self.at += len;
            return Some((number, Some(number)));
        }
        let least = self.number(MAX_COUNT);
        if !self.eat(b',') {
            let Some(least) = least else { return None };
            return if self.eat(b')') { Some((least, Some(least))) } else { None };
        }
        let most = self.number(MAX_COUNT);
        if !self.eat(b')') {
            return None;
        }
        match (least, most) {
            (None, None) => None,
            (Some(least), Some(most)) if most < least => None,
            (Some(least), most) => Some((least, most)),
            (None, most) => Some((0, most)),
        }
    }

    /// Repeats the part from `atom` to the end.
    const fn repeat(&mut self, atom: usize, min: u32, max: Option<u32>) {
        let size = self.len - atom;
        // What is not written must not be counted either.
        if size == 0 {
            return;
        }
        let mut copies = 1;
        while copies < min {
            self.copy(atom, size);
            copies += 1;
            if self.flaw.is_some() {
                return;
            }
        }
        match max {
            None if min == 0 => {
                self.insert(atom, Step::Split(size as i16 + 2));
                self.push(Step::Jump(-(size as i16) - 1));
            }
            None => self.push(Step::Split(-(size as i16))),
            Some(max) => {
                // Copies that need not come: each may go to the end.
                let optional = max - min;
                let mut left = optional;
                if min == 0 {
                    if max == 0 {
                        self.len = atom;
                        self.atom = None;
                        return;
                    }
                    let total = (size + 1).saturating_mul(optional as usize);
                    if total > MAX_STEPS {
                        return self.fail(PatternFlaw::TooLarge);
                    }
                    self.insert(atom, Step::Split(total as i16));
                    left -= 1;
                }
                let source = if min == 0 { atom + 1 } else { atom };
                while left > 0 {
                    let rest = (size + 1).saturating_mul(left as usize);
                    if rest > MAX_STEPS {
                        return self.fail(PatternFlaw::TooLarge);
                    }
                    self.push(Step::Split(rest as i16));
                    self.copy(source, size);
                    left -= 1;
                    if self.flaw.is_some() {
                        return;
                    }
                }
            }
        }
    }

    /// Appends a copy of `size` steps from `start` on.
    const fn copy(&mut self, start: usize, size: usize) {
        let mut index = start;
        while index < start + size && self.flaw.is_none() {
            if let Some(step) = self.at(index) {
                self.push(step);
            }
            index += 1;
        }
    }
}
