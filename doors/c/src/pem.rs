//! PEM blocks.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Session, pem};
use tagwise::pkix::oids::files::FileKind;
use tagwise::pkix::pem::untrusted;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;

/// A block of a PEM text. Its bytes are borrowed from the text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_pem_block {
    /// The label, such as `CERTIFICATE`.
    label: tagwise_bytes,
    /// The block with its boundaries, for tagwise_pem_decode().
    text: tagwise_bytes,
    /// The line number of its BEGIN boundary, counted from 1 at the start of `rest`.
    line: usize,
}

/// Gets the next block of a text and advances `rest`, which is initially the whole text, past it. Returns false, without
/// setting an error, after the last block.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pem_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    block: Option<&mut MaybeUninit<tagwise_pem_block>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let rest = given(rest, "rest")?;
        let text: &[u8] = rest.get()?;
        let session = Session::new(tagwise_options::pem(options)?);
        let mut blocks = pem::blocks_with(text, &session);
        let Some(found) = blocks.next() else {
            *rest = tagwise_bytes::of(&[]);
            return Ok(false);
        };
        // After an error, what follows the broken block can still be read.
        *rest = tagwise_bytes::of(text.get(text.len().saturating_sub(blocks.rest().len())..).unwrap_or_default());
        let found = found?;
        let whole = text.get(found.begin()..found.end()).unwrap_or_default();
        let label = tagwise_bytes::of(found.label().as_bytes());
        put(block, tagwise_pem_block { label, text: tagwise_bytes::of(whole), line: found.line() });
        Ok(true)
    })
}

/// Decodes the first block with the given label, or the first block of all if `label` is NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pem_decode(
    text: tagwise_bytes,
    label: *const c_char,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let label = if label.is_null() { None } else { Some(terminated(label, "label")?) };
        let session = Session::new(tagwise_options::pem(options)?);
        for block in pem::blocks_with(text.get()?, &session) {
            let block = block?;
            if label.is_none_or(|label| label == block.label()) {
                // It may be a key.
                let der = Wiped(block.decode()?);
                return Ok(tagwise_buffer::secret(&der.0));
            }
        }
        let wanted =
            label.map_or_else(|| "no block".to_owned(), |label| format!("no PEM block with the label `{label}`"));
        Err(Problem::new(crate::error::tagwise_error_kind::Input, "pem-missing", format!("the text has {wanted}")))
    })
}

/// Encodes bytes as a PEM block with the given label.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pem_encode(
    label: *const c_char,
    der: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(pem::encode(terminated(label, "label")?, der.get()?)?)))
}

/// Decodes the first block with a label of the given kind.
pub(crate) fn labelled(
    text: tagwise_bytes,
    kind: &FileKind,
    options: Option<&tagwise_options>,
) -> Result<Vec<u8>, Problem> {
    let session = Session::new(tagwise_options::pem(options)?);
    for block in pem::blocks_with(text.get()?, &session) {
        // A block that is none has no label either; one under another label may be as it likes.
        let block = block?;
        if kind.labels.contains(&block.label()) {
            let mut der = block.decode()?;
            untrusted(block.label(), &mut der);
            return Ok(der);
        }
    }
    let label = kind.labels.first().copied().unwrap_or_default();
    Err(Problem::new(
        crate::error::tagwise_error_kind::Input,
        "pem-missing",
        format!("no PEM block with the label {label}"),
    ))
}
