//! The tables of columns, by kind.

mod certificate;
mod cms;
mod common;
mod crl;
mod ocsp;
mod request;

pub(crate) use certificate::CERTIFICATE;
pub(crate) use cms::CMS;
pub(crate) use crl::CRL;
pub(crate) use ocsp::OCSP;
pub(crate) use request::REQUEST;
