//! Rare extensions.

use std::net::{Ipv4Addr, Ipv6Addr};

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{BitStr, SeqOf};
use tagwise_pkix::ext::{
    AsIdOrRange, AsIdentifierChoice, AsIdentifiers, IpAddrBlocks, IpAddressChoice, IpAddressOrRange,
    Iso4217CurrencyCode, QcStatement, QcStatementInfo, QcStatements, SemanticsInformation, SubjectDirectoryAttributes,
    TlsFeature,
};
use tagwise_pkix::oids;

use super::any::of_octets;
use super::ext::{listed, oids_of};
use super::general::general_name;
use super::name::attribute_value;
use super::{Scene, key};
use crate::lens::failed;
use crate::tree::{Line, Record, Tone, Value, decimal};

/// Shows the attributes of the subject.
pub(crate) fn directory_attributes<'a>(list: &SubjectDirectoryAttributes<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |attribute| {
        let values = scene.lens.set(&attribute.values);
        let values = values.map(|read| read.map_or_else(|bad| failed(bad).0, |value| attribute_value(&value)));
        Record::titled(key::oid_line(attribute.attr_type, Tone::Plain))
            .json("type", Value::Oid(attribute.attr_type))
            .bare("values", Value::List(values.collect()))
            .into()
    }))
}

/// Shows TLS extensions with their numbers.
pub(crate) fn features<'a>(features: &TlsFeature<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&features.0, scene, |feature| {
        let name = match u16::try_from(feature) {
            Ok(TlsFeature::STATUS_REQUEST) => "status_request",
            Ok(TlsFeature::STATUS_REQUEST_V2) => "status_request_v2",
            _ => "unknown",
        };
        let number = decimal(feature).unwrap_or_else(|| Hex(feature.magnitude()).to_string());
        Record::titled(Line::plain(name).and(Tone::Dim, format!(" {number}")))
            .json("name", Value::word(name))
            .json("number", Value::Integer(feature))
            .into()
    }))
}

/// Shows the statements of qualified certificates.
pub(crate) fn statements<'a>(list: &QcStatements<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&list.0, scene, |found| statement(&found, scene)))
}

fn statement<'a>(found: &QcStatement<'a>, scene: &Scene) -> Value<'a> {
    use QcStatementInfo as Q;
    let title = key::oid_line(found.statement_id, Tone::Plain);
    let record = Record::titled(title).json("statement", Value::Oid(found.statement_id));
    let Some(info) = &found.statement_info else { return record.into() };
    match scene.lens.open(info) {
        Ok(Q::SyntaxV1(semantics) | Q::SyntaxV2(semantics)) => semantics_of(record, &semantics, scene),
        Ok(Q::LimitValue(limit)) => {
            let currency = match limit.currency {
                Iso4217CurrencyCode::Alphabetic(code) => Value::text(code),
                Iso4217CurrencyCode::Numeric(number) => Value::Number(u64::from(number)),
            };
            let record = record.with("currency", currency).with("amount", Value::Integer(limit.amount));
            record.with("exponent", Value::Integer(limit.exponent))
        }
        Ok(Q::RetentionPeriod(years)) => record.with("years", Value::Integer(years)),
        Ok(Q::Pds(places)) => record.bare(
            "locations",
            Value::List(listed(&places.0, scene, |place| {
                Record::titled(Line::new(Tone::Dim, format!("{}: ", place.language)).and(Tone::Plain, place.url))
                    .json("url", Value::text(place.url))
                    .json("language", Value::text(place.language))
                    .into()
            })),
        ),
        Ok(Q::Type(types)) => record.bare("types", oids_of(&types, scene)),
        Ok(Q::CountriesOfLegislation(countries)) => {
            record.bare("countries", Value::List(listed(&countries, scene, |country| Value::text(country.0))))
        }
        Ok(Q::Psd2(psd2)) => record
            .with(
                "roles",
                Value::List(listed(&psd2.roles_of_psp, scene, |role| {
                    let title = Line::plain(role.role_of_psp_name).and(Tone::Dim, format!(" {}", role.role_of_psp_oid));
                    Record::titled(title)
                        .json("role", Value::Oid(role.role_of_psp_oid))
                        .json("name", Value::text(role.role_of_psp_name))
                        .into()
                })),
            )
            .with("authority", Value::text(psd2.nca_name))
            .with("authority_id", Value::text(psd2.nca_id)),
        Ok(Q::Unknown(unknown)) => {
            let record = record.bare("der", Value::hex(unknown.bytes));
            let record = record.with_some("notation", of_octets(unknown.bytes).map(Value::text));
            if [oids::ETSI_QCS_QC_COMPLIANCE, oids::ETSI_QCS_QC_SSCD].contains(&found.statement_id) {
                record.with("remark", Value::word("this statement has no value (ETSI EN 319 412-5 §4.2.1, §4.2.2)"))
            } else {
                record
            }
        }
        Err(bad) => {
            let (problem, octets) = failed(bad);
            record.bare("error", problem).bare("der", octets)
        }
    }
    .into()
}

