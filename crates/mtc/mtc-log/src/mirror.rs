//! A mirror: a witness that stores all entries of a log before it cosigns a checkpoint (C2SP tlog-mirror).

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use tagwise_mtc::crypto::BackendCheck;
use tagwise_mtc::note::{AddEntries, MirrorInfo, Note, NoteKey};
use tagwise_mtc::tile::{TilePath, WIDTH};
use tagwise_mtc::tree::{Frontier, Subtree, verify_consistency};
use tagwise_mtc::{Hash, hash};

use crate::NoteSigner;
use crate::error::{Error, failed};
use crate::log::{CheckpointRecord, Synchronous, checkpoint_where, put_checkpoint};
use crate::nodes::TileNodes;
use crate::publish::bytes_of;
use crate::store::{self, Row, number, stored};
use crate::witness::{Judged, KnownLog, Reply, identify, judge, refused, sign_subtree};

/// A mirror of one log, with its state, entries and tiles in a SQLite file.
#[derive(Debug)]
pub struct Mirror {
    connection: Connection,
    signer: NoteSigner,
    log: [KnownLog; 1],
}

/// A pending checkpoint, some of whose entries are missing.
struct Pending {
    size: u64,
    root: Hash,
    note: String,
}

impl Mirror {
    /// Opens or creates the file for a mirror of one log. The tree is recomputed from its tiles and compared with the recorded
    /// root.
    ///
    /// # Errors
    /// Returns [`Error::Foreign`] if the file is not this mirror's database, [`Error::Fork`] if the roots differ, or any
    /// database error.
    pub fn open(
        path: &Path,
        signer: NoteSigner,
        log: KnownLog,
        synchronous: Synchronous,
        now: u64,
    ) -> Result<Self, Error> {
        let mut connection = store::open(path, true, synchronous)?;
        identify(&mut connection, "mirror", &format!("{} {}", signer.key().name(), log.origin), now)?;
        store::check(&connection)?;
        Ok(Self { connection, signer, log: [log] })
    }

    /// Returns the mirror's key.
    #[must_use]
    pub const fn key(&self) -> &NoteKey {
        self.signer.key()
    }

    /// Returns the name of the log.
    #[must_use]
    pub const fn origin(&self) -> &str {
        let [log] = &self.log;
        log.origin.as_str()
    }

