//! Decrypted parts of messages as trees.

use tagwise_show::tree::{Line, Record, Tone, Value};

use crate::open::OpenedPart;
use crate::types;

use super::tree::{View, whole};

/// Builds the tree of a decrypted part, with its key and content.
#[must_use]
pub fn part(part: &OpenedPart, view: View) -> Record<'static> {
    let (tone, told) = match &part.der {
        Some(_) => (Tone::Good, format!(" decrypted with {}", part.key)),
        None => (Tone::Warn, format!(" {}", part.key)),
    };
    let record =
        Record::titled(Line::new(Tone::Strong, &part.path).and(Tone::Dim, format!(" {}", part.ty)).and(tone, told))
            .json("path", Value::text(&part.path))
            .json("type", Value::text(part.ty))
            .json("opened", Value::Bool(part.der.is_some()))
            .json("key", Value::text(&part.key));
    let Some(der) = &part.der else { return record };
    let pac = part.pac.as_ref().map(|pac| {
        Record::default()
            .with("server", Value::text(&pac.server))
            .with("kdc", Value::text(&pac.kdc))
            .with("ticket", Value::text(&pac.ticket))
            .into()
    });
    let record = record.with_some("pac_signatures", pac);
    // The data that a client sends to a password-changing server is a password.
    if part.ty == "EncKrbPrivPart" && !view.secrets {
        let title = Line::new(Tone::Dim, format!("not shown, may contain a password, {} bytes", der.len()));
        return record.bare("content", Record::titled(title).json("hidden", Value::Bool(true)).into());
    }
    match by_name(part.ty, der.expose()) {
        Some(ty) => record.bare("content", whole(ty, der.expose(), view)),
        None => record.with("length", Value::number(der.len())),
    }
}

/// Returns the type of a part. A reply's content may have either of two tags.
fn by_name(name: &str, der: &[u8]) -> Option<&'static tagwise_codec::table::Type> {
    match (name, der.first()) {
        ("EncTGSRepPart", Some(0x79)) => types::by_name("EncASRepPart"),
        _ => types::by_name(name),
    }
}
