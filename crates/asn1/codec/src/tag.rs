//! Tags: class, form and number (X.690 §8.1.2).
//!
//! `header.rs` reads and writes them.

use core::fmt;

/// The four tag classes of X.680 §8.1, in the order of X.680 §8.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// `[UNIVERSAL n]`: the built-in types of X.680.
    Universal = 0,
    /// `[APPLICATION n]`.
    Application = 1,
    /// `[n]`: context-specific.
    Context = 2,
    /// `[PRIVATE n]`.
    Private = 3,
}

impl Class {
    /// Returns the class in the two high bits of an identifier byte.
    #[must_use]
    pub const fn from_octet(octet: u8) -> Self {
        match octet >> 6 {
            0 => Self::Universal,
            1 => Self::Application,
            2 => Self::Context,
            _ => Self::Private,
        }
    }
}

/// A tag with its encoded form (primitive or constructed).
///
/// Tags are ordered by class, then number (X.680 §8.6). The form is compared last, so that `Ord` agrees with `Eq`.
///
/// ```
/// use tagwise_codec::{Class, Tag};
/// let tag = Tag::context(3).constructed();
/// assert_eq!(tag.first_octet(), 0xA3);
/// assert_eq!(tag.class(), Class::Context);
/// assert_eq!(tag.to_string(), "[3]");
/// assert_eq!(Tag::SEQUENCE.to_string(), "SEQUENCE");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    class: Class,
    number: u32,
    constructed: bool,
}

macro_rules! universal {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $constructed:literal, $text:literal;)*) => {
        impl Tag {
            $($(#[$doc])* pub const $name: Tag = Tag::new(Class::Universal, $number, $constructed);)*

            /// Returns the X.680 name of the type with a universal tag number, if any.
            const fn universal_name(number: u32) -> Option<&'static str> {
                match number { $($number => Some($text),)* _ => None }
            }
        }
    };
}

universal! {
    /// BOOLEAN (X.680 §18).
    BOOLEAN = 1, false, "BOOLEAN";
    /// INTEGER (X.680 §19).
    INTEGER = 2, false, "INTEGER";
    /// BIT STRING (X.680 §22).
    BIT_STRING = 3, false, "BIT STRING";
    /// OCTET STRING (X.680 §23).
    OCTET_STRING = 4, false, "OCTET STRING";
    /// NULL (X.680 §24).
    NULL = 5, false, "NULL";
    /// OBJECT IDENTIFIER (X.680 §32).
    OBJECT_IDENTIFIER = 6, false, "OBJECT IDENTIFIER";
    /// ObjectDescriptor (X.680 §48).
    OBJECT_DESCRIPTOR = 7, false, "ObjectDescriptor";
    /// EXTERNAL (X.680 §37).
    EXTERNAL = 8, true, "EXTERNAL";
    /// REAL (X.680 §21).
    REAL = 9, false, "REAL";
    /// ENUMERATED (X.680 §20).
    ENUMERATED = 10, false, "ENUMERATED";
    /// EMBEDDED PDV (X.680 §36).
    EMBEDDED_PDV = 11, true, "EMBEDDED PDV";
    /// UTF8String (X.680 §41).
    UTF8_STRING = 12, false, "UTF8String";
    /// RELATIVE-OID (X.680 §33).
    RELATIVE_OID = 13, false, "RELATIVE-OID";
    /// TIME (X.680 §38).
    TIME = 14, false, "TIME";
    /// SEQUENCE and SEQUENCE OF (X.680 §25, §26).
    SEQUENCE = 16, true, "SEQUENCE";
    /// SET and SET OF (X.680 §27, §28).
    SET = 17, true, "SET";
    /// NumericString (X.680 §41).
    NUMERIC_STRING = 18, false, "NumericString";
    /// PrintableString (X.680 §41).
    PRINTABLE_STRING = 19, false, "PrintableString";
    /// TeletexString, also T61String (X.680 §41).
    TELETEX_STRING = 20, false, "TeletexString";
    /// VideotexString (X.680 §41).
    VIDEOTEX_STRING = 21, false, "VideotexString";
    /// IA5String (X.680 §41).
    IA5_STRING = 22, false, "IA5String";
    /// UTCTime (X.680 §47).
    UTC_TIME = 23, false, "UTCTime";
    /// GeneralizedTime (X.680 §46).
    GENERALIZED_TIME = 24, false, "GeneralizedTime";
    /// GraphicString (X.680 §41).
    GRAPHIC_STRING = 25, false, "GraphicString";
    /// VisibleString, also ISO646String (X.680 §41).
    VISIBLE_STRING = 26, false, "VisibleString";
    /// GeneralString (X.680 §41).
    GENERAL_STRING = 27, false, "GeneralString";
    /// UniversalString (X.680 §41).
    UNIVERSAL_STRING = 28, false, "UniversalString";
    /// Unrestricted CHARACTER STRING (X.680 §44).
    CHARACTER_STRING = 29, true, "CHARACTER STRING";
    /// BMPString (X.680 §41).
    BMP_STRING = 30, false, "BMPString";
    /// DATE (X.680 §38.4).
    DATE = 31, false, "DATE";
    /// TIME-OF-DAY (X.680 §38.4).
    TIME_OF_DAY = 32, false, "TIME-OF-DAY";
    /// DATE-TIME (X.680 §38.4).
    DATE_TIME = 33, false, "DATE-TIME";
    /// DURATION (X.680 §38.4).
    DURATION = 34, false, "DURATION";
    /// OID-IRI (X.680 §34).
    OID_IRI = 35, false, "OID-IRI";
    /// RELATIVE-OID-IRI (X.680 §35).
    RELATIVE_OID_IRI = 36, false, "RELATIVE-OID-IRI";
}

