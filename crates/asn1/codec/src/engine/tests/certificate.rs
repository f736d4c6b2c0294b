//! The tables of a certificate, written out by hand, and a certificate.

use alloc::vec;
use alloc::vec::Vec;

use crate::rule::Rule;
use crate::table::*;
use crate::tag::Tag;
use crate::{Any, Int, OctetStr, Oid, oid};

pub(super) const INTEGER: TypeRef = TypeRef::of::<Int<'static>>();
pub(super) const BOOLEAN: TypeRef = TypeRef::of::<bool>();
pub(super) const OID: TypeRef = TypeRef::of::<Oid<'static>>();
pub(super) const OCTETS: TypeRef = TypeRef::of::<OctetStr<'static>>();

macro_rules! ty {
    ($ident:ident, $make:expr) => {
        pub(super) const $ident: TypeRef = {
            fn ty() -> &'static Type {
                const { &$make }
            }
            TypeRef::Const(ty)
        };
    };
}

pub(super) const fn sequence(name: &'static str, list: &'static [Field]) -> Type {
    Type::new(name, Some(Tag::SEQUENCE), Shape::Sequence(Fields { list: List::Const(list), marker: None }))
}

pub(super) const fn explicit(number: u32) -> Tagging {
    Tagging { tag: Tag::context(number), explicit: true }
}

pub(super) const fn implicit(number: u32) -> Tagging {
    Tagging { tag: Tag::context(number), explicit: false }
}

pub(super) const fn get(reference: TypeRef) -> fn() -> &'static Type {
    match reference {
        TypeRef::Const(ty) => ty,
        TypeRef::Index(_) => panic!("not constant"),
    }
}

pub(super) const FALSE: Presence = Presence::Default(DefaultValue::Der(List::Const(&[1, 1, 0])));

ty!(BITS, Type::new("BIT STRING", Some(Tag::BIT_STRING), Shape::BitString(List::EMPTY)));
ty!(UTC, Type::new("UTCTime", Some(Tag::UTC_TIME), Shape::Time(TimeKind::Utc)));
ty!(GENERALIZED, Type::new("GeneralizedTime", Some(Tag::GENERALIZED_TIME), Shape::Time(TimeKind::Generalized)));
ty!(IA5, Type::new("IA5String", Some(Tag::IA5_STRING), Shape::String(StringKind::Ia5)));
ty!(UTF8, Type::new("UTF8String", Some(Tag::UTF8_STRING), Shape::String(StringKind::Utf8)));

pub(super) const fn choice(name: &'static str, alternatives: &'static [Field]) -> Type {
    Type::new(name, None, Shape::Choice { alternatives: List::Const(alternatives), extensible: false })
}

ty!(
    ALGORITHM,
    sequence(
        "AlgorithmIdentifier",
        const {
            &[
                Field::new("algorithm", OID),
                Field::new("parameters", TypeRef::of::<Any<'static>>()).presence(Presence::Optional),
            ]
        }
    )
);
ty!(TIME, choice("Time", const { &[Field::new("utcTime", UTC), Field::new("generalTime", GENERALIZED)] }));
ty!(VALIDITY, sequence("Validity", const { &[Field::new("notBefore", TIME), Field::new("notAfter", TIME)] }));

pub(super) const fn object(name: &'static str, key: &'static [u8], ty: TypeRef) -> Object {
    Object { name: Text::Const(name), key: List::Const(key), ty }
}

pub(super) fn attributes() -> &'static ObjectSet {
    const {
        &ObjectSet {
            name: Text::Const("Attributes"),
            objects: List::Const(const { &[object("commonName", oid!("2.5.4.3").as_bytes(), UTF8)] }),
            extensible: true,
        }
    }
}
ty!(
    ATTRIBUTE_VALUE,
    Type::new(
        "AttributeValue",
        None,
        Shape::Open { set: Some(SetRef::Const(attributes)), selector: Text::Const("type") }
    )
);
ty!(ATTRIBUTE, sequence("Attribute", const { &[Field::new("type", OID), Field::new("value", ATTRIBUTE_VALUE)] }));
ty!(RDN, Type::new("RelativeDistinguishedName", Some(Tag::SET), Shape::SetOf(ATTRIBUTE)));
ty!(RDNS, Type::new("RDNSequence", Some(Tag::SEQUENCE), Shape::SequenceOf(RDN)));
ty!(NAME, choice("Name", const { &[Field::new("rdnSequence", RDNS)] }));
ty!(
    GENERAL_NAME,
    choice(
        "GeneralName",
        const {
            &[
                Field::new("dNSName", IA5).tagged(List::Const(const { &[implicit(2)] })),
                Field::new("directoryName", NAME).tagged(List::Const(const { &[explicit(4)] })),
            ]
        }
    )
);
ty!(GENERAL_NAMES, Type::new("GeneralNames", Some(Tag::SEQUENCE), Shape::SequenceOf(GENERAL_NAME)));
ty!(
    BASIC_CONSTRAINTS,
    sequence(
        "BasicConstraints",
        const {
            &[
                Field::new("cA", BOOLEAN).presence(FALSE),
                Field::new("pathLenConstraint", INTEGER).presence(Presence::Optional),
            ]
        }
    )
);

