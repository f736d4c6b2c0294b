//! Any text through lexer, parser and resolver, under a budget: no panic, no end of memory or patience; what is laid out
//! anew means the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_schema::{Limits, Source, compile_within, layout};

fuzz_target!(|octets: &[u8]| {
    let source = Source::from_bytes("fuzz", octets);
    let mut limits = Limits::DEFAULT;
    limits.instances = 200;
    limits.items = 20_000;
    let compilation = compile_within(vec![source.clone()], &limits);
    let _ = compilation.render();
    assert_eq!(compilation.model().is_some(), compilation.diagnostics().errors() == 0);
    let Ok(text) = layout(&source) else { return };
    let again = Source::new("again", &text);
    let other = compile_within(vec![again.clone()], &limits);
    assert_eq!(other.diagnostics().errors(), compilation.diagnostics().errors(), "{text}");
    assert_eq!(layout(&again).ok().as_deref(), Some(&*text));
});
