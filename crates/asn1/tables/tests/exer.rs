//! EXTENDED-XER (X.693 §10): encoding instructions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_tables::xer::Variant;
use tagwise_tables::{Schema, Source};

fn module(body: &str) -> Schema {
    let text = format!("M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN\n{body}\nEND");
    Schema::compile([Source::new("m.asn1", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks both directions of a value of the type T.
#[track_caller]
fn check(body: &str, json: &str, xml: &str) {
    let schema = module(body);
    let dynamic = schema.ty("T").unwrap();
    let value = tagwise_jer::from_str(&dynamic, json).unwrap_or_else(|error| panic!("{error}"));
    let ty = schema.xer("T").unwrap().variant(Variant::Extended);
    let encoded = ty.encode(&value).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(String::from_utf8_lossy(&encoded), xml);
    reads(body, xml, json);
}

#[track_caller]
fn reads(body: &str, xml: &str, json: &str) {
    let schema = module(body);
    let ty = schema.xer("T").unwrap().variant(Variant::Extended);
    let read = ty.decode(xml.as_bytes()).unwrap_or_else(|error| panic!("{error}: {xml}"));
    assert_eq!(tagwise_jer::to_string(schema.ty("T").unwrap().types(), &read.value), json);
}

#[track_caller]
fn refused(body: &str, xml: &str, message: &str) {
    let schema = module(body);
    let error = schema.xer("T").unwrap().variant(Variant::Extended).decode(xml.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn attributes() {
    let body =
        "T ::= SEQUENCE { id [ATTRIBUTE] INTEGER, on [ATTRIBUTE] BOOLEAN OPTIONAL, color [ATTRIBUTE] Color OPTIONAL,
        name UTF8String } Color ::= ENUMERATED { red, green }";
    check(
        body,
        r#"{"id":5,"on":true,"color":"red","name":"n"}"#,
        "<T id=\"5\" on=\"true\" color=\"red\"><name>n</name></T>",
    );
    reads(body, "<T color='red' id=' 5 '><name>n</name></T>", r#"{"id":5,"color":"red","name":"n"}"#);
    check("T ::= SEQUENCE { a [ATTRIBUTE] UTF8String }", r#"{"a":"<\"&\n'"}"#, "<T a=\"&lt;&quot;&amp;&#xA;'\"/>");
    refused(body, "<T><name>n</name></T>", "the component <id> is missing, at byte 0");
    refused(body, "<T id=\"5\" x=\"1\"><name>n</name></T>", "the type has no attribute x, at byte 0");
    refused(body, "<T><id>5</id><name>n</name></T>", "the type has no component <id>, at byte 3");
    refused(body, "<T id=\"x\"><name>n</name></T>", "id: unexpected text `x`, expected a number, at byte 0");
    refused(body, "<T id=\"5\"><name a=\"\">n</name></T>", "name: unexpected attribute a, at byte 10");
    // Instructions of a type are those of its references; NOT removes them.
    check(
        "T ::= SEQUENCE { a A, b [NOT ATTRIBUTE] A } A ::= [ATTRIBUTE] INTEGER",
        r#"{"a":1,"b":2}"#,
        "<T a=\"1\"><b>2</b></T>",
    );
}

#[test]
fn names() {
    let body =
        "T ::= [NAME AS \"point\"] SEQUENCE { a [NAME AS CAPITALIZED] INTEGER, b [ATTRIBUTE] [NAME AS \"b-b\"] NULL,
        c SEQUENCE OF A } A ::= [NAME AS UNCAPITALIZED] INTEGER";
    check(body, r#"{"a":1,"b":null,"c":[5]}"#, "<point b-b=\"\"><A>1</A><c><a>5</a></c></point>");
    refused(body, "<T/>", "unexpected element <T>, expected <point>, at byte 0");
    check("T ::= CHOICE { a [NAME AS UPPERCASED] NULL }", r#"{"a":null}"#, "<T><A/></T>");
    // A name belongs to the type, not to components of the type.
    check("T ::= SEQUENCE { x A } A ::= [NAME AS \"y\"] NULL", r#"{"x":null}"#, "<T><x/></T>");
}

#[test]
fn components_without_elements() {
    let list =
        "T ::= SEQUENCE { id [ATTRIBUTE] INTEGER, items [UNTAGGED] SEQUENCE OF item INTEGER, end NULL OPTIONAL }";
    check(list, r#"{"id":1,"items":[5,7]}"#, "<T id=\"1\"><item>5</item><item>7</item></T>");
    check(list, r#"{"id":1,"items":[],"end":null}"#, "<T id=\"1\"><end/></T>");
    reads(list, "<T id=\"1\">\n <item>5</item>\n <end/>\n</T>", r#"{"id":1,"items":[5],"end":null}"#);
    let choice =
        "T ::= SEQUENCE { c [UNTAGGED] CHOICE { a INTEGER, b [UNTAGGED] SEQUENCE { x NULL, y NULL } }, z NULL }";
    check(choice, r#"{"c":{"a":1},"z":null}"#, "<T><a>1</a><z/></T>");
    check(choice, r#"{"c":{"b":{"x":null,"y":null}},"z":null}"#, "<T><x/><y/><z/></T>");
    refused(choice, "<T><z/><a>1</a></T>", "the component <a> is out of order, at byte 7");
    let text = "T ::= SEQUENCE { unit [ATTRIBUTE] UTF8String, value [UNTAGGED] INTEGER }";
    check(text, r#"{"unit":"m","value":5}"#, "<T unit=\"m\">5</T>");
    refused(text, "<T unit=\"m\"><value>5</value></T>", "the type has no component <value>, at byte 12");
}

#[test]
fn lists() {
    check("T ::= [LIST] SEQUENCE OF INTEGER", "[1,-2,3]", "<T>1 -2 3</T>");
    check("T ::= [LIST] SEQUENCE OF INTEGER", "[]", "<T/>");
    check(
        "T ::= SEQUENCE { a [ATTRIBUTE] [LIST] SEQUENCE OF ENUMERATED { x, y } }",
        r#"{"a":["y","x"]}"#,
        "<T a=\"y x\"/>",
    );
    reads("T ::= [LIST] SEQUENCE OF INTEGER", "<T>\n 1\t2 </T>", "[1,2]");
    refused("T ::= [LIST] SEQUENCE OF INTEGER", "<T>1 x</T>", "[1]: unexpected text `x`, expected a number, at byte 3");
    let schema = module("T ::= [LIST] SEQUENCE OF UTF8String");
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), "[\"a b\"]").unwrap();
    assert!(schema.xer("T").unwrap().variant(Variant::Extended).encode(&value).is_err());
}

#[test]
fn texts() {
    check("T ::= [TEXT] BOOLEAN", "true", "<T>true</T>");
    check("T ::= [TEXT] ENUMERATED { red, green }", "\"green\"", "<T>green</T>");
    check("T ::= [TEXT] INTEGER { five(5) }", "5", "<T>five</T>");
    check("T ::= [TEXT] INTEGER { five(5) }", "6", "<T>6</T>");
    check("T ::= [TEXT red AS \"Rot\", green AS CAPITALIZED] ENUMERATED { red, green, blue }", "\"red\"", "<T>Rot</T>");
    check(
        "T ::= [TEXT red AS \"Rot\", green AS CAPITALIZED] ENUMERATED { red, green, blue }",
        "\"green\"",
        "<T>Green</T>",
    );
    check("T ::= [TEXT ALL AS UPPERCASED] ENUMERATED { red }", "\"red\"", "<T>RED</T>");
    check("T ::= SEQUENCE OF [TEXT] BOOLEAN", "[true]", "<T><BOOLEAN>true</BOOLEAN></T>");
    refused(
        "T ::= [TEXT ALL AS UPPERCASED] ENUMERATED { red }",
        "<T>red</T>",
        "unexpected text `red`, expected the empty element of an item of the ENUMERATED, at byte 3",
    );
    // Without the instruction, an empty element remains.
    check("T ::= ENUMERATED { red }", "\"red\"", "<T><red/></T>");
}

#[test]
fn other_forms_of_values() {
    check("T ::= [BASE64] OCTET STRING", "\"CAFE00\"", "<T>yv4A</T>");
    reads("T ::= [BASE64] OCTET STRING", "<T>\n yv\n 4A </T>", "\"CAFE00\"");
    refused("T ::= [BASE64] OCTET STRING", "<T>yv4</T>", "unexpected text `yv4`, expected base64, at byte 3");
    check("T ::= [DECIMAL] REAL", r#"{"base10Value":12345E-1}"#, "<T>1234.5</T>");
    check("T ::= [DECIMAL] REAL", r#"{"base10Value":-15E-3}"#, "<T>-0.015</T>");
    check("T ::= [DECIMAL] REAL", r#"{"base10Value":12E2}"#, "<T>1200</T>");
    refused("T ::= [DECIMAL] REAL", "<T>1E2</T>", "unexpected text `1E2`, expected a decimal number, at byte 3");
    let body = "T ::= [DEFAULT-FOR-EMPTY AS \"none\"] UTF8String";
    reads(body, "<T/>", "\"none\"");
    check(body, "\"none\"", "<T>none</T>");
    // An empty value would be read as another one, of any type (§23).
    for (body, empty) in [
        (body, "\"\""),
        ("T ::= [DEFAULT-FOR-EMPTY AS \"00\"] OCTET STRING", "\"\""),
        ("T ::= [DEFAULT-FOR-EMPTY AS \"1\"] BIT STRING", r#"{"value":"","length":0}"#),
        ("T ::= [DEFAULT-FOR-EMPTY AS \"5 6\"] [LIST] SEQUENCE OF INTEGER", "[]"),
    ] {
        let schema = module(body);
        let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), empty).unwrap_or_else(|error| panic!("{error}"));
        let error = schema.xer("T").unwrap().variant(Variant::Extended).encode(&value).unwrap_err();
        let message = "not supported under these encoding rules: empty values of types with DEFAULT-FOR-EMPTY";
        assert_eq!(error.to_string(), message, "{body}");
        // BASIC-XER ignores the instruction.
        assert_eq!(schema.xer("T").unwrap().encode(&value).as_deref(), Ok(&b"<T/>"[..]));
    }
    reads("T ::= [WHITESPACE COLLAPSE] UTF8String", "<T> a\n  b </T>", "\"a b\"");
    reads("T ::= [WHITESPACE REPLACE] UTF8String", "<T> a\n\tb</T>", "\" a  b\"");
    // A string that a receiver would change is not written.
    let error = |body: &str, json: &str| {
        let schema = module(body);
        let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), json).unwrap();
        schema.xer("T").unwrap().variant(Variant::Extended).encode(&value).unwrap_err().to_string()
    };
    let message = "strings with white-space that WHITESPACE changes";
    assert!(error("T ::= [WHITESPACE COLLAPSE] UTF8String", "\" a  b \"").contains(message));
    assert!(error("T ::= [WHITESPACE REPLACE] UTF8String", "\"a\\tb\"").contains(message));
    check("T ::= [WHITESPACE COLLAPSE] UTF8String", "\"a b\"", "<T>a b</T>");
    check("T ::= [WHITESPACE REPLACE] UTF8String", "\" a  b \"", "<T> a  b </T>");
    // X.680 §12.27, §12.28.
    reads("T ::= [TEXT] BOOLEAN", "<T>1</T>", "true");
    reads("T ::= [TEXT] BOOLEAN", "<T>0</T>", "false");
    refused("T ::= [TEXT] BOOLEAN", "<T>2</T>", "unexpected text `2`, expected <true/> or <false/>, at byte 3");
    // Comments and CDATA sections are allowed.
    reads("T ::= UTF8String", "<T><!-- c -->a<![CDATA[<b>]]></T>", "\"a<b>\"");
}

#[test]
fn namespaces() {
    let body = "T ::= [NAMESPACE AS \"http://example.org/a\" PREFIX \"a\"] SEQUENCE {
        x [NAMESPACE AS \"http://example.org/a\"] INTEGER, y INTEGER }";
    check(body, r#"{"x":1,"y":2}"#, "<T xmlns=\"http://example.org/a\"><x>1</x><y xmlns=\"\">2</y></T>");
    reads(body, "<a:T xmlns:a='http://example.org/a'><a:x>1</a:x><y>2</y></a:T>", r#"{"x":1,"y":2}"#);
    refused(
        body,
        "<T><x>1</x><y>2</y></T>",
        "unexpected element <T>, expected <T> in the namespace http://example.org/a, at byte 0",
    );
    refused(body, "<b:T/>", "not well-formed XML: the prefix of the element <b:T> is not declared, at byte 0");
}

#[test]
fn control_sections() {
    let body = "T ::= SEQUENCE { a INTEGER, b BOOLEAN, c Color } Color ::= ENUMERATED { red }
        ENCODING-CONTROL XER
            GLOBAL-DEFAULTS CONTROL-NAMESPACE \"http://example.org/c\" PREFIX \"c\"
            NAME T, T.b AS UNCAPITALIZED
            ATTRIBUTE T.a, T.c
            TEXT Color, T.b";
    check(body, r#"{"a":1,"b":true,"c":"red"}"#, "<t a=\"1\" c=\"red\"><b>true</b></t>");
}

#[test]
fn other_rules_ignore_instructions() {
    let schema = module("T ::= [NAME AS \"t\"] SEQUENCE { id [ATTRIBUTE] INTEGER }");
    let value = tagwise_jer::from_str(&schema.ty("T").unwrap(), r#"{"id":5}"#).unwrap();
    assert_eq!(schema.xer("T").unwrap().encode(&value).unwrap(), b"<T><id>5</id></T>");
}

#[test]
fn unsupported_instructions_are_errors() {
    for (body, keyword) in [
        ("T ::= SEQUENCE { x [USE-NIL] SEQUENCE { y INTEGER OPTIONAL } }", "USE-NIL"),
        ("T ::= [USE-UNION] CHOICE { x INTEGER }", "USE-UNION"),
        ("T ::= SEQUENCE { x [ANY-ELEMENT] UTF8String }", "ANY-ELEMENT"),
        ("T ::= [NAME AS] NULL", "NAME"),
        ("T ::= NULL ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS", "GLOBAL-DEFAULTS"),
        ("T ::= NULL ENCODING-CONTROL XER NAME ALL IN ALL AS CAPITALIZED", "NAME"),
        ("T ::= NULL ENCODING-CONTROL XER LIST U", "LIST"),
    ] {
        let schema = module(body);
        let ty = schema.xer("T").unwrap().variant(Variant::Extended);
        let error = ty.decode(b"<T><x>1</x></T>").unwrap_err();
        let message = format!("not supported under these encoding rules: the encoding instruction {keyword}");
        assert!(error.to_string().contains(&message), "{body}: {error}");
    }
}

/// Unknown elements keep their namespaces, also where another default namespace is in force.
#[test]
fn unknown_elements_keep_their_namespaces() {
    let schema = module("T ::= [NAMESPACE AS \"u\"] SEQUENCE { a [NAMESPACE AS \"u\"] INTEGER, ... }");
    let ty = schema.xer("T").unwrap().variant(Variant::Extended);
    for (xml, again) in [
        ("<T xmlns=\"u\"><a>5</a><new x=\"1\"><y/></new></T>", "<T xmlns=\"u\"><a>5</a><new x=\"1\"><y/></new></T>"),
        ("<p:T xmlns:p=\"u\"><p:a>5</p:a><new/></p:T>", "<T xmlns=\"u\"><a>5</a><new xmlns=\"\"/></T>"),
        ("<T xmlns=\"u\"><a>5</a><q:new xmlns:q=\"v\"/></T>", "<T xmlns=\"u\"><a>5</a><q:new xmlns:q=\"v\"/></T>"),
    ] {
        let read = ty.decode(xml.as_bytes()).unwrap();
        assert!(read.ignored.is_empty());
        let encoded = ty.encode(&read.value).unwrap();
        assert_eq!(String::from_utf8_lossy(&encoded), again);
    }
    // A prefix that is declared outside would have no meaning in another place.
    let read = ty.decode(b"<p:T xmlns:p=\"u\"><p:a>5</p:a><p:new/></p:T>").unwrap();
    assert_eq!(read.ignored, [(String::new(), 29)]);
}
