//! Open types whose selectors follow them (X.682 §10.7).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use tagwise_codec::table::Type;
use tagwise_codec::text::hex::{Hex, decode_pairs};
use tagwise_codec::value::{Stopped, Target};
use tagwise_codec::{Budget, Options, Reader, Rule, Session};
use tagwise_per::{Kind, Variant};
use tagwise_tables::{Schema, Source};

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    K ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
    S K ::= { { BOOLEAN ID 1 } | { UTF8String ID 2 } | { B ID 3 } }
    X K ::= { { BOOLEAN ID 1 }, ... }
    B ::= SEQUENCE { v K.&Type({S}{@id}), id K.&id({S}) }
    O ::= SEQUENCE { v OCTET STRING (CONTAINING K.&Type({S}{@id})), id K.&id({S}) }
    N ::= SEQUENCE { i SEQUENCE OF SEQUENCE { v K.&Type({S}{@..id}) }, id K.&id({S}) }
    E ::= SEQUENCE { v K.&Type({X}{@id}), id K.&id({X}) }
    Bits ::= SEQUENCE { v BIT STRING (CONTAINING K.&Type({S}{@id})), id K.&id({S}) }
    Default ::= SEQUENCE { v K.&Type({S}{@id}), id K.&id({S}) DEFAULT 1 }
    P ::= CLASS { &id INTEGER UNIQUE, &number INTEGER } WITH SYNTAX { &number ID &id }
    Q P ::= { { 5 ID 1 } | { 7 ID 2 } }
    Relation ::= SEQUENCE { n P.&number({Q}{@id}), id P.&id({Q}) }
    Relations ::= SEQUENCE { i SEQUENCE OF SEQUENCE { n P.&number({Q}{@..id}) }, id P.&id({Q}) }
END";

fn schema() -> Schema {
    Schema::compile([Source::new("m.asn1", MODULE)]).unwrap_or_else(|error| panic!("{error}"))
}

fn read(ty: &str, rules: &str, input: &str) -> Result<String, String> {
    let (schema, input) = (schema(), decode_pairs(input).unwrap());
    let types = schema.ty(ty).unwrap();
    let value = match rules {
        "der" => types.decode(&input).map_err(|error| error.to_string())?.value,
        "oer" => schema.oer(ty).unwrap().decode(&input).map_err(|error| error.to_string())?.value,
        "read" => {
            let session = Session::new(Options::der());
            let mut reader = Reader::with_session(&input, &session).unwrap();
            types.read(&mut reader).map_err(|fault| fault.to_string())?
        }
        rules => {
            let per = schema.per(ty).unwrap().variant(Variant::named(rules).unwrap());
            per.decode(&input).map_err(|error| error.to_string())?.value
        }
    };
    Ok(tagwise_jer::to_string(types.types(), &value))
}

