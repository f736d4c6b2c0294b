//! Reading of evidence about one certificate.

use super::{Query, Services, Status};
use crate::budget::Limit;

/// Returns the revocation status of a certificate by the evidence.
pub(crate) fn check(query: &Query<'_>, services: &mut dyn Services) -> Result<Status, Limit> {
    let _ = (query, services);
    Ok(Status::Unknown { why: "CRLs and OCSP responses are not read yet".to_owned() })
}
