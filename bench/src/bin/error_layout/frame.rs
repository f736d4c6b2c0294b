//! The same certificate frame for every layout, with its parts either all in line or one call each.

use crate::layout::Layout;
use crate::reader::{BOOLEAN, OCTET_STRING, Reader, SEQUENCE, bit_string, integer, oid, time, true_boolean};

/// What the frame holds: borrowed contents and spans.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) serial: &'a [u8],
    pub(crate) algorithm: Algorithm<'a>,
    pub(crate) issuer: (u32, u32),
    pub(crate) validity: (i64, i64),
    pub(crate) subject: (u32, u32),
    pub(crate) key: Key<'a>,
    pub(crate) extensions: (u32, u32),
    pub(crate) critical: u32,
    pub(crate) signature: &'a [u8],
}

#[derive(Debug)]
pub(crate) struct Algorithm<'a> {
    pub(crate) oid: &'a [u8],
    pub(crate) parameters: (u32, u32),
}

#[derive(Debug)]
pub(crate) struct Key<'a> {
    pub(crate) algorithm: Algorithm<'a>,
    pub(crate) bits: &'a [u8],
}

/// Makes `$name`, which is `$body` in line or behind a call, by the constant `CALLS`.
macro_rules! part {
    ($name:ident, $called:ident, $body:ident, $value:ty) => {
        #[inline(never)]
        fn $called<'a, E: Layout, const CALLS: bool>(reader: &mut Reader<'a>) -> Result<$value, E> {
            $body::<E, CALLS>(reader)
        }

        #[inline(always)]
        fn $name<'a, E: Layout, const CALLS: bool>(reader: &mut Reader<'a>) -> Result<$value, E> {
            if CALLS {
                $called::<E, CALLS>(reader)
            } else {
                $body::<E, CALLS>(reader)
            }
        }
    };
}

part!(algorithm, algorithm_called, algorithm_body, Algorithm<'a>);
part!(validity, validity_called, validity_body, (i64, i64));
part!(key, key_called, key_body, Key<'a>);
part!(extensions, extensions_called, extensions_body, ((u32, u32), u32));
part!(extension, extension_called, extension_body, bool);
part!(tbs, tbs_called, tbs_body, Frame<'a>);

#[inline(always)]
fn algorithm_body<'a, E: Layout, const CALLS: bool>(reader: &mut Reader<'a>) -> Result<Algorithm<'a>, E> {
    reader.nested(SEQUENCE, |reader| {
        let oid = oid(reader)?;
        let parameters = match reader.peek() {
            Some(tag) => reader.raw(tag)?,
            None => (0, 0),
        };
        Ok(Algorithm { oid, parameters })
    })
}

#[inline(always)]
fn validity_body<E: Layout, const CALLS: bool>(reader: &mut Reader<'_>) -> Result<(i64, i64), E> {
    reader.nested(SEQUENCE, |reader| Ok((time(reader)?, time(reader)?)))
}

#[inline(always)]
fn key_body<'a, E: Layout, const CALLS: bool>(reader: &mut Reader<'a>) -> Result<Key<'a>, E> {
    reader.nested(SEQUENCE, |reader| {
        Ok(Key {
            algorithm: algorithm::<E, CALLS>(reader)?,
            bits: bit_string(reader)?,
        })
    })
}

#[inline(always)]
fn extension_body<E: Layout, const CALLS: bool>(reader: &mut Reader<'_>) -> Result<bool, E> {
    reader.nested(SEQUENCE, |reader| {
        oid(reader)?;
        let critical = match reader.peek() {
            Some(BOOLEAN) => true_boolean(reader)?,
            _ => false,
        };
        reader.read(OCTET_STRING)?;
        Ok(critical)
    })
}

#[inline(always)]
fn extensions_body<E: Layout, const CALLS: bool>(reader: &mut Reader<'_>) -> Result<((u32, u32), u32), E> {
    reader.nested(0xa3, |reader| {
        let start = reader.position as u32;
        let critical = reader.nested(SEQUENCE, |reader| {
            let mut critical = 0;
            while reader.peek().is_some() {
                critical += u32::from(extension::<E, CALLS>(reader)?);
            }
            Ok(critical)
        })?;
        Ok(((start, reader.position as u32), critical))
    })
}

#[inline(always)]
fn tbs_body<'a, E: Layout, const CALLS: bool>(reader: &mut Reader<'a>) -> Result<Frame<'a>, E> {
    reader.nested(SEQUENCE, |reader| {
        if reader.peek() == Some(0xa0) {
            reader.nested(0xa0, |reader| integer(reader))?;
        }
        let serial = integer(reader)?;
        let algorithm = algorithm::<E, CALLS>(reader)?;
        let issuer = reader.raw(SEQUENCE)?;
        let validity = validity::<E, CALLS>(reader)?;
        let subject = reader.raw(SEQUENCE)?;
        let key = key::<E, CALLS>(reader)?;
        for tag in [0x81, 0x82] {
            if reader.peek() == Some(tag) {
                reader.raw(tag)?;
            }
        }
        let (extensions, critical) = match reader.peek() {
            Some(0xa3) => extensions::<E, CALLS>(reader)?,
            _ => ((0, 0), 0),
        };
        Ok(Frame {
            serial,
            algorithm,
            issuer,
            validity,
            subject,
            key,
            extensions,
            critical,
            signature: &[],
        })
    })
}

/// Parses one certificate. It is a call of its own, as a library's entry is.
#[inline(never)]
pub(crate) fn certificate<E: Layout, const CALLS: bool>(input: &[u8]) -> Result<Frame<'_>, E> {
    let mut reader = Reader::new(input);
    let frame = reader.nested(SEQUENCE, |reader| {
        let frame = tbs::<E, CALLS>(reader)?;
        algorithm::<E, CALLS>(reader)?;
        let signature = bit_string(reader)?;
        Ok(Frame { signature, ..frame })
    })?;
    reader.finish()?;
    Ok(frame)
}
