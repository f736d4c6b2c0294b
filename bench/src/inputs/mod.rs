//! The inputs that rows are measured on: corpus sets, made-up small values, certificates made longer, stores.

mod block;
pub mod corpus;
mod grown;
mod small;

pub(crate) use block::together;

use crate::peer::Input;

/// Builds or reads the input of that name.
///
/// # Errors
/// Says which corpus file is missing, or that there is no such input.
pub fn by_name(name: &str) -> Result<Input, String> {
    let number = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.parse::<usize>().ok());
    if let Some(input) = small::by_name(name) {
        return Ok(input);
    }
    if let Some(octets) = number("padded-") {
        let about = "a PKITS certificate with a signature of that many octets";
        return Ok(one(name, about, grown::padded(&first()?, octets)?));
    }
    if let Some(names) = number("named-") {
        let about = "a PKITS certificate with that many alternative names of 24 octets";
        return Ok(one(name, about, grown::named(&first()?, names)?));
    }
    let set = match number("store-") {
        Some(count) => corpus::CertSet::new(grown::store(&corpus::ccadb()?.certs, count)?),
        None => corpus::by_name(name)?,
    };
    Ok(Input::new(name, set.about, &set.certs))
}

/// The certificate that others are made of.
fn first() -> Result<Vec<u8>, String> {
    corpus::pkits()?
        .certs
        .into_iter()
        .next()
        .ok_or_else(|| "PKITS is empty".to_owned())
}

fn one(name: &str, about: &str, item: Vec<u8>) -> Input {
    Input::new(name, format!("{about}, {} octets", item.len()), &[item])
}
