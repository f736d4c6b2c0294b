//! GeneralName in both of OpenSSL's forms, list values (`i2v_GENERAL_NAME`) and printed (`GENERAL_NAME_print`), with
//! alternative names and the authority key identifier.

use core::fmt::Write;

use tagwise_codec::SeqOf;

use crate::openssl::extension::Line;
use crate::openssl::objects;
use crate::openssl::octets::{dotted, is_integer, raw, upper_colons};
use crate::openssl::walk::{IA5, OID, SEQUENCE, Seq, UTF8};
use tagwise_pkix::name::Name;

use super::walk::Element;

/// Writes an IP address in OpenSSL's format.
pub(super) fn address(octets: &[u8], out: &mut String) -> Option<()> {
    match octets {
        [a, b, c, d] => write!(out, "{a}.{b}.{c}.{d}").ok(),
        _ if octets.len() == 16 => octets.as_chunks::<2>().0.iter().enumerate().try_for_each(|(at, pair)| {
            write!(out, "{}{:X}", if at > 0 { ":" } else { "" }, u16::from_be_bytes(*pair)).ok()
        }),
        _ => write!(out, "<invalid length={}>", octets.len()).ok(),
    }
}

/// Decodes a directoryName, which is explicitly tagged.
fn directory<'a>(name: &Element<'a>) -> Option<Name<'a>> {
    let mut outer = Seq(name.content);
    let rdns = outer.expect(SEQUENCE)?;
    outer.end()?;
    Some(Name(SeqOf::deferred(rdns, 0)))
}

/// Splits an otherName into its type, and the tag and content of its value.
fn other<'a>(name: &Element<'a>) -> Option<(&'a [u8], Element<'a>)> {
    let mut seq = Seq(name.content);
    let oid = seq.expect(OID)?;
    let value = Seq(seq.expect(0xA0)?).next()?;
    seq.end()?;
    Some((oid, value))
}

/// Returns the label and value tag of an otherName type that OpenSSL supports.
fn other_kind(oid: &[u8]) -> Option<(&'static str, u8)> {
    match oid {
        [0x2B, 6, 1, 5, 5, 7, 8, 9] => Some(("SmtpUTF8Mailbox", UTF8)),
        [0x2B, 6, 1, 5, 5, 7, 8, 5] => Some(("XmppAddr", UTF8)),
        [0x2B, 6, 1, 5, 5, 7, 8, 7] => Some(("SRVName", IA5)),
        [0x2B, 6, 1, 4, 1, 0x82, 0x37, 20, 2, 3] => Some(("UPN", UTF8)),
        [0x2B, 6, 1, 5, 5, 7, 8, 8] => Some(("NAIRealm", UTF8)),
        _ => None,
    }
}

/// Writes text in a list. Fails if it contains a NUL, for which OpenSSL discards the whole list.
fn listed(octets: &[u8], out: &mut String) -> Option<()> {
    if octets.contains(&0) { None } else { raw(octets, out).ok() }
}

/// Writes a name as a list value: the label, a colon, and the value.
pub(super) fn value(name: &Element<'_>, method: Option<&[u8]>, out: &mut String) -> Option<()> {
    if let Some(method) = method {
        objects::long(method, out).ok()?;
        out.push_str(" - ");
    }
    match name.tag {
        0xA0 => {
            let (oid, value) = other(name)?;
            out.push_str("othername: ");
            if let Some((kind, tag)) = other_kind(oid) {
                write!(out, "{kind}::").ok()?;
                return if value.tag == tag { listed(value.content, out) } else { None };
            }
            objects::long(oid, out).ok()?;
            out.push_str("::");
            if matches!(value.tag, IA5 | UTF8) {
                return listed(value.content, out);
            }
            out.push_str("<unsupported>");
        }
        0x81 | 0x82 | 0x86 => {
            out.push_str(match name.tag {
                0x81 => "email:",
                0x82 => "DNS:",
                _ => "URI:",
            });
            return listed(name.content, out);
        }
        0xA3 => out.push_str("X400Name:<unsupported>"),
        0xA4 => {
            out.push_str("DirName:");
            write!(out, "{}", directory(name)?.openssl_compat().within(255)).ok()?;
        }
        0xA5 => {
            // EDIPartyName ::= SEQUENCE { nameAssigner [0] DirectoryString OPTIONAL, partyName [1] DirectoryString }
            let mut party = Seq(name.content);
            party.optional(0xA0);
            party.expect(0xA1)?;
            party.end()?;
            out.push_str("EdiPartyName:<unsupported>");
        }
        0x87 => {
            out.push_str("IP Address:");
            match name.content.len() {
                4 | 16 => return address(name.content, out),
                _ => out.push_str("<invalid>"),
            }
        }
        0x88 => {
            out.push_str("Registered ID:");
            return if objects::is_object(name.content) { objects::long(name.content, out).ok() } else { None };
        }
        _ => return None,
    }
    Some(())
}

