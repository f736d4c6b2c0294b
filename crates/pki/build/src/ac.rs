//! Attribute certificates (RFC 5755).

use tagwise_codec::Decode;

use super::error::demand;
use super::ocsp::check_time;
use super::{BuildError, Unsigned};
use tagwise_messages::ac::{AttCertIssuer, AttCertVersion, AttributeCertificate, AttributeCertificateInfo, V2Form};
use tagwise_x509::ext::GeneralName;

/// Builds an unsigned attribute certificate.
///
/// # Errors
/// Returns an error if the certificate cannot be encoded, the holder is not identified, or the issuer is not a single
/// distinguished name in `v2Form`. Also fails if the period ends before it begins, a time has fractional seconds, or
/// attributes are missing or duplicated (RFC 5755).
pub fn attribute_certificate(info: &AttributeCertificateInfo<'_>) -> Result<Unsigned, BuildError> {
    demand(info.version == AttCertVersion::V2, "the version is not v2", "RFC 5755 §4.2.1")?;
    let holder = &info.holder;
    let named =
        holder.base_certificate_id.is_some() || holder.entity_name.is_some() || holder.object_digest_info.is_some();
    demand(named, "the holder is missing", "RFC 5755 §4.2.2")?;
    let AttCertIssuer::V2Form(issuer) = &info.issuer else {
        return Err(BuildError::Invalid { what: "the issuer is not in v2Form", clause: "RFC 5755 §4.2.3" });
    };
    check_issuer(issuer)?;
    let period = &info.attr_cert_validity_period;
    check_time(&period.not_before_time)?;
    check_time(&period.not_after_time)?;
    let ordered = period.not_before_time.unix() <= period.not_after_time.unix();
    demand(ordered, "the validity period is reversed", "RFC 5755 §4.2.6")?;
    demand(!info.attributes.is_empty(), "the certificate has no attributes", "RFC 5755 §4.2.7")?;
    let mut seen = Vec::new();
    for attribute in info.attributes.iter() {
        seen.push(attribute?.attr_type);
    }
    seen.sort_unstable();
    if let Some([one, _]) = seen.windows(2).find(|pair| matches!(pair, [one, other] if one == other)) {
        return Err(BuildError::TwiceAttribute(one.to_string()));
    }
    let unsigned = Unsigned::new(info, &info.signature)?;
    AttributeCertificate::from_der(&unsigned.attach(&[])?)?;
    Ok(unsigned)
}

/// Checks that the issuer is a single, non-empty distinguished name (RFC 5755 §4.2.3).
fn check_issuer(issuer: &V2Form<'_>) -> Result<(), BuildError> {
    let alone = issuer.base_certificate_id.is_none() && issuer.object_digest_info.is_none();
    let names = issuer.issuer_name.map(|names| names.0.iter().collect::<Result<Vec<_>, _>>()).transpose()?;
    let one = matches!(names.as_deref(), Some([GeneralName::DirectoryName(name)]) if !name.is_empty());
    demand(alone && one, "the issuer must be a single distinguished name", "RFC 5755 §4.2.3")
}
