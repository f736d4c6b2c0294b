//! NumericString, PrintableString, IA5String and VisibleString (X.680 §41).

use core::fmt;

use super::macros::{ascii_string, octet_string_traits};
use super::{class, display_lossy};
use crate::decode::DecodeValue;
use crate::encode::{EncodeError, EncodeValue};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::writer::Writer;

ascii_string! {
    /// `NumericString`: digits and space (X.680 §41.2).
    ///
    /// ```
    /// use tagwise_codec::{Decode, Numeric};
    /// assert_eq!(Numeric::from_der(&[0x12, 0x03, 0x31, 0x20, 0x32])?.as_str(), Some("1 2"));
    /// let error = Numeric::from_der(&[0x12, 0x03, 0x31, 0x2E, 0x32]).unwrap_err();
    /// assert_eq!((error.code(), error.offset()), ("string-alphabet", 3));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Numeric, "NumericString", NUMERIC_STRING, Numeric, class::NUMERIC
}

ascii_string! {
    /// `PrintableString`: letters, digits, space and `' ( ) + , - . / : = ?` (X.680 §41.4).
    ///
    /// ```
    /// use tagwise_codec::{Decode, Options, Printable, Rule, encode};
    /// assert_eq!(Printable::from_der(&[0x13, 0x02, 0x4E, 0x4F])?, Printable::new("NO").unwrap());
    /// // The at sign is not in the alphabet, but some encoders use it.
    /// assert_eq!(Printable::new("a@b").unwrap_err().offset(), 1);
    /// let read = Options::der().allow(&Rule::STRING_ALPHABET).decode::<Printable>(&[0x13, 0x03, 0x61, 0x40, 0x62])?;
    /// assert_eq!(read.value.as_str(), Some("a@b"));
    /// assert!(encode(&read.value).is_err());
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Printable, "PrintableString", PRINTABLE_STRING, Printable, class::PRINTABLE
}

ascii_string! {
    /// `IA5String`: ASCII, control characters included (X.680 §41, Table 8).
    ///
    /// ```
    /// use tagwise_codec::{Decode, Ia5};
    /// assert_eq!(Ia5::from_der(&[0x16, 0x03, 0x61, 0x40, 0x62])?.to_string(), "a@b");
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Ia5, "IA5String", IA5_STRING, Ia5, class::IA5
}

ascii_string! {
    /// `VisibleString`, also `ISO646String`: ASCII from space to tilde (X.680 §41, Table 8).
    ///
    /// ```
    /// use tagwise_codec::{Decode, Visible};
    /// assert_eq!(Visible::from_der(&[0x1A, 0x02, 0x7E, 0x20])?.as_str(), Some("~ "));
    /// assert!(Visible::new("line\n").is_err());
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    Visible, "VisibleString", VISIBLE_STRING, Visible, class::VISIBLE
}

impl Ia5<'_> {
    /// Like [`Ia5::begins`], or [`Printable::begins`] if `printable` is true, for values that may have either type.
    /// Fastest up to 32 bytes, as in names. Also suitable for ASCII UTF8Strings.
    ///
    /// ```
    /// use tagwise_codec::Ia5;
    /// assert!(Ia5::begins_as(b"a@b\xFF", 3, false) && !Ia5::begins_as(b"a@b", 3, true));
    /// ```
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[must_use]
    pub fn begins_as(octets: &[u8], len: usize, printable: bool) -> bool {
        class::begins_text(octets, len, printable)
    }
}
