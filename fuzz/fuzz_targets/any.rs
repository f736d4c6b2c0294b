//! Elements without a schema, and every built-in type on the same octets: what decodes strictly re-encodes to the same
//! octets; what is tolerated is listed; errors lie inside the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{
    Any, BitStr, Decode, Encode, GeneralizedTime, Int, OctetStr, Oid, Options, RuleSet, SeqOf, SetOf, UtcTime, encode,
};

fn check<'a, T: Decode<'a> + Encode>(data: &'a [u8], strict: fn(&[u8]) -> bool) {
    match T::from_der(data) {
        Ok(value) => {
            assert_eq!(encode(&value).as_deref(), Ok(data));
            assert!(T::outline(data).is_ok());
        }
        Err(error) => assert!(error.offset() <= data.len(), "{error}"),
    }
    if let Ok(read) = Options::ber_definite().decode::<T>(data) {
        assert_eq!(read.deviations.is_empty(), T::from_der(data).is_ok());
        assert!(read.deviations.iter().all(|deviation| deviation.offset <= data.len()));
        // What was tolerated encodes to DER or not at all.
        if let Ok(der) = encode(&read.value) {
            assert!(strict(&der));
        }
    }
    let _ = Options::der().rules(RuleSet::NONE).outline::<T>(data);
}

macro_rules! check {
    ($data:ident: $($type:ty),*) => {
        $(check::<$type>($data, |octets| <$type>::from_der(octets).is_ok());)*
    };
}

fuzz_target!(|data: &[u8]| {
    check!(data: Any<'_>, bool, Int<'_>, i64, u128, Oid<'_>, BitStr<'_>, OctetStr<'_>);
    check!(data: UtcTime, GeneralizedTime<'_>, SeqOf<'_, SetOf<'_, Any<'_>>>);
});
