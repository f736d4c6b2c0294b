//! Conversion between ASN.1 values and Python values, in both directions, using the type's table.
//!
//! BOOLEAN, NULL, INTEGER and ENUMERATED are `bool`, `None`, `int` and `int`. An OBJECT IDENTIFIER is a dotted `str`. OCTET
//! STRING is `bytes`, and BIT STRING a pair of `bytes` and the number of unused bits. Character strings are `str`. UTCTime
//! and GeneralizedTime are `datetime` objects for types of a schema, and seconds since 1970 for the package's own types. A
//! time that `datetime` does not support is a `Decimal`, and a leap second or a local time is text. For REAL and the ISO 8601 times, see
//! `real` and `times`. SEQUENCE and SET are `dict`, in which unknown extension additions have a reserved name. SEQUENCE OF
//! and SET OF are `list`. A CHOICE is a pair of name and value. An AttributeTypeAndValue is a triple of type, universal tag
//! and text. A value of unknown type is `bytes`: its complete encoding. Wherever a constructed value is expected, its
//! encoding is also accepted.

use std::borrow::Cow;
use std::cell::RefCell;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyList, PyString, PyTuple};
use tagwise::codec::table::{Constraint, Fields, Marker, Presence, Shape, StringKind, TimeKind, Type};
use tagwise::codec::value::{Alternative, Components, Data, Dynamic, ForeignAdditions, Scope, Types, Value, from_text};
use tagwise::codec::{
    Any, Arena, BitStr, Bmp, CivilTime, Class, Decode, Encode, EncodeError, GeneralizedTime, Oid, Options, RuleSet,
    Tag, Universal, UtcTime, Utf8, encode,
};
use tagwise::pkix::name;

use crate::rows::Rows;
use crate::untagged::{self, Part};
use crate::{errors, input, real, times};

/// The name of unknown extension additions. Components cannot have it. JSON uses the same name.
pub(crate) const ADDITIONS: &str = "$additions";

/// Extension additions, each an element.
type Elements<'a> = Vec<Cow<'a, [u8]>>;

/// The name of the SEQUENCE type of attributes in names.
const ATTRIBUTE: &str = "AttributeTypeAndValue";

/// Returns whether types belong to the package. A user's schema may contain types with the same names.
fn is_own(types: Types<'_>) -> bool {
    types.schema().is_none()
}

/// The representation of values in Python: their types, and whether UTCTime and GeneralizedTime are `datetime` objects or numbers.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) types: Types<'a>,
    pub(crate) moments: bool,
}

impl<'a> View<'a> {
    /// Creates a view with times as numbers, which the package's own classes use.
    pub(crate) const fn plain(types: Types<'a>) -> Self {
        Self { types, moments: false }
    }
}

/// Converts a value to Python. The recursion is as deep as the value, which the depth budget limits.
pub(crate) fn to_py<'py>(py: Python<'py>, view: View<'_>, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    under(py, view, &[], value)
}

