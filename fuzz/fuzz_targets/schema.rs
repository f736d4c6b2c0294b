//! Any text through lexer, parser and resolver, under a budget: no panic, no end of memory or patience; what is laid out
//! anew means the same. What compiles becomes tables, by which octets are refused or read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_schema::{Limits, Source, compile_within, layout};
use tagwise_tables::Schema;

fuzz_target!(|octets: &[u8]| {
    let source = Source::from_bytes("fuzz", octets);
    let mut limits = Limits::DEFAULT;
    limits.instances = 200;
    limits.bytes = 4 << 20;
    let compilation = compile_within(vec![source.clone()], &limits);
    let _ = compilation.render();
    assert_eq!(compilation.model().is_some(), compilation.diagnostics().errors() == 0);
    if let Some(Ok(schema)) = compilation.model().map(Schema::from_model) {
        for name in schema.names().iter().take(20) {
            let Ok(ty) = schema.ty(&format!("{}.{}", name.module, name.name)) else { continue };
            for der in [&[][..], &[5, 0], &[0x30, 0], &[0x31, 3, 2, 1, 5], &[0xA0, 4, 4, 2, 5, 0], octets] {
                let Ok(read) = ty.decode(der) else { continue };
                let json = tagwise_jer::to_string(ty.types(), &read.value);
                let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
                assert_eq!(ty.encode(&back).as_deref(), Ok(der), "{json}");
            }
        }
    }
    let Ok(text) = layout(&source) else { return };
    let again = Source::new("again", &text);
    let other = compile_within(vec![again.clone()], &limits);
    assert_eq!(other.diagnostics().errors(), compilation.diagnostics().errors(), "{text}");
    assert_eq!(layout(&again).ok().as_deref(), Some(&*text));
});
