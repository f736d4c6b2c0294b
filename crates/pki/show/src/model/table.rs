//! Values shown according to their ASN.1 type, with every component by name. Used for rare message types. Names,
//! certificates, keys and algorithms within them have their usual layout.
//!
//! The depth is bounded by the decoding budget.

use std::borrow::Cow;

use tagwise_codec::table::{NamedNumber, Shape, StringKind, TimeKind, Type};
use tagwise_codec::value::{self, Components, Data, Dynamic, Print, Types};
use tagwise_codec::{
    Any, BitStr, Decode, DecodeValue, Error, GeneralizedTime, Int, NamedBits, Oid, Reader, Session, UtcTime,
};
use tagwise_input::known;
use tagwise_pkix::cms::{ContentInfo, EnvelopedData};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ext::{GeneralName, GeneralNames};
use tagwise_pkix::{AlgorithmIdentifier, Certificate, CertificateList, Extensions, Name, SubjectPublicKeyInfo, Time};

use super::ext::{Spot, extensions, named_bits};
use super::general::{general_name, names};
use super::key::{algorithm, public_key};
use super::name::name;
use super::{Scene, any, bits, list, message, short_name_of};
use crate::MESSAGES;
use crate::lens::problem_at;
use crate::model::oid_name;
use crate::tree::{Line, Record, Tone, Value};

/// The length in bytes above which values are abbreviated like keys.
const LONG: usize = 64;

/// Shows a value of a type, from its DER at `offset`.
pub(crate) fn whole<'a>(ty: &'static Type, der: &'a [u8], offset: usize, scene: &Scene) -> Value<'a> {
    match read(ty, der, offset, scene) {
        Ok(value) => value,
        Err(problem) => Record::default().bare("error", Value::Problem(problem)).bare("der", Value::hex(der)).into(),
    }
}

/// Shows a value like `whole`, but returns an error if the value does not decode.
pub(crate) fn read<'a>(
    ty: &'static Type,
    der: &'a [u8],
    offset: usize,
    scene: &Scene,
) -> Result<Value<'a>, Box<tagwise_input::Problem>> {
    let dynamic = Dynamic::new(ty);
    let session = Session::new(scene.lens.options());
    let decode = || {
        let mut reader = Reader::with_session(der, &session)?.at_base(offset);
        let value = dynamic.read(&mut reader)?;
        reader.finish()?;
        Ok(value)
    };
    match decode() {
        Ok(value) => Ok(Walk { der, offset, types: dynamic.types(), scene }.value(&value)),
        Err(fault) => {
            let error = Error::locate_at(fault, ty, der, offset);
            Err(Box::new(problem_at(&error, der, offset)))
        }
    }
}

struct Walk<'a, 's> {
    der: &'a [u8],
    offset: usize,
    types: Types<'static>,
    scene: &'s Scene,
}