/// Converts a value under the constraints of its component.
pub(crate) fn under<'py>(
    py: Python<'py>,
    view: View<'_>,
    constraints: &[Constraint],
    value: &Value<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let types = view.types;
    match value.data() {
        // Fields of the package's classes are text, whatever alphabet a rule tolerated.
        Data::Leaf(_) if is_own(types) && matches!(value.base().shape, Shape::String(_)) => {
            let read = leaf(py, value, view.moments)?;
            Ok(if read.is_instance_of::<PyBytes>() { lossy(py, value.content().unwrap_or_default()) } else { read })
        }
        // X.690 §11.2.2: the value has as many bits as its size requires.
        Data::Leaf(_) if !is_own(types) && matches!(value.base().shape, Shape::BitString(_)) => {
            let content = value.sized_bits(types, constraints).unwrap_or_default();
            let (unused, octets) = content.split_first().map_or((0, &[][..]), |(unused, octets)| (*unused, octets));
            Ok((PyBytes::new(py, octets), unused).into_pyobject(py)?.into_any())
        }
        Data::Leaf(_) => leaf(py, value, view.moments),
        Data::Unknown(octets) => Ok(PyBytes::new(py, octets).into_any()),
        Data::Foreign(part) => untagged::unknown(py, part),
        Data::Containing(inner) => to_py(py, view, inner),
        Data::Items(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_py(py, view, item)?)?;
            }
            Ok(list.into_any())
        }
        Data::Alternative(chosen) => {
            let inner = under(py, view, &chosen.field().constraints, chosen.value())?;
            Ok((&*chosen.field().name, inner).into_pyobject(py)?.into_any())
        }
        Data::Components(components) if is_own(types) && &*value.base().name == ATTRIBUTE => attribute(py, components),
        Data::Components(components) => {
            let dict = PyDict::new(py);
            let is_other_name = is_own(types) && &*value.base().name == "OtherName";
            for (field, value) in components.iter() {
                match value {
                    // What a name of another kind is, its owner decodes.
                    Some(value) if is_other_name && &*field.name == "value" => {
                        dict.set_item(&*field.name, PyBytes::new(py, whole(value)))?;
                    }
                    Some(value) => dict.set_item(&*field.name, under(py, view, &field.constraints, value)?)?,
                    None => {
                        let constraints = &field.constraints;
                        if let Some(default) = types.with_default(field, |value| under(py, view, constraints, value)) {
                            dict.set_item(&*field.name, default?)?;
                        }
                    }
                }
            }
            let additions =
                PyList::new(py, components.unknown().map(|octets| PyBytes::new(py, octets)).collect::<Vec<_>>())?;
            untagged::additions(py, components, &additions)?;
            if !additions.is_empty() {
                dict.set_item(ADDITIONS, additions)?;
            }
            Ok(dict.into_any())
        }
        _ => Err(PyValueError::new_err("an unsupported kind of value")),
    }
}

/// Returns the encoding of a decoded value.
pub(crate) fn whole<'v>(value: &'v Value<'_>) -> &'v [u8] {
    match value.data() {
        Data::Unknown(octets) => octets,
        _ => value.as_bytes().unwrap_or_default(),
    }
}

fn attribute<'py>(py: Python<'py>, components: &Components<'_>) -> PyResult<Bound<'py, PyAny>> {
    let oid = components.get("type").and_then(|value| value.view::<Oid<'_>>());
    let octets = components.get("value").and_then(|value| match value.data() {
        Data::Unknown(octets) => Some(octets),
        _ => None,
    });
    let (Some(oid), Some(octets)) = (oid, octets) else {
        return Err(PyValueError::new_err("an attribute without type or value"));
    };
    // It was decoded before, by the rules in force.
    let any = Options::der()
        .rules(RuleSet::ALL)
        .decode::<Any<'_>>(octets)
        .map_err(|error| errors::decoding(py, &error))?
        .value;
    let value = match name::text(&any) {
        Some(text) => PyString::new(py, &text).into_any(),
        None if is_string(any.tag()) => lossy(py, any.content()),
        // Of a BIT STRING, the count of its unused bits is part of it.
        None => PyBytes::new(py, any.content()).into_any(),
    };
    Ok((oid.to_string(), any.tag().number(), value).into_pyobject(py)?.into_any())
}

/// Returns whether a tag denotes a string type with a restricted alphabet: UTF8String, NumericString to IA5String, GraphicString to
/// BMPString.
fn is_string(tag: Tag) -> bool {
    tag.class() == Class::Universal && !tag.is_constructed() && matches!(tag.number(), 12 | 18..=20 | 22 | 25..=28 | 30)
}

/// Decodes a string with tolerated alphabet violations. Bytes that are not UTF-8 become U+FFFD, as in Rust and in the command.
fn lossy<'py>(py: Python<'py>, octets: &[u8]) -> Bound<'py, PyAny> {
    PyString::new(py, &String::from_utf8_lossy(octets)).into_any()
}

