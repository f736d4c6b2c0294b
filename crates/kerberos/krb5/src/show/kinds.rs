//! Trees for any kind of Kerberos data, each with a heading.

use crate::{Ccache, Credential, KerberosKind, Keytab, KeytabEntry, Token, flags, types};
use tagwise_codec::Decode as _;
use tagwise_codec::text::hex;
use tagwise_show::tree::{Line, Record, Tone, Value};

use super::malformed::ERROR;
use super::tree::{View, whole};
use super::{pac, times};

/// A document with its kind and content.
pub struct Shown {
    /// A description of the kind.
    pub kind: String,
    /// The content.
    pub value: Value<'static>,
}

impl Shown {
    fn new(kind: impl Into<String>, value: Value<'static>) -> Self {
        Self { kind: kind.into(), value }
    }
}

/// Builds the tree for any kind of Kerberos data. Returns `None` if it is not Kerberos.
///
/// # Errors
/// Returns a description of the error and its position if the data is malformed.
pub fn show(octets: &[u8], view: View) -> Option<Result<Shown, String>> {
    Some(Ok(match KerberosKind::of(octets)? {
        KerberosKind::Message(ty) => match super::tree::read(ty, octets, view) {
            // A list has no name of its own in its table.
            Ok(value) => Shown::new(
                types::sequence_name(octets)
                    .filter(|_| octets.first() == Some(&0x30))
                    .map_or_else(|| ty.name.to_string(), str::to_owned),
                value,
            ),
            Err(error) => return Some(Err(error.to_string())),
        },
        KerberosKind::Token(found) => Shown::new(format!("{} token", found.mech_name()), token(octets, view)),
        KerberosKind::PerMessage(id) => {
            Shown::new(if id == [4, 4] { "MIC token" } else { "Wrap token" }, per_message(octets))
        }
        KerberosKind::Keytab => match Keytab::from_bytes(octets) {
            Ok(found) => Shown::new("keytab", keytab(&found, view.secrets)),
            Err(error) => return Some(Err(error.to_string())),
        },
        KerberosKind::Ccache => match Ccache::from_bytes(octets) {
            Ok(found) => Shown::new("credential cache", ccache(&found, view)),
            Err(error) => return Some(Err(error.to_string())),
        },
        KerberosKind::Pac => Shown::new("PAC", pac::record(octets).into()),
        KerberosKind::Kpasswd => Shown::new("password-change message", kpasswd(octets, view)),
    }))
}

/// The names accepted by [`show_as`] in addition to [`types::NAMES`].
pub const FORMS: &[&str] = &["token", "MIC", "Wrap", "keytab", "ccache", "kpasswd", "PAC"];

/// Builds the tree for data of the named kind: an ASN.1 type, one of [`FORMS`], or a PAC buffer by name or number, such as
/// `PAC_CLIENT_INFO` or `PAC-10`. Names are case-insensitive. Returns `None` for an unknown name.
///
/// # Errors
/// Returns a description of the error and its position if the data is malformed.
///
/// ```
/// use tagwise_krb5::show::{View, show_as};
/// //          SEQUENCE { [0] { INTEGER 18 } [1] { OCTET STRING } }
/// let key = b"\x30\x09\xA0\x03\x02\x01\x12\xA1\x02\x04\x00";
/// assert_eq!(show_as("EncryptionKey", key, View::new(true)).expect("a name").expect("a key").kind, "EncryptionKey");
/// assert!(show_as("keytab", b"no", View::new(true)).expect("a name").is_err());
/// assert!(show_as("GIF", b"", View::new(true)).is_none());
/// ```
pub fn show_as(name: &str, octets: &[u8], view: View) -> Option<Result<Shown, String>> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    if let Some(known) = types::NAMES.iter().find(|known| is(known)) {
        let read = super::tree::read(types::by_name(known)?, octets, view).map_err(|error| error.to_string());
        return Some(read.map(|value| Shown::new(*known, value)));
    }
    if let Some(buffer) = pac::buffer_by_name(name) {
        return Some(pac::single(buffer, octets).map(|value| Shown::new(format!("PAC buffer {buffer}"), value.into())));
    }
    let form = FORMS.iter().find(|known| is(known))?;
    // The kind that is named must be the one that is there.
    let fits = |fits: bool| fits.then_some(()).ok_or_else(|| format!("not of type {form}"));
    let shown = match *form {
        "token" => fits(Token::from_bytes(octets).is_some()).map(|()| Shown::new("token", token(octets, view))),
        "MIC" => fits(octets.starts_with(&[4, 4])).map(|()| Shown::new("MIC token", per_message(octets))),
        "Wrap" => fits(octets.starts_with(&[5, 4])).map(|()| Shown::new("Wrap token", per_message(octets))),
        "keytab" => Keytab::from_bytes(octets)
            .map(|found| Shown::new("keytab", keytab(&found, view.secrets)))
            .map_err(|error| error.to_string()),
        "ccache" => Ccache::from_bytes(octets)
            .map(|found| Shown::new("credential cache", ccache(&found, view)))
            .map_err(|error| error.to_string()),
        "kpasswd" => fits(matches!(KerberosKind::of(octets), Some(KerberosKind::Kpasswd)))
            .map(|()| Shown::new("password-change message", kpasswd(octets, view))),
        _ => Ok(Shown::new("PAC", pac::record(octets).into())),
    };
    Some(shown)
}

