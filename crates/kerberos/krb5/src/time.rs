//! Times of Kerberos messages.

use core::fmt;

use tagwise_codec::table::{List, Shape, TimeKind, Type};
use tagwise_codec::{
    CivilTime, DecodeValue, EncodeError, EncodeValue, Fault, GeneralizedTime, Reader, Tag, Tagged, TimeOutOfRange,
    Typed, Writer,
};
use tagwise_pkix::UnixTime;

use crate::rules;

/// ```asn1
/// KerberosTime ::= GeneralizedTime
/// ```
///
/// A UTC time in whole seconds (RFC 4120 §5.2.3).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_krb5::KerberosTime;
/// let time = KerberosTime::from_der(b"\x18\x0f20261121100000Z")?;
/// assert_eq!((time.unix().0, time.to_string().as_str()), (1_795_255_200, "2026-11-21T10:00:00Z"));
/// assert_eq!(KerberosTime::from_der(b"\x18\x1120261121100000.5Z").unwrap_err().code(), "krb5-fractional-time");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KerberosTime(CivilTime);

impl KerberosTime {
    /// Creates a time from its calendar fields.
    #[must_use]
    pub const fn new(civil: CivilTime) -> Self {
        Self(civil)
    }

    /// Converts from Unix time.
    ///
    /// # Errors
    /// Returns an error if the time is outside the years 0000 to 9999.
    pub const fn from_unix(unix: UnixTime) -> Result<Self, TimeOutOfRange> {
        match CivilTime::from_unix(unix) {
            Ok(civil) => Ok(Self(civil)),
            Err(error) => Err(error),
        }
    }

    /// Converts to Unix time.
    #[must_use]
    pub const fn unix(self) -> UnixTime {
        self.0.unix()
    }

    /// Returns the calendar fields.
    #[must_use]
    pub const fn civil(self) -> CivilTime {
        self.0
    }
}

impl Typed for KerberosTime {
    fn ty() -> &'static Type {
        const {
            &Type::new("KerberosTime", Some(Tag::GENERALIZED_TIME), Shape::Time(TimeKind::Generalized))
                .ruled(List::Const(&[&rules::FRACTIONAL_TIME]))
        }
    }
}

impl Tagged for KerberosTime {
    const TAG: Tag = Tag::GENERALIZED_TIME;
}

impl<'a> DecodeValue<'a> for KerberosTime {
    #[inline]
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        let at = reader.position();
        let time = GeneralizedTime::decode_value(reader, len)?;
        if time.fraction_digits() > 0 {
            reader.deviate_profile(&rules::FRACTIONAL_TIME, at)?;
        }
        Ok(Self(time.civil()))
    }
}

impl EncodeValue for KerberosTime {
    #[inline]
    fn value_len(&self) -> usize {
        GeneralizedTime::new(self.0).value_len()
    }

    #[inline]
    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        GeneralizedTime::new(self.0).encode_value(writer)
    }
}

impl fmt::Debug for KerberosTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for KerberosTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
