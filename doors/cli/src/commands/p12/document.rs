//! The JSON document of a PKCS #12 file or a Java keystore (schema tagwise.p12/2).

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) schema: &'static str,
    pub(super) file: String,
    /// The format, for text output. JSON contains it in `format` if it is not PKCS #12.
    #[serde(skip_serializing_if = "is_pkcs12")]
    pub(super) format: &'static str,
    pub(super) integrity: &'static str,
    pub(super) integrity_checked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mac: Option<Mac>,
    pub(super) items: Vec<BagRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unreadable: Vec<String>,
}

pub(super) const PKCS12: &str = "PKCS #12";

pub(super) fn is_pkcs12(format: &str) -> bool {
    format == PKCS12
}

#[derive(Serialize)]
pub(super) struct Mac {
    pub(super) algorithm: String,
    pub(super) iterations: u64,
}

#[derive(Serialize)]
pub(super) struct BagRow {
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) friendly_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) local_key_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) what: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sha256: Option<String>,
    pub(super) length: usize,
}
