//! Every constraint that a table can say (X.680 §51, X.682): a value that obeys and one that does not, with kind and offset.
#![cfg(feature = "dynamic")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use tagwise_codec::pattern::Pattern;
use tagwise_codec::table::{
    Bound, ComponentConstraint, Constraint, DefaultValue, Field, Fields, Interval, List, Object, ObjectSet, Presence,
    Range, Schema, SetRef, Shape, StringKind, Tagging, Text, TimeKind, Type, TypeRef,
};
use tagwise_codec::value::{Dynamic, Why};
use tagwise_codec::{FaultKind, Options, Rule, Tag, UserCheck, cer};

use Constraint::{AllOf, AnyOf, NoneOf};

fn ranges(ends: &[(Option<i128>, Option<i128>)]) -> List<Range> {
    ends.iter().map(|(min, max)| Range { min: *min, max: *max }).collect::<Vec<_>>().into()
}

fn size(min: i128, max: i128) -> Constraint {
    Constraint::Size { ranges: ranges(&[(Some(min), Some(max))]), extensible: false }
}

fn number(min: i128, max: i128) -> Constraint {
    Constraint::Value { ranges: ranges(&[(Some(min), Some(max))]), extensible: false }
}

fn from(text: &str) -> Constraint {
    let points = text.chars().map(|point| (Some(i128::from(u32::from(point))), Some(i128::from(u32::from(point)))));
    Constraint::Alphabet { ranges: ranges(&points.collect::<Vec<_>>()), extensible: false }
}

fn of(tag: Tag, shape: Shape, constraints: Vec<Constraint>) -> Type {
    Type::new("T", Some(tag), shape).constrained(constraints.into())
}

fn integer(constraints: Vec<Constraint>) -> Type {
    of(Tag::INTEGER, Shape::Integer(List::EMPTY), constraints)
}

fn text(constraints: Vec<Constraint>) -> Type {
    of(Tag::UTF8_STRING, Shape::String(StringKind::Utf8), constraints)
}

fn octets(constraints: Vec<Constraint>) -> Type {
    of(Tag::OCTET_STRING, Shape::OctetString, constraints)
}

fn utf8(value: &str) -> Vec<u8> {
    [&[0x0C, value.len() as u8][..], value.as_bytes()].concat()
}

/// Decodes, encodes what was decoded, and says what is wrong: kind and offset.
#[track_caller]
fn judge(types: &[Type], sets: Vec<ObjectSet>, input: &[u8], options: Options<'_>) -> Result<(), (FaultKind, usize)> {
    let schema = Schema { types: types.to_vec().into(), sets: sets.into() };
    let ty = schema.types.last().unwrap();
    let dynamic = Dynamic::new(ty).schema(&schema).options(options);
    let read = dynamic.decode(input).map_err(|error| (error.kind(), error.offset()))?;
    assert_eq!(dynamic.encode(&read.value).as_deref(), Ok(input), "{input:02X?}");
    // Whoever tolerates it reads it, but does not write it.
    Ok(())
}

#[track_caller]
fn holds(ty: Type, input: &[u8]) {
    assert_eq!(judge(&[ty], Vec::new(), input, Options::der()), Ok(()), "{input:02X?}");
}

#[track_caller]
fn breaks(ty: Type, input: &[u8], kind: FaultKind, offset: usize) {
    let types = [ty];
    assert_eq!(judge(&types, Vec::new(), input, Options::der()), Err((kind, offset)), "{input:02X?}");
    if matches!(kind, FaultKind::Value | FaultKind::Size) {
        let options = Options::der().allow(&Rule::VALUE).allow(&Rule::SIZE);
        let read = Dynamic::new(&types[0]).options(options).decode(input).unwrap();
        assert_eq!(read.deviations.first().map(|deviation| deviation.offset), Some(offset));
        assert_eq!(Dynamic::new(&types[0]).encode(&read.value).unwrap_err().kind(), kind);
    }
}

