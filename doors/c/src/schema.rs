//! Schemas at run time: compiling ASN.1 modules, decoding values to trees, walking the trees, and encoding from JSON.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::{Arc, OnceLock};

use tagwise::codec::ber;
use tagwise::codec::table::{Shape, Type};
use tagwise::codec::value::{Data, Dynamic, Print, Value};
use tagwise::codec::{Deviation, Error, Options};
use tagwise::jer;
use tagwise::tables::untagged::{Rule, Rules, Tolerance, Untagged};
use tagwise::tables::{self, NameError, Schema as Compiled, Source, per};

use crate::ber::converted;
use crate::bytes::{List, given, put, tagwise_buffer, tagwise_bytes, terminated};
use crate::element::tagwise_element;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::options::{deviation, tagwise_deviation, tagwise_options};

/// Compiled ASN.1 modules. Immutable: threads may share them.
pub struct tagwise_schema(Arc<Compiled>);

/// The text of ASN.1 modules, with a name for error messages.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_schema_source {
    /// The name that identifies the text, such as a file name.
    name: tagwise_bytes,
    /// The text of one or more modules.
    text: tagwise_bytes,
}

/// Compiles modules from `count` texts. If compilation fails, the error's message lists all errors with their line numbers.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_schema_compile(
    sources: *const tagwise_schema_source,
    count: usize,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_schema>> {
    guard!(error, {
        let mut texts = Vec::new();
        for source in List::new(sources, count).get()? {
            texts.push(Source::new(source.name.text()?, source.text.text()?));
        }
        match Compiled::compile(texts) {
            Ok(schema) => Ok(Some(Box::new(tagwise_schema(Arc::new(schema))))),
            Err(tables::Error::Modules(found)) => {
                Err(Problem::new(tagwise_error_kind::Schema, "schema", found.render()))
            }
            Err(error) => Err(Problem::new(tagwise_error_kind::Schema, "schema", error.to_string())),
        }
    })
}

/// Frees a schema; NULL is allowed. Values decoded with it remain valid.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_schema_free(schema: Option<Box<tagwise_schema>>) {
    guard!(drop(schema))
}

/// Gets the module and name of the type at the given index, counted from 0, borrowed from the schema. Returns false after
/// the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_schema_type_get(
    schema: Option<&tagwise_schema>,
    index: usize,
    module: Option<&mut MaybeUninit<tagwise_bytes>>,
    name: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> bool {
    guard!(schema.and_then(|schema| schema.0.names().get(index)).is_some_and(|found| {
        put(module, tagwise_bytes::of(found.module.as_bytes()));
        put(name, tagwise_bytes::of(found.name.as_bytes()));
        true
    }))
}

/// The maximum number of types to list in an error.
const LISTED: usize = 20;

fn ty<'s>(schema: Option<&'s tagwise_schema>, name: *const c_char) -> Result<Dynamic<'s>, Problem> {
    let (schema, name) = (given(schema, "schema")?, terminated(name, "type")?);
    schema.0.ty(name).map_err(|error| match error {
        NameError::Unknown { near: None } => {
            Problem::unknown("type", name, schema.0.names().iter().take(LISTED).map(|known| &*known.name))
        }
        error => Problem::argument(format!("{name}: {error}")),
    })
}

/// A decoded value with its encoding: a tree whose nodes are borrowed from it. It remains valid after its schema is freed.
/// Immutable: threads may share it.
pub struct tagwise_value {
    // Before what it borrows: fields are dropped in their order.
    value: Value<'static>,
    ty: Dynamic<'static>,
    deviations: Vec<Deviation>,
    packed: Vec<(Rule, u64)>,
    /// The type's name in the schema, and the encoding rules and options if the value was read without tags.
    name: String,
    read: Option<(Rules, Tolerance, Options<'static>)>,
    positions: OnceLock<Vec<per::Position>>,
    bytes: Box<[u8]>,
    schema: Option<Arc<Compiled>>,
}

impl tagwise_value {
    /// Decodes a value. Its type comes from the schema or, if there is no schema, from a static table.
    pub(crate) fn decode(dynamic: Dynamic<'_>, bytes: Box<[u8]>, schema: Option<Arc<Compiled>>) -> Result<Self, Error> {
        // SAFETY: The bytes stay in their box, and the types in the schema that the value keeps, until after the value is dropped.
        let (lent, dynamic): (&'static [u8], Dynamic<'static>) =
            unsafe { (&*std::ptr::from_ref(&*bytes), std::mem::transmute::<Dynamic<'_>, Dynamic<'static>>(dynamic)) };
        let read = dynamic.decode(lent)?;
        let (name, packed, positions) = (String::new(), Vec::new(), OnceLock::new());
        let (value, deviations) = (read.value, read.deviations);
        Ok(Self { value, ty: dynamic, deviations, packed, name, read: None, positions, bytes, schema })
    }