pub(super) fn extension_types() -> &'static ObjectSet {
    const {
        &ObjectSet {
            name: Text::Const("Extensions"),
            objects: List::Const(
                const {
                    &[
                        object("basicConstraints", oid!("2.5.29.19").as_bytes(), BASIC_CONSTRAINTS),
                        object("subjectAltName", oid!("2.5.29.17").as_bytes(), GENERAL_NAMES),
                    ]
                },
            ),
            extensible: true,
        }
    }
}
ty!(
    EXTENSION_VALUE,
    Type::new(
        "ExtensionValue",
        None,
        Shape::Open { set: Some(SetRef::Const(extension_types)), selector: Text::Const("extnID") }
    )
);
ty!(
    EXTENSION,
    sequence(
        "Extension",
        const {
            &[
                Field::new("extnID", OID),
                Field::new("critical", BOOLEAN).presence(FALSE),
                Field::new("extnValue", OCTETS).containing(EXTENSION_VALUE),
            ]
        }
    )
);
ty!(
    EXTENSIONS,
    Type::new("Extensions", Some(Tag::SEQUENCE), Shape::SequenceOf(EXTENSION)).constrained(List::Const(
        const { &[Constraint::Size { ranges: List::Const(&[Range { min: Some(1), max: None }]), extensible: false }] }
    ))
);

pub(super) const SERIAL_RULE: Rule = Rule::custom(0, "serial", "test", "a serial number is small");
pub(super) const FRAME_RULE: Rule = Rule::custom(1, "frame", "test", "a certificate is good");
ty!(
    SERIAL,
    Type::new("CertificateSerialNumber", Some(Tag::INTEGER), Shape::Named(INTEGER)).ruled(List::Const(&[&SERIAL_RULE]))
);
ty!(
    PUBLIC_KEY_INFO,
    sequence(
        "SubjectPublicKeyInfo",
        const { &[Field::new("algorithm", ALGORITHM), Field::new("subjectPublicKey", BITS)] }
    )
);
ty!(
    TBS,
    sequence(
        "TBSCertificate",
        const {
            &[
                Field::new("version", INTEGER)
                    .tagged(List::Const(const { &[explicit(0)] }))
                    .presence(Presence::Default(DefaultValue::Der(List::Const(&[2, 1, 0])))),
                Field::new("serialNumber", SERIAL),
                Field::new("signature", ALGORITHM),
                Field::new("issuer", NAME),
                Field::new("validity", VALIDITY),
                Field::new("subject", NAME),
                Field::new("subjectPublicKeyInfo", PUBLIC_KEY_INFO),
                Field::new("issuerUniqueID", BITS)
                    .tagged(List::Const(const { &[implicit(1)] }))
                    .presence(Presence::Optional),
                Field::new("extensions", EXTENSIONS)
                    .tagged(List::Const(const { &[explicit(3)] }))
                    .presence(Presence::Optional),
            ]
        }
    )
    .ruled(List::Const(&[&FRAME_RULE]))
);
ty!(
    CERTIFICATE,
    sequence(
        "Certificate",
        const {
            &[
                Field::new("tbsCertificate", TBS),
                Field::new("signatureAlgorithm", ALGORITHM),
                Field::new("signature", BITS),
            ]
        }
    )
);

/// An element with a short or two-octet length.
pub(super) fn el(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    match content.len() {
        len @ 0..0x80 => out.push(len as u8),
        len => out.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    out.extend(content);
    out
}

pub(super) fn algorithm() -> Vec<u8> {
    el(0x30, &[&el(6, &[oid!("1.2.840.113549.1.1.11").as_bytes()]), &[5, 0]])
}

pub(super) fn name(text: &[u8]) -> Vec<u8> {
    el(0x30, &[&el(0x31, &[&el(0x30, &[&el(6, &[&[0x55, 4, 3]]), &el(12, &[text])])])])
}

pub(super) fn extension(last: u8, critical: &[u8], value: &[u8]) -> Vec<u8> {
    el(0x30, &[&el(6, &[&[0x55, 0x1D, last]]), critical, &el(4, &[value])])
}

pub(super) fn certificate() -> Vec<u8> {
    let extensions = el(
        0x30,
        &[
            &extension(0x13, &[1, 1, 0xFF], &el(0x30, &[&[1, 1, 0xFF], &[2, 1, 0x77]])),
            &extension(0x11, &[], &el(0x30, &[&el(0x82, &[b"a.example"]), &el(0xA4, &[&name(b"directory")])])),
            &extension(0x63, &[], &[0x30, 0]),
        ],
    );
    let tbs = el(
        0x30,
        &[
            &el(0xA0, &[&[2, 1, 2]]),
            &el(2, &[&[0x35, 0x36]]),
            &algorithm(),
            &name(b"the issuer"),
            &el(0x30, &[&el(0x17, &[b"250101000000Z"]), &el(0x18, &[b"20501301000000Z"])]),
            &name(b"the subject"),
            &el(0x30, &[&algorithm(), &el(3, &[&[0], b"key"])]),
            &el(0x81, &[&[0], b"unique"]),
            &el(0xA3, &[&extensions]),
        ],
    );
    el(0x30, &[&tbs, &algorithm(), &el(3, &[&[0], b"signed"])])
}

pub(super) fn find(input: &[u8], needle: &[u8]) -> usize {
    input.windows(needle.len()).position(|window| window == needle).unwrap()
}

pub(super) use ty;
