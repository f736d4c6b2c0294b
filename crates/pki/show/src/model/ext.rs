//! Extensions by name, with their value or decoding error.

use tagwise_codec::table::{Shape, Type};
use tagwise_codec::{NamedBits, Oid, SeqOf, Typed, Unknown};
use tagwise_input::known;
use tagwise_pkix::ext::{self, ExtensionValue, KnownExtension};
use tagwise_pkix::{Extension, Extensions, oids};

use super::general::{names, points};
use super::{Scene, any, cert, general, key, misc, policy, sct, table};
use crate::lens::{Depth, Failed, failed};
use crate::tree::{Line, Record, Tone, Value};

/// The location of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The extension is in a certificate.
    Certificate,
    /// The extension is in a CRL.
    List,
    /// The extension is in a CRL entry. The entry's title already contains the reason.
    Entry,
}

/// Shows all extensions in a list.
pub(crate) fn extensions<'a>(list: &Extensions<'a>, spot: Spot, scene: &Scene) -> Value<'a> {
    let mut all = Vec::with_capacity(cert::count(list));
    for read in frames(list, scene) {
        match read {
            Ok(extension) => {
                let shown = spot == Spot::Entry && extension.extn_id == ext::CrlReason::ID;
                let value = extension_record(&extension, scene);
                // The entry's title contains the reason, but not the error of a reason that does not decode.
                let quiet = shown && entry_reason(list, scene).is_some();
                all.push(if quiet { Value::Record(Record { title: Line::default(), ..hidden(value) }) } else { value });
            }
            Err(bad) => {
                let (problem, octets) = failed(bad);
                let title = Line::new(Tone::Bad, "extension that does not decode");
                all.push(Record::titled(title).bare("error", problem).bare("der", octets).into());
            }
        }
    }
    Value::List(all)
}

/// Makes a record's fields visible only in JSON.
fn hidden(value: Value<'_>) -> Record<'_> {
    let Value::Record(mut record) = value else { return Record::default() };
    record.fields.iter_mut().for_each(|field| field.seen = crate::tree::Seen::Json);
    record
}

fn frames<'a>(list: &Extensions<'a>, scene: &Scene) -> impl Iterator<Item = Result<Extension<'a>, Failed<'a>>> {
    let list = list.as_seq_of();
    scene.lens.items::<Extension<'a>>(list.content(), list.offset(), Depth::Frame)
}

/// Returns the reason in a CRL entry.
pub(crate) fn entry_reason(list: &Extensions<'_>, scene: &Scene) -> Option<&'static str> {
    let found = frames(list, scene).filter_map(Result::ok).find(|extension| extension.extn_id == ext::CrlReason::ID)?;
    match scene.lens.open(&found.extn_value) {
        Ok(ExtensionValue::CrlReason(reason)) => Some(reason.name()),
        _ => None,
    }
}

fn extension_record<'a>(extension: &Extension<'a>, scene: &Scene) -> Value<'a> {
    let mut title = key::oid_line(extension.extn_id, Tone::Strong);
    if extension.critical {
        title = title.and(Tone::Warn, "  critical");
    }
    let mut record = Record::titled(title).json("oid", Value::text(extension.extn_id));
    if let Some(info) = oids::lookup(extension.extn_id) {
        record = record.json("name", Value::word(info.name));
    }
    record = record.json("critical", Value::Bool(extension.critical));
    match scene.lens.open(&extension.extn_value) {
        Ok(ExtensionValue::Unknown(unknown)) => match known::extension(extension.extn_id) {
            Some(ty) => by_table(record, ty, extension, scene),
            None => unknown_value(record, &unknown),
        },
        Ok(ExtensionValue::Logotype(_)) => by_table(record, ext::Logotype::ty(), extension, scene),
        Ok(known) => match value(known, scene) {
            Some(value) => record.bare("value", value),
            None => record.bare("der", Value::hex(extension.extn_value.as_bytes())),
        },
        Err(bad) => {
            let (problem, octets) = failed(bad);
            record.bare("error", problem).bare("der", octets)
        }
    }
    .into()
}

/// Adds an extension's value, shown according to its type's table.
fn by_table<'a>(record: Record<'a>, ty: &'static Type, extension: &Extension<'a>, scene: &Scene) -> Record<'a> {
    let (octets, offset) = (extension.extn_value.as_bytes(), extension.extn_value.offset());
    match table::read(ty, octets, offset, scene) {
        Ok(value) => record.bare("value", value),
        Err(problem) => record.bare("error", Value::Problem(problem)).bare("der", Value::hex(octets)),
    }
}

