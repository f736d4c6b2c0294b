//! Strings that contain an encoding: its type and encoding rules (X.682 §11).

#[cfg(feature = "dynamic")]
use crate::table::Type;
use crate::table::{Constraint, Field, TypeRef};

/// The supported encoding rules, by their identifiers in X.690 §12.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// BER: `{joint-iso-itu-t asn1(1) basic-encoding(1)}`.
    Basic,
    /// CER: `{joint-iso-itu-t asn1(1) ber-derived(2) canonical-encoding(0)}`.
    Canonical,
    /// DER: `{joint-iso-itu-t asn1(1) ber-derived(2) distinguished-encoding(1)}`.
    Distinguished,
    /// Other rules, which are ignored.
    Other,
}

impl Encoding {
    /// Returns the encoding rules whose object identifier has the given content bytes.
    pub(crate) fn of(oid: &[u8]) -> Self {
        match oid {
            [0x51, 1] => Self::Basic,
            [0x51, 2, 0] => Self::Canonical,
            [0x51, 2, 1] => Self::Distinguished,
            _ => Self::Other,
        }
    }

    /// Returns the encoding rules that the constraints specify, if any.
    pub(crate) fn among(constraints: &[Constraint]) -> Option<Self> {
        constraints.iter().find_map(|constraint| match constraint {
            Constraint::EncodedBy(oid) => Some(Self::of(oid)),
            _ => None,
        })
    }

    /// Returns whether a string's contained encoding is decoded as a value, because it uses the same encoding rules as the
    /// surrounding data.
    pub(crate) fn is_inline(encoding: Option<Self>) -> bool {
        matches!(encoding, None | Some(Self::Distinguished))
    }
}

/// Returns the type that a string type contains, if its content is decoded as a value.
#[cfg(feature = "dynamic")]
#[inline]
pub(crate) fn contained(ty: &Type) -> Option<TypeRef> {
    // Most types have no constraints.
    if ty.constraints.is_empty() { None } else { inline(&ty.constraints, None) }
}

/// Returns the type that a string component contains, if its content is decoded as a value.
#[inline]
pub(crate) fn contained_in(field: &Field) -> Option<TypeRef> {
    if field.constraints.is_empty() && field.containing.is_none() {
        return None;
    }
    inline(&field.constraints, field.containing)
}

/// Returns the contained type, or `None` if its value is encoded under other rules and must stay as bytes.
fn inline(constraints: &[Constraint], contained: Option<TypeRef>) -> Option<TypeRef> {
    let contained = contained.or_else(|| Constraint::containing(constraints))?;
    Encoding::is_inline(Encoding::among(constraints)).then_some(contained)
}
