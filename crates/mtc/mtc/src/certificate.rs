//! Certificates with an `MTCProof` as their signature.

use alloc::vec::Vec;

use tagwise_codec::{Int, Oid, Reader, Tag, UnixTime};

use crate::algorithm::{key_algorithm, read_key};
use crate::draft::Draft;
use crate::entry::{LogEntry, TbsCertificateLogEntry, optional_fields, sequence};
use crate::error::{Error, ErrorKind};
use crate::hash::{self, Hash, LeafHasher};
use crate::id::{algorithm, put_header};
use crate::proof::MtcProof;
use crate::{EntryContent, Serial, TrustAnchorId};

/// A certificate with a proof: standalone if it has trusted cosignatures, otherwise landmark-relative (MTC §6.2).
///
/// The structure, serial number, signature algorithm, issuer, public key and proof are checked strictly. Other fields are
/// hashed as they are, and their contents are left to path validation.
#[derive(Clone, Copy, Debug)]
pub struct MtcCertificate<'a> {
    draft: Draft,
    issuer: TrustAnchorId,
    serial: Serial,
    tbs: &'a [u8],
    fields: TbsCertificateLogEntry<'a>,
    key_info: &'a [u8],
    proof: MtcProof<'a>,
}

/// Returns whether a certificate's outer signature algorithm is defined by a Merkle Tree Certificates draft.
#[must_use]
pub fn is_mtc(der: &[u8]) -> bool {
    let found = || -> Result<bool, Error> {
        let mut reader = Reader::new(der)?;
        let len = reader.expect(Tag::SEQUENCE)?;
        let _outer = reader.enter(len)?;
        reader.skip()?;
        let found = sequence(&mut reader)?;
        Ok(Draft::ALL.into_iter().any(|draft| is_proof_algorithm(found, draft)))
    };
    found().unwrap_or(false)
}

/// Returns whether an AlgorithmIdentifier is that of a proof, ignoring its parameters.
fn is_proof_algorithm(der: &[u8], draft: Draft) -> bool {
    let oid = || -> Result<bool, Error> {
        let mut reader = Reader::new(der)?;
        let len = reader.expect(Tag::SEQUENCE)?;
        let _outer = reader.enter(len)?;
        Ok(reader.read::<Oid<'_>>()? == draft.proof_algorithm())
    };
    oid().unwrap_or(false)
}

impl<'a> MtcCertificate<'a> {
    /// Decodes a certificate.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotMtcProof`] for signed certificates, [`ErrorKind::AlgorithmMismatch`],
    /// [`ErrorKind::MixedDrafts`], [`ErrorKind::SerialRange`], any error in the issuer's name or the proof, or any DER error.
    pub fn from_der(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der)?;
        // Certificate ::= SEQUENCE { tbsCertificate TBSCertificate,
        let len = reader.expect(Tag::SEQUENCE)?;
        let whole = reader.enter(len)?;
        let start = reader.position();
        let len = reader.expect(Tag::SEQUENCE)?;
        let tbs = reader.enter(len)?;
        //   version [0] EXPLICIT Version DEFAULT v1,
        let version = reader.at(Tag::context(0)).then(|| reader.skip()).transpose()?;
        //   serialNumber CertificateSerialNumber,
        let at = reader.offset();
        let serial: Int<'_> = reader.read()?;
        let serial = Serial::from_content(serial.as_bytes()).map_err(|error| error.rebase(at))?;
        //   signature AlgorithmIdentifier,
        let signature_at = reader.offset();
        let signature = sequence(&mut reader)?;
        //   issuer Name, validity Validity, subject Name,
        let issuer_at = reader.offset();
        let issuer = sequence(&mut reader)?;
        let validity = sequence(&mut reader)?;
        let subject = sequence(&mut reader)?;
        //   subjectPublicKeyInfo SubjectPublicKeyInfo,
        let key_start = reader.position();
        let (algorithm_of_key, _) = read_key(&mut reader)?;
        let key_info = reader.since(key_start);
        //   issuerUniqueID [1], subjectUniqueID [2], extensions [3]
        let rest = optional_fields(&mut reader)?;
        reader.leave(tbs)?;
        let tbs = reader.since(start);
        //   signatureAlgorithm AlgorithmIdentifier,
        let outer_at = reader.offset();
        let outer = sequence(&mut reader)?;
        if !Draft::ALL.into_iter().any(|draft| is_proof_algorithm(signature, draft)) {
            return Err(Error::new(ErrorKind::NotMtcProof, signature_at));
        }
        let id = TrustAnchorId::from_distinguished_name(issuer).map_err(|error| error.rebase(issuer_at));
        let (id, draft) = id?;
        if !is_proof_algorithm(signature, draft) {
            return Err(Error::new(ErrorKind::MixedDrafts, signature_at));
        }
        // Parameters must be absent in all drafts.
        if signature != algorithm(draft.proof_algorithm()) {
            return Err(Error::new(ErrorKind::NotMtcProof, signature_at));
        }
        if outer != signature {
            return Err(Error::new(ErrorKind::AlgorithmMismatch, outer_at));
        }
        //   signatureValue BIT STRING }
        let len = reader.expect(Tag::BIT_STRING)?;
        let bits = reader.enter(len)?;
        reader.no_unused_bits()?;
        let at = reader.offset();
        let proof = MtcProof::decode(reader.rest(), draft).map_err(|error| error.rebase(at))?;
        reader.take(reader.remaining())?;
        reader.leave(bits)?;
        reader.leave(whole)?;
        reader.finish()?;
        let fields = TbsCertificateLogEntry {
            version,
            issuer,
            validity,
            subject,
            key_algorithm: algorithm_of_key,
            key_hash: hash::plain(key_info),
            rest,
        };
        Ok(Self { draft, issuer: id, serial, tbs, fields, key_info, proof })
    }

    /// Returns the draft that defines the certificate's identifiers.
    #[must_use]
    pub const fn draft(&self) -> Draft {
        self.draft
    }

    /// Returns the CA's ID.
    #[must_use]
    pub const fn issuer(&self) -> &TrustAnchorId {
        &self.issuer
    }

    /// Returns the serial number: log number and index. The invalid log number 0 is accepted here, and rejected by the relying party.
    #[must_use]
    pub const fn serial(&self) -> Serial {
        self.serial
    }

    /// Returns the TBSCertificate. Use it, or the issuer and serial number, to identify a certificate. The complete certificate is
    /// unsuitable because it has several valid encodings.
    #[must_use]
    pub const fn tbs(&self) -> &'a [u8] {
        self.tbs
    }

    /// Returns the fields that are part of the log entry.
    #[must_use]
    pub const fn fields(&self) -> &TbsCertificateLogEntry<'a> {
        &self.fields
    }

    /// Returns the subject's public key, as a DER SubjectPublicKeyInfo.
    #[must_use]
    pub const fn public_key_info(&self) -> &'a [u8] {
        self.key_info
    }

    /// Returns the proof that replaces the certificate's signature.
    #[must_use]
    pub const fn proof(&self) -> &MtcProof<'a> {
        &self.proof
    }

    /// Computes the hash of the log entry in one pass over the certificate (MTC §7.2).
    #[must_use]
    pub fn entry_hash(&self) -> Hash {
        let extensions = self.proof.extensions.as_bytes();
        // Does not truncate, because the bytes come from a vector with a 16-bit length.
        let len = (extensions.len() as u16).to_be_bytes();
        let fields = &self.fields;
        let hasher = LeafHasher::new().add(&len).add(extensions).add(&[0, 1]);
        let hasher = hasher.add(fields.version.unwrap_or_default()).add(fields.issuer).add(fields.validity);
        let hasher = hasher.add(fields.subject).add(fields.key_algorithm).add(&[0x04, 0x20]).add(&fields.key_hash);
        hasher.add(fields.rest).finish()
    }

    /// Returns the log entry.
    ///
    /// # Errors
    /// Returns [`ErrorKind::EntryLength`] if the entry is too long for any log.
    pub fn entry(&self) -> Result<Vec<u8>, Error> {
        let contents = self.fields.to_contents();
        LogEntry { extensions: self.proof.extensions, content: EntryContent::TbsCert(&contents) }.encode()
    }

    /// Returns the validity period. Both ends are inclusive.
    ///
    /// # Errors
    /// Returns any DER error.
    pub fn validity(&self) -> Result<(UnixTime, UnixTime), Error> {
        self.fields.validity()
    }
}

