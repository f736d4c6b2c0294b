//! Messages as the Rust types made from the schemas: what decodes is written as it came, BER becomes DER that decodes to the
//! same, and the types' tables say what the code says. The first octet selects the type, unless it begins a SEQUENCE.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Decode, Encode, Typed, ber, encode};

fn check<'a, T: Decode<'a> + Encode + Typed>(data: &'a [u8]) {
    let code = T::from_der(data);
    let dynamic = Dynamic::of::<T>();
    match (&code, dynamic.decode(data)) {
        (Ok(value), Ok(read)) => {
            assert_eq!(encode(value).as_deref(), Ok(data), "{}", &*T::ty().name);
            assert_eq!(dynamic.encode(&read.value).as_deref(), Ok(data), "{}", &*T::ty().name);
        }
        (Err(code), Err(table)) => {
            assert_eq!((code.fault(), code.path()), (table.fault(), table.path()), "{}", &*T::ty().name);
        }
        (code, table) => panic!("{}: {:?} by code, {:?} by table", &*T::ty().name, code.as_ref().err(), table.err()),
    }
    if let Ok(outline) = T::outline(data)
        && code.is_ok()
    {
        assert_eq!(encode(&outline).as_deref(), Ok(data), "{}: an outline", &*T::ty().name);
    }
    if let Ok(canonical) = ber::to_der::<T>(data)
        && code.is_ok()
    {
        assert_eq!(&*canonical.bytes, data, "{}: DER stays as it is", &*T::ty().name);
    }
}

macro_rules! select {
    ($($name:literal => $ty:ty),* $(,)?) => {
        /// One check for each type.
        const CHECKS: &[fn(&[u8])] = &[$(|data| check::<$ty>(data)),*];
    };
}
tagwise_tests::messages!(select);

fuzz_target!(|data: &[u8]| {
    // A file as it is, which most types refuse at once: seeds need no selector, and changes find their way from type to type.
    if data.first() == Some(&0x30) {
        return CHECKS.iter().for_each(|check| check(data));
    }
    let Some((selector, data)) = data.split_first() else { return };
    CHECKS[usize::from(*selector) % CHECKS.len()](data);
});
