//! Content checks for all universal primitive types, by tag number, for elements without a schema.

use crate::decode::DecodeValue;
use crate::fault::Fault;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::types::{BitStr, Bmp, Ia5, Int, Null, Numeric, Oid, Printable, Real, RelativeOid, Universal, Utf8, Visible};
use crate::types::{Date, DateTime, Duration, GeneralizedTime, IsoTime, OidIri, RelativeOidIri, TimeOfDay, UtcTime};

/// Reads and checks the content of a universal primitive element.
#[inline]
pub(crate) fn check_universal(reader: &mut Reader<'_, '_>, tag: Tag, len: usize) -> Result<(), Fault> {
    match tag.number() {
        1 => check::<bool>(reader, len),
        2 | 10 => check::<Int<'_>>(reader, len),
        3 => check::<BitStr<'_>>(reader, len),
        5 => check::<Null>(reader, len),
        6 => check::<Oid<'_>>(reader, len),
        9 => check::<Real<'_>>(reader, len),
        12 => check::<Utf8<'_>>(reader, len),
        13 => check::<RelativeOid<'_>>(reader, len),
        14 => check::<IsoTime<'_>>(reader, len),
        18 => check::<Numeric<'_>>(reader, len),
        19 => check::<Printable<'_>>(reader, len),
        22 => check::<Ia5<'_>>(reader, len),
        23 => check::<UtcTime>(reader, len),
        24 => check::<GeneralizedTime<'_>>(reader, len),
        26 => check::<Visible<'_>>(reader, len),
        28 => check::<Universal<'_>>(reader, len),
        30 => check::<Bmp<'_>>(reader, len),
        31 => check::<Date>(reader, len),
        32 => check::<TimeOfDay>(reader, len),
        33 => check::<DateTime>(reader, len),
        34 => check::<Duration<'_>>(reader, len),
        35 => check::<OidIri<'_>>(reader, len),
        36 => check::<RelativeOidIri<'_>>(reader, len),
        _ => reader.take(len).map(|_| ()),
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn check<'a, T: DecodeValue<'a>>(reader: &mut Reader<'a, '_>, len: usize) -> Result<(), Fault> {
    T::decode_value(reader, len).map(|_| ())
}
