//! Extension printers by identifier, and the fallback (`X509V3_extensions_print`).

use core::fmt::{self, Write};

use crate::openssl::octets::{dotted, integer, is_integer, raw, upper_colons};
use crate::openssl::walk::{
    BIT_STRING, BOOLEAN, ENUMERATED, GENERALIZED_TIME, IA5, INTEGER, NULL, OCTET_STRING, OID, Seq, UTF8, only,
};
use crate::openssl::{
    access, admission, constraints, general, objects, octets, points, policies, rare, resources, sct,
};

/// A function that writes a value, indented by the given number of columns. Returns `None` if the bytes do not match
/// OpenSSL's template, possibly after writing a part.
pub(super) type Printer = fn(&[u8], usize, &mut String) -> Option<()>;

/// Writes a title and the extensions below it. `scratch` is an overwritten buffer.
pub(super) fn list(title: &str, content: &[u8], scratch: &mut String, out: &mut dyn Write) -> fmt::Result {
    const INDENT: usize = 12;
    if content.is_empty() {
        return Ok(());
    }
    writeln!(out, "        {title}:")?;
    let mut extensions = Seq(content);
    while let Some(extension) = extensions.next() {
        let mut extension = Seq(extension.content);
        let Some(id) = extension.expect(OID) else { break };
        let critical = extension.optional(BOOLEAN).is_some_and(|critical| critical != [0]);
        let Some(value) = extension.expect(OCTET_STRING) else { break };
        write!(out, "{:INDENT$}", "")?;
        objects::long(id, out)?;
        writeln!(out, ": {}", if critical { "critical" } else { "" })?;
        scratch.clear();
        match printer(id).and_then(|print| print(value, INDENT + 4, scratch)) {
            Some(()) => out.write_str(scratch)?,
            None => {
                write!(out, "{:1$}", "", INDENT + 4)?;
                dotted(value, out)?;
            }
        }
        out.write_str("\n")?;
    }
    Ok(())
}

fn printer(id: &[u8]) -> Option<Printer> {
    let found: Printer = match id {
        [0x55, 0x1D, arc] => match arc {
            14 => key_identifier,
            15 => key_usage,
            16 => usage_period,
            17 | 18 | 29 => general::names,
            19 => constraints::basic,
            20 | 27 | 54 => number,
            21 => reason,
            23 => object,
            24 => invalidity_date,
            28 => points::issuing,
            30 => constraints::names,
            31 | 46 => points::distribution,
            32 => policies::certificate,
            33 => policies::mappings,
            35 => general::authority_key,
            36 => policies::constraints,
            37 => purposes,
            _ => return None,
        },
        // id-pe
        [0x2B, 6, 1, 5, 5, 7, 1, arc] => match arc {
            1 | 11 => access::descriptions,
            7 => resources::addresses,
            8 => resources::systems,
            14 => policies::proxy,
            24 => features,
            _ => return None,
        },
        // OCSP
        [0x2B, 6, 1, 5, 5, 7, 0x30, 1, arc] => match arc {
            2 => rare::nonce,
            3 => rare::crl_id,
            4 => purposes,
            5 => nothing,
            6 => invalidity_date,
            7 => rare::locator,
            _ => return None,
        },
        // Strong Extranet
        [0x2B, 0x65, 1, 4, 1] => rare::extranet,
        // Common PKI
        [0x2B, 0x24, 8, 3, 3] => admission::syntax,
        // Certificate transparency
        [0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 2 | 5] => sct::list,
        [0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 3] => poison,
        // Of Russian qualified certificates
        [0x2A, 0x85, 0x03, 0x64, 111] => signing_tool,
        [0x2A, 0x85, 0x03, 0x64, 112] => issuer_tools,
        // Netscape
        [0x60, 0x86, 0x48, 1, 0x86, 0xF8, 0x42, 1, 1] => netscape_type,
        [0x60, 0x86, 0x48, 1, 0x86, 0xF8, 0x42, 1, 2 | 3 | 4 | 7 | 8 | 12 | 13] => netscape_text,
        _ => return None,
    };
    Some(found)
}

/// Writes a SubjectKeyIdentifier.
fn key_identifier(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    write!(out, "{:indent$}", "").ok()?;
    upper_colons(only(value, OCTET_STRING)?, out).ok()
}

/// A writer for comma-separated values on one line. It writes nothing if there are none.
pub(super) struct Line<'o> {
    pub(super) out: &'o mut String,
    indent: usize,
    first: bool,
}

impl<'o> Line<'o> {
    pub(super) const fn new(indent: usize, out: &'o mut String) -> Self {
        Self { out, indent, first: true }
    }

    /// Returns the output for the next value.
    pub(super) fn item(&mut self) -> Option<&mut String> {
        let indent = self.indent;
        if self.first { write!(self.out, "{:indent$}", "") } else { self.out.write_str(", ") }.ok()?;
        self.first = false;
        Some(self.out)
    }

    /// Ends the line. Returns `None` if there were no values, for which OpenSSL does not create a list.
    pub(super) fn end(self) -> Option<()> {
        (!self.first).then_some(())
    }
}

