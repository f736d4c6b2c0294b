//! The native part of the Python package `tagwise`: decoding and encoding. The public Python API is defined in the package.

mod attribute;
mod budget;
mod build;
mod certificate;
mod columns;
mod crl;
mod elements;
mod entry;
mod errors;
mod extension;
mod extensions;
mod fields;
mod found;
mod input;
mod key;
mod krb5;
mod lenient;
mod lint;
mod messages;
mod modules;
mod name;
mod named;
mod nodes;
mod objects;
mod ocsp;
mod outline;
mod part;
mod parts;
mod real;
mod records;
mod revocation;
mod rows;
mod schema;
mod select;
mod signature;
mod stream;
mod text;
mod times;
mod trust;
mod untagged;
mod value;
mod verify;
mod webpki;
mod work;
mod written;

use pyo3::prelude::*;

/// The native part of the package.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<certificate::Certificate>()?;
    module.add_class::<attribute::NameAttribute>()?;
    module.add_class::<attribute::RelativeDistinguishedName>()?;
    module.add_class::<extensions::Extension>()?;
    module.add_class::<extensions::Extensions>()?;
    module.add_class::<name::Name>()?;
    module.add_function(wrap_pyfunction!(certificate::load_der_x509_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(certificate::read_many, module)?)?;
    budget::add(module)?;
    columns::add(module)?;
    crl::add(module)?;
    entry::add(module)?;
    key::add(module)?;
    krb5::add(module)?;
    named::add(module)?;
    extension::add(module)?;
    ocsp::add(module)?;
    parts::add(module)?;
    lint::add(module)?;
    messages::add(module)?;
    modules::add(module)?;
    found::add(module)?;
    schema::add(module)?;
    select::add(module)?;
    build::add(module)?;
    signature::add(module)?;
    records::add(module)?;
    stream::add(module)?;
    outline::add(module)?;
    text::add(module)?;
    attribute::add(module)?;
    extensions::add(module)?;
    verify::add(module)?;
    trust::add(module)?;
    objects::add(module)?;
    webpki::add(module)
}
