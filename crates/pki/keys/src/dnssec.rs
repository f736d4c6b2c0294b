//! DNSSEC keys: BIND's private key files (`Private-key-format: v1.3`), and DNSKEY records (RFC 4034 §2, RFC 3110, RFC
//! 6605, RFC 8080).

use std::collections::HashSet;

use tagwise_codec::text::base64;
use tagwise_crypto::{Error, ErrorKind, KeyType, Secret};
use tagwise_pkix::name::visible;

use crate::parts::{Rsa, curve_private, edwards_private, public, rsa_public};
use crate::{Found, Key, Limits};

const FORM: &str = "DNSSEC private key";
const RECORD: &str = "DNSKEY";

/// The key type of a DNSSEC algorithm.
enum Algorithm {
    Rsa,
    Curve(KeyType),
    Edwards(KeyType),
}

/// Returns the algorithm with the given number (<https://www.iana.org/assignments/dns-sec-alg-numbers>).
fn algorithm(number: &str) -> Result<Algorithm, Error> {
    Ok(match number {
        "1" | "5" | "7" | "8" | "10" => Algorithm::Rsa,
        "13" => Algorithm::Curve(KeyType::P256),
        "14" => Algorithm::Curve(KeyType::P384),
        "15" => Algorithm::Edwards(KeyType::Ed25519),
        "16" => Algorithm::Edwards(KeyType::Ed448),
        other => {
            let other: String = other.chars().filter(char::is_ascii_graphic).take(16).collect();
            return Err(Error::new(ErrorKind::Unsupported, format_args!("DNSSEC algorithm {other}")));
        }
    })
}

/// Reads a BIND private key file.
///
/// ```
/// use tagwise_keys::{Key, dnssec};
/// // RFC 8080 §6.1.
/// let file = "Private-key-format: v1.2\nAlgorithm: 15 (ED25519)\nPrivateKey: ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=\n";
/// assert!(matches!(dnssec::read_private(file)?.key, Key::Private(_)));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the file is invalid, or [`ErrorKind::Unsupported`] for other algorithms and for a
/// key stored in a token.
pub fn read_private(text: &str) -> Result<Found, Error> {
    let wrong = |why: String| Error::new(ErrorKind::MalformedKey, "DNSSEC private").because(why);
    let field = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(field, _)| field.trim() == name).map(|(_, value)| value.trim())
    };
    let octets = |name: &str| {
        let value = field(name).ok_or_else(|| wrong(format!("the field {name} is missing")))?;
        let octets = base64::decode(value.as_bytes());
        octets.map(Secret::from).map_err(|fault| wrong(format!("{name}: {}", fault.kind().text())))
    };
    let mut seen = HashSet::new();
    let mut names = text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim()));
    if let Some(name) = names.find(|name| !seen.insert(*name)) {
        return Err(wrong(format!("duplicate field {}", visible(&name))));
    }
    let version = field("Private-key-format").unwrap_or_default();
    if !version.starts_with("v1.") {
        return Err(wrong("Private-key-format is not v1.x".to_owned()));
    }
    if field("Engine").is_some() || field("Label").is_some() {
        return Err(Error::new(ErrorKind::Unsupported, "a DNSSEC private key in a token"));
    }
    let number = field("Algorithm").ok_or_else(|| wrong("the field Algorithm is missing".to_owned()))?;
    let info = match algorithm(number.split_whitespace().next().unwrap_or_default())? {
        Algorithm::Curve(key) => curve_private(key, octets("PrivateKey")?.expose(), None)?,
        Algorithm::Edwards(key) => edwards_private(key, octets("PrivateKey")?.expose())?,
        Algorithm::Rsa => {
            let names = ["Modulus", "PublicExponent", "PrivateExponent", "Prime1", "Prime2", "Exponent1", "Exponent2"];
            let [modulus, public_exponent, private_exponent, first, second, one, other] = names.map(octets);
            let (modulus, public_exponent, private_exponent) = (modulus?, public_exponent?, private_exponent?);
            let (first, second, one, other) = (first?, second?, one?, other?);
            let coefficient = octets("Coefficient")?;
            let rsa = Rsa {
                modulus: modulus.expose(),
                public_exponent: public_exponent.expose(),
                private_exponent: private_exponent.expose(),
                primes: [first.expose(), second.expose()],
                exponents: Some([one.expose(), other.expose()]),
                coefficient: coefficient.expose(),
            };
            rsa.private_key()?
        }
    };
    Ok(Found::private(FORM, info))
}

