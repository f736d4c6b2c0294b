//! General names, and the extensions that contain them.

use std::fmt::Display;

use tagwise_codec::{SeqOf, Typed};
use tagwise_pkix::ext::{
    AccessDescription, CrlDistributionPoints, DistributionPoint, DistributionPointName, GeneralNameWith, GeneralNames,
    GeneralSubtree, IssuingDistributionPoint, NameConstraints, OtherName, OtherNameValue, ReasonFlags,
};

use super::any::of_octets;
use super::ext::{listed, named_bits};
use super::name::{name, rdn};
use super::{Scene, key};
use crate::lens::failed;
use crate::tree::{Line, Record, Tone, Value};

/// Shows a list of general names.
pub(crate) fn names<'a>(list: &GeneralNames<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |item| general_name(&item, scene)))
}

/// Shows a general name.
pub(crate) fn general_name<'a, A: Display>(item: &GeneralNameWith<'a, A>, scene: &Scene) -> Value<'a> {
    let title = |kind: &str, value: &dyn Display| Line::new(Tone::Dim, format!("{kind}:")).and(Tone::Plain, value);
    let record = |kind: &'static str, label: &str, value: &dyn Display| {
        Record::titled(title(label, value)).json("type", Value::word(kind)).json("value", Value::text(value))
    };
    match item {
        GeneralNameWith::OtherName(other) => return other_name(other, scene),
        GeneralNameWith::Rfc822Name(text) => beside(record("email", "email", text), mailbox(&text.to_string())),
        GeneralNameWith::DnsName(text) => beside(record("dns", "DNS", text), unicode(&text.to_string())),
        GeneralNameWith::X400Address(address) => {
            let octets = address.0.content().unwrap_or_default();
            record("x400", "X.400", &format!("{} bytes", octets.len())).bare("content", Value::hex(octets))
        }
        GeneralNameWith::DirectoryName(directory) => {
            let line = title("directory", &directory.oneline());
            let mut record = Record::titled(line).json("type", Value::word("directory"));
            let value = name(directory, scene);
            // The errors in the name are shown below it.
            if let Value::Record(inner) = value {
                for field in inner.fields {
                    record.fields.push(field);
                }
            }
            record
        }
        GeneralNameWith::EdiPartyName(party) => record("edi-party", "EDI party", &party.party_name.text())
            .with_some("assigner", party.name_assigner.map(|assigner| Value::Text(assigner.text()))),
        GeneralNameWith::UniformResourceIdentifier(text) => beside(record("uri", "URI", text), uri(&text.to_string())),
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

/// Converts a host's A-labels to Unicode (RFC 5890 §2.3.2.1). Returns `None` if it has no A-labels, and an error if they are
/// invalid. Without the feature `idna`, returns `None`.
fn unicode(host: &str) -> Option<Result<String, ()>> {
    if !cfg!(feature = "idna") {
        return None;
    }
    let is_label = |label: &str| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    if !host.split('.').any(is_label) {
        return None;
    }
    // A name constraint may begin with a dot, and a name with a wildcard (RFC 5280 §4.2.1.10, RFC 6125 §6.4.3).
    let (start, rest) = match host {
        host if host.starts_with("*.") => host.split_at(2),
        host if host.starts_with('.') => host.split_at(1),
        host => ("", host),
    };
    let (text, done) = idna::domain_to_unicode(rest);
    Some(done.map(|()| format!("{start}{text}")).map_err(|_errors| ()))
}

/// Converts the domain of a mailbox, like `unicode`.
fn mailbox(text: &str) -> Option<Result<String, ()>> {
    match text.rsplit_once('@') {
        Some((local, domain)) => unicode(domain).map(|done| done.map(|domain| format!("{local}@{domain}"))),
        // In name constraints: a host or a domain.
        None => unicode(text),
    }
}

/// Converts the host of a URI or of a URI name constraint, like `unicode`.
fn uri(text: &str) -> Option<Result<String, ()>> {
    let Some((scheme, rest)) = text.split_once("://") else { return unicode(text) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end)?;
    let (user, host) = authority.rsplit_once('@').map_or(("", authority), |(user, host)| (user, host));
    let (host, port) = host.rfind(':').and_then(|at| host.split_at_checked(at)).unwrap_or((host, ""));
    let user = if user.is_empty() { String::new() } else { format!("{user}@") };
    unicode(host).map(|done| done.map(|host| format!("{scheme}://{user}{host}{port}{path}")))
}

/// Adds the Unicode form of a name. An invalid one is marked, so that it is not mistaken for a name (RFC 5280 §7.2).
fn beside<'a>(mut record: Record<'a>, other: Option<Result<String, ()>>) -> Record<'a> {
    match other {
        None => record,
        Some(Ok(text)) => {
            record.title = record.title.and(Tone::Dim, format!("  {text}"));
            record.json("unicode", Value::text(text))
        }
        Some(Err(())) => {
            record.title = record.title.and(Tone::Warn, "  not a valid internationalized name");
            record.json("unicode", Value::Null)
        }
    }
}