#[test]
fn big_integers() {
    let bound = |content: Vec<u8>, open| Some(Bound { content: content.into(), open });
    // 2^159 is the least that takes 21 octets.
    let mut limit = vec![0; 21];
    limit[1] = 0x80;
    let ty = || {
        let interval = Interval { min: bound(vec![0], false), max: bound(limit.clone(), true) };
        integer(vec![Constraint::Between { ranges: vec![interval].into(), extensible: false }])
    };
    let mut below = vec![0x02, 20, 0x7F];
    below.extend([0xFF; 19]);
    holds(ty(), &below);
    let above = [&[0x02, 21][..], &limit].concat();
    breaks(ty(), &above, FaultKind::Value, 2);
    breaks(ty(), &[0x02, 1, 0xFF], FaultKind::Value, 2);
}

#[test]
fn reals() {
    let bound = |content: &[u8], open| Some(Bound { content: content.to_vec().into(), open });
    // 0 < x <= 1.5, in two bases.
    let ty = || {
        let interval = Interval { min: bound(&[], true), max: bound(b"\x0315.E-1", false) };
        let between = Constraint::Between { ranges: vec![interval].into(), extensible: false };
        of(Tag::REAL, Shape::Real, vec![between])
    };
    holds(ty(), &[0x09, 3, 0x80, 0xFF, 0x03]);
    holds(ty(), &[0x09, 3, 0x80, 0xFB, 0x01]);
    breaks(ty(), &[0x09, 0], FaultKind::Value, 2);
    breaks(ty(), &[0x09, 3, 0x80, 0x01, 0x01], FaultKind::Value, 2);
    // PLUS-INFINITY, NOT-A-NUMBER
    breaks(ty(), &[0x09, 1, 0x40], FaultKind::Value, 2);
    breaks(ty(), &[0x09, 1, 0x42], FaultKind::Value, 2);
}

#[test]
fn single_values_of_strings() {
    let ty = || text(vec![Constraint::Values(vec![utf8("one").into(), utf8("two").into()].into())]);
    holds(ty(), &utf8("two"));
    breaks(ty(), &utf8("three"), FaultKind::Value, 2);
}

#[test]
fn alphabets_and_sizes() {
    holds(text(vec![from("ab€"), size(1, 3)]), &utf8("a€b"));
    breaks(text(vec![from("ab€"), size(1, 3)]), &utf8("abc"), FaultKind::Value, 2);
    breaks(text(vec![from("ab€"), size(1, 3)]), &utf8("abba"), FaultKind::Size, 2);
    let extensible = Constraint::Alphabet { ranges: ranges(&[(Some(97), Some(98))]), extensible: true };
    holds(text(vec![extensible]), &utf8("xyz"));
}

#[test]
fn patterns() {
    let ty = |shape, tag| of(tag, shape, vec![Constraint::Pattern(Pattern::new(r"\d#4-\d#2").unwrap())]);
    holds(ty(Shape::String(StringKind::Visible), Tag::VISIBLE_STRING), b"\x1A\x072026-11");
    breaks(ty(Shape::String(StringKind::Visible), Tag::VISIBLE_STRING), b"\x1A\x072026-1x", FaultKind::Value, 2);
    breaks(ty(Shape::String(StringKind::Visible), Tag::VISIBLE_STRING), b"\x1A\x082026-111", FaultKind::Value, 2);
    // Characters, not octets.
    let greek = || vec![Constraint::Pattern(Pattern::new("[{0,0,3,145}-{0,0,3,169}]#2").unwrap())];
    holds(of(Tag::BMP_STRING, Shape::String(StringKind::Bmp), greek()), &[0x1E, 4, 3, 0x91, 3, 0x92]);
    breaks(
        of(Tag::BMP_STRING, Shape::String(StringKind::Bmp), greek()),
        &[0x1E, 4, 3, 0x91, 3, 0xFF],
        FaultKind::Value,
        2,
    );
}

