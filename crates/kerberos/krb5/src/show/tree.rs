//! Kerberos values as trees, with named numbers and decoded values inside byte strings.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::{flags, numbers, rules, types};
use tagwise_codec::table::{NamedNumber, Shape, Type};
use tagwise_codec::value::{self, Components, Data, Dynamic, Print, Types};
use tagwise_codec::{BitStr, GeneralizedTime, Int, Options, Rule, RuleSet};
use tagwise_show::oid_name;
use tagwise_show::tree::{Line, Record, Tone, Value};

use super::malformed::ERROR;
use super::pac;

/// The maximum depth of decoded values within values. A request inside a tunnel inside a request has six levels.
const MAX_DEPTH: usize = 12;

/// Display options.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// True to show keys and passwords.
    pub secrets: bool,
    /// True if preauthentication data comes from a KDC.
    pub is_reply: bool,
    /// Rules that values may violate, in addition to those for peers.
    pub allowed: RuleSet,
    depth: usize,
}

impl View {
    /// Creates options that show or hide secrets.
    #[must_use]
    pub const fn new(secrets: bool) -> Self {
        Self { secrets, is_reply: false, allowed: RuleSet::NONE, depth: 0 }
    }

    /// Allows values to violate these rules.
    #[must_use]
    pub const fn allowing(self, allowed: RuleSet) -> Self {
        Self { allowed, ..self }
    }

    const fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// Builds the tree of a DER value of the given type. Malformed parts are reported and shown as bytes.
#[must_use]
pub fn whole(ty: &'static Type, der: &[u8], view: View) -> Value<'static> {
    match read(ty, der, view) {
        Ok(value) => value,
        Err(error) => Record::default().with(ERROR, Value::text(error)).with("der", octets(der)).into(),
    }
}

/// Like [`whole`], but fails if the value cannot be decoded.
///
/// # Errors
/// Returns the decoding error with its position.
pub fn read(ty: &'static Type, der: &[u8], view: View) -> Result<Value<'static>, tagwise_codec::Error> {
    // Zero bytes behind a value are the padding of a cipher's block.
    let options = Options::der().rules(rules::PEERS.union(view.allowed)).allow(&Rule::TRAILING_DATA);
    let dynamic = Dynamic::new(ty).options(options);
    let value = dynamic.decode(der)?.value;
    let is_reply = view.is_reply
        || matches!(
            &*ty.name,
            "AS-REP" | "TGS-REP" | "KRB-ERROR" | "EncASRepPart" | "EncTGSRepPart" | "KrbFastResponse"
        );
    Ok(Walk { types: dynamic.types(), view: View { is_reply, ..view } }.value("", &value))
}

/// Returns the placeholder for a secret.
fn hidden(len: Option<usize>) -> Value<'static> {
    let len = len.map(|len| format!(", {len} bytes")).unwrap_or_default();
    Record::titled(Line::new(Tone::Dim, format!("not shown: a secret{len}"))).json("hidden", Value::Bool(true)).into()
}

fn octets(of: &[u8]) -> Value<'static> {
    if of.len() > 64 { Value::Bulk(of.to_vec().into()) } else { Value::Hex(of.to_vec().into()) }
}

/// Shows a number with its name: `etype: aes256-cts-hmac-sha1-96 (18)`.
fn named(number: i64, name: Option<&str>) -> Value<'static> {
    match name {
        Some(name) => Record::titled(Line::plain(name).and(Tone::Dim, format!(" ({number})")))
            .json("number", integer(number))
            .json("name", Value::text(name))
            .into(),
        None => integer(number),
    }
}

fn integer(number: i64) -> Value<'static> {
    u64::try_from(number).map_or_else(|_negative| Value::text(number), Value::Number)
}

/// Returns the name of a number, according to the component that contains it.
fn name_of(field: &str, number: i64) -> Option<&'static str> {
    let number = i32::try_from(number).ok()?;
    match field {
        "etype" | "keytype" | "hash-etype" => numbers::enc_type::name(number),
        "msg-type" => numbers::message::name(number),
        "error-code" => numbers::error::name(number),
        "name-type" => numbers::name_type::name(number),
        "addr-type" => numbers::address::name(number),
        "padata-type" => numbers::pa::name(number),
        "ad-type" => numbers::ad::name(number),
        "cksumtype" => crate::crypto::ChecksumType::from_number(number).map(|kind| kind.name()),
        _ => None,
    }
}

struct Walk {
    types: Types<'static>,
    view: View,
}

