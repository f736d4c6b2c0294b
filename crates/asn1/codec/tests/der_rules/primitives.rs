//! The content of BOOLEAN, INTEGER, ENUMERATED, NULL, BIT STRING, REAL and object identifiers, and of EXTERNAL.

use tagwise_codec::{
    Any, BitStr, Enumerated, External, Int, NamedBits, Null, Oid, OidIri, Real, RelativeOid, RelativeOidIri, Rule,
};

use crate::Then::{By, KeptBy, Never};
use crate::rows;

rows! {
    "X.690 §8.2.1", "a BOOLEAN without content": bool,
        "01 01 00", "01 00" => BooleanLength at 2, Never;
    "X.690 §8.2.1", "a BOOLEAN of two octets": bool,
        "01 01 FF", "01 02 FF FF" => BooleanLength at 2, Never;
    "X.690 §11.1", "TRUE as 01": bool,
        "01 01 FF", "01 01 01" => BooleanValue at 2, By(&Rule::BOOLEAN_VALUE);
    "X.690 §11.1", "TRUE as FE, in an element that no schema describes": Any<'_>,
        "01 01 FF", "01 01 FE" => BooleanValue at 2, KeptBy(&Rule::BOOLEAN_VALUE);

    "X.690 §8.3.1", "an INTEGER without content": Int<'_>,
        "02 01 00", "02 00" => IntegerEmpty at 2, Never;
    "X.690 §8.3.2", "nine zero bits in front": Int<'_>,
        "02 01 05", "02 02 00 05" => IntegerPadded at 2, By(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "nine zero bits in front of zero": Int<'_>,
        "02 01 00", "02 02 00 00" => IntegerPadded at 2, By(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "nine one bits in front": Int<'_>,
        "02 01 80", "02 02 FF 80" => IntegerPadded at 2, By(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "two octets too many, in a native integer": i64,
        "02 02 00 80", "02 04 00 00 00 80" => IntegerPadded at 2, By(&Rule::INTEGER_PADDED);
    "X.690 §8.3.2", "padding, in an element that no schema describes": Any<'_>,
        "02 02 FF 7F", "02 03 FF FF 7F" => IntegerPadded at 2, KeptBy(&Rule::INTEGER_PADDED);
    "X.680 §51.4", "256 in an octet": u8,
        "02 02 00 FF", "02 02 01 00" => IntegerRange at 2, Never;
    "X.680 §51.4", "-1 in an unsigned integer": u64,
        "02 09 00 FF*8", "02 01 FF" => IntegerRange at 2, Never;
    "X.680 §51.4", "2^63 in a signed integer": i64,
        "02 08 7F FF*7", "02 09 00 80 00*7" => IntegerRange at 2, Never;

    "X.690 §8.4", "an ENUMERATED without content": Enumerated,
        "0A 01 00", "0A 00" => IntegerEmpty at 2, Never;
    "X.690 §8.4, §8.3.2", "a padded ENUMERATED": Enumerated,
        "0A 01 05", "0A 02 00 05" => IntegerPadded at 2, By(&Rule::INTEGER_PADDED);

    "X.690 §8.8.2", "a NULL with content": Null,
        "05 00", "05 01 00" => NullLength at 2, Never;

    "X.690 §8.6.2.1", "a BIT STRING without its initial octet": BitStr<'_>,
        "03 01 00", "03 00" => BitStringEmpty at 2, Never;
    "X.690 §8.6.2.2", "eight unused bits": BitStr<'_>,
        "03 02 07 80", "03 02 08 00" => BitStringUnused at 2, Never;
    "X.690 §8.6.2.3", "unused bits without any bits": BitStr<'_>,
        "03 01 00", "03 01 07" => BitStringUnused at 2, Never;
    "X.690 §11.2.1", "one bits among the unused ones": BitStr<'_>,
        "03 03 04 AA F0", "03 03 04 AA FF" => BitStringPadding at 4, By(&Rule::UNUSED_BITS);
    "X.690 §11.2.1", "one bits among the unused ones, in an element that no schema describes": Any<'_>,
        "03 02 01 FE", "03 02 01 FF" => BitStringPadding at 3, KeptBy(&Rule::UNUSED_BITS);
    "X.690 §11.2.2", "a named-bit list with trailing zero bits": NamedBits<'_>,
        "03 02 05 A0", "03 02 00 A0" => NamedBitsTrailing at 3, By(&Rule::NAMED_BITS);
    "X.690 §11.2.2", "a named-bit list with a trailing zero octet": NamedBits<'_>,
        "03 02 05 A0", "03 03 00 A0 00" => NamedBitsTrailing at 4, By(&Rule::NAMED_BITS);
    "X.690 §11.2.2", "a named-bit list of one zero bit": NamedBits<'_>,
        "03 01 00", "03 02 07 00" => NamedBitsTrailing at 3, By(&Rule::NAMED_BITS);
    "X.690 §11.2.1", "one bits among the unused ones of a named-bit list": NamedBits<'_>,
        "03 02 05 A0", "03 02 05 A1" => BitStringPadding at 3, By(&Rule::UNUSED_BITS);

    "X.690 §8.19.2", "an OBJECT IDENTIFIER without content": Oid<'_>,
        "06 01 00", "06 00" => OidEmpty at 2, Never;
    "X.690 §8.19.2", "a padded arc": Oid<'_>,
        "06 03 55 1D 13", "06 04 55 80 1D 13" => OidPadded at 3, KeptBy(&Rule::OID_PADDED);
    "X.690 §8.19.2", "padded first arcs": Oid<'_>,
        "06 02 55 1D", "06 03 80 55 1D" => OidPadded at 2, KeptBy(&Rule::OID_PADDED);
    "X.690 §8.19.2", "an arc that does not end": Oid<'_>,
        "06 03 55 84 1D", "06 02 55 84" => OidTruncated at 4, Never;
    "X.690 §8.20.2", "a RELATIVE-OID without content": RelativeOid<'_>,
        "0D 01 00", "0D 00" => OidEmpty at 2, Never;
    "X.690 §8.20.2", "a padded arc of a RELATIVE-OID": RelativeOid<'_>,
        "0D 02 08 01", "0D 03 08 80 01" => OidPadded at 3, KeptBy(&Rule::OID_PADDED);
    "X.690 §8.20.2", "an arc of a RELATIVE-OID that does not end": RelativeOid<'_>,
        "0D 01 08", "0D 02 08 FF" => OidTruncated at 4, Never;
    "X.680 §34", "an OID-IRI that does not start at the root": OidIri<'_>,
        "1F 23 04 '/ISO'", "1F 23 03 'ISO'" => Iri at 3, Never;
    "X.660 §7.5", "an OID-IRI with an empty label": OidIri<'_>,
        "1F 23 06 '/ISO/1'", "1F 23 06 '/ISO//'" => Iri at 8, Never;
    "X.660 §7.5", "an integer-valued label with a zero in front": RelativeOidIri<'_>,
        "1F 24 01 '1'", "1F 24 02 '01'" => Iri at 3, Never;
    "X.690 §8.23.10", "an OID-IRI that is not UTF-8": OidIri<'_>,
        "1F 23 03 '/' C3 A9", "1F 23 03 '/a' FF" => Utf8Invalid at 5, Never;

    // REAL.
    "X.690 §8.5.9", "a special value that is reserved": Real<'_>,
        "09 01 43", "09 01 44" => RealFormat at 2, Never;
    "X.690 §8.5.9", "a special value with something after it": Real<'_>,
        "09 01 40", "09 02 40 00" => RealFormat at 3, Never;
    "X.690 §8.5.7.2", "the reserved base": Real<'_>,
        "09 03 80 00 01", "09 03 B0 00 01" => RealFormat at 2, Never;
    "X.690 §8.5.7", "a binary REAL without an exponent": Real<'_>,
        "09 03 80 00 01", "09 01 80" => RealFormat at 3, Never;
    "X.690 §8.5.2", "zero with octets": Real<'_>,
        "09 00", "09 03 80 00 00" => RealFormat at 4, Never;
    "X.690 §11.3.1", "base 16": Real<'_>,
        "09 03 80 04 01", "09 03 A0 01 01" => RealNotCanonical at 2, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "base 8": Real<'_>,
        "09 03 80 03 01", "09 03 90 01 01" => RealNotCanonical at 2, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "a scaling factor": Real<'_>,
        "09 03 80 01 01", "09 03 84 00 01" => RealNotCanonical at 2, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "an even mantissa": Real<'_>,
        "09 03 80 01 03", "09 03 80 00 06" => RealNotCanonical at 4, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "a mantissa with zeros in front": Real<'_>,
        "09 03 80 00 01", "09 04 80 00 00 01" => RealNotCanonical at 4, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "a padded exponent": Real<'_>,
        "09 03 80 05 01", "09 04 81 00 05 01" => RealNotCanonical at 3, By(&Rule::REAL_FORM);
    "X.690 §11.3.1", "an exponent with a length of its own that needs none": Real<'_>,
        "09 03 80 05 01", "09 04 83 01 05 01" => RealNotCanonical at 3, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.1", "decimal NR1": Real<'_>,
        "09 07 03 '15.E+0'", "09 03 01 '15'" => RealNotCanonical at 2, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.1", "decimal NR2": Real<'_>,
        "09 07 03 '15.E-1'", "09 04 02 '1.5'" => RealNotCanonical at 2, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.2", "a space": Real<'_>,
        "09 06 03 '1.E+0'", "09 07 03 ' 1.E+0'" => RealNotCanonical at 3, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.5", "a mantissa that ends in zero": Real<'_>,
        "09 05 03 '1.E1'", "09 07 03 '10.E+0'" => RealNotCanonical at 4, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.5", "a digit after the point": Real<'_>,
        "09 07 03 '15.E-1'", "09 07 03 '1.5E+0'" => RealNotCanonical at 5, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.4", "a comma": Real<'_>,
        "09 06 03 '1.E+0'", "09 06 03 '1,E+0'" => RealNotCanonical at 4, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.3", "a plus sign": Real<'_>,
        "09 06 03 '1.E+0'", "09 07 03 '+1.E+0'" => RealNotCanonical at 3, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.6", "a lower-case e": Real<'_>,
        "09 06 03 '1.E+0'", "09 06 03 '1.e+0'" => RealNotCanonical at 5, By(&Rule::REAL_FORM);
    "X.690 §11.3.2.6", "an exponent of zero without its plus sign": Real<'_>,
        "09 06 03 '1.E+0'", "09 05 03 '1.E0'" => RealNotCanonical at 6, By(&Rule::REAL_FORM);

    "X.680 §37.5", "an EXTERNAL that refers to nothing": External<'_>,
        "28 05 06 01 55 81 00", "28 02 81 00" => Inconsistent at 2, Never;
}