    /// Returns the number of stored entries.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn size(&self) -> Result<u64, Error> {
        Ok(store::state(&self.connection)?.0)
    }

    /// Returns the last cosigned checkpoint, whose entries are all stored.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn last(&self) -> Result<Option<CheckpointRecord>, Error> {
        checkpoint_where(&self.connection, self.origin(), "ORDER BY size DESC", 0)
    }

    /// Returns a tile or entry bundle of the last checkpoint.
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if it does not exist, or any database error.
    pub fn tile(&self, path: &TilePath) -> Result<Vec<u8>, Error> {
        bytes_of(&self.connection, path, self.last()?.map_or(0, |last| last.size))
    }

    /// Answers `add-checkpoint`. The checkpoint remains pending and unsigned until all its entries are stored.
    ///
    /// # Errors
    /// Returns any database error.
    pub fn add_checkpoint(&mut self, body: &[u8], check: &BackendCheck<'_>) -> Result<Reply, Error> {
        let (request, Judged { checkpoint, note }) = match judge(&self.log, body, check) {
            Ok(judged) => judged,
            Err(reply) => return Ok(reply),
        };
        let doing = "recording a checkpoint";
        let transaction = store::begin(&mut self.connection, doing)?;
        let last = checkpoint_where(&transaction, &checkpoint.origin, "ORDER BY size DESC", 0)?;
        let last = last.map(|last| (last.size, last.root));
        let waiting = pending(&transaction, &checkpoint.origin)?.map(|waiting| (waiting.size, waiting.root));
        let before = waiting.or(last).unwrap_or((0, hash::EMPTY));
        if let Some(reply) = refused(&request, &checkpoint, before) {
            return Ok(reply);
        }
        let insert = "INSERT INTO pending (origin, size, root, note) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (origin) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note";
        let row = params![checkpoint.origin, stored(checkpoint.size), checkpoint.root.as_slice(), note.to_string()];
        transaction.execute(insert, row).map_err(failed(doing))?;
        transaction.commit().map_err(failed(doing))?;
        Ok(Reply::text(200, ""))
    }

    /// Answers `add-entries`. Each package is checked against the pending checkpoint before it is stored. After the last
    /// package, the checkpoint is cosigned.
    ///
    /// # Errors
    /// Returns any error from the database, or an error if signing fails.
    pub fn add_entries(&mut self, body: &[u8], now: u64) -> Result<Reply, Error> {
        let request = match AddEntries::decode(body) {
            Ok(request) => request,
            Err(error) => return Ok(Reply::refusal(400, &error)),
        };
        if request.origin != self.origin() {
            return Ok(Reply::refusal(404, &"unknown log"));
        }
        let origin = self.origin().to_owned();
        let doing = "storing entries";
        let transaction = store::begin(&mut self.connection, doing)?;
        let state = store::state(&transaction)?;
        let Some(waiting) = pending(&transaction, &origin)? else {
            return Ok(Reply::refusal(404, &"there is no pending checkpoint"));
        };
        let told = |status: u16, next_entry: u64| Reply {
            status,
            media_type: MirrorInfo::MEDIA_TYPE,
            body: MirrorInfo { pending: waiting.size, next_entry, ticket: Vec::new() }.text().into_bytes(),
        };
        if request.start != state.0 || request.end != waiting.size {
            return Ok(told(409, state.0));
        }
        // The part of the first bundle that is already stored.
        let bundle = state.0 / WIDTH * WIDTH;
        let mut edge = {
            let nodes = TileNodes::new(&*transaction);
            let mut edge = Frontier::new();
            for index in bundle..state.0 {
                edge.push(tagwise_mtc::tree::NodeReader::node(&nodes, 0, index)?);
            }
            edge
        };
        let (mut rows, mut leaves) = (Vec::new(), Vec::new());
        for package in &request.packages {
            if package.first % WIDTH == 0 {
                edge = Frontier::new();
            }
            for entry in &package.entries {
                let leaf = hash::leaf(entry);
                edge.push(leaf);
                leaves.push(leaf);
                rows.push(Row { entry, key: None });
            }
            let start = package.first / WIDTH * WIDTH;
            let end = package.first.saturating_add(package.entries.len() as u64);
            let consistent = Subtree::new(start, end).is_some_and(|subtree| {
                verify_consistency(subtree, waiting.size, &package.proof, &edge.root(), &waiting.root)
            });
            if !consistent {
                return Ok(Reply::refusal(422, &"the proof of a package does not match its entries"));
            }
        }
        let (size, root) = store::append(&transaction, state, &rows, leaves)?;
        let reply = if size == waiting.size {
            if root != waiting.root {
                return Ok(Reply::refusal(422, &"the entries do not match the checkpoint's root"));
            }
            let mut note = Note::parse(&waiting.note)?;
            let line = self.signer.sign(note.text(), now)?;
            note.add(line.clone());
            put_checkpoint(&transaction, &origin, &CheckpointRecord { size, root, time: now, note: note.to_string() })?;
            Reply::text(200, format!("{line}\n"))
        } else {
            told(202, size)
        };
        transaction.commit().map_err(failed(doing))?;
        Ok(reply)
    }

    /// Answers `sign-subtree` like a witness.
    ///
    /// # Errors
    /// Returns an error if signing fails.
    pub fn sign_subtree(&self, body: &[u8], check: &BackendCheck<'_>) -> Result<Reply, Error> {
        sign_subtree(&self.signer, &self.log, body, check)
    }
}

fn pending(connection: &Connection, origin: &str) -> Result<Option<Pending>, Error> {
    let doing = failed("reading the pending checkpoint");
    let select = "SELECT size, root, note FROM pending WHERE origin = ?1";
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, String>(2)?));
    let found = connection.query_row(select, [origin], read).optional().map_err(doing)?;
    let Some((size, root, note)) = found else { return Ok(None) };
    Ok(Some(Pending { size: number(size), root: store::hash(&root)?, note }))
}
