//! XER encoding instructions (X.693 §12 and later), which EXTENDED-XER follows.

use std::borrow::Cow;

/// The encoding instructions of a type.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Instructions {
    /// ATTRIBUTE: a component is an attribute.
    pub attribute: bool,
    /// UNTAGGED: a component or alternative has no element of its own.
    pub untagged: bool,
    /// LIST: the elements of a SEQUENCE OF or SET OF are separated by spaces.
    pub list: bool,
    /// BASE64: an OCTET STRING is in base64.
    pub base64: bool,
    /// DECIMAL: a REAL has no exponent.
    pub decimal: bool,
    /// TEXT: booleans, named numbers and enumerated values are text.
    pub text: bool,
    /// TEXT: the texts that differ from their identifiers.
    pub texts: Vec<(Box<str>, Box<str>)>,
    /// TEXT: the form of the other texts.
    pub text_case: Option<Case>,
    /// NAME: the name of the element or attribute.
    pub name: Option<Name>,
    /// NAMESPACE: the namespace of the name.
    pub namespace: Option<Box<str>>,
    /// DEFAULT-FOR-EMPTY: the text for an empty element.
    pub default_for_empty: Option<Box<str>>,
    /// WHITESPACE: the processing of white-space in strings.
    pub white_space: Option<WhiteSpace>,
    /// An instruction that is not supported.
    pub unsupported: Option<Box<str>>,
}

/// A name that replaces an identifier or the name of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// This name.
    Exact(Box<str>),
    /// The replaced name in another form.
    Case(Case),
}

/// The form of a name or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// CAPITALIZED: the first letter is in upper case.
    Capitalized,
    /// UNCAPITALIZED: the first letter is in lower case.
    Uncapitalized,
    /// UPPERCASED: all letters are in upper case.
    Uppercased,
    /// LOWERCASED: all letters are in lower case.
    Lowercased,
}

impl Case {
    /// Returns the form with a keyword.
    #[must_use]
    pub fn named(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "CAPITALIZED" => Self::Capitalized,
            "UNCAPITALIZED" => Self::Uncapitalized,
            "UPPERCASED" => Self::Uppercased,
            "LOWERCASED" => Self::Lowercased,
            _ => return None,
        })
    }

    /// Converts a name, whose letters are in ASCII.
    ///
    /// ```
    /// use tagwise_xer::instructions::Case;
    /// assert_eq!(Case::Capitalized.apply("serialNumber"), "SerialNumber");
    /// ```
    #[must_use]
    pub fn apply(self, name: &str) -> String {
        let mut text = name.to_owned();
        match self {
            Self::Uppercased => text.make_ascii_uppercase(),
            Self::Lowercased => text.make_ascii_lowercase(),
            Self::Capitalized | Self::Uncapitalized => {
                if let Some(first) = text.get_mut(..1) {
                    match self {
                        Self::Capitalized => first.make_ascii_uppercase(),
                        _ => first.make_ascii_lowercase(),
                    }
                }
            }
        }
        text
    }
}

/// The processing of white-space in strings, as in XML Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhiteSpace {
    /// REPLACE: tabs and line breaks become spaces.
    Replace,
    /// COLLAPSE: also, spaces at the start and the end are removed, and others become single.
    Collapse,
}

impl WhiteSpace {
    pub(crate) fn apply(self, text: &str) -> String {
        match self {
            Self::Replace => text.replace(['\t', '\n', '\r'], " "),
            Self::Collapse => {
                let words: Vec<&str> = text.split(crate::xml::SPACE).filter(|word| !word.is_empty()).collect();
                words.join(" ")
            }
        }
    }
}

