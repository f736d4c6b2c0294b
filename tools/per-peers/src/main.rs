//! Decodes and encodes messages with generated Rust, for comparisons with other implementations.
//!
//! The argument is a set of modules: `rrc`, `s1ap` or `cam`. Each line of the standard input is `recode VARIANT TYPE HEX`, where
//! VARIANT is the name of a variant of PER. Each line of the output is `ok HEX`, `error MESSAGE`, or `unknown` for types
//! without a struct or enum.

use std::io::{self, BufRead, Write};

use tagwise_codec::text::hex;
use tagwise_per::{Error, PerType, Variant};

include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// Decodes and encodes a value.
#[allow(dead_code, reason = "without modules, there are no types")]
fn again<T: PerType>(octets: &[u8], variant: Variant) -> Result<Vec<u8>, Error> {
    T::decode_per(octets, variant)?.encode_per(variant)
}

fn main() -> io::Result<()> {
    let set = std::env::args().nth(1).unwrap_or_default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&set, &line?))?;
        out.flush()?;
    }
    Ok(())
}

fn answer(set: &str, line: &str) -> String {
    let mut words = line.split(' ');
    let (Some("recode"), Some(rules), Some(ty), Some(data)) = (words.next(), words.next(), words.next(), words.next())
    else {
        return "error expected recode, a variant, a type and hexadecimal".to_owned();
    };
    let (Some(variant), Some(octets)) = (Variant::named(rules), hex::decode_pairs(data)) else {
        return "error expected a variant and hexadecimal".to_owned();
    };
    // Rust names differ from those in the modules by case and hyphens.
    let ty = ty.replace('-', "").to_lowercase();
    match recode(set, &ty, &octets, variant) {
        None => "unknown".to_owned(),
        Some(Ok(octets)) => format!("ok {:X}", hex::Hex(&octets)),
        Some(Err(error)) => format!("error {error}"),
    }
}