    /// Keeps a value with bytes of its own, whose types are those of the schema.
    fn keep(dynamic: Dynamic<'_>, value: Value<'_>, name: &str, schema: Arc<Compiled>) -> Self {
        // SAFETY: The types are in the schema that the value keeps until after the value is dropped.
        let (value, ty): (Value<'static>, Dynamic<'static>) = unsafe {
            (
                std::mem::transmute::<Value<'_>, Value<'static>>(value),
                std::mem::transmute::<Dynamic<'_>, Dynamic<'static>>(dynamic),
            )
        };
        Self {
            value,
            ty,
            deviations: Vec::new(),
            packed: Vec::new(),
            name: name.to_owned(),
            read: None,
            positions: OnceLock::new(),
            bytes: Box::default(),
            schema: Some(schema),
        }
    }

    /// The type under encoding rules without tags.
    fn untagged(&self, rules: Rules) -> Result<Untagged<'_>, Problem> {
        let schema = self.schema.as_ref().filter(|_| !self.name.is_empty());
        let schema = schema.ok_or_else(|| {
            Problem::new(tagwise_error_kind::Unsupported, "unsupported", "PER, OER and XER require a type of a schema")
        })?;
        schema.untagged(&self.name, rules).map_err(|error| Problem::argument(format!("{}: {error}", self.name)))
    }

    /// The positions of components, which are found by decoding again.
    fn positions(&self) -> &[per::Position] {
        self.positions.get_or_init(|| {
            let Some((rules, tolerance, options)) = self.read else { return Vec::new() };
            let Ok(ty) = self.untagged(rules) else { return Vec::new() };
            let read = ty.tolerating(tolerance).options(options).positions(true).decode(&self.bytes);
            let mut positions = read.map(|read| read.positions).unwrap_or_default();
            positions.retain(|position| !position.is_padding);
            positions
        })
    }
}

/// A node of a value's tree: a component, an item, or the value itself. Borrowed from the value.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_node(Value<'static>);

impl tagwise_node {
    fn of(value: &Value<'_>) -> *const Self {
        // Nobody reads it but by a reference that ends with a call; the header asks that the value outlives it.
        std::ptr::from_ref::<Value<'_>>(value).cast()
    }
}

/// Encoding rules.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_rules {
    /// DER, with the deviations that the options allow.
    Der = 0,
    /// BER in any form.
    Ber = 1,
    /// PER (X.691), BASIC, UNALIGNED.
    Uper = 2,
    /// PER, BASIC, ALIGNED.
    Aper = 3,
    /// PER, CANONICAL, UNALIGNED.
    Cuper = 4,
    /// PER, CANONICAL, ALIGNED.
    Caper = 5,
    /// OER (X.696), BASIC.
    Oer = 6,
    /// OER, CANONICAL.
    Coer = 7,
    /// XER (X.693), BASIC.
    Xer = 8,
    /// XER, CANONICAL.
    Cxer = 9,
    /// XER, EXTENDED: by the encoding instructions of the schema.
    Exer = 10,
}

/// Returns the encoding rules of a number, if they have no tags.
fn untagged(rules: u32) -> Option<Rules> {
    let place = rules.checked_sub(tagwise_rules::Uper as u32)?;
    Rules::ALL.get(place as usize).copied()
}

