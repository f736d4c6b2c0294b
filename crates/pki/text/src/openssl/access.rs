//! AuthorityInfoAccess and SubjectInfoAccess.

use core::fmt::Write;

use crate::openssl::general;
use crate::openssl::walk::{OID, SEQUENCE, Seq};

pub(super) fn descriptions(value: &[u8], indent: usize, out: &mut String) -> Option<()> {
    let list = Seq::whole(value)?;
    if list.is_empty() {
        return writeln!(out, "{:indent$}<EMPTY>", "").ok();
    }
    let mut first = true;
    list.each(|description| {
        let mut seq = Seq((description.tag == SEQUENCE).then_some(description.content)?);
        let (method, location) = (seq.expect(OID)?, seq.next()?);
        seq.end()?;
        write!(out, "{}{:indent$}", if first { "" } else { "\n" }, "").ok()?;
        first = false;
        general::value(&location, Some(method), out)
    })
}
