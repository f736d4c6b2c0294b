//! CRLDistributionPoints, FreshestCRL and IssuingDistributionPoint.

use core::fmt::Write;

use tagwise_codec::SeqOf;

use crate::openssl::extension::bit_names;
use crate::openssl::general;
use crate::openssl::walk::{SEQUENCE, Seq};
use tagwise_pkix::name::Name;

pub(super) fn distribution(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut first = true;
    Seq::whole(value)?.each(|point| {
        let mut seq = Seq((point.tag == SEQUENCE).then_some(point.content)?);
        let (name, why, issuer) = (seq.optional(0xA0), seq.optional(0x81), seq.optional(0xA2));
        seq.end()?;
        out.push_str(if first { "" } else { "\n" });
        first = false;
        if let Some(name) = name {
            self::name(name, indent, out)?;
        }
        if let Some(why) = why {
            reasons("Reasons", why, indent, out)?;
        }
        let Some(issuer) = issuer else { return Some(()) };
        writeln!(out, "{:indent$}CRL Issuer:", "").ok()?;
        general::lines(Seq(issuer), indent + 2, out)
    })
}

pub(super) fn issuing(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let name = seq.optional(0xA0);
    let (user, ca, why) = (seq.optional(0x81), seq.optional(0x82), seq.optional(0x83));
    let (indirect, attributes) = (seq.optional(0x84), seq.optional(0x85));
    seq.end()?;
    let empty = out.len();
    if let Some(name) = name {
        self::name(name, indent, out)?;
    }
    let flag = |set: Option<&[u8]>, text: &str, out: &mut String| {
        if set.is_some_and(|set| set != [0]) { writeln!(out, "{:indent$}{text}", "").ok() } else { Some(()) }
    };
    flag(user, "Only User Certificates", out)?;
    flag(ca, "Only CA Certificates", out)?;
    flag(indirect, "Indirect CRL", out)?;
    if let Some(why) = why {
        reasons("Only Some Reasons", why, indent, out)?;
    }
    flag(attributes, "Only Attribute Certificates", out)?;
    if out.len() == empty { writeln!(out, "{:indent$}<EMPTY>", "").ok() } else { Some(()) }
}

/// Writes a DistributionPointName, which is explicitly tagged.
fn name(name: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let choice = Seq(name).next()?;
    match choice.tag {
        0xA0 => {
            writeln!(out, "{:indent$}Full Name:", "").ok()?;
            general::lines(Seq(choice.content), indent + 2, out)
        }
        0xA1 => {
            // The RDN, converted to a SET as in a name, is printed as a separate name.
            let rdn = relative(choice.content);
            let name = Name(SeqOf::deferred(&rdn, 0)).openssl_oneline().to_string();
            writeln!(out, "{:indent$}Relative Name:\n{:indent$}  {name}", "", "").ok()
        }
        _ => None,
    }
}

/// Encodes the content as a SET.
fn relative(content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let mut octets = vec![0x31];
    match len {
        0..0x80 => octets.push(len as u8),
        0x80..0x100 => octets.extend([0x81, len as u8]),
        0x100..0x1_0000 => octets.extend([0x82, (len >> 8) as u8, len as u8]),
        _ => octets.extend([0x84, (len >> 24) as u8, (len >> 16) as u8, (len >> 8) as u8, len as u8]),
    }
    octets.extend(content);
    octets
}

fn reasons(title: &str, bits: &[u8], indent: usize, out: &mut String) -> Option<()> {
    const NAMES: [&str; 9] = [
        "Unused",
        "Key Compromise",
        "CA Compromise",
        "Affiliation Changed",
        "Superseded",
        "Cessation Of Operation",
        "Certificate Hold",
        "Privilege Withdrawn",
        "AA Compromise",
    ];
    write!(out, "{:indent$}{title}:\n{:indent$}  ", "", "").ok()?;
    let mut first = true;
    for name in bit_names(bits, &NAMES)? {
        out.push_str(if first { "" } else { ", " });
        out.push_str(name);
        first = false;
    }
    out.push_str(if first { "<EMPTY>\n" } else { "\n" });
    Some(())
}
