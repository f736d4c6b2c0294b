//! The Online Certificate Status Protocol (RFC 6960): types generated from the schemas, and the identifiers of its
//! extensions.

use tagwise_codec::Oid;
use tagwise_x509::ext::KnownExtension;

pub use crate::r#gen::ocsp::*;

impl KnownExtension for Nonce<'_> {
    const ID: Oid<'static> = ID_PKIX_OCSP_NONCE;
}

impl KnownExtension for CrlId<'_> {
    const ID: Oid<'static> = ID_PKIX_OCSP_CRL;
}

impl KnownExtension for ServiceLocator<'_> {
    const ID: Oid<'static> = ID_PKIX_OCSP_SERVICE_LOCATOR;
}
