//! IPAddrBlocks and ASIdentifiers (RFC 3779).

use core::fmt::Write;

use crate::openssl::octets::{integer, is_integer};
use crate::openssl::walk::{BIT_STRING, INTEGER, NULL, OCTET_STRING, SEQUENCE, Seq};

pub(super) fn addresses(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    Seq::whole(value)?.each(|family| {
        let mut seq = Seq((family.tag == SEQUENCE).then_some(family.content)?);
        let (id, choice) = (seq.expect(OCTET_STRING)?, seq.next()?);
        seq.end()?;
        let afi = id.first_chunk().map_or(0, |afi| u16::from_be_bytes(*afi));
        write!(out, "{:indent$}", "").ok()?;
        match afi {
            1 => out.push_str("IPv4"),
            2 => out.push_str("IPv6"),
            afi => write!(out, "Unknown AFI {afi}").ok()?,
        }
        if let Some(safi) = id.get(2) {
            out.push_str(match safi {
                1 => " (Unicast)",
                2 => " (Multicast)",
                3 => " (Unicast/Multicast)",
                4 => " (MPLS)",
                64 => " (Tunnel)",
                65 => " (VPLS)",
                66 => " (BGP MDT)",
                128 => " (MPLS-labeled VPN)",
                _ => "",
            });
            if !matches!(safi, 1..=4 | 64..=66 | 128) {
                write!(out, " (Unknown SAFI {safi})").ok()?;
            }
        }
        match choice.tag {
            NULL => out.write_str(": inherit\n").ok(),
            SEQUENCE => {
                out.push_str(":\n");
                Seq(choice.content).each(|item| {
                    write!(out, "{:1$}", "", indent + 2).ok()?;
                    match item.tag {
                        BIT_STRING => {
                            let (unused, octets) = item.content.split_first()?;
                            address(afi, 0, item.content, out)?;
                            let len = (octets.len() * 8).checked_sub(usize::from(*unused))?;
                            writeln!(out, "/{len}").ok()
                        }
                        SEQUENCE => {
                            let mut range = Seq(item.content);
                            let (min, max) = (range.expect(BIT_STRING)?, range.expect(BIT_STRING)?);
                            range.end()?;
                            address(afi, 0, min, out)?;
                            out.push('-');
                            address(afi, 0xFF, max, out)?;
                            out.write_str("\n").ok()
                        }
                        _ => None,
                    }
                })
            }
            _ => None,
        }
    })
}

/// Writes an address prefix, with missing bits filled from `fill`.
fn address(afi: u16, fill: u8, bits: &[u8], out: &mut String) -> Option<()> {
    let (unused, octets) = bits.split_first()?;
    if *unused > 7 {
        return None;
    }
    let mut octets = octets.to_vec();
    if let Some(last) = octets.last_mut() {
        let free = (1u8 << unused) - 1;
        *last = if fill == 0 { *last & !free } else { *last | free };
    }
    let size = match afi {
        1 => 4,
        2 => 16,
        _ => {
            for (at, octet) in octets.iter().enumerate() {
                write!(out, "{}{octet:02x}", if at > 0 { ":" } else { "" }).ok()?;
            }
            return write!(out, "[{unused}]").ok();
        }
    };
    if octets.len() > size {
        return None;
    }
    octets.resize(size, fill);
    if let [a, b, c, d] = *octets {
        return write!(out, "{a}.{b}.{c}.{d}").ok();
    }
    let groups: Vec<u16> = octets.as_chunks::<2>().0.iter().map(|pair| u16::from_be_bytes(*pair)).collect();
    let zeros = groups.iter().rev().take_while(|group| **group == 0).count();
    let shown = groups.len().saturating_sub(zeros);
    for (at, group) in groups.iter().take(shown).enumerate() {
        write!(out, "{group:x}{}", if at < 7 { ":" } else { "" }).ok()?;
    }
    out.push_str(match shown {
        0 => "::",
        8 => "",
        _ => ":",
    });
    Some(())
}

pub(super) fn systems(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let (systems, domains) = (seq.optional(0xA0), seq.optional(0xA1));
    seq.end()?;
    for (title, choice) in [("Autonomous System Numbers", systems), ("Routing Domain Identifiers", domains)] {
        let Some(choice) = choice else { continue };
        let choice = Seq(choice).next()?;
        writeln!(out, "{:indent$}{title}:", "").ok()?;
        match choice.tag {
            NULL => writeln!(out, "{:indent$}  inherit", "").ok()?,
            SEQUENCE => Seq(choice.content).each(|item| {
                write!(out, "{:indent$}  ", "").ok()?;
                match item.tag {
                    INTEGER if is_integer(item.content) => integer(item.content, out).ok()?,
                    SEQUENCE => {
                        let mut range = Seq(item.content);
                        integer(range.expect(INTEGER).filter(|number| is_integer(number))?, out).ok()?;
                        out.push('-');
                        integer(range.expect(INTEGER).filter(|number| is_integer(number))?, out).ok()?;
                        range.end()?;
                    }
                    _ => return None,
                }
                out.write_str("\n").ok()
            })?,
            _ => return None,
        }
    }
    Some(())
}
