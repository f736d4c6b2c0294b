//! What the model says of modules: tags, constraints, values, objects, instances.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use tagwise_schema::model::{
    AssignmentKind, Condition, Field, Fields, Marker, Model, Outer, Presence, SettingValue, Shape, Tag, TagClass, Type,
    Value,
};
use tagwise_schema::{Source, compile};

fn model(tags: &str, assignments: &str) -> Model {
    let text = format!("M DEFINITIONS {tags} ::= BEGIN\n{assignments}\nEND\n");
    let compilation = compile(vec![Source::new("m", &text)]);
    assert_eq!(compilation.diagnostics().errors(), 0, "{}", compilation.render());
    compilation.into_model().unwrap()
}

fn ty<'m>(model: &'m Model, name: &str) -> &'m Type {
    model.ty(model.type_named("M", name).unwrap()).unwrap()
}

fn fields(ty: &Type) -> &Fields {
    match &ty.shape {
        Shape::Sequence(fields) | Shape::Set(fields) | Shape::Choice(fields) => fields,
        shape => panic!("{}", shape.name()),
    }
}

fn tags(model: &Model, field: &Field) -> Vec<(u32, bool)> {
    model.ty(field.ty).unwrap().tags.iter().map(|tagging| (tagging.tag.number, tagging.explicit)).collect()
}