#[test]
fn settings() {
    let time = |settings: &'static str| {
        of(Tag::TIME, Shape::Time(TimeKind::Time), vec![Constraint::Settings(Text::Const(settings))])
    };
    let octets = |text: &str| [&[0x0E, text.len() as u8][..], text.as_bytes()].concat();
    for (settings, obeys, other) in [
        ("Basic=Date Date=YMD Year=Basic", "1985-04-12", "1985-102"),
        ("Basic=Date Year=Proleptic", "0985-04-12", "1985-04-12"),
        ("Year=Negative", "-0001", "0001"),
        ("Year=L5", "+12345", "+123456"),
        ("Date=C", "19C", "1985"),
        ("Date=YW", "1985-W15", "1985-W15-5"),
        ("Basic=Time Time=HMS Local-or-UTC=L", "15:27:46", "15:27:46Z"),
        ("Time=HMSF3", "15:27:46.123", "15:27:46.12"),
        ("Local-or-UTC=LD", "15:27:46+01", "15:27:46"),
        ("Midnight=Start", "00:00:00", "24:00:00"),
        ("Midnight=End", "12:00:00", "00:00:00"),
        ("Basic=Date-Time", "1985-04-12T10:15:30", "1985-04-12"),
        ("Basic=Interval Interval-type=D", "P1Y", "1985-04-12/P1Y"),
        ("Interval-type=SD SE-point=Date", "1985-04-12/P1Y", "P1Y/1985-04-12"),
        ("Interval-type=SE SE-point=Date-Time", "1985-04-12T10/1985-04-13T10", "1985-04-12/1985-04-13"),
        ("Interval-type=DE", "P1Y/1985-04-12", "1985-04-12/P1Y"),
        ("Basic=Rec-Interval Recurrence=Unlimited", "R/P1Y", "R5/P1Y"),
        ("Basic=Interval", "P1Y", "R/P1Y"),
    ] {
        holds(time(settings), &octets(obeys));
        breaks(time(settings), &octets(other), FaultKind::Value, 2);
    }
    // DATE is TIME with settings (X.680 §38.4).
    let date = |settings| of(Tag::DATE, Shape::Time(TimeKind::Date), vec![Constraint::Settings(Text::Const(settings))]);
    holds(date("Date=YMD Year=Basic"), &[&[0x1F, 0x1F, 8][..], b"19850412"].concat());
    breaks(date("Date=YMD Year=Proleptic"), &[&[0x1F, 0x1F, 8][..], b"19850412"].concat(), FaultKind::Value, 3);
    // How often something recurs is not looked at, and that is told.
    for (settings, told) in [("Recurrence=R2", 1), ("Date=YMD", 0)] {
        let ty = time(settings);
        let dynamic = Dynamic::new(&ty);
        let input = octets("1985-04-12");
        let read = dynamic.decode(&input).unwrap();
        let unchecked = dynamic.unchecked(&read.value);
        assert_eq!(unchecked.len(), told, "{unchecked:?}");
        assert!(unchecked.iter().all(|one| one.why == Why::Settings(settings)));
    }
}

#[test]
fn set_arithmetic() {
    // (0..9 | 20..29) EXCEPT 5
    let ty = || {
        let union = AnyOf(vec![number(0, 9), number(20, 29)].into());
        integer(vec![AllOf(vec![union, NoneOf(vec![number(5, 5)].into())].into())])
    };
    holds(ty(), &[2, 1, 4]);
    holds(ty(), &[2, 1, 25]);
    breaks(ty(), &[2, 1, 5], FaultKind::Value, 2);
    breaks(ty(), &[2, 1, 10], FaultKind::Value, 2);
    // SIZE (1) | FROM ("ab"), and what breaks both is of neither kind.
    let ty = || text(vec![AnyOf(vec![size(1, 1), from("ab")].into())]);
    holds(ty(), &utf8("z"));
    holds(ty(), &utf8("abab"));
    breaks(ty(), &utf8("zz"), FaultKind::Value, 2);
    // SIZE (1) | SIZE (3) is a size.
    breaks(text(vec![AnyOf(vec![size(1, 1), size(3, 3)].into())]), &utf8("zz"), FaultKind::Size, 2);
    // ALL EXCEPT
    breaks(text(vec![NoneOf(vec![size(2, 2)].into())]), &utf8("zz"), FaultKind::Value, 2);
    // What has an extension marker refuses nothing.
    let ty = Constraint::Extensible { root: vec![number(0, 1)].into(), additions: vec![number(2, 2)].into() };
    holds(integer(vec![ty]), &[2, 1, 9]);
}

#[test]
fn included_types() {
    let types = |number| {
        let base = integer(vec![number]);
        let named = Type::new("Named", Some(Tag::INTEGER), Shape::Named(TypeRef::Index(0)));
        [base, named, integer(vec![Constraint::Includes(TypeRef::Index(1))])]
    };
    assert_eq!(judge(&types(number(1, 3)), Vec::new(), &[2, 1, 3], Options::der()), Ok(()));
    assert_eq!(judge(&types(number(1, 3)), Vec::new(), &[2, 1, 4], Options::der()), Err((FaultKind::Value, 2)));
    // A type that includes itself.
    let own = [integer(vec![Constraint::Includes(TypeRef::Index(0)), number(1, 3)])];
    assert_eq!(judge(&own, Vec::new(), &[2, 1, 3], Options::der()), Ok(()));
    assert_eq!(judge(&own, Vec::new(), &[2, 1, 4], Options::der()), Err((FaultKind::Value, 2)));
}

