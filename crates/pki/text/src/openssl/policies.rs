//! CertificatePolicies, PolicyMappings, PolicyConstraints, and ProxyCertInfo of RFC 3820.

use core::fmt::Write;

use super::walk::Element;
use crate::openssl::extension::Line;
use crate::openssl::objects;
use crate::openssl::octets::{integer, is_integer, paragraphs, raw, serial};
use crate::openssl::walk::{IA5, INTEGER, OCTET_STRING, OID, SEQUENCE, Seq};

fn identifier<'a>(seq: &mut Seq<'a>) -> Option<&'a [u8]> {
    seq.expect(OID).filter(|oid| objects::is_object(oid))
}

pub(super) fn certificate(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut first = true;
    Seq::whole(value)?.each(|policy| {
        let mut seq = Seq((policy.tag == SEQUENCE).then_some(policy.content)?);
        let id = identifier(&mut seq)?;
        let qualifiers = seq.optional(SEQUENCE);
        seq.end()?;
        write!(out, "{}{:indent$}Policy: ", if first { "" } else { "\n" }, "").ok()?;
        first = false;
        objects::long(id, out).ok()?;
        let Some(qualifiers) = qualifiers else { return Some(()) };
        out.push('\n');
        let mut first = true;
        Seq(qualifiers).each(|info| {
            out.push_str(if first { "" } else { "\n" });
            first = false;
            qualifier(&info, indent + 2, out)
        })
    })
}

fn qualifier(info: &Element<'_>, indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq((info.tag == SEQUENCE).then_some(info.content)?);
    let id = identifier(&mut seq)?;
    match id {
        [0x2B, 6, 1, 5, 5, 7, 2, 1] => {
            let uri = seq.expect(IA5)?;
            write!(out, "{:indent$}CPS: ", "").ok()?;
            raw(uri, out).ok()?;
        }
        [0x2B, 6, 1, 5, 5, 7, 2, 2] => {
            writeln!(out, "{:indent$}User Notice:", "").ok()?;
            notice(seq.sequence()?, indent + 2, out)?;
        }
        _ => {
            // The value is of any type.
            seq.next()?;
            write!(out, "{:1$}Unknown Qualifier: ", "", indent + 2).ok()?;
            objects::long(id, out).ok()?;
        }
    }
    seq.end()
}

/// Returns whether a tag is a DisplayText alternative: IA5String, VisibleString, BMPString or UTF8String.
const fn is_display_text(tag: u8) -> bool {
    matches!(tag, 0x16 | 0x1A | 0x1E | 0x0C)
}

fn notice(mut notice: Seq<'_>, indent: usize, out: &mut String) -> Option<()> {
    let reference = notice.optional(SEQUENCE);
    let text = if notice.is_empty() { None } else { Some(notice.next().filter(|text| is_display_text(text.tag))?) };
    notice.end()?;
    if let Some(reference) = reference {
        let mut seq = Seq(reference);
        let organization = seq.next().filter(|text| is_display_text(text.tag))?;
        write!(out, "{:indent$}Organization: ", "").ok()?;
        raw(organization.content, out).ok()?;
        let numbers = seq.sequence()?;
        seq.end()?;
        let mut count = 0;
        numbers.each(|number| {
            count += 1;
            (number.tag == INTEGER && is_integer(number.content)).then_some(())
        })?;
        write!(out, "\n{:indent$}Number{}: ", "", if count > 1 { "s" } else { "" }).ok()?;
        let mut first = true;
        numbers.each(|number| {
            out.push_str(if first { "" } else { ", " });
            first = false;
            integer(number.content, out).ok()
        })?;
        out.push_str(if text.is_some() { "\n" } else { "" });
    }
    let Some(text) = text else { return Some(()) };
    write!(out, "{:indent$}Explicit Text: ", "").ok()?;
    paragraphs(text.content, out).ok()
}

pub(super) fn mappings(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut line = Line::new(indent, out);
    Seq::whole(value)?.each(|mapping| {
        let mut seq = Seq((mapping.tag == SEQUENCE).then_some(mapping.content)?);
        let (issuer, subject) = (identifier(&mut seq)?, identifier(&mut seq)?);
        seq.end()?;
        let out = line.item()?;
        objects::long(issuer, out).ok()?;
        out.push(':');
        objects::long(subject, out).ok()
    })?;
    line.end()
}

pub(super) fn constraints(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let (require, inhibit) = (seq.optional(0x80), seq.optional(0x81));
    seq.end()?;
    let mut line = Line::new(indent, out);
    for (title, number) in [("Require Explicit Policy:", require), ("Inhibit Policy Mapping:", inhibit)] {
        let Some(number) = number else { continue };
        let out = line.item()?;
        out.push_str(title);
        if !is_integer(number) {
            return None;
        }
        integer(number, out).ok()?;
    }
    line.end()
}

pub(super) fn proxy(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let len = seq.optional(INTEGER);
    let mut policy = seq.sequence()?;
    seq.end()?;
    let (language, text) = (identifier(&mut policy)?, policy.optional(OCTET_STRING));
    policy.end()?;
    write!(out, "{:indent$}Path Length Constraint: ", "").ok()?;
    match len {
        Some(len) => serial(len, out).ok()?,
        None => out.push_str("infinite"),
    }
    write!(out, "\n{:indent$}Policy Language: ", "").ok()?;
    objects::long(language, out).ok()?;
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Some(()) };
    write!(out, "\n{:indent$}Policy Text: ", "").ok()?;
    raw(text, out).ok()
}
