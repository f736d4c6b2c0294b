//! Conversion of function arguments to values of the universal types, for the writer.

use tagwise::codec::{
    BitStr, Bmp, CivilTime, GeneralizedTime, Ia5, Int, Numeric, Printable, Universal, UnixTime, UtcTime, Utf8, Visible,
};

use crate::error::Problem;
use crate::writer::Encoding;

pub(crate) fn civil(seconds: i64) -> Result<CivilTime, Problem> {
    CivilTime::from_unix(UnixTime(seconds)).map_err(|error| Problem::argument(error.to_string()))
}

pub(crate) fn utc(seconds: i64) -> Result<UtcTime, Problem> {
    UtcTime::new(civil(seconds)?).map_err(|error| Problem::argument(error.to_string()))
}

pub(crate) fn generalized(seconds: i64, nanoseconds: u32) -> Result<GeneralizedTime<'static>, Problem> {
    let time = GeneralizedTime::new(civil(seconds)?).with_nanosecond(nanoseconds);
    time.map_err(|error| Problem::argument(error.to_string()))
}

pub(crate) fn integer(value: &[u8]) -> Result<Int<'_>, Problem> {
    if value.is_empty() {
        return Err(Problem::argument("an INTEGER must have at least one byte"));
    }
    Ok(Int::from_signed(value))
}

pub(crate) fn bits(value: &[u8], unused: u8) -> Result<BitStr<'_>, Problem> {
    BitStr::new(value, unused)
        .ok_or_else(|| Problem::argument("more than 7 unused bits, or unused bits in an empty string"))
}

/// Writes a character string. `universal` is the universal tag number of its type.
pub(crate) fn string(writer: &mut Encoding, tag: u32, universal: u32, text: &str) -> Result<(), Problem> {
    match universal {
        12 => writer.value(tag, &Utf8::new(text)),
        18 => writer.value(tag, &Numeric::new(text)?),
        19 => writer.value(tag, &Printable::new(text)?),
        22 => writer.value(tag, &Ia5::new(text)?),
        26 => writer.value(tag, &Visible::new(text)?),
        28 => writer.value(tag, &Universal::new(text)),
        30 => writer.value(tag, &Bmp::new(text)?),
        _ => Err(Problem::argument("not a character string type that can be written")),
    }
}