/// `SEQUENCE { a INTEGER OPTIONAL, b UTF8String OPTIONAL, c INTEGER DEFAULT 7 }`
fn record(constraints: Vec<Constraint>) -> [Type; 3] {
    let int = TypeRef::Index(0);
    let context = |number| List::from(vec![Tagging { tag: Tag::context(number), explicit: false }]);
    let fields = vec![
        Field::new("a", int).tagged(context(0)).presence(Presence::Optional),
        Field::new("b", TypeRef::Index(1)).presence(Presence::Optional),
        Field::new("c", int).tagged(context(1)).presence(Presence::Default(DefaultValue::Der(vec![2, 1, 7].into()))),
    ];
    let shape = Shape::Sequence(Fields { list: fields.into(), marker: None });
    [integer(Vec::new()), text(Vec::new()), of(Tag::SEQUENCE, shape, constraints)]
}

fn line(name: &'static str, present: Option<bool>, constraints: Vec<Constraint>) -> ComponentConstraint {
    ComponentConstraint { name: Text::Const(name), present, constraints: constraints.into() }
}

#[test]
fn inner_components() {
    let with = |components: Vec<ComponentConstraint>, partial| {
        record(vec![Constraint::WithComponents { components: components.into(), partial }])
    };
    let check = |types: [Type; 3], input: &[u8]| judge(&types, Vec::new(), input, Options::der());
    let broken = Err((FaultKind::Value, 2));
    // {…, a PRESENT, b ABSENT}
    let types = || with(vec![line("a", Some(true), Vec::new()), line("b", Some(false), Vec::new())], true);
    assert_eq!(check(types(), &[0x30, 3, 0x80, 1, 5]), Ok(()));
    assert_eq!(check(types(), &[0x30, 0]), broken);
    assert_eq!(check(types(), &[0x30, 5, 0x80, 1, 5, 0x0C, 0]), broken);
    // {a (0..9)}: the rest is absent; a DEFAULT value is one.
    let types = || with(vec![line("a", None, vec![number(0, 9)])], false);
    assert_eq!(check(types(), &[0x30, 3, 0x80, 1, 9]), Ok(()));
    assert_eq!(check(types(), &[0x30, 3, 0x80, 1, 10]), broken);
    assert_eq!(check(types(), &[0x30, 2, 0x0C, 0]), broken);
    // {…, c (8..9)}: what is absent has the value 7.
    let types = || with(vec![line("c", None, vec![number(8, 9)])], true);
    assert_eq!(check(types(), &[0x30, 3, 0x81, 1, 8]), Ok(()));
    assert_eq!(check(types(), &[0x30, 0]), broken);
    // A size in it is a size.
    let types = || with(vec![line("b", None, vec![size(1, 2)])], true);
    assert_eq!(check(types(), &[0x30, 5, 0x0C, 3, 97, 97, 97]), Err((FaultKind::Size, 2)));
    // One of two: WITH COMPONENTS {a ABSENT} | WITH COMPONENTS {b ABSENT}.
    let absent = |name| Constraint::WithComponents {
        components: vec![line(name, Some(false), Vec::new())].into(),
        partial: true,
    };
    let types = || record(vec![AnyOf(vec![absent("a"), absent("b")].into())]);
    assert_eq!(check(types(), &[0x30, 3, 0x80, 1, 5]), Ok(()));
    assert_eq!(check(types(), &[0x30, 5, 0x80, 1, 5, 0x0C, 0]), broken);
}

#[test]
fn inner_items() {
    let types = |constraints| {
        let list = Shape::SequenceOf(TypeRef::Index(0));
        let with = vec![Constraint::WithComponent(vec![number(0, 9)].into()), size(1, 2)];
        [integer(constraints), of(Tag::SEQUENCE, list, with)]
    };
    let check = |input: &[u8]| judge(&types(Vec::new()), Vec::new(), input, Options::der());
    assert_eq!(check(&[0x30, 6, 2, 1, 0, 2, 1, 9]), Ok(()));
    assert_eq!(check(&[0x30, 6, 2, 1, 0, 2, 1, 10]), Err((FaultKind::Value, 2)));
    assert_eq!(check(&[0x30, 0]), Err((FaultKind::Size, 2)));
}

