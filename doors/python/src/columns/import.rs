//! Imports arrays and streams from capsules of Arrow's PyCapsule interface.
//!
//! The capsules' contents are C structures from another library of the process. Their buffers are validated before use, except
//! for their lengths, which Arrow's C data interface does not state.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayRef, make_array};
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::arrow;

/// Imports an array from the capsules `arrow_schema` and `arrow_array`.
pub(super) fn array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?;
    let array = array.pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: a capsule with this name contains an initialized ArrowSchema or ArrowArray, and the consumer moves it out (Arrow's
    // PyCapsule interface). Both are used only while the interpreter is attached, so nobody else moves them at the same time. A
    // structure that was moved before is released, which `from_raw` preserves and the check below rejects.
    #[expect(unsafe_code, reason = "Arrow's C data interface")]
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr().cast()), FFI_ArrowArray::from_raw(array.as_ptr().cast())) };
    if array.is_released() || schema.release().is_none() {
        return Err(arrow(&ArrowError::CDataInterface("the array was already consumed".to_owned())));
    }
    // SAFETY: the producer guarantees that the array matches the schema (Arrow's C data interface).
    #[expect(unsafe_code, reason = "Arrow's C data interface")]
    let data = unsafe { from_ffi(array, &schema) }.map_err(|error| arrow(&error))?;
    data.validate_full().map_err(|error| arrow(&error))?;
    Ok(make_array(data))
}

/// Imports a stream from the capsule `arrow_array_stream`.
pub(super) fn stream(stream: &Bound<'_, PyCapsule>) -> PyResult<ArrayStreamReader> {
    let stream = stream.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule with this name contains an initialized ArrowArrayStream, and the consumer moves it out. A stream that was
    // moved before is released, which `try_new` rejects.
    #[expect(unsafe_code, reason = "Arrow's C stream interface")]
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr().cast()) };
    ArrayStreamReader::try_new(stream).map_err(|error| arrow(&error))
}
