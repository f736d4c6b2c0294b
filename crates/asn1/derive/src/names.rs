//! Converts Rust names to ASN.1 names, and encodes keys.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Ident, Member};

/// Returns a Rust name without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// Returns the ASN.1 identifier of a field: `not_before` is `notBefore`. An unnamed field is named by its position.
pub(crate) fn member(member: &Member) -> String {
    match member {
        Member::Named(ident) => field(ident),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// Returns the ASN.1 identifier of a named field or bit.
pub(crate) fn field(ident: &Ident) -> String {
    let plain = plain(ident);
    let mut words = plain.split('_').filter(|word| !word.is_empty());
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// Returns the ASN.1 identifier of a variant: `DirectoryName` is `directoryName`.
pub(crate) fn variant(ident: &Ident) -> String {
    let plain = plain(ident);
    let mut letters = plain.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// Variable names for one function, distinct from each other and from the function's parameters.
#[derive(Default)]
pub(crate) struct Locals(Vec<String>);

/// Names used by the generated functions themselves.
const TAKEN: &[&str] = &[
    "reader", "writer", "outer", "set", "len", "at", "order", "value", "key", "error", "self", "Self", "crate", "super",
];

impl Locals {
    pub(crate) fn make(&mut self, ident: Option<&Ident>, index: usize) -> Ident {
        let mut name = match ident {
            Some(ident) => plain(ident),
            None => format!("component_{index}"),
        };
        while TAKEN.contains(&name.as_str()) || self.0.contains(&name) {
            name.push('_');
        }
        // The span of a macro keeps the variable out of sight of the user's expressions.
        let local = match syn::parse_str::<Ident>(&name) {
            Ok(_) => Ident::new(&name, Span::mixed_site()),
            Err(_) => Ident::new_raw(&name, Span::mixed_site()),
        };
        self.0.push(name);
        local
    }
}

/// Returns the content bytes of a dotted object identifier.
pub(crate) fn oid_octets(text: &str) -> Result<Vec<u8>, String> {
    let bad =
        || format!("`{text}` is not an object identifier: at least two numbers joined by dots, such as 2.5.29.15");
    let arcs: Vec<&str> = text.split('.').collect();
    let well_formed = |arc: &&str| {
        !arc.is_empty() && arc.bytes().all(|octet| octet.is_ascii_digit()) && (arc.len() == 1 || !arc.starts_with('0'))
    };
    let [first, second, rest @ ..] = arcs.as_slice() else { return Err(bad()) };
    if !arcs.iter().all(well_formed) {
        return Err(bad());
    }
    let first = match *first {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        _ => return Err(format!("the first number of `{text}` is above 2 (X.660 §7.6)")),
    };
    if first < 2 && second.parse::<u8>().map_or(true, |second| second > 39) {
        return Err(format!("the second number of `{text}` is above 39 (X.690 §8.19.4)"));
    }
    let mut octets = Vec::new();
    push_arc(&decimal(second, first * 40), &mut octets);
    for arc in rest {
        push_arc(&decimal(arc, 0), &mut octets);
    }
    Ok(octets)
}

/// Converts a decimal number of any size, plus `add`, to base 128, least significant digit first.
fn decimal(digits: &str, add: u32) -> Vec<u8> {
    let mut number: Vec<u8> = vec![0];
    let mut multiply_add = |factor: u32, term: u32| {
        let mut carry = term;
        for digit in &mut number {
            let sum = u32::from(*digit) * factor + carry;
            *digit = (sum & 0x7F) as u8;
            carry = sum >> 7;
        }
        while carry > 0 {
            number.push((carry & 0x7F) as u8);
            carry >>= 7;
        }
    };
    for digit in digits.bytes() {
        multiply_add(10, u32::from(digit - b'0'));
    }
    multiply_add(1, add);
    number
}

fn push_arc(digits: &[u8], octets: &mut Vec<u8>) {
    let significant = digits.iter().rposition(|digit| *digit != 0).map_or(1, |last| last + 1);
    for (place, digit) in digits.iter().enumerate().take(significant).rev() {
        octets.push(if place == 0 { *digit } else { 0x80 | digit });
    }
}

/// Returns the content bytes of an INTEGER.
pub(crate) fn integer_octets(number: i64) -> Vec<u8> {
    let octets = number.to_be_bytes();
    let sign = if number < 0 { 0xFF } else { 0 };
    let mut start = 0;
    while let Some([first, second]) = octets.get(start..start + 2) {
        // A leading octet that only repeats the sign is left out (X.690 §8.3.2).
        if *first != sign || (second ^ sign) >= 0x80 {
            break;
        }
        start += 1;
    }
    octets.get(start..).unwrap_or_default().to_vec()
}
