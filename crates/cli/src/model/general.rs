//! General names, and the extensions that are made of them.

use std::fmt::Display;

use tagwise_codec::SeqOf;
use tagwise_pkix::ext::{
    AccessDescription, CrlDistributionPoints, DistributionPoint, DistributionPointName, GeneralNameWith, GeneralNames,
    GeneralSubtree, IssuingDistributionPoint, NameConstraints, OtherName, OtherNameValue,
};

use super::any::of_octets;
use super::ext::{listed, words};
use super::name::{name, rdn};
use super::{Scene, key};
use crate::lens::failed;
use crate::tree::{Line, Record, Tone, Value};

/// A list of names.
pub(crate) fn names<'a>(list: &GeneralNames<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |item| general_name(&item, scene)))
}

/// One name.
pub(crate) fn general_name<'a, A: Display>(item: &GeneralNameWith<'a, A>, scene: &Scene) -> Value<'a> {
    let title = |kind: &str, value: &dyn Display| Line::new(Tone::Dim, format!("{kind}:")).and(Tone::Plain, value);
    let record = |kind: &'static str, label: &str, value: &dyn Display| {
        Record::titled(title(label, value)).json("type", Value::word(kind)).json("value", Value::text(value))
    };
    match item {
        GeneralNameWith::OtherName(other) => return other_name(other, scene),
        GeneralNameWith::Rfc822Name(text) => record("email", "email", text),
        GeneralNameWith::DnsName(text) => record("dns", "DNS", text),
        GeneralNameWith::X400Address(address) => {
            let octets = address.0.content().unwrap_or_default();
            record("x400", "X.400", &format!("{} octets", octets.len())).bare("content", Value::hex(octets))
        }
        GeneralNameWith::DirectoryName(directory) => {
            let line = title("directory", &directory.oneline());
            let mut record = Record::titled(line).json("type", Value::word("directory"));
            let value = name(directory, scene);
            // The name's own problems stand below it.
            if let Value::Record(inner) = value {
                for field in inner.fields {
                    record.fields.push(field);
                }
            }
            record
        }
        GeneralNameWith::EdiPartyName(party) => record("edi-party", "EDI party", &party.party_name.text())
            .with_some("assigner", party.name_assigner.map(|assigner| Value::Text(assigner.text()))),
        GeneralNameWith::UniformResourceIdentifier(text) => record("uri", "URI", text),
        GeneralNameWith::IpAddress(address) => record("ip", "IP", address),
        GeneralNameWith::RegisteredId(oid) => {
            let line = Line::new(Tone::Dim, "registered ID:");
            let mut line = line;
            line.0.extend(key::oid_line(*oid, Tone::Plain).0);
            Record::titled(line).json("type", Value::word("registered-id")).json("value", Value::Oid(*oid))
        }
    }
    .into()
}

fn other_name<'a>(other: &OtherName<'a>, scene: &Scene) -> Value<'a> {
    let base = |title: Line| {
        Record::titled(title).json("type", Value::word("other")).json("type_id", Value::Oid(other.type_id))
    };
    let unknown = || Line::new(Tone::Dim, "other:").and(Tone::Plain, other.type_id);
    match scene.lens.open(&other.value) {
        Ok(OtherNameValue::Unknown(value)) => {
            let record = base(unknown()).bare("der", Value::hex(value.bytes));
            record.with_some("notation", of_octets(value.bytes).map(Value::text))
        }
        Ok(value) => base(Line::plain(value)).json("value", Value::text(value)),
        Err(bad) => {
            let (problem, octets) = failed(bad);
            base(unknown()).bare("error", problem).bare("der", octets)
        }
    }
    .into()
}

/// Name constraints.
pub(crate) fn constraints<'a>(constraints: &NameConstraints<'a>, scene: &Scene) -> Value<'a> {
    let subtrees = |list: SeqOf<'a, GeneralSubtree<'a>>| {
        Value::List(listed(&list, scene, |subtree| {
            let value = general_name(&subtree.base, scene);
            let Value::Record(mut record) = value else { return value };
            if !subtree.minimum.int().is_zero() {
                record = record.with("minimum", Value::Integer(subtree.minimum.int()));
            }
            record.with_some("maximum", subtree.maximum.map(|count| Value::Integer(count.int()))).into()
        }))
    };
    Record::default()
        .with_some("permitted", constraints.permitted_subtrees.map(subtrees))
        .with_some("excluded", constraints.excluded_subtrees.map(subtrees))
        .into()
}

/// Distribution points. In text, a point that is nothing but a name is that name.
pub(crate) fn points<'a>(list: &CrlDistributionPoints<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |point| distribution_point(&point, scene)))
}

fn distribution_point<'a>(point: &DistributionPoint<'a>, scene: &Scene) -> Value<'a> {
    let mut record = Record::default();
    if let Some(place) = &point.distribution_point {
        record = place_of(record, place, scene);
    }
    if let Some(reasons) = &point.reasons {
        record = record.with("reasons", words(reasons.names()));
    }
    let mut record = record.with_some("crl_issuer", point.crl_issuer.map(|list| names(&list, scene)));
    if record.fields.len() > 1 {
        // Lines that belong together.
        record.title = Line::new(Tone::Dim, "distribution point");
    }
    record.into()
}

fn place_of<'a>(record: Record<'a>, place: &DistributionPointName<'a>, scene: &Scene) -> Record<'a> {
    match place {
        DistributionPointName::FullName(list) => record.bare("full_name", names(list, scene)),
        DistributionPointName::NameRelativeToCrlIssuer(name) => record.with("relative_name", rdn(name, scene)),
    }
}

/// Which certificates a CRL covers.
pub(crate) fn issuing_point<'a>(point: &IssuingDistributionPoint<'a>, scene: &Scene) -> Value<'a> {
    let mut record = Record::default();
    if let Some(place) = &point.distribution_point {
        record = place_of(record, place, scene);
    }
    record = record
        .with("only_user_certs", Value::Bool(point.only_contains_user_certs))
        .with("only_ca_certs", Value::Bool(point.only_contains_ca_certs))
        .with("only_attribute_certs", Value::Bool(point.only_contains_attribute_certs))
        .with("indirect_crl", Value::Bool(point.indirect_crl));
    record.with_some("only_some_reasons", point.only_some_reasons.map(|reasons| words(reasons.names()))).into()
}

/// Where to find more.
pub(crate) fn access<'a>(list: &SeqOf<'a, AccessDescription<'a>>, scene: &Scene) -> Value<'a> {
    Value::List(listed(list, scene, |access| {
        let location = general_name(&access.access_location, scene);
        let mut title = key::oid_line(access.access_method, Tone::Plain);
        // The dotted form of a known method tells nobody anything.
        if title.0.len() > 1 {
            title.0.truncate(1);
        }
        title = title.and(Tone::Plain, "  ");
        let mut fields = Vec::new();
        if let Value::Record(record) = location {
            title.0.extend(record.title.0);
            fields = record.fields;
        }
        let mut record = Record::titled(title).json("method", Value::Oid(access.access_method));
        // In JSON the location is an object of its own; what text shows below the line comes along.
        let shown: Vec<_> = fields.extract_if(.., |field| field.seen != crate::tree::Seen::Json).collect();
        record = record.json("location", Record { title: Line::default(), fields }.into());
        record.fields.extend(shown);
        record.into()
    }))
}
