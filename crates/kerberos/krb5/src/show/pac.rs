//! PACs as trees.

use crate::numbers;
use crate::pac::{ClaimEntry, ClaimValue, ClaimsArray, LogonInfo, Pac, buffer};
use crate::{FileError, crypto::ChecksumType};
use tagwise_show::tree::{Line, Record, Tone, Value};

use super::malformed::ERROR;

/// Builds the tree of a PAC's buffers, with the contents of known ones.
pub(super) fn record(octets: &[u8]) -> Record<'static> {
    let pac = match Pac::from_bytes(octets) {
        Ok(pac) => pac,
        Err(error) => return Record::default().with(ERROR, Value::text(error)),
    };
    let buffers = pac.buffers().map(|(kind, content)| {
        let name = buffer::name(kind).map_or_else(|| format!("buffer {kind}"), str::to_owned);
        let title = Line::new(Tone::Strong, &name).and(Tone::Dim, format!(", {} bytes", content.len()));
        let record = Record::titled(title)
            .json("type", Value::Number(u64::from(kind)))
            .json("name", Value::text(&name))
            .json("length", Value::number(content.len()));
        match fields(&pac, kind).transpose() {
            Ok(Some(found)) => {
                let fields = record.fields.into_iter().chain(found.fields).collect();
                Record { title: record.title, fields }.into()
            }
            Ok(None) => record.into(),
            Err(error) => record.with(ERROR, Value::text(error)).into(),
        }
    });
    Record::default().bare("buffers", Value::List(buffers.collect()))
}

/// Returns a buffer's number from the name of its structure in MS-PAC, or from a name such as `PAC-10`.
pub(super) fn buffer_by_name(name: &str) -> Option<u32> {
    const NAMES: &[(&str, u32)] = &[
        ("KERB_VALIDATION_INFO", buffer::LOGON_INFO),
        ("PAC_CLIENT_INFO", buffer::CLIENT_INFO),
        ("UPN_DNS_INFO", buffer::UPN_DNS_INFO),
        ("PAC_CLIENT_CLAIMS_INFO", buffer::CLIENT_CLAIMS),
        ("PAC_DEVICE_CLAIMS_INFO", buffer::DEVICE_CLAIMS),
        ("PAC_ATTRIBUTES_INFO", buffer::ATTRIBUTES),
        ("PAC_REQUESTOR", buffer::REQUESTOR),
        ("PAC_SIGNATURE_DATA", buffer::SERVER_CHECKSUM),
    ];
    let named = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, number)| *number);
    let numbered = || name.get(..4).filter(|head| head.eq_ignore_ascii_case("PAC-")).and(name.get(4..)?.parse().ok());
    named.or_else(numbered)
}

/// Builds the tree of a standalone buffer.
pub(super) fn single(kind: u32, content: &[u8]) -> Result<Record<'static>, String> {
    // A PAC of this buffer alone: number of buffers, version, type, length, offset.
    let len = u32::try_from(content.len()).map_err(|_| "the buffer is too long".to_owned())?;
    let head = [1, 0, kind, len, 24, 0].map(u32::to_le_bytes).concat();
    let whole = [&head[..], content].concat();
    let pac = Pac::from_bytes(&whole).map_err(|error| error.to_string())?;
    match fields(&pac, kind) {
        Some(found) => found.map_err(|error| error.to_string()),
        None => Err(format!("contents of PAC buffers of type {kind} are not decoded")),
    }
}

type Fields = Result<Record<'static>, FileError>;

fn fields(pac: &Pac<'_>, kind: u32) -> Option<Fields> {
    match kind {
        buffer::LOGON_INFO => Some(pac.logon_info()?.map(|info| logon(&info))),
        buffer::CLIENT_INFO => Some(pac.client_info()?.map(|info| {
            Record::default().with("client", Value::text(&info.name)).with("auth_time", Value::text(info.auth_time))
        })),
        buffer::CLIENT_CLAIMS | buffer::DEVICE_CLAIMS => Some(pac.claims(kind)?.map(|sets| claims(&sets))),
        buffer::UPN_DNS_INFO => Some(pac.upn_dns_info()?.map(|info| {
            Record::default()
                .with("upn", Value::text(&info.upn))
                .with("dns_domain", Value::text(&info.dns_domain))
                .with("constructed", Value::Bool(info.is_constructed))
                .with_some("sam_name", info.sam_name.as_ref().map(Value::text))
                .with_some("sid", info.sid.as_ref().map(Value::text))
        })),
        buffer::ATTRIBUTES => Some(pac.attributes()?.map(|found| {
            Record::default()
                .with("requested", Value::Bool(found.was_requested()))
                .with("given_implicitly", Value::Bool(found.was_given_implicitly()))
        })),
        buffer::REQUESTOR => Some(pac.requestor()?.map(|sid| Record::default().with("sid", Value::text(sid)))),
        buffer::SERVER_CHECKSUM | buffer::KDC_CHECKSUM | buffer::TICKET_CHECKSUM | buffer::FULL_CHECKSUM => {
            Some(pac.signature(kind)?.map(|signature| {
                let name = ChecksumType::from_number(signature.kind).map(ChecksumType::name);
                let name = name.map_or_else(|| signature.kind.to_string(), str::to_owned);
                Record::default()
                    .with("checksum_type", Value::text(name))
                    .with("checksum", Value::Hex(signature.checksum.to_vec().into()))
                    .with_some("rodc", signature.rodc.map(|rodc| Value::Number(u64::from(rodc))))
            }))
        }
        _ => None,
    }
}

