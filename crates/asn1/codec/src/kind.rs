//! Error kinds: a closed list, each with a stable code and the clause of its standard.

macro_rules! kinds {
    ($($(#[$doc:meta])* $ident:ident = $number:literal, $code:literal, $clause:literal, $text:literal;)*) => {
        /// The kind of a decoding or encoding error.
        ///
        /// ```
        /// use tagwise_codec::FaultKind;
        /// assert_eq!(FaultKind::LengthNotMinimal.code(), "length-not-minimal");
        /// assert_eq!(FaultKind::LengthNotMinimal.clause(), "X.690 §10.1");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum FaultKind {
            $($(#[$doc])* $ident = $number,)*
        }

        impl FaultKind {
            /// All kinds, in numeric order.
            pub const ALL: &'static [FaultKind] = &[$(FaultKind::$ident),*];

            /// Returns the stable code in kebab case. Codes are never reused.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(FaultKind::$ident => $code,)* }
            }

            /// Returns the violated clause of the standard.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(FaultKind::$ident => $clause,)* }
            }

            /// Returns a one-sentence description without a full stop. [`Error`](crate::Error) adds the offending value.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(FaultKind::$ident => $text,)* }
            }

            pub(crate) const fn from_number(number: u8) -> FaultKind {
                match number { $($number => FaultKind::$ident,)* _ => FaultKind::Internal }
            }
        }
    };
}

