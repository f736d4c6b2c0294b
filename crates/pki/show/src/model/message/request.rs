//! Certification requests (RFC 2986).

use tagwise_pkix::csr::CertificationRequest;

use super::attributes;
use crate::model::Scene;
use crate::model::key::{algorithm, public_key, signature};
use crate::model::name::name;
use crate::model::signed;
use crate::tree::{Record, Value};

pub(super) fn request<'a>(request: &CertificationRequest<'a>, scene: &Scene) -> Value<'a> {
    let info = &request.certification_request_info;
    Record::default()
        .with("version", Value::Number(u64::from(info.version.0) + 1))
        .with("subject", name(&info.subject, scene))
        .with("public_key", public_key(&info.subject_pk_info))
        .with("attributes", attributes(scene.lens.set(&info.attributes), scene))
        .with("signature_algorithm", algorithm(&request.signature_algorithm))
        .with("signature", signature(request.signature, &request.signature_algorithm))
        .with_some("self_signature", signed::of_request(request, scene))
        .into()
}