/// `CHOICE { n [0] INTEGER, t UTF8String, ... }`
#[test]
fn inner_alternatives() {
    let types = |lines: Vec<ComponentConstraint>, partial| {
        let tagged = List::from(vec![Tagging { tag: Tag::context(0), explicit: false }]);
        let alternatives = vec![Field::new("n", TypeRef::Index(0)).tagged(tagged), Field::new("t", TypeRef::Index(1))];
        let shape = Shape::Choice { alternatives: alternatives.into(), extensible: true };
        let with = Constraint::WithComponents { components: lines.into(), partial };
        let ty = Type::new("C", None, shape).constrained(vec![with].into());
        [integer(Vec::new()), text(Vec::new()), ty]
    };
    let check = |types: [Type; 3], input: &[u8]| judge(&types, Vec::new(), input, Options::der());
    let only = || types(vec![line("n", Some(true), vec![number(0, 9)])], false);
    assert_eq!(check(only(), &[0x80, 1, 9]), Ok(()));
    assert_eq!(check(only(), &[0x80, 1, 10]), Err((FaultKind::Value, 0)));
    assert_eq!(check(only(), &utf8("x")), Err((FaultKind::Value, 0)));
    let none = || types(vec![line("n", Some(false), Vec::new())], true);
    assert_eq!(check(none(), &utf8("x")), Ok(()));
    assert_eq!(check(none(), &[0x80, 1, 9]), Err((FaultKind::Value, 0)));
    // An alternative that is not known.
    assert_eq!(check(none(), &[0x85, 0]), Ok(()));
    assert_eq!(check(only(), &[0x85, 0]), Err((FaultKind::Value, 0)));
}

#[test]
fn contents_by_other_rules() {
    let types = |oid: &[u8], shape, tag| {
        let constraints = vec![Constraint::Containing(TypeRef::Index(1)), Constraint::EncodedBy(oid.to_vec().into())];
        [
            integer(Vec::new()),
            of(Tag::SEQUENCE, Shape::SequenceOf(TypeRef::Index(0)), Vec::new()),
            of(tag, shape, constraints),
        ]
    };
    let (basic, canonical, distinguished): (&[u8], &[u8], &[u8]) = (&[0x51, 1], &[0x51, 2, 0], &[0x51, 2, 1]);
    let check = |oid: &[u8], input: &[u8]| {
        judge(&types(oid, Shape::OctetString, Tag::OCTET_STRING), Vec::new(), input, Options::der())
    };
    let (indefinite, definite): (&[u8], &[u8]) = (&[4, 7, 0x30, 0x80, 2, 1, 5, 0, 0], &[4, 5, 0x30, 3, 2, 1, 5]);
    assert_eq!(check(basic, indefinite), Ok(()));
    assert_eq!(check(basic, definite), Ok(()));
    assert_eq!(check(canonical, indefinite), Ok(()));
    assert_eq!(check(canonical, definite), Err((FaultKind::IndefiniteExpected, 3)));
    assert_eq!(check(distinguished, definite), Ok(()));
    assert_eq!(check(distinguished, indefinite), Err((FaultKind::LengthIndefinite, 3)));
    // Offsets are those of the input: NULL for INTEGER behind an indefinite length.
    assert_eq!(check(basic, &[4, 6, 0x30, 0x80, 5, 0, 0, 0]), Err((FaultKind::UnexpectedTag, 4)));
    assert_eq!(check(basic, &[4, 2, 0x30, 0x80]), Err((FaultKind::Truncated, 4)));
    // The octets of other rules are left alone.
    assert_eq!(check(&[0x51, 5, 0], &[4, 2, 0xDE, 0xAD]), Ok(()));
    // BIT STRING: behind the count of unused bits.
    let bits = |input: &[u8]| {
        judge(&types(basic, Shape::BitString(List::EMPTY), Tag::BIT_STRING), Vec::new(), input, Options::der())
    };
    assert_eq!(bits(&[3, 8, 0, 0x30, 0x80, 2, 1, 5, 0, 0]), Ok(()));
    assert_eq!(bits(&[3, 7, 0, 0x30, 0x80, 5, 0, 0, 0]), Err((FaultKind::UnexpectedTag, 5)));
    // What is told as not checked.
    let types = types(&[0x51, 5, 0], Shape::OctetString, Tag::OCTET_STRING);
    let schema = Schema { types: types.to_vec().into(), sets: List::EMPTY };
    let dynamic = Dynamic::new(&schema.types[2]).schema(&schema);
    let value = dynamic.decode(&[4, 2, 0xDE, 0xAD]).unwrap().value;
    let unchecked = dynamic.unchecked(&value);
    assert_eq!(unchecked[0].to_string(), "ENCODED BY 2.1.5.0, at byte 0");
}