kinds! {
    /// The input ends inside an identifier or a length. Offset: the end.
    Truncated = 1, "truncated", "X.690 §8.1.1", "the encoding ends inside an element";
    /// A length runs past the end of the container or of the input. Offset: the first length byte.
    LengthOverrun = 2, "length-overrun", "X.690 §8.1.3", "the length exceeds the enclosing element";
    /// Data follows the last component. Offset: its first byte.
    TrailingData = 3, "trailing-data", "X.690 §8.1.1", "unexpected data after the last element";
    /// An unexpected tag. Offset: the identifier.
    UnexpectedTag = 4, "unexpected-tag", "X.690 §8.1.2", "unexpected tag";
    /// A required component is missing. Offset: the end of the container.
    Missing = 5, "missing", "X.680 §25", "a required element is missing";
    /// A tag in the high form for a low number, or with leading zero bytes.
    TagNotMinimal = 6, "tag-not-minimal", "X.690 §8.1.2.4", "the tag is not in its shortest form";
    /// A tag number above 2³²−1.
    TagTooLarge = 7, "tag-too-large", "implementation limit", "the tag number is above 4294967295";
    /// A length that is not in its shortest form. Offset: the first length byte.
    LengthNotMinimal = 8, "length-not-minimal", "X.690 §10.1", "the length is not in its shortest form";
    /// The indefinite length form.
    LengthIndefinite = 9, "length-indefinite", "X.690 §10.1", "the indefinite length form is not DER";
    /// The reserved length byte 0xFF.
    LengthReserved = 10, "length-reserved", "X.690 §8.1.3.5", "the length byte 0xFF is reserved";
    /// A length beyond any input that this decoder accepts.
    LengthTooLarge = 11, "length-too-large", "implementation limit", "the length is above 4294967295";
    /// A constructed encoding of a type that must be primitive. Offset: the identifier.
    PrimitiveExpected = 12, "primitive-expected", "X.690 §10.2", "the type must be encoded in primitive form";
    /// A primitive encoding of a constructed type. Offset: the identifier.
    ConstructedExpected = 13, "constructed-expected", "X.690 §8.9.1", "the type must be encoded in constructed form";
    /// End-of-contents bytes without an open indefinite length.
    EndOfContents = 14, "end-of-contents", "X.690 §8.1.5", "unexpected end-of-contents bytes";
    /// Nesting deeper than the budget allows.
    DepthExceeded = 15, "depth-exceeded", "budget", "the nesting exceeds the depth limit";
    /// More elements than the budget allows.
    ElementsExceeded = 16, "elements-exceeded", "budget", "the number of elements exceeds the budget";
    /// An input above 4 GiB.
    InputTooLarge = 17, "input-too-large", "implementation limit", "the input is above 4294967295 bytes";
    /// A BOOLEAN that is not one byte long. Offset: the content.
    BooleanLength = 18, "boolean-length", "X.690 §8.2.1", "a BOOLEAN must have one content byte";
    /// A BOOLEAN that is neither 00 nor FF.
    BooleanValue = 19, "boolean-value", "X.690 §11.1", "a BOOLEAN must be 0x00 or 0xFF";
    /// An INTEGER without content.
    IntegerEmpty = 20, "integer-empty", "X.690 §8.3.1", "an INTEGER must have at least one content byte";
    /// An INTEGER with redundant leading bytes.
    IntegerPadded = 21, "integer-padded", "X.690 §8.3.2", "the INTEGER is not in its shortest form";
    /// An INTEGER that does not fit in its Rust type.
    IntegerRange = 22, "integer-range", "X.680 §51.4", "the INTEGER is out of range";
    /// An ENUMERATED number that the type does not define.
    EnumeratedUnknown = 23, "enumerated-unknown", "X.680 §20", "the ENUMERATED has no item with this number";
    /// A NULL with content.
    NullLength = 24, "null-length", "X.690 §8.8.2", "NULL must have no content";
    /// A BIT STRING without its initial byte.
    BitStringEmpty = 25, "bit-string-empty", "X.690 §8.6.2.1", "a BIT STRING must have an initial byte";
    /// An initial byte above 7, or above 0 in an empty BIT STRING.
    BitStringUnused = 26, "bit-string-unused", "X.690 §8.6.2.2", "the count of unused bits must be 0 to 7, and 0 if there are no bits";
    /// Unused bits that are not zero. Offset: the last byte.
    BitStringPadding = 27, "bit-string-padding", "X.690 §11.2.1", "the unused bits are not zero";
    /// A named-bit list with trailing zero bits. Offset: the last byte.
    NamedBitsTrailing = 28, "named-bits-trailing", "X.690 §11.2.2", "a BIT STRING with named bits must not end in zero bits";
    /// An object identifier without content.
    OidEmpty = 29, "oid-empty", "X.690 §8.19.2", "an object identifier must have at least one content byte";
    /// An arc that begins with the byte 0x80. Offset: that byte.
    OidPadded = 30, "oid-padded", "X.690 §8.19.2", "an object identifier arc is not in its shortest form";
    /// The content ends inside an arc.
    OidTruncated = 31, "oid-truncated", "X.690 §8.19.2", "the last object identifier arc is truncated";
    /// A REAL whose first byte or exponent is reserved or incomplete.
    RealFormat = 32, "real-format", "X.690 §8.5", "the REAL is malformed";
    /// A REAL that is valid BER but not canonical. Offset: the first byte that differs from the canonical form.
    RealNotCanonical = 33, "real-not-canonical", "X.690 §11.3", "the REAL is not in its canonical form";
    /// A byte or character outside a string type's alphabet. Offset: that byte.
    StringAlphabet = 34, "string-alphabet", "X.680 §41", "the character is outside the string type's alphabet";
    /// Bytes that are not UTF-8. Offset: the first bad byte.
    Utf8Invalid = 35, "utf8-invalid", "X.690 §8.23.10", "invalid UTF-8";
    /// A BMPString or UniversalString whose length is not a multiple of 2 or 4. Offset: the incomplete character.
    StringLength = 36, "string-length", "X.690 §8.23", "the length is not a whole number of characters";
    /// A time whose bytes do not follow its syntax. Offset: the first bad byte.
    TimeSyntax = 37, "time-syntax", "X.680 §46, §47", "invalid time syntax";
    /// A time in a form that BER allows and DER does not.
    TimeForm = 38, "time-form", "X.690 §11.7, §11.8, §11.9", "the time is not in its DER form";
    /// A month outside 1 to 12. The detail is the month.
    TimeMonth = 39, "time-month", "X.680 §46, §47", "the month is out of range";
    /// A day outside the month. The detail is the day.
    TimeDay = 40, "time-day", "X.680 §46, §47", "the day is out of range";
    /// An hour above 23. The detail is the hour.
    TimeHour = 41, "time-hour", "X.680 §46, §47", "the hour is out of range";
    /// A minute above 59. The detail is the minute.
    TimeMinute = 42, "time-minute", "X.680 §46, §47", "the minute is out of range";
    /// A second above 59, other than the 60 of a possible leap second in the types that ISO 8601 defines. The detail is the second.
    TimeSecond = 43, "time-second", "X.680 §46, §47", "the second is out of range";
    /// A component encoded with its DEFAULT value. Offset: the component.
    DefaultEncoded = 44, "default-encoded", "X.690 §11.5", "a component equal to its DEFAULT value must be omitted";
    /// SET components that are not in tag order. Offset: the late component.
    SetOrder = 45, "set-order", "X.690 §10.3", "the components of the SET are not in tag order";
    /// A duplicate SET component.
    SetDuplicate = 46, "set-duplicate", "X.690 §8.11", "duplicate component in the SET";
    /// SET OF elements out of order. Offset: the late element.
    SetOfOrder = 47, "set-of-order", "X.690 §11.6", "the elements of the SET OF are not in ascending order";
    /// No alternative of the CHOICE has this tag. Offset: the identifier.
    ChoiceUnknown = 48, "choice-unknown", "X.680 §29", "the CHOICE has no alternative with this tag";
    /// A size outside its constraint. Offset: the element, or its content if the constraint is the type's own.
    Size = 49, "size", "X.680 §51.5", "the size violates its constraint";
    /// A value outside its constraint. Offset: the element, or its content if the constraint is the type's own.
    Value = 50, "value", "X.680 §51.4", "the value violates its constraint";
    /// A violated profile rule from a layer above the codec. The detail is the rule's bit.
    Profile = 51, "profile", "profile", "a profile rule is violated";
    /// The value cannot be encoded: a span that is not DER, a string with invalid characters, or a choice without an
    /// alternative.
    NotEncodable = 52, "not-encodable", "X.690 §11", "the value has no DER encoding";
    /// The caller's buffer is too small.
    BufferTooSmall = 53, "buffer-too-small", "caller", "the buffer is too small";
    /// More output than the budget allows.
    OutputExceeded = 54, "output-exceeded", "budget", "the output exceeds the budget";
    /// A TIME, DATE, TIME-OF-DAY, DATE-TIME or DURATION with invalid syntax. Offset: the first bad byte, or the component out
    /// of range.
    IsoTime = 55, "iso-time", "X.680 §38", "invalid time: expected ISO 8601 syntax (X.680 §38)";
    /// An OID-IRI that does not follow its syntax.
    Iri = 56, "iri", "X.680 §34, §35", "invalid OID-IRI syntax";
    /// An EXTERNAL with neither reference. Offset: its content.
    Inconsistent = 57, "inconsistent", "X.690 §8.18.4", "an EXTERNAL must have a direct or an indirect reference";
    /// A SET with a component that is not in its type. Offset: the identifier.
    SetUnknown = 58, "set-unknown", "X.680 §27", "the SET has no component with this tag";
    /// A malformed PEM boundary line. Offset: its first dash, or the faulty byte.
    PemBoundary = 64, "pem-boundary", "RFC 7468 §3", "the PEM boundary line is malformed";
    /// A PEM block without an END line. Offset: the first dash of its BEGIN line.
    PemUnterminated = 65, "pem-unterminated", "RFC 7468 §3", "the PEM block has no END line";
    /// A PEM END line without a BEGIN line. Offset: its first dash.
    PemUnopened = 66, "pem-unopened", "RFC 7468 §3", "the PEM END line has no BEGIN line";
    /// A PEM END line whose label differs from the BEGIN line's. Offset: the label.
    PemLabel = 67, "pem-label", "RFC 7468 §2", "the labels of the PEM boundary lines differ";
    /// Headers in a PEM block. Offset: the first one.
    PemHeaders = 68, "pem-headers", "RFC 7468 §2", "the PEM block has headers";
    /// PEM lines that violate the required layout. Offset: the line, or the misplaced byte.
    PemLayout = 69, "pem-layout", "RFC 7468 §3", "invalid PEM layout";
    /// A byte outside the base64 alphabet. Offset: that byte.
    Base64Character = 70, "base64-character", "RFC 4648 §3.3", "the byte is outside the base64 alphabet";
    /// Base64 that ends within a group of four. Offset: its end.
    Base64Length = 71, "base64-length", "RFC 4648 §4", "the base64 ends inside a group of four characters";
    /// Unexpected base64 padding, or characters after it. Offset: that character.
    Base64Padding = 72, "base64-padding", "RFC 4648 §4", "misplaced base64 padding";
    /// Nonzero unused bits in the last base64 character. Offset: that character.
    Base64Bits = 73, "base64-bits", "RFC 4648 §3.5", "the unused bits of the base64 are not zero";
    /// A byte that is not a hexadecimal digit. Offset: that byte.
    HexDigit = 74, "hex-digit", "RFC 4648 §8", "the byte is not a hexadecimal digit";
    /// An odd number of hexadecimal digits. Offset: the missing digit.
    HexLength = 75, "hex-length", "RFC 4648 §8", "the number of hexadecimal digits is odd";
    /// A constructed element of definite length in CER. Offset: the first length byte.
    IndefiniteExpected = 100, "indefinite-expected", "X.690 §9.1", "CER requires the indefinite length form for constructed elements";
    /// A CER string with wrong segments: longer than 1000 bytes but not in segments of 1000, or segmented although
    /// shorter. Offset: the first length byte, or the string's content.
    SegmentSize = 101, "segment-size", "X.690 §9.2", "CER requires 1000-byte segments for strings longer than 1000 bytes, and the primitive form for all others";
    /// A primitive element of indefinite length. Offset: the length byte.
    PrimitiveIndefinite = 102, "primitive-indefinite", "X.690 §8.1.3.2", "a primitive element must have a definite length";
    /// A value or item too long for a stream to buffer, such as a time or REAL. Offset: its content, or the item.
    TooLongToHold = 103, "too-long-to-hold", "implementation limit", "the value exceeds the stream's buffer limit";
    /// A bug in this library.
    Internal = 255, "internal", "internal", "internal error: an invariant of the decoder was violated";
}

