//! Manifests (RFC 9286) and route origin authorizations (RFC 9582).

use tagwise_codec::Int;
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::rpki::{Manifest, RoaIpAddressFamily, RouteOriginAttestation};

use super::ocsp::named;
use crate::model::Scene;
use crate::model::ext::listed;
use crate::model::misc::{address, family_name};
use crate::tree::{Line, Record, Tone, Value};

pub(super) fn manifest<'a>(manifest: &Manifest<'a>, scene: &Scene) -> Value<'a> {
    let files = listed(&manifest.file_list, scene, |file| {
        Record::titled(Line::plain(file.file).and(Tone::Dim, format!("  {}", Hex(file.hash.as_bytes()))))
            .json("file", Value::text(file.file))
            .json("hash", Value::hex(file.hash.as_bytes()))
            .into()
    });
    let stale = manifest.next_update.unix() < scene.now;
    let next = Value::Time(manifest.next_update.civil());
    let record = version(manifest.version)
        .with("number", Value::Integer(manifest.manifest_number))
        .with("this_update", Value::Time(manifest.this_update.civil()))
        .with("next_update", next)
        .json("stale", Value::Bool(stale))
        .with("file_hash_algorithm", named(manifest.file_hash_alg))
        .json("file_count", Value::number(manifest.file_list.len()))
        .with("files", Value::List(files));
    record.into()
}

/// Creates a record with the version number as encoded.
fn version<'a>(version: Int<'a>) -> Record<'a> {
    Record::default().with("version", Value::Integer(version))
}

pub(super) fn origin<'a>(roa: &RouteOriginAttestation<'a>, scene: &Scene) -> Value<'a> {
    version(roa.version)
        .with("autonomous_system", Value::Number(u64::from(roa.as_id)))
        .with("address_families", Value::List(listed(&roa.ip_addr_blocks, scene, |found| family(&found, scene))))
        .into()
}

fn family<'a>(family: &RoaIpAddressFamily<'a>, scene: &Scene) -> Value<'a> {
    let afi = match family.address_family.as_bytes() {
        [high, low] => Some(u16::from_be_bytes([*high, *low])),
        _ => None,
    };
    let prefixes = listed(&family.addresses, scene, |prefix| {
        let text = format!("{}/{}", address(prefix.address, afi, 0), prefix.address.bit_len());
        let mut title = Line::plain(&text);
        if let Some(max) = prefix.max_length {
            title = title.and(Tone::Dim, format!("  to /{max}"));
        }
        Record::titled(title)
            .json("prefix", Value::text(text))
            .json("max_length", prefix.max_length.map_or(Value::Null, |max| Value::Number(u64::from(max))))
            .into()
    });
    Record::titled(Line::plain(family_name(afi, family.address_family.as_bytes())))
        .json("family", Value::hex(family.address_family.as_bytes()))
        .bare("prefixes", Value::List(prefixes))
        .into()
}
