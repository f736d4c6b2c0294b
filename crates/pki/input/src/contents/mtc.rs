//! Entry bundles of Merkle Tree Certificate logs. Each entry has the fields of one certificate, or is null.

use std::borrow::Cow;

use super::ct::offset_in;
use super::der::along;
use super::{ContentsKind, Found, Gather, Spot};
use crate::mtc_entry::{WIDTH, content, next, to_der};

impl Gather<'_, '_> {
    /// Adds the entries of a bundle, except null entries.
    pub(super) fn mtc_entries(&mut self, octets: &[u8], spot: Spot) {
        let (mut out, mut found) = (Vec::new(), Vec::new());
        let mut rest = octets;
        for count in 0.. {
            let here = along(spot, octets.len() - rest.len());
            if rest.is_empty() {
                break;
            }
            if count == WIDTH {
                self.fail(here, "mtc", "more than 256 entries in an entry bundle of an MTC log (C2SP tlog-tiles)");
                break;
            }
            let entry = match next(&mut rest) {
                Ok(entry) => entry,
                Err(message) => {
                    self.fail(here, "mtc", message);
                    break;
                }
            };
            match content(entry) {
                Ok(Some(content)) => {
                    let (kind, start, der) = (ContentsKind::LogEntry, out.len(), to_der(content));
                    let spot = along(spot, offset_in(octets, content));
                    found.push(Found { kind, start, len: der.len(), spot, settings: 0 });
                    out.extend_from_slice(&der);
                }
                Ok(None) => {}
                Err(message) => self.fail(here, "mtc", message),
            }
        }
        self.keep(Cow::Owned(out), found);
    }
}
