//! SEQUENCE, SET, CHOICE, ENUMERATED and open types: what is there, in which order, and what is left out.

use tagwise_codec::{Any, Captured, Int, Null, OctetStr, Oid, Open, Raw, Rule, SeqOf, SetOf, Unknown};
use tagwise_derive::Asn1;

use crate::Then::{By, KeptBy, Never};
use crate::rows;

/// ```asn1
/// Message ::= SEQUENCE {
///     version  [0] EXPLICIT INTEGER DEFAULT 1,
///     serial       INTEGER,
///     owner    [1] IMPLICIT OCTET STRING OPTIONAL,
///     critical     BOOLEAN DEFAULT FALSE }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Message<'a> {
    #[asn1(explicit = 0, default = 1)]
    version: u8,
    serial: Int<'a>,
    #[asn1(implicit = 1)]
    owner: Option<OctetStr<'a>>,
    #[asn1(default = false)]
    critical: bool,
}

/// ```asn1
/// Settings ::= SET {
///     number      INTEGER,
///     flag        BOOLEAN DEFAULT FALSE,
///     colour  [0] IMPLICIT Colour OPTIONAL,
///     extra   [APPLICATION 7] EXPLICIT NULL OPTIONAL }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
struct Settings {
    number: u8,
    #[asn1(default = false)]
    flag: bool,
    #[asn1(implicit = 0)]
    colour: Option<Colour>,
    #[asn1(explicit, application = 7)]
    extra: Option<Null>,
}

/// `Colour ::= ENUMERATED { red (0), green (1), far (300) }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(enumerated)]
enum Colour {
    Red = 0,
    Green = 1,
    Far = 300,
}

/// `Either ::= CHOICE { number INTEGER, text [0] IMPLICIT OCTET STRING }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum Either<'a> {
    Number(Int<'a>),
    #[asn1(implicit = 0)]
    Text(OctetStr<'a>),
}

/// `Boxed ::= [1] EXPLICIT INTEGER`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(explicit = 1)]
struct Boxed(u8);

/// `Short ::= OCTET STRING (SIZE (1..2))`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=2))]
struct Short<'a>(OctetStr<'a>);

/// `Some ::= SEQUENCE SIZE (1..MAX) OF INTEGER`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
struct Some<'a>(SeqOf<'a, u8>);

/// `Percent ::= INTEGER (0..100)`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..=100))]
struct Percent(u8);

/// ```asn1
/// Attribute ::= SEQUENCE {
///     id     OBJECT IDENTIFIER,
///     value  SET.&Type ({Known}{@id}) }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Attribute<'a> {
    id: Oid<'a>,
    #[asn1(defined_by = id)]
    value: Open<'a, Known<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
