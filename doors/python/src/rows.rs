//! The classes of extension values, as described by the class statements in the package.
//!
//! A class of `tagwise._data.Described` names the ASN.1 component of each of its fields. Reading
//! ([`objects`](crate::objects)) and writing ([`Row::plain`]) need nothing else: both walk the table of the type.

use std::collections::HashMap;
use std::sync::OnceLock;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PyString, PyTuple, PyType};
use tagwise::codec::table::{Field, NamedNumber, Shape, Type};
use tagwise::pkix::oids;

use crate::extension::selected;
use crate::input;

/// A field of a class.
pub(crate) struct Part {
    /// The name of the attribute that stores the field, such as `_path_length`.
    pub(crate) attribute: Py<PyString>,
    /// The component or the named bit. Empty if the field is the value itself.
    pub(crate) component: String,
    /// The alternative of the component, if the field represents one of several.
    pub(crate) alternative: Option<String>,
    /// True if the class checks only values that contain this field.
    pub(crate) is_checked: bool,
    /// The index of the component, after it was looked up.
    index: OnceLock<usize>,
    /// The object for an absent component, if it is always the same.
    default: PyOnceLock<Py<PyAny>>,
}

impl Part {
    /// Returns the component's index and field.
    pub(crate) fn field<'t>(&self, ty: &'t Type) -> PyResult<(usize, &'t Field)> {
        let (Shape::Sequence(fields) | Shape::Set(fields)) = &ty.shape else { return Err(self.missing(ty)) };
        let find = || fields.list.iter().position(|field| *field.name == *self.component);
        let index = match self.index.get() {
            Some(index) => *index,
            None => *self.index.get_or_init(|| find().unwrap_or(usize::MAX)),
        };
        Ok((index, fields.list.get(index).ok_or_else(|| self.missing(ty))?))
    }

    fn missing(&self, ty: &Type) -> PyErr {
        PyValueError::new_err(format!("{} has no component `{}`", &*ty.name, self.component))
    }

    /// Returns the object for an absent component: its DEFAULT value, which is created once, or None.
    pub(crate) fn default<'py>(
        &self,
        py: Python<'py>,
        make: impl FnOnce() -> Option<PyResult<Bound<'py, PyAny>>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(made) = self.default.get(py) {
            return Ok(made.bind(py).clone());
        }
        let made = make().unwrap_or_else(|| Ok(py.None().into_bound(py)))?;
        if made.is_none() || made.is_exact_instance_of::<PyBool>() {
            let _ = self.default.set(py, made.clone().unbind());
        }
        Ok(made)
    }
}

/// The description of a class of values.
pub(crate) struct Row {
    pub(crate) class: Py<PyType>,
    pub(crate) parts: Vec<Part>,
    /// The name of the type, or of the alternative of a CHOICE.
    pub(crate) name: String,
    /// The content bytes of an extension's identifier.
    pub(crate) oid: Vec<u8>,
    /// The type of an extension.
    pub(crate) ty: Option<&'static Type>,
    /// The point at which the class checks decoded values.
    pub(crate) checks: Checks,
    /// True if the class converts plain values itself.
    pub(crate) converts: bool,
}

/// The point at which a class checks decoded values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checks {
    Never,
    Always,
    /// Only if any of the checked fields is present and not False.
    Fields,
}

/// All rows, and the objects for creating values.
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The rows of extensions with their contexts, by the content bytes of the extension's identifier.
    extensions: HashMap<Vec<u8>, Vec<(u8, usize)>>,
    /// The rows of other types and of alternatives, by their names.
    named: HashMap<String, usize>,
    classes: HashMap<usize, usize>,
    /// The enumerations of named numbers, by type name. Each maps the names of the numbers to members.
    enumerations: HashMap<String, Py<PyDict>>,
    pub(crate) new: Py<PyAny>,
    pub(crate) unrecognized: Py<PyType>,
    pub(crate) naive: Py<PyAny>,
    seconds: Py<PyAny>,
    pub(crate) name_of: Py<PyAny>,
    pub(crate) step_of: Py<PyAny>,
    plain_name: Py<PyAny>,
    plain_step: Py<PyAny>,
    pub(crate) unsupported: Py<PyAny>,
    pub(crate) reject_network: Py<PyAny>,
}

