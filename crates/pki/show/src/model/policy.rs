//! Policies and their constraints.

use tagwise_pkix::ext::{
    CertificatePolicies, PolicyConstraints, PolicyMappings, PolicyQualifier, PolicyQualifierInfo, UserNotice,
};

use super::any::of_octets;
use super::ext::listed;
use super::{Scene, key};
use crate::lens::failed;
use crate::tree::{Line, Record, Tone, Value};

/// Shows policies with their qualifiers.
pub(crate) fn policies<'a>(policies: &CertificatePolicies<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&policies.0, scene, |policy| {
        let title = key::oid_line(policy.policy_identifier, Tone::Plain);
        let mut record = Record::titled(title).json("policy", Value::Oid(policy.policy_identifier));
        if let Some(list) = &policy.policy_qualifiers {
            record = record.bare("qualifiers", Value::List(listed(list, scene, |info| qualifier(&info, scene))));
        }
        record.into()
    }))
}

fn qualifier<'a>(info: &PolicyQualifierInfo<'a>, scene: &Scene) -> Value<'a> {
    let id = info.policy_qualifier_id;
    let base = |title: Line| Record::titled(title).json("qualifier", Value::Oid(id));
    match scene.lens.open(&info.qualifier) {
        Ok(PolicyQualifier::Cps(uri)) => {
            base(Line::new(Tone::Dim, "CPS ").and(Tone::Plain, uri.0)).json("uri", Value::text(uri.0))
        }
        Ok(PolicyQualifier::UserNotice(notice)) => notice_of(base(Line::new(Tone::Dim, "user notice")), &notice, scene),
        Ok(PolicyQualifier::Unknown(unknown)) => base(key::oid_line(id, Tone::Plain))
            .bare("der", Value::hex(unknown.bytes))
            .with_some("notation", of_octets(unknown.bytes).map(Value::text)),
        Err(bad) => {
            let (problem, octets) = failed(bad);
            base(key::oid_line(id, Tone::Plain)).bare("error", problem).bare("der", octets)
        }
    }
    .into()
}

fn notice_of<'a>(record: Record<'a>, notice: &UserNotice<'a>, scene: &Scene) -> Record<'a> {
    let mut record = record;
    if let Some(reference) = &notice.notice_ref {
        record = record
            .with("organization", Value::text(reference.organization))
            .with("notice_numbers", Value::List(listed(&reference.notice_numbers, scene, Value::Integer)));
    }
    record.with_some("text", notice.explicit_text.map(Value::text))
}

/// Shows policy mappings.
pub(crate) fn mappings<'a>(mappings: &PolicyMappings<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&mappings.0, scene, |pair| {
        let title = key::oid_line(pair.issuer_domain_policy, Tone::Plain).and(Tone::Dim, "  is  ");
        let mut title = title;
        title.0.extend(key::oid_line(pair.subject_domain_policy, Tone::Plain).0);
        Record::titled(title)
            .json("issuer_domain_policy", Value::Oid(pair.issuer_domain_policy))
            .json("subject_domain_policy", Value::Oid(pair.subject_domain_policy))
            .into()
    }))
}

/// Shows policy constraints: the number of certificates after which each takes effect.
pub(crate) fn constraints<'a>(constraints: &PolicyConstraints<'a>) -> Value<'a> {
    Record::default()
        .with_some(
            "require_explicit_policy",
            constraints.require_explicit_policy.map(|skip| Value::Integer(skip.int())),
        )
        .with_some("inhibit_policy_mapping", constraints.inhibit_policy_mapping.map(|skip| Value::Integer(skip.int())))
        .into()
}