/// Assembles a certificate from its entry's content bytes, public key, serial number and proof. The draft is determined by
/// the issuer's name.
///
/// # Errors
/// Returns [`ErrorKind::KeyMismatch`] if the key does not match the entry, or any error in the entry, the issuer or the
/// proof.
pub fn assemble(contents: &[u8], key_info: &[u8], serial: Serial, proof: &MtcProof<'_>) -> Result<Vec<u8>, Error> {
    let entry = TbsCertificateLogEntry::from_contents(contents)?;
    let (_, draft) = TrustAnchorId::from_distinguished_name(entry.issuer)?;
    if hash::plain(key_info) != entry.key_hash || key_algorithm(key_info)? != entry.key_algorithm {
        return Err(Error::new(ErrorKind::KeyMismatch, 0));
    }
    let proof = proof.encode(draft)?;
    let (serial, signature) = (serial.to_der(), algorithm(draft.proof_algorithm()));
    let fields = [
        entry.version.unwrap_or_default(),
        &serial,
        &signature,
        entry.issuer,
        entry.validity,
        entry.subject,
        key_info,
        entry.rest,
    ];
    let tbs_len = fields.iter().map(|field| field.len()).sum::<usize>();
    let mut body = Vec::with_capacity(tbs_len.saturating_add(proof.len()).saturating_add(32));
    put_header(&mut body, Tag::SEQUENCE, tbs_len);
    fields.iter().for_each(|field| body.extend_from_slice(field));
    body.extend_from_slice(&signature);
    put_header(&mut body, Tag::BIT_STRING, proof.len().saturating_add(1));
    body.push(0);
    body.extend_from_slice(&proof);
    let mut out = Vec::with_capacity(body.len().saturating_add(6));
    put_header(&mut out, Tag::SEQUENCE, body.len());
    out.extend_from_slice(&body);
    Ok(out)
}