/// Adds the bytes of an unknown value, and their notation if they are DER.
fn unknown_value<'a>(record: Record<'a>, unknown: &Unknown<'a>) -> Record<'a> {
    let record = record.bare("der", Value::hex(unknown.bytes));
    match any::of_octets(unknown.bytes) {
        Some(notation) => record.with("notation", Value::text(notation)),
        None => record,
    }
}

/// Shows the value of a known extension, or returns `None` if this function does not support it.
fn value<'a>(value: ExtensionValue<'a>, scene: &Scene) -> Option<Value<'a>> {
    use ExtensionValue as E;
    Some(match value {
        E::AuthorityKeyIdentifier(id) => Record::default()
            .with_some("key_id", id.key_identifier.map(|id| Value::hex(id.as_bytes())))
            .with_some("issuer", id.authority_cert_issuer.map(|list| names(&list, scene)))
            .with_some("serial_number", id.authority_cert_serial_number.map(cert::serial))
            .into(),
        E::SubjectKeyIdentifier(id) => Value::hex(id.0.as_bytes()),
        E::KeyUsage(usage) => named_bits(&usage.0, ext::KeyUsage::ty()),
        E::PrivateKeyUsagePeriod(period) => Record::default()
            .with_some("not_before", period.not_before.map(|time| Value::Time(time.0.civil())))
            .with_some("not_after", period.not_after.map(|time| Value::Time(time.0.civil())))
            .into(),
        E::CertificatePolicies(policies) | E::ApplicationPolicies(ext::ApplicationPolicies(policies)) => {
            policy::policies(&policies, scene)
        }
        E::PolicyMappings(mappings) | E::ApplicationPolicyMappings(ext::ApplicationPolicyMappings(mappings)) => {
            policy::mappings(&mappings, scene)
        }
        E::PolicyConstraints(limits) | E::ApplicationPolicyConstraints(ext::ApplicationPolicyConstraints(limits)) => {
            policy::constraints(&limits)
        }
        E::InhibitAnyPolicy(inhibit) => Record::default().with("skip_certs", Value::Integer(inhibit.0.int())).into(),
        E::SubjectAltName(list) => names(&list.0, scene),
        E::IssuerAltName(list) => names(&list.0, scene),
        E::CertificateIssuer(list) => names(&list.0, scene),
        E::NtdsSecurity(list) => names(&list.0, scene),
        E::SubjectDirectoryAttributes(list) => misc::directory_attributes(&list, scene),
        E::BasicConstraints(basic) => Record::default()
            .with("ca", Value::Bool(basic.ca))
            .with_some("path_len", basic.path_len_constraint.map(|count| Value::Integer(count.int())))
            .into(),
        E::NameConstraints(constraints) => general::constraints(&constraints, scene),
        E::ExtKeyUsage(usage) => oids_of(&usage.0, scene),
        E::CrlDistributionPoints(list) | E::CrlSelfDistributionPoints(ext::CrlSelfDistributionPoints(list)) => {
            points(&list, scene)
        }
        E::FreshestCrl(list) => points(&list.0, scene),
        E::IssuingDistributionPoint(point) => general::issuing_point(&point, scene),
        E::AuthorityInfoAccess(access) => general::access(&access.0, scene),
        E::SubjectInfoAccess(access) => general::access(&access.0, scene),
        E::CrlNumber(number) => Value::Integer(number.0.int()),
        E::DeltaCrlIndicator(number) => Record::default().with("base_crl", Value::Integer(number.0.0.int())).into(),
        E::CrlReason(reason) => Value::word(reason.name()),
        E::HoldInstructionCode(code) => Value::Oid(code.0),
        E::InvalidityDate(date) => Value::Time(date.0.0.civil()),
        E::SctList(list) | E::OcspSctList(list) => sct::list(&list),
        E::PrecertificatePoison(_) => marker("precertificate poison: this is a precertificate, not a certificate"),
        E::OcspNoCheck(_) => marker("need not be checked for revocation"),
        E::NoRevAvail(_) => marker("no revocation information is available"),
        E::DelegationUsage(_) => marker("may sign delegated credentials"),
        E::TlsFeature(features) => misc::features(&features, scene),
        E::AcmeIdentifier(identifier) => Value::hex(identifier.0.as_bytes()),
        E::QcStatements(statements) => misc::statements(&statements, scene),
        E::CabfOrganizationIdentifier(id) => Record::default()
            .with("scheme", Value::text(id.registration_scheme_identifier))
            .with("country", Value::text(id.registration_country))
            .with_some("state_or_province", id.registration_state_or_province.map(Value::text))
            .with("reference", Value::text(id.registration_reference))
            .into(),
        E::IpAddrBlocks(blocks) | E::IpAddrBlocksV2(blocks) => misc::ip_blocks(&blocks, scene),
        E::AsIdentifiers(ids) | E::AsIdentifiersV2(ids) => misc::as_identifiers(&ids, scene),
        E::NetscapeCertType(ty) => named_bits(&ty.0, ext::NetscapeCertType::ty()),
        E::NetscapeBaseUrl(text) => Value::text(text.0),
        E::NetscapeRevocationUrl(text) => Value::text(text.0),
        E::NetscapeCaRevocationUrl(text) => Value::text(text.0),
        E::NetscapeRenewalUrl(text) => Value::text(text.0),
        E::NetscapeCaPolicyUrl(text) => Value::text(text.0),
        E::NetscapeSslServerName(text) => Value::text(text.0),
        E::NetscapeComment(text) => Value::text(text.0),
        E::EntrustVersionInfo(info) => Record::default()
            .with("version", Value::text(info.entrust_vers))
            .with("flags", super::bits(info.entrust_vers_info))
            .into(),
        E::TemplateName(name) => Value::text(name.0),
        E::CertificateTemplate(template) => Record::default()
            .with("template", Value::Oid(template.template_id))
            .with("major_version", Value::Number(u64::from(template.template_major_version)))
            .with_some("minor_version", template.template_minor_version.map(|minor| Value::Number(u64::from(minor))))
            .into(),
        E::CaVersion(version) => {
            let part = |index: Option<u16>| index.map(|index| Value::Number(u64::from(index)));
            Record::default()
                .with("number", Value::Integer(version.0))
                .with_some("certificate_index", part(version.certificate_index()))
                .with_some("key_index", part(version.key_index()))
                .into()
        }
        E::PreviousCaHash(hash) => Value::hex(hash.0.as_bytes()),
        E::CrlVirtualBase(number) => Value::Integer(number.0),
        E::CrlNextPublish(time) => Value::Time(time.0.civil()),
        E::ExpiredCertsOnCrl(since) => Value::Time(since.0.civil()),
        E::Unknown(unknown) => Value::hex(unknown.bytes),
        _ => return None,
    })
}

