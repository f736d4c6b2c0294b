//! Timestamps (RFC 3161): requests, token contents, and responses. The timestamp token itself is CMS signed data with the
//! result of [`tst_info`] as its content.

use tagwise_codec::{Any, Decode, encode};

use super::BuildError;
use super::digest;
use super::error::demand;
use tagwise_messages::cms::ContentInfo;
use tagwise_messages::tsp::{
    PkiStatus, PkiStatusInfo, TimeStampReq, TimeStampReqVersion, TimeStampResp, TstInfo, TstInfoVersion,
};

/// Builds a timestamp request.
///
/// # Errors
/// Returns an error if the request cannot be encoded, its version is not 1, or the digest does not have its algorithm's
/// length.
pub fn timestamp_request(request: &TimeStampReq<'_>) -> Result<Vec<u8>, BuildError> {
    demand(request.version == TimeStampReqVersion::V1, "the version is not 1", "RFC 3161 §2.4.1")?;
    let imprint = &request.message_imprint;
    digest::check(&imprint.hash_algorithm, &imprint.hashed_message, "RFC 3161 §2.4.1")?;
    let der = encode(request)?;
    TimeStampReq::from_der(&der)?;
    Ok(der)
}

/// Encodes the content of a timestamp token (TSTInfo). Sign it as content of type
/// [`ID_CT_TST_INFO`](tagwise_messages::tsp::ID_CT_TST_INFO), with a single signer and a reference to its certificate
/// ([`AttributeList::signing_certificate`](super::AttributeList::signing_certificate)).
///
/// # Errors
/// Returns an error if the content cannot be encoded, or its version is not 1. Also fails if its serial number is longer
/// than 160 bits, or the digest does not have its algorithm's length.
pub fn tst_info(info: &TstInfo<'_>) -> Result<Vec<u8>, BuildError> {
    demand(info.version == TstInfoVersion::V1, "the version is not 1", "RFC 3161 §2.4.2")?;
    let serial = info.serial_number.magnitude().len();
    demand(serial <= 20 && !info.serial_number.is_negative(), "the serial number is too long", "RFC 3161 §2.4.2")?;
    demand(!info.gen_time.is_local(), "the time is not UTC", "RFC 3161 §2.4.2")?;
    digest::check(&info.message_imprint.hash_algorithm, &info.message_imprint.hashed_message, "RFC 3161 §2.4.2")?;
    let der = encode(info)?;
    TstInfo::from_der(&der)?;
    Ok(der)
}

/// Builds a response, which contains either the timestamp token (a CMS message) or the reason for a rejection.
///
/// ```
/// use tagwise_build as build;
/// use tagwise_messages::tsp::{PkiStatus, PkiStatusInfo};
/// let status = PkiStatusInfo { status: PkiStatus::REJECTION, status_string: None, fail_info: None };
/// assert_eq!(build::timestamp_response(&status, None)?, [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]);
/// let granted = PkiStatusInfo { status: PkiStatus::GRANTED, ..status };
/// assert!(build::timestamp_response(&granted, None).is_err());
/// # Ok::<(), build::BuildError>(())
/// ```
///
/// # Errors
/// Returns an error if there is a token without a granting status, or a granting status without a token. Also fails if the
/// status is not defined in RFC 3161, or the token is not a CMS message.
pub fn timestamp_response(status: &PkiStatusInfo<'_>, token: Option<&[u8]>) -> Result<Vec<u8>, BuildError> {
    let granted = status.status == PkiStatus::GRANTED || status.status == PkiStatus::GRANTED_WITH_MODS;
    demand(
        granted == token.is_some(),
        "a time-stamp token must be present if and only if the status is granted",
        "RFC 3161 §2.4.2",
    )?;
    demand(status.status.0 <= 5, "unknown status", "RFC 3161 §2.4.2")?;
    demand(
        !granted || status.fail_info.is_none(),
        "a granted response must not have failure information",
        "RFC 3161 §2.4.2",
    )?;
    if let Some(token) = token {
        Any::from_der(token)?;
    }
    let time_stamp_token = token.map(ContentInfo::from_der).transpose()?;
    let der = encode(&TimeStampResp { status: *status, time_stamp_token })?;
    TimeStampResp::from_der(&der)?;
    Ok(der)
}
