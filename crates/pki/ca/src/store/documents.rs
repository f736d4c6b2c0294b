//! Documents beside a CA's certificates: the accounts, orders and nonces of servers that issue on request.

use tagwise_pkix::UnixTime;

use super::AuthorityId;
use super::digests::{self, Fields};
use crate::{Error, Store};

/// A document with the columns that the database searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The kind, such as `order`.
    pub kind: String,
    /// The identifier, which is unique within the kind.
    pub id: String,
    /// The identifier of the owner, or an empty string.
    pub owner: String,
    /// The time after which [`purge_documents`](Documents::purge_documents) may delete the document.
    pub expires: UnixTime,
    /// The number of changes.
    pub version: i64,
    /// The content: a JSON object, whose members only the caller interprets. An audit reports any other content.
    pub content: String,
}

impl Document {
    /// Creates the first version of a document.
    #[must_use]
    pub fn new(kind: &str, id: &str, owner: &str, expires: UnixTime, content: String) -> Self {
        Self { kind: kind.to_owned(), id: id.to_owned(), owner: owner.to_owned(), expires, version: 0, content }
    }

    /// The name of the document in errors and findings.
    pub(crate) fn name(&self) -> String {
        format!("the document `{}` of kind `{}`", self.id, self.kind)
    }

    /// Returns the digest of a CA's document.
    pub(crate) fn digest(&self, of: AuthorityId) -> Vec<u8> {
        let fields = Fields::new("document").number(of.0).octets(self.kind.as_bytes()).octets(self.id.as_bytes());
        let fields = fields.octets(self.owner.as_bytes()).number(self.expires.0).number(self.version);
        fields.octets(self.content.as_bytes()).digest()
    }

    /// Returns the digest of the document after an update, which increases the version.
    pub(crate) fn next_digest(&self, of: AuthorityId) -> Vec<u8> {
        Self { version: self.version.saturating_add(1), ..self.clone() }.digest(of)
    }

    /// Checks the stored digest, if the tables have digests of documents.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the digest does not match.
    pub(crate) fn checked(self, of: AuthorityId, stored: Option<&[u8]>) -> Result<Self, Error> {
        digests::check(stored, || self.digest(of), || self.name())?;
        Ok(self)
    }
}

/// A store of documents. Each method is one transaction, unless writes are [combined](Store::combine).
///
/// ```
/// # #[cfg(feature = "sqlite")] {
/// use tagwise_ca::store::AuthorityId;
/// use tagwise_ca::{Document, Documents, SqliteStore};
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
/// let nonce = Document::new("nonce", "n1", "", UnixTime(1_790_000_000), "{}".to_owned());
/// assert!(store.insert_document(ca, &nonce)?);
/// assert!(!store.insert_document(ca, &nonce)?);
/// // Only the first caller receives it.
/// assert!(store.take_document(ca, "nonce", "n1")?.is_some());
/// assert!(store.take_document(ca, "nonce", "n1")?.is_none());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Documents: Store {
    /// Returns a document.
    ///
    /// # Errors
    /// Errors of the database.
    fn document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error>;

    /// Inserts a document. Returns false if the kind already has a document with this identifier.
    ///
    /// # Errors
    /// Errors of the database.
    fn insert_document(&mut self, of: AuthorityId, document: &Document) -> Result<bool, Error>;

    /// Replaces the owner, expiry and content of a document if it still has the given version, which then increases.
    /// Returns false if it was changed or deleted in the meantime.
    ///
    /// # Errors
    /// Errors of the database.
    fn update_document(&mut self, of: AuthorityId, document: &Document) -> Result<bool, Error>;

    /// Returns up to `limit` documents of an owner, by identifier, after the given one.
    ///
    /// # Errors
    /// Errors of the database.
    fn documents_of(
        &mut self,
        of: AuthorityId,
        kind: &str,
        owner: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Document>, Error>;

    /// Deletes a document and returns it. Of several callers, only one receives it.
    ///
    /// # Errors
    /// Errors of the database.
    fn take_document(&mut self, of: AuthorityId, kind: &str, id: &str) -> Result<Option<Document>, Error>;

    /// Deletes documents that have expired, at most `limit` at once. Returns their number.
    ///
    /// # Errors
    /// Errors of the database.
    fn purge_documents(&mut self, of: AuthorityId, now: UnixTime, limit: u32) -> Result<u64, Error>;
}