/// Returns the components of an otherName's value.
fn parts<'a>(value: &OtherNameValue<'a>, scene: &Scene) -> Record<'a> {
    let kind = |kind: &'static str| Record::default().json("kind", Value::word(kind));
    let text = |word: &'static str, text: &dyn Display| kind(word).json("value", Value::text(text));
    match value {
        OtherNameValue::Upn(name) => text("upn", name),
        OtherNameValue::SrvName(name) => text("srv", &name.0),
        OtherNameValue::SmtpUtf8Mailbox(mailbox) => text("smtp-utf8-mailbox", &mailbox.0),
        OtherNameValue::XmppAddr(address) => text("xmpp", address),
        OtherNameValue::NaiRealm(realm) => text("nai-realm", &realm.0),
        OtherNameValue::Krb5PrincipalName(name) => {
            let principal = &name.principal_name;
            kind("krb5-principal")
                .json("value", Value::text(name))
                .json("realm", Value::text(name.realm.as_bytes().escape_ascii()))
                .json("name_type", Value::text(principal.name_type))
                .json(
                    "components",
                    Value::List(listed(&principal.name_string, scene, |part| {
                        Value::text(part.as_bytes().escape_ascii())
                    })),
                )
        }
        OtherNameValue::PermanentIdentifier(identifier) => kind("permanent-identifier")
            .json("value", identifier.identifier_value.map_or(Value::Null, Value::text))
            .json("assigner", identifier.assigner.map_or(Value::Null, Value::Oid)),
        OtherNameValue::HardwareModuleName(name) => kind("hardware-module")
            .json("hardware_type", Value::Oid(name.hw_type))
            .json("serial_number", Value::Hex(name.hw_serial_num.as_bytes().to_vec().into())),
        OtherNameValue::ObjectSid(sid) => text("object-sid", &sid.escape_ascii()),
        OtherNameValue::NtdsReplication(guid) => {
            kind("ntds-replication").json("value", Value::Hex(guid.as_bytes().to_vec().into()))
        }
        OtherNameValue::FascN(number) => kind("fasc-n").json("value", Value::Hex(number.as_bytes().to_vec().into())),
        OtherNameValue::Unknown(_) => Record::default(),
    }
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
        Ok(value) => {
            let record =
                base(Line::plain(value)).json("value", Value::text(value)).json("other", parts(&value, scene).into());
            match &value {
                OtherNameValue::SmtpUtf8Mailbox(found) => beside(record, mailbox(found.0.as_ref())),
                OtherNameValue::SrvName(found) => beside(record, unicode(&found.0.to_string())),
                _ => record,
            }
        }
        Err(bad) => {
            let (problem, octets) = failed(bad);
            base(unknown()).bare("error", problem).bare("der", octets)
        }
    }
    .into()
}

/// Shows name constraints.
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

/// Shows distribution points. In text, a point that consists only of a name is shown as that name.
pub(crate) fn points<'a>(list: &CrlDistributionPoints<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |point| distribution_point(&point, scene)))
}

fn distribution_point<'a>(point: &DistributionPoint<'a>, scene: &Scene) -> Value<'a> {
    let mut record = Record::default();
    if let Some(place) = &point.distribution_point {
        record = place_of(record, place, scene);
    }
    if let Some(reasons) = &point.reasons {
        record = record.with("reasons", named_bits(&reasons.0, ReasonFlags::ty()));
    }
    let mut record = record.with_some("crl_issuer", point.crl_issuer.map(|list| names(&list, scene)));
    if record.fields.len() > 1 {
        // The title groups the lines of one distribution point.
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

/// Shows the scope of a CRL.
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
    let reasons = point.only_some_reasons.map(|reasons| named_bits(&reasons.0, ReasonFlags::ty()));
    record.with_some("only_some_reasons", reasons).into()
}

/// Shows the locations in authority or subject information access.
pub(crate) fn access<'a>(list: &SeqOf<'a, AccessDescription<'a>>, scene: &Scene) -> Value<'a> {
    Value::List(listed(list, scene, |access| {
        let location = general_name(&access.access_location, scene);
        let mut title = key::oid_line(access.access_method, Tone::Plain);
        // The dotted form of a known method is redundant.
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
        // In JSON, the location is a separate object. Fields that text shows below the line are kept.
        let shown: Vec<_> = fields.extract_if(.., |field| field.seen != crate::tree::Seen::Json).collect();
        record = record.json("location", Record { title: Line::default(), fields }.into());
        record.fields.extend(shown);
        record.into()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_scripts() {
        let some = |text: &str| Some(Ok(text.to_owned()));
        assert_eq!(unicode("example.org"), None);
        assert_eq!(unicode("xn--mnchen-3ya.example"), some("münchen.example"));
        assert_eq!(unicode("*.xn--mnchen-3ya.example"), some("*.münchen.example"));
        assert_eq!(unicode(".XN--mnchen-3ya.example"), some(".münchen.example"));
        assert_eq!(unicode("xn--\u{7f}.example"), Some(Err(())));
        assert_eq!(mailbox("me@xn--mnchen-3ya.example"), some("me@münchen.example"));
        assert_eq!(mailbox("xn--mnchen-3ya@example.org"), None);
        assert_eq!(
            uri("https://u@xn--mnchen-3ya.example:8080/xn--a?x"),
            some("https://u@münchen.example:8080/xn--a?x")
        );
        assert_eq!(uri("urn:xn--a"), None);
        assert_eq!(uri("ldap:///cn=xn--a"), None);
    }
}
