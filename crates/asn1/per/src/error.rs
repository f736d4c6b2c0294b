//! Errors with path, position and clause, for all encoding rules without tags.

use std::fmt;

use tagwise_codec::FaultKind;

use crate::rules::Rule;

/// A standard of encoding rules without tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Standard {
    /// The Packed Encoding Rules, X.691.
    Per,
    /// The Octet Encoding Rules, X.696.
    Oer,
}

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The standard of the encoding rules.
    pub standard: Standard,
    /// The path of the component: `criticalExtensions.c1[2]`. Empty for the outermost value.
    pub path: String,
    /// The offset in the input, in bits. `None` for errors in values to encode.
    pub bit: Option<u64>,
    /// The error.
    pub kind: Kind,
    /// The value or size that was found and what is allowed, such as `the value is 300; allowed 0..255`, where this is known. Generated
    /// code does not set it.
    pub limit: Option<String>,
    /// The rule of the constraint, if [`Options`](tagwise_codec::Options) that allow it accept the value.
    pub allowance: Option<&'static tagwise_codec::Rule>,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The input ends within a value.
    Truncated,
    /// A rule is violated that can be tolerated.
    Rule(Rule),
    /// Data follows the value, or the value in an open type or string (OER).
    TrailingData,
    /// A form that CANONICAL-OER does not allow.
    NotCanonical(Form),
    /// Unused bits are not zero, or their number is invalid (OER).
    UnusedBits,
    /// A tag that no alternative of a CHOICE has (OER).
    NoAlternative,
    /// The extension bit of a SEQUENCE is set, but no addition is present, or its presence bitmap is empty (OER).
    Additions,
    /// An extension addition group is present, but none of its components is (OER).
    EmptyGroup,
    /// A number or an index is outside the range that its bits could express.
    Range,
    /// A length exceeds the effective size constraint.
    Size,
    /// A length determinant has an invalid form.
    Length,
    /// An open type field has no contents, although each encoding has at least one byte (PER).
    EmptyOpenType,
    /// A character is outside the effective permitted alphabet.
    Alphabet,
    /// The content of a value is invalid, or the value violates a constraint.
    Value(FaultKind),
    /// A value to encode does not match its type, with the reason.
    Mismatch(&'static str),
    /// The type is not supported, with its name.
    Unsupported(&'static str),
    /// An extension is unknown where none can be preserved.
    UnknownItem,
    /// Nesting exceeds the budget.
    Depth,
    /// The number of elements exceeds the budget.
    Elements,
    /// The output exceeds the budget.
    Output,
    /// The schema does not define a type that it refers to.
    Schema,
}

/// A form that BASIC-OER allows and CANONICAL-OER does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A BOOLEAN that is neither 00 nor FF (X.696 §9).
    Boolean,
    /// A length determinant that is not in its shortest form (§8.6.5).
    Length,
    /// An INTEGER with leading bytes that it does not need (§10.3).
    Integer,
    /// An ENUMERATED that is not in its shortest form (§11.4).
    Enumerated,
    /// A NOT-A-NUMBER in another form of IEEE 754 (§12).
    NotANumber,
    /// Named bits with other zero bits at their end than the size constraint requires (§13.3).
    NamedBits,
    /// A component that has its DEFAULT value and is present (§16.2.3).
    Default,
    /// Elements of a SET OF that are not in order (§19).
    SetOf,
}

impl Form {
    /// The message.
    const fn text(self) -> &'static str {
        match self {
            Self::Boolean => "the BOOLEAN is not canonical, expected 00 or FF",
            Self::Length => "the length is not canonical, expected the shortest form",
            Self::Integer => "the INTEGER is not canonical, expected the shortest form",
            Self::Enumerated => "the ENUMERATED is not canonical, expected the shortest form",
            Self::NotANumber => "the NOT-A-NUMBER is not canonical",
            Self::NamedBits => "the named bits are not canonical, expected the fewest zero bits at the end",
            Self::Default => Rule::DefaultAbsent.text(),
            Self::SetOf => Rule::SetOfOrder.text(),
        }
    }

    /// The clause of the standard.
    const fn clause(self) -> &'static str {
        match self {
            Self::Boolean => "X.696 §9",
            Self::Length => "X.696 §8.6.5",
            Self::Integer => "X.696 §10.3",
            Self::Enumerated => "X.696 §11.4",
            Self::NotANumber => "X.696 §12",
            Self::NamedBits => "X.696 §13.3",
            Self::Default => "X.696 §16.2.3",
            Self::SetOf => "X.696 §19",
        }
    }
}