impl Walk {
    fn value(&self, field: &str, value: &value::Value<'_>) -> Value<'static> {
        if value.is_secret() && !self.view.secrets {
            return hidden(value.content().map(<[u8]>::len));
        }
        self.known(field, value).unwrap_or_else(|| self.parts(field, value))
    }

    /// Shows a value in its customary form instead of its components, such as a principal as text.
    fn known(&self, field: &str, value: &value::Value<'_>) -> Option<Value<'static>> {
        let number = |name: &str| i64::try_from(value.component(name)?.view::<Int<'_>>()?).ok();
        match &*value.ty().name {
            "PrincipalName" => {
                let kind = number("name-type")?;
                let Data::Items(items) = value.component("name-string")?.data() else { return None };
                let parts: Vec<&[u8]> = items.iter().map(value::Value::content).collect::<Option<_>>()?;
                let name = crate::Principal::new(i32::try_from(kind).ok()?, *b"", parts.clone()).to_string();
                let name = name.strip_suffix('@').unwrap_or(&name).to_owned();
                let kind = name_of("name-type", kind).map_or_else(|| kind.to_string(), str::to_owned);
                let parts = parts.iter().map(|part| Value::text(String::from_utf8_lossy(part))).collect();
                Some(
                    Record::titled(Line::new(Tone::Strong, &name).and(Tone::Dim, format!(" ({kind})")))
                        .json("name", Value::text(&name))
                        .json("type", Value::text(kind))
                        .json("components", Value::List(parts))
                        .into(),
                )
            }
            "EncryptedData" => {
                let kind = number("etype")?;
                let cipher = value.component("cipher")?.content()?;
                let name = name_of("etype", kind).map_or_else(|| format!("encryption type {kind}"), str::to_owned);
                let kvno = value.component("kvno").map(|kvno| self.value("kvno", kvno));
                let told = number("kvno").map(|kvno| format!(" kvno {}", kvno as u32)).unwrap_or_default();
                let title = Line::plain(format!("{name}{told}")).and(Tone::Dim, format!(", {} bytes", cipher.len()));
                let mut record = Record::titled(title).json("etype", named(kind, name_of("etype", kind)));
                if let Some(kvno) = kvno {
                    record = record.json("kvno", kvno);
                }
                // RFC 6448 §2: encryption type 0 is none, and the content is there.
                let inner = types::message(cipher).filter(|_| kind == 0 && self.view.depth < MAX_DEPTH);
                if let Some(ty) = inner {
                    record = record.bare("content", whole(ty, cipher, self.view.deeper()));
                }
                Some(
                    record
                        .json(
                            "cipher",
                            if kind == 0 && !self.view.secrets { hidden(Some(cipher.len())) } else { octets(cipher) },
                        )
                        .into(),
                )
            }
            "HostAddress" => {
                let content = value.component("address")?.content()?;
                let text = match number("addr-type")? {
                    2 => <[u8; 4]>::try_from(content).ok().map(|bytes| Ipv4Addr::from(bytes).to_string()),
                    24 => <[u8; 16]>::try_from(content).ok().map(|bytes| Ipv6Addr::from(bytes).to_string()),
                    20 => Some(format!("NetBIOS {}", String::from_utf8_lossy(content).trim_end())),
                    _ => None,
                };
                text.map(Value::text)
            }
            "PA-DATA" => {
                let kind = number("padata-type")?;
                let ty = types::padata(i32::try_from(kind).ok()?, self.view.is_reply);
                self.typed("padata-type", kind, ty, value.component("padata-value")?.content()?)
            }
            "AuthorizationDataEntry" | "AuthorizationData-entry" => {
                let kind = number("ad-type")?;
                let content = value.component("ad-data")?.content()?;
                if kind == i64::from(numbers::ad::WIN2K_PAC) {
                    let title = Line::new(Tone::Strong, "PAC").and(Tone::Dim, format!(", {} bytes", content.len()));
                    let record = Record { title, ..pac::record(content) };
                    return Some(record.json("ad_type", integer(kind)).into());
                }
                self.typed("ad-type", kind, types::auth_data(i32::try_from(kind).ok()?), content)
            }
            "KerberosFlags" => {
                let bits = value.view::<BitStr<'_>>()?;
                let word = (0..32)
                    .filter(|at| bits.bit(u64::from(*at)) == Some(true))
                    .fold(0, |word, at| word | flags::bit(at));
                let names: &[(u8, &str)] = match field {
                    "kdc-options" => flags::kdc::NAMES,
                    "ap-options" => flags::ap::NAMES,
                    "fast-options" => flags::fast::NAMES,
                    _ => flags::ticket::NAMES,
                };
                Some(Value::List(flags::names(word, names).into_iter().map(Value::text).collect()))
            }
            "UInt32" => Some(Value::Number(u64::from(i64::try_from(value.view::<Int<'_>>()?).ok()? as u32))),
            _ => None,
        }
    }

    /// Shows a byte string whose type is given by a number, with the decoded value.
    fn typed(&self, field: &str, kind: i64, ty: Option<&'static Type>, content: &[u8]) -> Option<Value<'static>> {
        let name = name_of(field, kind).map_or_else(|| format!("{field} {kind}"), str::to_owned);
        let record = Record::titled(Line::new(Tone::Strong, &name)).json(key(field), named(kind, name_of(field, kind)));
        let inner = match ty {
            // Data that is empty asks for something, or offers it.
            _ if content.is_empty() => return Some(record.into()),
            Some(ty) if self.view.depth < MAX_DEPTH => whole(ty, content, self.view.deeper()),
            _ => octets(content),
        };
        Some(record.bare("value", inner).into())
    }

    fn parts(&self, field: &str, value: &value::Value<'_>) -> Value<'static> {
        match value.data() {
            Data::Leaf(content) => self.leaf(field, value, content),
            Data::Components(components) => self.components(components).into(),
            Data::Items(items) => Value::List(items.iter().map(|item| self.value(field, item)).collect()),
            Data::Alternative(chosen) => {
                let name = &*chosen.field().name;
                Record::default().with(key(name), self.value(name, chosen.value())).into()
            }
            Data::Containing(inner) => self.value(field, inner),
            Data::Unknown(of) => octets(of),
            _ => Value::Null,
        }
    }

    fn components(&self, components: &Components<'_>) -> Record<'static> {
        let mut record = Record::default();
        for (field, value) in components.iter() {
            let Some(value) = value else { continue };
            let shown = match field.secret && !self.view.secrets {
                true => hidden(value.content().map(<[u8]>::len)),
                false => self.value(&field.name, value),
            };
            record = record.with(key(&field.name), shown);
        }
        let unknown: Vec<Value<'static>> = components.unknown().map(octets).collect();
        if unknown.is_empty() { record } else { record.with("additions", Value::List(unknown)) }
    }

    fn leaf(&self, field: &str, value: &value::Value<'_>, content: &[u8]) -> Value<'static> {
        if let Some(inner) = self.inside(field, content) {
            return inner;
        }
        let shown = match &value.base().shape {
            Shape::Boolean => Some(Value::Bool(content != [0])),
            Shape::Integer(list) | Shape::Enumerated { items: list, .. } => {
                let number = value.view::<Int<'_>>().and_then(|int| i64::try_from(int).ok());
                number.map(|number| {
                    let of_type = |named: &&NamedNumber| named.number == number && !named.name.is_empty();
                    named(
                        number,
                        name_of(field, number).or_else(|| list.iter().find(of_type).map(|named| &*named.name)),
                    )
                })
            }
            Shape::OctetString => Some(octets(content)),
            // A civil time does not show the fraction.
            Shape::Time(_) if &*value.ty().name == "KerberosTime" && content.contains(&b'.') => {
                let rule = &rules::FRACTIONAL_TIME;
                let time = String::from_utf8_lossy(content);
                Some(match self.view.allowed.has(rule) {
                    true => Value::text(time),
                    false => {
                        let text = format!("{} ({}, {})", rule.summary, rule.clause, rule.name);
                        Record::default().with("time", Value::text(time)).with(ERROR, Value::text(text)).into()
                    }
                })
            }
            Shape::Time(_) => value.view::<GeneralizedTime<'_>>().map(|time| Value::Time(time.civil())),
            Shape::String(_) => Some(Value::text(String::from_utf8_lossy(content))),
            _ => None,
        };
        shown
            .or_else(|| Print::new(self.types).oid_names(&oid_name).line(value).map(Value::text))
            .unwrap_or_else(|| octets(content))
    }

    /// Decodes the value in a byte string, according to the component that contains it.
    fn inside(&self, field: &str, content: &[u8]) -> Option<Value<'static>> {
        if self.view.depth >= MAX_DEPTH {
            return None;
        }
        let ty = match field {
            "e-data" => return self.error_data(content),
            // MS-KKDCP §2.2.2: the message as it goes over TCP, behind its length.
            "kerb-message" => {
                let message = types::proxied(content)?;
                return super::kinds::show(message, self.view.deeper())?.ok().map(|shown| {
                    Record::titled(Line::new(Tone::Strong, &shown.kind))
                        .json("kind", Value::text(&shown.kind))
                        .bare("message", shown.value)
                        .into()
                });
            }
            "mechListMIC" if content.starts_with(&[4, 4]) => return Some(super::kinds::per_message(content)),
            "responseToken" if matches!(content, [4 | 5, 4, _, 0xFF, ..]) => {
                return Some(super::kinds::per_message(content));
            }
            "armor-value" => "AP-REQ",
            "mechToken" | "responseToken" if content.first() == Some(&0x60) => {
                return Some(super::kinds::token(content, self.view.deeper()));
            }
            _ => return None,
        };
        read(types::by_name(ty)?, content, self.view.deeper()).ok()
    }

    /// Shows an error's data: usually METHOD-DATA, TYPED-DATA for PKINIT, or something else.
    fn error_data(&self, content: &[u8]) -> Option<Value<'static>> {
        let of = |name: &str| read(types::by_name(name)?, content, self.view.deeper()).ok();
        of("METHOD-DATA").or_else(|| of("TYPED-DATA"))
    }
}

/// Returns a component's name as a JSON key.
fn key(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for char in name.chars() {
        if char.is_ascii_uppercase() && was_lower {
            out.push('_');
        }
        was_lower = char.is_ascii_lowercase() || char.is_ascii_digit();
        out.push(if char == '-' { '_' } else { char.to_ascii_lowercase() });
    }
    out
}
