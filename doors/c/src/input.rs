//! Values found in inputs of any format.

use std::mem::MaybeUninit;

use tagwise::input::{Found, find};

use crate::bytes::{Wiped, put, tagwise_bytes};
use crate::error::tagwise_error;
use crate::options::tagwise_options;

/// The values found in an input. Values returned by its functions are borrowed from it. Immutable: threads may share it.
pub struct tagwise_input {
    form: &'static str,
    values: Vec<Value>,
}

/// A value, or an error in place of an unreadable one.
struct Value {
    kind: &'static str,
    words: String,
    label: Option<String>,
    entry: Option<String>,
    line: usize,
    offset: usize,
    /// The encoding. It is overwritten on drop because it may be a private key.
    der: Wiped,
    /// The error's code and message, if the value is unreadable.
    fault: Option<(&'static str, String)>,
}

/// A value found in an input.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_input_value {
    /// The kind, as in the output of `tagwise show --json`: `certificate`, `crl`, `certification-request`, `private-key` and
    /// others. It is `other` for unsupported values, and `unreadable` for unreadable ones.
    kind: tagwise_bytes,
    /// A description of the kind.
    description: tagwise_bytes,
    /// The value in DER, even if the input is BER. Empty if the text could not be decoded.
    der: tagwise_bytes,
    /// The label of the PEM block. Absent if the value is not in one.
    label: tagwise_bytes,
    /// The name of the archive member that contains the value. Absent if there is none.
    entry: tagwise_bytes,
    /// The line number of the PEM block, from 1; 0 if there is none.
    line: usize,
    /// The byte offset in the input or in the decoded text.
    offset: usize,
    /// The code of the error in the value's encoding. Absent if there is none.
    error_code: tagwise_bytes,
    /// The error's message. Absent if there is none.
    error_text: tagwise_bytes,
}

/// Finds all values in an input, as `tagwise show` does: PEM, DER, BER, hexadecimal, base64, tar, zip, gzip, zstd, CSV,
/// certdata.txt, keystores, entries of CT logs, and base64 in other text. An input without values is not an error. An unreadable
/// value is listed with its error.
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

/// Returns the format of an input, such as `PEM`, `DER` or `gzip`, or `unknown`.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input_form(input: Option<&tagwise_input>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(input.map(|input| input.form.as_bytes())))
}

/// Gets the value at the given index, counted from 0. Returns false after the last one.
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