/// Converts a primitive value.
pub(crate) fn leaf<'py>(py: Python<'py>, value: &Value<'_>, moments: bool) -> PyResult<Bound<'py, PyAny>> {
    let content = value.content().unwrap_or_default();
    Ok(match &value.base().shape {
        Shape::Boolean => PyBool::new(py, *content != [0]).to_owned().into_any(),
        Shape::Null => py.None().into_bound(py),
        Shape::Integer(_) | Shape::Enumerated { .. } => input::number(py, content)?,
        Shape::ObjectIdentifier => match value.view::<Oid<'_>>() {
            Some(oid) => PyString::new(py, &oid.to_string()).into_any(),
            None => PyBytes::new(py, content).into_any(),
        },
        Shape::BitString(_) => {
            let bits = value.view::<BitStr<'_>>().unwrap_or(BitStr::EMPTY);
            (PyBytes::new(py, bits.as_bytes()), bits.unused_bits()).into_pyobject(py)?.into_any()
        }
        Shape::String(kind) => match text(*kind, value) {
            Some(text) => PyString::new(py, &text).into_any(),
            None => PyBytes::new(py, content).into_any(),
        },
        Shape::Time(TimeKind::Utc) => match value.view::<UtcTime>().map(|time| time.unix()) {
            Some(time) if moments => times::moment(py, time, 0)?,
            time => time.map(|time| time.0).into_pyobject(py)?.into_any(),
        },
        Shape::Time(TimeKind::Generalized) => match value.view::<GeneralizedTime<'_>>() {
            // Nobody knows the moment of a local time, which BER and the rule `time-form` permit.
            Some(time) if time.is_local() => PyString::new(py, &String::from_utf8_lossy(content)).into_any(),
            Some(time) if moments => generalized(py, &time)?,
            Some(time) => moment(py, &time)?,
            None => PyBytes::new(py, content).into_any(),
        },
        Shape::Time(kind) => times::to_py(py, *kind, value)?,
        Shape::Real => real::to_py(py, value)?,
        Shape::RelativeOid | Shape::OidIri | Shape::RelativeOidIri => match value.text() {
            Some(text) => PyString::new(py, &text).into_any(),
            None => PyBytes::new(py, content).into_any(),
        },
        _ => PyBytes::new(py, content).into_any(),
    })
}

/// Converts a GeneralizedTime to a `datetime`. A time with a finer resolution than microseconds, or with a year that `datetime` does not
/// support, becomes a number, and a leap second becomes text.
fn generalized<'py>(py: Python<'py>, time: &GeneralizedTime<'_>) -> PyResult<Bound<'py, PyAny>> {
    let year = CivilTime::from_unix(time.unix()).map_or(0, |time| time.year());
    if time.second() == 60 || time.fraction_digits() > 6 || year == 0 {
        return moment(py, time);
    }
    let text = time.to_string();
    let digits = text.split('.').nth(1).unwrap_or_default().chars().map_while(|digit| digit.to_digit(10));
    let micro = digits.chain(std::iter::repeat(0)).take(6).fold(0, |micro, digit| micro * 10 + digit);
    times::moment(py, time.unix(), micro)
}

/// Converts a time to a Unix timestamp: an `int`, or a `Decimal` with all digits if it has a fraction. A leap second has no timestamp,
/// and becomes text.
fn moment<'py>(py: Python<'py>, time: &GeneralizedTime<'_>) -> PyResult<Bound<'py, PyAny>> {
    if time.second() == 60 {
        return Ok(PyString::new(py, &String::from_utf8_lossy(&after_header(&made(py, time)?))).into_any());
    }
    let seconds = time.unix().0;
    if time.fraction_digits() == 0 {
        return Ok(seconds.into_pyobject(py)?.into_any());
    }
    let text = time.to_string();
    let fraction: String =
        text.split('.').nth(1).unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
    // Before 1970 the fraction goes towards zero: -1.75 is a quarter of a second after -2.
    let text = match seconds < 0 {
        true => format!("-{}.{}", seconds.saturating_add(1).unsigned_abs(), times::complement(&fraction)),
        false => format!("{seconds}.{fraction}"),
    };
    times::decimal(py)?.call1((text,))
}