/// Decodes a value of a named type (`Name` or `Module.Name`). `rules`, a value of enum tagwise_rules, selects DER, BER, PER, OER
/// or XER. Offsets in errors refer to the input; node offsets refer to the DER, and are 0 for the other rules.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_decode(
    schema: Option<&tagwise_schema>,
    r#type: *const c_char,
    input: tagwise_bytes,
    rules: u32,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_value>> {
    guard!(error, {
        let dynamic = ty(schema, r#type)?;
        let schema = Arc::clone(&given(schema, "schema")?.0);
        let options_der = tagwise_options::of(options)?;
        let name = terminated(r#type, "type")?;
        if let Some(rules) = untagged(rules) {
            let (input, tolerance) = (input.get()?, tagwise_options::untagged(options)?);
            let kept = Arc::clone(&schema);
            let ty = schema.untagged(name, rules).map_err(|error| Problem::argument(format!("{name}: {error}")))?;
            let read = ty.tolerating(tolerance).options(options_der).decode(input)?;
            let mut value = tagwise_value::keep(dynamic.options(options_der), read.value, name, kept);
            (value.packed, value.bytes) = (read.deviations, input.into());
            value.read = Some((rules, tolerance, options_der));
            return Ok(Some(Box::new(value)));
        }
        let input = input.der()?;
        let (bytes, canonical): (Box<[u8]>, _) = match rules {
            0 => (input.into(), None),
            1 => {
                let canonical =
                    ber::to_der_as(dynamic.ty(), dynamic.types().schema(), input, &tagwise_options::ber(options)?)?;
                (canonical.bytes.as_ref().into(), Some(canonical))
            }
            _ => return Err(Problem::argument("not a value of enum tagwise_rules")),
        };
        let original = |error: Error| {
            canonical.as_ref().map_or_else(|| error.clone(), |canonical| canonical.original(error.clone()))
        };
        let mut value = tagwise_value::decode(dynamic.options(options_der), bytes, Some(schema)).map_err(original)?;
        name.clone_into(&mut value.name);
        Ok(Some(Box::new(value)))
    })
}

/// Frees a value; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_free(value: Option<Box<tagwise_value>>) {
    guard!(drop(value))
}

/// Gets the tolerated deviation at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_deviation(
    value: Option<&tagwise_value>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(value.is_some_and(|value| match value.packed.get(index) {
        Some((rule, bit)) => {
            put(found, tagwise_deviation::new(rule.name(), rule.clause(), *bit));
            true
        }
        None => deviation(&value.deviations, index, found),
    }))
}

/// The position of a component in an encoding in PER, OER or XER.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_position {
    /// The component's path, empty for the whole value. Borrowed from the value.
    path: tagwise_bytes,
    /// The offset of the first bit.
    start: u64,
    /// The offset after the last bit.
    end: u64,
}

/// Gets the position of the component at the given index, counted from 0, of a value that was decoded from PER, OER or XER. The
/// components are in the order of the encoding. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_position_get(
    value: Option<&tagwise_value>,
    index: usize,
    position: Option<&mut MaybeUninit<tagwise_position>>,
) -> bool {
    guard!(value.and_then(|value| value.positions().get(index)).is_some_and(|found| {
        let path = tagwise_bytes::of(found.path.as_bytes());
        put(position, tagwise_position { path, start: found.start, end: found.end });
        true
    }))
}

/// Returns the DER of a value.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_encode(
    value: Option<&tagwise_value>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let value = given(value, "value")?;
        Ok(tagwise_buffer::new(value.ty.encode(&value.value)?))
    })
}

/// Encodes a value with the given rules, a value of enum tagwise_rules. TAGWISE_RULES_BER produces DER. Parts of unknown type
/// that were read in PER or OER can only be encoded with the same rules.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_encode_as(
    value: Option<&tagwise_value>,
    rules: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let value = given(value, "value")?;
        match (untagged(rules), rules) {
            (Some(rules), _) => {
                let ty = value.untagged(rules)?.options(*value.ty.options_in_force());
                Ok(tagwise_buffer::new(ty.encode(&value.value)?))
            }
            (None, 0 | 1) => Ok(tagwise_buffer::new(value.ty.encode(&value.value)?)),
            _ => Err(Problem::argument("not a value of enum tagwise_rules")),
        }
    })
}

/// Reads a value of a named type from JSON (X.697). Constraints are checked.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_from_json(
    schema: Option<&tagwise_schema>,
    r#type: *const c_char,
    json: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_value>> {
    guard!(error, {
        let dynamic = ty(schema, r#type)?;
        let kept = Arc::clone(&given(schema, "schema")?.0);
        let value = from_json(&dynamic, json)?;
        Ok(Some(Box::new(tagwise_value::keep(dynamic, value, terminated(r#type, "type")?, kept))))
    })
}

fn from_json<'s>(dynamic: &Dynamic<'s>, json: tagwise_bytes) -> Result<Value<'s>, Problem> {
    let wrong =
        |error: jer::Error| Problem::new(tagwise_error_kind::Encoding, "json", error.to_string()).along(&error.path);
    jer::from_str(dynamic, json.text()?).map_err(wrong)
}

/// Encodes the value as JSON with the JSON Encoding Rules (X.697).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_json(
    value: Option<&tagwise_value>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let value = given(value, "value")?;
        Ok(tagwise_buffer::new(jer::to_string(value.ty.types(), &value.value)))
    })
}

/// Formats the value as readable text, with component names. Secret components are not shown.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_text(
    value: Option<&tagwise_value>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let value = given(value, "value")?;
        let mut text = String::new();
        let printed = Print::new(value.ty.types()).print(&value.value, &mut text);
        printed?;
        Ok(tagwise_buffer::new(text))
    })
}

