//! Principals: names and realms, in messages and as text.

use core::fmt;

#[cfg(feature = "messages")]
use tagwise_codec::{General, SeqOf};

#[cfg(feature = "messages")]
use crate::messages::PrincipalName;
use crate::numbers::name_type;

/// A principal: a name of components in a realm, as bytes that are usually UTF-8.
///
/// The name type is not part of its identity (RFC 4120 §6.2).
///
/// ```
/// use tagwise_krb5::Principal;
/// let web = Principal::parse(r"HTTP/web\/1.test@KRB.TEST", None)?;
/// assert_eq!(web.components(), [&b"HTTP"[..], b"web/1.test"]);
/// assert_eq!(web.to_string(), r"HTTP/web\/1.test@KRB.TEST");
/// assert_eq!(Principal::parse("alice", Some("KRB.TEST"))?.to_string(), "alice@KRB.TEST");
/// assert!(Principal::parse("alice", None).is_err());
/// # Ok::<(), tagwise_krb5::PrincipalError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Principal {
    name_type: i32,
    realm: Vec<u8>,
    components: Vec<Vec<u8>>,
}

/// An error in a principal's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrincipalError {
    /// The realm is missing, and there is no default realm.
    NoRealm,
    /// The text contains a second unescaped `@`.
    SecondAt,
    /// The text ends with a backslash.
    Backslash,
    /// The realm contains a `/`.
    SlashInRealm,
}

impl fmt::Display for PrincipalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRealm => "the principal names no realm, and there is no default realm",
            Self::SecondAt => "the principal has a second `@`; write `\\@` for one in a name",
            Self::Backslash => "the principal ends in a backslash",
            Self::SlashInRealm => "the realm has a `/`; write `\\/`",
        })
    }
}

impl std::error::Error for PrincipalError {}

impl Principal {
    /// Creates a principal from its parts.
    pub fn new(
        name_type: i32,
        realm: impl Into<Vec<u8>>,
        components: impl IntoIterator<Item = impl Into<Vec<u8>>>,
    ) -> Self {
        Self { name_type, realm: realm.into(), components: components.into_iter().map(Into::into).collect() }
    }

    /// Parses `name/instance@REALM`. Backslashes escape characters, and `\n`, `\t`, `\b`, `\0`, `\xNN` and `\u{…}` are
    /// recognized.
    ///
    /// # Errors
    /// Returns a [`PrincipalError`] if the text is invalid.
    pub fn parse(text: &str, default_realm: Option<&str>) -> Result<Self, PrincipalError> {
        let (components, realm) = split(text, true)?;
        let realm = match realm {
            Some(realm) => realm,
            None => default_realm.ok_or(PrincipalError::NoRealm)?.as_bytes().to_vec(),
        };
        let first: &[u8] = components.first().map_or(&[], |first| first);
        let name_type = match (first, components.len()) {
            (b"krbtgt", 2) => name_type::SRV_INST,
            (b"WELLKNOWN", 2..) => name_type::WELLKNOWN,
            _ => name_type::PRINCIPAL,
        };
        Ok(Self { name_type, realm, components })
    }

    /// Parses an enterprise name (RFC 6806 §5), which is a single component: `user@mail.example` in a realm.
    ///
    /// # Errors
    /// Returns [`PrincipalError::Backslash`] if the text ends with a backslash, or [`PrincipalError::NoRealm`] if the default
    /// realm is missing.
    pub fn parse_enterprise(text: &str, default_realm: Option<&str>) -> Result<Self, PrincipalError> {
        let realm = default_realm.ok_or(PrincipalError::NoRealm)?.as_bytes().to_vec();
        let (components, _) = split(text, false)?;
        Ok(Self { name_type: name_type::ENTERPRISE, realm, components })
    }

    /// Creates the principal of the ticket-granting service for the realm `of`. `realm` is the realm of the principal itself.
    #[must_use]
    pub fn krbtgt(of: &[u8], realm: &[u8]) -> Self {
        Self::new(name_type::SRV_INST, realm, [&b"krbtgt"[..], of])
    }

    /// The realm of anonymous clients (RFC 8062 §3).
    pub const ANONYMOUS_REALM: &[u8] = b"WELLKNOWN:ANONYMOUS";