/// Encodes a time.
fn made(py: Python<'_>, time: &impl Encode) -> PyResult<Vec<u8>> {
    encode(time).map_err(|error| errors::encoding(py, &error))
}

fn text(kind: StringKind, value: &Value<'_>) -> Option<String> {
    Some(match kind {
        StringKind::Utf8 => value.view::<Utf8<'_>>()?.as_str().to_owned(),
        StringKind::Bmp => value.view::<Bmp<'_>>()?.chars().collect(),
        StringKind::Universal => value.view::<Universal<'_>>()?.chars().collect(),
        StringKind::Teletex => value.content()?.iter().map(|octet| char::from(*octet)).collect(),
        _ => std::str::from_utf8(value.content()?).ok().filter(|text| text.is_ascii())?.to_owned(),
    })
}

/// The context for creating values from Python objects.
pub(crate) struct Making<'a> {
    types: Types<'a>,
    /// Storage for encodings that are given as bytes.
    arena: &'a Arena<u8>,
    /// The path to the current component; after a failure, to the failed one.
    path: RefCell<Vec<Step<'a>>>,
    /// The descriptions of the package's classes.
    rows: Option<&'static Rows>,
}

/// A step of a path into a value.
enum Step<'a> {
    Component(&'a str),
    Item(usize),
}

/// The maximum depth of values, as in the codec.
const DEPTH: u32 = 128;

impl<'a> Making<'a> {
    pub(crate) const fn new(types: Types<'a>, arena: &'a Arena<u8>) -> Self {
        Self { types, arena, path: RefCell::new(Vec::new()), rows: None }
    }

    /// Also accepts objects of the package's classes.
    pub(crate) fn with_rows(self, rows: &'static Rows) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// Converts an object to a value of the given type. Errors name the faulty part of the object.
    pub(crate) fn value(&self, ty: &'a Type, object: &Bound<'_, PyAny>) -> PyResult<Value<'a>> {
        self.at(ty, None, None, object, DEPTH).map_err(|error| errors::within(object.py(), error, &self.path()))
    }

    /// Runs a function for a part of the value, with its step added to the path.
    fn inside<T>(&self, step: Step<'a>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        self.path.borrow_mut().push(step);
        let done = work()?;
        self.path.borrow_mut().pop();
        Ok(done)
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in self.path.borrow().iter() {
            match step {
                Step::Component(name) if path.is_empty() => path.push_str(name),
                Step::Component(name) => path.extend([".", name]),
                Step::Item(number) => path.push_str(&format!("[{number}]")),
            }
        }
        path
    }

