//! Conversion of certificate contents to log entries, and of entries to certificates.

use rusqlite::OptionalExtension;
use tagwise_codec::{Decode, Oid, SeqOf, Tag, element_len, encode};
use tagwise_mtc::landmark::Landmark;
use tagwise_mtc::tree::{Subtree, cover, inclusion_proof};
use tagwise_mtc::{
    CertificateProperties, Cosignature, Cosignatures, EntryContent, EntryExtensions, LogEntry, MtcProof, Serial,
    TbsCertificateLogEntry, assemble, hash,
};
use tagwise_pkix::build::ExtensionList;
use tagwise_pkix::ext::{ExtKeyUsage, GeneralNames, KeyUsage, SubjectAltName};
use tagwise_pkix::{Extensions, TbsCertificate, Time, UnixTime, Validity, oids};

use crate::error::{Error, failed};
use crate::log::{Log, LogInfo, NewEntry};
use crate::nodes::TileNodes;
use crate::store::stored;

/// The content of a server certificate.
#[derive(Clone, Debug)]
pub struct Template<'a> {
    /// The subject's distinguished name in DER. An empty SEQUENCE means no name.
    pub subject: &'a [u8],
    /// The subject alternative names.
    pub alt_names: Option<GeneralNames<'a>>,
    /// The subject's public key, as a DER SubjectPublicKeyInfo.
    pub key_info: &'a [u8],
    /// The validity period. Both ends are inclusive.
    pub validity: (UnixTime, UnixTime),
}

/// Creates the log entry for a server certificate, with the key usage digitalSignature, the extended key usage serverAuth
/// and the subject alternative names.
///
/// # Errors
/// Returns [`Error::Format`] if the key is malformed or the entry is too long, or [`Error::Store`] if a value cannot be
/// encoded.
pub fn entry_of(info: &LogInfo, template: &Template<'_>) -> Result<NewEntry, Error> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| Error::store("encoding an entry")(error);
    let mut list = ExtensionList::new();
    // digitalSignature (0)
    let usage = KeyUsage(tagwise_codec::NamedBits::from_mask(1));
    let purposes = [oids::KP_SERVER_AUTH];
    list.add(true, &usage).map_err(|error| failed(error.into()))?;
    list.add(false, &ExtKeyUsage(SeqOf::from_slice(&purposes))).map_err(|error| failed(error.into()))?;
    let has_subject = template.subject != [0x30, 0];
    if let Some(names) = template.alt_names {
        // RFC 5280 §4.2.1.6: critical if the subject is empty.
        list.add(!has_subject, &SubjectAltName(names)).map_err(|error| failed(error.into()))?;
    }
    let extensions = list.extensions();
    let extensions = match Extensions::new(&extensions) {
        Some(extensions) => encode(&extensions).map_err(|error| failed(error.into()))?,
        None => Vec::new(),
    };
    let rest = if extensions.is_empty() { extensions } else { explicit(3, &extensions) };
    let time = |unix| Time::from_unix(unix).map_err(|error| failed(error.into()));
    let validity = Validity { not_before: time(template.validity.0)?, not_after: time(template.validity.1)? };
    let validity = encode(&validity).map_err(|error| failed(error.into()))?;
    new_entry(info, &validity, template.subject, template.key_info, &rest)
}

/// Extensions that describe the issuing CA, its key, CRLs and responders. A certificate with a proof has a different issuer.
const OF_THE_SIGNER: [Oid<'static>; 4] =
    [oids::AUTHORITY_KEY_IDENTIFIER, oids::CRL_DISTRIBUTION_POINTS, oids::AUTHORITY_INFO_ACCESS, oids::FRESHEST_CRL];

/// Creates the log entry for another CA's TBSCertificate in DER, with the log's CA as issuer. Extensions that describe the
/// original issuer are omitted.
///
/// # Errors
/// Returns [`Error::Format`] if the entry is too long, or [`Error::Store`] if the input is not a TBSCertificate.
pub fn entry_of_tbs(info: &LogInfo, tbs: &[u8]) -> Result<NewEntry, Error> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| Error::store("encoding an entry")(error);
    let tbs = TbsCertificate::from_der(tbs).map_err(|error| failed(error.into()))?;
    let mut kept = Vec::new();
    for extension in tbs.extensions.iter().flat_map(Extensions::iter) {
        let extension = extension.map_err(|error| failed(error.into()))?;
        if !OF_THE_SIGNER.contains(&extension.extn_id) {
            kept.push(extension);
        }
    }
    let extensions = match Extensions::new(&kept) {
        Some(extensions) => encode(&extensions).map_err(|error| failed(error.into()))?,
        None => Vec::new(),
    };
    let mut rest = Vec::new();
    for (number, bits) in [(1, tbs.issuer_unique_id), (2, tbs.subject_unique_id)] {
        if bits.is_some() {
            // They qualify the original CA's names, and RFC 5280 §4.1.2.8 forbids them.
            let why = format!("the unique identifier [{number}] is not supported");
            return Err(failed(why.into()));
        }
    }
    if !extensions.is_empty() {
        rest.extend_from_slice(&explicit(3, &extensions));
    }
    let encoded = |done: Result<Vec<u8>, tagwise_codec::EncodeError>| done.map_err(|error| failed(error.into()));
    let (validity, subject) = (encoded(encode(&tbs.validity))?, encoded(encode(&tbs.subject))?);
    let key_info = encoded(encode(&tbs.subject_public_key_info))?;
    new_entry(info, &validity, &subject, &key_info, &rest)
}

