//! Without an allocator: what generated code asks for where constraints are judged by the table. It does not compile, and says why.

use crate::encode::EncodeError;
use crate::fault::Fault;

/// An allocator for the codec.
#[diagnostic::on_unimplemented(
    message = "this constraint is judged by the type's table, which takes an allocator",
    label = "`with_components`, `constraints`, `constrained_by` or `contents`",
    note = "switch the feature `alloc` of `tagwise-codec`, or of `tagwise`, on"
)]
pub trait Allocator {}

/// Holds a component that was read to constraints that are judged by its table.
///
/// # Errors
/// If it does not obey.
pub fn component_obeys<R: Allocator, P, F, C>(_reader: R, _at: P, _field: F, _judged: C) -> Result<(), Fault> {
    Ok(())
}

/// Holds a component that was written to constraints that are judged by its table.
///
/// # Errors
/// If it does not obey.
pub fn component_written<W: Allocator, M, F, C>(
    _writer: W,
    _mark: M,
    _field: F,
    _judged: C,
) -> Result<(), EncodeError> {
    Ok(())
}

/// Holds a value that was read to constraints that are judged by the table of its type.
///
/// # Errors
/// If it does not obey.
pub fn newtype_obeys<R: Allocator, P, T, C>(_reader: R, _at: P, _ty: T, _whole: bool, _judged: C) -> Result<(), Fault> {
    Ok(())
}

/// Holds a value that was written to constraints that are judged by the table of its type.
///
/// # Errors
/// If it does not obey.
pub fn newtype_written<W: Allocator, M, T, C>(
    _writer: W,
    _mark: M,
    _ty: T,
    _whole: bool,
    _judged: C,
) -> Result<(), EncodeError> {
    Ok(())
}
