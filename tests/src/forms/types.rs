//! Types with every kind of component, from which random values are generated.
#![allow(missing_docs, reason = "the names say it")]

use tagwise_codec::table::Type;
use tagwise_codec::{
    BitStr, Bmp, CharacterString, Date, DateTime, Duration, EmbeddedPdv, External, GeneralizedTime, Ia5, Int, IsoTime,
    Null, Numeric, ObjectDescriptor, OctetStr, Oid, OidIri, Open, Printable, Real, RelativeOid, RelativeOidIri, SeqOf,
    SetOf, Teletex, TimeOfDay, Typed, Universal, UtcTime, Utf8, Visible,
};
use tagwise_derive::Asn1;
use tagwise_pkix::{Certificate, CertificateList, Name};

use super::constrained::{self, Boxes, Chosen, Deferred, Figure, Holder, Keyed, Lists, Numbers, Words};
use crate::cms::ContentInfo;

/// Every kind of component with every kind of tag.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Everything<'a> {
    pub boolean: bool,
    pub integer: Int<'a>,
    pub bits: BitStr<'a>,
    pub octets: Option<OctetStr<'a>>,
    pub null: Null,
    pub oid: Oid<'a>,
    pub real: Real<'a>,
    #[asn1(implicit = 0)]
    pub utf8: Utf8<'a>,
    #[asn1(explicit = 1)]
    pub printable: Option<Printable<'a>>,
    #[asn1(implicit = 2)]
    pub flags: Flags<'a>,
    #[asn1(implicit = 3)]
    pub texts: Texts<'a>,
    #[asn1(explicit = 4, default = 5)]
    pub count: u8,
    #[asn1(implicit = 5)]
    pub times: Option<Times<'a>>,
    pub choice: Choices<'a>,
    #[asn1(implicit = 6)]
    pub set: Mixed<'a>,
    #[asn1(implicit = 7)]
    pub attributes: SetOf<'a, Attribute<'a>>,
    #[asn1(implicit = 8, containing)]
    pub contained: SeqOf<'a, Utf8<'a>>,
    #[asn1(implicit = 9, containing, bit_string)]
    pub in_bits: SetOf<'a, OctetStr<'a>>,
    #[asn1(implicit = 10)]
    pub external: Option<External<'a>>,
    #[asn1(implicit = 11)]
    pub embedded: Option<EmbeddedPdv<'a>>,
    #[asn1(implicit = 12)]
    pub character: Option<CharacterString<'a>>,
    pub color: Color,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Color {
    Red = 0,
    Green = 300,
}

/// `Flags ::= BIT STRING { first(0), tenth(10) }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(named_bits(first = 0, tenth = 10))]
pub struct Flags<'a>(pub tagwise_codec::NamedBits<'a>);

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Texts<'a> {
    pub numeric: Numeric<'a>,
    pub teletex: Option<Teletex<'a>>,
    pub ia5: Ia5<'a>,
    pub visible: SetOf<'a, Visible<'a>>,
    pub universal: Universal<'a>,
    pub bmp: Bmp<'a>,
    pub descriptor: Option<ObjectDescriptor<'a>>,
    pub relative: RelativeOid<'a>,
    pub iri: OidIri<'a>,
    pub relative_iri: RelativeOidIri<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Times<'a> {
    pub utc: UtcTime,
    pub generalized: GeneralizedTime<'a>,
    pub time: IsoTime<'a>,
    pub date: Date,
    pub time_of_day: TimeOfDay,
    pub date_time: DateTime,
    pub duration: Duration<'a>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Choices<'a> {
    #[asn1(implicit = 20)]
    Octets(OctetStr<'a>),
    #[asn1(explicit = 21)]
    Bits(BitStr<'a>),
    #[asn1(implicit = 22)]
    List(SeqOf<'a, SetOf<'a, Utf8<'a>>>),
    #[asn1(explicit = 23)]
    Nested(Inner<'a>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Inner<'a> {
    #[asn1(implicit = 9)]
    Nine(Int<'a>),
    #[asn1(implicit = 900)]
    NineHundred(OctetStr<'a>),
    #[asn1(implicit = 70_000)]
    High(SetOf<'a, Int<'a>>),
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set)]
pub struct Mixed<'a> {
    #[asn1(implicit = 8)]
    pub eight: OctetStr<'a>,
    #[asn1(explicit = 31, default = Text("none"))]
    pub text: Text<'a>,
    pub inner: Inner<'a>,
    #[asn1(application = 3)]
    pub application: Option<SetOf<'a, BitStr<'a>>>,
    #[asn1(private = 1)]
    pub private: Option<Utf8<'a>>,
    #[asn1(default = false)]
    pub flag: bool,
    #[asn1(implicit = 7, default = -1)]
    pub number: i32,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Text<'a>(pub &'a str);

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Attribute<'a> {
    pub id: Oid<'a>,
    #[asn1(defined_by = id)]
    pub value: Open<'a, Values<'a>>,
    #[asn1(defined_by = id, octet_string)]
    pub wrapped: Open<'a, Values<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "ValueSet")]
pub enum Values<'a> {
    #[asn1(oid = "1.2.3")]
    Text(Tagged<'a>),
    #[asn1(oid = "1.2.4")]
    Mixed(Mixed<'a>),
    #[asn1(oid = "1.2.5")]
    List(SetOf<'a, Inner<'a>>),
    #[asn1(unknown)]
    Unknown(tagwise_codec::Unknown<'a>),
}

/// `[7] IMPLICIT UTF8String`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(implicit = 7)]
pub struct Tagged<'a>(pub Utf8<'a>);

/// Returns the types in this module, and some types of X.509 and CMS.
#[must_use]
pub fn types() -> Vec<&'static Type> {
    vec![
        Everything::ty(),
        Mixed::ty(),
        Texts::ty(),
        Times::ty(),
        Choices::ty(),
        Attribute::ty(),
        OctetStr::ty(),
        BitStr::ty(),
        Flags::ty(),
        Name::ty(),
        Certificate::ty(),
        CertificateList::ty(),
        tagwise_pkix::ext::GeneralNames::ty(),
        tagwise_pkix::Extensions::ty(),
        External::ty(),
        ContentInfo::ty(),
        Words::ty(),
        constrained::Tagged::ty(),
        Holder::ty(),
        Figure::ty(),
        Lists::ty(),
        Boxes::ty(),
        Numbers::ty(),
        Keyed::ty(),
        Chosen::ty(),
        Deferred::ty(),
    ]
}
