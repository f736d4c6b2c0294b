//! The usual extensions, read by their types: what the tables of the types say of them, and sooner.
//!
//! Values are as those of [`to_py`](crate::value::to_py). Malformed and unusual input is left to the tables, which report more.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString};
use tagwise::codec::{BitStr, Decode, OctetStr, Oid};
use tagwise::pkix::ext::{AuthorityKeyIdentifier, BasicConstraints, ExtKeyUsage, GeneralName, GeneralNames, KeyUsage};
use tagwise::pkix::oids;

use crate::budget;

/// The value of an extension, or nothing if it is not a usual one.
pub(crate) fn read<'py>(py: Python<'py>, oid: &[u8], der: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (Ok(oid), false) = (Oid::from_content(oid), budget::is_limited()) else { return Ok(None) };
    Ok(match oid {
        oids::SUBJECT_KEY_IDENTIFIER => {
            OctetStr::from_der(der).ok().map(|key| PyBytes::new(py, key.as_bytes()).into_any())
        }
        oids::BASIC_CONSTRAINTS => {
            let Ok(read) = BasicConstraints::from_der(der) else { return Ok(None) };
            let dict = PyDict::new(py);
            dict.set_item("cA", PyBool::new(py, read.ca))?;
            if let Some(limit) = read.path_len_constraint {
                dict.set_item("pathLenConstraint", limit.get())?;
            }
            Some(dict.into_any())
        }
        oids::KEY_USAGE => match (KeyUsage::from_der(der), BitStr::from_der(der)) {
            (Ok(_), Ok(bits)) => {
                Some((PyBytes::new(py, bits.as_bytes()), bits.unused_bits()).into_pyobject(py)?.into_any())
            }
            _ => None,
        },
        oids::AUTHORITY_KEY_IDENTIFIER => {
            let Ok(read) = AuthorityKeyIdentifier::from_der(der) else { return Ok(None) };
            if read.authority_cert_issuer.is_some() || read.authority_cert_serial_number.is_some() {
                return Ok(None);
            }
            let dict = PyDict::new(py);
            if let Some(key) = read.key_identifier {
                dict.set_item("keyIdentifier", PyBytes::new(py, key.as_bytes()))?;
            }
            Some(dict.into_any())
        }
        oids::EXT_KEY_USAGE => {
            let Ok(read) = ExtKeyUsage::from_der(der) else { return Ok(None) };
            let list = PyList::empty(py);
            for purpose in read.0.iter() {
                let Ok(purpose) = purpose else { return Ok(None) };
                list.append(purpose.to_string())?;
            }
            Some(list.into_any())
        }
        oids::SUBJECT_ALT_NAME | oids::ISSUER_ALT_NAME => {
            let Ok(read) = GeneralNames::from_der(der) else { return Ok(None) };
            let list = PyList::empty(py);
            for name in read.iter() {
                let Some(name) = name.ok().and_then(|name| plain(py, &name)) else { return Ok(None) };
                list.append(name)?;
            }
            Some(list.into_any())
        }
        _ => None,
    })
}

/// A name of characters.
fn plain<'py>(py: Python<'py>, name: &GeneralName<'_>) -> Option<(&'static str, Bound<'py, PyString>)> {
    let (kind, text) = match name {
        GeneralName::DnsName(text) => ("dNSName", text),
        GeneralName::Rfc822Name(text) => ("rfc822Name", text),
        GeneralName::UniformResourceIdentifier(text) => ("uniformResourceIdentifier", text),
        _ => return None,
    };
    text.as_str().map(|text| (kind, PyString::new(py, text)))
}
