//! Attribute certificates (RFC 5755).

use tagwise_pkix::ac::{AttCertIssuer, AttributeCertificate, IssuerSerial};

use super::attributes;
use crate::model::cert::{number, serial};
use crate::model::ext::{Spot, extensions};
use crate::model::general::names;
use crate::model::key::{algorithm, signature};
use crate::model::{Scene, bits, period};
use crate::tree::{Record, Value};

fn issuer_serial<'a>(id: &IssuerSerial<'a>, scene: &Scene) -> Value<'a> {
    Record::default()
        .with("issuer", names(&id.issuer, scene))
        .with("serial_number", number(id.serial))
        .with_some("issuer_unique_id", id.issuer_uid.map(bits))
        .into()
}

pub(super) fn certificate<'a>(certificate: &AttributeCertificate<'a>, scene: &Scene) -> Value<'a> {
    let info = &certificate.acinfo;
    let holder = Record::default()
        .with_some("certificate", info.holder.base_certificate_id.map(|id| issuer_serial(&id, scene)))
        .with_some("names", info.holder.entity_name.map(|list| names(&list, scene)))
        .with_some("digest", info.holder.object_digest_info.map(|digest| bits(digest.object_digest)));
    let issuer = match &info.issuer {
        AttCertIssuer::V1Form(list) => names(list, scene),
        AttCertIssuer::V2Form(form) => Record::default()
            .with_some("names", form.issuer_name.map(|list| names(&list, scene)))
            .with_some("certificate", form.base_certificate_id.map(|id| issuer_serial(&id, scene)))
            .into(),
    };
    let validity = &info.attr_cert_validity_period;
    Record::default()
        .with("version", Value::Number(u64::from(info.version.0) + 1))
        .with("serial_number", serial(info.serial_number))
        .with("holder", holder.into())
        .with("issuer", issuer)
        .with("validity", period(validity.not_before_time.civil(), validity.not_after_time.civil(), scene.now))
        .with("attributes", attributes(scene.lens.seq(&info.attributes), scene))
        .with_some("extensions", info.extensions.map(|list| extensions(&list, Spot::Certificate, scene)))
        .with_some("issuer_unique_id", info.issuer_unique_id.map(bits))
        .with("signature_algorithm", algorithm(&certificate.signature_algorithm))
        .with("signature", signature(certificate.signature_value, &certificate.signature_algorithm))
        .into()
}
