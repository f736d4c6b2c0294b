//! Command lines split by POSIX shell rules, and the options of OpenSSL's commands.

use std::sync::LazyLock;

/// A word of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// True if the shell expands variables in the word.
    expands: bool,
    /// True for a `|` between commands.
    pub(super) is_pipe: bool,
    /// True if the text is quoted already.
    is_quoted: bool,
}

impl Word {
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Returns a word whose text is already quoted for a shell.
    pub(super) fn literal(text: &str) -> Self {
        Self { is_quoted: true, ..Self::plain(text) }
    }

    /// Returns the word with different text and the same expansion.
    pub(super) fn with(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self.clone() }
    }
}

/// Quotes a word for a shell.
pub(super) fn quoted(word: &Word) -> String {
    if word.is_quoted {
        return word.text.clone();
    }
    if word.expands {
        return format!("\"{}\"", word.text.replace('\\', "\\\\").replace('"', "\\\""));
    }
    quote(&word.text)
}

/// Quotes the name of a file for a shell. A name that begins with a hyphen must not become an option.
pub(super) fn file(word: &Word) -> String {
    if word.text.starts_with('-') && word.text != "-" {
        quoted(&word.with(format!("./{}", word.text)))
    } else {
        quoted(word)
    }
}

/// Quotes a text for a shell, if necessary.
pub(super) fn quote(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Splits a command line into words. Redirections become `-in` and `-out`. Redirections to and from `/dev/null`, and of standard error,
/// are omitted.
///
/// # Errors
/// Returns an error if a quotation mark is missing, or for shell syntax that is not supported.
pub(super) fn words(line: &str) -> Result<Vec<Word>, String> {
    let mut words: Vec<Word> = Vec::new();
    let mut word: Option<Word> = None;
    let mut characters = line.chars().peekable();
    while let Some(next) = characters.next() {
        match next {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '|' if characters.peek() != Some(&'|') => {
                words.extend(word.take());
                words.push(Word { text: "|".to_owned(), is_pipe: true, ..Word::default() });
            }
            '<' | '>' => {
                if characters.peek() == Some(&next) {
                    return Err(format!("`{next}{next}` is not supported: give one command line, or one pipe"));
                }
                // `2>` is for errors.
                let descriptor = word.take_if(|word| matches!(&*word.text, "0" | "1" | "2"));
                words.extend(word.take());
                let option = match (next, descriptor.as_ref().map(|word| &*word.text)) {
                    (_, Some("2")) => "2>",
                    ('<', _) => "-in",
                    _ => "-out",
                };
                words.push(Word { text: format!("\0{option}"), ..Word::default() });
            }
            ';' | '&' | '|' | '(' | ')' | '`' => {
                // `2>&1` is the only use of `&` that means nothing here: there is one place for results, and one for errors.
                let is_copy = next == '&' && word.is_none() && words.last().is_some_and(|last| last.text == "\x002>");
                if !is_copy {
                    return Err(format!("`{next}` is not supported: give one command line, or one pipe"));
                }
                word.get_or_insert_default();
            }
            '\\' => match characters.next() {
                None | Some('\n') => {}
                Some(next) => word.get_or_insert_default().text.push(next),
            },
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some('\'') => break,
                        Some(next) => word.text.push(next),
                        None => return Err("unterminated '".to_owned()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some('"') => break,
                        Some('\\') => match characters.next() {
                            Some(next @ ('"' | '\\' | '$' | '`')) => word.text.push(next),
                            Some(next) => word.text.extend(['\\', next]),
                            None => return Err("unterminated \"".to_owned()),
                        },
                        Some(next) => {
                            word.expands |= matches!(next, '$' | '`');
                            word.text.push(next);
                        }
                        None => return Err("unterminated \"".to_owned()),
                    }
                }
            }
            next => {
                let word = word.get_or_insert_default();
                word.expands |= next == '$';
                word.text.push(next);
            }
        }
    }
    words.extend(word);
    redirected(words)
}

/// Replaces redirections with options.
fn redirected(words: Vec<Word>) -> Result<Vec<Word>, String> {
    let mut done = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let Some(option) = word.text.strip_prefix('\0') else {
            done.push(word);
            continue;
        };
        let target = words.next().ok_or("a redirection has no file")?;
        if target.text != "/dev/null" && option != "2>" {
            done.extend([Word::plain(option), target]);
        }
    }
    Ok(done)
}

/// An OpenSSL command, and its options without their hyphens.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) flags: Vec<&'static str>,
    pub(super) values: Vec<&'static str>,
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let rows = include_str!("options.tsv").lines().filter(|line| !line.starts_with('#'));
    let read = rows.map(|row| {
        let mut columns = row.split('\t');
        let name = columns.next().unwrap_or_default();
        let mut list = || columns.next().unwrap_or_default().split(' ').filter(|name| !name.is_empty()).collect();
        Tool { name, flags: list(), values: list() }
    });
    read.collect()
});

/// Returns the commands whose options are known.
pub(super) fn tools() -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter()
}

/// Returns the command with the given name.
pub(super) fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Names of digests and ciphers that are options of most commands.
const ALGORITHMS: [&str; 24] = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "aes128",
    "aes192",
    "aes256",
    "aes-128-cbc",
    "aes-192-cbc",
    "aes-256-cbc",
    "aes-128-gcm",
    "aes-256-gcm",
    "des",
    "des3",
    "des-ede3-cbc",
    "3des",
    "camellia256",
    "aria256",
    "idea",
];

/// Returns whether an option names an algorithm.
pub(super) fn is_algorithm(name: &str) -> bool {
    ALGORITHMS.contains(&name)
}
