//! A certificate written for the codec alone and deferred as synta defers, beside the same structs for `asn1` and `der`.

use tagwise_codec::{Any, BitStr, Decode, GeneralizedTime, Int, Oid, UtcTime};
use tagwise_derive::Asn1;

#[derive(Asn1)]
pub(super) struct Certificate<'a> {
    tbs: Tbs<'a>,
    algorithm: Algorithm<'a>,
    signature: BitStr<'a>,
}

#[derive(Asn1)]
struct Tbs<'a> {
    #[asn1(explicit = 0, default = 0)]
    version: u8,
    serial: Int<'a>,
    algorithm: Algorithm<'a>,
    issuer: Any<'a>,
    validity: Validity<'a>,
    subject: Any<'a>,
    key: Key<'a>,
    #[asn1(implicit = 1)]
    issuer_unique_id: Option<BitStr<'a>>,
    #[asn1(implicit = 2)]
    subject_unique_id: Option<BitStr<'a>>,
    #[asn1(explicit = 3)]
    extensions: Option<Any<'a>>,
}

#[derive(Asn1)]
struct Algorithm<'a> {
    oid: Oid<'a>,
    parameters: Option<Any<'a>>,
}

#[derive(Asn1)]
struct Validity<'a> {
    not_before: Time<'a>,
    not_after: Time<'a>,
}

#[derive(Asn1)]
#[asn1(choice)]
enum Time<'a> {
    Utc(UtcTime),
    General(GeneralizedTime<'a>),
}

#[derive(Asn1)]
struct Key<'a> {
    algorithm: Algorithm<'a>,
    bits: BitStr<'a>,
}

pub(super) fn outline(der: &[u8]) -> Option<Certificate<'_>> {
    Certificate::outline(der).ok()
}

pub(super) fn from_der(der: &[u8]) -> Option<Certificate<'_>> {
    Certificate::from_der(der).ok()
}
