//! Values and JSON: what decodes strictly goes through JSON and comes back to the same octets; what JSON is taken is encoded,
//! decoded to the same value, and written as JSON that is taken for it again.
#![no_main]

mod zoo;

use libfuzzer_sys::fuzz_target;
use tagwise_codec::Typed;
use tagwise_codec::value::Dynamic;
use tagwise_tests::forms::constrained;

fn check<T: Typed>(data: &[u8]) {
    let ty = Dynamic::of::<T>();
    if let Ok(read) = ty.decode(data) {
        let json = tagwise_jer::to_string(ty.types(), &read.value);
        let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
        assert_eq!(ty.encode(&back).as_deref(), Ok(data), "{json}");
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match tagwise_jer::from_str(&ty, text) {
        Ok(value) => {
            let der = ty.encode(&value).unwrap();
            let json = tagwise_jer::to_string(ty.types(), &value);
            let back = tagwise_jer::from_str(&ty, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
            assert_eq!(ty.encode(&back).as_ref(), Ok(&der), "{json}");
        }
        Err(error) => assert!(error.path.starts_with('$') && !error.to_string().contains('\u{1B}')),
    }
}

fuzz_target!(|data: &[u8]| {
    with_types!(check(data));
});
