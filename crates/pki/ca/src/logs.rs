//! The logs of Certificate Transparency that a profile names.

use std::collections::HashSet;

use tagwise_ct::Log;

/// A log to which precertificates are submitted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CtLog {
    /// The submission URL, below which `ct/v1/add-pre-chain` is.
    pub url: String,
    /// The log's public key, as a SubjectPublicKeyInfo in DER.
    pub key: Vec<u8>,
    /// The log's operator, if known.
    pub operator: Option<String>,
}

/// The requirements of a profile on Certificate Transparency (RFC 6962).
///
/// ```
/// use tagwise_ca::Transparency;
/// let none = Transparency { logs: vec![], timestamps: 1, operators: 1, chain: vec![] };
/// assert!(none.check().unwrap_err().contains("no logs"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transparency {
    /// The logs, in the order in which they are asked. Later ones replace logs that fail.
    pub logs: Vec<CtLog>,
    /// The number of logs whose timestamps a certificate contains.
    pub timestamps: usize,
    /// The minimum number of different operators of these logs.
    pub operators: usize,
    /// The certificates above the CA's in DER, up to a root that the logs accept. The root may be omitted (RFC 6962 §4.1).
    pub chain: Vec<Vec<u8>>,
}

impl Transparency {
    /// Checks that the requirements can be satisfied.
    ///
    /// # Errors
    /// Returns the contradiction.
    pub fn check(&self) -> Result<(), String> {
        let many = self.logs.len();
        if many == 0 {
            return Err("no logs for Certificate Transparency".to_owned());
        }
        if !(1..=many).contains(&self.timestamps) {
            return Err(format!("{} timestamps from {many} logs, expected 1 to {many}", self.timestamps));
        }
        let operators: HashSet<&str> = self.logs.iter().filter_map(|log| log.operator.as_deref()).collect();
        if self.operators > 1 && (self.operators > operators.len() || self.operators > self.timestamps) {
            let (asked, known) = (self.operators, operators.len().min(self.timestamps));
            return Err(format!("timestamps from {asked} operators, expected at most {known}"));
        }
        let mut keys = HashSet::new();
        for log in &self.logs {
            log.known().map_err(|error| format!("the key of the log {}: {error}", log.url))?;
            if !keys.insert(&log.key) {
                return Err(format!("duplicate key of the log {}", log.url));
            }
        }
        Ok(())
    }
}

impl CtLog {
    /// Returns the log with its identifier.
    pub(crate) fn known(&self) -> Result<Log, tagwise_codec::Error> {
        Log::new(&self.key, self.operator.as_deref().unwrap_or_default(), self.url.as_str())
    }
}
