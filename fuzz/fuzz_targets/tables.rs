//! Rust that the schema compiler wrote and tables that it makes at run time of the same modules: the same is accepted, with the same
//! JSON and the same octets again, and the rest is refused with the same kind, offset and path.
#![no_main]

mod zoo;

use libfuzzer_sys::fuzz_target;
use tagwise_tests::generated::TWINS;

fuzz_target!(|data: &[u8]| {
    let options = zoo::lenient(zoo::how(data));
    for twin in TWINS {
        twin.hold(data, options);
    }
});
