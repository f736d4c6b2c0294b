//! Types that few protocols use, under PER and OER, clause by clause.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

mod packed;

use packed::{check, schema};
use tagwise_codec::text::hex::{Hex, decode_pairs};
use tagwise_per::Variant;
use tagwise_tables::Schema;
use tagwise_tables::untagged::Rules;

/// Checks both directions of a value in OER.
#[track_caller]
fn check_oer(schema: &Schema, ty: &str, json: &str, octets: &str) {
    let types = schema.ty(ty).unwrap();
    let value = tagwise_jer::from_str(&types, json).unwrap_or_else(|error| panic!("{error}"));
    for canonical in [false, true] {
        let ty = schema.untagged(ty, Rules::Oer { canonical }).unwrap();
        assert_eq!(format!("{:X}", Hex(&ty.encode(&value).unwrap())), octets, "{json}");
        let read = ty.decode(&decode_pairs(octets).unwrap()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tagwise_jer::to_string(types.types(), &read.value), json);
    }
}

#[track_caller]
fn refused(schema: &Schema, ty: &str, rules: Rules, octets: &str, message: &str) {
    let error = schema.untagged(ty, rules).unwrap().decode(&decode_pairs(octets).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

const UPER: Rules = Rules::Per(Variant::UNALIGNED);
const OER: Rules = Rules::Oer { canonical: false };

/// X.691 §32.6: eight presence bits, and extensible numbers.
#[test]
fn durations() {
    let schema = schema("T ::= DURATION");
    check(&schema, "T", r#""P10W""#, "2014", "2014");
    check(&schema, "T", r#""PT0S""#, "0200", "0200");
    check(&schema, "T", r#""P5.0Y""#, "8114000000", "81140000");
    // 32 years are beyond the root: the extension bit, a length and the number.
    check(&schema, "T", r#""P32Y""#, "80800120", "80809000");
}

/// X.691 §32.2 to §32.4: the forms of dates and times that property settings select.
#[test]
fn times_with_settings() {
    let time = |settings: &str| schema(&format!("T ::= TIME (SETTINGS \"{settings}\")"));
    // YEAR-MONTH of X.680 Annex B.
    let month = schema(
        "T ::= TIME ((SETTINGS \"Basic=Date Date=YM Year=Basic\") | (SETTINGS \"Basic=Date Date=YM Year=Proleptic\"))",
    );
    check(&month, "T", r#""1985-04""#, "80EC30", "BB0C");
    check(&time("Basic=Date Date=C Year=Basic"), "T", r#""19C""#, "26", "26");
    check(&time("Basic=Date Date=YD Year=Negative"), "T", r#""-0002-102""#, "01FE0065", "01FE3280");
    let difference = time("Basic=Time Time=H Local-or-UTC=LD");
    check(&difference, "T", r#""15+01""#, "7820", "7820");
    check(&difference, "T", r#""15-05:30""#, "7EAE80", "7EAE80");
    // The fraction has 10 bits behind an extension bit, or any number of bytes.
    let local = "Basic=Time Local-or-UTC=L Time";
    check(&time(&format!("{local}=HMSF3")), "T", r#""15:27:35.500""#, "7B718001F4", "7B719F40");
    check(&time(&format!("{local}=HMSF4")), "T", r#""15:27:35.5000""#, "7B71C0021388", "7B71C084E200");
    let both = time("Basic=Date-Time Date=YWD Year=Basic Time=HM Local-or-UTC=Z");
    check(&both, "T", r#""2026-W48-7T18:05Z""#, "4005BF4850", "416FD214");
    // 1000 thousandths are an extension of the range, but not a fraction of three digits.
    let fraction = time(&format!("{local}=HF3"));
    refused(&fraction, "T", UPER, "7C080FA0", "a number or index is outside its range, at bit 5 (X.691 §11.5)");
    // There is no negative difference of zero.
    refused(&difference, "T", UPER, "7A00", "a number or index is outside its range, at bit 0 (X.691 §11.5)");
}

/// X.691 §32.5 to §32.10: intervals, with starts, ends, durations and recurrences. The encodings are those of Erlang for the types
/// of §32.
#[test]
fn intervals() {
    let time = |settings: &str| schema(&format!("T ::= TIME (SETTINGS \"Basic={settings}\")"));
    let years = time("Interval Interval-type=SE SE-point=Date Date=Y Year=Basic");
    check(&years, "T", r#""1985/2026""#, "80EC4005", "BB1050");
    // The end does not repeat the difference of the start (X.690 §11.9). Its encoding does.
    let hours = time("Interval Interval-type=SE SE-point=Time Time=H Local-or-UTC=LD");
    check(&hours, "T", r#""15+01/16""#, "783004", "783004");
    check(&hours, "T", r#""15-05:30/16+01""#, "7EAEC010", "7EAEC010");
    let start = time("Interval Interval-type=SD SE-point=Date Date=YMD Year=Basic");
    check(&start, "T", r#""2026-11-29/P10D""#, "4005AE0814", "416B820500");
    let end = time("Interval Interval-type=DE SE-point=Time Time=HM Local-or-UTC=Z");
    check(&end, "T", r#""PT5M/18:05Z""#, "040B2140", "040B2140");
    let recurring = time("Rec-Interval Interval-type=D");
    check(&recurring, "T", r#""R/P10W""#, "100A", "100A");
    check(&recurring, "T", r#""R5/P10W""#, "8001052014", "8082900A");
    // DURATION is this TIME.
    check(&time("Interval Interval-type=D"), "T", r#""P10W""#, "2014", "2014");
}

/// X.691 §32.11: a CHOICE of all rows. The encodings are those of Erlang for MIXED-ENCODING.
#[test]
fn times_with_several_forms() {
    let time = schema("T ::= TIME");
    for (json, aligned, unaligned) in [
        (r#""19C""#, "0098", "0098"),
        (r#""+12345""#, "0C023039", "0C08C0E4"),
        (r#""2026-11-29""#, "1905AE00", "1905AE00"),
        (r#""18:05""#, "464280", "464280"),
        (r#""15:27:35.050+01""#, "7C01027B7180003204", "7C0409EDC60C81"),
        (r#""2026-11-29T18:05Z""#, "819005AE092140", "81905AE09214"),
        (r#""10:15-05:30/11:15""#, "88551FABA2ACFD5D", "88551FABA2ACFD5D"),
        (r#""P10W""#, "908050", "908050"),
        (r#""2026-W48-7T18.5Z/PT5M""#, "9F1005BF40010054800005040A", "9F105BF404015200A08140"),
        (r#""R15/19C/20C""#, "AE010F026050", "AE021E04C0A0"),
        (r#""R/P10W/1985""#, "C84028A0EC", "C84028AEC0"),
    ] {
        check(&time, "T", json, aligned, unaligned);
    }
    for settings in ["Date=YMD", "Basic=Date", "Basic=Time Time=HMS", "Basic=Interval SE-point=Date"] {
        let time = schema(&format!("T ::= TIME (SETTINGS \"{settings}\")"));
        assert!(!time.untagged("T", UPER).unwrap().decode(&[0; 4]).unwrap_err().to_string().contains("supported"));
    }
    let outside = "a number or index is outside its range, at bit 0 (X.691 §11.5)";
    // 1985 as a year of any size, and a century of four digits.
    refused(&time, "T", UPER, "0C081F04", outside);
    // Row 54, and a time of day with a fraction but without its number of digits.
    refused(&time, "T", UPER, "D4", "the number is 53; allowed 0..52, at bit 0 (X.691 §11.5)");
    refused(&time, "T", UPER, "89008000", "a number or index is outside its range, at bit 6 (X.691 §11.5)");
}

/// Types without a known encoding are errors.
#[test]
fn times_without_encoding() {
    let time = |settings: &str| schema(&format!("T ::= TIME ({settings})"));
    let refused_in = |rules, settings: &str, what: &str| {
        let place = if rules == OER { "byte" } else { "bit" };
        let message = format!("encoding rules without tags are not supported for {what}, at {place} 0");
        refused(&time(settings), "T", rules, "000000", &message);
    };
    let unknown = "TIME with settings that are extensible, excepted or of more than 38 digits";
    refused_in(UPER, "SETTINGS \"Basic=Date\", ...", unknown);
    refused_in(UPER, "ALL EXCEPT SETTINGS \"Basic=Date\"", unknown);
    refused_in(UPER, "SETTINGS \"Basic=Time Time=HF39 Local-or-UTC=Z\"", unknown);
    refused_in(UPER, "SETTINGS \"Basic=Date Time=H\"", "TIME without values");
    let others = "TIME of other forms than X.696 §29 lists";
    for settings in [
        "Basic=Date",
        "Basic=Date Date=C Year=Basic",
        "Basic=Date Date=YWD Year=Basic",
        "Basic=Time Time=HF2 Local-or-UTC=Z",
        "Basic=Interval Interval-type=SE SE-point=Date Date=Y Year=Basic",
        "Basic=Rec-Interval Interval-type=D",
    ] {
        refused_in(OER, &format!("SETTINGS \"{settings}\""), others);
    }
}

/// X.696 §29: dates and times of day as numbers, with differences in minutes.
#[test]
fn times_with_settings_in_oer() {
    let time = |settings: &str| schema(&format!("T ::= TIME (SETTINGS \"{settings}\")"));
    check_oer(&time("Basic=Date Date=Y Year=Basic"), "T", r#""2026""#, "0207EA");
    check_oer(&time("Basic=Date Date=YM Year=Negative"), "T", r#""-0002-04""#, "01FE04");
    check_oer(&time("Basic=Time Time=H Local-or-UTC=LD"), "T", r#""15-05:30""#, "0FFEB6");
    check_oer(&time("Basic=Time Time=HM Local-or-UTC=Z"), "T", r#""18:05Z""#, "1205");
    check_oer(&time("Basic=Time Time=HMSF3 Local-or-UTC=LD"), "T", r#""18:05:59.050+01""#, "12053B0132003C");
    let both = time("Basic=Date-Time Date=YMD Year=Basic Time=HM Local-or-UTC=Z");
    check_oer(&both, "T", r#""2026-11-29T18:05Z""#, "0207EA0B1D1205");
    check_oer(&time("Basic=Interval Interval-type=D"), "T", r#""P10W""#, "20010A");
    let thousandths = time("Basic=Time Time=HMSF3 Local-or-UTC=L");
    refused(&thousandths, "T", OER, "12053B0203E8", "a number or index is outside its range, at byte 3");
}

/// X.696 §29: the types of PER without their ranges.
#[test]
fn durations_in_oer() {
    let schema = schema("T ::= DURATION");
    check_oer(&schema, "T", r#""P10W""#, "20010A");
    check_oer(&schema, "T", r#""PT1.50S""#, "03010101020132");
    refused(&schema, "T", OER, "00", "a number or index is outside its range, at byte 0");
}

/// X.696 §29: the components of dates and times as numbers.
#[test]
fn dates_and_times_in_oer() {
    let schema = schema("D ::= DATE T ::= TIME-OF-DAY B ::= DATE-TIME");
    check_oer(&schema, "D", r#""2026-11-29""#, "0207EA0B1D");
    check_oer(&schema, "T", r#""18:05:59""#, "12053B");
    check_oer(&schema, "B", r#""2026-11-29T18:05:59""#, "0207EA0B1D12053B");
    refused(&schema, "D", OER, "0207EA0D1D", "the number is 13; allowed 1..12, at byte 3");
    refused(&schema, "T", OER, "12053D", "the number is 61; allowed 0..60, at byte 2");
}

/// X.691 §13: bounds of any size.
#[test]
fn integers_beyond_128_bits() {
    // 2^136 - 1 is 87112285931760246646623899502532662132735.
    let schema = schema(
        "R ::= INTEGER (0..87112285931760246646623899502532662132735)
         S ::= INTEGER (-87112285931760246646623899502532662132736..MAX)
         E ::= INTEGER (0..87112285931760246646623899502532662132735, ...)",
    );
    // A range of 136 bits: 17 bytes unaligned; a length of 5 bits and the number, aligned.
    check(&schema, "R", "5", "0005", &format!("{}05", "00".repeat(16)));
    check(
        &schema,
        "R",
        "87112285931760246646623899502532662132735",
        &format!("80{}", "FF".repeat(17)),
        &"FF".repeat(17),
    );
    // From its lower bound, -2^136 is 0 and 0 has 18 bytes.
    check(&schema, "S", "-87112285931760246646623899502532662132736", "0100", "0100");
    check(&schema, "S", "0", &format!("1201{}", "00".repeat(17)), &format!("1201{}", "00".repeat(17)));
    check(&schema, "E", "-1", "8001FF", "80FF80");
    check_oer(&schema, "R", "5", "0105");
    check_oer(&schema, "S", "-1", "01FF");
    check_oer(&schema, "E", "-1", "01FF");
}

/// X.691 §28 and §31, X.680 §36.5 and §44.5: the associated SEQUENCE without its descriptor.
#[test]
fn values_in_other_syntaxes() {
    let schema = schema("P ::= EMBEDDED PDV C ::= CHARACTER STRING");
    // The alternative 1 of 6 in 3 bits, the object identifier 2.1.1, and one byte.
    let json = r#"{"identification":{"syntax":"2.1.1"},"data-value":"05"}"#;
    check(&schema, "P", json, "200251010105", "204A202020A0");
    check_oer(&schema, "P", json, "810251010105");
    let json = r#"{"identification":{"fixed":null},"string-value":"41"}"#;
    check(&schema, "C", json, "A00141", "A02820");
    check_oer(&schema, "C", json, "850141");
    let json = r#"{"identification":{"syntaxes":{"abstract":"2.1.1","transfer":"2.1.2"}},"data-value":""}"#;
    check(&schema, "P", json, "0002510102510200", "004A20204A204000");
}

/// X.681 Annex C: the associated SEQUENCE. The value is an open type.
#[test]
fn instances_of_classes() {
    let schema = schema("T ::= INSTANCE OF TYPE-IDENTIFIER");
    for rules in Rules::ALL.into_iter().filter(|rules| !rules.is_text()) {
        let ty = schema.untagged("T", rules).unwrap();
        let octets = decode_pairs("0251010302012C").unwrap();
        let value = ty.decode(&octets).unwrap().value;
        let json = tagwise_jer::to_string(schema.ty("T").unwrap().types(), &value);
        assert!(json.starts_with(r#"{"type-id":"2.1.1","value":{"$"#), "{json}");
        assert_eq!(ty.encode(&value).unwrap(), octets, "{}", rules.name());
    }
}

/// X.682 §11: contents under DER, whatever the outer rules.
#[test]
fn contents_encoded_by_der() {
    let schema = schema(
        "T ::= SEQUENCE { held OCTET STRING (CONTAINING Point ENCODED BY {joint-iso-itu-t asn1(1) ber-derived(2) distinguished-encoding(1)}) }
         Point ::= SEQUENCE { x INTEGER, shape Shape, list SEQUENCE OF BOOLEAN OPTIONAL }
         Shape ::= CHOICE { side INTEGER, none NULL }",
    );
    let json = r#"{"held":{"containing":{"x":5,"shape":{"side":7},"list":[true]}}}"#;
    let der = "300D800105A103800107A2030101FF";
    check(&schema, "T", json, &format!("0F{der}"), &format!("0F{der}"));
    check_oer(&schema, "T", json, &format!("0F{der}"));
    refused(&schema, "T", UPER, "03300100", "held: unexpected end-of-contents bytes, at bit 8 (X.690 §8.1.5)");
}
