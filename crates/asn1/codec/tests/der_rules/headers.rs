//! Identifier and length octets (X.690 §8.1, §10.1, §10.2), and where elements start and end.

use tagwise_codec::{Any, BitStr, Int, Null, OctetStr, Oid, Rule, SeqOf, SetOf, UtcTime, Utf8};

use crate::Then::{By, KeptBy, Never};
use crate::rows;

rows! {
    // Lengths.
    "X.690 §10.1", "a length below 128 in the long form": OctetStr<'_>,
        "04 01 AA", "04 81 01 AA" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "the length 127 in the long form": OctetStr<'_>,
        "04 7F 00*127", "04 81 7F 00*127" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "the length 128 in two octets": OctetStr<'_>,
        "04 81 80 00*128", "04 82 00 80 00*128" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "the length 256 in three octets": OctetStr<'_>,
        "04 82 01 00 00*256", "04 83 00 01 00 00*256" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "a length in four octets, as Active Directory writes all of them": SeqOf<'_, u8>,
        "30 03 02 01 05", "30 84 00 00 00 03 02 01 05" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "a length in nine octets": OctetStr<'_>,
        "04 01 AA", "04 89 00*8 01 AA" => LengthNotMinimal at 1, By(&Rule::LONG_LENGTH);
    "X.690 §10.1", "the length of an element inside": SeqOf<'_, u8>,
        "30 03 02 01 05", "30 04 02 81 01 05" => LengthNotMinimal at 3, KeptBy(&Rule::LONG_LENGTH);
    "X.690 §10.1", "an indefinite length": SeqOf<'_, u8>,
        "30 03 02 01 05", "30 80 02 01 05 00 00" => LengthIndefinite at 1, Never;
    "X.690 §10.1", "an indefinite length of any element": Any<'_>,
        "A0 03 02 01 05", "A0 80 02 01 05 00 00" => LengthIndefinite at 1, Never;
    "X.690 §8.1.3.2", "an indefinite length in the primitive form": OctetStr<'_>,
        "04 00", "04 80 00 00" => LengthIndefinite at 1, Never;
    "X.690 §8.1.3.5", "the length octet FF": OctetStr<'_>,
        "04 01 AA", "04 FF AA" => LengthReserved at 1, Never;
    "implementation limit", "a length of five significant octets and more": OctetStr<'_>,
        "04 01 AA", "04 86 01 00*5 AA" => LengthTooLarge at 1, Never;
    "X.690 §8.1.3", "a length that runs past the input": OctetStr<'_>,
        "04 02 AA BB", "04 03 AA BB" => LengthOverrun at 1, Never;
    "X.690 §8.1.3", "a long length that runs past the input": OctetStr<'_>,
        "04 81 80 00*128", "04 81 81 00*128" => LengthOverrun at 1, Never;
    "X.690 §8.1.3", "a length that runs past what contains it": SeqOf<'_, SeqOf<'_, u8>>,
        "30 05 30 03 02 01 05", "30 05 30 03 02 02 05 00" => LengthOverrun at 5, Never;
    "X.690 §8.1.3", "a length that runs past an element that no schema describes": Any<'_>,
        "A0 05 30 03 02 01 05", "A0 05 30 03 02 02 05 00" => LengthOverrun at 5, Never;
    "X.690 §8.1.1", "an input that ends after the identifier": Int<'_>,
        "02 01 05", "02" => Truncated at 1, Never;
    "X.690 §8.1.1", "an input that ends inside the length": OctetStr<'_>,
        "04 01 AA", "04 82 01" => Truncated at 3, Never;
    "X.690 §8.1.1", "a container that ends inside an element's length": SeqOf<'_, OctetStr<'_>>,
        "30 02 04 00", "30 03 04 82 01" => Truncated at 5, Never;
    "X.690 §8.1.1", "an input that ends inside a high tag": Any<'_>,
        "5F 1F 00", "5F 9F" => Truncated at 2, Never;

    // Tags.
    "X.690 §8.1.2.2", "a number below 31 in the high form": Any<'_>,
        "5E 00", "5F 1E 00" => TagNotMinimal at 0, Never;
    "X.690 §8.1.2.2", "INTEGER in the high form": Int<'_>,
        "02 01 05", "1F 02 01 05" => TagNotMinimal at 0, Never;
    "X.690 §8.1.2.4.2", "a number that starts with zeros": Any<'_>,
        "5F 1F 00", "5F 80 1F 00" => TagNotMinimal at 0, Never;
    "X.690 §8.1.2.4.2", "a number inside that starts with zeros": SeqOf<'_, Any<'_>>,
        "30 03 5F 1F 00", "30 04 5F 80 1F 00" => TagNotMinimal at 2, Never;
    "implementation limit", "the tag number 2^32": Any<'_>,
        "5F 8F FF FF FF 7F 00", "5F 90 80 80 80 00 00" => TagTooLarge at 0, Never;
    "X.690 §8.1.5", "end-of-contents where nothing is open": Any<'_>,
        "05 00", "00 00" => EndOfContents at 0, Never;
    "X.690 §8.1.5", "end-of-contents in a definite length": Any<'_>,
        "30 00", "30 02 00 00" => EndOfContents at 2, Never;
    "X.690 §8.1.2", "another type": Int<'_>,
        "02 01 05", "04 01 05" => UnexpectedTag at 0, Never;
    "X.690 §8.1.2", "another class": Int<'_>,
        "02 01 05", "82 01 05" => UnexpectedTag at 0, Never;
    "X.690 §8.1.2", "another class of the four": u8,
        "02 01 05", "42 01 05" => UnexpectedTag at 0, Never;
    "X.690 §8.1.2", "another type inside": SeqOf<'_, u8>,
        "30 06 02 01 05 02 01 06", "30 06 02 01 05 0A 01 06" => UnexpectedTag at 5, Never;

    // Forms.
    "X.690 §10.2", "a constructed OCTET STRING": OctetStr<'_>,
        "04 01 AA", "24 03 04 01 AA" => PrimitiveExpected at 0, Never;
    "X.690 §10.2", "a constructed BIT STRING": BitStr<'_>,
        "03 02 00 AA", "23 04 03 02 00 AA" => PrimitiveExpected at 0, Never;
    "X.690 §10.2", "a constructed character string": Utf8<'_>,
        "0C 01 'a'", "2C 03 0C 01 'a'" => PrimitiveExpected at 0, Never;
    "X.690 §10.2", "a constructed time": UtcTime,
        "17 0D '250101000000Z'", "37 0F 17 0D '250101000000Z'" => PrimitiveExpected at 0, Never;
    "X.690 §8.2.1", "a constructed BOOLEAN": bool,
        "01 01 FF", "21 01 FF" => PrimitiveExpected at 0, Never;
    "X.690 §8.3.1", "a constructed INTEGER": Int<'_>,
        "02 01 05", "22 01 05" => PrimitiveExpected at 0, Never;
    "X.690 §8.8.1", "a constructed NULL": Null,
        "05 00", "25 00" => PrimitiveExpected at 0, Never;
    "X.690 §8.19.1", "a constructed OBJECT IDENTIFIER": Oid<'_>,
        "06 01 55", "26 01 55" => PrimitiveExpected at 0, Never;
    "X.690 §10.2", "a constructed string that no schema describes": Any<'_>,
        "30 03 04 01 AA", "30 05 24 03 04 01 AA" => PrimitiveExpected at 2, Never;
    "X.690 §8.10.1", "a primitive SEQUENCE OF": SeqOf<'_, u8>,
        "30 03 02 01 05", "10 03 02 01 05" => ConstructedExpected at 0, Never;
    "X.690 §8.12.1", "a primitive SET OF": SetOf<'_, u8>,
        "31 03 02 01 05", "11 03 02 01 05" => ConstructedExpected at 0, Never;
    "X.690 §8.9.1", "a primitive SEQUENCE that no schema describes": Any<'_>,
        "A0 02 30 00", "A0 02 10 00" => ConstructedExpected at 2, Never;

    // Ends.
    "X.690 §8.1.1", "nothing at all": Int<'_>,
        "02 01 05", "" => Missing at 0, Never;
    "X.690 §8.1.1", "something after the value": Int<'_>,
        "02 01 05", "02 01 05 00" => TrailingData at 3, By(&Rule::TRAILING_DATA);
    "X.690 §8.1.1", "a second value after the value": SeqOf<'_, u8>,
        "30 03 02 01 05", "30 03 02 01 05 02 01 05" => TrailingData at 5, By(&Rule::TRAILING_DATA);
}