impl<'a> Walk<'a, '_> {
    /// Returns the encoded bytes of a value.
    fn span(&self, value: &value::Value<'a>) -> Option<&'a [u8]> {
        let start = value.offset().checked_sub(self.offset)?;
        self.der.get(start..start.checked_add(value.as_bytes()?.len())?)
    }

    /// Decodes a value as a type that has a tag of its own, regardless of the value's tag.
    fn typed<T: DecodeValue<'a>>(&self, value: &value::Value<'a>) -> Option<T> {
        let session = Session::new(self.scene.lens.options());
        let mut reader = Reader::with_session(self.span(value)?, &session).ok()?.at_base(value.offset()).outlined();
        let tag = reader.peek().ok()?;
        let len = reader.expect(tag).ok()?;
        let read = T::decode_value(&mut reader, len).ok()?;
        reader.finish().ok()?;
        Some(read)
    }

    /// Decodes a value as a type that may be a CHOICE.
    fn chosen<T: Decode<'a>>(&self, value: &value::Value<'a>) -> Option<T> {
        let session = Session::new(self.scene.lens.options());
        let mut reader = Reader::with_session(self.span(value)?, &session).ok()?.at_base(value.offset());
        T::decode(&mut reader).ok()
    }

    fn value(&self, value: &value::Value<'a>) -> Value<'a> {
        if value.is_secret() {
            return hidden();
        }
        self.known(value).unwrap_or_else(|| self.parts(value))
    }

    /// Shows a value of a type that has its own layout.
    fn known(&self, value: &value::Value<'a>) -> Option<Value<'a>> {
        let scene = self.scene;
        Some(match &*value.ty().name {
            "Certificate" => message::titled(&self.typed::<Certificate<'a>>(value)?, scene),
            "CertificateList" => {
                let found = self.typed::<CertificateList<'a>>(value)?;
                match list(&found, scene) {
                    Value::Record(record) => {
                        let title = Line::new(Tone::Strong, short_name_of(&found.tbs_cert_list.issuer));
                        Record { title, ..record }.into()
                    }
                    other => other,
                }
            }
            "Name" => name(&self.typed::<Name<'a>>(value)?, scene),
            "GeneralName" => general_name(&self.chosen::<GeneralName<'a>>(value)?, scene),
            "GeneralNames" => names(&self.typed::<GeneralNames<'a>>(value)?, scene),
            "Extensions" => extensions(&self.typed::<Extensions<'a>>(value)?, Spot::Certificate, scene),
            "AlgorithmIdentifier" => algorithm(&self.typed::<AlgorithmIdentifier<'a>>(value)?),
            "SubjectPublicKeyInfo" => public_key(&self.typed::<SubjectPublicKeyInfo<'a>>(value)?),
            "CertificationRequest" if MESSAGES => {
                message::request(&self.typed::<CertificationRequest<'a>>(value)?, scene)
            }
            "ContentInfo" if MESSAGES => message::cms_message(&self.typed::<ContentInfo<'a>>(value)?, scene),
            "EnvelopedData" if MESSAGES => message::enveloped(&self.typed::<EnvelopedData<'a>>(value)?, scene),
            "Time" => Value::Time(self.chosen::<Time<'a>>(value)?.civil()),
            "Version" => match i64::try_from(value.view::<Int<'_>>()?) {
                Ok(number) => Value::Number(u64::try_from(number).ok()?.checked_add(1)?),
                Err(_) => return None,
            },
            "TaggedAttribute" => self.control(value)?,
            _ => return None,
        })
    }

    /// Shows a CMC control, whose values have the type that its identifier determines (RFC 5272 §6).
    fn control(&self, value: &value::Value<'a>) -> Option<Value<'a>> {
        let id = self.oid(value.component("attrType")?)?;
        let part = value.component("bodyPartID").map(|part| self.value(part));
        let Data::Items(items) = value.component("attrValues")?.data() else { return None };
        let ty = known::control(id);
        let item = |item: &value::Value<'a>| match (ty, self.span(item)) {
            (Some(ty), Some(octets)) if !is_secret(ty) => whole(ty, octets, item.offset(), self.scene),
            (Some(_), _) => hidden(),
            _ => self.value(item),
        };
        let record = Record::titled(super::oid_line(id, Tone::Strong)).json("attr_type", Value::Oid(id));
        Some(
            record.with_some("body_part_id", part).with("values", Value::List(items.iter().map(item).collect())).into(),
        )
    }

    fn parts(&self, value: &value::Value<'a>) -> Value<'a> {
        match value.data() {
            Data::Leaf(content) => self.leaf(value, content),
            Data::Components(components) => self.components(components).into(),
            Data::Items(items) => Value::List(items.iter().enumerate().map(|(at, item)| self.item(at, item)).collect()),
            Data::Alternative(chosen) => {
                Record::default().with(key(&chosen.field().name), self.value(chosen.value())).into()
            }
            Data::Containing(inner) => self.value(inner),
            // One element whose type is not known.
            _ => match self.span(value).and_then(|octets| Any::outline(octets).ok()) {
                Some(element) => any::any(&element),
                None => Value::Null,
            },
        }
    }

    fn components(&self, components: &Components<'a>) -> Record<'a> {
        let mut record = Record::default();
        for (field, value) in components.iter() {
            let Some(value) = value else { continue };
            let shown = if field.secret { hidden() } else { self.value(value) };
            record = record.with(key(&field.name), shown);
        }
        let unknown: Vec<Value<'a>> =
            components.unknown().map(|octets| Value::Hex(Cow::Owned(octets.to_vec()))).collect();
        if unknown.is_empty() { record } else { record.with("additions", Value::List(unknown)) }
    }

    /// Shows a list item. An item with components gets a numbered title.
    fn item(&self, at: usize, item: &value::Value<'a>) -> Value<'a> {
        match self.value(item) {
            Value::Record(record) if record.title.is_empty() => {
                let title = format!("{} {}", words(&item.ty().name), at.saturating_add(1));
                Record { title: Line::new(Tone::Strong, title), ..record }.into()
            }
            other => other,
        }
    }

    fn oid(&self, value: &value::Value<'a>) -> Option<Oid<'a>> {
        Oid::from_content(self.content(value)?).ok()
    }

    /// Returns the content bytes of a primitive value: the last bytes of its encoding.
    fn content(&self, value: &value::Value<'a>) -> Option<&'a [u8]> {
        let octets = self.span(value)?;
        octets.get(octets.len().checked_sub(value.content()?.len())?..)
    }

    fn leaf(&self, value: &value::Value<'a>, content: &[u8]) -> Value<'a> {
        let octets = || match self.content(value) {
            Some(octets) if octets.len() > LONG => Value::bulk(octets),
            Some(octets) => Value::hex(octets),
            None => Value::Hex(Cow::Owned(content.to_vec())),
        };
        let text = || std::str::from_utf8(content).ok().map(Value::text);
        let shown = match &value.base().shape {
            Shape::Boolean => Some(Value::Bool(content != [0])),
            // The presence of a NULL is its only information.
            Shape::Null => Some(Value::Bool(true)),
            Shape::Integer(numbers) | Shape::Enumerated { items: numbers, .. } => {
                named(numbers, Int::from_signed(content))
                    .or_else(|| self.content(value).map(|octets| Value::Integer(Int::from_signed(octets))))
            }
            Shape::BitString(list) if !list.is_empty() => {
                value.view::<NamedBits<'_>>().map(|set| named_bits(&set, value.base()))
            }
            Shape::BitString(_) => self.typed::<BitStr<'a>>(value).map(bits),
            Shape::OctetString => Some(octets()),
            Shape::ObjectIdentifier => self.oid(value).map(Value::Oid),
            Shape::Time(TimeKind::Utc) => value.view::<UtcTime>().map(|time| Value::Time(time.civil())),
            Shape::Time(TimeKind::Generalized) => {
                value.view::<GeneralizedTime<'_>>().map(|time| Value::Time(time.civil()))
            }
            Shape::String(StringKind::Bmp | StringKind::Universal) => None,
            Shape::String(_) => text(),
            _ => None,
        };
        let printed = || Print::new(self.types).oid_names(&oid_name).line(value).map(Value::text);
        shown.or_else(printed).unwrap_or_else(octets)
    }
}

/// Returns the placeholder for a secret.
pub(crate) fn hidden<'a>() -> Value<'a> {
    Record::titled(Line::new(Tone::Dim, "not shown: a secret")).json("hidden", Value::Bool(true)).into()
}

fn is_secret(ty: &Type) -> bool {
    ty.secret
}

/// Shows a number by its name in the type.
fn named<'a>(numbers: &[NamedNumber], int: Int<'_>) -> Option<Value<'a>> {
    let number = i64::try_from(int).ok()?;
    let found = numbers.iter().find(|named| named.number == number && !named.name.is_empty())?;
    Some(Value::text(&*found.name))
}

/// Converts an ASN.1 component name to a JSON key: `certReqId` becomes `cert_req_id`, and `senderKID` becomes `sender_kid`.
fn key(name: &str) -> Cow<'static, str> {
    let all: Vec<char> = name.chars().collect();
    let is_upper = |at: usize| all.get(at).is_some_and(char::is_ascii_uppercase);
    let is_lower = |at: usize| all.get(at).is_some_and(|one| one.is_ascii_lowercase() || one.is_ascii_digit());
    let mut out = String::with_capacity(name.len() + 4);
    for (at, one) in all.iter().enumerate() {
        // A lowercase letter before initial capitals belongs to the first word: `cRLName` becomes `crl_name`.
        let starts = at > 1 && is_upper(at) && (is_lower(at - 1) || is_lower(at + 1));

        match one {
            '-' => out.push('_'),
            one => {
                if starts && !out.ends_with('_') {
                    out.push('_');
                }
                out.push(one.to_ascii_lowercase());
            }
        }
    }
    out.into()
}

/// Converts an ASN.1 type name to words.
fn words(name: &str) -> String {
    key(name).replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_words() {
        for (name, expected) in [
            ("certReqId", "cert_req_id"),
            ("senderKID", "sender_kid"),
            ("bodyPartID", "body_part_id"),
            ("x509v3PKCert", "x509v3_pk_cert"),
            ("cAKeyUpdAnnV2", "ca_key_upd_ann_v2"),
            ("cRLName", "crl_name"),
            ("cMCStatus", "cmc_status"),
            ("caPubs", "ca_pubs"),
            ("at-name", "at_name"),
            ("PKIStatusInfo", "pki_status_info"),
            ("p10cr", "p10cr"),
        ] {
            assert_eq!(key(name), expected);
        }
    }
}
