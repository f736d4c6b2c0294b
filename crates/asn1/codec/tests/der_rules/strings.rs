//! Character strings: alphabets (X.680 §41) and how characters take octets (X.690 §8.23).
//!
//! Teletex, Videotex, Graphic and General strings and ObjectDescriptor are opaque octets here, and have no rows.

use tagwise_codec::{Any, Bmp, Ia5, Numeric, Printable, Rule, Universal, Utf8, Visible};

use crate::Then::{KeptBy, Never};
use crate::rows;

rows! {
    "X.680 §41.2", "a letter in a NumericString": Numeric<'_>,
        "12 05 '10 24'", "12 05 '10a24'" => StringAlphabet at 4, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41.4", "an at sign in a PrintableString": Printable<'_>,
        "13 09 'aZ09 ' 27 '()+'", "13 03 'a@b'" => StringAlphabet at 3, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41.4", "an asterisk in a PrintableString": Printable<'_>,
        "13 0C ',-./:=? AZaz'", "13 02 '*.'" => StringAlphabet at 2, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41.4", "an underscore, in an element that no schema describes": Any<'_>,
        "13 01 'a'", "13 02 'a_'" => StringAlphabet at 3, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41", "an octet above 7F in an IA5String": Ia5<'_>,
        "16 03 00 7F 'a'", "16 03 'a' 80 'b'" => StringAlphabet at 3, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41", "a control character in a VisibleString": Visible<'_>,
        "1A 02 ' ~'", "1A 02 'a' 0A" => StringAlphabet at 3, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41", "DEL in a VisibleString": Visible<'_>,
        "1A 01 'a'", "1A 01 7F" => StringAlphabet at 2, KeptBy(&Rule::STRING_ALPHABET);

    "X.690 §8.23.10", "an octet that starts no character": Utf8<'_>,
        "0C 02 C3 A9", "0C 02 'a' FF" => Utf8Invalid at 3, Never;
    "X.690 §8.23.10", "two octets where one would do": Utf8<'_>,
        "0C 01 00", "0C 02 C0 80" => Utf8Invalid at 2, Never;
    "X.690 §8.23.10", "a surrogate": Utf8<'_>,
        "0C 03 EE 80 80", "0C 03 ED A0 80" => Utf8Invalid at 2, Never;
    "X.690 §8.23.10", "a character above 10FFFF": Utf8<'_>,
        "0C 04 F4 8F BF BF", "0C 04 F4 90 80 80" => Utf8Invalid at 2, Never;
    "X.690 §8.23.10", "a character that does not end": Utf8<'_>,
        "0C 03 E2 82 AC", "0C 03 'a' E2 82" => Utf8Invalid at 3, Never;

    "X.690 §8.23.8", "half a character in a BMPString": Bmp<'_>,
        "1E 04 00 'a' 20 AC", "1E 03 00 'a' 20" => StringLength at 4, Never;
    "X.680 §41", "a surrogate in a BMPString": Bmp<'_>,
        "1E 04 D7 FF E0 00", "1E 04 00 'a' D8 00" => StringAlphabet at 4, KeptBy(&Rule::STRING_ALPHABET);
    "X.690 §8.23.7", "part of a character in a UniversalString": Universal<'_>,
        "1C 04 00 01 F6 00", "1C 06 00 01 F6 00 00 00" => StringLength at 6, Never;
    "X.680 §41", "a surrogate in a UniversalString": Universal<'_>,
        "1C 04 00 00 D7 FF", "1C 04 00 00 D8 00" => StringAlphabet at 2, KeptBy(&Rule::STRING_ALPHABET);
    "X.680 §41", "a character above 10FFFF in a UniversalString": Universal<'_>,
        "1C 04 00 10 FF FF", "1C 04 00 11 00 00" => StringAlphabet at 2, KeptBy(&Rule::STRING_ALPHABET);
}
