//! What is read from items, apart from the code made of it.

use syn::parse_quote;

use crate::ast::{Body, Class, Input, Presence, Role, Value, Wrapper};
use crate::attr::Errors;
use crate::{check, names};

fn read(item: syn::DeriveInput) -> Input {
    let mut errors = Errors::default();
    let input = Input::read(&item, &mut errors).unwrap();
    check::check(&input, &mut errors);
    assert!(errors.into_error().is_none());
    input
}

fn messages(item: syn::DeriveInput) -> Vec<String> {
    let mut errors = Errors::default();
    if let Some(input) = Input::read(&item, &mut errors) {
        check::check(&input, &mut errors);
    }
    errors.into_error().into_iter().flatten().map(|error| error.to_string()).collect()
}

fn values(input: &Input) -> Vec<(&Value, &Presence)> {
    let (Body::Sequence(components) | Body::Set(components) | Body::Group(components)) = &input.body else {
        panic!("not a struct with several components")
    };
    let roles = components.iter().map(|component| &component.role);
    roles
        .filter_map(|role| match role {
            Role::Value { value, presence, .. } => Some((value, presence)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_sequence() {
    let input = read(parse_quote! {
        #[asn1(name = "TBS", application = 3, explicit, verbatim, rules(A, b::C), check = d::e)]
        struct Tbs<'a> {
            #[asn1(explicit = 0, default = 1 + 1)]
            version: u8,
            not_before: Time,
            #[asn1(implicit = 1, name = "uniqueID", size(1..=64, 70, ...))]
            unique: core::option::Option<BitStr<'a>>,
            #[asn1(private = 9, explicit, secret)]
            r#type: u8,
        }
    });
    assert_eq!((input.name.as_str(), input.verbatim, input.secret, input.rules.len()), ("TBS", true, false, 2));
    let tagging = input.tagging.unwrap();
    assert_eq!((tagging.class, tagging.number, tagging.explicit), (Class::Application, 3, true));
    assert!(input.check.is_some() && input.codec.is_none());
    let values = values(&input);
    let names: Vec<&str> = values.iter().map(|(value, _)| value.name.as_str()).collect();
    assert_eq!(names, ["version", "notBefore", "uniqueID", "type"]);
    assert!(matches!(values[0].1, Presence::Default(..)) && values[0].0.tagging.unwrap().explicit);
    assert!(matches!(values[1].1, Presence::Required));
    let (unique, presence) = values[2];
    assert!(matches!(presence, Presence::Optional) && unique.ty == parse_quote!(BitStr<'a>));
    let size = unique.size.as_ref().unwrap();
    assert_eq!((size.ranges.len(), size.extensible), (2, true));
    assert!(values[3].0.secret && values[3].0.tagging.unwrap().class == Class::Private);
}

#[test]
fn kinds_of_types() {
    let body = |item| read(item).body;
    assert!(matches!(body(parse_quote!(struct Unit;)), Body::Sequence(list) if list.is_empty()));
    assert!(matches!(body(parse_quote!(struct Pair(u8, bool);)), Body::Sequence(list) if list.len() == 2));
    assert!(matches!(body(parse_quote!(struct Named { number: u8 })), Body::Sequence(list) if list.len() == 1));
    assert!(matches!(body(parse_quote!(struct Newtype(u8);)), Body::Newtype(newtype) if !newtype.tagless));
    assert!(
        matches!(body(parse_quote!(struct Newtype<'a>(codec::Any<'a>);)), Body::Newtype(newtype) if newtype.tagless)
    );
    assert!(matches!(
        body(parse_quote!(
            #[asn1(set)]
            struct Set(u8);
        )),
        Body::Set(_)
    ));
    assert!(matches!(
        body(parse_quote!(
            #[asn1(group)]
            struct Group(u8);
        )),
        Body::Group(_)
    ));
    assert!(matches!(
        body(parse_quote!(
            enum Units {
                A,
                B,
            }
        )),
        Body::Enumerated(_)
    ));
    assert!(matches!(
        body(parse_quote!(
            enum Units {
                A,
                #[asn1(unknown)]
                U(i64),
            }
        )),
        Body::Enumerated(_)
    ));
    assert!(matches!(
        body(parse_quote!(
            #[asn1(choice)]
            enum Units {
                A,
            }
        )),
        Body::Choice(_)
    ));
    assert!(matches!(
        body(parse_quote!(
            enum Choice {
                A,
                B(u8),
            }
        )),
        Body::Choice(_)
    ));
}

#[test]
fn strings_that_hold_encodings() {
    let input = read(parse_quote! {
        struct Extension<'a> {
            id: Oid<'a>,
            #[asn1(defined_by = id.part, octet_string)]
            value: Value<'a>,
            #[asn1(containing)]
            octets: u8,
            #[asn1(containing, bit_string)]
            bits: Option<u8>,
        }
    });
    let values = values(&input);
    let wrappers: Vec<Option<Wrapper>> = values.iter().map(|(value, _)| value.wrapper).collect();
    let octets = Some(Wrapper::OctetString);
    assert_eq!(wrappers, [None, octets, octets, Some(Wrapper::BitString)]);
    assert_eq!(values[1].0.defined_by.as_ref().unwrap().len(), 2);
}

#[test]
fn numbers_of_items() {
    let Body::Enumerated(enumerated) = read(parse_quote! {
        enum Reason {
            First,
            #[asn1(number = -3)]
            Second,
            Third,
            Fourth = 0x10,
            Fifth = OTHER,
            Sixth,
        }
    })
    .body
    else {
        panic!()
    };
    let literals: Vec<Option<i64>> = enumerated.items.iter().map(|item| item.literal).collect();
    assert_eq!(literals, [Some(0), Some(-3), Some(-2), Some(16), None, None]);
    let names: Vec<&str> = enumerated.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names[..2], ["first", "second"]);
}

#[test]
fn variables_have_names_of_their_own() {
    let mut locals = names::Locals::default();
    let mut local = |text: &str| locals.make(Some(&syn::parse_str(text).unwrap()), 0).to_string();
    assert_eq!(
        [local("version"), local("reader"), local("reader_"), local("r#type")],
        ["version", "reader_", "reader__", "r#type"]
    );
}

#[test]
fn names_in_asn1() {
    let field = |text: &str| names::field(&syn::parse_str(text).unwrap());
    assert_eq!(
        [field("not_before"), field("r#type"), field("_reserved"), field("key_id_2")],
        ["notBefore", "type", "reserved", "keyId2"]
    );
    let variant = |text: &str| names::variant(&syn::parse_str(text).unwrap());
    assert_eq!([variant("DirectoryName"), variant("V1"), variant("DNSName")], ["directoryName", "v1", "dNSName"]);
}

#[test]
fn octets_of_keys() {
    assert_eq!(names::oid_octets("2.5.29.15").unwrap(), [0x55, 0x1D, 15]);
    assert_eq!(names::oid_octets("1.2.840.113549").unwrap(), [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]);
    assert_eq!(names::oid_octets("2.999.0").unwrap(), [0x88, 0x37, 0]);
    // 2.25 and a UUID of 128 bits: 19 octets.
    let uuid = names::oid_octets("2.25.329800735698586629295641978511506172918").unwrap();
    assert_eq!((uuid.len(), uuid[0], uuid[1], uuid[19]), (20, 0x69, 0x83, 0xF6 & 0x7F));
    for wrong in ["", "1", "3.1", "1.40", "1.2.", "1..2", "1.02", "a.b", "1.2.x", "+1.2"] {
        assert!(names::oid_octets(wrong).is_err(), "{wrong}");
    }
    let cases: [(i64, &[u8]); 7] = [
        (0, &[0]),
        (127, &[127]),
        (128, &[0, 128]),
        (-1, &[0xFF]),
        (-128, &[0x80]),
        (-129, &[0xFF, 0x7F]),
        (i64::MIN, &[0x80, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (number, octets) in cases {
        assert_eq!(names::integer_octets(number), octets);
    }
}

#[test]
fn bytes_say_what_they_are() {
    let found = messages(parse_quote! {
        struct Message {
            data: Vec<u8>,
            key: Option<[u8; 32]>,
            #[asn1(octets, containing)]
            inner: Vec<u8>,
            #[asn1(octets)]
            good: Vec<u8>,
            #[asn1(numbers)]
            list: [u8; 4],
            other: Vec<u16>,
        }
    });
    let bytes =
        "ambiguous bytes: use `#[asn1(octets)]` for an OCTET STRING, and `#[asn1(numbers)]` for a SEQUENCE OF INTEGER";
    let decoded =
        "`octets` means that the field contains plain bytes; it cannot be combined with attributes that decode them";
    assert_eq!(found, [bytes, bytes, decoded]);
}

#[test]
fn numbers_beside_what_is_kept() {
    let found = messages(parse_quote! {
        enum Colour {
            Red = 1,
            #[asn1(unknown)]
            Other(u8),
        }
    });
    assert_eq!(
        found,
        [
            "a variant with a field cannot have a discriminant: write `#[asn1(number = …)]`",
            "unknown numbers are stored in an `i64`",
        ]
    );
    let allowed: syn::DeriveInput = parse_quote! {
        #[repr(i64)]
        enum Colour {
            Red = 1,
            #[asn1(unknown)]
            Other(i64),
        }
    };
    assert!(messages(allowed).is_empty());
}

#[test]
fn a_misspelt_attribute() {
    let first = |item| messages(item).remove(0);
    let message = first(parse_quote!(
        #[asn1(named_bit)]
        struct A(u8);
    ));
    assert_eq!(message, "unknown attribute `named_bit`; did you mean `named_bits`?");
    let message = first(parse_quote!(
        #[asn1(otpional)]
        struct A(u8);
    ));
    assert_eq!(message, "unknown attribute `otpional`; did you mean `optional`?");
    assert_eq!(
        first(parse_quote!(
            #[asn1(automatic)]
            struct A(u8);
        )),
        "unknown attribute `automatic`"
    );
}

#[test]
fn all_errors_are_found() {
    let messages = messages(parse_quote! {
        #[asn1(oid = "1.2")]
        struct Wrong {
            #[asn1(implicit = 0, explicit = 1)]
            first: u8,
            #[asn1(unknown)]
            second: u8,
            #[asn1(nonsense)]
            third: u8,
        }
    });
    assert_eq!(messages.len(), 4);
    assert!(messages[0].contains("`oid` is not supported"));
}