fn value(model: &Model, name: &str) -> String {
    match &model.assignment("M", name).unwrap().kind {
        AssignmentKind::Value { value, .. } => value.to_string(),
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn automatic_tags_count_the_root_first_and_enclose_choices() {
    let model = model(
        "AUTOMATIC TAGS",
        "A ::= SEQUENCE { a NULL, ..., b B, [[ c NULL, d NULL ]], ..., e INTEGER }
         B ::= CHOICE { x NULL, y NULL }
         C ::= SEQUENCE { COMPONENTS OF A, z NULL }
         D ::= SEQUENCE { a [7] NULL, b BOOLEAN }",
    );
    let a = fields(ty(&model, "A"));
    assert_eq!(a.marker, Some(Marker { start: 1, end: 4, implied: false }));
    let found: Vec<_> = a.list.iter().map(|field| (field.name.as_str(), tags(&model, field), field.group)).collect();
    assert_eq!(
        found,
        [
            ("a", vec![(0, false)], None),
            ("b", vec![(2, true)], None),
            ("c", vec![(3, false)], Some(1)),
            ("d", vec![(4, false)], Some(1)),
            ("e", vec![(1, false)], None),
        ]
    );
    // What COMPONENTS OF brings is tagged anew.
    let c: Vec<_> =
        fields(ty(&model, "C")).list.iter().map(|field| (field.name.as_str(), tags(&model, field))).collect();
    assert_eq!(c, [("a", vec![(0, false)]), ("e", vec![(1, false)]), ("z", vec![(2, false)])]);
    // A tag in the text turns automatic tagging off.
    assert_eq!(tags(&model, &fields(ty(&model, "D")).list[1]), []);
    let Outer::Choice { tags, extensible: false } = &ty(&model, "B").outer else { panic!() };
    assert_eq!(tags[1], Tag { class: TagClass::Context, number: 1 });
}

/// X.680 §13.4.
#[test]
fn extensibility_is_implied_in_every_type_that_can_be_extended() {
    let text = "E ::= ENUMERATED { p, q } S ::= SEQUENCE { a E } T ::= SET { a E } C ::= CHOICE { a NULL }";
    for (tags, extensible) in [("AUTOMATIC TAGS", false), ("AUTOMATIC TAGS EXTENSIBILITY IMPLIED", true)] {
        let model = model(tags, text);
        let Shape::Enumerated(list) = &ty(&model, "E").shape else { panic!() };
        assert_eq!((list.extensible, list.root), (extensible, 2));
        for name in ["S", "T", "C"] {
            assert_eq!(fields(ty(&model, name)).marker.is_some(), extensible, "{name}");
        }
    }
}

#[test]
fn constraints_are_computed() {
    let model = model(
        "",
        "A ::= INTEGER (0..max | -5 | 20<..<MAX, ..., 12)
         max INTEGER ::= 10
         B ::= A (0..8)
         C ::= INTEGER (MIN..18446744073709551615)
         D ::= UTF8String (SIZE (1..5 | 7)) (FROM (\"a\"..\"f\" | \"x\"))
         E ::= IA5String (ALL EXCEPT (\"a\" | \"b\"))
         F ::= OCTET STRING (CONTAINING B ENCODED BY {2 1 1})
         G ::= SEQUENCE { a BOOLEAN OPTIONAL, b INTEGER } (WITH COMPONENTS { ..., a ABSENT, b (5..9) })
         H ::= ENUMERATED { x, y, z } (x | z)
         I ::= INTEGER (1..10 EXCEPT 4..6) (INCLUDES J)
         J ::= INTEGER (2..7)
         K ::= PrintableString (FROM (ALL EXCEPT \"a\"..\"z\"))
         L ::= INTEGER (J UNION 9 INTERSECTION 9..12)
         P ::= INTEGER (0..10, ..., 20)
         Q ::= P (5..MAX)
         R ::= INTEGER (P | 12)",
    );
    let ranges = |name: &str| {
        let bounds = ty(&model, name).effective.value.clone().unwrap();
        let end = |int: &Option<tagwise_schema::Int>| int.as_ref().map_or("*".to_owned(), ToString::to_string);
        let ranges: Vec<String> =
            bounds.ranges.iter().map(|range| format!("{}..{}", end(&range.min), end(&range.max))).collect();
        (ranges.join(" "), bounds.extensible)
    };
    assert_eq!(ranges("A"), ("-5..-5 0..10 21..*".to_owned(), true));
    assert_eq!(ranges("B"), ("0..8".to_owned(), false));
    assert_eq!(ranges("C"), ("*..18446744073709551615".to_owned(), false));
    assert_eq!(ranges("H"), ("0..0 2..2".to_owned(), false));
    assert_eq!(ranges("I"), ("2..3 7..7".to_owned(), false));
    assert_eq!(ranges("L"), ("2..7 9..9".to_owned(), false));
    // X.680 §50.8, §G.4.2.3: only the parent's root counts.
    assert_eq!(ranges("Q"), ("5..10".to_owned(), false));
    assert_eq!(ranges("R"), ("0..10 12..12".to_owned(), false));
    let d = &ty(&model, "D").effective;
    assert_eq!(d.size.as_ref().unwrap().ranges.len(), 2);
    let alphabet = &d.alphabet.as_ref().unwrap().ranges;
    assert_eq!((alphabet[0].first, alphabet[0].last, alphabet[1].first), (0x61, 0x66, 0x78));
    let further = &ty(&model, "E").effective.further;
    assert!(matches!(further.as_slice(), [Condition::Not(part)] if part.values.is_some()), "{further:?}");
    let contents = ty(&model, "F").effective.contents.clone().unwrap();
    assert_eq!(contents.ty, model.type_named("M", "B"));
    let g = &ty(&model, "G").effective.components[0];
    assert!(g.partial && g.list[0].present == Some(false));
    assert_eq!(g.list[1].inner.constraints.value.as_ref().unwrap().max(), Some(&9.into()));
    let k = &ty(&model, "K").effective.alphabet.as_ref().unwrap().ranges;
    assert!(k.iter().all(|range| range.last < 0x61));
}

#[test]
fn values_of_every_type() {
    let model = model(
        "",
        "a INTEGER { five(5) } ::= five
         b BOOLEAN ::= TRUE
         c BIT STRING { x(0), y(9) } ::= { y, x }
         d OCTET STRING ::= '0aF'H
         d2 OCTET STRING ::= '0AF'H
         e OBJECT IDENTIFIER ::= { f member-body(2) us(840) g }
         f OBJECT IDENTIFIER ::= { iso 3 } g INTEGER ::= 113549
         h REAL ::= -1.50e2
         i REAL ::= { mantissa 3, base 2, exponent -1 }
         j SEQUENCE { k SEQUENCE OF INTEGER, l CHOICE { m NULL } } ::= { k { 1, a }, l m : NULL }
         n UTF8String ::= { \"a\", \"\"\"b\" }
         o RELATIVE-OID ::= { 5 x(6) }
         p ENUMERATED { q, r(0), s } ::= q
         t UTCTime ::= \"9912312359Z\"
         u IA5String ::= \"two
             lines\"
         v TYPE-IDENTIFIER.&Type ::= INTEGER : 5"
            .replace("'0aF'H", "'0A'H")
            .as_str(),
    );
    for (name, expected) in [
        ("a", "5"),
        ("b", "TRUE"),
        ("c", "'1000000001'B"),
        ("d2", "'0AF0'H"),
        ("e", "{ 1 3 2 840 113549 }"),
        ("h", "-15E1"),
        ("i", "{ mantissa 3, base 2, exponent -1 }"),
        ("j", "{ k { 1, 5 }, l m: NULL }"),
        ("n", "\"a\"\"b\""),
        ("o", "{ 5 6 }"),
        ("p", "q"),
        ("u", "\"twolines\""),
        ("v", "5"),
    ] {
        assert_eq!(value(&model, name), expected, "{name}");
    }
    let AssignmentKind::Value { value: Value::Enumerated(p), .. } = &model.assignment("M", "p").unwrap().kind else {
        panic!()
    };
    // 0 is taken by r.
    assert_eq!(p.number, 1.into());
}

#[test]
fn open_types_have_rows() {
    let model = model(
        "",
        "ATTRIBUTE ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type OPTIONAL, &single BOOLEAN DEFAULT TRUE }
           WITH SYNTAX { [SYNTAX &Type] [SINGLE &single] ID &id }
         Attribute{ATTRIBUTE:Set} ::= SEQUENCE {
           type ATTRIBUTE.&id({Set}),
           values SET OF ATTRIBUTE.&Type({Set}{@type}),
           inner SEQUENCE { value ATTRIBUTE.&Type({Set}{@type}), near ATTRIBUTE.&id({Set}), v ATTRIBUTE.&Type({Set}{@.near}) } OPTIONAL }
         name ATTRIBUTE ::= { SYNTAX UTF8String ID { 2 5 4 3 } }
         More ATTRIBUTE ::= { name | { ID { 2 5 4 4 } }, ... }
         All ATTRIBUTE ::= { More | { SYNTAX INTEGER SINGLE FALSE ID { 2 5 4 5 } } }
         One ::= Attribute{{All}}
         Two ::= Attribute{{All}}
         Ids ::= OBJECT IDENTIFIER (All.&id)
         S ::= name.&Type",
    );
    let one = ty(&model, "One");
    let Shape::Reference(instance) = one.shape else { panic!() };
    assert!(matches!(ty(&model, "Two").shape, Shape::Reference(other) if other == instance));
    let instance = model.ty(instance).unwrap();
    let name = instance.name.as_ref().unwrap();
    assert_eq!((name.name.as_str(), name.instance.as_ref().unwrap().of.as_str()), ("Attribute-All", "Attribute"));
    let list = &fields(instance).list;
    let Shape::SetOf(item) = &model.ty(list[1].ty).unwrap().shape else { panic!() };
    let Shape::Open(open) = &model.ty(item.ty).unwrap().shape else { panic!() };
    let rows = model.rows(open);
    let keys: Vec<String> = rows.iter().map(|row| row.keys[0].unwrap().to_string()).collect();
    assert_eq!(keys, ["{ 2 5 4 3 }", "{ 2 5 4 5 }"]);
    let set = model.set(open.table.as_ref().unwrap().set).unwrap();
    assert_eq!((set.name.as_deref(), set.objects.len(), set.extensible), (Some("All"), 3, true));
    let selector = &open.table.as_ref().unwrap().selectors[0];
    assert_eq!(
        (selector.level, selector.up, selector.path.join("."), selector.field.join(".")),
        (0, 0, "type".to_owned(), "&id".to_owned())
    );
    // Paths from the outermost, and from the nearest.
    assert!(matches!(list[2].presence, Presence::Optional));
    let inner = &fields(model.ty(list[2].ty).unwrap()).list;
    let up = |index: usize| match &model.ty(inner[index].ty).unwrap().shape {
        Shape::Open(open) => open.table.as_ref().unwrap().selectors[0].up,
        _ => panic!(),
    };
    assert_eq!((up(0), up(2)), (1, 0));
    let objects: Vec<_> = set.objects.iter().map(|id| model.object(*id).unwrap()).collect();
    assert!(matches!(objects[0].setting("&single"), Some(SettingValue::Value(Value::Boolean(true)))));
    assert!(matches!(objects[2].setting("&single"), Some(SettingValue::Value(Value::Boolean(false)))));
    assert_eq!(ty(&model, "Ids").effective.values.as_ref().unwrap().len(), 3);
    assert_eq!(model.base(model.type_named("M", "S").unwrap()).unwrap().shape.name(), "UTF8String");
}

#[test]
fn imports_go_by_object_identifier_before_name() {
    let text = "\
A { 1 2 3 } DEFINITIONS ::= BEGIN IMPORTS T FROM Renamed { 1 2 5 } U FROM C { 1 2 4 } WITH SUCCESSORS; X ::= T Y ::= C.U END
B { 1 2 5 } DEFINITIONS ::= BEGIN T ::= BOOLEAN END
C { 1 2 6 } DEFINITIONS ::= BEGIN IMPORTS T FROM B; U ::= T END";
    let compilation = compile(vec![Source::new("m", text)]);
    let model = compilation.model().unwrap_or_else(|| panic!("{}", compilation.render()));
    for name in ["X", "Y"] {
        assert_eq!(model.base(model.type_named("A", name).unwrap()).unwrap().shape.name(), "BOOLEAN");
    }
}
