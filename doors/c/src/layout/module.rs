//! The ASN.1 modules embedded in generated code.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use tagwise::tables::{Departure, Limits, Schema as Compiled, SchemaOptions, Source};

use crate::bytes::{List, terminated};
use crate::error::Problem;

use super::foreign;

/// The text of a module file, as a list of pieces to concatenate.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_layout_source {
    /// The name of the file.
    name: *const c_char,
    /// The pieces of its text.
    pieces: *const *const c_char,
    /// The number of pieces.
    count: usize,
}

/// The ASN.1 modules of generated code. They are compiled once for all threads, when the first value is decoded or encoded,
/// and are kept until tagwise_layout_module_unload().
#[repr(C)]
#[derive(Debug)]
pub struct tagwise_layout_module {
    /// The files.
    sources: *const tagwise_layout_source,
    /// The number of files.
    count: usize,
    /// Names of allowed departures from X.680, separated by commas.
    departures: *const c_char,
    /// NULL at first: the library's own.
    state: *mut c_void,
}

// SAFETY: But for `state`, which is only used as an atomic, a module is constant.
unsafe impl Sync for tagwise_layout_module {}

impl tagwise_layout_module {
    fn state(&self) -> &AtomicPtr<c_void> {
        let state = std::ptr::from_ref(&self.state).cast_mut();
        // SAFETY: `state` is aligned, is not moved (a generated module is static), and nothing else uses it.
        unsafe { AtomicPtr::from_ptr(state) }
    }

    /// The compiled schema.
    pub(super) fn schema(&self) -> Result<Arc<Compiled>, Problem> {
        let state = self.state();
        let mut found = state.load(Ordering::Acquire);
        if found.is_null() {
            let made = Arc::into_raw(Arc::new(self.compile()?)).cast_mut().cast::<c_void>();
            match state.compare_exchange(std::ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => found = made,
                Err(other) => {
                    // SAFETY: `made` came out of `into_raw` above, and nobody else has it.
                    drop(unsafe { Arc::from_raw(made.cast_const().cast::<Compiled>()) });
                    found = other;
                }
            }
        }
        let held = found.cast_const().cast::<Compiled>();
        // SAFETY: What is in `state` came out of `into_raw`, and the count that this stands for is given back only when nothing runs.
        unsafe {
            Arc::increment_strong_count(held);
            Ok(Arc::from_raw(held))
        }
    }

    fn compile(&self) -> Result<Compiled, Problem> {
        let mut sources = Vec::new();
        for source in List::new(self.sources, self.count).get()? {
            let mut text = String::new();
            for piece in List::new(source.pieces, source.count).get()? {
                text.push_str(terminated(*piece, "a piece of a module")?);
            }
            sources.push(Source::new(terminated(source.name, "the name of a module's file")?, text.as_str()));
        }
        let mut options = SchemaOptions::within(Limits::DEFAULT);
        for name in terminated(self.departures, "departures")?.split(',').filter(|name| !name.is_empty()) {
            let departure = Departure::ALL.iter().copied().find(|departure| departure.name() == name);
            options = options.allow(departure.ok_or_else(|| foreign(name))?);
        }
        Compiled::compile_with(sources, &options).map_err(|error| foreign(&error.to_string()))
    }
}

/// Frees the tables of generated code, which are created on first use. Call it after the last decoding, or before unloading
/// the library. No other function of the generated code may run at the same time; a later call creates the tables again.
/// Decoded values remain valid. For generated code.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_layout_module_unload(module: Option<&tagwise_layout_module>) {
    guard!({
        if let Some(module) = module {
            let found = module.state().swap(std::ptr::null_mut(), Ordering::AcqRel);
            if !found.is_null() {
                // SAFETY: What is in `state` came out of `into_raw`, and the count that this stands for is given back once: it was taken out.
                drop(unsafe { Arc::from_raw(found.cast_const().cast::<Compiled>()) });
            }
        }
    })
}
