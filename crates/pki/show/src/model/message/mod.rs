//! Trees of messages, requests, responses and private keys.
//!
//! Private keys are described but never shown: length, algorithm, and the public key if present.

mod attribute;
mod cms;
mod ocsp;
mod pkcs12;
mod private;
mod request;
mod rpki;
mod tsp;

use tagwise_codec::table::Type;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Any, Decode, Deviation, Options, RuleSet, SetOf};
use tagwise_input::Problem;
use tagwise_input::ValueKind;
use tagwise_pkix::ext::Attribute;
use tagwise_pkix::{
    RsaPublicKey, SubjectPublicKeyInfo, ac, cms as messages, csr, ocsp as status, oids, pkcs1, pkcs8, sec1,
    tsp as stamps,
};

use super::{Scene, key, name, signed, table};
use crate::MESSAGES;
use crate::lens::{Lens, Read, failed, problem_as, read};
use crate::tree::{Line, Record, Tone, Value};

/// The tree of a decoded message, its error and the tolerated deviations.
pub(crate) struct Shown<'a> {
    pub(crate) value: Option<Value<'a>>,
    pub(crate) problem: Option<Problem>,
    pub(crate) notes: Vec<Deviation>,
}

/// Decodes a message and builds its tree.
pub(crate) fn message<'a>(what: ValueKind, der: &'a [u8], rules: RuleSet, scene: &Scene) -> Shown<'a> {
    match what {
        ValueKind::PublicKey => shown(der, rules, |value: &SubjectPublicKeyInfo<'a>| key::public_key(value)),
        ValueKind::RsaPublicKey => shown(der, rules, |value: &RsaPublicKey<'a>| private::rsa_public(value)),
        _ if !MESSAGES => Shown { value: None, problem: Some(unread(what)), notes: Vec::new() },
        ValueKind::AttributeCertificate => {
            shown(der, rules, |value: &ac::AttributeCertificate<'a>| attribute::certificate(value, scene))
        }
        ValueKind::Cms => shown(der, rules, |value: &messages::ContentInfo<'a>| cms::message(value, scene)),
        ValueKind::EcPrivateKey => shown(der, rules, |value: &sec1::EcPrivateKey<'a>| private::curve(value, None)),
        ValueKind::EncryptedPrivateKey => {
            shown(der, rules, |value: &pkcs8::EncryptedPrivateKeyInfo<'a>| private::encrypted(value))
        }
        ValueKind::OcspRequest => shown(der, rules, |value: &status::OcspRequest<'a>| ocsp::request(value, scene)),
        ValueKind::OcspResponse => shown(der, rules, |value: &status::OcspResponse<'a>| ocsp::response(value, scene)),
        ValueKind::Pkcs12 => pkcs12::file(der, rules),
        ValueKind::PrivateKey => shown(der, rules, |value: &pkcs8::OneAsymmetricKey<'a>| private::key(value, scene)),
        ValueKind::CertificationRequest => {
            shown(der, rules, |value: &csr::CertificationRequest<'a>| request::request(value, scene))
        }
        ValueKind::RsaPrivateKey => shown(der, rules, |value: &pkcs1::RsaPrivateKey<'a>| private::rsa(value)),
        ValueKind::TimeStampRequest => shown(der, rules, |value: &stamps::TimeStampReq<'a>| tsp::request(value, scene)),
        ValueKind::TimeStampResponse => {
            shown(der, rules, |value: &stamps::TimeStampResp<'a>| tsp::response(value, scene))
        }
        ValueKind::SignedPublicKeyAndChallenge => {
            let mut shown = tabled(what.ty(), der, rules, scene);
            if let Some(Value::Record(record)) = shown.value {
                shown.value = Some(record.with_some("self_signature", signed::of_spkac(der, scene)).into());
            }
            shown
        }
        kind => tabled(kind.ty(), der, rules, scene),
    }
}

/// Returns the error for a value that this build does not read.
fn unread(what: ValueKind) -> Problem {
    Problem {
        path: String::new(),
        offset: 0,
        line: None,
        code: "not-read",
        clause: "not ASN.1",
        message: format!("this build does not read a {}", what.words()),
        rule: None,
        excerpt: String::new(),
    }
}

fn shown<'a, T: Decode<'a>>(der: &'a [u8], rules: RuleSet, tree: impl FnOnce(&T) -> Value<'a>) -> Shown<'a> {
    let Read { value, problem, notes } = read::<T>(der, rules);
    Shown { value: value.map(|value| tree(&value)), problem, notes }
}

/// Shows a message according to its type's table, for kinds without their own layout. A value that does not decode under the
/// current rules is shown with all deviations tolerated, if that makes it readable.
fn tabled<'a>(ty: &'static Type, der: &'a [u8], rules: RuleSet, scene: &Scene) -> Shown<'a> {
    let (problem, notes) = match Dynamic::new(ty).options(Options::der().rules(rules)).decode(der) {
        Ok(read) => (None, read.deviations),
        Err(error) => (Some(problem_as(ty, &error, der)), Vec::new()),
    };
    let lax = Scene { lens: Lens::new(RuleSet::ALL), ..*scene };
    let shown = table::read(ty, der, 0, scene).or_else(|_| table::read(ty, der, 0, &lax)).ok();
    let value = shown.map(|shown| match shown {
        Value::List(_) => Record::default().bare("messages", shown).into(),
        shown => shown,
    });
    Shown { value, problem, notes }
}

/// Shows a certificate, with its subject as title.
pub(crate) fn titled<'a>(found: &tagwise_pkix::Certificate<'a>, scene: &Scene) -> Value<'a> {
    ocsp::titled(found, scene)
}

/// Shows a request inside another message.
pub(crate) fn request<'a>(found: &csr::CertificationRequest<'a>, scene: &Scene) -> Value<'a> {
    request::request(found, scene)
}

/// Shows a CMS message inside another message.
pub(crate) fn cms_message<'a>(found: &messages::ContentInfo<'a>, scene: &Scene) -> Value<'a> {
    cms::message(found, scene)
}

/// Shows enveloped data inside another message.
pub(crate) fn enveloped<'a>(found: &messages::EnvelopedData<'a>, scene: &Scene) -> Value<'a> {
    match scene.inside() {
        Some(scene) => cms::envelope(Record::default(), found, &scene).into(),
        None => Value::word("nesting too deep"),
    }
}

/// Shows the attributes of requests, keys and attribute certificates.
pub(crate) fn attributes<'a>(
    list: impl Iterator<Item = Result<Attribute<'a>, crate::lens::Failed<'a>>>,
    scene: &Scene,
) -> Value<'a> {
    let attribute = |read| match read {
        Ok(Attribute { attr_type, values }) => one(attr_type, &values, scene),
        Err(bad) => failed(bad).0,
    };
    Value::List(list.map(attribute).collect())
}

/// Shows an attribute: its type and values.
pub(crate) fn one<'a>(attr_type: tagwise_codec::Oid<'a>, values: &SetOf<'a, Any<'a>>, scene: &Scene) -> Value<'a> {
    let record = Record::titled(key::oid_line(attr_type, Tone::Plain)).json("type", Value::Oid(attr_type));
    // A password with which the certificate can be revoked later (RFC 2985 §5.4.1).
    if attr_type == oids::CHALLENGE_PASSWORD {
        return record.bare("hidden", Record::titled(Line::new(Tone::Dim, "not shown: a password")).into()).into();
    }
    let values = scene.lens.set(values);
    let values = values.map(|read| read.map_or_else(|bad| failed(bad).0, |value| value_of(attr_type, &value, scene)));
    record.bare("values", Value::List(values.collect())).into()
}

fn value_of<'a>(attr_type: tagwise_codec::Oid<'_>, value: &Any<'a>, scene: &Scene) -> Value<'a> {
    if attr_type == oids::EXTENSION_REQUEST
        && let Some(list) = scene.lens.frame::<tagwise_pkix::Extensions<'a>>(value.as_bytes(), value.offset())
    {
        return super::ext::extensions(&list, super::ext::Spot::Certificate, scene);
    }
    if let Some(ty) = tagwise_input::known::attribute(attr_type)
        && let Some(scene) = scene.inside()
    {
        return if ty.secret { table::hidden() } else { table::whole(ty, value.as_bytes(), value.offset(), &scene) };
    }
    name::attribute_value(value)
}