/// Shows a context token with its framing.
pub(super) fn token(octets: &[u8], view: View) -> Value<'static> {
    let Some(found) = Token::from_bytes(octets) else { return Value::Hex(octets.to_vec().into()) };
    let record = Record::default()
        .with("mechanism", Value::text(found.mech_name()))
        .with_some("token_id", found.id.map(|id| Value::text(hex::encode(&id))));
    if let Some((header, message)) = found.iakerb() {
        let header = types::by_name("IAKERB-HEADER").map(|ty| whole(ty, header, view));
        let record = record.with_some("iakerb_header", header);
        return match types::message(message) {
            Some(ty) => record.with(field(ty), whole(ty, message, view)).into(),
            None if message.is_empty() => record.into(),
            None => record.with("token", Value::Hex(message.to_vec().into())).into(),
        };
    }
    match found.ty() {
        Some(ty) => record.with(field(ty), whole(ty, found.inner, view)),
        None => record.with("token", Value::Hex(found.inner.to_vec().into())),
    }
    .into()
}

/// Returns a type's name as a JSON key.
fn field(ty: &tagwise_codec::table::Type) -> String {
    ty.name.to_string().to_lowercase().replace('-', "_")
}

/// Shows a MIC or Wrap token (RFC 4121 §4.2.6).
pub(super) fn per_message(octets: &[u8]) -> Value<'static> {
    let is_mic = octets.first() == Some(&4);
    let Some((header, rest)) = octets.split_first_chunk::<16>() else {
        return Record::default().with(ERROR, Value::text("an RFC 4121 token must have at least 16 bytes")).into();
    };
    let [_, _, flags, _, ec0, ec1, rrc0, rrc1, sequence @ ..] = *header;
    let names = [(1, "sent by acceptor"), (2, "sealed"), (4, "acceptor subkey")];
    let set = names.into_iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| Value::word(name)).collect();
    let number = |high: u8, low: u8| Value::Number(u64::from(u16::from_be_bytes([high, low])));
    let mut record = Record::default().with("flags", Value::List(set));
    if !is_mic {
        record = record.with("extra_count", number(ec0, ec1)).with("right_rotation_count", number(rrc0, rrc1));
    }
    record
        .with("sequence_number", Value::Number(u64::from_be_bytes(sequence)))
        .with(if is_mic { "checksum" } else { "data" }, Value::Bulk(rest.to_vec().into()))
        .into()
}

fn kpasswd(octets: &[u8], view: View) -> Value<'static> {
    let record = Record::default();
    let Some(([_, _, v0, v1, a0, a1], rest)) = octets.split_first_chunk::<6>() else { return record.into() };
    let version = u16::from_be_bytes([*v0, *v1]);
    let record = record.with("version", Value::text(format!("{version:#06x}")));
    let Some((ap, private)) = rest.split_at_checked(usize::from(u16::from_be_bytes([*a0, *a1]))) else {
        return record.with(ERROR, Value::text("the length of the AP message is too large (RFC 3244 §2)")).into();
    };
    let part = |record: Record<'static>, octets: &[u8]| match types::message(octets) {
        Some(ty) => record.with(field(ty), whole(ty, octets, view)),
        None if octets.is_empty() => record,
        None => record.with("unknown", Value::Hex(octets.to_vec().into())),
    };
    part(part(record, ap), private).into()
}

