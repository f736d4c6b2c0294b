//! Trust anchor ID patterns: a range for each component.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use tagwise_codec::RelativeOid;

use crate::TrustAnchorId;
use crate::error::{Error, ErrorKind};
use crate::id::put_decimal;

/// A trust anchor ID pattern (draft-ietf-tls-trust-anchor-ids-06 §4.1): a minimum and maximum for each component, where
/// the maximum may be infinite.
///
/// ```
/// use tagwise_mtc::TrustAnchorPattern;
/// let pattern: TrustAnchorPattern = "32473.{123-456}.{789-}".parse()?;
/// assert!(pattern.contains(&"32473.123.789".parse()?));
/// assert!(!pattern.contains(&"32473.457.789".parse()?));
/// assert_eq!(pattern.to_string(), "32473.{123-456}.{789-}");
/// # Ok::<(), tagwise_mtc::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TrustAnchorPattern(Vec<u8>);

/// The encoding of an infinite maximum.
const INFINITY: u8 = 0x80;

impl TrustAnchorPattern {
    /// Decodes a pattern from its bytes.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Pattern`] if the pattern is malformed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let fail = |rest: &[u8]| Error::new(ErrorKind::Pattern, bytes.len().saturating_sub(rest.len()));
        if bytes.is_empty() || bytes.len() > 255 {
            return Err(fail(bytes));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let (min, after) = number(rest).ok_or_else(|| fail(rest))?;
            let (max, after) = bound(after).ok_or_else(|| fail(after))?;
            if max.is_some_and(|max| compare(min, max) == Ordering::Greater) {
                return Err(fail(rest));
            }
            rest = after;
        }
        Ok(Self(bytes.to_vec()))
    }

    /// Creates a pattern from a base ID and a range for each further component. A maximum of `None` means no limit.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Pattern`] if a range is invalid.
    pub fn new(base: &TrustAnchorId, ranges: &[(u64, Option<u64>)]) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let mut rest = base.as_bytes();
        while let Some((component, after)) = number(rest) {
            bytes.extend_from_slice(component);
            bytes.extend_from_slice(component);
            rest = after;
        }
        for (min, max) in ranges {
            crate::id::put_component(&mut bytes, *min);
            match max {
                Some(max) => crate::id::put_component(&mut bytes, *max),
                None => bytes.push(INFINITY),
            }
        }
        Self::from_bytes(&bytes)
    }

    /// Returns the pattern's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns whether an ID matches: it has as many components as the pattern, each within its range.
    #[must_use]
    pub fn contains(&self, id: &TrustAnchorId) -> bool {
        let (mut pattern, mut id) = (self.0.as_slice(), id.as_bytes());
        while !pattern.is_empty() {
            let Some((min, after)) = number(pattern) else { return false };
            let Some((max, after)) = bound(after) else { return false };
            let Some((component, rest)) = number(id) else { return false };
            if compare(component, min) == Ordering::Less
                || max.is_some_and(|max| compare(component, max) == Ordering::Greater)
            {
                return false;
            }
            (pattern, id) = (after, rest);
        }
        id.is_empty()
    }

    fn ranges(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
        let mut rest = self.0.as_slice();
        core::iter::from_fn(move || {
            let (min, after) = number(rest)?;
            let (max, after) = bound(after)?;
            rest = after;
            Some((min, max))
        })
    }
}

/// Splits off a minimal base-128 number. Returns the number and the remaining bytes.
fn number(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = bytes.iter().position(|byte| *byte < 0x80)?.saturating_add(1);
    let (number, rest) = bytes.split_at_checked(len)?;
    (number.first() != Some(&0x80)).then_some((number, rest))
}

/// Splits off a maximum, which is a number, or `None` for infinity.
fn bound(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    match bytes {
        [INFINITY, rest @ ..] => Some((None, rest)),
        _ => number(bytes).map(|(number, rest)| (Some(number), rest)),
    }
}

/// Compares numbers in minimal base-128 by length, then by bytes.
fn compare(one: &[u8], other: &[u8]) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

impl FromStr for TrustAnchorPattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        let mut at = 0usize;
        for part in text.split('.') {
            let fail = |_kind| Error::new(ErrorKind::Pattern, at);
            let range = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
            match range.map(|range| range.split_once('-')) {
                None => {
                    put_decimal(&mut bytes, part).map_err(fail)?;
                    put_decimal(&mut bytes, part).map_err(fail)?;
                }
                Some(Some((min, ""))) => {
                    put_decimal(&mut bytes, min).map_err(fail)?;
                    bytes.push(INFINITY);
                }
                Some(Some((min, max))) => {
                    put_decimal(&mut bytes, min).map_err(fail)?;
                    put_decimal(&mut bytes, max).map_err(fail)?;
                }
                Some(None) => return Err(fail(ErrorKind::Pattern)),
            }
            if bytes.len() > 255 {
                return Err(fail(ErrorKind::Pattern));
            }
            at = at.saturating_add(part.len()).saturating_add(1);
        }
        Self::from_bytes(&bytes)
    }
}

impl fmt::Display for TrustAnchorPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |number: &[u8], f: &mut fmt::Formatter<'_>| match RelativeOid::from_content(number) {
            Ok(number) => number.fmt(f),
            Err(fault) => fault.fmt(f),
        };
        for (index, (min, max)) in self.ranges().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            if max == Some(min) {
                show(min, f)?;
                continue;
            }
            f.write_str("{")?;
            show(min, f)?;
            f.write_str("-")?;
            if let Some(max) = max {
                show(max, f)?;
            }
            f.write_str("}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for TrustAnchorPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TrustAnchorPattern({self})")
    }
}
