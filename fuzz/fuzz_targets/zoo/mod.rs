//! Types of every kind, and what is tolerated by the octets of an input, so that files are seeds as they are.
#![allow(dead_code)]

use tagwise_codec::{
    Additions, Any, BitStr, Budget, Captured, External, GeneralizedTime, Int, NamedBits, Null, OctetStr, Oid, Open,
    Options, Raw, Real, Rule, RuleSet, SeqOf, SetAdditions, SetOf, Unknown, UtcTime, Utf8,
};
use tagwise_derive::Asn1;
use tagwise_tests::forms::constrained;

#[derive(Asn1, Debug, PartialEq, Clone)]
pub enum Choice<'a> {
    #[asn1(implicit = 1, value(0..=200))]
    One(u8),
    #[asn1(explicit = 5)]
    Five(Box<Sequence<'a>>),
    Null,
    Time(GeneralizedTime<'a>),
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(integer)]
pub enum Version {
    V1 = 0,
    V3 = 2,
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
pub enum Reason {
    #[asn1(number = 1)]
    One,
    #[asn1(number = -129)]
    Negative,
    #[asn1(unknown)]
    Unknown(i64),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(group)]
pub struct Group<'a> {
    #[asn1(implicit = 2)]
    first: u8,
    #[asn1(implicit = 3, size(1..=4))]
    second: Option<OctetStr<'a>>,
    #[asn1(implicit = 4, default = 7)]
    third: i16,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
pub struct Sequence<'a> {
    #[asn1(explicit = 0, default = Version::V1)]
    version: Version,
    #[asn1(value(-5..=5, 1000..))]
    number: Option<Int<'a>>,
    reason: Option<Reason>,
    #[asn1(extensions)]
    extensions: Additions<'a>,
    #[asn1(implicit = 1)]
    added: Option<bool>,
    #[asn1(group)]
    group: Option<Group<'a>>,
    #[asn1(root)]
    list: Option<SeqOf<'a, Choice<'a>>>,
    last: Null,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
pub struct Set<'a> {
    #[asn1(implicit = 3)]
    third: Utf8<'a>,
    choice: Option<Choice3>,
    #[asn1(implicit = 0, default = Int::ZERO)]
    zeroth: Int<'a>,
    #[asn1(extensions)]
    extensions: SetAdditions<'a>,
    real: Option<Real<'a>>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
pub enum Choice3 {
    #[asn1(implicit = 1)]
    One(u8),
    #[asn1(implicit = 6)]
    Six(u64),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(set)]
pub struct ClosedSet<'a> {
    flag: bool,
    bits: BitStr<'a>,
    #[asn1(application = 2, explicit)]
    external: Option<External<'a>>,
}

#[derive(Asn1, PartialEq, Clone)]
#[asn1(verbatim)]
pub struct Signed<'a> {
    #[asn1(size(2..=3))]
    numbers: SetOf<'a, Int<'a>>,
    #[asn1(secret)]
    time: UtcTime,
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(named_bits(first = 0, seventh = 7, eighth = 8))]
pub struct Bits<'a>(NamedBits<'a>);

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(application = 2, explicit, value(0..=200))]
pub struct Explicit(u8);

#[derive(Asn1, Debug, PartialEq, Clone)]
pub struct Selected<'a> {
    id: Oid<'a>,
    number: Explicit,
    #[asn1(defined_by = id, octet_string)]
    wrapped: Open<'a, Value<'a>>,
    #[asn1(explicit = 1, defined_by = id)]
    bare: Option<Value<'a>>,
    #[asn1(containing, bit_string, implicit = 2)]
    holding: Option<Bits<'a>>,
    signed: Option<Captured<'a, Signed<'a>>>,
    raw: Option<Raw<'a, Set<'a>>>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(open_type, name = "Values")]
pub enum Value<'a> {
    #[asn1(oid = "1.1")]
    Number(i8),
    #[asn1(oid = "1.2")]
    Bits(Bits<'a>),
    #[asn1(oid = "1.3")]
    Again(Box<Selected<'a>>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// A number from all octets.
pub fn how(data: &[u8]) -> usize {
    data.iter().fold(0x9E37usize, |sum, octet| (sum.rotate_left(5) ^ usize::from(*octet)).wrapping_mul(0x100_0193)) >> 7
}

/// What is tolerated, and what it may cost.
pub fn options(how: usize) -> Options<'static> {
    match how % 6 {
        4 => Options::der().rules(every_rule().union(RuleSet::PROFILES)),
        5 => constrained::checking(),
        _ => lenient(how),
    }
}

/// What is tolerated, without profiles and words.
pub fn lenient(how: usize) -> Options<'static> {
    match how % 4 {
        0 => Options::der(),
        1 => Options::ber_definite(),
        2 => Options::der().rules(every_rule()),
        _ => Options::der().budget(Budget { depth: 6, elements: 12, ..Budget::DEFAULT }),
    }
}

