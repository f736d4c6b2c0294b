//! Describes a violated numeric constraint: `the value is 500; allowed 0..255`.

use alloc::string::String;
use core::fmt::Write;

use super::size::size;
use crate::__private::Number as _;
use crate::kind::FaultKind;
use crate::table::{Constraint, Range, Shape};
use crate::types::Int;

/// The quantity that a constraint limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    Size,
    Value,
}

impl Measured {
    /// Returns the quantity that a fault of this kind is about.
    pub(super) fn by(kind: FaultKind) -> Option<Self> {
        match kind {
            FaultKind::Size => Some(Self::Size),
            FaultKind::Value | FaultKind::IntegerRange => Some(Self::Value),
            _ => None,
        }
    }

    /// Returns the ranges of a constraint, if it limits this quantity and is not extensible.
    pub(super) fn ranges(self, constraint: &Constraint) -> Option<&[Range]> {
        match (self, constraint) {
            (Self::Size, Constraint::Size { ranges, extensible: false })
            | (Self::Value, Constraint::Value { ranges, extensible: false }) => Some(ranges),
            _ => None,
        }
    }
}

/// The maximum number of ranges to print.
const SHOWN: usize = 4;

/// Describes the measured quantity of an element with this content, and the ranges that it violates. Returns `None` if the
/// element has no such quantity, or if all ranges are satisfied, because then something else is wrong.
///
/// `counted` returns the size, if it is not that of the content.
pub(super) fn describe(
    measured: Measured,
    shape: &Shape,
    content: &[u8],
    counted: impl FnOnce() -> Option<usize>,
    limits: &[&[Range]],
) -> Option<String> {
    let mut text = String::new();
    let broken = match (measured, shape) {
        (Measured::Value, Shape::Integer(_)) if !content.is_empty() => {
            let number = Int::from_signed(content);
            let outside = |ranges: &&&[Range]| !ranges.iter().any(|range| number.within(range.min, range.max));
            let broken = limits.iter().find(outside)?;
            // Writing to a String does not fail.
            let _ = match i128::try_from(number) {
                Ok(number) => write!(text, "the value is {number}"),
                Err(_) => write!(text, "the value has {} bytes", content.len()),
            };
            broken
        }
        (Measured::Size, shape) => {
            let size = match counted() {
                Some(size) => size,
                None => size(shape, content)?,
            };
            let number = i128::try_from(size).ok()?;
            // Named bits have as many zero bits at their end as a size requires (X.680 §22.7).
            let is_named = matches!(shape, Shape::BitString(names) if !names.is_empty());
            let least = |range: &Range| Range { min: range.min.filter(|_| !is_named), ..*range };
            let broken = limits.iter().find(|ranges| !ranges.iter().any(|range| least(range).contains(number)))?;
            let _ = write!(text, "the size is {size}");
            broken
        }
        _ => return None,
    };
    text.push_str("; allowed ");
    for (index, range) in broken.iter().take(SHOWN).enumerate() {
        if index > 0 {
            text.push_str(" or ");
        }
        let _ = match (range.min, range.max) {
            (Some(min), Some(max)) if min == max => write!(text, "{min}"),
            (Some(min), Some(max)) => write!(text, "{min}..{max}"),
            (Some(min), None) => write!(text, "{min} or more"),
            (None, Some(max)) => write!(text, "{max} or less"),
            (None, None) => write!(text, "any"),
        };
    }
    if broken.len() > SHOWN {
        text.push_str(" or others");
    }
    Some(text)
}