static ROWS: PyOnceLock<Rows> = PyOnceLock::new();

impl Rows {
    pub(crate) fn get(py: Python<'_>) -> PyResult<&'static Self> {
        ROWS.get_or_try_init(py, || Self::load(py))
    }

    fn load(py: Python<'_>) -> PyResult<Self> {
        let ext = py.import("tagwise.x509.extensions")?;
        let times = py.import("tagwise.x509._times")?;
        let names = py.import("tagwise.x509.name")?;
        let general_name = py.import("tagwise.x509.general_name")?;
        let of = |module: &Bound<'_, PyModule>, name: &str| module.getattr(name).map(Bound::unbind);
        let mut made = Self {
            rows: Vec::new(),
            extensions: HashMap::new(),
            named: HashMap::new(),
            classes: HashMap::new(),
            enumerations: HashMap::new(),
            new: py.import("builtins")?.getattr("object")?.getattr("__new__")?.unbind(),
            unrecognized: ext.getattr("UnrecognizedExtension")?.cast_into::<PyType>()?.unbind(),
            naive: of(&times, "naive")?,
            seconds: of(&times, "seconds")?,
            name_of: of(&names, "name_of")?,
            step_of: of(&names, "step_of")?,
            plain_name: of(&names, "plain_name")?,
            plain_step: of(&names, "plain_step")?,
            unsupported: of(&general_name, "UnsupportedGeneralNameType")?,
            reject_network: of(&general_name, "reject_network")?,
        };
        for (name, members) in ext.getattr("ENUMERATIONS")?.cast_into::<PyDict>()?.iter() {
            made.enumerations.insert(name.extract()?, members.cast_into::<PyDict>()?.unbind());
        }
        for class in ext.getattr("DESCRIBED")?.try_iter()? {
            made.add(class?.cast_into::<PyType>()?)?;
        }
        Ok(made)
    }

    fn add(&mut self, class: Bound<'_, PyType>) -> PyResult<()> {
        let number = self.rows.len();
        let mut parts = Vec::new();
        let checked: Vec<String> = class.getattr("_checked")?.extract()?;
        for item in class.getattr("_components")?.call_method0("items")?.try_iter()? {
            let (field, path): (String, String) = item?.extract()?;
            let (component, alternative) = match path.split_once('.') {
                Some((component, alternative)) => (component.to_owned(), Some(alternative.to_owned())),
                None => (path, None),
            };
            let attribute = PyString::intern(class.py(), &format!("_{field}")).unbind();
            let (index, default) = (OnceLock::new(), PyOnceLock::new());
            let is_checked = checked.contains(&field);
            parts.push(Part { attribute, component, alternative, is_checked, index, default });
        }
        let name: String = class.getattr("_asn1")?.extract()?;
        let (mut ty, mut own) = (None, Vec::new());
        match class.getattr_opt("oid")? {
            Some(oid) => {
                let content = input::oid(&oid.getattr("_dotted")?.extract::<String>()?)?;
                let places = class.getattr("_places")?.extract()?;
                ty = selected(&content);
                own.clone_from(&content);
                self.extensions.entry(content).or_default().push((places, number));
            }
            None => {
                self.named.insert(name.clone(), number);
            }
        }
        self.classes.insert(class.as_ptr() as usize, number);
        let checks = match (class.hasattr("_check")?, parts.iter().any(|part| part.is_checked)) {
            (false, _) => Checks::Never,
            (true, false) => Checks::Always,
            (true, true) => Checks::Fields,
        };
        let converts = class.hasattr("_of_plain")?;
        self.rows.push(Row { class: class.unbind(), parts, name, oid: own, ty, checks, converts });
        Ok(())
    }

    /// Returns the row for an extension's identifier in the given context.
    pub(crate) fn of_extension(&self, place: u8, oid: &[u8]) -> Option<&Row> {
        let (_, number) = self.extensions.get(oid)?.iter().find(|(places, _)| places & place != 0)?;
        self.rows.get(*number)
    }

    /// Returns the row for a type or an alternative.
    pub(crate) fn of_name(&self, name: &str) -> Option<&Row> {
        self.rows.get(*self.named.get(name)?)
    }

    /// Returns the row for an object's own class.
    pub(crate) fn of_class(&self, object: &Bound<'_, PyAny>) -> Option<&Row> {
        self.rows.get(*self.classes.get(&(object.get_type_ptr() as usize))?)
    }

    /// Returns the row for an object's class, or for its nearest base class that has one.
    pub(crate) fn of_object(&self, object: &Bound<'_, PyAny>) -> Option<&Row> {
        let is_plain = object.is_exact_instance_of::<PyString>()
            || object.is_exact_instance_of::<PyBytes>()
            || object.is_exact_instance_of::<PyList>()
            || object.is_exact_instance_of::<PyInt>()
            || object.is_exact_instance_of::<PyBool>()
            || object.is_none();
        if is_plain {
            return None;
        }
        let class = object.get_type();
        let row = |class: &Bound<'_, PyAny>| self.rows.get(*self.classes.get(&(class.as_ptr() as usize))?);
        row(class.as_any()).or_else(|| class.mro().iter().skip(1).find_map(|base| row(&base)))
    }

    pub(crate) fn members(&self, ty: &Type) -> Option<&Py<PyDict>> {
        self.enumerations.get(&*ty.name)
    }

    /// Converts the outermost level of an object to plain form, for a type with the given shape. Plain values are unchanged.
    pub(crate) fn plain<'py>(
        &self,
        ty: &Type,
        shape: &Shape,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        if object.is_exact_instance_of::<PyBytes>() || object.is_none() {
            return Ok(object.clone());
        }
        let is_choice = matches!(shape, Shape::Choice { .. });
        let Some(row) = self.of_object(object) else { return self.foreign(ty, shape, object) };
        match row.parts.as_slice() {
            // Here alone an address may be a network.
            _ if &*ty.name == SUBTREE && row.converts => {
                based(py, (&row.name, object.call_method0(intern!(py, "_plain"))?))
            }
            _ if &*ty.name == SUBTREE => based(py, object),
            _ if &*ty.name == QUALIFIER => qualified(object),
            _ if is_choice && row.converts => {
                let address = self.reject_network.bind(py).call1((object,))?.call_method0(intern!(py, "_plain"))?;
                Ok((&row.name, address).into_pyobject(py)?.into_any())
            }
            _ if is_choice => Ok((&row.name, object).into_pyobject(py)?.into_any()),
            _ if row.converts => object.call_method0(intern!(py, "_plain")),
            [] => Ok(py.None().into_bound(py)),
            [whole] if whole.component.is_empty() => self.plain(ty, shape, &object.getattr(whole.attribute.bind(py))?),
            parts => match shape {
                Shape::BitString(names) => bits(py, set_bits(names, parts, object)?),
                _ => {
                    let dict = PyDict::new(py);
                    for part in parts {
                        let value = object.getattr(part.attribute.bind(py))?;
                        match &part.alternative {
                            _ if value.is_none() || part.default.get(py).is_some_and(|default| value.is(default)) => {}
                            Some(alternative) => dict.set_item(&part.component, (alternative, value))?,
                            None => dict.set_item(&part.component, value)?,
                        }
                    }
                    Ok(dict.into_any())
                }
            },
        }
    }

