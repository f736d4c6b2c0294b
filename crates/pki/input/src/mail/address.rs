//! The addresses in header fields such as `From` (RFC 5322 §3.4).

use core::str::Chars;

/// A lexical token (RFC 5322 §3.2). Comments and white space are removed.
enum Token {
    /// An atom.
    Word(String),
    /// A quoted string, without its quotes and escapes.
    Quoted(String),
    /// A domain literal, with its brackets.
    Literal(String),
    /// A special character.
    Special(char),
}

/// The addresses in a field such as `From` (RFC 5322 §3.4): `Eva <eva@example.org>, ben@example.org`. The obsolete syntax (§4.4) is
/// accepted as well. Returns `None` if the value is malformed, because readers then see different senders in it.
///
/// ```
/// use tagwise_input::mail::addresses;
/// let found = addresses("\"Doe, Eva <x@y>\" <eva@example.org>, (Ben) ben@example.org").unwrap();
/// assert_eq!(found, ["eva@example.org", "ben@example.org"]);
/// assert_eq!(addresses("<eva@example.org> ben@example.org"), None);
/// ```
#[must_use]
pub fn addresses(value: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let (mut plain, mut angle) = (Vec::new(), None::<Vec<Token>>);
    let (mut is_open, mut is_group, mut after_group) = (false, false, false);
    for token in tokens(value)? {
        let is_comma = matches!(token, Token::Special(','));
        if after_group && !is_comma {
            return None;
        }
        after_group = false;
        match token {
            Token::Special('<') if angle.is_none() => (angle, is_open) = (Some(Vec::new()), true),
            Token::Special('>') if is_open => is_open = false,
            Token::Special('<' | '>') => return None,
            other if is_open => angle.get_or_insert_default().push(other),
            Token::Special(',') => found.extend(mailbox(&mut plain, &mut angle)?),
            Token::Special(';') if is_group => {
                found.extend(mailbox(&mut plain, &mut angle)?);
                (is_group, after_group) = (false, true);
            }
            // The name of a group.
            Token::Special(':') if !is_group && angle.is_none() && !plain.is_empty() && is_phrase(&plain) => {
                plain.clear();
                is_group = true;
            }
            Token::Special(';' | ':') => return None,
            // Nothing follows the address in angle brackets.
            _ if angle.is_some() => return None,
            other => plain.push(other),
        }
    }
    if is_open || is_group {
        return None;
    }
    found.extend(mailbox(&mut plain, &mut angle)?);
    Some(found)
}

/// The address of a mailbox. The inner `None` is an empty element of a list (obs-mbox-list, RFC 5322 §4.4).
fn mailbox(plain: &mut Vec<Token>, angle: &mut Option<Vec<Token>>) -> Option<Option<String>> {
    let plain = core::mem::take(plain);
    match angle.take() {
        // The name may have periods without quotes (obs-phrase, RFC 5322 §4.1).
        Some(angle) => is_phrase(&plain).then(|| address(without_route(&angle)))?.map(Some),
        None if plain.is_empty() => Some(None),
        None => address(&plain).map(Some),
    }
}

fn is_phrase(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| matches!(token, Token::Word(_) | Token::Quoted(_) | Token::Special('.')))
}

/// An address without the obsolete route in front (RFC 5322 §4.4).
fn without_route(tokens: &[Token]) -> &[Token] {
    let is_route = matches!(tokens.first(), Some(Token::Special('@')));
    let end = tokens.iter().position(|token| matches!(token, Token::Special(':'))).filter(|_| is_route);
    end.and_then(|end| tokens.get(end.saturating_add(1)..)).unwrap_or(tokens)
}

/// An addr-spec (RFC 5322 §3.4.1).
fn address(tokens: &[Token]) -> Option<String> {
    let mut halves = tokens.split(|token| matches!(token, Token::Special('@')));
    let (Some(local), Some(domain), None) = (halves.next(), halves.next(), halves.next()) else { return None };
    let domain = match domain {
        [Token::Literal(literal)] => literal.clone(),
        domain if domain.iter().any(|token| matches!(token, Token::Quoted(_))) => return None,
        domain => dotted(domain)?,
    };
    Some(format!("{}@{domain}", dotted(local)?))
}

