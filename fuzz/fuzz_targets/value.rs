//! The derived decoder and dynamic values accept the same, with the same deviations, and refuse the rest with the same kind,
//! offset and path; what was accepted is encoded, printed and gone into.
#![no_main]

mod zoo;

use libfuzzer_sys::fuzz_target;
use tagwise_codec::value::{Data, Dynamic, Print};
use tagwise_codec::{Decode, Options, Typed};
use tagwise_tests::forms::constrained;

fn check<'a, T: Decode<'a> + Typed>(data: &'a [u8], options: &Options<'a>) {
    let derived = options.decode::<T>(data);
    let ty = Dynamic::new(T::ty()).options(*options);
    let dynamic = ty.decode(data);
    match (derived, dynamic) {
        (Ok(derived), Ok(dynamic)) => {
            assert_eq!(derived.deviations, dynamic.deviations, "{}", &*T::ty().name);
            let value = dynamic.value;
            assert_eq!(value, value.clone());
            let encoded = ty.encode(&value);
            if derived.deviations.is_empty() {
                assert_eq!(encoded.as_deref(), Ok(data));
            }
            let mut text = String::new();
            let whole = Print::new(ty.types()).offsets(true).budget(1 << 16).print(&value, &mut text).unwrap();
            assert!(!whole || text.len() <= 1 << 16);
            assert!(text.chars().all(|char| char == '\n' || !char.is_control()));
            let _ = Print::new(ty.types()).line(&value);
            if let Data::Components(components) = value.data() {
                for (field, component) in components.iter() {
                    let found = value.select(ty.types(), &field.name, &|_| None).unwrap();
                    assert!(component.is_none() || found.len() == 1);
                }
            }
            let _ = value.select(ty.types(), "[0]", &|_| None);
            let _ = value.select(ty.types(), "extensions[x].y", &|_| Some(vec![0x55, 0x1D, 0x11]));
        }
        (Err(derived), Err(dynamic)) => {
            assert_eq!((derived.fault(), derived.path()), (dynamic.fault(), dynamic.path()), "{}", &*T::ty().name);
        }
        (derived, dynamic) => panic!(
            "{}: derived {:?}, dynamic {:?}",
            &*T::ty().name,
            derived.map(|read| read.deviations),
            dynamic.map(|read| read.deviations)
        ),
    }
}

fuzz_target!(|data: &[u8]| {
    let options = zoo::options(zoo::how(data));
    with_types!(check(data, &options));
});
