//! OCSP requests and responses (RFC 6960).

use tagwise_codec::SeqOf;
use tagwise_pkix::ocsp::{
    BasicOcspResponse, CertId, CertStatus, OcspRequest, OcspResponse, OcspResponseStatus, Request, ResponderId,
    Response, SingleResponse,
};
use tagwise_pkix::{Certificate, CertificateSerialNumber};

use crate::lens::failed;
use crate::model::cert::number;
use crate::model::ext::{Spot, extensions, listed};
use crate::model::general::general_name;
use crate::model::key::{algorithm, oid_line, signature};
use crate::model::name::name;
use crate::model::{Scene, certificate, short_subject};
use crate::tree::{Line, Record, Tone, Value};

pub(super) fn request<'a>(request: &OcspRequest<'a>, scene: &Scene) -> Value<'a> {
    let tbs = &request.tbs_request;
    let one = |request: Request<'a>| {
        let record = identifier(&request.req_cert);
        match &request.single_request_extensions {
            Some(list) => record.with("extensions", extensions(list, Spot::Certificate, scene)),
            None => record,
        }
        .into()
    };
    let mut record = Record::default()
        .with("version", Value::Number(u64::from(tbs.version.0) + 1))
        .with_some("requestor", tbs.requestor_name.map(|name| general_name(&name, scene)))
        .with("requests", Value::List(listed(&tbs.request_list, scene, one)))
        .with_some("extensions", tbs.request_extensions.map(|list| extensions(&list, Spot::Certificate, scene)));
    if let Some(signed) = &request.optional_signature {
        record = record
            .with("signature", signature(signed.signature, &signed.signature_algorithm))
            .with_some("certificates", signed.certs.map(|list| certificates(&list, scene)));
    }
    record.into()
}

/// Returns the fields of a CertID, the identifier of the certificate for which status is requested or reported.
fn identifier<'a>(id: &CertId<'a>) -> Record<'a> {
    let title = Line::new(Tone::Strong, CertificateSerialNumber(id.serial_number).hex());
    Record::titled(title)
        .json("serial_number", number(id.serial_number))
        .with("hash_algorithm", algorithm(&id.hash_algorithm))
        .with("issuer_name_hash", Value::hex(id.issuer_name_hash.as_bytes()))
        .with("issuer_key_hash", Value::hex(id.issuer_key_hash.as_bytes()))
}

/// Shows the certificates that accompany a signature, each in full.
pub(super) fn certificates<'a>(list: &SeqOf<'a, Certificate<'a>>, scene: &Scene) -> Value<'a> {
    Value::List(listed(list, scene, |found| titled(&found, scene)))
}

/// Shows a certificate, with its subject as title.
pub(super) fn titled<'a>(found: &Certificate<'a>, scene: &Scene) -> Value<'a> {
    match certificate(found, scene) {
        Value::Record(record) => {
            Value::Record(Record { title: Line::new(Tone::Strong, short_subject(found)), ..record })
        }
        other => other,
    }
}

const fn status_name(status: OcspResponseStatus) -> &'static str {
    match status {
        OcspResponseStatus::Successful => "successful",
        OcspResponseStatus::MalformedRequest => "malformedRequest",
        OcspResponseStatus::InternalError => "internalError",
        OcspResponseStatus::TryLater => "tryLater",
        OcspResponseStatus::SigRequired => "sigRequired",
        OcspResponseStatus::Unauthorized => "unauthorized",
    }
}

pub(super) fn response<'a>(response: &OcspResponse<'a>, scene: &Scene) -> Value<'a> {
    let record = Record::default().with("status", Value::word(status_name(response.response_status)));
    let Some(bytes) = &response.response_bytes else { return record.into() };
    match scene.lens.open(&bytes.response) {
        Ok(Response::Response(basic)) => self::basic(record, &basic, scene),
        Ok(Response::Unknown(unknown)) => {
            record.with("response_type", Value::Oid(bytes.response_type)).with("der", Value::hex(unknown.bytes)).into()
        }
        Err(bad) => {
            let (problem, octets) = failed(bad);
            record.bare("error", problem).bare("der", octets).into()
        }
    }
}

fn basic<'a>(record: Record<'a>, basic: &BasicOcspResponse<'a>, scene: &Scene) -> Value<'a> {
    let data = &basic.tbs_response_data;
    let responder = match &data.responder_id {
        ResponderId::ByName(by) => name(by, scene),
        ResponderId::ByKey(hash) => Record::titled(
            Line::new(Tone::Dim, "key ").and(Tone::Plain, tagwise_codec::text::hex::Hex(hash.as_bytes())),
        )
        .json("key_hash", Value::hex(hash.as_bytes()))
        .into(),
    };
    record
        .with("version", Value::Number(u64::from(data.version.0) + 1))
        .with("responder", responder)
        .with("produced_at", Value::Time(data.produced_at.civil()))
        .with("responses", Value::List(listed(&data.responses, scene, |one| single(&one, scene))))
        .with_some("extensions", data.response_extensions.map(|list| extensions(&list, Spot::Certificate, scene)))
        .with("signature_algorithm", algorithm(&basic.signature_algorithm))
        .with("signature", signature(basic.signature, &basic.signature_algorithm))
        .with_some("certificates", basic.certs.map(|list| certificates(&list, scene)))
        .into()
}

fn single<'a>(one: &SingleResponse<'a>, scene: &Scene) -> Value<'a> {
    let (word, tone) = match &one.cert_status {
        CertStatus::Good => ("good", Tone::Good),
        CertStatus::Revoked(_) => ("revoked", Tone::Bad),
        CertStatus::Unknown(_) => ("unknown", Tone::Warn),
    };
    let mut record = identifier(&one.cert_id).json("cert_status", Value::word(word));
    record.title = record.title.and(Tone::Plain, "  ").and(tone, word);
    if let CertStatus::Revoked(info) = &one.cert_status {
        record = record.with("revoked_at", Value::Time(info.revocation_time.civil()));
        record = record.with_some("reason", info.revocation_reason.map(|reason| Value::word(reason.name())));
    }
    let stale = one.next_update.is_some_and(|next| next.unix() < scene.now);
    record = record
        .with("this_update", Value::Time(one.this_update.civil()))
        .with_some("next_update", one.next_update.map(|next| Value::Time(next.civil())));
    if stale {
        record = record.json("stale", Value::Bool(true));
        record.title = record.title.and(Tone::Warn, "  (out of date)");
    }
    record.with_some("extensions", one.single_extensions.map(|list| extensions(&list, Spot::Certificate, scene))).into()
}

/// Shows an object identifier on one line.
pub(super) fn named<'a>(oid: tagwise_codec::Oid<'a>) -> Value<'a> {
    Record::titled(oid_line(oid, Tone::Plain)).json("oid", Value::Oid(oid)).into()
}