    /// Creates the anonymous principal of a realm (RFC 8062 §3), for requesting anonymous tickets.
    #[must_use]
    pub fn anonymous(realm: &[u8]) -> Self {
        Self::new(name_type::WELLKNOWN, realm, [&b"WELLKNOWN"[..], b"ANONYMOUS"])
    }

    /// Returns whether this is an anonymous principal, in any realm.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        matches!(self.components()[..], [first, second] if first == b"WELLKNOWN" && second == b"ANONYMOUS")
    }

    #[cfg(feature = "messages")]
    /// Creates a principal from the name and realm in a message.
    ///
    /// # Errors
    /// Returns an error if the name is malformed. This is possible only if its message was not completely checked when it was
    /// decoded.
    pub fn from_message(name: &PrincipalName<'_>, realm: &General<'_>) -> Result<Self, tagwise_codec::Error> {
        let components: Result<_, _> =
            name.name_string.iter().map(|part| part.map(|part| part.as_bytes().to_vec())).collect();
        Ok(Self { name_type: name.name_type, realm: realm.as_bytes().to_vec(), components: components? })
    }

    #[cfg(feature = "messages")]
    /// Returns the components as message strings, which [`name`](Self::name) borrows.
    #[must_use]
    pub fn strings(&self) -> Vec<General<'_>> {
        self.components.iter().map(|part| General::from_content(part)).collect()
    }

    #[cfg(feature = "messages")]
    /// Returns the name in its message form.
    #[must_use]
    pub fn name<'a>(&self, strings: &'a [General<'a>]) -> PrincipalName<'a> {
        PrincipalName { name_type: self.name_type, name_string: SeqOf::from_slice(strings) }
    }

    /// Returns the name type.
    #[must_use]
    pub const fn name_type(&self) -> i32 {
        self.name_type
    }

    /// Returns the realm.
    #[must_use]
    pub fn realm(&self) -> &[u8] {
        &self.realm
    }

    #[cfg(feature = "messages")]
    /// Returns the realm as a message string.
    #[must_use]
    pub fn realm_string(&self) -> General<'_> {
        General::from_content(&self.realm)
    }

    /// Returns the components of the name.
    #[must_use]
    pub fn components(&self) -> Vec<&[u8]> {
        self.components.iter().map(Vec::as_slice).collect()
    }

    /// Returns the same name in a different realm.
    #[must_use]
    pub fn in_realm(&self, realm: &[u8]) -> Self {
        Self { realm: realm.to_vec(), ..self.clone() }
    }

    /// Returns the same principal with a different name type.
    #[must_use]
    pub fn with_type(mut self, name_type: i32) -> Self {
        self.name_type = name_type;
        self
    }

    /// Returns the realm of a ticket-granting service, or `None` for other principals.
    #[must_use]
    pub fn krbtgt_realm(&self) -> Option<&[u8]> {
        match self.components.as_slice() {
            [service, realm] if service == b"krbtgt" => Some(realm),
            _ => None,
        }
    }

    /// Returns the default salt for the principal's keys (RFC 4120 §4): the realm and components without separators.
    #[must_use]
    pub fn salt(&self) -> Vec<u8> {
        core::iter::once(&self.realm).chain(&self.components).flatten().copied().collect()
    }
}

/// A name's components, and its realm if the text contains one.
type Parts = (Vec<Vec<u8>>, Option<Vec<u8>>);

/// Splits a text at unescaped separators. In an enterprise name, only the last one separates.
fn split(text: &str, separated: bool) -> Result<Parts, PrincipalError> {
    let (mut parts, mut part, mut in_realm) = (Vec::new(), Vec::new(), false);
    let mut octets = text.bytes();
    while let Some(octet) = octets.next() {
        match octet {
            b'\\' => {
                if let Some((shown, rest)) = text.get(text.len() - octets.len()..).and_then(unshown) {
                    part.extend(shown);
                    octets = rest.bytes();
                    continue;
                }
                part.push(match octets.next().ok_or(PrincipalError::Backslash)? {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'b' => 8,
                    b'0' => 0,
                    other => other,
                });
            }
            b'/' if separated && in_realm => return Err(PrincipalError::SlashInRealm),
            b'/' if separated => parts.push(core::mem::take(&mut part)),
            b'@' if separated && in_realm => return Err(PrincipalError::SecondAt),
            b'@' if separated => {
                parts.push(core::mem::take(&mut part));
                in_realm = true;
            }
            other => part.push(other),
        }
    }
    if in_realm {
        return Ok((parts, Some(part)));
    }
    parts.push(part);
    Ok((parts, None))
}