/// Words with periods between them.
fn dotted(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    for part in tokens.split(|token| matches!(token, Token::Special('.'))) {
        if !text.is_empty() {
            text.push('.');
        }
        match part {
            [Token::Word(word)] => text.push_str(word),
            // Quotes that are not needed do not count (RFC 5321 §4.1.2).
            [Token::Quoted(word)] if !word.is_empty() && word.chars().all(is_atom) => text.push_str(word),
            [Token::Quoted(word)] => {
                text.push('"');
                for character in word.chars() {
                    if matches!(character, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(character);
                }
                text.push('"');
            }
            _ => return None,
        }
    }
    Some(text)
}

/// Returns whether an atom may contain a character (RFC 5322 §3.2.3, RFC 6532 §3.2).
fn is_atom(character: char) -> bool {
    !character.is_whitespace() && !character.is_control() && !"()<>[]:;@\\,.\"".contains(character)
}

fn tokens(value: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = value.chars();
    loop {
        let at = rest.clone();
        match rest.next() {
            None => return Some(found),
            Some(' ' | '\t') => {}
            Some('(') => comment(&mut rest)?,
            Some('"') => found.push(Token::Quoted(until('"', &mut rest)?)),
            Some('[') => found.push(Token::Literal(format!("[{}]", until(']', &mut rest)?.replace([' ', '\t'], "")))),
            Some(special @ ('<' | '>' | ':' | ';' | '@' | ',' | '.')) => found.push(Token::Special(special)),
            Some(first) if is_atom(first) => {
                let word: String = at.clone().take_while(|character| is_atom(*character)).collect();
                rest = at;
                rest.by_ref().take(word.chars().count()).for_each(drop);
                found.push(Token::Word(word));
            }
            Some(_) => return None,
        }
    }
}

/// Skips a comment, which may contain others (RFC 5322 §3.2.2).
fn comment(rest: &mut Chars<'_>) -> Option<()> {
    let mut depth = 1_u32;
    while depth > 0 {
        match rest.next()? {
            '\\' => {
                rest.next()?;
            }
            '(' => depth = depth.checked_add(1)?,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Some(())
}

/// The text up to a character, without escapes.
fn until(end: char, rest: &mut Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '\\' => text.push(rest.next()?),
            character if character == end => return Some(text),
            character => text.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[test]
    fn addresses_of_lists_comments_and_groups() {
        for (value, expected) in [
            ("eva@example.org", &["eva@example.org"][..]),
            ("Eva <eva@example.org>", &["eva@example.org"]),
            ("Eva M. Doe <eva@example.org> (work)", &["eva@example.org"]),
            ("=?utf-8?Q?Eva?= <eva@example.org>", &["eva@example.org"]),
            ("Évá <évá@example.org>", &["évá@example.org"]),
            ("\"<a@b>\" <c@d>, e@f (g@h)", &["c@d", "e@f"]),
            ("(a (b) \\) c) \"x \\\" <a@b>\" <c@d>", &["c@d"]),
            ("Friends: a@b, C <c@d>;", &["a@b", "c@d"]),
            ("Friends:;, e@f", &["e@f"]),
            (",a@b,,c@d,", &["a@b", "c@d"]),
            ("eva . doe @ example . org", &["eva.doe@example.org"]),
            ("\"eva\"@example.org, \"eva doe\"@example.org", &["eva@example.org", "\"eva doe\"@example.org"]),
            ("<@a.example,@b.example:c@d>", &["c@d"]),
            ("eva@[192.0.2.1]", &["eva@[192.0.2.1]"]),
            ("", &[]),
        ] {
            assert_eq!(addresses(value).unwrap(), expected, "{value}");
        }
    }

    #[test]
    fn malformed_fields_have_no_addresses() {
        for value in [
            "undisclosed",
            "<a@b>c@d",
            "a@b <c@d>",
            "<a@b> <c@d>",
            "a@b c@d",
            "a b@c",
            "a@b@c",
            "<a@b",
            "a@b>",
            "<<a@b>>",
            "<a@b, c@d>",
            "\"a@b",
            "a@b (c",
            "a@b)",
            "Friends: a@b",
            "Friends: a@b; c@d",
            "a@b;",
            "a: b: c@d;;",
            ".a@b",
            "a@",
            "@b",
            "<>",
            "a@\"b\"",
            "a@b\u{0}",
        ] {
            assert_eq!(addresses(value), None, "{value}");
        }
    }
}