impl FaultKind {
    /// Returns whether a budget or an implementation limit was exceeded. The input may be valid.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        matches!(
            self,
            Self::DepthExceeded
                | Self::ElementsExceeded
                | Self::OutputExceeded
                | Self::InputTooLarge
                | Self::TagTooLarge
        )
    }

    /// The codec rule that tolerates this kind, if any.
    #[must_use]
    pub const fn rule(self) -> Option<&'static crate::rule::Rule> {
        use crate::rule::Rule;
        Some(match self {
            Self::LengthNotMinimal => &Rule::LONG_LENGTH,
            Self::BooleanValue => &Rule::BOOLEAN_VALUE,
            Self::DefaultEncoded => &Rule::DEFAULT_ENCODED,
            Self::SetOfOrder => &Rule::SET_OF_ORDER,
            Self::SetUnknown => &Rule::EXTRA_COMPONENTS,
            Self::BitStringPadding => &Rule::UNUSED_BITS,
            Self::NamedBitsTrailing => &Rule::NAMED_BITS,
            Self::TimeForm => &Rule::TIME_FORM,
            Self::RealNotCanonical => &Rule::REAL_FORM,
            Self::IntegerPadded => &Rule::INTEGER_PADDED,
            Self::OidPadded => &Rule::OID_PADDED,
            Self::StringAlphabet => &Rule::STRING_ALPHABET,
            Self::Size => &Rule::SIZE,
            Self::Value => &Rule::VALUE,
            Self::PemUnterminated => &Rule::PEM_MISSING_END,
            Self::PemLabel => &Rule::PEM_LABEL_MISMATCH,
            Self::PemHeaders => &Rule::PEM_HEADERS,
            Self::Base64Length => &Rule::PEM_MISSING_PADDING,
            Self::Base64Bits => &Rule::PEM_UNUSED_BITS,
            _ => return None,
        })
    }
}
