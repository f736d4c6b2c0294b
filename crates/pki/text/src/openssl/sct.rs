//! Signed certificate timestamps (RFC 6962 §3.3).

use core::fmt::Write;

use tagwise_codec::{CivilTime, UnixTime};

use crate::openssl::octets::{civil, hanging};
use crate::openssl::walk::{OCTET_STRING, only};

/// A reader for TLS-encoded structures.
struct Tls<'a>(&'a [u8]);

impl<'a> Tls<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, len: usize) -> Option<u64> {
        Some(self.take(len)?.iter().fold(0, |sum, octet| sum << 8 | u64::from(*octet)))
    }

    fn vector(&mut self) -> Option<&'a [u8]> {
        let len = self.number(2)?;
        self.take(usize::try_from(len).ok()?)
    }
}

pub(super) fn list(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut whole = Tls(only(value, OCTET_STRING)?);
    let mut list = Tls(whole.vector()?);
    if !whole.0.is_empty() {
        return None;
    }
    let mut first = true;
    while !list.0.is_empty() {
        out.push_str(if first { "" } else { "\n" });
        first = false;
        sct(list.vector().filter(|sct| !sct.is_empty())?, indent, out)?;
    }
    Some(())
}

fn sct(octets: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let (inner, deep) = (indent + 4, indent + 16);
    write!(out, "{:indent$}Signed Certificate Timestamp:\n{:inner$}Version   : ", "", "").ok()?;
    let mut tls = Tls(octets);
    if tls.take(1)? != [0] {
        write!(out, "unknown\n{:deep$}", "").ok()?;
        return hanging(octets, deep, out).ok();
    }
    let (log, millis) = (tls.take(32)?, tls.number(8)?);
    let (extensions, algorithm, signature) = (tls.vector()?, tls.take(2)?, tls.vector()?);
    write!(out, "v1 (0x0)\n{:inner$}Log ID    : ", "").ok()?;
    hanging(log, deep, out).ok()?;
    write!(out, "\n{:inner$}Timestamp : ", "").ok()?;
    let time = CivilTime::from_unix(UnixTime(i64::try_from(millis / 1000).ok()?)).ok()?;
    civil(time, &format!(".{:03}", millis % 1000), out).ok()?;
    write!(out, "\n{:inner$}Extensions: ", "").ok()?;
    if extensions.is_empty() {
        out.push_str("none");
    } else {
        hanging(extensions, deep, out).ok()?;
    }
    write!(out, "\n{:inner$}Signature : ", "").ok()?;
    match algorithm {
        [4, 3] => out.push_str("ecdsa-with-SHA256"),
        [4, 1] => out.push_str("sha256WithRSAEncryption"),
        // RFC 6962 §2.1.4 has no others, and OpenSSL reads no list with another in it.
        _ => return None,
    }
    write!(out, "\n{:inner$}            ", "").ok()?;
    hanging(signature, deep, out).ok()
}