/// Encodes a value, given in the JSON Encoding Rules (X.697), as DER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_schema_encode_json(
    schema: Option<&tagwise_schema>,
    r#type: *const c_char,
    json: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let dynamic = ty(schema, r#type)?;
        let value = from_json(&dynamic, json)?;
        Ok(tagwise_buffer::new(dynamic.encode(&value)?))
    })
}

/// Converts a value of the given type from BER in any form to DER. `residue` is set to the number of elements whose
/// conversion is uncertain.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_schema_to_der(
    schema: Option<&tagwise_schema>,
    r#type: *const c_char,
    input: tagwise_bytes,
    options: Option<&tagwise_options>,
    residue: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let dynamic = ty(schema, r#type)?;
        let options = tagwise_options::ber(options)?;
        Ok(converted(&ber::to_der_as(dynamic.ty(), dynamic.types().schema(), input.der()?, &options)?, residue))
    })
}

/// Returns the root of a value's tree.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_root(value: Option<&tagwise_value>) -> *const tagwise_node {
    guard!(value.map_or(std::ptr::null(), |value| tagwise_node::of(&value.value)))
}

/// Returns the node at the given index, counted from 0, among those that a path selects, such as `extensions[2].extnID`. A
/// path consists of the names of components and alternatives, and of items in brackets. An item is selected by its number,
/// or by an object identifier that it contains. An empty path selects the whole value. Returns NULL, without setting an
/// error, after the last node, or if the component is absent.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_value_select(
    value: Option<&tagwise_value>,
    path: *const c_char,
    index: usize,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *const tagwise_node {
    guard!(error, {
        let value = given(value, "value")?;
        let found = crate::field::select(&value.value, value.ty.types(), terminated(path, "path")?)?;
        let mut present = found.iter().filter_map(|found| found.value);
        Ok(present.nth(index).map_or(std::ptr::null(), tagwise_node::of))
    })
}

/// Kinds of nodes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_node_kind {
    /// No node.
    None = 0,
    /// A primitive value: use the tagwise_element functions for its content.
    Leaf = 1,
    /// A SEQUENCE or SET: its children are the components that are present.
    Components = 2,
    /// A SEQUENCE OF or SET OF: its children are the items.
    Items = 3,
    /// A CHOICE: its child is the alternative.
    Choice = 4,
    /// An OCTET STRING or BIT STRING that contains an encoding: its child is the contained value.
    Containing = 5,
    /// An element of unknown type: its content is the complete encoding.
    Unknown = 6,
    /// A part of unknown type in PER or OER: an alternative, the value of an open type, or an item of an ENUMERATED, which has
    /// no content. Other content is the encoding.
    Foreign = 7,
}

impl crate::shield::Failed for tagwise_node_kind {
    const FAILED: Self = Self::None;
}

/// Returns the kind of a node, or TAGWISE_NODE_KIND_NONE for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_get_kind(node: Option<&tagwise_node>) -> tagwise_node_kind {
    guard!(node.map_or(tagwise_node_kind::None, |node| match node.0.data() {
        Data::Leaf(_) => tagwise_node_kind::Leaf,
        Data::Components(_) => tagwise_node_kind::Components,
        Data::Items(_) => tagwise_node_kind::Items,
        Data::Alternative(_) => tagwise_node_kind::Choice,
        Data::Containing(_) => tagwise_node_kind::Containing,
        Data::Foreign(_) => tagwise_node_kind::Foreign,
        _ => tagwise_node_kind::Unknown,
    }))
}

/// Returns the name of a node's type, such as `INTEGER` or `Certificate`.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_type(node: Option<&tagwise_node>) -> tagwise_bytes {
    guard!(node.map_or(tagwise_bytes::NONE, |node| tagwise_bytes::of(node.0.ty().name.as_bytes())))
}

