//! Time stamps (RFC 3161): requests, responses, and the content of time stamps.

use tagwise_pkix::tsp::{MessageImprint, PkiStatus, TimeStampReq, TimeStampResp, TstInfo};

use super::cms;
use super::ocsp::named;
use crate::model::Scene;
use crate::model::ext::{Spot, extensions, listed};
use crate::model::general::general_name;
use crate::model::key::algorithm;
use crate::tree::{Record, Value};

fn imprint<'a>(imprint: &MessageImprint<'a>) -> Value<'a> {
    Record::default()
        .with("hash_algorithm", algorithm(&imprint.hash_algorithm))
        .with("hash", Value::hex(imprint.hashed_message.as_bytes()))
        .into()
}

pub(super) fn request<'a>(request: &TimeStampReq<'a>, scene: &Scene) -> Value<'a> {
    Record::default()
        .with("version", Value::Number(u64::from(request.version.0)))
        .with("message_imprint", imprint(&request.message_imprint))
        .with_some("policy", request.req_policy.map(named))
        .with_some("nonce", request.nonce.map(Value::Integer))
        .with("certificate_requested", Value::Bool(request.cert_req))
        .with_some("extensions", request.extensions.map(|list| extensions(&list, Spot::Certificate, scene)))
        .into()
}

const fn status_name(status: PkiStatus) -> &'static str {
    match status {
        PkiStatus::GRANTED => "granted",
        PkiStatus::GRANTED_WITH_MODS => "grantedWithMods",
        PkiStatus::REJECTION => "rejection",
        PkiStatus::WAITING => "waiting",
        PkiStatus::REVOCATION_WARNING => "revocationWarning",
        PkiStatus::REVOCATION_NOTIFICATION => "revocationNotification",
        _ => "unknown",
    }
}

pub(super) fn response<'a>(response: &TimeStampResp<'a>, scene: &Scene) -> Value<'a> {
    let status = &response.status;
    let texts = status.status_string.map(|texts| Value::List(listed(&texts.0, scene, Value::text)));
    Record::default()
        .with("status", Value::word(status_name(status.status)))
        .with_some("status_text", texts)
        .with_some("token", response.time_stamp_token.map(|token| cms::message(&token, scene)))
        .into()
}

/// Shows the content of a time stamp.
pub(super) fn info<'a>(info: &TstInfo<'a>, scene: &Scene) -> Value<'a> {
    let accuracy = info.accuracy.map(|accuracy| {
        let number = |number: Option<u16>| number.map(|number| Value::Number(u64::from(number)));
        Record::default()
            .with_some("seconds", accuracy.seconds.map(Value::Integer))
            .with_some("millis", number(accuracy.millis))
            .with_some("micros", number(accuracy.micros))
            .into()
    });
    Record::default()
        .with("version", Value::Number(u64::from(info.version.0)))
        .with("policy", named(info.policy))
        .with("message_imprint", imprint(&info.message_imprint))
        .with("serial_number", Value::Integer(info.serial_number))
        .with("time", Value::Time(info.gen_time.civil()))
        .with_some("accuracy", accuracy)
        .with("ordering", Value::Bool(info.ordering))
        .with_some("nonce", info.nonce.map(Value::Integer))
        .with_some("authority", info.tsa.map(|name| general_name(&name, scene)))
        .with_some("extensions", info.extensions.map(|list| extensions(&list, Spot::Certificate, scene)))
        .into()
}