/// Decodes the escape `xNN` or `u{…}` after a backslash. Returns its bytes and the remaining text, or `None` for other letters.
fn unshown(text: &str) -> Option<(Vec<u8>, &str)> {
    let (digits, rest) = match text.strip_prefix("u{") {
        Some(rest) => rest.split_once('}')?,
        None => text.strip_prefix('x')?.split_at_checked(2)?,
    };
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|octet| octet.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    match text.starts_with('x') {
        true => Some((vec![u8::try_from(number).ok()?], rest)),
        false => Some((char::from_u32(number)?.to_string().into_bytes(), rest)),
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.realm == other.realm && self.components == other.components
    }
}

impl Eq for Principal {}

impl fmt::Display for Principal {
    /// Writes the principal with escapes, so that it can be parsed again. Control characters and bytes that are not UTF-8 are written as
    /// `\xNN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.components.iter().enumerate() {
            if at > 0 {
                f.write_str("/")?;
            }
            escape(f, part)?;
        }
        f.write_str("@")?;
        escape(f, &self.realm)
    }
}

fn escape(f: &mut fmt::Formatter<'_>, octets: &[u8]) -> fmt::Result {
    for chunk in octets.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '/' | '@' | '\\' => write!(f, "\\{char}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\u{8}' => f.write_str("\\b")?,
                '\0' => f.write_str("\\0")?,
                // What moves the cursor or turns the direction of text is not for terminals.
                char if char.is_control() || matches!(char, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') => {
                    write!(f, "\\u{{{:x}}}", u32::from(char))?;
                }
                char => write!(f, "{char}")?,
            }
        }
        chunk.invalid().iter().try_for_each(|octet| write!(f, "\\x{octet:02x}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Principal;

    #[test]
    fn what_is_shown_parses_again() {
        // Every byte alone and beside others, characters that are not shown as they are, and what looks like an escape.
        let mut names: Vec<Vec<u8>> = (0..=255).map(|octet| vec![octet]).collect();
        names.extend((0..=255).map(|octet| vec![b'a', octet, b'b', 0xC3]));
        for text in ["\u{202E}a\u{2069}", "\u{85}", "u{7f}", "\\u{7f}", "\\x41", "x41", "a/b@c\\d", "ü€😀", "\\", ""]
        {
            names.push(text.as_bytes().to_vec());
        }
        for name in &names {
            for made in [
                Principal::new(1, "KRB.TEST", [name.clone()]),
                Principal::new(1, name.clone(), ["alice"]),
                Principal::new(2, "KRB.TEST", [name.clone(), name.clone()]),
            ] {
                let text = made.to_string();
                assert_eq!(Principal::parse(&text, None).as_ref(), Ok(&made), "{text}");
                assert!(!text.chars().any(char::is_control), "{text:?}");
            }
        }
    }

    #[test]
    fn backslashes_before_other_letters_mean_these() {
        let parsed = |text: &str| Principal::parse(text, Some("A")).unwrap().components().concat();
        for (text, name) in [
            ("\\x4", &b"x4"[..]),
            ("\\xg1", b"xg1"),
            ("\\x+1", b"x+1"),
            ("\\x4\u{fc}", b"x4\xC3\xBC"),
            ("\\u7f", b"u7f"),
            ("\\u{}", b"u{}"),
            ("\\u{d800}", b"u{d800}"),
            ("\\u{1234567}", b"u{1234567}"),
            ("\\u{7f", b"u{7f"),
            ("\\x41\\u{e4}\\q", b"A\xC3\xA4q"),
        ] {
            assert_eq!(parsed(text), name, "{text}");
        }
    }
}
