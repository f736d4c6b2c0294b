//! Conversion of extension values: decoding to a tree, encoding from JSON, and access to single fields. Supports every
//! extension whose type is known.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::table::{Shape, Type};
use tagwise::codec::value::{Dynamic, Found, PathError, Types, Value, from_dotted};
use tagwise::codec::{BitStr, Oid, OpenType as _, Reader};
use tagwise::input::known;
use tagwise::jer;
use tagwise::pkix::ext::ExtensionValue;
use tagwise::pkix::oids;

use crate::bytes::{given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::element::tagwise_element;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::extension::tagwise_extension;
use crate::options::tagwise_options;
use crate::schema::{tagwise_value, universal};

/// Returns the type of an extension's value.
fn typed(oid: tagwise_bytes) -> Result<Dynamic<'static>, Problem> {
    let oid = Oid::from_content(oid.get()?)?;
    let in_certificates = ExtensionValue::set().find(oid.as_bytes()).and_then(|object| object.ty.get(None));
    let found: Option<&'static Type> = in_certificates.or_else(|| known::extension(oid));
    found.map(Dynamic::new).ok_or_else(|| {
        let message = format!("the extension {oid} has no known type");
        Problem::new(tagwise_error_kind::Unsupported, "unknown-extension", message)
    })
}

/// Returns the values that a path selects.
pub(crate) fn select<'v, 'a>(
    value: &'v Value<'a>,
    types: Types<'a>,
    path: &str,
) -> Result<Vec<Found<'v, 'a>>, Problem> {
    value.select(types, path, &identifier).map_err(|error| wrong(&error))
}

fn wrong(error: &PathError) -> Problem {
    Problem::argument(error.to_string())
}

/// Returns the content bytes of an object identifier that a path contains by name or in dotted form.
fn identifier(name: &str) -> Option<Vec<u8>> {
    from_dotted(name).or_else(|| oids::by_name(name).map(|info| info.oid.as_bytes().to_vec()))
}

/// Returns the values of the named bit at the end of a path: true if it is set, for each BIT STRING that the path selects.
/// Returns `None` if the path does not end with the name of a bit.
fn bits<'a>(value: &Value<'a>, types: Types<'a>, path: &str) -> Option<Vec<bool>> {
    let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
    let found = value.select(types, outer, &identifier).ok()?;
    let mut set = Vec::new();
    for value in found.iter().filter_map(|found| found.value) {
        let Shape::BitString(named) = &value.base().shape else { return None };
        let bit = named.iter().find(|bit| *bit.name == *name)?;
        let bits = value.view::<BitStr<'_>>()?;
        set.push(u64::try_from(bit.number).is_ok_and(|bit| bits.bit(bit) == Some(true)));
    }
    Some(set)
}

/// All byte values in order, as content of one byte that is not part of any input.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates the constant")]
static BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
};

/// Returns static content of up to one byte, such as that of a BOOLEAN.
fn constant(content: &[u8]) -> Option<&'static [u8]> {
    match content {
        [] => Some(&[]),
        [byte] => BYTES.get(usize::from(*byte)).map(std::slice::from_ref),
        _ => None,
    }
}

/// Converts a selected value to an element of the input from which it was decoded.
fn element(found: &Found<'_, '_>, types: Types<'_>, input: &[u8]) -> Result<tagwise_element, Problem> {
    let detached = || {
        let message = "the value is not in the input as it is: use tagwise_extension_decode()";
        Problem::new(tagwise_error_kind::Unsupported, "detached", message)
    };
    let inside = |part: &[u8]| {
        input.as_ptr_range().start <= part.as_ptr() && part.as_ptr_range().end <= input.as_ptr_range().end
    };
    let Some(value) = found.value else {
        let of_default = |value: &Value<'_>| {
            let content = constant(value.content()?)?;
            Some(tagwise_element::leaf(universal(value.base()), content, 0))
        };
        let default = found.default.and_then(|field| types.with_default(field, of_default));
        return default.flatten().ok_or_else(detached);
    };
    if let Some(content) = value.content() {
        let content = if inside(content) { Some(content) } else { constant(content) };
        return Ok(tagwise_element::leaf(universal(value.base()), content.ok_or_else(detached)?, value.offset()));
    }
    let whole = value.as_bytes().filter(|whole| inside(whole)).ok_or_else(detached)?;
    let read = || {
        let mut reader = Reader::new(whole)?;
        let (tag, len) = reader.header()?;
        Ok((tag, reader.take(len)?))
    };
    let (tag, content) = read().map_err(|fault| Problem::fault(fault, whole, value.offset()))?;
    Ok(tagwise_element::new(tag, whole, content, value.offset()))
}

/// Decodes an extension's value as a tree, with the type of the extension. The tree can be walked node by node, or written
/// as JSON or text.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_extension_decode(
    extension: Option<&tagwise_extension>,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_value>> {
    guard!(error, {
        let extension = given(extension, "extension")?;
        let dynamic = typed(extension.oid)?.options(tagwise_options::of(options)?);
        Ok(Some(Box::new(tagwise_value::decode(dynamic, extension.value.get()?.into(), None)?)))
    })
}

/// Encodes an extension's value in DER, from JSON in the format that tagwise_value_json() writes for
/// tagwise_extension_decode(). `oid` is the extension's identifier (OBJECT IDENTIFIER content bytes).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_extension_encode(
    oid: tagwise_bytes,
    json: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let dynamic = typed(oid)?;
        let value = jer::from_str(&dynamic, json.text()?).map_err(|error| {
            Problem::new(tagwise_error_kind::Encoding, "json", error.to_string()).along(&error.path)
        })?;
        Ok(tagwise_buffer::new(dynamic.encode(&value)?))
    })
}

/// Gets the field at the given index, counted from 0, among those that a path selects in an extension's value. Use the
/// tagwise_element functions to read it. Examples of paths: `cA`, `[0].distributionPoint.fullName`, `keyCertSign`. A path
/// consists of the names of components, alternatives and bits, and of item numbers in brackets. An empty path selects the whole
/// value. A named bit is a BOOLEAN, and an absent component with a DEFAULT has its default value. Returns false, without
/// setting an error, after the last field, or if the component is absent. The element is borrowed from the same owner as the
/// extension.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_extension_get(
    extension: Option<&tagwise_extension>,
    path: *const c_char,
    index: usize,
    options: Option<&tagwise_options>,
    field: Option<&mut MaybeUninit<tagwise_element>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let (extension, path) = (given(extension, "extension")?, terminated(path, "path")?);
        let input = extension.value.get()?;
        let dynamic = typed(extension.oid)?.options(tagwise_options::of(options)?);
        let (value, types) = (dynamic.decode(input)?.value, dynamic.types());
        let found = match value.select(types, path, &identifier) {
            Ok(found) => found,
            Err(error) => {
                let bits = bits(&value, types, path).ok_or_else(|| wrong(&error))?;
                let Some(set) = bits.get(index) else { return Ok(false) };
                let content = BYTES.get(usize::from(u8::from(*set) * 0xFF)).map(std::slice::from_ref);
                put(field, tagwise_element::leaf(1, content.unwrap_or_default(), 0));
                return Ok(true);
            }
        };
        let mut present = found.iter().filter(|found| found.value.is_some() || found.default.is_some());
        let Some(found) = present.nth(index) else { return Ok(false) };
        put(field, element(found, types, input)?);
        Ok(true)
    })
}