impl Tag {
    /// Creates a tag.
    #[must_use]
    pub const fn new(class: Class, number: u32, constructed: bool) -> Self {
        Self { class, number, constructed }
    }

    /// Creates a primitive `[n]` tag.
    #[must_use]
    pub const fn context(number: u32) -> Self {
        Self::new(Class::Context, number, false)
    }

    /// Creates a primitive `[APPLICATION n]` tag.
    #[must_use]
    pub const fn application(number: u32) -> Self {
        Self::new(Class::Application, number, false)
    }

    /// Creates a primitive `[PRIVATE n]` tag.
    #[must_use]
    pub const fn private(number: u32) -> Self {
        Self::new(Class::Private, number, false)
    }

    /// Returns the tag in constructed form.
    #[must_use]
    pub const fn constructed(self) -> Self {
        Self { constructed: true, ..self }
    }

    /// Returns the tag in the form of `other`, as IMPLICIT tagging requires (X.690 §8.14.3).
    #[must_use]
    pub const fn formed_like(self, other: Self) -> Self {
        Self { constructed: other.constructed, ..self }
    }

    /// Returns the tag's class.
    #[must_use]
    pub const fn class(self) -> Class {
        self.class
    }

    /// Returns the tag's number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// Returns whether the tag is constructed.
    #[must_use]
    pub const fn is_constructed(self) -> bool {
        self.constructed
    }

    /// Returns whether the tag fits in one identifier byte (numbers 0 to 30, X.690 §8.1.2.2).
    #[must_use]
    pub const fn is_low(self) -> bool {
        self.number < 31
    }

    /// Returns the first identifier byte. It is the only one for low tag numbers.
    #[must_use]
    pub const fn first_octet(self) -> u8 {
        let low = if self.number < 31 { self.number as u8 } else { 0x1F };
        ((self.class as u8) << 6) | ((self.constructed as u8) << 5) | low
    }

    /// Returns the number of identifier bytes.
    #[must_use]
    pub const fn encoded_len(self) -> usize {
        match self.number {
            0..=30 => 1,
            31..=0x7F => 2,
            0x80..=0x3FFF => 3,
            0x4000..=0x1F_FFFF => 4,
            0x20_0000..=0xFFF_FFFF => 5,
            _ => 6,
        }
    }

    /// Creates the tag from a single identifier byte, whose number part is below 31.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn from_low_octet(octet: u8) -> Self {
        Self::new(Class::from_octet(octet), (octet & 0x1F) as u32, octet & 0x20 != 0)
    }

    /// Returns whether the class and number are equal, ignoring the form.
    #[must_use]
    pub const fn same(self, other: Self) -> bool {
        self.class as u8 == other.class as u8 && self.number == other.number
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::Universal => match Self::universal_name(self.number) {
                Some(name) => f.write_str(name),
                None => write!(f, "[UNIVERSAL {}]", self.number),
            },
            Class::Application => write!(f, "[APPLICATION {}]", self.number),
            Class::Context => write!(f, "[{}]", self.number),
            Class::Private => write!(f, "[PRIVATE {}]", self.number),
        }
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{}", if self.constructed { " (constructed)" } else { "" })
    }
}
