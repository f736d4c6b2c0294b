//! The part of a profile about Certificate Transparency.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use tagwise_ca::{CtLog, Transparency};
use tagwise_pkix::CertificateBuf;
use tagwise_pkix::name::visible;

use crate::shared::ct::log_key;

/// The requirements on Certificate Transparency: `false`, or a table.
pub(super) enum Logging {
    Switch(bool),
    Table(LoggingTable),
}

// By hand, because an untagged enum hides the reason why the table is wrong.
impl<'de> Deserialize<'de> for Logging {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Logging;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("false or a table with logs")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Logging, E> {
                Ok(Logging::Switch(value))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Logging, A::Error> {
                LoggingTable::deserialize(MapAccessDeserializer::new(map)).map(Logging::Table)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl Default for Logging {
    fn default() -> Self {
        Self::Switch(false)
    }
}

#[derive(serde::Deserialize)]
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

#[derive(serde::Deserialize)]
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