    /// Converts an object whose class has no row to plain form.
    fn foreign<'py>(&self, ty: &Type, shape: &Shape, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        match (&*ty.name, shape) {
            (SUBTREE, _) => based(py, object),
            (QUALIFIER, _) if !object.is_instance_of::<PyDict>() => qualified(object),
            ("Name", _) if !object.is_instance_of::<PyList>() => match object.call_method0(intern!(py, "_encoded"))? {
                der if der.is_none() => self.plain_name.bind(py).call1((object,)),
                der => Ok(der),
            },
            ("RelativeDistinguishedName", _) if !object.is_instance_of::<PyList>() => {
                self.plain_step.bind(py).call1((object,))
            }
            ("GeneralName", Shape::Choice { .. }) if !object.is_instance_of::<PyTuple>() => {
                Err(PyValueError::new_err("Unsupported GeneralName type"))
            }
            (_, Shape::Choice { .. }) if object.is_instance_of::<PyString>() => {
                Ok(("utf8String", object).into_pyobject(py)?.into_any())
            }
            (_, Shape::ObjectIdentifier) if !object.is_instance_of::<PyString>() => {
                object.getattr(intern!(py, "_dotted"))
            }
            (_, Shape::Time(_)) => self.seconds.bind(py).call1((object,)),
            (_, Shape::BitString(names)) => match object.cast::<PyFrozenSet>() {
                Ok(members) => {
                    let mut octets = [0; 2];
                    for member in members {
                        let name: String = member.getattr(intern!(py, "_value_"))?.extract()?;
                        set(&mut octets, names, &name)?;
                    }
                    bits(py, octets)
                }
                Err(_) => Ok(object.clone()),
            },
            (_, Shape::Integer(_) | Shape::Enumerated { .. }) => {
                if object.is_exact_instance_of::<PyInt>() {
                    return Ok(object.clone());
                }
                let Some(value) = object.getattr_opt(intern!(py, "_value_"))? else { return Ok(object.clone()) };
                let Shape::Enumerated { items, .. } = shape else { return Ok(value) };
                let name: String = value.extract()?;
                let item = items.iter().find(|item| *item.name == *name);
                let item = item.ok_or_else(|| PyValueError::new_err(format!("{} has no item {name}", &*ty.name)))?;
                Ok(item.number.into_pyobject(py)?.into_any())
            }
            _ => Ok(object.clone()),
        }
    }
}