/// Shows a key, or only its length.
fn key(octets: &[u8], secrets: bool) -> Value<'static> {
    match secrets {
        true => Value::Hex(octets.to_vec().into()),
        false => Record::titled(Line::new(Tone::Dim, format!("secret, not shown, {} bytes", octets.len())))
            .json("hidden", Value::Bool(true))
            .into(),
    }
}

/// Builds the tree of a keytab's entries.
#[must_use]
pub fn keytab(keytab: &Keytab, secrets: bool) -> Value<'static> {
    let entry = |entry: &KeytabEntry| {
        Record::titled(Line::new(Tone::Strong, &entry.principal).and(Tone::Dim, format!(" kvno {}", entry.kvno)))
            .json("principal", Value::text(&entry.principal))
            .json("kvno", Value::Number(u64::from(entry.kvno)))
            .with("etype", Value::text(pac::enc_type(entry.enc_type)))
            .with("timestamp", Value::text(times::stamp(entry.timestamp)))
            .with("key", key(entry.key.expose(), secrets))
            .into()
    };
    Record::default().bare("entries", Value::List(keytab.entries().iter().map(entry).collect())).into()
}

/// Builds the tree of a credential cache's entries.
#[must_use]
pub fn ccache(cache: &Ccache, view: View) -> Value<'static> {
    let tickets = cache.tickets().map(|found| ticket(found, view).into()).collect();
    let config = cache.entries().iter().filter_map(Credential::config).map(|(names, value)| {
        let name: Vec<_> = names.iter().map(|name| String::from_utf8_lossy(name)).collect();
        let value = match core::str::from_utf8(value) {
            Ok(text) if !text.chars().any(char::is_control) => Value::text(text),
            _ => Value::Hex(value.to_vec().into()),
        };
        Record::default().with("name", Value::text(name.join(" for "))).with("value", value).into()
    });
    let config: Vec<_> = config.collect();
    Record::default()
        .with("default_principal", Value::text(cache.principal()))
        .with("version", Value::Number(u64::from(cache.version())))
        .with_some("kdc_offset_seconds", cache.time_offset().map(|(seconds, _)| Value::text(seconds)))
        .with("tickets", Value::List(tickets))
        .with_some("config", (!config.is_empty()).then_some(Value::List(config)))
        .into()
}

/// Builds the tree of a ticket, with its times, flags and encryption types.
#[must_use]
pub fn ticket(found: &Credential, view: View) -> Record<'static> {
    let names = flags::names(found.flags, flags::ticket::NAMES).into_iter().map(Value::text).collect();
    let renewable = found.renew_till.0 != 0;
    Record::titled(Line::new(Tone::Strong, &found.server))
        .json("server", Value::text(&found.server))
        .with("client", Value::text(&found.client))
        .with("auth_time", Value::text(times::stamp(found.auth_time)))
        .with(
            "start_time",
            Value::text(times::stamp(if found.start_time.0 == 0 { found.auth_time } else { found.start_time })),
        )
        .with("end_time", Value::text(times::stamp(found.end_time)))
        .with_some("renew_till", renewable.then(|| Value::text(times::stamp(found.renew_till))))
        .with("flags", Value::List(names))
        .with("session_key_etype", Value::text(pac::enc_type(found.enc_type)))
        .with_some("ticket_etype", ticket_enc_type(found).map(|number| Value::text(pac::enc_type(number))))
        .with("session_key", key(found.key.expose(), view.secrets))
        .with_some("user_to_user", (found.is_skey == 1).then_some(Value::Bool(true)))
}

/// Returns the encryption type of a ticket.
#[must_use]
pub fn ticket_enc_type(found: &Credential) -> Option<i32> {
    crate::messages::Ticket::from_der(&found.ticket).ok().map(|ticket| ticket.enc_part.etype)
}
