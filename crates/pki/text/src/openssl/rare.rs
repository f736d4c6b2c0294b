//! OCSP and Strong Extranet extensions.

use core::fmt::Write;

use crate::openssl::octets::{dotted, integer, is_integer, serial, time_of};
use crate::openssl::walk::{GENERALIZED_TIME, IA5, INTEGER, OCTET_STRING, OID, SEQUENCE, Seq, only};
use crate::openssl::{general, objects};
use tagwise_pkix::name::Name;

/// Writes `SXNet ::= SEQUENCE { version INTEGER, ids SEQUENCE OF SEQUENCE { zone INTEGER, user OCTET STRING } }`.
pub(super) fn extranet(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let version = seq.expect(INTEGER).filter(|version| is_integer(version))?;
    let ids = seq.sequence()?;
    seq.end()?;
    write!(out, "{:indent$}Version: ", "").ok()?;
    // The number is shown with one added, which must not overflow.
    match i64::try_from(tagwise_codec::Int::from_signed(version))
        .ok()
        .and_then(|number| Some((number, number.checked_add(1)?)))
    {
        Some((number, next)) => write!(out, "{next} (0x{number:X})").ok()?,
        None => out.push_str("<unsupported>"),
    }
    ids.each(|id| {
        let mut id = Seq((id.tag == SEQUENCE).then_some(id.content)?);
        let (zone, user) = (id.expect(INTEGER).filter(|zone| is_integer(zone))?, id.expect(OCTET_STRING)?);
        id.end()?;
        write!(out, "\n{:indent$}Zone: ", "").ok()?;
        integer(zone, out).ok()?;
        out.push_str(", User: ");
        dotted(user, out).ok()
    })
}

/// Writes a `Nonce`, which may be any bytes.
pub(super) fn nonce(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    write!(out, "{:indent$}", "").ok()?;
    if value.is_empty() {
        out.push('0');
    }
    value
        .iter()
        .enumerate()
        .try_for_each(|(at, octet)| write!(out, "{}{octet:02X}", if at > 0 && at % 35 == 0 { "\\\n" } else { "" }).ok())
}

/// Writes `CrlID ::= SEQUENCE { crlUrl [0] IA5String OPTIONAL, crlNum [1] INTEGER OPTIONAL, crlTime [2] GeneralizedTime OPTIONAL }`.
pub(super) fn crl_id(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let mut explicit = |tag, inner| match seq.optional(tag) {
        Some(content) => only(content, inner).map(Some),
        None => Some(None),
    };
    let (url, number) = (explicit(0xA0, IA5)?, explicit(0xA1, INTEGER)?);
    let time = explicit(0xA2, GENERALIZED_TIME)?;
    seq.end()?;
    if !number.is_none_or(is_integer) {
        return None;
    }
    if let Some(url) = url {
        write!(out, "{:indent$}crlUrl: ", "").ok()?;
        dotted(url, out).ok()?;
        out.push('\n');
    }
    if let Some(number) = number {
        write!(out, "{:indent$}crlNum: ", "").ok()?;
        serial(number, out).ok()?;
        out.push('\n');
    }
    if let Some(time) = time {
        write!(out, "{:indent$}crlTime: ", "").ok()?;
        time_of(GENERALIZED_TIME, time, out).ok()?;
        out.push('\n');
    }
    Some(())
}

/// Writes `ServiceLocator ::= SEQUENCE { issuer Name, locator AuthorityInfoAccessSyntax OPTIONAL }`.
pub(super) fn locator(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let mut seq = Seq::whole(value)?;
    let issuer = Name(tagwise_codec::SeqOf::deferred(seq.expect(SEQUENCE)?, 0));
    let places = seq.optional(SEQUENCE);
    seq.end()?;
    write!(out, "{:indent$}Issuer: {}", "", issuer.openssl_oneline()).ok()?;
    Seq(places.unwrap_or_default()).each(|place| {
        let mut place = Seq((place.tag == SEQUENCE).then_some(place.content)?);
        let (method, location) = (place.expect(OID)?, place.next()?);
        place.end()?;
        write!(out, "\n{:1$}", "", 2 * indent).ok()?;
        objects::long(method, out).ok()?;
        out.push_str(" - ");
        general::print(&location, out)
    })
}
