//! Documents with typed contents.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tagwise_pkix::UnixTime;

use super::AuthorityId;
use super::documents::{Document, Documents};
use crate::Error;

/// The content of a kind of documents.
pub trait Record: Serialize + DeserializeOwned {
    /// The kind of the documents.
    const KIND: &'static str;
}

/// A document and its content.
#[derive(Clone, Debug)]
pub struct Row<T> {
    document: Document,
    /// The content.
    pub value: T,
}

impl<T: Record> Row<T> {
    /// Creates the first version of a document.
    #[must_use]
    pub fn new(id: &str, owner: &str, expires: UnixTime, value: T) -> Self {
        Self { document: Document::new(T::KIND, id, owner, expires, String::new()), value }
    }

    fn read(document: Document) -> Result<Self, Error> {
        // The text of the decoder's error may quote a secret.
        let damaged = |_| Error::Damaged { what: document.name() };
        let value = serde_json::from_str(&document.content).map_err(damaged)?;
        Ok(Self { document, value })
    }

    /// The document with the current content.
    fn written(&self) -> Result<Document, Error> {
        let failed = |error: serde_json::Error| Error::Store { doing: "encoding a document", source: error.into() };
        let content = serde_json::to_string(&self.value).map_err(failed)?;
        Ok(Document { content, ..self.document.clone() })
    }

    /// The identifier.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.document.id
    }

    /// The identifier of the owner, or an empty string.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.document.owner
    }

    /// The time after which the document may be deleted.
    #[must_use]
    pub const fn expires(&self) -> UnixTime {
        self.document.expires
    }

    /// Sets the time after which the document may be deleted. It is stored by the next update.
    pub const fn keep_until(&mut self, expires: UnixTime) {
        self.document.expires = expires;
    }
}

/// The documents of a CA, read and written by the type of their contents.
///
/// ```
/// # #[cfg(feature = "sqlite")] {
/// use serde::{Deserialize, Serialize};
/// use tagwise_ca::{Error, Record, Records, Row, SqliteStore};
/// use tagwise_pkix::UnixTime;
/// # use tagwise_ca::{Authority, Founding, Protection, Urls};
/// # use tagwise_crypto::{Backend, KeyType, backends::AwsLc};
/// # let mut store = SqliteStore::in_memory()?;
/// # let backend = AwsLc::new();
/// # let founding = Founding {
/// #     label: "ca", subject: tagwise_pkix::name::NameBuf::parse("CN=Root")?, key_identifier: None, not_before: UnixTime(0),
/// #     not_after: UnixTime(4_000_000_000), path_len: None, urls: Urls::default(), pss: false,
/// # };
/// # let key = backend.generate(KeyType::Ed25519)?;
/// # let ca = Authority::found(&mut store, &backend, &key, &founding, &Protection::Clear)?.id();
///
/// #[derive(Clone, Serialize, Deserialize)]
/// struct Order {
///     ready: bool,
/// }
///
/// impl Record for Order {
///     const KIND: &'static str = "order";
/// }
///
/// let mut records = Records { store: &mut store, authority: ca };
/// let mut one = Row::new("o1", "eva", UnixTime(1_790_000_000), Order { ready: false });
/// assert!(records.insert(&one)?);
/// let mut other = records.get::<Order>("o1")?.ok_or("missing")?;
/// one.value.ready = true;
/// records.update(&mut one)?;
/// // It has been changed in the meantime.
/// assert!(matches!(records.update(&mut other), Err(Error::Conflict)));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Records<'a> {
    /// The database.
    pub store: &'a mut dyn Documents,
    /// The CA.
    pub authority: AuthorityId,
}

impl core::fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Records").field("authority", &self.authority).finish_non_exhaustive()
    }
}

impl Records<'_> {
    /// Returns a document.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the document was modified, or any error from the database.
    pub fn get<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Error> {
        self.store.document(self.authority, T::KIND, id)?.map(Row::read).transpose()
    }

    /// Inserts a document. Returns false if there already is one with this identifier.
    ///
    /// # Errors
    /// Any error from the database.
    pub fn insert<T: Record>(&mut self, row: &Row<T>) -> Result<bool, Error> {
        self.store.insert_document(self.authority, &row.written()?)
    }

    /// Updates a document, unless it has been changed or deleted since it was read.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it has been changed or deleted, or any error from the database.
    pub fn update<T: Record>(&mut self, row: &mut Row<T>) -> Result<(), Error> {
        if !self.store.update_document(self.authority, &row.written()?)? {
            return Err(Error::Conflict);
        }
        row.document.version = row.document.version.saturating_add(1);
        Ok(())
    }

    /// Inserts or replaces a document.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it is being changed, or any error from the database.
    pub fn put<T: Record>(&mut self, new: Row<T>) -> Result<(), Error> {
        if self.insert(&new)? {
            return Ok(());
        }
        let mut row = self.get::<T>(new.id())?.ok_or(Error::Conflict)?;
        row.keep_until(new.expires());
        row.value = new.value;
        self.update(&mut row)
    }

    /// Deletes a document and returns it. Of several callers, only one receives it.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the document was modified, or any error from the database.
    pub fn take<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Error> {
        self.store.take_document(self.authority, T::KIND, id)?.map(Row::read).transpose()
    }

    /// Returns up to `limit` documents of an owner, by identifier, after the given one.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a document was modified, or any error from the database.
    pub fn page<T: Record>(&mut self, owner: &str, after: &str, limit: u32) -> Result<Vec<Row<T>>, Error> {
        let found = self.store.documents_of(self.authority, T::KIND, owner, after, limit)?;
        found.into_iter().map(Row::read).collect()
    }

    /// Returns all documents of an owner, by identifier.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a document was modified, or any error from the database.
    pub fn list<T: Record>(&mut self, owner: &str) -> Result<Vec<Row<T>>, Error> {
        let mut rows: Vec<Row<T>> = Vec::new();
        loop {
            let after = rows.last().map_or_else(String::new, |row| row.id().to_owned());
            let page = self.page(owner, &after, 256)?;
            if page.is_empty() {
                return Ok(rows);
            }
            rows.extend(page);
        }
    }
}
