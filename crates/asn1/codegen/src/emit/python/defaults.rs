//! DEFAULT values as Python expressions.

use tagwise_codec::table::{Constraint, Field, Shape, StringKind, TimeKind};
use tagwise_codec::value::{Data, Types, Value};
use tagwise_codec::{BitStr, CivilTime, Date, DateTime, GeneralizedTime, Int, Oid, TimeOfDay, UnixTime, UtcTime, Utf8};

use super::reference::Ref;
use super::text::quoted;

/// A DEFAULT value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// An immutable value, as an expression.
    Own(String),
    /// A number of an enumeration, which is a definition with this index.
    Number(usize, i64),
    List(Vec<Literal>),
}

/// The maximum number of values in a DEFAULT value, because types may repeat the DEFAULT value of another type.
const VALUES: usize = 256;

/// Returns the DEFAULT value of a component whose Python type is `of`. Returns `None` for structures, choices and values that are too
/// large, whose attributes are `None` instead.
pub(super) fn of_field(types: Types<'_>, field: &Field, of: &Ref) -> Option<Literal> {
    let mut left = VALUES;
    types.with_default(field, |value| literal(types, &field.constraints, value, of, &mut left)).flatten()
}

fn literal(
    types: Types<'_>,
    constraints: &[Constraint],
    value: &Value<'_>,
    of: &Ref,
    left: &mut usize,
) -> Option<Literal> {
    *left = left.checked_sub(1)?;
    match (value.data(), of) {
        (Data::Containing(inner), _) => literal(types, &[], inner, of, left),
        // As deep as the type.
        (Data::Items(items), Ref::List(item)) => {
            items.iter().map(|value| literal(types, &[], value, item, left)).collect::<Option<_>>().map(Literal::List)
        }
        (Data::Leaf(_), Ref::Def(number)) if matches!(value.base().shape, Shape::Enumerated { .. }) => {
            Some(Literal::Number(*number, i64::try_from(value.view::<Int<'_>>()?).ok()?))
        }
        (Data::Leaf(_), Ref::Own(_)) => leaf(types, constraints, value).map(Literal::Own),
        _ => None,
    }
}

/// Returns a primitive value in the representation of `tagwise.asn1`.
fn leaf(types: Types<'_>, constraints: &[Constraint], value: &Value<'_>) -> Option<String> {
    let content = value.content()?;
    Some(match &value.base().shape {
        Shape::Boolean => if content == [0] { "False" } else { "True" }.to_owned(),
        Shape::Integer(_) => i128::try_from(value.view::<Int<'_>>()?).ok()?.to_string(),
        Shape::ObjectIdentifier => quoted(&value.view::<Oid<'_>>()?.to_string()),
        Shape::OctetString => bytes(content),
        Shape::BitString(_) => {
            // X.690 §11.2.2: as many bits as the size requires.
            let content = value.sized_bits(types, constraints)?;
            let (unused, octets) = content.split_first()?;
            BitStr::new(octets, *unused)?;
            format!("({}, {unused})", bytes(octets))
        }
        Shape::String(StringKind::Utf8) => quoted(value.view::<Utf8<'_>>()?.as_str()),
        Shape::String(StringKind::Printable | StringKind::Ia5 | StringKind::Visible | StringKind::Numeric) => {
            quoted(std::str::from_utf8(content).ok()?)
        }
        Shape::Time(TimeKind::Utc) => moment(value.view::<UtcTime>()?.unix(), 0)?,
        Shape::Time(TimeKind::Generalized) => {
            let time = value.view::<GeneralizedTime<'_>>()?;
            if time.is_local() || time.second() == 60 || time.fraction_digits() > 6 {
                return None;
            }
            let text = time.to_string();
            let digits = text.split('.').nth(1).unwrap_or_default().chars().map_while(|digit| digit.to_digit(10));
            let micro = digits.chain(std::iter::repeat(0)).take(6).fold(0, |micro, digit| micro * 10 + digit);
            moment(time.unix(), micro)?
        }
        Shape::Time(TimeKind::Date) => format!("datetime.date({})", day(&value.view::<Date>()?)),
        Shape::Time(TimeKind::TimeOfDay) => format!("datetime.time({})", clock(&value.view::<TimeOfDay>()?)?),
        Shape::Time(TimeKind::DateTime) => {
            let DateTime { date, time } = value.view::<DateTime>()?;
            format!("datetime.datetime({}, {})", day(&date), clock(&time)?)
        }
        Shape::Time(TimeKind::Duration | TimeKind::Time) => quoted(&value.text()?),
        _ => return None,
    })
}

fn bytes(octets: &[u8]) -> String {
    let escaped: String = octets.iter().map(|octet| format!("\\x{octet:02x}")).collect();
    format!("b\"{escaped}\"")
}

fn day(date: &Date) -> String {
    format!("{}, {}, {}", date.year(), date.month(), date.day())
}

/// Returns the time of day. Python does not support midnight at the end of a day and leap seconds.
fn clock(time: &TimeOfDay) -> Option<String> {
    let is_ordinary = time.hour() < 24 && time.second() < 60;
    is_ordinary.then(|| format!("{}, {}, {}", time.hour(), time.minute(), time.second()))
}

/// Returns a time in UTC. Python does not support the year 0.
fn moment(time: UnixTime, micro: u32) -> Option<String> {
    let civil = CivilTime::from_unix(time).ok().filter(|civil| civil.year() > 0)?;
    let day = format!("{}, {}, {}", civil.year(), civil.month(), civil.day());
    let clock = format!("{}, {}, {}", civil.hour(), civil.minute(), civil.second());
    let micro = if micro == 0 { String::new() } else { format!(", {micro}") };
    Some(format!("datetime.datetime({day}, {clock}{micro}, tzinfo=datetime.timezone.utc)"))
}