    /// Converts an object to a value. `contained` is the type that a component's string contains. `scope` contains the surrounding
    /// components, which select open types.
    fn at(
        &self,
        ty: &'a Type,
        contained: Option<&'a Type>,
        scope: Option<&Scope<'_, 'a>>,
        object: &Bound<'_, PyAny>,
        depth: u32,
    ) -> PyResult<Value<'a>> {
        let depth = depth.checked_sub(1).ok_or_else(|| PyValueError::new_err("the value is nested too deeply"))?;
        let base = self.types.base(ty);
        let plain = self.rows.map(|rows| rows.plain(ty, &base.shape, object)).transpose()?;
        let object = plain.as_ref().unwrap_or(object);
        let contained = contained.or_else(|| self.types.contained(ty));
        // What nothing selects need not be an encoding.
        let free = |inner: &&'a Type| {
            let inner = self.types.base(inner);
            matches!(inner.shape, Shape::Open { .. }) && self.types.selected(inner, scope).is_none()
        };
        let contained = contained.filter(|inner| is_own(self.types) || !free(inner));
        if let (Some(inner), Shape::OctetString | Shape::BitString(_)) = (contained, &base.shape) {
            let held = self.at(inner, None, scope, object, depth)?;
            return Ok(self.made(ty, Data::Containing(Box::new(held))));
        }
        let data = match &base.shape {
            Shape::Sequence(_)
            | Shape::Set(_)
            | Shape::Presentation(_)
            | Shape::SequenceOf(_)
            | Shape::SetOf(_)
            | Shape::Choice { .. }
                if object.is_instance_of::<PyBytes>() =>
            {
                return self.encoded(ty, object);
            }
            Shape::Sequence(fields) if is_own(self.types) && &*base.name == ATTRIBUTE => {
                Data::Components(self.attribute(fields, object)?)
            }
            Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields) => {
                Data::Components(self.components(fields, scope, object, depth)?)
            }
            Shape::SequenceOf(item) | Shape::SetOf(item) => {
                let item = self.types.get(item).ok_or_else(unknown_type)?;
                if object.is_instance_of::<PyString>() {
                    return Err(expected("a SEQUENCE OF or SET OF must be a list", object));
                }
                let mut items = Vec::new();
                for (number, object) in object.try_iter()?.enumerate() {
                    items.push(self.inside(Step::Item(number), || self.at(item, None, scope, &object?, depth))?);
                }
                Data::Items(items)
            }
            Shape::Choice { alternatives, extensible } => {
                if let Some(part) = Part::of(object)?.filter(|_| *extensible) {
                    return Ok(self.made(ty, Data::Foreign(part.foreign()?)));
                }
                let Ok((name, object)) = object.extract::<(String, Bound<'_, PyAny>)>() else {
                    return Err(expected("a CHOICE must be a pair of a name and a value", object));
                };
                let field = alternatives.iter().find(|field| *field.name == *name);
                let field =
                    field.ok_or_else(|| errors::argument(format!("{} has no alternative `{name}`", &*base.name)))?;
                let inner = self.types.get(&field.ty).ok_or_else(unknown_type)?;
                let work = || self.at(inner, self.types.contained_in(field), scope, &object, depth);
                let value = self.inside(Step::Component(&field.name), work)?;
                Data::Alternative(Alternative::new(field, value))
            }
            Shape::Open { .. } => {
                if let Some(selected) = self.types.selected(base, scope) {
                    // The package's own types take what is selected as its encoding, too.
                    return match is_own(self.types) && object.is_instance_of::<PyBytes>() {
                        true => self.encoded(selected, object),
                        false => self.at(selected, None, scope, object, depth),
                    };
                }
                if let Some(part) = Part::of(object)? {
                    return Ok(self.made(ty, Data::Foreign(part.foreign()?)));
                }
                let octets = object.extract::<Vec<u8>>()?;
                Any::from_der(&octets).map_err(|error| errors::decoding(object.py(), &error))?;
                Data::Unknown(Cow::Owned(octets))
            }
            shape @ Shape::Enumerated { extensible: true, .. } => match Part::of(object)? {
                Some(part) => Data::Foreign(part.foreign()?),
                None => return self.leaf(ty, shape, object),
            },
            shape => return self.leaf(ty, shape, object),
        };
        Ok(self.made(ty, data))
    }

    fn made(&self, ty: &'a Type, data: Data<'a>) -> Value<'a> {
        Value::new(self.types, ty, data)
    }

    /// Decodes a value that was given as its encoding.
    fn encoded(&self, ty: &'a Type, object: &Bound<'_, PyAny>) -> PyResult<Value<'a>> {
        let octets = self.arena.keep(object.extract::<Vec<u8>>()?);
        let dynamic = Dynamic::new(ty);
        let dynamic = self.types.schema().map_or(dynamic, |schema| dynamic.schema(schema));
        let read = dynamic.decode(octets).map_err(|error| errors::decoding(object.py(), &error))?;
        Ok(read.value)
    }

    fn components(
        &self,
        fields: &'a Fields,
        outer: Option<&Scope<'_, 'a>>,
        object: &Bound<'_, PyAny>,
        depth: u32,
    ) -> PyResult<Components<'a>> {
        let Ok(dict) = object.cast::<PyDict>() else {
            return Err(expected("a SEQUENCE or SET must be a dict", object));
        };
        let (unknown, foreign) = self.additions(fields, dict)?;
        let mut slots: Vec<Option<Value<'a>>> = fields.list.iter().map(|_| None).collect();
        // What selects a type is made before what it selects, wherever it stands.
        for (current, field) in self.types.reading_order(fields) {
            let Some(object) = dict.get_item(&*field.name)? else {
                // A sender of an earlier version does not know additions (X.680 §7.1).
                let is_addition = |marker: &Marker| (marker.start as usize..marker.end as usize).contains(&current);
                if matches!(field.presence, Presence::Required) && !fields.marker.as_ref().is_some_and(is_addition) {
                    return Err(errors::argument(format!("the component `{}` is missing", &*field.name)));
                }
                continue;
            };
            let ty = self.types.get(&field.ty).ok_or_else(unknown_type)?;
            let value = {
                let scope = Scope { fields, slots: &slots, current, is_partial: false, ahead: None, outer };
                let work = || self.at(ty, self.types.contained_in(field), Some(&scope), &object, depth);
                self.inside(Step::Component(&field.name), work)?
            };
            // What has its DEFAULT value is absent (X.690 §11.5), in a DEFAULT value of other components, too.
            // Values of the package's classes are only written, which leaves it out.
            let is_default =
                self.rows.is_none() && self.types.with_default(field, |default| *default == value).unwrap_or(false);
            if let (Some(slot), false) = (slots.get_mut(current), is_default) {
                *slot = Some(value);
            }
        }
        let components = Components::new(fields, slots, unknown).ok_or_else(unknown_type)?;
        Ok(match foreign {
            Some(foreign) => components.with_foreign(foreign),
            None => components,
        })
    }

    /// Returns the extension additions in a `dict`, with tags and without. Its other names must be those of components.
    fn additions(
        &self,
        fields: &'a Fields,
        dict: &Bound<'_, PyDict>,
    ) -> PyResult<(Elements<'a>, Option<ForeignAdditions>)> {
        let mut listed = None;
        for (name, object) in dict.iter() {
            let name = name.extract::<String>()?;
            if name == ADDITIONS && fields.marker.is_some() {
                listed = Some(object);
            } else if !is_own(self.types) && !fields.list.iter().any(|field| *field.name == *name) {
                return Err(errors::argument(format!("unknown component `{name}`")));
            }
        }
        let (mut unknown, mut foreign) = (Vec::new(), None);
        // An iterator of the caller's may change the `dict`, which nothing walks any more.
        if let Some(listed) = listed {
            for (number, object) in listed.try_iter()?.enumerate() {
                let object = object?;
                let read = || {
                    if let Some(part) = Part::of(&object)? {
                        return part.add(&mut foreign);
                    }
                    let octets = object.extract::<Vec<u8>>()?;
                    Any::from_der(&octets).map_err(|error| errors::decoding(dict.py(), &error))?;
                    unknown.push(Cow::Owned(octets));
                    Ok(())
                };
                let item = || self.inside(Step::Item(number), read);
                self.inside(Step::Component(ADDITIONS), item)?;
            }
        }
        Ok((unknown, foreign))
    }

    /// Creates an attribute of a name, whose value has the requested string type.
    fn attribute(&self, fields: &'a Fields, object: &Bound<'_, PyAny>) -> PyResult<Components<'a>> {
        let (oid, number, text) = object.extract::<(String, u32, Bound<'_, PyAny>)>()?;
        let field = |name: &str| fields.list.iter().find(|field| *field.name == *name).ok_or_else(unknown_type);
        let (oid_type, value_type) = (field("type")?, field("value")?);
        let oid_type = self.types.get(&oid_type.ty).ok_or_else(unknown_type)?;
        let value_type = self.types.get(&value_type.ty).ok_or_else(unknown_type)?;
        let octets = string(number, &text)?;
        // Its alphabet is checked here, where the fault is still known.
        Any::from_der(&octets).map_err(|error| errors::encoding(object.py(), &EncodeError::new(error.kind())))?;
        let oid = Value::leaf(self.types, oid_type, Cow::Owned(input::oid(&oid)?))
            .map_err(|fault| content(object.py(), &fault))?;
        let value = self.made(value_type, Data::Unknown(Cow::Owned(octets)));
        Components::new(fields, vec![Some(oid), Some(value)], Vec::new()).ok_or_else(unknown_type)
    }

    fn leaf(&self, ty: &'a Type, shape: &Shape, object: &Bound<'_, PyAny>) -> PyResult<Value<'a>> {
        let octets = match shape {
            Shape::Boolean => vec![if object.extract::<bool>()? { 0xFF } else { 0 }],
            // A declared NULL is True if it is present.
            Shape::Null if object.is_none() || is_true(object) || is_own(self.types) => Vec::new(),
            Shape::Null => return Err(expected("a NULL must be None", object)),
            Shape::Integer(_) | Shape::Enumerated { .. } => input::integer(object)?,
            Shape::ObjectIdentifier => input::oid(&dotted(object)?)?,
            Shape::RelativeOid | Shape::OidIri | Shape::RelativeOidIri => {
                let text = dotted(object)?;
                from_text(shape, &text).ok_or_else(|| {
                    errors::argument(format!("`{text}` is not a valid {}", &*self.types.base(ty).name))
                })?
            }
            Shape::Real => real::content(object)?,
            Shape::OctetString => object.extract::<Vec<u8>>()?,
            Shape::BitString(names) => {
                let Ok((octets, unused)) = object.extract::<(Vec<u8>, u8)>() else {
                    return Err(expected("a BIT STRING must be a pair of bytes and a count of unused bits", object));
                };
                // Unused bits are none that a name could mean: what has them set is refused, as it is where there are no names.
                let last = octets.last().copied().unwrap_or_default();
                let is_clean =
                    BitStr::new(&octets, unused).is_some() && u32::from(last).trailing_zeros() >= u32::from(unused);
                if is_clean && !names.is_empty() { named_bits(&octets) } else { [vec![unused], octets].concat() }
            }
            // The octets of texts that have no characters here.
            Shape::String(
                StringKind::Videotex | StringKind::Graphic | StringKind::General | StringKind::ObjectDescriptor,
            ) if object.is_instance_of::<PyBytes>() => object.extract::<Vec<u8>>()?,
            Shape::String(kind) => characters(*kind, object.cast::<PyString>()?.to_str()?)?.into_owned(),
            Shape::Time(TimeKind::Utc) => {
                let (seconds, fraction) = times::parts(&times::number(object)?)?;
                if !fraction.is_empty() {
                    return Err(errors::argument("a UTCTime must have whole seconds (X.680 §47.3)"));
                }
                let time = UtcTime::new(input::civil(seconds)?);
                let time = time.ok().ok_or_else(|| errors::argument("a UTCTime must be in the years 1950 to 2049"))?;
                after_header(&made(object.py(), &time)?)
            }
            Shape::Time(TimeKind::Generalized) if object.is_instance_of::<PyString>() => {
                object.extract::<String>()?.into_bytes()
            }
            Shape::Time(TimeKind::Generalized) => {
                let (seconds, fraction) = times::parts(&times::number(object)?)?;
                let time = GeneralizedTime::new(input::civil(seconds)?);
                let octets = after_header(&made(object.py(), &time)?);
                match (fraction.as_str(), octets.split_last()) {
                    ("", _) | (_, None) => octets,
                    (fraction, Some((zone, time))) => [time, b".", fraction.as_bytes(), &[*zone]].concat(),
                }
            }
            Shape::Time(kind) => times::content(*kind, object)?,
            _ => return Err(unknown_type()),
        };
        Value::leaf(self.types, ty, Cow::Owned(octets)).map_err(|fault| content(object.py(), &fault))
    }
}