fn every_rule() -> RuleSet {
    Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}

/// Calls a generic function with every type: were one chosen by the octets, no mutation would stay with its type.
#[macro_export]
macro_rules! with_types {
    ($call:ident($($argument:expr),*)) => {
        with_types!(@ $call($($argument),*):
            tagwise_pkix::Certificate<'_>, tagwise_pkix::CertificateList<'_>, tagwise_pkix::name::Name<'_>,
            zoo::Sequence<'_>, zoo::Set<'_>, zoo::ClosedSet<'_>, zoo::Selected<'_>, zoo::Choice<'_>, zoo::Signed<'_>,
            tagwise_pkix::ext::AuthorityKeyIdentifier<'_>, tagwise_pkix::ext::KeyUsage<'_>,
            tagwise_pkix::ext::PrivateKeyUsagePeriod<'_>, tagwise_pkix::ext::CertificatePolicies<'_>,
            tagwise_pkix::ext::PolicyMappings<'_>, tagwise_pkix::ext::SubjectAltName<'_>,
            tagwise_pkix::ext::SubjectDirectoryAttributes<'_>, tagwise_pkix::ext::BasicConstraints<'_>,
            tagwise_pkix::ext::NameConstraints<'_>, tagwise_pkix::ext::PolicyConstraints<'_>,
            tagwise_pkix::ext::ExtKeyUsage<'_>, tagwise_pkix::ext::CrlDistributionPoints<'_>,
            tagwise_pkix::ext::AuthorityInfoAccess<'_>, tagwise_pkix::ext::CrlNumber<'_>,
            tagwise_pkix::ext::IssuingDistributionPoint<'_>, tagwise_pkix::ext::CrlReason,
            tagwise_pkix::ext::InvalidityDate<'_>, tagwise_pkix::ext::SctList<'_>, tagwise_pkix::ext::TlsFeature<'_>,
            tagwise_pkix::ext::QcStatements<'_>, tagwise_pkix::ext::Logotype<'_>, tagwise_pkix::ext::IpAddrBlocks<'_>,
            tagwise_pkix::ext::AsIdentifiers<'_>, tagwise_pkix::ext::CertificateTemplate<'_>,
            tagwise_pkix::ext::NtdsSecurity<'_>, tagwise_pkix::ext::NetscapeCertType<'_>,
            bool, u64, i128, tagwise_codec::Int<'_>, tagwise_codec::BitStr<'_>, tagwise_codec::NamedBits<'_>,
            tagwise_codec::Oid<'_>, tagwise_codec::Real<'_>, tagwise_codec::Utf8<'_>, tagwise_codec::Bmp<'_>,
            tagwise_codec::Universal<'_>, tagwise_codec::UtcTime, tagwise_codec::GeneralizedTime<'_>,
            tagwise_codec::IsoTime<'_>, tagwise_codec::Duration<'_>, tagwise_codec::DateTime,
            tagwise_codec::External<'_>, tagwise_codec::EmbeddedPdv<'_>, tagwise_codec::CharacterString<'_>,
            tagwise_codec::OidIri<'_>, tagwise_codec::Any<'_>,
            constrained::Words<'_>, constrained::Point<'_>, constrained::Narrow<'_>, constrained::Tagged<'_>,
            constrained::Holder<'_>, constrained::Figure<'_>, constrained::Lists<'_>, constrained::Boxes<'_>,
            constrained::Wrapped<'_>, constrained::Hidden<'_>, constrained::Numbers<'_>, constrained::Serial<'_>,
            constrained::Keyed<'_>, constrained::Chosen<'_>, constrained::Deferred<'_>, constrained::Signed<'_>,
            constrained::Bounded,
        )
    };
    (@ $call:ident $arguments:tt: $($ty:ty,)*) => {
        $($call::<$ty> $arguments;)*
    };
}