/// Creates the entry of a version 3 certificate.
fn new_entry(info: &LogInfo, validity: &[u8], subject: &[u8], key_info: &[u8], rest: &[u8]) -> Result<NewEntry, Error> {
    let issuer = info.ca.to_distinguished_name(info.draft);
    let fields = TbsCertificateLogEntry {
        // [0] { INTEGER 2 }
        version: Some(&[0xA0, 0x03, 0x02, 0x01, 0x02]),
        issuer: &issuer,
        validity,
        subject,
        key_algorithm: tagwise_mtc::key_algorithm(key_info)?,
        key_hash: hash::plain(key_info),
        rest,
    };
    let entry = LogEntry::certificate(&fields.to_contents()).encode()?;
    Ok(NewEntry { entry, key: Some(key_info.to_vec()) })
}

/// Encodes an element with an explicit context-specific tag.
fn explicit(number: u32, content: &[u8]) -> Vec<u8> {
    let tag = Tag::context(number).constructed();
    let mut out = vec![0; element_len(tag, content.len())];
    let mut writer = tagwise_codec::Writer::new(&mut out);
    // The writer works backwards, and the buffer has the exact size.
    let done = writer.bytes(content).and_then(|()| writer.header(tag, content.len()));
    if done.is_ok() { out } else { Vec::new() }
}

/// A certificate created for an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// The certificate's serial number.
    pub serial: Serial,
    /// The certificate in DER.
    pub der: Vec<u8>,
    /// The certificate properties, which a TLS server uses to select a path.
    pub properties: CertificateProperties,
    /// The subtree in the certificate's inclusion proof.
    pub subtree: Subtree,
    /// The landmark to which the certificate is relative, or `None` for a standalone certificate.
    pub landmark: Option<Landmark>,
}

impl Log {
    /// Creates the standalone certificates for a range of entries, with all available subtree signatures. Null entries,
    /// and entries without a signed checkpoint, are skipped.
    ///
    /// # Errors
    /// Returns [`Error::Missing`] if a key was not stored, or any database error.
    pub fn certificates(&self, start: u64, end: u64) -> Result<Vec<Certified>, Error> {
        let nodes = self.nodes();
        let mut out = Vec::new();
        let mut known: Option<(Subtree, Vec<u8>)> = None;
        let properties = CertificateProperties::of_standalone(&self.info.ca)?;
        for index in start..end {
            let fits = known.as_ref().is_some_and(|(subtree, _)| subtree.contains(index));
            if !fits {
                let Some(checkpoint) = self.checkpoint_with(index)? else { break };
                let before = self.size_before(index)?;
                let subtrees = cover(before, checkpoint.size).into_iter().flatten();
                let subtree = subtrees.rev().find(|subtree| subtree.contains(index));
                let subtree = subtree.ok_or(Error::Missing("subtree of the entry"))?;
                let cosignatures = self.cosignatures(subtree)?;
                let list: Vec<Cosignature<'_>> = cosignatures
                    .iter()
                    .map(|(cosigner, signature)| Cosignature { cosigner: *cosigner, signature })
                    .collect();
                known = Some((subtree, Cosignatures::encode(&list)?));
            }
            let Some((subtree, signatures)) = &known else { break };
            if let Some((serial, der)) = self.assembled(&nodes, index, *subtree, signatures)? {
                let properties = properties.clone();
                out.push(Certified { serial, der, properties, subtree: *subtree, landmark: None });
            }
        }
        Ok(out)
    }

    /// Creates the standalone certificate for an entry, if available.
    ///
    /// # Errors
    /// Returns any error from [`certificates`](Self::certificates).
    pub fn certificate(&self, index: u64) -> Result<Option<Certified>, Error> {
        Ok(self.certificates(index, index.saturating_add(1))?.pop())
    }

    /// Creates the certificate for an entry relative to the lowest landmark that contains it, if there is one at the given
    /// time.
    ///
    /// # Errors
    /// Returns any error from [`certificates`](Self::certificates).
    pub fn landmark_certificate(&self, index: u64, now: u64) -> Result<Option<Certified>, Error> {
        let Some((landmark, subtree)) = self.landmarks(now)?.subtree_of(index) else { return Ok(None) };
        let Some((serial, der)) = self.assembled(&self.nodes(), index, subtree, &[])? else { return Ok(None) };
        let properties = CertificateProperties::of_landmark(&self.info.ca, self.info.number, landmark.number)?;
        Ok(Some(Certified { serial, der, properties, subtree, landmark: Some(landmark) }))
    }

    /// Returns an entry with its public key, if stored.
    fn keyed(&self, index: u64) -> Result<(Vec<u8>, Option<Vec<u8>>), Error> {
        let doing = failed("reading an entry");
        let select = "SELECT entry, key FROM entry WHERE id = ?1";
        let mut select = self.connection.prepare_cached(select).map_err(doing)?;
        let found = select.query_row([stored(index)], |row| Ok((row.get(0)?, row.get(1)?))).optional();
        found.map_err(doing)?.ok_or(Error::Missing("entry"))
    }

    fn assembled(
        &self,
        nodes: &TileNodes<'_, rusqlite::Connection>,
        index: u64,
        subtree: Subtree,
        signatures: &[u8],
    ) -> Result<Option<(Serial, Vec<u8>)>, Error> {
        let (entry, key) = self.keyed(index)?;
        let EntryContent::TbsCert(contents) = LogEntry::decode(&entry)?.content else { return Ok(None) };
        let key = key.ok_or(Error::Missing("public key of the entry"))?;
        let hashes = inclusion_proof(nodes, subtree, index)?;
        let proof = MtcProof {
            extensions: EntryExtensions::NONE,
            subtree,
            inclusion_proof: &hashes,
            signatures: Cosignatures::from_bytes(signatures)?,
        };
        let serial = Serial::new(self.info.number, index)?;
        Ok(Some((serial, assemble(contents, &key, serial, &proof)?)))
    }
}
