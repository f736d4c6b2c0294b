//! Verifies countersignatures (RFC 5652 §11.4), which Authenticode used as time stamps before RFC 3161.

use core::time::Duration;

use tagwise_codec::Oid;
use tagwise_pkix::cms::{ID_COUNTERSIGNATURE, SignerInfo};
use tagwise_pkix::ext::ExtKeyUsage;
use tagwise_pkix::{Certificate, UnixTime};

use super::digests::Digests;
use super::identify::{is_signer, read_with};
use super::standing::{Objection, TimeSource, now, objections};
use super::{CmsError, VerifyOptions, part, signer_info};
use crate::{Backend, Digest};

/// A countersignature that verifies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Countersignature {
    /// The time claimed by the countersigner (signingTime), if any. It is evidence only if the countersigner is trusted to
    /// attest times.
    pub time: Option<UnixTime>,
    /// The countersigner's certificate in DER. Trust in it has not been checked.
    pub certificate: Vec<u8>,
    /// The time at which the certificate was checked: [`VerifyOptions::at`] if given, otherwise [`time`](Self::time), or the
    /// current time without either.
    pub at: UnixTime,
    /// The source of that time.
    pub at_from: TimeSource,
    /// The objections to the certificate, including its purpose: unlike that of a signer, its extended key usage must be
    /// present if [`VerifyOptions::purpose`] is given.
    pub objections: Vec<Objection>,
}

/// The maximum number of countersignatures per signer.
const MAX: usize = 16;

/// Verifies the countersignatures of a signer: the unsigned attribute countersignature of a SignerInfo in DER, as in
/// [`VerifiedSigner::info`](super::VerifiedSigner::info). Each signs the value of the signature, so that a trusted
/// authority's countersignature proves that the signature existed at its time.
///
/// The countersigners' certificates are looked up in [`VerifyOptions::certificates`], which must therefore include those of
/// the message.
///
/// # Errors
/// Returns an error if the attributes are malformed, or there are more than 16 countersignatures. Each countersignature has
/// its own result.
pub fn countersignatures(
    backend: &dyn Backend,
    signer_info: &[u8],
    options: &VerifyOptions<'_>,
) -> Result<Vec<Result<Countersignature, CmsError>>, CmsError> {
    let malformed = CmsError::malformed("the unsigned attributes");
    let info: SignerInfo<'_> = part(signer_info).map_err(CmsError::malformed("a signer"))?;
    let mut found = Vec::new();
    for attribute in info.unsigned_attrs.iter().flat_map(|attributes| attributes.0.iter()) {
        let attribute = attribute.map_err(malformed)?;
        if attribute.attr_type != ID_COUNTERSIGNATURE {
            continue;
        }
        for value in attribute.attr_values.iter() {
            if found.len() == MAX {
                return Err(CmsError::Limit { what: "countersignatures" });
            }
            found.push(one(backend, value.map_err(malformed)?.as_bytes(), &info.signature, options));
        }
    }
    Ok(found)
}

fn one(
    backend: &dyn Backend,
    value: &[u8],
    signature: &[u8],
    options: &VerifyOptions<'_>,
) -> Result<Countersignature, CmsError> {
    let info: SignerInfo<'_> = part(value).map_err(CmsError::malformed("a countersignature"))?;
    // An unsupported digest is reported by the check.
    let digest = Digest::from_identifier(&info.digest_algorithm).ok().filter(|digest| backend.hasher(*digest).is_ok());
    let mut content = Digests::new(backend, digest, usize::MAX)?;
    content.update(signature);
    let checked = signer_info::check(backend, &info, None, &content.finish()?, options)?;
    let mut failed = CmsError::NoCertificate;
    let mut left = options.max_signatures;
    for der in options.certificates {
        let Ok(certificate) = read_with(der, options.tolerate) else { continue };
        if !is_signer(&info.sid, &certificate) {
            continue;
        }
        left = left.checked_sub(1).ok_or(CmsError::Limit { what: "signatures" })?;
        match checked.verify(backend, &info, der, &certificate) {
            Err(error) => failed = error,
            Ok(()) => {
                let time = checked.signing_time;
                let (at, at_from) = match (options.at, time) {
                    (Some(at), _) => (at, TimeSource::Given),
                    (None, Some(time)) => (time, TimeSource::GenTime),
                    (None, None) => (now(), TimeSource::Clock),
                };
                let mut objections = objections(&certificate, at, options.purpose);
                if options.purpose.is_some_and(|purpose| !lists(&certificate, purpose))
                    && !objections.contains(&Objection::Purpose)
                {
                    objections.push(Objection::Purpose);
                }
                let latest = options.at.unwrap_or_else(now);
                objections.extend(time.and_then(|time| Objection::future(time, Duration::ZERO, latest)));
                return Ok(Countersignature { time, certificate: der.to_vec(), at, at_from, objections });
            }
        }
    }
    Err(failed)
}

/// Returns whether a certificate's extended key usage lists a purpose.
fn lists(certificate: &Certificate<'_>, purpose: Oid<'_>) -> bool {
    let extensions = certificate.tbs_certificate.extensions;
    extensions.is_some_and(|list| {
        list.get::<ExtKeyUsage<'_>>().is_ok_and(|usage| usage.is_some_and(|usage| usage.contains(purpose)))
    })
}