fn logon(info: &LogonInfo) -> Record<'static> {
    let text = |text: &str| (!text.is_empty()).then(|| Value::text(text));
    let groups = |list: &[crate::pac::GroupMembership]| {
        Value::List(list.iter().map(|group| Value::Number(u64::from(group.rid))).collect())
    };
    let extra = info.extra_sids.iter().filter_map(|(sid, _)| sid.as_ref()).map(Value::text).collect::<Vec<_>>();
    Record::default()
        .with("effective_name", Value::text(&info.effective_name))
        .with_some("full_name", text(&info.full_name))
        .with_some("logon_script", text(&info.logon_script))
        .with_some("profile_path", text(&info.profile_path))
        .with_some("home_directory", text(&info.home_directory))
        .with_some("home_drive", text(&info.home_drive))
        .with_some("logon_domain", text(&info.logon_domain))
        .with_some("logon_server", text(&info.logon_server))
        .with_some("user_sid", info.user_sid().map(Value::text))
        .with("user_id", Value::Number(u64::from(info.user_id)))
        .with("primary_group_id", Value::Number(u64::from(info.primary_group_id)))
        .with("groups", groups(&info.groups))
        .with_some("extra_sids", (!extra.is_empty()).then_some(Value::List(extra)))
        .with_some("domain_sid", info.domain_id.as_ref().map(Value::text))
        .with_some("resource_domain_sid", info.resource_domain.as_ref().map(Value::text))
        .with_some("resource_groups", (!info.resource_groups.is_empty()).then(|| groups(&info.resource_groups)))
        .with_some("logon_time", info.logon_time.map(Value::text))
        .with_some("logoff_time", info.logoff_time.map(Value::text))
        .with_some("kick_off_time", info.kick_off_time.map(Value::text))
        .with_some("password_last_set", info.password_last_set.map(Value::text))
        .with_some("password_can_change", info.password_can_change.map(Value::text))
        .with_some("password_must_change", info.password_must_change.map(Value::text))
        .with("logon_count", Value::Number(u64::from(info.logon_count)))
        .with("bad_password_count", Value::Number(u64::from(info.bad_password_count)))
        .with("user_flags", Value::Number(u64::from(info.user_flags)))
        .with("account_control", Value::Number(u64::from(info.account_control)))
}

/// Builds the tree of claims, grouped by their source (MS-ADTS §2.2.18).
fn claims(sets: &[ClaimsArray]) -> Record<'static> {
    let value = |value: &ClaimValue| match value {
        ClaimValue::Int64(number) => Value::text(number),
        ClaimValue::Uint64(number) => Value::Number(*number),
        ClaimValue::Text(text) => Value::text(text),
        ClaimValue::Bool(is_true) => Value::Bool(*is_true),
    };
    let entry = |entry: &ClaimEntry| {
        Record::titled(Line::new(Tone::Strong, &entry.id))
            .json("id", Value::text(&entry.id))
            .with("type", Value::word(entry.type_name()))
            .with("values", Value::List(entry.values.iter().map(value).collect()))
            .into()
    };
    let set = |set: &ClaimsArray| {
        Record::default()
            .with("source", Value::text(set.source_name()))
            .with("claims", Value::List(set.entries.iter().map(entry).collect()))
            .into()
    };
    Record::default().with("claims_sets", Value::List(sets.iter().map(set).collect()))
}

/// Returns the name of an encryption type, or its number if it has no name.
#[must_use]
pub fn enc_type(number: i32) -> String {
    numbers::enc_type::name(number).map_or_else(|| format!("encryption type {number}"), str::to_owned)
}
