//! Certificates made longer, and stores made larger, out of real ones. Their signatures no longer fit, which a parse
//! does not see.

use super::small::integer;
use crate::edit::{content, replace, tlv};

/// Replaces the signature of a certificate by one of `octets` octets.
pub(super) fn padded(certificate: &[u8], octets: usize) -> Result<Vec<u8>, String> {
    let mut signature = vec![0x5a; octets + 1];
    signature[0] = 0;
    replace(certificate, &[2], &|_| tlv(0x03, &signature))
}

/// Adds an extension of `count` alternative names.
pub(super) fn named(certificate: &[u8], count: usize) -> Result<Vec<u8>, String> {
    let names: Vec<u8> = (0..count)
        .flat_map(|number| tlv(0x82, format!("host-{number:06}.example.com").as_bytes()))
        .collect();
    let extension = tlv(
        0x30,
        &[tlv(0x06, &[0x55, 0x1d, 0x11]), tlv(0x04, &tlv(0x30, &names))].concat(),
    );
    replace(certificate, &[0, 7, 0], &|list| {
        tlv(0x30, &[content(list).unwrap_or_default(), &extension].concat())
    })
}

/// The first `count` certificates; past the end, the set over again under other serial numbers.
pub(super) fn store(set: &[Vec<u8>], count: usize) -> Result<Vec<Vec<u8>>, String> {
    let again = (0..).zip(set.iter().cycle()).take(count);
    again
        .map(|(number, certificate)| {
            if number < set.len() {
                return Ok(certificate.clone());
            }
            // Certificates of version 1 begin with the serial number.
            let body = content(certificate).and_then(content).ok_or("not a certificate")?;
            let place = usize::from(body.first() == Some(&0xa0));
            replace(certificate, &[0, place], &|_| integer((1 << 32) + number as i128))
        })
        .collect()
}
