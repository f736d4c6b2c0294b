//! Human-readable trees of proofs, CA certificates, checkpoints, landmarks and certificate properties (feature `show`).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use tagwise_codec::encode;
use tagwise_pkix::{Certificate, UnixTime};
use tagwise_show::tree::{Line, Record, Tone, Value};

use crate::landmark::LandmarkDocument;
use crate::note::{Checkpoint, Note};
use crate::{CaCertificate, CertificateProperties, CosignerAlgorithm, Draft, MtcProof, Serial, TrustAnchorId};

/// Shows the proof that replaces a certificate's signature, if any. Programs that display Merkle Tree Certificates use it
/// as [`Scene::proof`](tagwise_show::Scene::proof).
#[must_use]
pub fn proof<'a>(certificate: &Certificate<'a>) -> Option<Value<'a>> {
    let algorithm = certificate.signature_algorithm.algorithm;
    if !Draft::ALL.into_iter().any(|draft| draft.proof_algorithm() == algorithm) {
        return None;
    }
    let bits = certificate.signature_value;
    let record = Record::default().json("bits", Value::Number(bits.bit_len()));
    let issuer = encode(&certificate.tbs_certificate.issuer).unwrap_or_default();
    let read = TrustAnchorId::from_distinguished_name(&issuer).and_then(|(id, draft)| {
        let serial = Serial::from_content(certificate.tbs_certificate.serial_number.0.as_bytes())?;
        Ok((id, draft, serial, MtcProof::decode(bits.as_bytes(), draft)?))
    });
    Some(match read {
        Ok((id, draft, serial, proof)) => of_proof(record, &id, draft, serial, &proof).into(),
        Err(error) => Record { title: Line::new(Tone::Bad, format!("malformed proof: {error}")), ..record }
            .json("error", Value::text(error))
            .bare("hex", Value::bulk(bits.as_bytes()))
            .into(),
    })
}

fn of_proof<'a>(
    record: Record<'a>,
    ca: &TrustAnchorId,
    draft: Draft,
    serial: Serial,
    proof: &MtcProof<'a>,
) -> Record<'a> {
    let kind = if proof.signatures.as_bytes().is_empty() { "without cosignatures" } else { "with cosignatures" };
    let title = Line::plain(format!("Merkle tree proof, draft {draft}")).and(Tone::Dim, format!("  {kind}"));
    let log = ca.log(serial.log()).map_or_else(|error| error.to_string(), |log| log.to_string());
    let mut record = Record { title, ..record }
        .json("draft", Value::word(draft.number()))
        .with("log", Value::text(log))
        .with("index", Value::Number(serial.index()))
        .with("subtree", range(proof.subtree.start(), proof.subtree.end()));
    let extensions: Vec<Value<'a>> = proof
        .extensions
        .iter()
        .map(|one| {
            Record::titled(Line::plain(format!("type {:04x}", one.kind)))
                .json("type", Value::Number(u64::from(one.kind)))
                .bare("data", Value::hex(one.data))
                .into()
        })
        .collect();
    if !extensions.is_empty() {
        record = record.with("entry_extensions", Value::List(extensions));
    }
    let hashes = proof.inclusion_proof.iter().map(|hash| Value::hex(hash)).collect();
    record = record.with("inclusion_proof", Value::List(hashes));
    let cosignatures = proof.signatures.iter().map(|one| {
        let title = Line::plain(one.cosigner).and(Tone::Dim, format!("  {} bytes", one.signature.len()));
        Record::titled(title)
            .json("cosigner", Value::text(one.cosigner))
            .bare("signature", Value::bulk(one.signature))
            .into()
    });
    record.with("cosignatures", Value::List(cosignatures.collect()))
}

fn range<'a>(start: u64, end: u64) -> Value<'a> {
    Record::titled(Line::plain(format!("[{start}, {end})")))
        .json("start", Value::Number(start))
        .json("end", Value::Number(end))
        .into()
}

/// Shows the parts of a CA certificate that relying parties use.
#[must_use]
pub fn authority<'a>(ca: &CaCertificate<'a>) -> Value<'a> {
    let bound = |serial: Serial| match serial {
        Serial::MAX => "the maximum".to_owned(),
        serial => serial.to_string(),
    };
    Record::titled(Line::plain(format!("CA {}, draft {}", ca.id, ca.draft)))
        .json("ca", Value::text(ca.id))
        .json("draft", Value::word(ca.draft.number()))
        .with("cosigner", Value::text(ca.id.name()))
        .with("cosigner_algorithm", Value::word(CosignerAlgorithm::name(ca.algorithm)))
        .with("serial_numbers", Value::text(format!("{} to {}", ca.min_serial, bound(ca.max_serial))))
        .into()
}

/// Shows a checkpoint with its unverified signatures.
#[must_use]
pub fn checkpoint<'a>(checkpoint: &Checkpoint, note: &Note) -> Value<'a> {
    let signatures = note.signatures().iter().map(|one| {
        // Without the key, it is unknown whether the payload is a cosignature that starts with a timestamp.
        let title = Line::plain(&one.name).and(Tone::Dim, format!("  {} bytes", one.payload.len()));
        Record::titled(title)
            .json("name", Value::text(&one.name))
            .with("key_id", Value::Hex(one.key_id.to_vec().into()))
            .json("payload", Value::Bulk(one.payload.clone().into()))
            .into()
    });
    let mut record = Record::titled(Line::plain(format!("checkpoint of {}", checkpoint.origin)))
        .json("origin", Value::text(&checkpoint.origin))
        .with("size", Value::Number(checkpoint.size))
        .with("root", Value::Hex(checkpoint.root.to_vec().into()));
    if !checkpoint.extensions.is_empty() {
        record = record.with("extensions", Value::List(checkpoint.extensions.iter().map(Value::text).collect()));
    }
    record.with("signatures", Value::List(signatures.collect())).into()
}

/// Shows a landmark document as of the given time.
#[must_use]
pub fn landmarks<'a>(document: &LandmarkDocument, now: UnixTime) -> Value<'a> {
    let seconds = u64::try_from(now.0).unwrap_or_default();
    let list = document.landmarks().iter().map(|one| {
        let until =
            i64::try_from(one.expiry).map_or_else(|_| "the end of time".to_owned(), |at| UnixTime(at).to_string());
        let (tone, word) = match one.is_active(seconds) {
            true => (Tone::Good, "active"),
            false => (Tone::Dim, "expired"),
        };
        let title = Line::plain(format!("{}: size {}, until {until}", one.number, one.size));
        Record::titled(title.and(Tone::Plain, "  ").and(tone, word))
            .json("number", Value::Number(one.number))
            .json("size", Value::Number(one.size))
            .json("expiry", Value::Number(one.expiry))
            .json("active", Value::Bool(one.is_active(seconds)))
            .into()
    });
    Record::titled(Line::plain(format!("landmarks up to {}", document.latest().number)))
        .bare("landmarks", Value::List(list.collect()))
        .into()
}

/// Shows certificate properties.
#[must_use]
pub fn properties<'a>(properties: &CertificateProperties) -> Value<'a> {
    let mut record = Record::titled(Line::plain("certificate properties"))
        .with_some("trust_anchor_id", properties.trust_anchor.map(Value::text));
    if let Some(groups) = &properties.groups {
        record = record.with("trust_anchor_groups", Value::List(groups.iter().map(Value::text).collect()));
    }
    record = record.with("needs_negotiation", Value::Bool(properties.needs_negotiation));
    for (kind, data) in &properties.others {
        record = record.with(format!("type_{kind}"), Value::Hex(data.clone().into()));
    }
    record.into()
}
