//! The public decoding error: a fault with its path and, if helpful, the value found.

use core::fmt;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String};

use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Registered;
use crate::table::Type;
#[cfg(feature = "alloc")]
use crate::{
    engine::{Tables, locate},
    tag::Tag,
};

/// A decoding error: its kind, absolute offset, path and clause. One word in size. Without the `alloc` feature it has
/// no path.
///
/// ```
/// use tagwise_codec::{Decode, Int, FaultKind};
/// let error = Int::from_der(&[0x05, 0x00]).unwrap_err();
/// assert_eq!(error.kind(), FaultKind::UnexpectedTag);
/// assert_eq!(error.to_string(), "expected INTEGER, found NULL, at byte 0 (X.690 §8.1.2)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    #[cfg(feature = "alloc")]
    inner: Box<Inner>,
    #[cfg(not(feature = "alloc"))]
    fault: Fault,
}

#[cfg(feature = "alloc")]
#[derive(Clone, PartialEq, Eq)]
struct Inner {
    fault: Fault,
    path: String,
    found: Option<Tag>,
    rule: Option<&'static crate::rule::Rule>,
    /// The value that violates a constraint, and the allowed range, as text.
    limit: Option<String>,
    secret: bool,
}

impl Error {
    /// Adds a path to a fault found while decoding `input` as `ty`, by walking the table to the fault's offset.
    ///
    /// Offsets must be relative to `input`.
    #[cold]
    #[must_use]
    pub fn locate(fault: Fault, ty: &'static Type, input: &[u8]) -> Self {
        Self::locate_at(fault, ty, input, 0)
    }

    /// Like [`Error::locate`], for an `input` that is the part at offset `base` of a larger input. The fault's offset is
    /// absolute.
    #[cold]
    #[must_use]
    pub fn locate_at(fault: Fault, ty: &'static Type, input: &[u8], base: usize) -> Self {
        Self::locate_with(fault, ty, input, base, &[])
    }

    /// Like [`Error::locate_at`], for decoding with additional open types that the caller has registered.
    #[cold]
    #[inline(never)]
    #[cfg_attr(not(feature = "alloc"), expect(unused_variables, reason = "the path needs an allocator"))]
    pub(crate) fn locate_with(
        fault: Fault,
        ty: &'static Type,
        input: &[u8],
        base: usize,
        registered: &[Registered],
    ) -> Self {
        #[cfg(feature = "alloc")]
        return Self::locate_in(fault, Tables { schema: None, registered }, ty, input, base);
        #[cfg(not(feature = "alloc"))]
        Self { fault }
    }

    /// Like [`Error::locate_with`], for a type from any schema.
    #[cfg(feature = "alloc")]
    pub(crate) fn locate_in(fault: Fault, tables: Tables<'_>, ty: &Type, input: &[u8], base: usize) -> Self {
        let at = fault.offset().saturating_sub(base);
        let place = locate::place(tables, ty, input, fault, at);
        // An octet of something secret is not shown, not even as a tag.
        let found = (!place.secret
            && matches!(fault.kind(), FaultKind::UnexpectedTag | FaultKind::ChoiceUnknown | FaultKind::SetUnknown))
        .then(|| input.get(at..).and_then(|rest| crate::Reader::new(rest).ok()?.peek().ok()))
        .flatten();
        let rule = (fault.kind() == FaultKind::Profile)
            .then(|| place.rules.iter().copied().find(|rule| rule.id() == fault.detail()))
            .flatten();
        let inner = Inner { fault, path: place.path, found, rule, limit: place.limit, secret: place.secret };
        Self { inner: Box::new(inner) }
    }

    /// The error in a stream's element, whose tag was `found`. The path is left to the stream.
    #[cfg(feature = "stream")]
    pub(crate) fn of_element(fault: Fault, found: Option<Tag>) -> Self {
        let inner = Inner { fault, path: String::new(), found, rule: None, limit: None, secret: false };
        Self { inner: Box::new(inner) }
    }

    /// Returns the error with its offset changed to the position of the invalid bytes in the original source.
    #[cfg(feature = "alloc")]
    #[cfg(feature = "ber")]
    pub(crate) fn moved(mut self, offset: usize) -> Self {
        let fault = self.inner.fault;
        self.inner.fault = Fault::new(fault.kind(), offset).with_detail(fault.detail());
        self
    }

    /// Returns the underlying fault: kind, offset and detail in one word.
    #[must_use]
    pub fn fault(&self) -> Fault {
        #[cfg(feature = "alloc")]
        return self.inner.fault;
        #[cfg(not(feature = "alloc"))]
        return self.fault;
    }

    /// Returns the kind of decoding error.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.fault().kind()
    }

    /// Returns the absolute byte offset of the error.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.fault().offset()
    }

    /// Returns the stable code of the kind, or the profile rule's name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        #[cfg(feature = "alloc")]
        if let Some(rule) = self.inner.rule {
            return rule.name;
        }
        self.kind().code()
    }

    /// Returns the clause of the standard that the input violates.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        #[cfg(feature = "alloc")]
        if let Some(rule) = self.inner.rule {
            return rule.clause;
        }
        self.kind().clause()
    }

    /// Returns the path to the component that caused the error (`tbsCertificate.validity.notAfter`), or an empty path for the
    /// outermost value.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn path(&self) -> &str {
        &self.inner.path
    }

    /// Returns whether the fault is in a value that must not be printed.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.inner.secret
    }

    /// Returns the rule that would tolerate this error, if any.
    #[must_use]
    pub fn rule(&self) -> Option<&'static crate::rule::Rule> {
        #[cfg(feature = "alloc")]
        if let Some(rule) = self.inner.rule {
            return Some(rule);
        }
        self.kind().rule()
    }

    /// Returns the error message, without path and offset.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + '_ {
        Message(self)
    }
}

struct Message<'e>(&'e Error);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fault = self.0.fault();
        let detail = fault.detail();
        #[cfg(feature = "alloc")]
        {
            if let Some(rule) = self.0.inner.rule {
                return write!(f, "breaks {}: {}", rule.name, rule.summary);
            }
            if let Some(limit) = &self.0.inner.limit {
                return f.write_str(limit);
            }
            if let Some(found) = self.0.inner.found {
                match fault.kind() {
                    FaultKind::ChoiceUnknown => {
                        return write!(f, "the CHOICE has no alternative with the tag {found}");
                    }
                    FaultKind::SetUnknown => return write!(f, "the SET has no component with the tag {found}"),
                    _ => {}
                }
                if detail == 0 {
                    return write!(f, "unexpected {found}");
                }
                let class = crate::tag::Class::from_octet(detail);
                // The detail is the first identifier octet: 1F says that the number is a high one.
                return match detail & 0x1F {
                    0x1F => write!(f, "unexpected tag: {found}"),
                    number => write!(f, "expected {}, found {found}", Tag::new(class, u32::from(number), false)),
                };
            }
        }
        match fault.kind() {
            FaultKind::TimeMonth => write!(f, "month {detail} is out of range"),
            FaultKind::TimeDay => write!(f, "day {detail} is out of range for its month"),
            FaultKind::TimeHour => write!(f, "hour {detail} is out of range"),
            FaultKind::TimeMinute => write!(f, "minute {detail} is out of range"),
            FaultKind::TimeSecond => write!(f, "second {detail} is out of range"),
            kind => f.write_str(kind.text()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "alloc")]
        if !self.path().is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}, at byte {} ({})", self.message(), self.offset(), self.clause())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}