/// Writes a name in printed form.
pub(super) fn print(name: &Element<'_>, out: &mut String) -> Option<()> {
    match name.tag {
        0xA0 => {
            let (oid, value) = other(name)?;
            out.push_str("othername:");
            match other_kind(oid) {
                Some((kind, _)) => {
                    write!(out, "{kind}:").ok()?;
                    raw(value.content, out).ok()
                }
                None => out.write_str("<unsupported>").ok(),
            }
        }
        0x81 | 0x82 | 0x86 => {
            out.push_str(match name.tag {
                0x81 => "email:",
                0x82 => "DNS:",
                _ => "URI:",
            });
            dotted(name.content, out).ok()
        }
        0xA4 => {
            out.push_str("DirName:");
            write!(out, "{}", directory(name)?.openssl_oneline()).ok()
        }
        // Here IPv6 addresses have a colon in front of each group.
        0x87 if name.content.len() == 16 => {
            out.push_str("IP Address");
            name.content
                .as_chunks::<2>()
                .0
                .iter()
                .try_for_each(|pair| write!(out, ":{:X}", u16::from_be_bytes(*pair)).ok())?;
            out.write_str("\n").ok()
        }
        _ => value(name, None, out),
    }
}

/// Writes GeneralNames on one line, without labels.
pub(super) fn names(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let names = Seq::whole(value)?;
    if names.is_empty() {
        return writeln!(out, "{:indent$}<EMPTY>", "").ok();
    }
    let mut line = Line::new(indent, out);
    names.each(|name| self::value(&name, None, line.item()?))?;
    line.end()
}

/// Writes GeneralNames in printed form, one per line.
pub(super) fn lines(names: Seq<'_>, indent: usize, out: &mut String) -> Option<()> {
    let mut first = true;
    names.each(|name| {
        write!(out, "{}{:indent$}", if first { "" } else { "\n" }, "").ok()?;
        first = false;
        print(&name, out)
    })
}

/// Writes an AuthorityKeyIdentifier, one part per line.
pub(super) fn authority_key(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let (key, issuer, serial) = (seq.optional(0x80), seq.optional(0xA1), seq.optional(0x82));
    seq.end()?;
    if key.is_none() && serial.is_none() && issuer.is_none_or(<[u8]>::is_empty) {
        return None;
    }
    let mut first = true;
    let mut line = |out: &mut String| {
        let done = write!(out, "{}{:indent$}", if first { "" } else { "\n" }, "").ok();
        first = false;
        done
    };
    if let Some(key) = key {
        line(out)?;
        out.push_str(if issuer.is_some() || serial.is_some() { "keyid:" } else { "" });
        upper_colons(key, out).ok()?;
    }
    Seq(issuer.unwrap_or_default()).each(|name| {
        line(out)?;
        self::value(&name, None, out)
    })?;
    if let Some(serial) = serial.filter(|serial| is_integer(serial)) {
        line(out)?;
        out.push_str("serial:");
        let (_, number) = crate::openssl::octets::magnitude(serial);
        upper_colons(&number, out).ok()?;
    }
    Some(())
}