/// Returns an object identifier in dotted form, given as text or as a sequence of arcs.
fn dotted(object: &Bound<'_, PyAny>) -> PyResult<String> {
    if !object.is_instance_of::<PyTuple>() {
        return object.extract();
    }
    let mut arcs = Vec::new();
    for arc in object.try_iter()? {
        arcs.push(arc?.cast::<PyInt>()?.str()?.extract::<String>()?);
    }
    Ok(arcs.join("."))
}

/// Creates the error for an object of an unexpected type.
fn expected(kind: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{kind}, found {name}"))
}

fn is_true(object: &Bound<'_, PyAny>) -> bool {
    object.cast::<PyBool>().is_ok_and(|object| object.is_true())
}

fn unknown_type() -> PyErr {
    PyValueError::new_err("an unknown type")
}

fn content(py: Python<'_>, fault: &tagwise::codec::Fault) -> PyErr {
    errors::encoding(py, &EncodeError::new(fault.kind()))
}

/// Returns the content of a short element, such as a time.
fn after_header(element: &[u8]) -> Vec<u8> {
    element.get(2..).unwrap_or_default().to_vec()
}

/// Removes trailing zero bits from named bits, as DER requires (X.690 §11.2.2).
pub(crate) fn named_bits(octets: &[u8]) -> Vec<u8> {
    let used = octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1);
    let octets = octets.get(..used).unwrap_or_default();
    let unused = octets.last().map_or(0, |last| last.trailing_zeros() as u8);
    [&[unused], octets].concat()
}

