//! One adapter a library. Each is a cargo feature, so that any set of peers can be built.

use crate::parsed::{self, Parsed};
use crate::peer::{Input, Peer, Task};
use crate::rows::Op;

#[cfg(feature = "peer-asn1")]
mod asn1;
#[cfg(feature = "peer-cryptography")]
mod cryptography;
#[cfg(feature = "peer-der")]
mod der;
#[cfg(feature = "peer-go")]
mod go;
#[cfg(feature = "c-adapters")]
mod native;
#[cfg(feature = "peer-rasn")]
mod rasn;
#[cfg(feature = "peer-synta")]
mod synta;
#[cfg(feature = "peer-tagwise")]
mod tagwise;
#[cfg(feature = "peer-webpki")]
mod webpki;
#[cfg(feature = "peer-x509-cert")]
mod x509_cert;
#[cfg(feature = "peer-x509-parser")]
mod x509_parser;

/// The libraries that this build holds, Tagwise first and then the one that ratios refer to.
#[must_use]
pub fn all() -> Vec<Box<dyn Peer>> {
    vec![
        #[cfg(feature = "peer-tagwise")]
        Box::new(tagwise::Tagwise),
        #[cfg(feature = "peer-synta")]
        Box::new(synta::Synta),
        #[cfg(feature = "peer-asn1")]
        Box::new(asn1::Asn1),
        #[cfg(feature = "peer-der")]
        Box::new(der::Der),
        #[cfg(feature = "peer-x509-cert")]
        Box::new(x509_cert::X509Cert),
        #[cfg(feature = "peer-x509-parser")]
        Box::new(x509_parser::X509Parser),
        #[cfg(feature = "peer-rasn")]
        Box::new(rasn::Rasn),
        #[cfg(feature = "peer-cryptography")]
        Box::new(cryptography::Cryptography),
        #[cfg(feature = "peer-webpki")]
        Box::new(webpki::Webpki),
        #[cfg(feature = "peer-nss")]
        Box::new(native::Nss),
        #[cfg(feature = "peer-aws-lc")]
        Box::new(native::AwsLc),
        #[cfg(feature = "peer-openssl")]
        Box::new(native::OpenSsl),
        #[cfg(feature = "peer-go")]
        Box::new(go::Go),
    ]
}

/// Every library that there is an adapter for, whether this build holds it, and what it needs.
pub const KNOWN: [(&str, bool, &str); 14] = [
    ("tagwise", cfg!(feature = "peer-tagwise"), "nothing"),
    ("synta", cfg!(feature = "peer-synta"), "nothing"),
    ("asn1", cfg!(feature = "peer-asn1"), "nothing"),
    ("der", cfg!(feature = "peer-der"), "nothing"),
    ("x509-cert", cfg!(feature = "peer-x509-cert"), "nothing"),
    ("x509-parser", cfg!(feature = "peer-x509-parser"), "nothing"),
    ("rasn", cfg!(feature = "peer-rasn"), "nothing"),
    (
        "cryptography",
        cfg!(feature = "peer-cryptography"),
        "pip, for the source package of PyCA's cryptography",
    ),
    ("webpki", cfg!(feature = "peer-webpki"), "nothing"),
    (
        "nss",
        cfg!(feature = "peer-nss"),
        "NSS with headers, pkg-config, a C compiler",
    ),
    ("aws-lc", cfg!(feature = "peer-aws-lc"), "CMake, a C compiler"),
    ("openssl", cfg!(feature = "peer-openssl"), "perl, make, a C compiler"),
    (
        "ossl",
        cfg!(feature = "peer-ossl"),
        "the same and libclang; stands as `openssl:ossl`",
    ),
    ("go", cfg!(feature = "peer-go"), "a Go toolchain with cgo"),
];

/// The rows that follow from a parse and accessors, by [`Parsed`]. `parse` says what the parse checks.
#[cfg(any(feature = "peer-cryptography", feature = "c-adapters"))]
fn common<'a, P: Parsed<'a> + 'a>(
    op: Op,
    input: &'a Input,
    parse: &'static str,
    access: &'static str,
) -> Vec<Task<'a>> {
    match op {
        Op::Outline | Op::Strict => vec![crate::peer::decode_each(parse, input, P::parse)],
        Op::Index => parsed::index::<P>(access, input),
        Op::Fields => parsed::fields::<P>(access, input),
        Op::AllFields => parsed::read::<P>(access, input),
        op => derived::<P>(op, input, parse),
    }
}

/// Those of them that are made the same way for every library.
fn derived<'a, P: Parsed<'a> + 'a>(op: Op, input: &'a Input, parse: &'static str) -> Vec<Task<'a>> {
    match op {
        Op::Access(field) => parsed::access::<P>(field, input),
        Op::Chain => parsed::chain::<P>(parse, input),
        Op::Tree => parsed::tree::<P>(parse, input),
        Op::Threads(count) | Op::ThreadsStrict(count) => parsed::threads(count, parse, input, P::parse),
        _ => Vec::new(),
    }
}

/// Seconds since 1970 of a Gregorian date (Hinnant's algorithm), for libraries that give a date in parts.
#[cfg(any(feature = "peer-asn1", feature = "peer-cryptography"))]
fn unix(year: i64, month: i64, day: i64, seconds: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    days * 86_400 + seconds
}

/// The library that ratios refer to.
pub const BASE: &str = "synta";

#[cfg(test)]
mod tests;
