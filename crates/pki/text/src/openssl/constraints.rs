//! BasicConstraints and NameConstraints.

use core::fmt::Write;

use crate::openssl::general::{self, address};
use crate::openssl::octets::{integer, is_integer};
use crate::openssl::walk::{BOOLEAN, INTEGER, SEQUENCE, Seq};

pub(super) fn basic(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let ca = match seq.optional(BOOLEAN) {
        Some([ca]) => *ca != 0,
        Some(_) => return None,
        None => false,
    };
    let len = seq.optional(INTEGER);
    seq.end()?;
    write!(out, "{:indent$}CA:{}", "", if ca { "TRUE" } else { "FALSE" }).ok()?;
    let Some(len) = len else { return Some(()) };
    out.push_str(", pathlen:");
    if is_integer(len) { integer(len, out).ok() } else { None }
}

pub(super) fn names(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let (permitted, excluded) = (seq.optional(0xA0), seq.optional(0xA1));
    seq.end()?;
    subtrees("Permitted", permitted.unwrap_or_default(), indent, out)?;
    if permitted.is_some() && excluded.is_some() {
        out.push('\n');
    }
    subtrees("Excluded", excluded.unwrap_or_default(), indent, out)
}

fn subtrees(title: &str, content: &[u8], indent: usize, out: &mut String) -> Option<()> {
    if !content.is_empty() {
        writeln!(out, "{:indent$}{title}:", "").ok()?;
    }
    let mut first = true;
    Seq(content).each(|subtree| {
        let mut seq = Seq((subtree.tag == SEQUENCE).then_some(subtree.content)?);
        let base = seq.next()?;
        seq.optional(0x80);
        seq.optional(0x81);
        seq.end()?;
        write!(out, "{}{:2$}", if first { "" } else { "\n" }, "", indent + 2).ok()?;
        first = false;
        if base.tag != 0x87 {
            return general::print(&base, out);
        }
        // The address is the first half, as far as it is complete.
        let at = match base.content.len() {
            16.. => 16,
            4.. => 4,
            len => len,
        };
        let (net, mask) = base.content.split_at_checked(at)?;
        out.push_str("IP:");
        address(net, out)?;
        out.push('/');
        address(mask, out)
    })
}