#[test]
fn contents_stay_as_they_came_in_conversions() {
    let constraints = vec![
        Constraint::Containing(TypeRef::Const(<u8 as tagwise_codec::table::Typed>::ty)),
        Constraint::EncodedBy(vec![0x51, 1].into()),
    ];
    let ty = octets(constraints);
    let input = [4, 4, 2, 0x81, 1, 5];
    let made = cer::from_der_as(&ty, None, &input, &Options::der()).unwrap();
    assert_eq!(*made.bytes, input);
}

#[test]
fn words() {
    let ty = || octets(vec![Constraint::User(Text::Const("an even count"))]);
    let checks = [UserCheck { text: "an even count", check: |content| content.len().is_multiple_of(2) }];
    let options = Options::der().user_checks(&checks);
    let types = [ty()];
    assert_eq!(judge(&types, Vec::new(), &[4, 2, 1, 2], options), Ok(()));
    assert_eq!(judge(&types, Vec::new(), &[4, 1, 1], options), Err((FaultKind::Value, 2)));
    assert_eq!(judge(&types, Vec::new(), &[4, 1, 1], Options::der()), Ok(()));
    // On a component the whole component is looked at, and nobody's words are listed.
    let field =
        Field::new("a", TypeRef::Index(0)).constrained(vec![Constraint::User(Text::Const("an even count"))].into());
    let shape = Shape::Sequence(Fields { list: vec![field].into(), marker: None });
    let types = [octets(Vec::new()), of(Tag::SEQUENCE, shape, Vec::new())];
    assert_eq!(judge(&types, Vec::new(), &[0x30, 4, 4, 2, 1, 2], options), Ok(()));
    assert_eq!(judge(&types, Vec::new(), &[0x30, 3, 4, 1, 1], options), Err((FaultKind::Value, 2)));
    let schema = Schema { types: types.to_vec().into(), sets: List::EMPTY };
    let dynamic = Dynamic::new(&schema.types[1]).schema(&schema);
    let value = dynamic.decode(&[0x30, 3, 4, 1, 1]).unwrap().value;
    assert!(matches!(&*dynamic.unchecked(&value), [one] if one.offset == 2 && one.why == Why::User("an even count")));
    assert_eq!(dynamic.options(options).unchecked(&value), []);
}

fn object(name: &'static str, key: &[u8], ty: u32) -> Object {
    Object { name: Text::Const(name), key: key.to_vec().into(), ty: TypeRef::Index(ty) }
}

fn set(objects: Vec<Object>, extensible: bool) -> ObjectSet {
    ObjectSet { name: Text::Const("Set"), objects: objects.into(), extensible }
}

