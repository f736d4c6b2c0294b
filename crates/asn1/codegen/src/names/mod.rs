//! Converts ASN.1 names to words, and words to the naming conventions of target languages.
//!
//! A name is split at hyphens and case changes, and acronyms become one word each (`dNSName` is `dns name`). The table
//! `acronyms` covers words that case does not separate.

mod acronyms;

/// A name as lowercase words.
///
/// ```
/// use tagwise_codegen::names::Words;
/// let words = Words::of("id-ce-cRLDistributionPoints");
/// assert_eq!(words.upper_snake(), "ID_CE_CRL_DISTRIBUTION_POINTS");
/// assert_eq!(Words::of("TBSCertificate").upper_camel(), "TbsCertificate");
/// assert_eq!(Words::of("iPAddress").snake(), "ip_address");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Words(Vec<String>);

impl Words {
    /// Splits an ASN.1 name into words. Characters other than letters and digits separate words.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let mut words = Vec::new();
        for part in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
            cut(part, &mut words);
        }
        Self(words)
    }

    /// Appends the words of another name.
    #[must_use]
    pub fn and(&self, more: &Self) -> Self {
        // `Foo` and `foo-bar` are `FooBar`: what is said already is not said again.
        let said = more.0.len() > self.0.len() && more.0.starts_with(&self.0);
        if said { more.clone() } else { Self(self.0.iter().chain(&more.0).cloned().collect()) }
    }

    /// Returns whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Formats the words in `UpperCamelCase`, with `_` between adjacent numbers.
    #[must_use]
    pub fn upper_camel(&self) -> String {
        let mut name = String::new();
        for word in &self.0 {
            let mut letters = word.chars();
            let first = letters.next().unwrap_or_default();
            if first.is_ascii_digit() && name.ends_with(|last: char| last.is_ascii_digit()) {
                name.push('_');
            }
            name.push(first.to_ascii_uppercase());
            name.push_str(letters.as_str());
        }
        name
    }

    /// Formats the words in `snake_case`.
    #[must_use]
    pub fn snake(&self) -> String {
        self.0.join("_")
    }

    /// Formats the words in `UPPER_SNAKE_CASE`.
    #[must_use]
    pub fn upper_snake(&self) -> String {
        self.snake().to_ascii_uppercase()
    }
}

/// Splits a part without hyphens into words.
fn cut(part: &str, words: &mut Vec<String>) {
    let mut rest = part;
    let mut first = true;
    while !rest.is_empty() {
        let len =
            acronyms::mixed(rest).or_else(|| first.then(|| lowered(rest)).flatten()).unwrap_or_else(|| word(rest));
        // A word is at least one character, and all are ASCII.
        let (word, tail) = rest.split_at_checked(len.max(1)).unwrap_or((rest, ""));
        push(word, words);
        (rest, first) = (tail, false);
    }
}

/// Adds a word, which is split if it consists of several acronyms.
fn push(word: &str, words: &mut Vec<String>) {
    match acronyms::parts(word) {
        Some(parts) => words.extend(parts.iter().map(|part| part.to_ascii_lowercase())),
        None => words.push(word.to_ascii_lowercase()),
    }
}

const fn is_upper(octet: u8) -> bool {
    octet.is_ascii_uppercase() || octet.is_ascii_digit()
}

/// Returns the length of an acronym whose first letter is lowercase because it begins an identifier: `dNSName`, `cRLs`, `cA`.
fn lowered(text: &str) -> Option<usize> {
    let (first, rest) = text.as_bytes().split_first()?;
    if !first.is_ascii_lowercase() || !rest.first().is_some_and(u8::is_ascii_uppercase) {
        return None;
    }
    // A capital that small letters follow begins a word of its own: `eContent`.
    let capitals = rest.iter().take_while(|octet| is_upper(**octet)).count();
    (capitals > 1 || rest.len() == 1).then(|| 1 + run(rest))
}

/// Returns the length of the acronym at the start: without the capital letter that begins the next word, but with a plural `s`.
fn run(octets: &[u8]) -> usize {
    let len = octets.iter().take_while(|octet| is_upper(**octet)).count();
    match (octets.get(len), octets.get(len + 1)) {
        (Some(b's'), next) if len >= 2 && !next.is_some_and(u8::is_ascii_lowercase) => len + 1,
        (Some(next), _)
            if next.is_ascii_lowercase() && octets.get(len.wrapping_sub(1)).is_some_and(u8::is_ascii_uppercase) =>
        {
            len - 1
        }
        _ => len,
    }
}

/// Returns the length of the word at the start.
fn word(text: &str) -> usize {
    let octets = text.as_bytes();
    let acronym = run(octets);
    if acronym > 0 && octets.first().is_some_and(u8::is_ascii_uppercase) {
        return acronym;
    }
    let head = octets.iter().take_while(|octet| is_upper(**octet)).count().max(1);
    head + octets.iter().skip(head).take_while(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests;