/// Returns the universal tag number of a leaf's type, such as TAGWISE_INTEGER, or 0 for other nodes. Pass it to
/// tagwise_element_text() and tagwise_element_time().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_universal(node: Option<&tagwise_node>) -> u32 {
    guard!(node.map_or(0, |node| universal(node.0.base())))
}

pub(crate) fn universal(ty: &Type) -> u32 {
    use tagwise::codec::table::{StringKind, TimeKind};
    match &ty.shape {
        Shape::Boolean => 1,
        Shape::Integer(_) => 2,
        Shape::BitString(_) => 3,
        Shape::OctetString => 4,
        Shape::Null => 5,
        Shape::ObjectIdentifier => 6,
        Shape::Real => 9,
        Shape::Enumerated { .. } => 10,
        Shape::String(StringKind::Utf8) => 12,
        Shape::RelativeOid => 13,
        Shape::String(StringKind::Numeric) => 18,
        Shape::String(StringKind::Printable) => 19,
        Shape::String(StringKind::Teletex) => 20,
        Shape::String(StringKind::Videotex) => 21,
        Shape::String(StringKind::Ia5) => 22,
        Shape::Time(TimeKind::Utc) => 23,
        Shape::Time(TimeKind::Generalized) => 24,
        Shape::String(StringKind::Graphic) => 25,
        Shape::String(StringKind::Visible) => 26,
        Shape::String(StringKind::General) => 27,
        Shape::String(StringKind::Universal) => 28,
        Shape::String(StringKind::Bmp) => 30,
        _ => 0,
    }
}

/// Returns the content of a leaf, or the complete encoding of a node of unknown type. Absent for other nodes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_content(node: Option<&tagwise_node>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(node.and_then(|node| match node.0.data() {
        Data::Foreign(part) => Some(part.octets.as_slice()),
        Data::Unknown(octets) => Some(octets),
        _ => node.0.content(),
    })))
}

/// Returns a node's offset in the DER of its value.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_offset(node: Option<&tagwise_node>) -> usize {
    guard!(node.map_or(0, |node| node.0.offset()))
}

/// Returns the child at the given index, counted from 0, or NULL after the last one. `name` is set to the name of the
/// component or alternative; it is absent for items.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_child_get(
    node: Option<&tagwise_node>,
    index: usize,
    name: Option<&mut MaybeUninit<tagwise_bytes>>,
) -> *const tagwise_node {
    guard!({
        let found = node.and_then(|node| match node.0.data() {
            Data::Components(components) => {
                let present = components.iter().filter_map(|(field, value)| value.map(|value| (Some(field), value)));
                { present }.nth(index)
            }
            Data::Items(items) => items.get(index).map(|value| (None, value)),
            Data::Alternative(alternative) if index == 0 => Some((Some(alternative.field()), alternative.value())),
            Data::Containing(inner) if index == 0 => Some((None, &**inner)),
            _ => None,
        });
        found.map_or(std::ptr::null(), |(field, value)| {
            put(name, tagwise_bytes::of_option(field.map(|field| field.name.as_bytes())));
            tagwise_node::of(value)
        })
    })
}

/// Returns the component or chosen alternative with the given name, or NULL if it is absent.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_child_find(node: Option<&tagwise_node>, name: *const c_char) -> *const tagwise_node {
    guard!({
        let name = terminated(name, "name").ok();
        let found = node.zip(name).and_then(|(node, name)| match node.0.data() {
            Data::Components(components) => components.get(name),
            Data::Alternative(alternative) if *alternative.field().name == *name => Some(alternative.value()),
            _ => None,
        });
        found.map_or(std::ptr::null(), tagwise_node::of)
    })
}

/// Reads a leaf as an element, for the tagwise_element functions. Returns false for other nodes. The element has no
/// complete encoding, and its tag is the universal tag of its type.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_node_element(
    node: Option<&tagwise_node>,
    element: Option<&mut MaybeUninit<tagwise_element>>,
) -> bool {
    guard!({
        let leaf = node.filter(|node| matches!(node.0.data(), Data::Leaf(_)));
        leaf.is_some_and(|node| {
            let content = node.0.content().unwrap_or_default();
            put(element, tagwise_element::leaf(universal(node.0.base()), content, node.0.offset()));
            true
        })
    })
}