#[test]
fn table_constraints_on_values() {
    // &id ({Set}), with the objects 1 and 2.
    let types = || [integer(Vec::new()), integer(vec![Constraint::Table(SetRef::Index(0))])];
    let sets = |extensible| vec![set(vec![object("one", &[1], 0), object("two", &[2], 0)], extensible)];
    assert_eq!(judge(&types(), sets(false), &[2, 1, 2], Options::der()), Ok(()));
    assert_eq!(judge(&types(), sets(false), &[2, 1, 3], Options::der()), Err((FaultKind::Value, 2)));
    assert_eq!(judge(&types(), sets(true), &[2, 1, 3], Options::der()), Ok(()));
    // SEQUENCE { id INTEGER, priority INTEGER ({Set}{@id}) }: object 1 has the priorities up to 5.
    let relation = Constraint::Relation { set: SetRef::Index(0), selector: Text::Const("@.id") };
    let list = vec![
        Field::new("id", TypeRef::Index(0)),
        Field::new("priority", TypeRef::Index(0)).constrained(vec![relation].into()),
    ];
    let shape = Shape::Sequence(Fields { list: list.into(), marker: None });
    let types = [integer(Vec::new()), integer(vec![number(0, 5)]), of(Tag::SEQUENCE, shape, Vec::new())];
    let sets = || vec![set(vec![object("one", &[1], 1)], true)];
    assert_eq!(judge(&types, sets(), &[0x30, 6, 2, 1, 1, 2, 1, 5], Options::der()), Ok(()));
    assert_eq!(judge(&types, sets(), &[0x30, 6, 2, 1, 1, 2, 1, 6], Options::der()), Err((FaultKind::Value, 5)));
    assert_eq!(judge(&types, sets(), &[0x30, 6, 2, 1, 9, 2, 1, 6], Options::der()), Ok(()));
}

/// `SEQUENCE { k INTEGER, inner SEQUENCE { k INTEGER, v ({Set}{@..k}) } }`, and by several.
#[test]
fn levels_and_several_selectors() {
    let types = |selector: &'static str| {
        let open = Type::new("V", None, Shape::Open { set: Some(SetRef::Index(0)), selector: Text::Const(selector) });
        let inner = vec![Field::new("k", TypeRef::Index(0)), Field::new("v", TypeRef::Index(2))];
        let outer = vec![Field::new("k", TypeRef::Index(0)), Field::new("inner", TypeRef::Index(3))];
        let sequence = |list: Vec<Field>| {
            of(Tag::SEQUENCE, Shape::Sequence(Fields { list: list.into(), marker: None }), Vec::new())
        };
        [integer(Vec::new()), text(Vec::new()), open, sequence(inner), sequence(outer)]
    };
    let sets = || vec![set(vec![object("number", &[1], 0), object("text", &[2], 1)], true)];
    // Outer key 1, inner key 2, and a text.
    let input = [0x30, 10, 2, 1, 1, 0x30, 5, 2, 1, 2, 0x0C, 0];
    assert_eq!(judge(&types("k"), sets(), &input, Options::der()), Ok(()));
    assert_eq!(judge(&types("@.k"), sets(), &input, Options::der()), Ok(()));
    assert_eq!(judge(&types("@..k"), sets(), &input, Options::der()), Err((FaultKind::UnexpectedTag, 10)));
    assert_eq!(judge(&types("@..inner.k"), sets(), &input, Options::der()), Ok(()));
    // Both keys, each behind its length.
    let both = || vec![set(vec![object("both", &[1, 1, 1, 2], 0)], true)];
    assert_eq!(judge(&types("@..k,@.k"), both(), &input, Options::der()), Err((FaultKind::UnexpectedTag, 10)));
    assert_eq!(judge(&types("@.k,@..k"), both(), &input, Options::der()), Ok(()));
}

/// INSTANCE OF (X.681 Annex C): a SEQUENCE under the tag of EXTERNAL, by its table.
#[test]
fn instances() {
    let open = Type::new("V", None, Shape::Open { set: Some(SetRef::Index(0)), selector: Text::Const("type-id") });
    let explicit = List::from(vec![Tagging { tag: Tag::context(0), explicit: true }]);
    let list = vec![Field::new("type-id", TypeRef::Index(2)), Field::new("value", TypeRef::Index(1)).tagged(explicit)];
    let oid = of(Tag::OBJECT_IDENTIFIER, Shape::ObjectIdentifier, Vec::new());
    let shape = Shape::Sequence(Fields { list: list.into(), marker: None });
    let types = [integer(Vec::new()), open, oid, of(Tag::EXTERNAL, shape, Vec::new())];
    let sets = || vec![set(vec![object("number", &[0x2A, 3], 0)], true)];
    assert_eq!(judge(&types, sets(), &[0x28, 9, 6, 2, 0x2A, 3, 0xA0, 3, 2, 1, 5], Options::der()), Ok(()));
    let wrong = [0x28, 8, 6, 2, 0x2A, 3, 0xA0, 2, 5, 0];
    assert_eq!(judge(&types, sets(), &wrong, Options::der()), Err((FaultKind::UnexpectedTag, 8)));
}
