//! Uploads of entries to a mirror, in packages that each contain a proof (C2SP tlog-mirror, `add-entries`).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tagwise_codec::text::base64;

use super::MAX_PROOF;
use crate::error::{Error, ErrorKind};
use crate::hash::Hash;
use crate::landmark::decimal;
use crate::tree::MAX_SIZE;
use crate::wire::{Wire, put_number, put_vector};

/// The maximum number of entries in a package, the same as in a bundle.
const PACKAGE: u64 = 256;

/// An `add-entries` request: a header and packages of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddEntries<'a> {
    /// The log's name.
    pub origin: &'a str,
    /// The index of the first entry.
    pub start: u64,
    /// The size of the tree to which the proofs refer.
    pub end: u64,
    /// The ticket from [`MirrorInfo`], returned to the mirror unchanged.
    pub ticket: &'a [u8],
    /// The packages of entries.
    pub packages: Vec<EntryPackage<'a>>,
}

/// Entries of a single bundle, with a proof that the tree contains the bundle's entries up to the last one in the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPackage<'a> {
    /// The index of the first entry.
    pub first: u64,
    /// The entries in the package.
    pub entries: Vec<&'a [u8]>,
    /// The consistency proof of the subtree from the start of the bundle to the last entry in the package.
    pub proof: Vec<Hash>,
}

impl<'a> AddEntries<'a> {
    /// Decodes a request body. It may end after any package, because an upload can be continued later.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Request`] if the body is malformed, [`ErrorKind::ProofHashes`] if a proof contains too many hashes,
    /// or any error in a vector.
    pub fn decode(body: &'a [u8]) -> Result<Self, Error> {
        let mut wire = Wire::new(body);
        let origin = wire.vector(2, 1)?;
        let origin = core::str::from_utf8(origin.rest()).map_err(|_not_utf8| origin.fail(ErrorKind::Request))?;
        let (start, end) = (wire.number(8)?, wire.number(8)?);
        let ticket = wire.vector(2, 0)?.rest();
        if start > end || end > MAX_SIZE {
            return Err(wire.fail(ErrorKind::Request));
        }
        let mut packages = Vec::new();
        let mut first = start;
        // Each entry takes at least two bytes, so the loop ends with the input.
        while first < end && !wire.is_empty() {
            let last = end.min((first / PACKAGE).saturating_add(1).saturating_mul(PACKAGE));
            let mut entries = Vec::new();
            for _ in first..last {
                entries.push(wire.vector(2, 0)?.rest());
            }
            let count = usize::try_from(wire.number(1)?).unwrap_or(usize::MAX);
            if count > MAX_PROOF {
                return Err(wire.fail(ErrorKind::ProofHashes));
            }
            let (hashes, _) = wire.take(count.saturating_mul(32))?.as_chunks::<32>();
            packages.push(EntryPackage { first, entries, proof: hashes.to_vec() });
            first = last;
        }
        wire.finish()?;
        Ok(Self { origin, start, end, ticket, packages })
    }

    /// Encodes a request body.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooLong`] if a field is too long for its length prefix, or [`ErrorKind::ProofHashes`] if a proof
    /// contains too many hashes.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        put_vector(&mut out, 2, self.origin.as_bytes())?;
        put_number(&mut out, self.start, 8);
        put_number(&mut out, self.end, 8);
        put_vector(&mut out, 2, self.ticket)?;
        for package in &self.packages {
            for entry in &package.entries {
                put_vector(&mut out, 2, entry)?;
            }
            if package.proof.len() > MAX_PROOF {
                return Err(Error::new(ErrorKind::ProofHashes, 0));
            }
            put_number(&mut out, package.proof.len() as u64, 1);
            out.extend_from_slice(package.proof.as_flattened());
        }
        Ok(out)
    }
}

/// The state that a mirror reports to uploaders, with media type `text/x.tlog.mirror-info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorInfo {
    /// The size of the pending checkpoint, some of whose entries are missing.
    pub pending: u64,
    /// The index of the first missing entry.
    pub next_entry: u64,
    /// The ticket to be returned to the mirror.
    pub ticket: Vec<u8>,
}

impl MirrorInfo {
    /// The media type.
    pub const MEDIA_TYPE: &'static str = "text/x.tlog.mirror-info";

    /// Parses the state's three lines.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Request`] if the text is malformed.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fail = Error::new(ErrorKind::Request, 0);
        let lines: Vec<&str> = text.strip_suffix('\n').ok_or(fail)?.split('\n').collect();
        let [pending, next, ticket] = lines.as_slice() else { return Err(fail) };
        let number = |text: &str| decimal(text, MAX_SIZE).map_err(|_kind| fail);
        let ticket = base64::decode(ticket.as_bytes()).map_err(|_fault| fail)?;
        Ok(Self { pending: number(pending)?, next_entry: number(next)?, ticket })
    }

    /// Formats the state as text.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for MirrorInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.pending, self.next_entry, base64::encode(&self.ticket))
    }
}
