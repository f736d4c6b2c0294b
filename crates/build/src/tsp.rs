//! Time stamps (RFC 3161): requests, what is stamped, and answers. The stamp itself is signed data of CMS with what
//! [`tst_info`] gives as its content.

use tagwise_codec::{Any, Decode, encode};

use super::BuildError;
use super::digest;
use super::error::demand;
use tagwise_messages::cms::ContentInfo;
use tagwise_messages::tsp::{
    PkiStatus, PkiStatusInfo, TimeStampReq, TimeStampReqVersion, TimeStampResp, TstInfo, TstInfoVersion,
};

/// A request for a time stamp.
///
/// # Errors
/// If it has no encoding, its version is not 1, or the digest has not the length that its algorithm gives it.
pub fn timestamp_request(request: &TimeStampReq<'_>) -> Result<Vec<u8>, BuildError> {
    demand(request.version == TimeStampReqVersion::V1, "the version is not 1", "RFC 3161 §2.4.1")?;
    let imprint = &request.message_imprint;
    digest::check(&imprint.hash_algorithm, &imprint.hashed_message, "RFC 3161 §2.4.1")?;
    let der = encode(request)?;
    TimeStampReq::from_der(&der)?;
    Ok(der)
}

/// Encodes the content of a time stamp, to be signed as content of the type
/// [`ID_CT_TST_INFO`](tagwise_messages::tsp::ID_CT_TST_INFO), by one signer and with its certificate named
/// ([`AttributeList::signing_certificate`](super::AttributeList::signing_certificate)).
///
/// # Errors
/// If it has no encoding, its version is not 1, its serial number has more than 160 bits, or the digest has not the length that
/// its algorithm gives it.
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

/// An answer: with the stamp, a message of CMS, or the reason why there is none.
///
/// ```
/// use tagwise_pkix::build;
/// use tagwise_pkix::tsp::{PkiStatus, PkiStatusInfo};
/// let status = PkiStatusInfo { status: PkiStatus::REJECTION, status_string: None, fail_info: None };
/// assert_eq!(build::timestamp_response(&status, None)?, [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]);
/// let granted = PkiStatusInfo { status: PkiStatus::GRANTED, ..status };
/// assert!(build::timestamp_response(&granted, None).is_err());
/// # Ok::<(), build::BuildError>(())
/// ```
///
/// # Errors
/// If there is a stamp though nothing was granted, or none though something was; if the status is none that RFC 3161 knows, or
/// what is given as the stamp is no message.
pub fn timestamp_response(status: &PkiStatusInfo<'_>, token: Option<&[u8]>) -> Result<Vec<u8>, BuildError> {
    let granted = status.status == PkiStatus::GRANTED || status.status == PkiStatus::GRANTED_WITH_MODS;
    demand(granted == token.is_some(), "a stamp comes with granted, and only with it", "RFC 3161 §2.4.2")?;
    demand(status.status.0 <= 5, "the status is none", "RFC 3161 §2.4.2")?;
    demand(!granted || status.fail_info.is_none(), "what is granted has failed", "RFC 3161 §2.4.2")?;
    if let Some(token) = token {
        Any::from_der(token)?;
    }
    let time_stamp_token = token.map(ContentInfo::from_der).transpose()?;
    let der = encode(&TimeStampResp { status: *status, time_stamp_token })?;
    TimeStampResp::from_der(&der)?;
    Ok(der)
}