/// Splits a zone file into records, one per line: removes comments and joins lines in parentheses.
fn records(text: &str) -> Vec<String> {
    let mut records = vec![String::new()];
    let mut depth = 0_u32;
    for line in text.lines() {
        for char in line.split(';').next().unwrap_or_default().chars() {
            match char {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                char => records.last_mut().into_iter().for_each(|record| record.push(char)),
            }
        }
        match depth {
            0 => records.push(String::new()),
            _ => records.last_mut().into_iter().for_each(|record| record.push(' ')),
        }
    }
    records
}

/// Returns a record's owner, and the fields after its type.
fn fields(record: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = record.split_whitespace();
    let owner = words.next()?;
    let mut before = 0;
    loop {
        match words.next()? {
            "DNSKEY" | "CDNSKEY" | "KEY" => break,
            // TTL and class, in either order.
            word if before < 2 && (word.bytes().all(|octet| octet.is_ascii_digit()) || word == "IN") => before += 1,
            _ => return None,
        }
    }
    Some((owner, words.collect()))
}

/// Returns whether the first record is a DNSKEY record.
pub(crate) fn has_record(text: &str) -> bool {
    // Far enough for comments in front, and no more.
    let begin = text.char_indices().nth(8192).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let first = records(begin).into_iter().find(|record| !record.trim().is_empty());
    let is_number = |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit());
    first.is_some_and(|record| {
        fields(&record).is_some_and(|(_, fields)| fields.len() >= 4 && fields.iter().take(3).all(is_number))
    })
}

/// Reads DNSKEY records, as in BIND's `.key` files. Each key gets the record's owner as its name.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if a record is not a valid DNSKEY record, [`ErrorKind::Unsupported`] for other
/// algorithms, or [`ErrorKind::Limit`] if there are too many keys.
pub fn read_records(text: &str, limits: &Limits) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    for record in records(text).iter().filter(|record| !record.trim().is_empty()) {
        let wrong = |why: &'static str| Error::new(ErrorKind::MalformedKey, RECORD).because(why);
        let (owner, fields) = fields(record).ok_or_else(|| wrong("expected an owner, DNSKEY, and the key"))?;
        let [_, protocol, number, body @ ..] = fields.as_slice() else {
            return Err(wrong("expected flags, protocol, algorithm and the key (RFC 4034 §2.2)"));
        };
        if *protocol != "3" {
            return Err(wrong("the protocol must be 3 (RFC 4034 §2.1.2)"));
        }
        if found.len() >= limits.keys as usize {
            return Err(Error::new(ErrorKind::Limit, "the number of keys"));
        }
        let octets = base64::decode(body.concat().as_bytes()).map_err(|_| wrong("the key is not base64"))?;
        let info = match algorithm(number)? {
            // RFC 6605 §4: both coordinates; RFC 8080 §3.
            Algorithm::Curve(key) => public(key, &[&[4], octets.as_slice()].concat())?,
            Algorithm::Edwards(key) => public(key, &octets)?,
            Algorithm::Rsa => {
                // RFC 3110 §2: the length of the exponent in one byte, or in two after a zero.
                let (len, rest) = match octets.as_slice() {
                    [0, high, low, rest @ ..] => (usize::from(*high) << 8 | usize::from(*low), rest),
                    [len, rest @ ..] => (usize::from(*len), rest),
                    [] => return Err(wrong("the key is empty")),
                };
                let (exponent, modulus) = rest.split_at_checked(len).ok_or_else(|| wrong("the key is truncated"))?;
                rsa_public(modulus, exponent)?
            }
        };
        found.push(Found { name: Some(owner.to_owned()), ..Found::new(RECORD, Key::Public(info)) });
    }
    Ok(found)
}
