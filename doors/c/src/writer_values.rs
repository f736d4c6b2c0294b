//! Writer functions for the universal types. The tag 0 stands for the type's own tag.

use std::mem::MaybeUninit;

use tagwise::codec::{
    BitStr, CivilTime, GeneralizedTime, Ia5, Int, Null, Numeric, OctetStr, Oid, Printable, Real, RelativeOid, Tag,
    UnixTime, UtcTime, Utf8, Visible,
};
use tagwise::pkix::Time;

use crate::bytes::tagwise_bytes;
use crate::error::{Problem, tagwise_error};
use crate::tag::unpack_or;
use crate::writer::{element, tagwise_writer};

fn civil(seconds: i64) -> Result<CivilTime, Problem> {
    CivilTime::from_unix(UnixTime(seconds)).map_err(|error| Problem::argument(error.to_string()))
}

/// Writes a BOOLEAN. If `tag` is 0, its universal tag is used. For IMPLICIT tagging, all these functions accept another
/// tag, such as TAGWISE_CONTEXT(0).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_boolean(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: bool,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &value))
}

/// Writes an INTEGER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_int64(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &value))
}

/// Writes an unsigned INTEGER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_uint64(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: u64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &value))
}

/// Writes an INTEGER of any size, given in two's complement, most significant byte first. Redundant leading bytes are
/// omitted.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_integer(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let value = value.get()?;
        if value.is_empty() {
            return Err(Problem::argument("an INTEGER must have at least one byte"));
        }
        writer.value(tag, &Int::from_signed(value))
    })
}

/// Writes an ENUMERATED.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_enumerated(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let value = value.to_be_bytes();
        let content = Int::from_signed(&value);
        writer.append(&element(unpack_or(tag, Tag::ENUMERATED)?, content.as_bytes())?)
    })
}

/// Writes a NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_null(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &Null))
}

/// Writes an OBJECT IDENTIFIER from its content bytes, as returned by tagwise_oid_from_text().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_oid(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &Oid::from_content(oid.get()?)?))
}

/// Writes a RELATIVE-OID from its content bytes.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_relative_oid(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    oid: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &RelativeOid::from_content(oid.get()?)?))
}

/// Writes an OCTET STRING.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_octets(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &OctetStr::new(value.get()?)))
}

/// Writes a BIT STRING. The lowest `unused` bits of the last byte are not part of it, and are written as zero.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_bits(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: tagwise_bytes,
    unused: u8,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let bits = BitStr::new(value.get()?, unused);
        let bits =
            bits.ok_or_else(|| Problem::argument("more than 7 unused bits, or unused bits in an empty string"))?;
        writer.value(tag, &bits)
    })
}

/// Writes UTF-8 text as a string of the type `universal`, such as TAGWISE_UTF8_STRING.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_text(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    universal: u32,
    text: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let text = text.text()?;
        match universal {
            12 => writer.value(tag, &Utf8::new(text)),
            18 => writer.value(tag, &Numeric::new(text)?),
            19 => writer.value(tag, &Printable::new(text)?),
            22 => writer.value(tag, &Ia5::new(text)?),
            26 => writer.value(tag, &Visible::new(text)?),
            28 => writer.value(tag, &tagwise::codec::Universal::new(text)),
            30 => writer.value(tag, &tagwise::codec::Bmp::new(text)?),
            _ => Err(Problem::argument("not a character string type that can be written")),
        }
    })
}

/// Writes a UTCTime, for the years 1950 to 2049.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_utc_time(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    seconds: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let time = UtcTime::new(civil(seconds)?).map_err(|error| Problem::argument(error.to_string()))?;
        writer.value(tag, &time)
    })
}

/// Writes a GeneralizedTime for the years 0 to 9999, with up to nine decimals.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_generalized_time(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    seconds: i64,
    nanoseconds: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let time = GeneralizedTime::new(civil(seconds)?).with_nanosecond(nanoseconds);
        writer.value(tag, &time.map_err(|error| Problem::argument(error.to_string()))?)
    })
}

/// Writes a Time as in certificates: UTCTime through 2049, GeneralizedTime for later years (RFC 5280 section 4.1.2.5).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_time(
    writer: Option<&mut tagwise_writer>,
    seconds: i64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| {
        let time = tagwise::codec::encode(&Time::new(civil(seconds)?))?;
        writer.append(&time)
    })
}

/// Writes a REAL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_writer_real(
    writer: Option<&mut tagwise_writer>,
    tag: u32,
    value: f64,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, writer, |writer| writer.value(tag, &Real::from_f64(value)))
}