/// Returns the names of the set bits.
pub(super) fn bit_names<'n>(bits: &[u8], names: &'n [&'n str]) -> Option<impl Iterator<Item = &'n str>> {
    let (unused, octets) = bits.split_first()?;
    if *unused > 7 || octets.is_empty() && *unused != 0 {
        return None;
    }
    let bits: Vec<bool> = octets.iter().flat_map(|octet| (0..8).map(move |bit| octet & (0x80 >> bit) != 0)).collect();
    let used = bits.len().saturating_sub(usize::from(*unused));
    Some(names.iter().zip(bits.into_iter().take(used)).filter(|(_, set)| *set).map(|(name, _)| *name))
}

fn bits(value: &[u8], names: &[&str], indent: usize, out: &mut String) -> Option<()> {
    let mut line = Line::new(indent, out);
    for name in bit_names(only(value, BIT_STRING)?, names)? {
        line.item()?.push_str(name);
    }
    line.end()
}

fn key_usage(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    const NAMES: [&str; 9] = [
        "Digital Signature",
        "Non Repudiation",
        "Key Encipherment",
        "Data Encipherment",
        "Key Agreement",
        "Certificate Sign",
        "CRL Sign",
        "Encipher Only",
        "Decipher Only",
    ];
    bits(value, &NAMES, indent, out)
}

fn netscape_type(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    const NAMES: [&str; 8] =
        ["SSL Client", "SSL Server", "S/MIME", "Object Signing", "Unused", "SSL CA", "S/MIME CA", "Object Signing CA"];
    bits(value, &NAMES, indent, out)
}

fn netscape_text(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    write!(out, "{:indent$}", "").ok()?;
    raw(only(value, IA5)?, out).ok()
}

/// Writes an ExtKeyUsageSyntax or AcceptableResponses.
fn purposes(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut line = Line::new(indent, out);
    Seq::whole(value)?.each(|purpose| {
        let known = purpose.tag == OID && objects::is_object(purpose.content);
        if known { objects::long(purpose.content, line.item()?).ok() } else { None }
    })?;
    line.end()
}

/// Writes TLS features: `Features ::= SEQUENCE OF INTEGER`.
fn features(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut line = Line::new(indent, out);
    Seq::whole(value)?.each(|feature| {
        if feature.tag != INTEGER || !is_integer(feature.content) {
            return None;
        }
        let out = line.item()?;
        match feature.content {
            [5] => out.write_str("status_request").ok(),
            [17] => out.write_str("status_request_v2").ok(),
            number => integer(number, out).ok(),
        }
    })?;
    line.end()
}

fn number(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let number = only(value, INTEGER).filter(|number| is_integer(number))?;
    write!(out, "{:indent$}", "").ok()?;
    integer(number, out).ok()
}

/// Writes a CRLReason.
fn reason(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let number = only(value, ENUMERATED).filter(|number| is_integer(number))?;
    write!(out, "{:indent$}", "").ok()?;
    let name = match number {
        [0] => "Unspecified",
        [1] => "Key Compromise",
        [2] => "CA Compromise",
        [3] => "Affiliation Changed",
        [4] => "Superseded",
        [5] => "Cessation Of Operation",
        [6] => "Certificate Hold",
        [8] => "Remove From CRL",
        [9] => "Privilege Withdrawn",
        [10] => "AA Compromise",
        number => return integer(number, out).ok(),
    };
    out.write_str(name).ok()
}

/// Writes a HoldInstructionCode.
fn object(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let oid = only(value, OID).filter(|oid| objects::is_object(oid))?;
    write!(out, "{:indent$}", "").ok()?;
    objects::long(oid, out).ok()
}

/// Writes an InvalidityDate or ArchiveCutoff.
fn invalidity_date(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    write!(out, "{:indent$}", "").ok()?;
    octets::time_of(GENERALIZED_TIME, only(value, GENERALIZED_TIME)?, out).ok()
}

/// Writes a PrivateKeyUsagePeriod.
fn usage_period(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut period = Seq::whole(value)?;
    let (not_before, not_after) = (period.optional(0x80), period.optional(0x81));
    period.end()?;
    write!(out, "{:indent$}", "").ok()?;
    if let Some(time) = not_before {
        out.push_str("Not Before: ");
        octets::time_of(GENERALIZED_TIME, time, out).ok()?;
        out.push_str(if not_after.is_some() { ", " } else { "" });
    }
    if let Some(time) = not_after {
        out.push_str("Not After: ");
        octets::time_of(GENERALIZED_TIME, time, out).ok()?;
    }
    Some(())
}

/// Writes a SubjectSignTool: the tool with which the subject signs.
fn signing_tool(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    write!(out, "{:indent$}", "").ok()?;
    raw(only(value, UTF8)?, out).ok()
}

/// Writes an IssuerSignTool: the tools with which the certificate was signed.
fn issuer_tools(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut tools = Seq::whole(value)?;
    for (at, title) in ["signTool    : ", "cATool      : ", "signToolCert: ", "cAToolCert  : "].into_iter().enumerate()
    {
        write!(out, "{}{:indent$}{title}", if at > 0 { "\n" } else { "" }, "").ok()?;
        raw(tools.expect(UTF8)?, out).ok()?;
    }
    tools.end()
}

/// Writes a PrecertificatePoison.
fn poison(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    only(value, NULL).filter(|content| content.is_empty())?;
    write!(out, "{:indent$}NULL", "").ok()
}

/// Checks an OcspNoCheck, for which OpenSSL prints no value.
fn nothing(value: &[u8], _indent: usize, _out: &mut String) -> Option<()> {
    only(value, NULL).filter(|content| content.is_empty()).map(|_| ())
}
