//! Encodes extension values in DER, from objects of the package's classes and the rows that describe the classes.
//!
//! The encoding is tentative. It is used only if the typed decoder of the extension accepts it. Otherwise, the table engine
//! encodes the value or reports the error.

use std::borrow::Cow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString};
use tagwise::codec::Tag;
use tagwise::codec::table::{Field, Fields, Shape, StringKind, Type};

use crate::input;
use crate::nodes::types;
use crate::objects::default;
use crate::rows::{Part, Row, Rows, SUBTREE, set_bits};
use crate::value::{element, named_bits};

/// A tentative encoding, or `None` if the table engine must encode the value.
type Guess = PyResult<Option<Vec<u8>>>;

/// Unwraps an `Option`. If it is `None`, returns `Ok(None)` from the function.
macro_rules! known {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

/// Encodes an object for a type. `tag` is an implicit tag.
pub(crate) fn value(rows: &'static Rows, ty: &Type, tag: Option<Tag>, object: &Bound<'_, PyAny>) -> Guess {
    let (py, base, row) = (object.py(), types().base(ty), rows.of_class(object));
    if let Shape::Choice { alternatives, .. } = &base.shape {
        let is_text = object.is_exact_instance_of::<PyString>();
        let name = known!(row.map(|row| row.name.as_str()).or(is_text.then_some("utf8String")));
        return component(rows, known!(alternatives.iter().find(|field| *field.name == *name)), object);
    }
    let own = known!(base.tag);
    let plain;
    let content: Cow<'_, [u8]> = match (&base.shape, row) {
        (Shape::Sequence(fields), _) if &*base.name == SUBTREE => {
            known!(component(rows, known!(fields.list.first()), object)?).into()
        }
        (Shape::OctetString, Some(row)) if row.converts => {
            plain = object.call_method0(intern!(py, "_plain"))?;
            known!(plain.cast::<PyBytes>().ok()).as_bytes().into()
        }
        (_, Some(Row { converts: true, .. })) => return Ok(None),
        (Shape::Null, Some(_)) => Cow::Borrowed(&[][..]),
        (_, Some(Row { parts, .. })) => match parts.as_slice() {
            [part] if part.component.is_empty() => {
                return value(rows, ty, tag, &object.getattr(part.attribute.bind(py))?);
            }
            parts => match &base.shape {
                Shape::BitString(names) => named_bits(&set_bits(names, parts, object)?).into(),
                Shape::Sequence(fields) => known!(components(rows, base, fields, parts, object)?).into(),
                _ => return Ok(None),
            },
        },
        (Shape::SequenceOf(_), None) if &*ty.name == "Name" => {
            let der = object.call_method0(intern!(py, "_encoded"))?;
            return Ok(if tag.is_none() { der.extract()? } else { None });
        }
        (Shape::SequenceOf(item), None) => {
            let (item, items) = (known!(types().get(item)), known!(object.cast_exact::<PyList>().ok()));
            let mut content = Vec::new();
            for object in items {
                content.extend(known!(value(rows, item, None, &object)?));
            }
            content.into()
        }
        (Shape::OctetString, None) => known!(object.cast::<PyBytes>().ok()).as_bytes().into(),
        (Shape::Boolean, None) if known!(object.cast::<PyBool>().ok()).is_true() => Cow::Borrowed(&[0xFF][..]),
        (Shape::Boolean, None) => Cow::Borrowed(&[0][..]),
        (Shape::Integer(_), None) if object.is_exact_instance_of::<PyInt>() => input::integer(object)?.into(),
        (Shape::String(StringKind::Ia5 | StringKind::Utf8), None) => {
            known!(object.cast::<PyString>().ok()).to_str()?.as_bytes().into()
        }
        (Shape::ObjectIdentifier, None) => {
            let dotted = known!(object.getattr_opt(intern!(py, "_dotted"))?);
            input::oid(known!(dotted.cast::<PyString>().ok()).to_str()?)?.into()
        }
        _ => return Ok(None),
    };
    let tag = tag.map_or(own, |tag| Tag::new(tag.class(), tag.number(), own.is_constructed()));
    element(py, tag, &content).map(Some)
}

/// Encodes an object for a component or an alternative.
fn component(rows: &'static Rows, field: &Field, object: &Bound<'_, PyAny>) -> Guess {
    let ty = known!(types().get(&field.ty));
    match &*field.tagging {
        [] => value(rows, ty, None, object),
        [tagging] if tagging.explicit => {
            let tag = Tag::new(tagging.tag.class(), tagging.tag.number(), true);
            element(object.py(), tag, &known!(value(rows, ty, None, object)?)).map(Some)
        }
        [tagging] => value(rows, ty, Some(tagging.tag), object),
        _ => Ok(None),
    }
}

/// Encodes an alternative in a component that is a CHOICE.
fn alternative(rows: &'static Rows, field: &Field, name: &str, object: &Bound<'_, PyAny>) -> Guess {
    let base = types().base(known!(types().get(&field.ty)));
    let (Shape::Choice { alternatives, .. }, [tagging]) = (&base.shape, &*field.tagging) else { return Ok(None) };
    let chosen = known!(alternatives.iter().find(|field| *field.name == *name));
    // A tag of a CHOICE is explicit (X.680 §31.2.7).
    let tag = Tag::new(tagging.tag.class(), tagging.tag.number(), true);
    element(object.py(), tag, &known!(component(rows, chosen, object)?)).map(Some)
}

/// Encodes all components.
fn components(rows: &'static Rows, base: &Type, fields: &Fields, parts: &[Part], object: &Bound<'_, PyAny>) -> Guess {
    let (py, mut content) = (object.py(), Vec::new());
    for field in fields.list.iter() {
        for part in parts.iter().filter(|part| *part.component == *field.name) {
            let object = object.getattr(part.attribute.bind(py))?;
            if object.is_none() || object.is(default(py, rows, part, base)?) {
                continue;
            }
            content.extend(match &part.alternative {
                None => known!(component(rows, field, &object)?),
                Some(name) => known!(alternative(rows, field, name, &object)?),
            });
        }
    }
    Ok(Some(content))
}