/// The maximum number of set bits to show. No type names more bits.
const BITS: usize = 256;

/// Shows the set bits with the names from the type's table. Bits without a name are shown by number and never omitted.
pub(crate) fn named_bits<'a>(bits: &NamedBits<'_>, ty: &Type) -> Value<'a> {
    let named = match &ty.shape {
        Shape::BitString(named) => &**named,
        _ => &[],
    };
    let word = |bit: u64| {
        let found = named.iter().find(|named| u64::try_from(named.number) == Ok(bit));
        found.map_or_else(|| format!("undefined bit {bit}"), |named| named.name.to_string())
    };
    let mut words: Vec<_> = bits.iter().take(BITS).map(|bit| Value::Word(word(bit).into())).collect();
    let more = bits.iter().skip(BITS).count();
    if more > 0 {
        words.push(Value::Word(format!("and {more} more undefined bits").into()));
    }
    Value::List(words)
}

/// Shows an extension whose presence alone carries the meaning.
fn marker<'a>(says: &'static str) -> Value<'a> {
    Value::word(says)
}

/// Shows the items of a list, with an error in place of each malformed item.
pub(crate) fn listed<'a, T: tagwise_codec::Decode<'a> + Typed>(
    list: &SeqOf<'a, T>,
    scene: &Scene,
    show: impl Fn(T) -> Value<'a>,
) -> Vec<Value<'a>> {
    let items = scene.lens.seq::<T>(list);
    items.map(|read| read.map_or_else(|bad| failed(bad).0, &show)).collect()
}

/// Shows a list of object identifiers.
pub(crate) fn oids_of<'a>(list: &SeqOf<'a, Oid<'a>>, scene: &Scene) -> Value<'a> {
    Value::List(listed(list, scene, Value::Oid))
}
