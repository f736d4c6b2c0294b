//! Checks PATTERN expressions (X.680 Annex A): whether they are valid, and whether they can be enforced. The codec
//! implements the matching.

/// The maximum number of steps for checking a value against an expression. Repetitions are expanded.
const MAX_STEPS: u64 = 2048;
/// The maximum nesting of groups for checking a value.
const MAX_GROUPS: usize = 31;

/// The names of the known characters: the control characters (X.680 §43.2).
const CONTROLS: [&str; 33] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr", "so", "si", "dle",
    "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1", "del",
];

/// Checks an expression. If it is valid but cannot be enforced, returns the reason.
///
/// # Errors
/// Returns the reason that the expression is invalid.
pub(crate) fn check(text: &str) -> Result<Option<String>, &'static str> {
    let mut check = Check { rest: text, steps: 0, most: 0, atom: None, is_named: false };
    let deepest = check.run()?;
    Ok(if check.is_named {
        Some("it names an unknown character".to_owned())
    } else if check.most > MAX_STEPS {
        Some(format!("it requires {} steps; the limit is {MAX_STEPS}", check.most))
    } else if deepest > MAX_GROUPS {
        Some(format!("its groups are nested {deepest} levels deep; the limit is {MAX_GROUPS}"))
    } else {
        None
    })
}

struct Check<'t> {
    rest: &'t str,
    /// The current number of steps. `most` is the maximum so far.
    steps: u64,
    most: u64,
    /// The start of the part that a quantifier would repeat.
    atom: Option<u64>,
    /// True if an unknown character is named.
    is_named: bool,
}

/// An open group: its start, and whether it has alternatives.
struct Group {
    start: u64,
    several: bool,
}

const OPEN: &str = "unterminated character class";
const STRAY: &str = "unescaped special character; write `\\` before it";
const COUNT: &str = "expected a digit, or a range in parentheses, after `#`";

impl Check<'_> {
    /// Checks the whole expression, and returns the nesting depth of its groups.
    fn run(&mut self) -> Result<usize, &'static str> {
        let mut groups = vec![Group { start: 0, several: false }];
        let mut deepest = 0;
        while let Some(next) = self.peek() {
            match next {
                '|' => {
                    self.bump();
                    self.end_alternatives(&groups);
                    if let Some(group) = groups.last_mut() {
                        group.several = true;
                    }
                    self.atom = None;
                }
                '(' => {
                    self.bump();
                    deepest = deepest.max(groups.len());
                    groups.push(Group { start: self.steps, several: false });
                    self.atom = None;
                }
                ')' => {
                    self.bump();
                    if groups.len() < 2 {
                        return Err("no open group to close");
                    }
                    self.end_alternatives(&groups);
                    self.atom = groups.pop().map(|group| group.start);
                }
                '*' | '+' | '?' | '#' => {
                    let Some(atom) = self.atom else { return Err("nothing to repeat") };
                    self.bump();
                    let (least, most) = match next {
                        '*' => (0, None),
                        '+' => (1, None),
                        '?' => (0, Some(1)),
                        _ => self.count()?,
                    };
                    self.repeat(atom, least, most);
                }
                ']' | '}' => return Err(STRAY),
                '[' => {
                    self.atom = Some(self.steps);
                    self.set()?;
                }
                '.' => {
                    self.bump();
                    self.atom = Some(self.steps);
                    self.add(2);
                }
                _ if self.rest.starts_with("\\b") => {
                    self.rest = self.rest.get(2..).unwrap_or_default();
                    self.atom = None;
                    self.add(1);
                }
                _ => {
                    self.atom = Some(self.steps);
                    if let Character::Class(ranges) = self.character()? {
                        // Several ranges make a set, with a step of its own.
                        self.add(ranges + u64::from(ranges > 1));
                    } else {
                        self.add(1);
                    }
                }
            }
        }
        if groups.len() > 1 {
            return Err("unterminated group");
        }
        self.end_alternatives(&groups);
        Ok(deepest)
    }

    fn add(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
        self.most = self.most.max(self.steps);
    }

    /// Counts the steps for an alternative after another one: two for skipping and entering it.
    fn end_alternatives(&mut self, groups: &[Group]) {
        if groups.last().is_some_and(|group| group.several) {
            self.add(2);
        }
    }

    /// Counts the steps from a position on as often as they are repeated.
    fn repeat(&mut self, atom: u64, least: u64, most: Option<u64>) {
        let size = self.steps.saturating_sub(atom);
        if size == 0 {
            self.atom = self.atom.filter(|_| most != Some(0));
            return;
        }
        self.add(size.saturating_mul(least.saturating_sub(1)));
        match most {
            None => self.add(if least == 0 { 2 } else { 1 }),
            // What never comes cannot be repeated.
            Some(0) => (self.steps, self.atom) = (atom, None),
            // Each copy that need not come has a step before it; the first is there already.
            Some(most) => {
                let optional = most.saturating_sub(least);
                let copies = size.saturating_add(1).saturating_mul(optional);
                self.add(if least == 0 { copies.saturating_sub(size) } else { copies });
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn eat(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Parses one character, or a class of several. A named character whose code point is unknown is represented by `\0`.
    fn character(&mut self) -> Result<Character, &'static str> {
        match self.bump().ok_or(STRAY)? {
            '{' => self.quadruple().map(Character::One).ok_or("expected four numbers in braces"),
            '\\' => match self.bump().ok_or(STRAY)? {
                'N' => {
                    let name = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                    let (name, rest) =
                        name.filter(|(name, _)| !name.is_empty()).ok_or("expected a name in braces after `\\N`")?;
                    self.rest = rest;
                    self.is_named |= !CONTROLS.contains(&name);
                    Ok(Character::One('\0'))
                }
                'd' | 'n' => Ok(Character::Class(1)),
                'w' | 's' => Ok(Character::Class(3)),
                't' => Ok(Character::One('\t')),
                'r' => Ok(Character::One('\r')),
                other => Ok(Character::One(other)),
            },
            other => Ok(Character::One(other)),
        }
    }

    /// Parses the rest of `{group,plane,row,cell}`, after the brace. Surrogates are not characters but occupy positions.
    fn quadruple(&mut self) -> Option<char> {
        let mut point = 0_u32;
        for index in 0..4 {
            point = point << 8 | self.number().filter(|number| *number <= 255)?;
            if !self.eat(if index < 3 { ',' } else { '}' }) {
                return None;
            }
        }
        Some(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        if number.is_empty() { None } else { Some(number.parse().unwrap_or(u32::MAX)) }
    }

    fn set(&mut self) -> Result<(), &'static str> {
        self.bump();
        self.eat('^');
        self.add(1);
        let mut is_empty = true;
        loop {
            match self.peek() {
                None => return Err(OPEN),
                Some(']') => {
                    self.bump();
                    return if is_empty { Err("empty character class") } else { Ok(()) };
                }
                Some(_) => {}
            }
            is_empty = false;
            let low = match self.character()? {
                Character::One(low) => low,
                Character::Class(ranges) => {
                    self.add(ranges);
                    continue;
                }
            };
            self.add(1);
            // A hyphen that ends the set is one.
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.bump();
                if self.rest.is_empty() {
                    return Err(OPEN);
                }
                // Of a character by its name nobody knows the place.
                match self.character()? {
                    Character::One(high) if high >= low || high == '\0' => {}
                    _ => return Err("the character range is reversed"),
                }
            }
        }
    }

    /// Parses the count after `#`: the minimum and the maximum number of repetitions.
    fn count(&mut self) -> Result<(u64, Option<u64>), &'static str> {
        if !self.eat('(') {
            let digit = self.bump().and_then(|digit| digit.to_digit(10)).ok_or(COUNT)?;
            return Ok((digit.into(), Some(digit.into())));
        }
        let least = self.number().map(u64::from);
        let is_range = self.eat(',');
        let most = if is_range { self.number().map(u64::from) } else { least };
        if !self.eat(')') || (least, most) == (None, None) || most.is_some_and(|most| most < least.unwrap_or(0)) {
            return Err(COUNT);
        }
        Ok((least.unwrap_or(0), most))
    }
}

