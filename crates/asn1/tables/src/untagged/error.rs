//! Errors of all encoding rules without tags.

use std::fmt;

use tagwise_codec::FaultKind;
use {tagwise_per as per, tagwise_xer as xer};

use crate::untagged::{Rule, bits};

/// An error in an encoding, or in a value to encode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An error under PER or OER.
    Packed(per::Error),
    /// An error under XER.
    Xml(xer::Error),
}

impl Error {
    /// The path of the component. Empty for the outermost value.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Packed(error) => &error.path,
            Self::Xml(error) => &error.path,
        }
    }

    /// The offset in the input, in bits. `None` for errors in values to encode.
    #[must_use]
    pub fn bit(&self) -> Option<u64> {
        match self {
            Self::Packed(error) => error.bit,
            Self::Xml(error) => error.offset.map(bits),
        }
    }

    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Packed(error) => error.kind.code(),
            Self::Xml(error) => error.kind.code(),
        }
    }

    /// Returns whether a budget or an implementation limit was exceeded. The input may be valid.
    #[must_use]
    pub const fn is_limit(&self) -> bool {
        match self {
            Self::Packed(error) => error.kind.is_limit(),
            Self::Xml(error) => error.kind.is_limit(),
        }
    }

    /// The clause of the standard, if the error is a violation of one.
    #[must_use]
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Self::Packed(error) => error.clause(),
            Self::Xml(error) => error.kind.clause(),
        }
    }

    /// The message, without path, offset and clause.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Packed(error) => error.message(),
            Self::Xml(error) => error.message(),
        }
    }

    /// The violated rule, if it can be tolerated: by a [tolerance](super::Untagged::tolerating), or by
    /// [options](super::Untagged::options) for constraints.
    #[must_use]
    pub const fn rule(&self) -> Option<Rule> {
        match self {
            Self::Packed(per::Error { kind: per::Kind::Rule(rule), .. }) => Some(Rule::Per(*rule)),
            Self::Xml(xer::Error { kind: xer::Kind::Rule(rule), .. }) => Some(Rule::Xer(*rule)),
            Self::Packed(per::Error { allowance: Some(rule), .. }) => Some(Rule::Constraint(rule)),
            Self::Xml(xer::Error { kind: xer::Kind::Value(FaultKind::Value), .. }) => {
                Some(Rule::Constraint(&tagwise_codec::Rule::VALUE))
            }
            Self::Xml(xer::Error { kind: xer::Kind::Value(FaultKind::Size), .. }) => {
                Some(Rule::Constraint(&tagwise_codec::Rule::SIZE))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packed(error) => error.fmt(f),
            Self::Xml(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