impl Instructions {
    /// No instructions.
    pub(crate) const NONE: &'static Self = &Self {
        attribute: false,
        untagged: false,
        list: false,
        base64: false,
        decimal: false,
        text: false,
        texts: Vec::new(),
        text_case: None,
        name: None,
        namespace: None,
        default_for_empty: None,
        white_space: None,
        unsupported: None,
    };

    /// The name that replaces an identifier.
    pub(crate) fn name<'n>(&'n self, identifier: &'n str) -> Cow<'n, str> {
        match &self.name {
            None => Cow::Borrowed(identifier),
            Some(Name::Exact(name)) => Cow::Borrowed(name),
            Some(Name::Case(case)) => Cow::Owned(case.apply(identifier)),
        }
    }

    /// The text of an identifier.
    pub(crate) fn text_of<'n>(&'n self, identifier: &'n str) -> Cow<'n, str> {
        match (self.texts.iter().find(|(name, _)| **name == *identifier), self.text_case) {
            (Some((_, text)), _) => Cow::Borrowed(text),
            (None, Some(case)) => Cow::Owned(case.apply(identifier)),
            (None, None) => Cow::Borrowed(identifier),
        }
    }

    /// Adds an instruction: its keyword, and the words behind it.
    ///
    /// ```
    /// use tagwise_xer::instructions::Instructions;
    /// let mut instructions = Instructions::default();
    /// instructions.add(&["NAME", "AS", "\"a-b\""]);
    /// instructions.add(&["USE-NIL"]);
    /// assert_eq!(instructions.unsupported.as_deref(), Some("USE-NIL"));
    /// ```
    pub fn add(&mut self, words: &[&str]) {
        if !self.is_added(words) {
            let keyword = words.iter().find(|word| **word != "NOT").copied().unwrap_or_default();
            self.unsupported.get_or_insert_with(|| keyword.into());
        }
    }

    fn is_added(&mut self, words: &[&str]) -> bool {
        let quoted = |word: &str| Some(word.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", "\""));
        let (negated, words) = match words {
            ["NOT", rest @ ..] => (true, rest),
            _ => (false, words),
        };
        match words {
            ["ATTRIBUTE"] => self.attribute = !negated,
            ["UNTAGGED"] => self.untagged = !negated,
            ["LIST"] => self.list = !negated,
            ["BASE64"] => self.base64 = !negated,
            ["DECIMAL"] => self.decimal = !negated,
            ["TEXT"] => (self.text, self.texts, self.text_case) = (!negated, Vec::new(), None),
            ["NAME"] if negated => self.name = None,
            ["NAMESPACE"] if negated => self.namespace = None,
            ["DEFAULT-FOR-EMPTY"] if negated => self.default_for_empty = None,
            ["WHITESPACE"] if negated => self.white_space = None,
            _ if negated => return false,
            ["NAME", "AS", text] => match (quoted(text), Case::named(text)) {
                (Some(text), _) => self.name = Some(Name::Exact(text.into())),
                (None, Some(case)) => self.name = Some(Name::Case(case)),
                (None, None) => return false,
            },
            ["NAMESPACE", "AS", text] | ["NAMESPACE", "AS", text, "PREFIX", _] => match quoted(text) {
                Some(text) => self.namespace = Some(text.into()),
                None => return false,
            },
            ["DEFAULT-FOR-EMPTY", "AS", text] => match quoted(text) {
                Some(text) => self.default_for_empty = Some(text.into()),
                None => return false,
            },
            ["WHITESPACE", "REPLACE"] => self.white_space = Some(WhiteSpace::Replace),
            ["WHITESPACE", "COLLAPSE"] => self.white_space = Some(WhiteSpace::Collapse),
            ["TEXT", "ALL", "AS", word] => match Case::named(word) {
                Some(case) => (self.text, self.text_case) = (true, Some(case)),
                None => return false,
            },
            ["TEXT", rest @ ..] => {
                for part in rest.split(|word| *word == ",") {
                    let [identifier, "AS", text] = part else { return false };
                    let text = match (quoted(text), Case::named(text)) {
                        (Some(text), _) => text,
                        (None, Some(case)) => case.apply(identifier),
                        (None, None) => return false,
                    };
                    self.text = true;
                    self.texts.push(((*identifier).into(), text.into()));
                }
            }
            // It only concerns instructions that are not supported.
            ["GLOBAL-DEFAULTS", "CONTROL-NAMESPACE", ..] => {}
            _ => return false,
        }
        true
    }

    /// The instructions of a reference to a type with these ones. Names belong to the type itself.
    #[must_use]
    pub fn inherited(&self) -> Self {
        Self { name: None, namespace: None, ..self.clone() }
    }
}