fn characters(kind: StringKind, text: &str) -> PyResult<Cow<'_, [u8]>> {
    Ok(match kind {
        StringKind::Utf8 => text.as_bytes().into(),
        StringKind::Bmp if text.chars().all(|character| u32::from(character) <= 0xFFFF) => {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        }
        StringKind::Teletex => latin1(text)?.into(),
        StringKind::Universal => text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect(),
        _ if text.is_ascii() => text.as_bytes().into(),
        _ => return Err(errors::argument("the text has characters that its type does not allow")),
    })
}

/// Encodes text as TeletexString content in Latin-1, as other implementations do. No standard defines the characters more precisely.
fn latin1(text: &str) -> PyResult<Vec<u8>> {
    let octets = text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect::<Option<_>>();
    octets.ok_or_else(|| errors::argument("a TeletexString must consist of Latin-1 characters"))
}

/// Encodes an element of a universal string type (X.680 §8.4).
pub(crate) fn string(number: u32, text: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let kind = match number {
        3 => {
            let octets = text.extract::<Vec<u8>>()?;
            let (unused, bits) = octets.split_first().ok_or_else(|| errors::argument("no BIT STRING"))?;
            let bits = BitStr::new(bits, *unused).ok_or_else(|| errors::argument("no BIT STRING"))?;
            return encode(&bits).map_err(|error| errors::encoding(text.py(), &error));
        }
        4 if text.is_instance_of::<PyString>() => {
            return Err(errors::argument("an OCTET STRING must be bytes, not text"));
        }
        4 => {
            let octets = text.extract::<Vec<u8>>()?;
            let octets = encode(&tagwise::codec::OctetStr::new(&octets));
            return octets.map_err(|error| errors::encoding(text.py(), &error));
        }
        12 => StringKind::Utf8,
        18 => StringKind::Numeric,
        19 => StringKind::Printable,
        20 => StringKind::Teletex,
        22 => StringKind::Ia5,
        26 => StringKind::Visible,
        28 => StringKind::Universal,
        30 => StringKind::Bmp,
        _ => return Err(errors::argument("the value is not a string type")),
    };
    let content = characters(kind, text.cast::<PyString>()?.to_str()?)?;
    let tag = Tag::new(Class::Universal, number, false);
    element(text.py(), tag, &content)
}

/// Encodes an element.
pub(crate) fn element(py: Python<'_>, tag: Tag, content: &[u8]) -> PyResult<Vec<u8>> {
    let mut octets = vec![0; content.len().saturating_add(16)];
    let free = {
        let mut writer = tagwise::codec::Writer::new(&mut octets);
        let written = writer.bytes(content).and_then(|()| writer.header(tag, content.len()));
        written.map_err(|error| errors::encoding(py, &error))?;
        writer.free()
    };
    octets.drain(..free);
    Ok(octets)
}