/// A part that matches one character.
enum Character {
    One(char),
    /// A character class, with the number of its ranges.
    Class(u64),
}

#[cfg(test)]
mod tests {
    use super::check;

    fn wrong(text: &str) -> Option<&'static str> {
        check(text).err()
    }

    #[test]
    fn what_cannot_be_held() {
        for (text, why) in [
            ("a#2000", None),
            ("a#(2048)", None),
            ("a#(2049)", Some("it requires 2049 steps; the limit is 2048")),
            (r"(\w#(20))#(30)", Some("it requires 2400 steps; the limit is 2048")),
            (r"\N{esc}", None),
            (r"\N{BasicGreek}", Some("it names an unknown character")),
        ] {
            assert_eq!(check(text).unwrap().as_deref(), why, "{text}");
        }
    }

    #[test]
    fn what_annex_a_has() {
        for text in [
            "",
            "a*b+c?",
            "a#3#(2)#(2,)#(,4)#(1,2)",
            "(a|b|)(c)",
            r"\d\w\t\r\n\s\b\*\N{esc}",
            "[a-z_-]",
            "[^a]",
            "{0,0,1,65}",
            "[{0,0,0,65}-Z]",
            ".",
            r"[\]\-]",
            "()*",
            "a**",
        ] {
            assert_eq!(wrong(text), None, "{text}");
        }
        for text in [
            "[",
            "[]",
            "[^]",
            "[a",
            "[z-a]",
            "[a-",
            "(",
            ")",
            "*",
            "(*)",
            "|+",
            r"\b?",
            "a#",
            "a#x",
            "a#(",
            "a#()",
            "a#(,)",
            "a#(2,1)",
            "{",
            "{0,0,0}",
            "{0,0,0,256}",
            "{0,0,0,1",
            "]",
            "}",
            "\\",
            "\\N",
            "\\N{",
            "\\N{}",
            "a#0*",
            r"[\d-x",
        ] {
            assert!(wrong(text).is_some(), "{text}");
        }
    }
}
