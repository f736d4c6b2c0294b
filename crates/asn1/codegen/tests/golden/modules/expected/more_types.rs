//! ASN.1 module `More-Types`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use super::base::{Key, Name};
use tagwise_codec::{Int, Oid, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// Person ::= SEQUENCE {
///   name [0] Name,
///   key  [1] Key,
///   flag [2] Int,
///   keys SEQUENCE OF Key,
///   number INTEGER }
/// ```
///
/// `input.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Person<'a> {
    /// `name [0] Name`.
    #[asn1(explicit = 0)]
    pub name: Name<'a>,
    /// `key [1] Key`.
    #[asn1(implicit = 1)]
    pub key: Key<'a>,
    /// `flag [2] Int`.
    #[asn1(implicit = 2)]
    pub flag: super::base::Int,
    /// `keys SEQUENCE OF Key`.
    pub keys: SeqOf<'a, Key<'a>>,
    /// `number INTEGER`.
    pub number: Int<'a>,
}

/// ```asn1
/// id-more OBJECT IDENTIFIER ::= { id-base 1 }
/// ```
///
/// `input.asn1`, line 23.
pub const ID_MORE: Oid<'static> = tagwise_codec::oid!("1.3.9999.1.1");
