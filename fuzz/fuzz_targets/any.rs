//! Elements without a schema, and every built-in type on the same octets: what decodes strictly re-encodes to the same
//! octets; what is tolerated is listed; errors lie inside the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagwise_codec::{
    Any, BitStr, Decode, Encode, GeneralizedTime, Int, Oid, OctetStr, Options, RuleSet, SeqOf, SetOf, UtcTime, encode,
};

fn check<'a, T: Decode<'a> + Encode>(data: &'a [u8]) {
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
            assert!(T::from_der(&der).is_ok());
        }
    }
    let _ = Options::der().rules(RuleSet::NONE).outline::<T>(data);
}

fuzz_target!(|data: &[u8]| {
    check::<Any<'_>>(data);
    check::<bool>(data);
    check::<Int<'_>>(data);
    check::<i64>(data);
    check::<u128>(data);
    check::<Oid<'_>>(data);
    check::<BitStr<'_>>(data);
    check::<OctetStr<'_>>(data);
    check::<UtcTime>(data);
    check::<GeneralizedTime<'_>>(data);
    check::<SeqOf<'_, SetOf<'_, Any<'_>>>>(data);
});
