//! Columns of certification requests.

use super::common::*;
use crate::column::Column;

pub(crate) static REQUEST: &[Column] = &[
    SUBJECT,
    SUBJECT_CN,
    SUBJECT_ATTRIBUTES,
    SUBJECT_DER,
    KEY_TYPE,
    KEY_BITS,
    KEY_CURVE,
    SPKI,
    SPKI_SHA256,
    SIGNATURE_ALGORITHM,
    SAN_DNS,
    SAN_IP,
    SAN_EMAIL,
    SAN_URI,
    SAN_OTHER,
    KEY_USAGE,
    EXTENDED_KEY_USAGE,
    POLICIES,
    PATH_LENGTH,
    EXTENSIONS,
    SHA256,
    SHA1,
    SIZE,
    DER,
];
