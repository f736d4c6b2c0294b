//! Regular expressions of PATTERN (X.680 Annex A), as far as they are wrong: what they match is for those who hold values to them.
//!
//! Names of characters (`\N{name}`) are not looked up, and no expression is too large here.

/// What is wrong with an expression.
pub(crate) fn wrong(text: &str) -> Option<&'static str> {
    let mut check = Check { rest: text };
    check.run().err()
}

struct Check<'t> {
    rest: &'t str,
}

const OPEN: &str = "the set of characters has no end";
const STRAY: &str = "a character with a meaning stands alone; `\\` before it takes the meaning away";
const COUNT: &str = "`#` needs a digit, or a range in parentheses";

impl Check<'_> {
    fn run(&mut self) -> Result<(), &'static str> {
        let mut groups = 0_usize;
        // Whether there is something that a quantifier would repeat.
        let mut atom = false;
        while let Some(next) = self.peek() {
            match next {
                '|' | '(' => {
                    groups += usize::from(next == '(');
                    self.bump();
                    atom = false;
                }
                ')' => {
                    groups = groups.checked_sub(1).ok_or("no group is open that could end")?;
                    self.bump();
                    atom = true;
                }
                '*' | '+' | '?' | '#' => {
                    if !atom {
                        return Err("there is nothing to repeat");
                    }
                    self.bump();
                    if next == '#' {
                        // What never comes cannot be repeated.
                        atom = self.count()?;
                    }
                }
                ']' | '}' => return Err(STRAY),
                '[' => {
                    self.set()?;
                    atom = true;
                }
                _ if self.rest.starts_with("\\b") => {
                    self.rest = self.rest.get(2..).unwrap_or_default();
                    atom = false;
                }
                _ => {
                    self.character()?;
                    atom = true;
                }
            }
        }
        if groups > 0 { Err("the group has no end") } else { Ok(()) }
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

    /// One character, or none for a class of several. A name stands for a character that is not known here, which is `\0`.
    fn character(&mut self) -> Result<Option<char>, &'static str> {
        match self.bump().ok_or(STRAY)? {
            '{' => self.quadruple().map(Some).ok_or("four numbers in braces name a character"),
            '\\' => match self.bump().ok_or(STRAY)? {
                'N' => {
                    let name = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                    let (_, rest) = name.filter(|(name, _)| !name.is_empty()).ok_or("`\\N` needs a name in braces")?;
                    self.rest = rest;
                    Ok(Some('\0'))
                }
                'd' | 'w' | 'n' | 's' => Ok(None),
                't' => Ok(Some('\t')),
                'r' => Ok(Some('\r')),
                other => Ok(Some(other)),
            },
            other => Ok(Some(other)),
        }
    }

    /// What is behind `{` of `{group,plane,row,cell}`; a surrogate is no character, but has its place.
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
        let mut is_empty = true;
        loop {
            match self.peek() {
                None => return Err(OPEN),
                Some(']') => {
                    self.bump();
                    return if is_empty { Err("the set of characters is empty") } else { Ok(()) };
                }
                Some(_) => {}
            }
            is_empty = false;
            let Some(low) = self.character()? else { continue };
            // A hyphen that ends the set is one.
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.bump();
                if self.rest.is_empty() {
                    return Err(OPEN);
                }
                let high = self.character()?.ok_or("the range of characters ends before it begins")?;
                // Of a character by its name nobody knows the place.
                if high < low && high != '\0' {
                    return Err("the range of characters ends before it begins");
                }
            }
        }
    }

    /// What stands behind `#`, and whether it allows that something comes.
    fn count(&mut self) -> Result<bool, &'static str> {
        if !self.eat('(') {
            return match self.bump() {
                Some(digit) if digit.is_ascii_digit() => Ok(digit != '0'),
                _ => Err(COUNT),
            };
        }
        let least = self.number();
        let most = if self.eat(',') { self.number().map(Some).or(Some(None)) } else { None };
        if !self.eat(')') {
            return Err(COUNT);
        }
        match (least, most) {
            (None, None | Some(None)) => Err(COUNT),
            (Some(least), Some(Some(most))) if most < least => Err(COUNT),
            (Some(most), None) | (_, Some(Some(most))) => Ok(most > 0),
            (Some(_), Some(None)) => Ok(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wrong;

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
