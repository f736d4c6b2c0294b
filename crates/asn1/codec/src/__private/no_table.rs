//! Compile-time error for constraints that need the type's table when the `alloc` feature is off.

use crate::encode::EncodeError;
use crate::fault::Fault;

/// A codec built with an allocator.
#[diagnostic::on_unimplemented(
    message = "this constraint is judged by the type's table, which takes an allocator",
    label = "`with_components`, `constraints`, `constrained_by` or `contents`",
    note = "switch the feature `alloc` of `tagwise-codec`, or of `tagwise`, on"
)]
pub trait Allocator {}

/// Checks a decoded component against table-driven constraints.
///
/// # Errors
/// If a constraint is violated.
pub fn component_obeys<R: Allocator, P, F, C>(_reader: R, _at: P, _field: F, _judged: C) -> Result<(), Fault> {
    Ok(())
}

/// Checks an encoded component against table-driven constraints.
///
/// # Errors
/// If a constraint is violated.
pub fn component_written<W: Allocator, M, F, C>(
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
/// If a constraint is violated.
pub fn newtype_obeys<R: Allocator, P, T, C>(_reader: R, _at: P, _ty: T, _whole: bool, _judged: C) -> Result<(), Fault> {
    Ok(())
}

/// Checks an encoded newtype against table-driven constraints.
///
/// # Errors
/// If a constraint is violated.
pub fn newtype_written<W: Allocator, M, T, C>(
    _writer: W,
    _mark: M,
    _ty: T,
    _whole: bool,
    _judged: C,
) -> Result<(), EncodeError> {
    Ok(())
}
