//! The exported functions. JavaScript calls [`tagwise_input()`], writes the request to that address, calls [`tagwise_call()`], and
//! reads the response from [`tagwise_output()`].
//!
//! A panic or an exhausted stack is a trap. The JavaScript code then discards the instance and creates a new one.
#![allow(unsafe_code, reason = "the attribute that exports a function")]

use std::sync::Mutex;

use crate::{Response, call};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Allocates memory for a request of `len` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_input(len: usize) -> *const u8 {
    let Ok(mut input) = INPUT.lock() else { return std::ptr::null() };
    *input = vec![0; len];
    input.as_mut_ptr().cast_const()
}

/// Answers the request, and returns the kind of response: 0 for JSON, 1 for an error, and 2 for bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_call() -> u32 {
    let request = INPUT.lock().map(|mut input| std::mem::take(&mut *input)).unwrap_or_default();
    let response = call(&request);
    let number = response.number();
    if let Ok(mut output) = OUTPUT.lock() {
        *output = match response {
            Response::Json(bytes) | Response::Error(bytes) | Response::Bytes(bytes) => bytes,
        };
    }
    number
}

/// Returns the address of the response.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_output() -> *const u8 {
    OUTPUT.lock().map_or(std::ptr::null(), |output| output.as_ptr())
}

/// Returns the length of the response.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_output_len() -> usize {
    OUTPUT.lock().map_or(0, |output| output.len())
}

/// Releases the memory of the response.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_release() {
    if let Ok(mut output) = OUTPUT.lock() {
        *output = Vec::new();
    }
}
