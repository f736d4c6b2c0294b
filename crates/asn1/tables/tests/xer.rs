//! The XML Encoding Rules, clause by clause.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::{Budget, Options};
use tagwise_tables::xer::{Rule, Tolerance, Variant};
use tagwise_tables::{Schema, Source};

fn schema(assignments: &str) -> Schema {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

fn json(schema: &Schema, value: &tagwise_codec::value::Value<'_>) -> String {
    tagwise_jer::to_string(schema.ty("T").unwrap().types(), value)
}

/// Checks both directions of a value of the type T, in the basic and the canonical rules.
#[track_caller]
fn check(assignments: &str, value: &str, xml: &str) {
    let schema = schema(assignments);
    let read = tagwise_jer::from_str(&schema.ty("T").unwrap(), value).unwrap_or_else(|error| panic!("{error}"));
    for variant in [Variant::Basic, Variant::Canonical] {
        let ty = schema.xer("T").unwrap().variant(variant);
        let encoded = ty.encode(&read).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(String::from_utf8_lossy(&encoded), xml, "{variant}");
        let decoded = ty.decode(xml.as_bytes()).unwrap_or_else(|error| panic!("{variant}: {error}: {xml}"));
        assert_eq!(json(&schema, &decoded.value), value, "{variant}");
        // A value has the same DER on both ways.
        let dynamic = schema.ty("T").unwrap();
        assert_eq!(dynamic.encode(&decoded.value), dynamic.encode(&read), "{variant}");
    }
}

#[track_caller]
fn reads(assignments: &str, xml: &str, value: &str) {
    let schema = schema(assignments);
    let decoded = schema.xer("T").unwrap().decode(xml.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(json(&schema, &decoded.value), value);
}

#[track_caller]
fn refused(assignments: &str, variant: Variant, xml: &str, message: &str) {
    let schema = schema(assignments);
    let error = schema.xer("T").unwrap().variant(variant).decode(xml.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), message, "{xml}");
}

/// An input that violates a rule is refused, and tolerated if that is allowed.
#[track_caller]
fn tolerated(assignments: &str, variant: Variant, xml: &str, rule: Rule, offset: usize, value: &str) {
    let schema = schema(assignments);
    let ty = schema.xer("T").unwrap().variant(variant);
    let error = ty.decode(xml.as_bytes()).unwrap_err();
    assert_eq!((error.kind, error.offset), (tagwise_tables::xer::Kind::Rule(rule), Some(offset)), "{xml}");
    let read = ty.tolerating(Tolerance::NONE.allow(rule)).decode(xml.as_bytes()).unwrap();
    assert_eq!(json(&schema, &read.value), value);
    assert!(read.deviations.iter().all(|(found, _)| *found == rule) && !read.deviations.is_empty());
}

const CANONICAL: Variant = Variant::Canonical;

#[test]
fn simple_values() {
    check("T ::= BOOLEAN", "true", "<T><true/></T>");
    check("T ::= BOOLEAN", "false", "<T><false/></T>");
    check(
        "T ::= INTEGER",
        "-170141183460469231731687303715884105729",
        "<T>-170141183460469231731687303715884105729</T>",
    );
    check("T ::= INTEGER { five(5) }", "5", "<T>5</T>");
    check("T ::= ENUMERATED { red, dark-green, ... }", "\"dark-green\"", "<T><dark-green/></T>");
    check("T ::= NULL", "null", "<T/>");
    check("T ::= BIT STRING", r#"{"value":"A0","length":3}"#, "<T>101</T>");
    check("T ::= BIT STRING", r#"{"value":"","length":0}"#, "<T/>");
    check("T ::= BIT STRING { a(0), b(9) }", r#"{"value":"8040","length":10}"#, "<T>1000000001</T>");
    check("T ::= OCTET STRING", "\"CAFE\"", "<T>CAFE</T>");
    check("T ::= OCTET STRING", "\"\"", "<T/>");
    check("T ::= OBJECT IDENTIFIER", "\"2.999.17\"", "<T>2.999.17</T>");
    check("T ::= RELATIVE-OID", "\"8571.3\"", "<T>8571.3</T>");
    check("T ::= OID-IRI", "\"/ISO/Registration_Authority\"", "<T>/ISO/Registration_Authority</T>");
}

#[test]
fn reals() {
    check("T ::= REAL", "0.0", "<T>0</T>");
    check("T ::= REAL", "\"-0\"", "<T>-0</T>");
    check("T ::= REAL", r#"{"base10Value":1}"#, "<T>1.0E0</T>");
    check("T ::= REAL", r#"{"base10Value":-12345E-1}"#, "<T>-1.2345E3</T>");
    check("T ::= REAL", r#"{"base10Value":1E-1}"#, "<T>1.0E-1</T>");
    check("T ::= REAL", "\"INF\"", "<T><PLUS-INFINITY/></T>");
    check("T ::= REAL", "\"-INF\"", "<T><MINUS-INFINITY/></T>");
    check("T ::= REAL", "\"NaN\"", "<T><NOT-A-NUMBER/></T>");
    check("T ::= REAL", r#"{"base10Value":12345678901234567890123E-3}"#, "<T>1.2345678901234567890123E19</T>");
    let schema = schema("T ::= REAL");
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), "1.5").unwrap();
    assert_eq!(schema.xer("T").unwrap().encode(&value).unwrap(), b"<T>1.5E0</T>");
    // A number with base 2 that is not a float has all digits: 2^60 + 1, -(2^60 + 1) × 2^-70, 2^1025.
    for (content, xml) in [
        (&[0x80, 0, 0x10, 0, 0, 0, 0, 0, 0, 1][..], "<T>1.152921504606846977E18</T>"),
        (
            &[0xC0, 0xBA, 0x10, 0, 0, 0, 0, 0, 0, 1],
            "<T>-9.765625000000000008470329472543003390683225006796419620513916015625E-4</T>",
        ),
    ] {
        let element = [&[9, content.len() as u8], content].concat();
        let read = schema.ty("T").unwrap().decode(&element).unwrap();
        let encoded = schema.xer("T").unwrap().encode(&read.value).unwrap();
        assert_eq!(String::from_utf8_lossy(&encoded), xml);
    }
    let huge = [9, 5, 0x82, 0x10, 0, 0, 1];
    let read = schema.ty("T").unwrap().decode(&huge).unwrap();
    let error = schema.xer("T").unwrap().encode(&read.value).unwrap_err();
    assert!(error.to_string().contains("REALs with too many digits"), "{error}");
    reads("T ::= REAL", "<T> 0012.50 </T>", r#"{"base10Value":125E-1}"#);
    reads("T ::= REAL", "<T>1e2</T>", r#"{"base10Value":1E2}"#);
    tolerated("T ::= REAL", CANONICAL, "<T>12.5</T>", Rule::RealForm, 3, r#"{"base10Value":125E-1}"#);
    tolerated("T ::= REAL", Variant::Basic, "<T>INF</T>", Rule::ValueForm, 3, "\"INF\"");
    refused("T ::= REAL", Variant::Basic, "<T>.5</T>", "unexpected text `.5`, expected a decimal number, at byte 3");
    refused("T ::= REAL", Variant::Basic, "<T>1E</T>", "unexpected text `1E`, expected a decimal number, at byte 3");
}

/// X.680 §21.7: a number has base 10, unless the type permits only base 2.
#[test]
fn bases_of_reals() {
    let binary = "T ::= R R ::= REAL (WITH COMPONENTS {..., base (2)})";
    check(binary, "1.5", "<T>1.5E0</T>");
    check(binary, "0.1", "<T>1.0E-1</T>");
    check(binary, "-1.7976931348623157e+308", "<T>-1.7976931348623157E308</T>");
    check(binary, "1.152921504606846977E18", "<T>1.152921504606846977E18</T>");
    check(binary, "\"-0\"", "<T>-0</T>");
    // Neither a float nor exact in base 2: the nearest float.
    reads(binary, "<T>0.30000000000000000001</T>", "0.3");
    refused(binary, Variant::Basic, "<T>1E-9999</T>", "the number has too many digits, at byte 3");
    let component = "T ::= SEQUENCE { r REAL (WITH COMPONENTS {..., base (2)}) }";
    check(component, r#"{"r":2.5}"#, "<T><r>2.5E0</r></T>");
    let decimal = "T ::= REAL (WITH COMPONENTS {..., base (10)})";
    check(decimal, "1", "<T>1.0E0</T>");
    check(decimal, "15E-1", "<T>1.5E0</T>");
    // DER keeps the value of a document.
    for (assignments, der) in [(binary, &b"\x09\x03\x80\xFF\x03"[..]), (decimal, b"\x09\x07\x0315.E-1")] {
        let schema = schema(assignments);
        let read = schema.xer("T").unwrap().decode(b"<T>1.5E0</T>").unwrap();
        let encoded = schema.ty("T").unwrap().encode(&read.value).unwrap();
        assert_eq!(encoded, der);
        let again = schema.ty("T").unwrap().decode(der).unwrap();
        assert_eq!(schema.xer("T").unwrap().encode(&again.value).unwrap(), b"<T>1.5E0</T>");
    }
}

#[test]
fn forms_of_extended_xer_are_refused() {
    tolerated("T ::= BOOLEAN", Variant::Basic, "<T>true</T>", Rule::ValueForm, 3, "true");
    tolerated("T ::= INTEGER { five(5) }", Variant::Basic, "<T><five/></T>", Rule::ValueForm, 3, "5");
    tolerated("T ::= ENUMERATED { red }", Variant::Basic, "<T>red</T>", Rule::ValueForm, 3, "\"red\"");
    let bits = "T ::= BIT STRING { a(0), b(9) }";
    tolerated(bits, Variant::Basic, "<T><a/><b/></T>", Rule::ValueForm, 0, r#"{"value":"8040","length":10}"#);
}

#[test]
fn numbers_are_in_their_shortest_form() {
    reads("T ::= INTEGER", "<T>\n 5\n</T>", "5");
    for text in ["05", "+5", "-0", "5.0", "", "0x5", "--5"] {
        let schema = schema("T ::= INTEGER");
        assert!(schema.xer("T").unwrap().decode(format!("<T>{text}</T>").as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn characters() {
    check("T ::= UTF8String", "\"a < b & c > d \\\" '\"", "<T>a &lt; b &amp; c &gt; d \" '</T>");
    // White-space is part of a string.
    check("T ::= UTF8String", "\" \\n\\tx \"", "<T> \n\tx </T>");
    check("T ::= UTF8String", "\" \"", "<T> </T>");
    check("T ::= UTF8String", "\"\"", "<T/>");
    check("T ::= UTF8String", "\"größer €\"", "<T>größer €</T>");
    check("T ::= BMPString", "\"größer\"", "<T>größer</T>");
    check("T ::= UniversalString", "\"𝄞\"", "<T>𝄞</T>");
    check("T ::= IA5String", "\"a\\u0000b\\u001bc\\u0007\"", "<T>a<nul/>b<esc/>c<bel/></T>");
    check(
        "T ::= IA5String",
        "\"\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\b\\u000b\\f\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001c\\u001d\\u001e\\u001f\"",
        "<T><soh/><stx/><etx/><eot/><enq/><ack/><bs/><vt/><ff/><so/><si/><dle/><dc1/><dc2/><dc3/><dc4/><nak/><syn/><etb/>\
         <can/><em/><sub/><is4/><is3/><is2/><is1/></T>",
    );
    reads("T ::= UTF8String", "<T>&#65;&#x42;&quot;&apos;></T>", "\"AB\\\"'>\"");
    tolerated("T ::= UTF8String", CANONICAL, "<T>x&#65;</T>", Rule::Escapes, 4, "\"xA\"");
    tolerated("T ::= UTF8String", CANONICAL, "<T>a></T>", Rule::Escapes, 4, "\"a>\"");
    refused("T ::= UTF8String", Variant::Basic, "<T><b/></T>", "unexpected element <b> in text, at byte 3");
    refused(
        "T ::= PrintableString",
        Variant::Basic,
        "<T>a@b</T>",
        "the character is outside the string type's alphabet, at byte 0",
    );
    // U+FFFE has no form in XML.
    let schema = schema("T ::= UTF8String");
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), "\"\u{FFFE}\"").unwrap();
    let error = schema.xer("T").unwrap().encode(&value).unwrap_err();
    assert_eq!(error.to_string(), "not supported under these encoding rules: the character U+FFFE");
}

#[test]
fn carriage_returns_survive_xml_processors() {
    let schema = schema("T ::= UTF8String");
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), "\"a\\rb\"").unwrap();
    let ty = schema.xer("T").unwrap();
    for variant in Variant::ALL {
        let ty = ty.variant(variant);
        assert_eq!(ty.encode(&value).unwrap(), b"<T>a&#xD;b</T>");
        assert_eq!(json(&schema, &ty.decode(b"<T>a&#xD;b</T>").unwrap().value), "\"a\\rb\"");
    }
}

/// XML 1.0 §2.11.
#[test]
fn ends_of_lines_are_line_feeds() {
    let text = "T ::= UTF8String";
    for xml in ["<T>a\r\nb\rc\n</T>", "<T\r\n>a\r\nb\rc\r</T>\r\n"] {
        reads(text, xml, r#""a\nb\nc\n""#);
    }
    reads("T ::= SEQUENCE { a BIT STRING }", "<T>\r\n<a>10\r\n1</a>\r\n</T>", r#"{"a":{"value":"A0","length":3}}"#);
    tolerated(text, CANONICAL, "<T>a\r\nb</T>", Rule::Escapes, 4, r#""a\nb""#);
    tolerated(text, Variant::Basic, "<T><![CDATA[a\r\nb]]></T>", Rule::PlainXml, 3, r#""a\nb""#);
    // What is escaped is not the end of a line.
    reads(text, "<T>a&#xD;&#xA;b</T>", r#""a\r\nb""#);
}

#[test]
fn times() {
    check("T ::= UTCTime", "\"261121091500Z\"", "<T>261121091500Z</T>");
    check("T ::= GeneralizedTime", "\"20261121091500.5Z\"", "<T>20261121091500.5Z</T>");
    check("T ::= DATE", "\"2026-11-21\"", "<T>2026-11-21</T>");
    check("T ::= TIME-OF-DAY", "\"09:15:00\"", "<T>09:15:00</T>");
    check("T ::= DATE-TIME", "\"2026-11-21T09:15:00\"", "<T>2026-11-21T09:15:00</T>");
    check("T ::= DURATION", "\"P1Y2M\"", "<T>P1Y2M</T>");
    check("T ::= TIME", "\"2026-W47\"", "<T>2026-W47</T>");
}

#[test]
fn lists() {
    check("T ::= SEQUENCE OF INTEGER", "[5,-7]", "<T><INTEGER>5</INTEGER><INTEGER>-7</INTEGER></T>");
    check("T ::= SEQUENCE OF INTEGER", "[]", "<T/>");
    check("T ::= SEQUENCE OF A A ::= [5] OCTET STRING", "[\"00\",\"\"]", "<T><A>00</A><A/></T>");
    check("T ::= SEQUENCE OF [5] OCTET STRING (SIZE (1))", "[\"00\"]", "<T><OCTET_STRING>00</OCTET_STRING></T>");
    check("T ::= SEQUENCE OF item OCTET STRING", "[\"00\"]", "<T><item>00</item></T>");
    check("T ::= [9] SEQUENCE (SIZE (1..2)) OF item A A ::= NULL", "[null]", "<T><item/></T>");
    check("T ::= SEQUENCE OF NULL", "[null,null]", "<T><NULL/><NULL/></T>");
    check(
        "T ::= SEQUENCE OF SEQUENCE OF UTF8String",
        "[[\"a\"],[]]",
        "<T><SEQUENCE_OF><UTF8String>a</UTF8String></SEQUENCE_OF><SEQUENCE_OF/></T>",
    );
    check("T ::= SEQUENCE OF SET { }", "[{}]", "<T><SET/></T>");
    check("T ::= SEQUENCE OF A A ::= B B ::= DATE", "[\"2026-11-21\"]", "<T><A>2026-11-21</A></T>");
    // X.680 Table 5: no element around these.
    check("T ::= SEQUENCE OF BOOLEAN", "[true,false]", "<T><true/><false/></T>");
    check("T ::= SEQUENCE OF A A ::= ENUMERATED { x, y }", "[\"y\",\"x\"]", "<T><y/><x/></T>");
    check("T ::= SEQUENCE OF CHOICE { a INTEGER, b NULL }", r#"[{"a":1},{"b":null}]"#, "<T><a>1</a><b/></T>");
    refused(
        "T ::= SEQUENCE OF INTEGER",
        Variant::Basic,
        "<T><A>5</A></T>",
        "[0]: unexpected element <A>, expected <INTEGER>, at byte 3",
    );
    refused(
        "T ::= SEQUENCE OF BOOLEAN",
        Variant::Basic,
        "<T><BOOLEAN><true/></BOOLEAN></T>",
        "[0]: the element <BOOLEAN> is not empty, at byte 3",
    );
}

#[test]
fn built_in_names() {
    for (ty, name, value) in [
        ("BIT STRING", "BIT_STRING", "1"),
        ("OBJECT IDENTIFIER", "OBJECT_IDENTIFIER", "1.2"),
        ("RELATIVE-OID", "RELATIVE_OID", "1"),
        ("OID-IRI", "OID_IRI", "/ISO"),
        ("REAL", "REAL", "0"),
        ("TIME-OF-DAY", "TIME_OF_DAY", "09:15:00"),
        ("DATE-TIME", "DATE_TIME", "2026-11-21T09:15:00"),
        ("GeneralizedTime", "GeneralizedTime", "20261121091500Z"),
        ("ObjectDescriptor", "ObjectDescriptor", "x"),
        ("SEQUENCE { }", "SEQUENCE", ""),
        ("SET OF NULL", "SET_OF", "<NULL/>"),
    ] {
        let schema = schema(&format!("T ::= SEQUENCE OF {ty}"));
        let xml = format!("<T><{name}>{value}</{name}></T>");
        let read = schema.xer("T").unwrap().decode(xml.as_bytes()).unwrap_or_else(|error| panic!("{xml}: {error}"));
        let xml = xml.replace(&format!("<{name}></{name}>"), &format!("<{name}/>"));
        assert_eq!(String::from_utf8(schema.xer("T").unwrap().encode(&read.value).unwrap()).unwrap(), xml);
    }
}

#[test]
fn names_that_xml_reserves() {
    let schema = schema("XmlThing ::= SEQUENCE OF XMLItem XMLItem ::= NULL");
    let ty = schema.xer("XmlThing").unwrap();
    let read = ty.decode(b"<_XmlThing><_XMLItem/></_XmlThing>").unwrap();
    assert_eq!(ty.encode(&read.value).unwrap(), b"<_XmlThing><_XMLItem/></_XmlThing>");
}

const POINT: &str = "T ::= SEQUENCE { x INTEGER (0..100), y INTEGER DEFAULT 7, name UTF8String OPTIONAL }";

#[test]
fn sequences() {
    check(POINT, r#"{"x":5}"#, "<T><x>5</x></T>");
    check(POINT, r#"{"x":5,"y":8,"name":""}"#, "<T><x>5</x><y>8</y><name/></T>");
    reads(POINT, "<T>\n  <x>5</x>\n  <y>7</y>\n</T>", r#"{"x":5}"#);
    refused(POINT, Variant::Basic, "<T><y>8</y></T>", "the component <x> is missing, at byte 0");
    refused(POINT, Variant::Basic, "<T><y>8</y><x>5</x></T>", "the component <x> is out of order, at byte 11");
    refused(POINT, Variant::Basic, "<T><x>5</x><x>5</x></T>", "duplicate component <x>, at byte 11");
    refused(POINT, Variant::Basic, "<T><x>5</x><z/></T>", "the type has no component <z>, at byte 11");
    refused(POINT, Variant::Basic, "<T>a<x>5</x></T>", "unexpected text `a`, at byte 3");
    refused(POINT, Variant::Basic, "<T><x>101</x></T>", "x: the value is 101; allowed 0..100, at byte 3");
    refused(POINT, Variant::Basic, "<U><x>5</x></U>", "unexpected element <U>, expected <T>, at byte 0");
}

#[test]
fn sets() {
    let set = "T ::= SET { b [1] INTEGER, a [0] INTEGER, c CHOICE { x [5] NULL, y [2] NULL } }";
    check(
        set,
        r#"{"b":1,"a":0,"c":{"y":null}}"#,
        "<T><b>1</b><a>0</a><c><y/></c></T>".replace("<b>1</b><a>0</a>", "<a>0</a><b>1</b>").as_str(),
    );
    reads(set, "<T><c><x/></c><b>1</b><a>0</a></T>", r#"{"b":1,"a":0,"c":{"x":null}}"#);
    tolerated(
        set,
        CANONICAL,
        "<T><b>1</b><a>0</a><c><x/></c></T>",
        Rule::SetOrder,
        11,
        r#"{"b":1,"a":0,"c":{"x":null}}"#,
    );
    check("T ::= SET OF INTEGER", "[1,2]", "<T><INTEGER>1</INTEGER><INTEGER>2</INTEGER></T>");
    tolerated(
        "T ::= SET OF INTEGER",
        CANONICAL,
        "<T><INTEGER>2</INTEGER><INTEGER>1</INTEGER></T>",
        Rule::SetOfOrder,
        23,
        "[2,1]",
    );
}

#[test]
fn choices() {
    check(
        "T ::= CHOICE { a SEQUENCE { c A }, b NULL } A ::= CHOICE { d BOOLEAN }",
        r#"{"a":{"c":{"d":true}}}"#,
        "<T><a><c><d><true/></d></c></a></T>",
    );
    refused("T ::= CHOICE { a NULL }", Variant::Basic, "<T><b/></T>", "the CHOICE has no alternative <b>, at byte 3");
    refused(
        "T ::= CHOICE { a NULL }",
        Variant::Basic,
        "<T/>",
        "the element is empty, expected the element of an alternative, at byte 0",
    );
    refused("T ::= CHOICE { a NULL }", Variant::Basic, "<T><a/><a/></T>", "unexpected element <a>, at byte 7");
}

#[test]
fn extensions_of_other_versions_are_kept() {
    let schema = schema("T ::= SEQUENCE { x INTEGER, ..., [[ y INTEGER, z INTEGER ]] }");
    let xml = b"<T><x>5</x><y>1</y><z>2</z><new><a/>b</new></T>";
    let read = schema.xer("T").unwrap().decode(xml).unwrap();
    let text = json(&schema, &read.value);
    assert_eq!(text, r#"{"x":5,"y":1,"z":2,"$additions":[{"$xer":"3C6E65773E3C612F3E623C2F6E65773E","$number":3}]}"#);
    assert!(read.ignored.is_empty());
    for variant in Variant::ALL {
        assert_eq!(schema.xer("T").unwrap().variant(variant).encode(&read.value).as_deref(), Ok(&xml[..]));
    }
    let again = tagwise_jer::from_str(&schema.ty("T").unwrap(), &text).unwrap();
    assert_eq!(schema.xer("T").unwrap().encode(&again).as_deref(), Ok(&xml[..]));
    // It has no encoding under other rules.
    assert!(schema.per("T").unwrap().encode(&read.value).is_err());
    assert!(schema.ty("T").unwrap().encode(&read.value).is_err());
    // A group is present as a whole.
    let error = schema.xer("T").unwrap().decode(b"<T><x>5</x><y>1</y></T>").unwrap_err();
    assert!(error.to_string().starts_with("z: "), "{error}");
}

#[test]
fn unknown_elements_keep_their_places() {
    let text = "T ::= SEQUENCE { a NULL, ..., b NULL, ..., c C, e E OPTIONAL }
        C ::= CHOICE { d NULL, ... }
        E ::= ENUMERATED { one, ... }";
    for xml in [
        "<T><a/><new/><b/><more>5</more><other/><c><two>6</two></c><e><three/></e><last/></T>",
        "<T><first/><a/><b/><c><d/></c></T>",
    ] {
        for variant in Variant::ALL {
            let schema = schema(text);
            let ty = schema.xer("T").unwrap().variant(variant);
            let value = ty.decode(xml.as_bytes()).unwrap().value;
            assert_eq!(ty.encode(&value).as_deref(), Ok(xml.as_bytes()), "{variant}");
        }
    }
    let own = schema(text);
    let dynamic = own.ty("T").unwrap();
    // Names that a reader would mistake for known ones, and text that is not an element.
    for (xml, number) in
        [("<b/>", 1), ("<x/><y/>", 1), ("<x>", 1), ("x", 1), (" <x/>", 1), ("<x y='1'/>", 1), ("<x/>", 9)]
    {
        let digits: String = xml.bytes().map(|octet| format!("{octet:02X}")).collect();
        let json = format!(
            r#"{{"a":null,"b":null,"c":{{"d":null}},"$additions":[{{"$xer":"{digits}","$number":{number}}}]}}"#
        );
        let value = tagwise_jer::from_str(&dynamic, &json).unwrap();
        assert!(own.xer("T").unwrap().encode(&value).is_err(), "{xml}");
    }
    // §9: the canonical form applies to unknown elements, too.
    for xml in [
        "<T><a/><b/><c><d/></c><x> <y/></x></T>",
        "<T><a/><b/><c><d/></c><x></x></T>",
        "<T><a/><b/><c><d/></c><x>&#65;</x></T>",
    ] {
        assert!(own.xer("T").unwrap().variant(CANONICAL).decode(xml.as_bytes()).is_err(), "{xml}");
        let value = own.xer("T").unwrap().decode(xml.as_bytes()).unwrap().value;
        assert_eq!(own.xer("T").unwrap().encode(&value).as_deref(), Ok(xml.as_bytes()));
        assert!(own.xer("T").unwrap().variant(CANONICAL).encode(&value).is_err(), "{xml}");
    }
    // Without a marker, they are errors.
    refused(
        "T ::= ENUMERATED { a }",
        Variant::Basic,
        "<T><b/></T>",
        "unexpected element <b>, expected the empty element of an item of the ENUMERATED, at byte 3",
    );
}

#[test]
fn open_types() {
    let text = "C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        Set C ::= { { 1 A } | { 2 BOOLEAN } | { 3 SEQUENCE { n NULL } }, ... }
        A ::= SEQUENCE OF INTEGER
        T ::= SEQUENCE { value C.&Type ({Set}{@id}), id C.&id ({Set}) }";
    check(text, r#"{"value":[5],"id":1}"#, "<T><value><A><INTEGER>5</INTEGER></A></value><id>1</id></T>");
    check(text, r#"{"value":true,"id":2}"#, "<T><value><BOOLEAN><true/></BOOLEAN></value><id>2</id></T>");
    check(text, r#"{"value":{"n":null},"id":3}"#, "<T><value><SEQUENCE><n/></SEQUENCE></value><id>3</id></T>");
    reads(text, "<T><value>3003020105</value><id>1</id></T>", r#"{"value":[5],"id":1}"#);
    reads(text, "<T><value>0500</value><id>9</id></T>", r#"{"value":{"$der":"0500"},"id":9}"#);
    tolerated(
        text,
        CANONICAL,
        "<T><value>0101FF</value><id>2</id></T>",
        Rule::OpenTypeForm,
        3,
        r#"{"value":true,"id":2}"#,
    );
    refused(
        text,
        Variant::Basic,
        "<T><value><B/></value><id>1</id></T>",
        "value: unexpected element <B>, expected <A>, at byte 10",
    );
    let xml = b"<T><value><B/></value><id>9</id></T>";
    let schema = schema(text);
    let read = schema.xer("T").unwrap().decode(xml).unwrap().value;
    assert_eq!(json(&schema, &read), r#"{"value":{"$xer":"3C422F3E"},"id":9}"#);
    assert_eq!(schema.xer("T").unwrap().encode(&read).as_deref(), Ok(&xml[..]));
    // An unknown item of the selected type.
    let text = "C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        Set C ::= { { 1 E } }
        E ::= ENUMERATED { a, ... }
        T ::= SEQUENCE { value C.&Type ({Set}{@id}), id C.&id ({Set}) }";
    let own = Schema::compile([Source::new("m.asn1", &format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END"))]);
    let own = own.unwrap_or_else(|error| panic!("{error}"));
    let xml = b"<T><value><E><x/></E></value><id>1</id></T>";
    let read = own.xer("T").unwrap().decode(xml).unwrap().value;
    assert_eq!(own.xer("T").unwrap().encode(&read).as_deref(), Ok(&xml[..]));
}

#[test]
fn open_types_in_hexadecimal_are_elements() {
    let text = "C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        Set C ::= { { 1 BOOLEAN }, ... }
        T ::= SEQUENCE { value C.&Type ({Set}{@id}), id C.&id ({Set}) }";
    refused(
        text,
        Variant::Basic,
        "<T><value>05</value><id>9</id></T>",
        "value: not a single DER element: the encoding ends inside an element, at byte 1 (X.690 §8.1.1), at byte 10",
    );
}

#[test]
fn contained_values() {
    check(
        "T ::= OCTET STRING (CONTAINING A) A ::= SEQUENCE OF NULL",
        r#"{"containing":[null]}"#,
        "<T><A><NULL/></A></T>",
    );
    check(
        "T ::= SEQUENCE { o OCTET STRING (CONTAINING INTEGER) }",
        r#"{"o":{"containing":5}}"#,
        "<T><o><INTEGER>5</INTEGER></o></T>",
    );
}

#[test]
fn embedded_values() {
    check(
        "T ::= EXTERNAL",
        r#"{"direct-reference":"2.1.1","encoding":{"octet-aligned":"CAFE"}}"#,
        "<T><direct-reference>2.1.1</direct-reference><encoding><octet-aligned>CAFE</octet-aligned></encoding></T>",
    );
    check(
        "T ::= EMBEDDED PDV",
        r#"{"identification":{"syntax":"2.1.1"},"data-value":"CAFE"}"#,
        "<T><identification><syntax>2.1.1</syntax></identification><data-value>CAFE</data-value></T>",
    );
}

#[test]
fn canonical_xml() {
    tolerated(
        POINT,
        CANONICAL,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><T><x>5</x></T>",
        Rule::Prolog,
        0,
        r#"{"x":5}"#,
    );
    tolerated(POINT, CANONICAL, "<T> <x>5</x></T>", Rule::WhiteSpace, 3, r#"{"x":5}"#);
    tolerated(POINT, CANONICAL, "<T><x> 5</x></T>", Rule::WhiteSpace, 6, r#"{"x":5}"#);
    tolerated(POINT, CANONICAL, "<T><x>5</x></T>\n", Rule::WhiteSpace, 15, r#"{"x":5}"#);
    tolerated(POINT, CANONICAL, "<T><x >5</x></T>", Rule::WhiteSpace, 3, r#"{"x":5}"#);
    tolerated(POINT, CANONICAL, "<T><x>5</x><name></name></T>", Rule::EmptyTags, 11, r#"{"x":5,"name":""}"#);
    tolerated("T ::= OCTET STRING", CANONICAL, "<T>cafe</T>", Rule::HexDigits, 3, "\"CAFE\"");
    tolerated("T ::= OCTET STRING", Variant::Basic, "<T>CAF</T>", Rule::HexPairs, 3, "\"CAF0\"");
    tolerated("T ::= BIT STRING { a(0) }", CANONICAL, "<T>10</T>", Rule::NamedBits, 3, r#"{"value":"80","length":1}"#);
    let oid = "T ::= OBJECT IDENTIFIER";
    tolerated(oid, CANONICAL, "<T>iso(1).member(2)</T>", Rule::ObjectIdentifierForm, 3, "\"1.2\"");
    reads("T ::= OCTET STRING", "<T>\n  CA FE\n</T>", "\"CAFE\"");
    reads("T ::= BIT STRING", "<T>10 1</T>", r#"{"value":"A0","length":3}"#);
}

#[test]
fn plain_xml() {
    let expected = r#"{"x":5}"#;
    tolerated(POINT, Variant::Basic, "<T><!-- five --><x>5</x></T>", Rule::PlainXml, 3, expected);
    tolerated(POINT, Variant::Basic, "<T><?five?><x>5</x></T>", Rule::PlainXml, 3, expected);
    tolerated(POINT, Variant::Basic, "<T><x><![CDATA[5]]></x></T>", Rule::PlainXml, 6, expected);
    tolerated(POINT, Variant::Basic, "<T a=\"b\"><x>5</x></T>", Rule::PlainXml, 0, expected);
    reads(POINT, "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\n<T><x>5</x></T>\n", expected);
    for (xml, message) in [
        ("", "not well-formed XML: no element found, at byte 0"),
        ("<!DOCTYPE T><T><x>5</x></T>", "not well-formed XML: document type declarations are not supported, at byte 0"),
        ("<T><x>&five;</x></T>", "not well-formed XML: unknown entity or character `&five;`, at byte 6"),
        ("<T><x>&#0;</x></T>", "not well-formed XML: unknown entity or character `&#0;`, at byte 6"),
        ("<T><x>\u{1}</x></T>", "not well-formed XML: character U+0001 is not allowed in XML, at byte 6"),
        ("<T><x>5</x>", "not well-formed XML: the element <T> has no end tag, at byte 11"),
        ("<T><x>5</x></T><T/>", "not well-formed XML: there is an element after the root element, at byte 15"),
        ("<T><x>5</x></T>5", "not well-formed XML: there is text outside of the root element, at byte 15"),
        ("<T><x>]]></x></T>", "not well-formed XML: `]]>` must be escaped, at byte 6"),
        (
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><T/>",
            "not well-formed XML: unsupported character encoding, expected UTF-8, at byte 0",
        ),
    ] {
        refused(POINT, Variant::Basic, xml, message);
    }
    let schema = schema(POINT);
    for xml in
        [&b"<T><x>\xFF</x></T>"[..], b"<T><x>5</y></T>", b"<T", b"<T>&", b"<T a='1' a='2'/>", b"</T>", b"<T/></T>"]
    {
        let error = schema.xer("T").unwrap().decode(xml).unwrap_err();
        assert!(error.to_string().starts_with("not well-formed XML: "), "{error}");
    }
}

#[test]
fn budgets() {
    let schema = schema("T ::= CHOICE { t T, n NULL }");
    let ty = schema.xer("T").unwrap();
    let deep = |count: usize| format!("<T>{}<n/>{}</T>", "<t>".repeat(count), "</t>".repeat(count));
    assert!(ty.decode(deep(60).as_bytes()).is_ok());
    let error = ty.decode(deep(100_000).as_bytes()).unwrap_err();
    assert_eq!(error.kind, tagwise_tables::xer::Kind::Depth);
    let list = self::schema("T ::= SEQUENCE OF NULL");
    let options = Options::der().budget(Budget { elements: 100, ..Budget::DEFAULT });
    let many = format!("<T>{}</T>", "<NULL/>".repeat(100));
    let error = list.xer("T").unwrap().options(options).decode(many.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "the number of elements exceeds the budget, at byte 696");
    let options = Options::der().budget(Budget { output: 300, ..Budget::DEFAULT });
    let value = list.xer("T").unwrap().decode(many.as_bytes()).unwrap().value;
    let error = list.xer("T").unwrap().options(options).encode(&value).unwrap_err();
    assert_eq!(error.kind, tagwise_tables::xer::Kind::Output);
}

/// The personnel record of X.693 Annex A, with its canonical encoding.
#[test]
fn personnel_record() {
    let text = "R DEFINITIONS ::= BEGIN
        PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
            name Name, title [0] VisibleString, number EmployeeNumber, dateOfHire [1] Date, nameOfSpouse [2] Name,
            children [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
        ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
        Name ::= [APPLICATION 1] IMPLICIT SEQUENCE { givenName VisibleString, initial VisibleString, familyName VisibleString }
        EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
        Date ::= [APPLICATION 3] IMPLICIT VisibleString
    END";
    let schema = Schema::compile([Source::new("r.asn1", text)]).unwrap();
    let name = |first: &str, initial: &str, last: &str| {
        format!(
            "<name><givenName>{first}</givenName><initial>{initial}</initial><familyName>{last}</familyName></name>"
        )
    };
    let spouse = name("Mary", "T", "Smith").replace("<name>", "<nameOfSpouse>").replace("</name>", "</nameOfSpouse>");
    let child = |first: &str, last: &str, initial: &str, date: &str| {
        let name = name(first, initial, last);
        format!("<ChildInformation>{name}<dateOfBirth>{date}</dateOfBirth></ChildInformation>")
    };
    let children = child("Ralph", "Smith", "T", "19571111") + &child("Susan", "Jones", "B", "19590717");
    let xml = format!(
        "<PersonnelRecord>{}<number>51</number><title>Director</title><dateOfHire>19710917</dateOfHire>{spouse}<children>\
         {children}</children></PersonnelRecord>",
        name("John", "P", "Smith")
    );
    let read = schema.xer("PersonnelRecord").unwrap().variant(CANONICAL).decode(xml.as_bytes()).unwrap();
    let dynamic = schema.ty("PersonnelRecord").unwrap();
    let again = dynamic.encode(&read.value).unwrap();
    // The length in X.690 Annex A, for the same value.
    assert_eq!(again.len(), 136);
    assert_eq!(again[..3], [0x60, 0x81, 0x85]);
    let from_der = dynamic.decode(&again).unwrap().value;
    let xer = schema.xer("PersonnelRecord").unwrap().variant(CANONICAL);
    assert_eq!(String::from_utf8(xer.encode(&from_der).unwrap()).unwrap(), xml);
    // In BASIC-XER, the components of a SET may have any order.
    let basic = xml
        .replace("<number>51</number><title>Director</title>", "\n  <title>Director</title>\n  <number>51</number>\n");
    let read = schema.xer("PersonnelRecord").unwrap().decode(basic.as_bytes()).unwrap();
    assert_eq!(dynamic.encode(&read.value).unwrap(), again);
}

#[test]
fn generic_strings() {
    let gser = |assignments: &str, json: &str| {
        let schema = schema(assignments);
        let dynamic = schema.ty("T").unwrap();
        let value = tagwise_jer::from_str(&dynamic, json).unwrap_or_else(|error| panic!("{error}"));
        tagwise_tables::xer::gser::to_string(dynamic.types(), &value).unwrap()
    };
    assert_eq!(
        gser("T ::= SEQUENCE { a CHOICE { b NULL }, c SET OF INTEGER }", r#"{"a":{"b":null},"c":[1,-2]}"#),
        "{ a b:NULL, c { 1, -2 } }"
    );
    assert_eq!(gser("T ::= SEQUENCE { }", "{}"), "{ }");
    assert_eq!(gser("T ::= SEQUENCE OF BOOLEAN", "[]"), "{ }");
    assert_eq!(gser("T ::= SEQUENCE OF BOOLEAN", "[true,false]"), "{ TRUE, FALSE }");
    assert_eq!(gser("T ::= UTF8String", "\"a\\\"b\\nü\""), "\"a\"\"b\nü\"");
    assert_eq!(gser("T ::= GeneralizedTime", "\"20261121091500Z\""), "\"20261121091500Z\"");
    assert_eq!(gser("T ::= BIT STRING", r#"{"value":"A0","length":3}"#), "'101'B");
    assert_eq!(gser("T ::= BIT STRING { a(0), b(2) }", r#"{"value":"A0","length":3}"#), "{ a, b }");
    assert_eq!(gser("T ::= BIT STRING { a(0), b(2) }", r#"{"value":"40","length":2}"#), "'01'B");
    assert_eq!(gser("T ::= BIT STRING { a(0) }", r#"{"value":"","length":0}"#), "{ }");
    assert_eq!(gser("T ::= OCTET STRING", "\"0AFF\""), "'0AFF'H");
    assert_eq!(gser("T ::= OCTET STRING (CONTAINING NULL)", r#"{"containing":null}"#), "'0500'H");
    assert_eq!(gser("T ::= OBJECT IDENTIFIER", "\"2.5.4.3\""), "2.5.4.3");
    assert_eq!(gser("T ::= ENUMERATED { red }", "\"red\""), "red");
    assert_eq!(gser("T ::= REAL", "-1.5"), "{ mantissa -3, base 2, exponent -1 }");
    assert_eq!(gser("T ::= REAL", r#"{"base10Value":150E-2}"#), "15E-1");
    assert_eq!(gser("T ::= REAL", "\"INF\""), "PLUS-INFINITY");
    assert_eq!(gser("T ::= REAL", "0.0"), "0");
    // RFC 3641 is older than these values, whose notation is that of X.680 §21.6.
    assert_eq!(gser("T ::= REAL", "\"-0\""), "-0");
    assert_eq!(gser("T ::= REAL", "\"NaN\""), "NOT-A-NUMBER");
}

/// X.680 §23.6.
#[test]
fn digits_are_no_contained_values() {
    let schema = schema("T ::= OCTET STRING (CONTAINING P) P ::= SEQUENCE { x INTEGER }");
    for digits in ["0203", "3003800105", ""] {
        let error = schema.xer("T").unwrap().decode(format!("<T>{digits}</T>").as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "expected <P>, the value that the string contains, at byte 0");
    }
    let uper = "{joint-iso-itu-t asn1(1) packed-encoding(3) basic(0) unaligned(1)}";
    let other = format!("T ::= SEQUENCE {{ o OCTET STRING (CONTAINING INTEGER ENCODED BY {uper}) }}");
    reads(&other, "<T><o>0105</o></T>", r#"{"o":"0105"}"#);
    let error = self::schema("T ::= OCTET STRING").xer("T").unwrap().decode(b"<T>CAF</T>").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number of hexadecimal digits is odd; the missing last digit is a zero, at byte 3 (X.680 §23.6)"
    );
}