fn semantics_of<'a>(record: Record<'a>, semantics: &SemanticsInformation<'a>, scene: &Scene) -> Record<'a> {
    let authorities = semantics.name_registration_authorities;
    record.with_some("semantics", semantics.semantics_identifier.map(Value::Oid)).with_some(
        "authorities",
        authorities.map(|list| Value::List(listed(&list, scene, |item| general_name(&item, scene)))),
    )
}

/// Returns the name of an address family.
pub(crate) fn family_name(afi: Option<u16>, octets: &[u8]) -> String {
    match afi {
        Some(1) => "IPv4".to_owned(),
        Some(2) => "IPv6".to_owned(),
        _ => format!("address family {}", Hex(octets)),
    }
}

/// Shows IP addresses, grouped by family.
pub(crate) fn ip_blocks<'a>(blocks: &IpAddrBlocks<'a>, scene: &Scene) -> Value<'a> {
    Value::List(listed(&blocks.0, scene, |family| {
        let afi = family.afi();
        let name = family_name(afi, family.address_family.as_bytes());
        let record = match family.address_family.as_bytes() {
            [_, _, safi] => Record::titled(Line::plain(format!("{name}, SAFI {safi}"))),
            _ => Record::titled(Line::plain(name)),
        };
        let record = record.json("family", Value::hex(family.address_family.as_bytes()));
        match family.ip_address_choice {
            IpAddressChoice::Inherit => record.bare("addresses", Value::word("inherit")),
            IpAddressChoice::AddressesOrRanges(list) => record.bare(
                "addresses",
                Value::List(listed(&list, scene, |item| match item {
                    IpAddressOrRange::AddressPrefix(bits) => {
                        Value::text(format!("{}/{}", address(bits, afi, 0), bits.bit_len()))
                    }
                    IpAddressOrRange::AddressRange(range) => {
                        Value::text(format!("{} to {}", address(range.min, afi, 0), address(range.max, afi, 0xFF)))
                    }
                })),
            ),
        }
        .into()
    }))
}

/// Formats an address prefix. Missing bits are filled from `fill`: zeros or ones.
pub(crate) fn address(bits: BitStr<'_>, afi: Option<u16>, fill: u8) -> String {
    let mut octets = [fill; 16];
    for (slot, octet) in octets.iter_mut().zip(bits.as_bytes()) {
        *slot = *octet;
    }
    let last = bits.as_bytes().len().checked_sub(1).and_then(|last| octets.get_mut(last));
    if let Some(last) = last {
        let mask = !(0xFF_u8 << bits.unused_bits().min(7));
        *last = (*last & !mask) | (fill & mask);
    }
    match (afi, octets) {
        (Some(1), [a, b, c, d, ..]) if bits.as_bytes().len() <= 4 => Ipv4Addr::new(a, b, c, d).to_string(),
        (Some(2), octets) if bits.as_bytes().len() <= 16 => Ipv6Addr::from(octets).to_string(),
        _ => Hex(bits.as_bytes()).to_string(),
    }
}

/// Shows autonomous system identifiers.
pub(crate) fn as_identifiers<'a>(ids: &AsIdentifiers<'a>, scene: &Scene) -> Value<'a> {
    let choice = |choice: AsIdentifierChoice<'a>| match choice {
        AsIdentifierChoice::Inherit => Value::word("inherit"),
        AsIdentifierChoice::AsIdsOrRanges(list) => ranges(&list, scene),
    };
    Record::default()
        .with_some("autonomous_systems", ids.asnum.map(choice))
        .with_some("routing_domains", ids.rdi.map(choice))
        .into()
}

fn ranges<'a>(list: &SeqOf<'a, AsIdOrRange<'a>>, scene: &Scene) -> Value<'a> {
    Value::List(listed(list, scene, |item| match item {
        AsIdOrRange::Id(id) => Value::Integer(id),
        AsIdOrRange::Range(range) => {
            let number = |int| decimal(int).unwrap_or_else(|| "?".to_owned());
            Record::titled(Line::plain(format!("{} to {}", number(range.min), number(range.max))))
                .json("min", Value::Integer(range.min))
                .json("max", Value::Integer(range.max))
                .into()
        }
    }))
}
