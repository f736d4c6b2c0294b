//! Entries of certificate transparency logs: the answer to `get-entries` (RFC 6962 §4.6), and data tiles of static logs
//! (static-ct-api). Each entry has one certificate or precertificate. The chains that RFC 6962 repeats with each entry are
//! ignored, and tiles have none.

use std::borrow::Cow;

use tagwise_codec::text::base64;

use super::der::along;
use super::{ContentsKind, Found, Gather, Spot};
use crate::ct_entry::{json_leaf, tile_leaf};
use crate::ct_json::{Entries, Member};

/// Returns the bytes of a member in base64, or `None` if it is missing.
fn decoded(member: Member<'_>, name: &str) -> Result<Option<Vec<u8>>, (&'static str, String)> {
    match member {
        Member::Missing => Ok(None),
        Member::Text(text) => {
            let octets = base64::decode_wrapped(&text);
            octets.map(Some).map_err(|fault| (fault.kind().code(), fault.kind().text().into()))
        }
        Member::Other => Err(("ct", format!("malformed entry of a CT log: {name} is not a string"))),
        Member::Duplicate => Err(("ct", format!("malformed entry of a CT log: duplicate {name}"))),
    }
}

impl<'a> Gather<'a, '_> {
    /// Adds the certificates and precertificates of entries in JSON. Returns whether there are entries.
    pub(super) fn ct_entries(&mut self, text: &[u8], spot: Spot) -> bool {
        let mut out = Vec::new();
        let mut found = Vec::new();
        let failures = self.contents.failures.len();
        for entry in Entries::new(text, spot.line.max(1)) {
            let at = |offset: usize, line| Spot { line, offset: spot.offset.saturating_add(offset as u32), ..spot };
            let entry = match entry {
                Ok(entry) => entry,
                Err(broken) => {
                    self.fail(at(broken.start, broken.line), broken.code, broken.message);
                    continue;
                }
            };
            let here = at(entry.start, entry.line);
            let (leaf, extra) = match (decoded(entry.leaf, "leaf_input"), decoded(entry.extra, "extra_data")) {
                (Ok(Some(leaf)), Ok(extra)) => (leaf, extra),
                (Ok(None), Ok(_)) => {
                    self.fail(here, "ct", "missing leaf_input, expected an entry of a CT log (RFC 6962 §4.6)");
                    continue;
                }
                (Err((code, message)), _) | (_, Err((code, message))) => {
                    self.fail(here, code, message);
                    continue;
                }
            };
            match json_leaf(&leaf, extra.as_deref()) {
                Ok(der) => {
                    let (kind, start) = (ContentsKind::Certificate, out.len());
                    out.extend_from_slice(der);
                    found.push(Found { kind, start, len: der.len(), spot: here, settings: 0 });
                }
                Err(message) => self.fail(here, "ct", message),
            }
        }
        let any = !found.is_empty();
        if any {
            self.keep(Cow::Owned(out), found);
        }
        any || self.contents.failures.len() > failures
    }

    /// Adds the certificates and precertificates of a data tile.
    pub(super) fn ct_tile(&mut self, octets: Cow<'a, [u8]>, spot: Spot) {
        let mut found = Vec::new();
        let mut rest = &*octets;
        while !rest.is_empty() {
            let at = octets.len() - rest.len();
            match tile_leaf(&mut rest) {
                Ok(der) => {
                    let start = offset_in(&octets, der);
                    let (kind, len) = (ContentsKind::Certificate, der.len());
                    found.push(Found { kind, start, len, spot: along(spot, start), settings: 0 });
                }
                Err(message) => {
                    self.fail(along(spot, at), "ct", message);
                    break;
                }
            }
        }
        self.keep(octets, found);
    }
}

/// Returns the offset of a part in the bytes that contain it.
pub(super) fn offset_in(whole: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}