/// The type of a subtree. The package represents it by its base, because RFC 5280 §4.2.1.10 uses no other component.
pub(crate) const SUBTREE: &str = "GeneralSubtree";

/// The type of a policy qualifier. The package represents it by its text or a notice.
pub(crate) const QUALIFIER: &str = "PolicyQualifierInfo";

fn based<'py>(py: Python<'py>, base: impl IntoPyObject<'py>) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    dict.set_item("base", base)?;
    Ok(dict.into_any())
}

/// Converts a policy qualifier that is a URI.
fn qualified<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(object.py());
    let is_uri = object.is_instance_of::<PyString>();
    if is_uri && !object.call_method0("isascii")?.is_truthy()? {
        return Err(PyValueError::new_err("Qualifier must be an ASCII-string."));
    }
    let oid = if is_uri { oids::QT_CPS } else { oids::QT_UNOTICE };
    dict.set_item("policyQualifierId", oid.to_string())?;
    dict.set_item("qualifier", object)?;
    Ok(dict.into_any())
}

/// Returns the bytes of a bit string in which each bit is set if its field is true.
pub(crate) fn set_bits(names: &[NamedNumber], parts: &[Part], object: &Bound<'_, PyAny>) -> PyResult<[u8; 2]> {
    let mut octets = [0; 2];
    for part in parts {
        if object.getattr(part.attribute.bind(object.py()))?.is_truthy()? {
            set(&mut octets, names, &part.component)?;
        }
    }
    Ok(octets)
}

fn set(octets: &mut [u8], names: &[NamedNumber], name: &str) -> PyResult<()> {
    let bit = names.iter().find(|one| *one.name == *name).and_then(|one| usize::try_from(one.number).ok());
    let octet = bit.and_then(|bit| Some((octets.get_mut(bit / 8)?, bit % 8)));
    let (octet, bit) = octet.ok_or_else(|| PyValueError::new_err(format!("no bit is named {name}")))?;
    *octet |= 0x80 >> bit;
    Ok(())
}

/// Converts the bytes of named bits to a BIT STRING. Trailing zero bits are removed during encoding.
fn bits(py: Python<'_>, octets: [u8; 2]) -> PyResult<Bound<'_, PyAny>> {
    Ok((PyBytes::new(py, &octets), 0).into_pyobject(py)?.into_any())
}
