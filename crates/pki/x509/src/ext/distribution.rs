//! CRL distribution points and the scope of CRLs (RFC 5280 §4.2.1.13, §4.2.1.15, §5.2.5).

use tagwise_codec::{Fault, FaultKind, Reader, Rule};
use tagwise_derive::Asn1;

pub use crate::r#gen::extensions::{
    CrlDistributionPoints, DistributionPoint, DistributionPointName, IssuingDistributionPoint, ReasonFlags,
};

use crate::ext::bits;

impl<'a> CrlDistributionPoints<'a> {
    /// Iterates over the full names of all distribution points, up to the first one that does not decode.
    pub fn full_names(&self) -> impl Iterator<Item = crate::ext::GeneralName<'a>> + use<'a> {
        self.0.iter().map_while(Result::ok).flat_map(|point| {
            let names = match point.distribution_point {
                Some(DistributionPointName::FullName(names)) => Some(names),
                _ => None,
            };
            names.into_iter().flat_map(|names| names.iter().map_while(Result::ok))
        })
    }
}

/// ```asn1
/// FreshestCRL ::= CRLDistributionPoints
/// ```
///
/// Distribution points of delta CRLs (RFC 5280 §4.2.1.15, §5.2.6).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "FreshestCRL")]
pub struct FreshestCrl<'a>(
    /// The distribution points.
    pub CrlDistributionPoints<'a>,
);

bits::named!(ReasonFlags);

#[inline]
pub(crate) fn check_only(
    point: &IssuingDistributionPoint<'_>,
    reader: &Reader<'_, '_>,
    at: usize,
) -> Result<(), Fault> {
    let only = [point.only_contains_user_certs, point.only_contains_ca_certs, point.only_contains_attribute_certs];
    if only.iter().filter(|only| **only).count() > 1 {
        reader.deviate(&Rule::VALUE, FaultKind::Value, at)
    } else {
        Ok(())
    }
}
