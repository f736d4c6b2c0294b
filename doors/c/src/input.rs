//! Input in any form: the values of a file, and PEM blocks.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Session, pem};
use tagwise::input::{Found, find};
use tagwise::pkix::oids::files::FileKind;
use tagwise::pkix::pem::untrusted;

use crate::bytes::{Wiped, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::error::{Problem, tagwise_error};
use crate::options::tagwise_options;

/// The values found in an input. Values that its functions return are borrowed from it. Immutable: threads may share it.
pub struct tagwise_input {
    form: &'static str,
    values: Vec<Value>,
}

/// A value, or an unreadable one.
struct Value {
    kind: &'static str,
    words: String,
    label: Option<String>,
    entry: Option<String>,
    line: usize,
    offset: usize,
    /// It may be a key.
    der: Wiped,
    /// The code of the error and its text.
    fault: Option<(&'static str, String)>,
}

/// A value of an input.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_input_value {
    /// The kind as `tagwise show --json` names it: `certificate`, `crl`, `certification-request`, `private-key` and others;
    /// `other` for what is not supported, and `unreadable`.
    kind: tagwise_bytes,
    /// A description of the kind.
    description: tagwise_bytes,
    /// The bytes: DER, also if the input is BER. Empty if the text could not be decoded.
    der: tagwise_bytes,
    /// The label of the PEM block; absent if there is none.
    label: tagwise_bytes,
    /// The archive member that contains it; absent if there is none.
    entry: tagwise_bytes,
    /// The line of its PEM block, from 1; 0 if there is none.
    line: usize,
    /// The offset in the input, or in the decoded text.
    offset: usize,
    /// The code of the error in the text encoding; absent if there is none.
    error_code: tagwise_bytes,
    /// The error in words; absent if there is none.
    error_text: tagwise_bytes,
}

/// Finds all values in an input of any form: PEM, DER, BER, hexadecimal, base64, zip, gzip, CSV, certdata.txt, keystores, and base64
/// in other text, as `tagwise show` does. An input without values is not an error. An unreadable value is listed with its error.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input_find(
    input: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_input>> {
    guard!(error, {
        let rules = tagwise_options::of(options)?.tolerated();
        let Found { form, items } = find(input.get()?, rules);
        let values = items.into_iter().map(|item| Value {
            kind: item.content.name(),
            words: item.content.words().to_owned(),
            label: item.label,
            entry: item.entry,
            line: item.line.unwrap_or(0),
            offset: item.offset,
            der: Wiped(item.der.into_owned()),
            fault: item.problem.map(|problem| (problem.code, problem.line())),
        });
        Ok(Some(Box::new(tagwise_input { form: form.name(), values: values.collect() })))
    })
}

/// Frees the values of an input; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input_free(input: Option<Box<tagwise_input>>) {
    guard!(drop(input))
}

/// The form of an input: `PEM`, `DER`, `gzip` and others, or `unknown`.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input_form(input: Option<&tagwise_input>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(input.map(|input| input.form.as_bytes())))
}

/// Gives the value of that index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input_get(
    input: Option<&tagwise_input>,
    index: usize,
    value: Option<&mut MaybeUninit<tagwise_input_value>>,
) -> bool {
    guard!({
        input.and_then(|input| input.values.get(index)).is_some_and(|found| {
            let text = |text: Option<&String>| tagwise_bytes::of_option(text.map(String::as_bytes));
            let fault = found.fault.as_ref();
            put(
                value,
                tagwise_input_value {
                    kind: tagwise_bytes::of(found.kind.as_bytes()),
                    description: tagwise_bytes::of(found.words.as_bytes()),
                    der: tagwise_bytes::of(&found.der.0),
                    label: text(found.label.as_ref()),
                    entry: text(found.entry.as_ref()),
                    line: found.line,
                    offset: found.offset,
                    error_code: tagwise_bytes::of_option(fault.map(|(code, _)| code.as_bytes())),
                    error_text: text(fault.map(|(_, text)| text)),
                },
            );
            true
        })
    })
}

/// One block of a text in PEM; its bytes are borrowed from the text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_pem_block {
    /// The label, as `CERTIFICATE`.
    label: tagwise_bytes,
    /// The block, with its boundaries: what tagwise_pem_decode() takes.
    text: tagwise_bytes,
    /// The line of its BEGIN in the rest of the text, counted from 1.
    line: usize,
}

/// Gives the next block of a text and moves `rest`, which starts as the whole text, behind it. Returns false with no error after the last
/// block.
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

/// The bytes of the first block of a text under that label, or under any if `label` is NULL.
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
        let wanted = label.map_or_else(|| "no block".to_owned(), |label| format!("no block `{label}`"));
        Err(Problem::new(crate::error::tagwise_error_kind::Input, "pem-missing", format!("the text has {wanted}")))
    })
}

/// Bytes as one block under that label.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pem_encode(
    label: *const c_char,
    der: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(pem::encode(terminated(label, "label")?, der.get()?)?)))
}

/// The bytes of the first block of a text that a label of the kind denotes.
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
        format!("no PEM block is labelled {label}"),
    ))
}