enum Known<'a> {
    #[asn1(oid = "2.5.29.1")]
    Number(Int<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

rows! {
    // SEQUENCE.
    "X.680 §25", "a component too few": Message<'_>,
        "30 03 02 01 05", "30 00" => Missing at 2, Never;
    "X.680 §25", "a component too many": Message<'_>,
        "30 06 02 01 05 01 01 FF", "30 08 02 01 05 01 01 FF 05 00" => TrailingData at 8, By(&Rule::EXTRA_COMPONENTS);
    "X.680 §25", "an optional component too late": Message<'_>,
        "30 06 02 01 05 01 01 FF", "30 08 02 01 05 01 01 FF 81 00" => TrailingData at 8, By(&Rule::EXTRA_COMPONENTS);
    "X.680 §25", "another type in the place of a component": Message<'_>,
        "30 03 02 01 05", "30 03 04 01 05" => UnexpectedTag at 2, Never;
    "X.690 §11.5", "a DEFAULT value, TRUE or FALSE": Message<'_>,
        "30 03 02 01 05", "30 06 02 01 05 01 01 00" => DefaultEncoded at 5, By(&Rule::DEFAULT_ENCODED);
    "X.690 §11.5", "a DEFAULT value under a tag": Message<'_>,
        "30 03 02 01 05", "30 08 A0 03 02 01 01 02 01 05" => DefaultEncoded at 2, By(&Rule::DEFAULT_ENCODED);
    "X.690 §8.9.1", "a SEQUENCE in the primitive form": Message<'_>,
        "30 03 02 01 05", "10 03 02 01 05" => ConstructedExpected at 0, Never;
    "X.690 §8.1.2", "SET for SEQUENCE": Message<'_>,
        "30 03 02 01 05", "31 03 02 01 05" => UnexpectedTag at 0, Never;

    // Tags put on types.
    "X.690 §8.14.2", "an explicit tag in the primitive form": Boxed,
        "A1 03 02 01 05", "81 03 02 01 05" => ConstructedExpected at 0, Never;
    "X.690 §8.14.2", "an explicit tag taken for an implicit one": Boxed,
        "A1 03 02 01 05", "81 01 05" => ConstructedExpected at 0, Never;
    "X.690 §8.14.2", "another number": Boxed,
        "A1 03 02 01 05", "A2 03 02 01 05" => UnexpectedTag at 0, Never;
    "X.690 §8.14.2", "another class": Boxed,
        "A1 03 02 01 05", "61 03 02 01 05" => UnexpectedTag at 0, Never;
    "X.690 §8.14.2", "nothing under an explicit tag": Boxed,
        "A1 03 02 01 05", "A1 00" => Missing at 2, Never;
    "X.690 §8.14.2", "two values under an explicit tag": Boxed,
        "A1 03 02 01 05", "A1 06 02 01 05 02 01 06" => TrailingData at 5, Never;
    "X.690 §8.14.3", "an implicit tag in the constructed form": Message<'_>,
        "30 06 02 01 05 81 01 AA", "30 08 02 01 05 A1 03 04 01 AA" => PrimitiveExpected at 5, Never;

    // SET.
    "X.690 §10.3", "SET components out of order": Settings,
        "31 09 01 01 FF 02 01 05 80 01 01", "31 09 02 01 05 01 01 FF 80 01 01" => SetOrder at 5, Never;
    "X.690 §10.3, X.680 §8.6", "the context class before the application class": Settings,
        "31 0A 02 01 05 67 02 05 00 80 01 01", "31 0A 02 01 05 80 01 01 67 02 05 00" => SetOrder at 8, Never;
    "X.690 §8.11", "a SET component twice": Settings,
        "31 03 02 01 05", "31 06 02 01 05 02 01 05" => SetDuplicate at 5, Never;
    "X.680 §27", "a SET component too few": Settings,
        "31 03 02 01 05", "31 03 01 01 FF" => Missing at 5, Never;
    "X.680 §27", "a SET component too many": Settings,
        "31 03 02 01 05", "31 05 02 01 05 85 00" => SetUnknown at 5, By(&Rule::EXTRA_COMPONENTS);
    "X.690 §11.5", "a DEFAULT value in a SET": Settings,
        "31 03 02 01 05", "31 06 01 01 00 02 01 05" => DefaultEncoded at 2, By(&Rule::DEFAULT_ENCODED);

    // SET OF.
    "X.690 §11.6", "SET OF elements out of order": SetOf<'_, Int<'_>>,
        "31 06 02 01 01 02 01 02", "31 06 02 01 02 02 01 01" => SetOfOrder at 5, KeptBy(&Rule::SET_OF_ORDER);
    "X.690 §11.6", "a longer element before a shorter one": SetOf<'_, OctetStr<'_>>,
        "31 07 04 01 BB 04 02 AA 00", "31 07 04 02 AA 00 04 01 BB" => SetOfOrder at 6, KeptBy(&Rule::SET_OF_ORDER);
    "X.690 §11.6", "signs do not count, octets do": SetOf<'_, Int<'_>>,
        "31 06 02 01 01 02 01 FF", "31 06 02 01 FF 02 01 01" => SetOfOrder at 5, KeptBy(&Rule::SET_OF_ORDER);
    "X.690 §11.6", "a third element out of order": SetOf<'_, Any<'_>>,
        "31 08 02 01 01 05 00 80 01 00", "31 08 02 01 01 80 01 00 05 00" => SetOfOrder at 8, KeptBy(&Rule::SET_OF_ORDER);

    // CHOICE and ENUMERATED.
    "X.680 §29", "no alternative with the tag": Either<'_>,
        "80 01 AA", "81 01 AA" => ChoiceUnknown at 0, Never;
    "X.680 §29", "the tag of an alternative in another class": Either<'_>,
        "02 01 AA", "42 01 AA" => ChoiceUnknown at 0, Never;
    "X.680 §29", "an alternative in the constructed form": Either<'_>,
        "80 01 AA", "A0 03 04 01 AA" => PrimitiveExpected at 0, Never;
    "X.680 §29", "nothing where a CHOICE should be": Either<'_>,
        "80 01 AA", "" => Missing at 0, Never;
    "X.680 §20", "a number that the ENUMERATED does not have": Colour,
        "0A 02 01 2C", "0A 01 02" => EnumeratedUnknown at 2, Never;
    "X.680 §20", "the INTEGER of that number": Colour,
        "0A 01 00", "02 01 00" => UnexpectedTag at 0, Never;

    // Constraints.
    "X.680 §51.5", "an OCTET STRING above its SIZE": Short<'_>,
        "04 02 AA BB", "04 03 AA BB CC" => Size at 2, KeptBy(&Rule::SIZE);
    "X.680 §51.5", "an empty SEQUENCE SIZE (1..MAX) OF": Some<'_>,
        "30 03 02 01 05", "30 00" => Size at 2, KeptBy(&Rule::SIZE);
    "X.680 §51.4", "an INTEGER above its range": Percent,
        "02 01 64", "02 01 65" => Value at 2, KeptBy(&Rule::VALUE);

    // Open types, and what is kept as it is.
    "X.681 §14", "another type than the identifier selects": Attribute<'_>,
        "30 08 06 03 55 1D 01 02 01 05", "30 08 06 03 55 1D 01 04 01 05" => UnexpectedTag at 7, KeptBy(&Rule::OPEN_TYPE);
    "X.681 §14", "a padded INTEGER in an open type": Attribute<'_>,
        "30 08 06 03 55 1D 01 02 01 05", "30 09 06 03 55 1D 01 02 02 00 05" => IntegerPadded at 9, KeptBy(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "a padded INTEGER in an open type that is not known": Attribute<'_>,
        "30 08 06 03 55 1D 02 02 01 05", "30 09 06 03 55 1D 02 02 02 00 05" => IntegerPadded at 9, KeptBy(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "a padded INTEGER in a value that is decoded later": Raw<'_, Message<'_>>,
        "30 03 02 01 05", "30 04 02 02 00 05" => IntegerPadded at 4, KeptBy(&Rule::INTEGER_PADDED);
}

/// What is signed stays as it came, whatever is tolerated: so it has no row above.
#[test]
fn captured_octets_stay_as_they_came() {
    use tagwise_codec::{Options, encode};
    let loose = [0x30, 0x81, 3, 2, 1, 5];
    let read = Options::der().allow(&Rule::LONG_LENGTH).decode::<Captured<'_, Message<'_>>>(&loose).unwrap();
    assert_eq!(encode(&read.value).unwrap(), loose);
}
