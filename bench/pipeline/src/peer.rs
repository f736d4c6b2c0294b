//! The same CRL and the same OCSP responses by the builders of synta.
//!
//! What it takes as text or as octets is made before; what it makes is compared with ours, octet for octet, where it can say the
//! same: its builder of responses has no reason for a revocation.

use synta_certificate::{CertificateListBuilder, OCSPResponseBuilder, SingleResponseSpec};
use tagwise_ca::Serial;
use tagwise_ca::store::{CrlDraft, Status};
use tagwise_codec::{CivilTime, Decode, encode};
use tagwise_pkix::ext::CrlReason;
use tagwise_pkix::ocsp::{ResponderId, ResponseData};
use tagwise_pkix::{TbsCertList, UnixTime};

use crate::Failure;
use crate::work::Threads;

fn text(unix: UnixTime) -> Result<String, Failure> {
    let time = CivilTime::from_unix(unix)?;
    Ok(format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}Z",
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second()
    ))
}

/// What synta needs for a CRL.
pub(crate) struct CrlInput {
    issuer: Vec<u8>,
    algorithm: Vec<u8>,
    this_update: String,
    next_update: String,
    revoked: Vec<(Vec<u8>, String, Option<u8>)>,
    /// Identifier and value.
    extensions: Vec<(Vec<u32>, bool, Vec<u8>)>,
}

impl CrlInput {
    /// Of the draft and of what was built of it.
    pub(crate) fn of(draft: &CrlDraft, tbs: &[u8]) -> Result<Self, Failure> {
        let read = TbsCertList::from_der(tbs)?;
        let next_update = read.next_update.ok_or("no time of the next CRL")?;
        let entry = |(serial, revocation): &(Serial, tagwise_ca::store::Revocation)| -> Result<_, Failure> {
            let reason = (revocation.reason != CrlReason::Unspecified).then_some(revocation.reason as u8);
            Ok((serial.as_bytes().to_vec(), text(revocation.at)?, reason))
        };
        let mut extensions = Vec::new();
        for extension in read.crl_extensions.iter().flat_map(tagwise_pkix::Extensions::iter) {
            let extension = extension?;
            let arcs = extension.extn_id.to_string();
            let arcs = arcs.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
            extensions.push((arcs, extension.critical, extension.extn_value.as_bytes().to_vec()));
        }
        Ok(Self {
            issuer: encode(&read.issuer)?,
            algorithm: encode(&read.signature)?,
            this_update: text(read.this_update.unix())?,
            next_update: text(next_update.unix())?,
            revoked: draft.revoked.iter().map(entry).collect::<Result<_, _>>()?,
            extensions,
        })
    }

    pub(crate) fn build(&self) -> Result<Vec<u8>, Failure> {
        let mut builder = CertificateListBuilder::new()
            .signature_algorithm(&self.algorithm)
            .issuer(&self.issuer)
            .this_update(&self.this_update)
            .next_update(&self.next_update);
        for (serial, date, reason) in &self.revoked {
            builder = builder.revoke(serial, date, *reason);
        }
        for (arcs, critical, value) in &self.extensions {
            builder = builder.add_crl_extension(arcs, *critical, value);
        }
        Ok(builder.build()?)
    }
}

/// What synta needs for responses.
pub(crate) struct OcspInput {
    key_hash: Vec<u8>,
    hash_algorithm: Vec<u8>,
    issuer_name_hash: Vec<u8>,
    issuer_key_hash: Vec<u8>,
    this_update: String,
    next_update: Option<String>,
    serials: Vec<Vec<u8>>,
}

impl OcspInput {
    /// Of the list and of what was built of its first.
    pub(crate) fn of(list: &[Status], tbs: &[u8]) -> Result<Self, Failure> {
        let read = ResponseData::from_der(tbs)?;
        let ResponderId::ByKey(key_hash) = read.responder_id else {
            return Err("a responder without its key".into());
        };
        let one = read.responses.iter().next().ok_or("a response about nothing")??;
        Ok(Self {
            key_hash: key_hash.as_bytes().to_vec(),
            hash_algorithm: encode(&one.cert_id.hash_algorithm)?,
            issuer_name_hash: one.cert_id.issuer_name_hash.as_bytes().to_vec(),
            issuer_key_hash: one.cert_id.issuer_key_hash.as_bytes().to_vec(),
            this_update: text(one.this_update.unix())?,
            next_update: one.next_update.map(|next| text(next.unix())).transpose()?,
            serials: list.iter().map(|status| status.serial.as_bytes().to_vec()).collect(),
        })
    }

    pub(crate) fn build(&self, threads: &Threads) -> Result<Vec<Vec<u8>>, Failure> {
        let one = |serial: &Vec<u8>| -> Result<Vec<u8>, Failure> {
            let spec = SingleResponseSpec {
                hash_algorithm_der: &self.hash_algorithm,
                issuer_name_hash: &self.issuer_name_hash,
                issuer_key_hash: &self.issuer_key_hash,
                serial,
                status: 1,
                this_update: &self.this_update,
                next_update: self.next_update.as_deref(),
            };
            let builder = OCSPResponseBuilder::new()
                .responder_key_hash(&self.key_hash)
                .produced_at(&self.this_update);
            Ok(builder.add_response(spec).build_tbs()?)
        };
        threads.map(&self.serials, one)
    }
}
