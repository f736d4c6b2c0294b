//! The part of a profile about Certificate Transparency.

use serde::Deserialize;
use tagwise_ca::{CtLog, Transparency};
use tagwise_pkix::CertificateBuf;
use tagwise_pkix::name::visible;

use crate::shared::ct::log_key;

/// The requirements on Certificate Transparency: `false`, or a table.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Logging {
    Switch(bool),
    Table(LoggingTable),
}

impl Default for Logging {
    fn default() -> Self {
        Self::Switch(false)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct LoggingTable {
    logs: Vec<LogEntry>,
    #[serde(default = "one")]
    timestamps: usize,
    #[serde(default = "one")]
    operators: usize,
    /// The certificates above the CA's, in PEM.
    #[serde(default)]
    chain: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogEntry {
    url: String,
    key: String,
    operator: Option<String>,
}

const fn one() -> usize {
    1
}

impl Logging {
    pub(super) fn transparency(&self) -> Result<Option<Transparency>, String> {
        let table = match self {
            Self::Switch(false) => return Ok(None),
            Self::Switch(true) => {
                return Err(
                    "certificate-transparency: true is not supported, expected false or a table with logs".to_owned()
                );
            }
            Self::Table(table) => table,
        };
        let said = |error: String| format!("certificate-transparency: {error}");
        let log = |entry: &LogEntry| {
            let scheme = entry.url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
            if !matches!(scheme.as_deref(), Some("http" | "https")) {
                return Err(said(format!("`{}` is not an http or https URL", visible(&entry.url))));
            }
            let key =
                log_key(entry.key.as_bytes()).map_err(|error| said(format!("{}: {error}", visible(&entry.url))))?;
            Ok(CtLog { url: entry.url.clone(), key, operator: entry.operator.clone() })
        };
        let chain = match table.chain.trim() {
            "" => Vec::new(),
            text => CertificateBuf::from_pem_many(text).map_err(|error| said(format!("chain: {error}")))?,
        };
        Ok(Some(Transparency {
            logs: table.logs.iter().map(log).collect::<Result<_, _>>()?,
            timestamps: table.timestamps,
            operators: table.operators,
            chain: chain.iter().map(CertificateBuf::to_der).collect(),
        }))
    }
}
