//! Compile-time error for constraints that need the type's table when the `dynamic` feature is off.

use crate::encode::EncodeError;
use crate::fault::Fault;

/// A bound that no type satisfies. Derived code that needs the feature `dynamic` therefore does not compile without it.
#[diagnostic::on_unimplemented(
    message = "this constraint is checked using the type's table, which requires the feature `dynamic`",
    label = "`with_components`, `constraints`, `constrained_by` or `contents`",
    note = "enable the feature `dynamic` of `tagwise-codec` or `tagwise`"
)]
pub trait DynamicValues {}

/// Checks a decoded component against table-driven constraints.
///
/// # Errors
/// Returns an error if a constraint is violated.
pub fn component_obeys<R: DynamicValues, P, F, C>(_reader: R, _at: P, _field: F, _judged: C) -> Result<(), Fault> {
    Ok(())
}

/// Checks an encoded component against table-driven constraints.
///
/// # Errors
/// Returns an error if a constraint is violated.
pub fn component_written<W: DynamicValues, M, F, C>(
    _writer: W,
    _mark: M,
    _field: F,
    _judged: C,
) -> Result<(), EncodeError> {
    Ok(())
}

/// Checks a decoded newtype against table-driven constraints.
///
/// # Errors
/// Returns an error if a constraint is violated.
pub fn newtype_obeys<R: DynamicValues, P, T, C>(
    _reader: R,
    _at: P,
    _ty: T,
    _whole: bool,
    _judged: C,
) -> Result<(), Fault> {
    Ok(())
}

/// Checks an encoded newtype against table-driven constraints.
///
/// # Errors
/// Returns an error if a constraint is violated.
pub fn newtype_written<W: DynamicValues, M, T, C>(
    _writer: W,
    _mark: M,
    _ty: T,
    _whole: bool,
    _judged: C,
) -> Result<(), EncodeError> {
    Ok(())
}