impl Kind {
    /// The stable code, in kebab case. Those of [`FaultKind`] are the same as for the other encoding rules.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Rule(rule) => rule.name(),
            Self::TrailingData => "trailing-data",
            Self::NotCanonical(_) => "not-canonical",
            Self::UnusedBits => "unused-bits",
            Self::NoAlternative => "no-alternative",
            Self::Additions => "additions",
            Self::EmptyGroup => "empty-group",
            Self::Range => "range",
            Self::Size => "size",
            Self::Length => "length",
            Self::EmptyOpenType => "open-type-empty",
            Self::Alphabet => "alphabet",
            Self::Value(fault) => fault.code(),
            Self::Mismatch(_) => "mismatch",
            Self::Unsupported(_) => "unsupported",
            Self::UnknownItem => "enumerated-unknown",
            Self::Depth => "depth-exceeded",
            Self::Elements => "elements-exceeded",
            Self::Output => "output-exceeded",
            Self::Schema => "schema",
        }
    }

    /// The clause of a standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self, standard: Standard) -> Option<&'static str> {
        Some(match (self, standard) {
            (Self::Rule(rule), _) => rule.clause(),
            (Self::NotCanonical(form), _) => form.clause(),
            (Self::Value(fault), _) => fault.clause(),
            (Self::Range, Standard::Per) => "X.691 §11.5",
            (Self::Size | Self::Length, Standard::Per) => "X.691 §11.9",
            (Self::EmptyOpenType, Standard::Per) => "X.691 §11.2.1",
            (Self::Alphabet, Standard::Per) => "X.691 §30.5",
            (Self::UnknownItem, Standard::Per) => "X.691 §14",
            (Self::UnusedBits, _) => "X.696 §13",
            (Self::Length, Standard::Oer) => "X.696 §8.6",
            (Self::NoAlternative, _) => "X.696 §20",
            (Self::Additions | Self::EmptyGroup, _) => "X.696 §16.4",
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the input ends within a value",
            Self::Rule(rule) => rule.text(),
            Self::TrailingData => "data follows the value",
            Self::NotCanonical(form) => form.text(),
            Self::UnusedBits => "unused bits are not zero, or their number is invalid",
            Self::NoAlternative => "the CHOICE has no alternative with this tag",
            Self::Additions => "no extension addition is present after the extension bit",
            Self::EmptyGroup => "an extension addition group without components is present",
            Self::Range => "a number or index is outside its range",
            Self::Size => "the size is outside the size constraint",
            Self::Length => "invalid length determinant",
            Self::EmptyOpenType => "an open type is empty, expected at least one byte",
            Self::Alphabet => "a character is outside the permitted alphabet",
            Self::Value(fault) => fault.text(),
            Self::Mismatch(reason) => reason,
            Self::Unsupported(what) => return write!(f, "encoding rules without tags are not supported for {what}"),
            Self::UnknownItem => "the ENUMERATED has no item with this number",
            Self::Depth => "nesting depth exceeds the budget",
            Self::Elements => "the number of elements exceeds the budget",
            Self::Output => "the output exceeds the budget",
            Self::Schema => "the schema does not define a type",
        })
    }
}

impl Error {
    /// The message, without path, offset and clause.
    #[must_use]
    pub fn message(&self) -> String {
        self.limit.clone().unwrap_or_else(|| self.kind.to_string())
    }

    /// The clause of the standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        self.kind.clause(self.standard)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message())?;
        match (self.bit, self.standard) {
            (Some(bit), Standard::Per) => write!(f, ", at bit {bit}")?,
            (Some(bit), Standard::Oer) => write!(f, ", at byte {}", bit / 8)?,
            (None, _) => {}
        }
        match self.clause() {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// A step of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'s> {
    /// A component or an alternative.
    Name(&'s str),
    /// An element of a list.
    Item(usize),
}

/// Formats a path.
#[must_use]
pub fn path(steps: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Step::Item(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