#[test]
fn values_are_decoded_when_the_selector_is_known() {
    let value = r#"{"v":true,"id":1}"#;
    for (rules, input) in
        [("der", "3008A0030101FF810101"), ("uper", "01800101"), ("aper", "01800101"), ("oer", "01FF0101")]
    {
        assert_eq!(read("B", rules, input).as_deref(), Ok(value), "{rules}");
    }
    // In a string.
    for (rules, input) in [("der", "300880030101FF810101"), ("uper", "01800101"), ("oer", "01FF0101")] {
        assert_eq!(read("O", rules, input).as_deref(), Ok(r#"{"v":{"containing":true},"id":1}"#), "{rules}");
    }
    // Below other components.
    let value = r#"{"i":[{"v":true},{"v":false}],"id":1}"#;
    let der = "3013A00E3005A0030101FF3005A003010100810101";
    for (rules, input) in [("der", der), ("uper", "02018001000101"), ("oer", "010201FF01000101")] {
        assert_eq!(read("N", rules, input).as_deref(), Ok(value), "{rules}");
    }
    // In a value that was itself decoded late.
    let value = r#"{"v":{"v":true,"id":1},"id":3}"#;
    for (rules, input) in
        [("der", "300FA00A3008A0030101FF810101810103"), ("uper", "04018001010103"), ("oer", "0401FF01010103")]
    {
        assert_eq!(read("B", rules, input).as_deref(), Ok(value), "{rules}");
    }
}

#[test]
fn values_of_other_types_are_refused() {
    for (ty, rules, input, message) in [
        ("B", "der", "3008A003020105810101", "v: expected BOOLEAN, found INTEGER, at byte 4 (X.690 §8.1.2)"),
        ("B", "uper", "01400101", "v: padding bits are not zero, at bit 9 (X.691 §11.1)"),
        ("B", "oer", "02FFFF0101", "v: data follows the value, at byte 2"),
        ("B", "uper", "04014001010103", "v.v: padding bits are not zero, at bit 17 (X.691 §11.1)"),
        ("N", "oer", "010201FF02FFFF0101", "i[1].v: data follows the value, at byte 6"),
    ] {
        let error = read(ty, rules, input).unwrap_err();
        assert!(error.contains(message), "{ty} {rules}: {error}");
    }
}

#[test]
fn bits_that_contain_a_value_have_no_padding() {
    let value = r#"{"v":{"containing":true},"id":1}"#;
    for (rules, input) in [("der", "30098004000101FF810101"), ("uper", "01808080"), ("oer", "0200FF0101")] {
        assert_eq!(read("Bits", rules, input).as_deref(), Ok(value), "{rules}");
    }
    let error = read("Bits", "uper", "02C04040").unwrap_err();
    assert!(error.starts_with("v: data follows the value, at bit"), "{error}");
}

/// A selector that comes later is not absent.
#[test]
fn default_values_do_not_select_before_their_components_are_read() {
    for (rules, input) in [("der", "3008A0030C0161810102"), ("uper", "8100B0808100"), ("oer", "800201610102")] {
        let read = read("Default", rules, input);
        assert_eq!(read.as_deref(), Ok(r#"{"v":"a","id":2}"#), "{rules}");
    }
    for (rules, input) in [("der", "3005A0030101FF"), ("uper", "00C000"), ("oer", "0001FF")] {
        assert_eq!(read("Default", rules, input).as_deref(), Ok(r#"{"v":true}"#), "{rules}");
    }
}

#[test]
fn component_relations_are_checked_when_the_selector_is_known() {
    for (rules, good, bad) in [
        ("der", "3006800105810101", "3006800107810101"),
        ("read", "3006800105810101", "3006800107810101"),
        ("uper", "01050101", "01070101"),
        ("oer", "01050101", "01070101"),
    ] {
        assert_eq!(read("Relation", rules, good).as_deref(), Ok(r#"{"n":5,"id":1}"#), "{rules}");
        let error = read("Relation", rules, bad).unwrap_err();
        assert!(error.contains("value") && error.contains('§') || rules == "read", "{rules}: {error}");
    }
    let nested = "300FA00A30038001053003800105810101";
    assert_eq!(read("Relations", "der", nested).as_deref(), Ok(r#"{"i":[{"n":5},{"n":5}],"id":1}"#));
    let error = read("Relations", "der", &nested.replace("810101", "810102")).unwrap_err();
    assert!(error.starts_with("i[0].n: "), "{error}");
    // A tolerated violation is noted once.
    let schema = schema();
    let lax = schema.ty("Relation").unwrap().options(Options::der().allow(&Rule::VALUE));
    let input = decode_pairs("3006800107810101").unwrap();
    let read = lax.decode(&input).unwrap();
    assert_eq!(read.deviations.iter().map(|one| (one.rule, one.offset)).collect::<Vec<_>>(), [(&Rule::VALUE, 2)]);
}

/// Memory that lists what is stored, with the indexes of components, items and objects.
#[derive(Default)]
struct Told {
    places: Vec<String>,
    stored: Vec<String>,
}

impl Told {
    fn inside(&mut self, place: usize, index: &str) -> usize {
        self.places.push(format!("{}/{index}", self.places[place]));
        self.places.len() - 1
    }

    fn store(&mut self, place: usize, mark: &str, octets: &[u8]) {
        self.stored.push(format!("{}{mark}{:X}", self.places[place], Hex(octets)));
    }
}

impl<'a> Target<'a> for Told {
    type Place = usize;

    fn leaf(&mut self, place: usize, _: &'a Type, content: &'a [u8]) {
        self.store(place, "=", content);
    }

    fn unknown(&mut self, place: usize, element: &'a [u8]) {
        self.store(place, "=?", element);
    }

    fn items(&mut self, place: usize, _: usize) -> Result<usize, Stopped> {
        Ok(place)
    }

    fn part(&mut self, place: usize, index: usize) -> Result<usize, Stopped> {
        Ok(self.inside(place, &index.to_string()))
    }

    fn contained(&mut self, place: usize) -> Result<usize, Stopped> {
        Ok(self.inside(place, "in"))
    }
}

/// The values that decoding stores in memory.
fn stored(ty: &str, input: &str, options: Options<'_>) -> Result<Vec<String>, String> {
    let (schema, mut told) = (schema(), Told { places: vec![String::new()], ..Told::default() });
    let input = decode_pairs(input).unwrap();
    let done = schema.ty(ty).unwrap().options(options).decode_into(&input, &mut told, 0);
    done.map(|()| told.stored).map_err(|error| error.to_string())
}

#[test]
fn values_decoded_into_memory_have_the_selected_type() {
    let cases: [(&str, &str, &[&str]); 8] = [
        ("Relation", "3006800105810101", &["/0=05", "/1=01"]),
        ("B", "3008A0030101FF810101", &["/1=01", "/0/0=FF"]),
        ("Default", "3008A0030C0161810102", &["/1=02", "/0/1=61"]),
        ("Default", "3005A0030101FF", &["/0/0=FF"]),
        // In strings, in items, and in a value that is itself stored late.
        ("O", "300880030101FF810101", &["/1=01", "/0/in/0=FF"]),
        ("Bits", "30098004000101FF810101", &["/1=01", "/0/in/0=FF"]),
        ("N", "3013A00E3005A0030101FF3005A003010100810101", &["/1=01", "/0/1/0/0=00", "/0/0/0/0=FF"]),
        ("B", "300FA00A3008A0030101FF810101810103", &["/1=03", "/0/2/1=01", "/0/2/0/0=FF"]),
    ];
    for (ty, input, expected) in cases {
        let stored = stored(ty, input, Options::der()).unwrap_or_else(|error| panic!("{ty} {input}: {error}"));
        assert_eq!(stored, expected, "{ty} {input}");
    }
    // Values that no object selects, and those that are not of their type where that is tolerated.
    assert_eq!(stored("E", "3008A0030101FF810109", Options::der()).unwrap(), ["/1=09", "/0=?0101FF"]);
    let lax = Options::der().allow(&Rule::OPEN_TYPE);
    assert_eq!(stored("B", "3008A003020105810101", lax).unwrap(), ["/1=01", "/0=?020105"]);
    assert_eq!(
        stored("B", "300FA00A3008A003020105810101810103", lax).unwrap(),
        ["/1=03", "/0/2/1=01", "/0/2/0=?020105"]
    );
    let error = stored("B", "3008A003020105810101", Options::der()).unwrap_err();
    assert!(error.starts_with("v: expected BOOLEAN, found INTEGER, at byte 4 "), "{error}");
    assert!(stored("Relation", "3006800107810101", Options::der()).is_err());
}

#[test]
fn the_budget_bounds_values_decoded_into_memory() {
    let allowed = |values| Options::der().budget(Budget { values, ..Budget::DEFAULT });
    // The components of N, two items, and the component of each.
    let input = "3013A00E3005A0030101FF3005A003010100810101";
    assert!(stored("N", input, allowed(6)).is_ok());
    assert_eq!(
        stored("N", input, allowed(5)).unwrap_err().split(',').next(),
        Some("i[1].v: the number of elements exceeds the budget")
    );
}

#[test]
fn text_is_read_in_the_order_of_selection() {
    let (schema, json) = (schema(), r#"{"i":[{"v":true},{"v":false}],"id":1}"#);
    let types = schema.ty("N").unwrap();
    let value = tagwise_jer::from_str(&types, json).unwrap();
    let xml = schema.xer("N").unwrap().encode(&value).unwrap();
    let expected = "<N><i><SEQUENCE><v><BOOLEAN><true/></BOOLEAN></v></SEQUENCE>\
                    <SEQUENCE><v><BOOLEAN><false/></BOOLEAN></v></SEQUENCE></i><id>1</id></N>";
    assert_eq!(String::from_utf8_lossy(&xml), expected);
    let read = schema.xer("N").unwrap().decode(&xml).unwrap().value;
    assert_eq!(tagwise_jer::to_string(types.types(), &read), json);
    let wrong = expected.replace("<id>1<", "<id>2<");
    assert!(schema.xer("N").unwrap().decode(wrong.as_bytes()).is_err());
}

#[test]
fn unknown_selectors_leave_values_as_they_are() {
    assert_eq!(read("E", "uper", "01800109").as_deref(), Ok(r#"{"v":{"$uper":"80"},"id":9}"#));
    assert_eq!(read("E", "oer", "01FF0109").as_deref(), Ok(r#"{"v":{"$oer":"FF"},"id":9}"#));
}

#[test]
fn a_value_that_is_abandoned_is_noted_once() {
    let schema = schema();
    let lax = schema.ty("B").unwrap().options(Options::der().allow(&Rule::OPEN_TYPE));
    let input = decode_pairs("3008A003020105810101").unwrap();
    let read = lax.decode(&input).unwrap();
    assert_eq!(read.deviations.iter().map(|one| (one.rule, one.offset)).collect::<Vec<_>>(), [(&Rule::OPEN_TYPE, 4)]);
}

#[test]
fn values_convert_between_encoding_rules() {
    let schema = schema();
    let read = schema.per("B").unwrap().decode(&[0x01, 0x80, 0x01, 0x01]).unwrap();
    let der = schema.ty("B").unwrap().encode(&read.value).unwrap();
    assert_eq!(format!("{:X}", Hex(&der)), "3008A0030101FF810101");
}

/// The depth of values in values is limited.
#[test]
fn depth() {
    let mut octets = vec![1, 0x80, 1, 1];
    for _ in 0..30 {
        octets = [&[octets.len() as u8], octets.as_slice(), &[1, 3]].concat();
    }
    let schema = schema();
    assert!(schema.per("B").unwrap().decode(&octets).is_ok());
    for _ in 0..10 {
        octets = [&[octets.len() as u8], octets.as_slice(), &[1, 3]].concat();
    }
    let error = schema
        .per("B")
        .unwrap()
        .options(
            tagwise_codec::Options::der().budget(tagwise_codec::Budget { depth: 32, ..tagwise_codec::Budget::DEFAULT }),
        )
        .decode(&octets)
        .unwrap_err();
    assert_eq!(error.kind, Kind::Depth);
}
