//! Any text as a schema: laid out, compiled, made into tables and into reference pages, with the memory of each held to what the
//! default limits allow.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;
use tagwise_codegen::emit::{doc, rust};
use tagwise_codegen::lower::lower;
use tagwise_codegen::overlay::Overlay;
use tagwise_schema::{Limits, Source, compile_within, layout_within};
use tagwise_tables::Schema;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The default limits with a smaller start: the engine itself has no more than two gigabytes.
const LIMITS: Limits = {
    let mut limits = Limits::DEFAULT;
    limits.bytes = 4 << 20;
    limits
};

/// Runs something that takes no more memory than some times the allowance: what is counted, what is made before it is counted,
/// and what lives for a moment besides.
fn held<T>(what: &str, text: usize, run: impl FnOnce() -> T) -> T {
    let bound = 4 * LIMITS.allowance(text) as usize + (1 << 20);
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let made = run();
    let taken = ALLOCATED.peak_usage().saturating_sub(before);
    assert!(taken <= bound, "{what} takes {taken} bytes for {text} of text, more than {bound}");
    made
}

fuzz_target!(|octets: &[u8]| {
    let source = Source::from_bytes("fuzz", octets);
    let text = source.text().len();
    let _ = held("the layout", text, || layout_within(&source, &LIMITS));
    let compilation = held("the compilation", text, || compile_within(vec![source.clone()], &LIMITS));
    held("what is wrong", text, || compilation.render());
    let Some(model) = compilation.model() else { return };
    // As the builder has it: what tables are too large for is too large for files.
    let tables = held("the tables", text, || Schema::from_model(model));
    if tables.is_err_and(|problems| problems.iter().any(|one| one.is_limit)) {
        return;
    }
    let overlay = Overlay::default();
    let Ok(plan) = held("the plan", text, || lower(model, &overlay)) else { return };
    let _ = held("the pages", text, || doc::emit(&plan, doc::PageFormat::Html));
    let _ = held("the code", text, || rust::emit(&plan, &rust::Options::default()));
});
