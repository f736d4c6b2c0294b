//! Object identifiers: content bytes, dotted text and names. Equal identifiers have equal content bytes.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::value::{from_dotted, from_dotted_relative};
use tagwise::codec::{Oid, RelativeOid};
use tagwise::pkix::oids;

use crate::bytes::{tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};

/// Converts the content bytes of an object identifier to dotted text, such as `2.5.29.17`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_oid_text(
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(Oid::from_content(oid.get()?)?.to_string())))
}

/// Returns the content bytes of an object identifier, given as dotted text or by name, such as `subjectAltName`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_oid_from_text(
    text: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let text = terminated(text, "text")?;
        let named = || oids::by_name(text).map(|info| info.oid.as_bytes().to_vec());
        let oid = from_dotted(text).or_else(named);
        Ok(tagwise_buffer::new(oid.ok_or_else(|| Problem::argument(format!("`{text}` is not an object identifier")))?))
    })
}

/// Returns the name of an object identifier, such as `subjectAltName`, or absent bytes if its name is unknown. The name is
/// static and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_oid_name(oid: tagwise_bytes) -> tagwise_bytes {
    guard!({
        let found = oid.get().ok().and_then(|content| Oid::from_content(content).ok()).and_then(oids::lookup);
        tagwise_bytes::of_option(found.map(|info| info.name.as_bytes()))
    })
}

/// Returns whether two object identifiers are equal, or false if either is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_oid_equal(one: tagwise_bytes, other: tagwise_bytes) -> bool {
    guard!(same(one, other))
}

pub(crate) fn same(one: tagwise_bytes, other: tagwise_bytes) -> bool {
    !one.is_absent() && !other.is_absent() && matches!((one.get(), other.get()), (Ok(one), Ok(other)) if one == other)
}

/// Converts the content bytes of a RELATIVE-OID to dotted text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_relative_oid_text(
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(RelativeOid::from_content(oid.get()?)?.to_string())))
}

/// Converts dotted text to the content bytes of a RELATIVE-OID.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_relative_oid_from_text(
    text: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let text = terminated(text, "text")?;
        let oid = from_dotted_relative(text);
        Ok(tagwise_buffer::new(
            oid.ok_or_else(|| Problem::argument(format!("`{text}` is not a relative object identifier")))?,
        ))
    })
}
