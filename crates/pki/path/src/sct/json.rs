//! Log lists in the JSON format of Chrome's `log_list.json`, version 3.

use core::fmt;

use jiff::Timestamp;
use serde_json::Value;
use tagwise_codec::text::base64;
use tagwise_pkix::UnixTime;

use super::logs::{Log, LogList, LogState};

/// The reason why a log list is unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogListError(String);

impl fmt::Display for LogListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "log list: {}", self.0)
    }
}

impl std::error::Error for LogListError {}

impl LogList {
    /// Parses a list in Chrome's format (<https://www.gstatic.com/ct/log_list/v3/log_list.json>): operators with their
    /// logs, each with key, identifier, state and temporal interval. Logs without a state are pending, so their timestamps do not count.
    ///
    /// ```
    /// use tagwise_path::LogList;
    /// assert!(LogList::from_json(br#"{"operators": []}"#)?.is_empty());
    /// let error = LogList::from_json(b"{}").unwrap_err();
    /// assert_eq!(error.to_string(), "log list: operators: expected an array");
    /// # Ok::<(), tagwise_path::LogListError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if it is not JSON, a member is missing, or a log's identifier is not the SHA-256 hash of its key.
    pub fn from_json(json: &[u8]) -> Result<Self, LogListError> {
        let list: Value = serde_json::from_slice(json).map_err(|error| LogListError(error.to_string()))?;
        let mut logs = Self::default();
        for (index, operator) in array(&list, "operators", "operators")?.iter().enumerate() {
            let place = format!("operators[{index}]");
            let name = string(operator, "name", &place)?;
            // Logs of RFC 6962, and those with tiles, whose timestamps are the same.
            for kind in ["logs", "tiled_logs"] {
                if kind == "tiled_logs" && operator.get(kind).is_none() {
                    continue;
                }
                let place = format!("{place}.{kind}");
                for (index, log) in array(operator, kind, &place)?.iter().enumerate() {
                    logs.add(read(log, name, &format!("{place}[{index}]"))?);
                }
            }
        }
        Ok(logs)
    }
}

fn read(log: &Value, operator: &str, place: &str) -> Result<Log, LogListError> {
    let octets = |member: &str| {
        let text = string(log, member, place)?;
        base64::decode(text.as_bytes())
            .map_err(|error| LogListError(format!("{place}.{member}: expected base64: {error}")))
    };
    let description = log.get("description").and_then(Value::as_str).unwrap_or_default();
    let made = Log::new(&octets("key")?, operator, description);
    let mut made = made.map_err(|error| LogListError(format!("{place}.key: {error}")))?;
    if octets("log_id")? != made.id {
        return Err(LogListError(format!("{place}.log_id: not the SHA-256 of the key (RFC 6962 §3.2)")));
    }
    made.state = state(log, place)?;
    if let Some(interval) = log.get("temporal_interval") {
        let at = format!("{place}.temporal_interval");
        made.interval = Some((time(interval, "start_inclusive", &at)?, time(interval, "end_exclusive", &at)?));
    }
    Ok(made)
}

/// Parses a log's state, such as `"state": {"usable": {"timestamp": "2022-11-01T18:54:00Z"}}`.
fn state(log: &Value, place: &str) -> Result<LogState, LogListError> {
    let Some(state) = log.get("state") else { return Ok(LogState::Pending) };
    let error = || LogListError(format!("{place}.state: expected an object with one state"));
    let states = state.as_object().ok_or_else(error)?;
    let mut states = states.iter();
    let (Some((name, about)), None) = (states.next(), states.next()) else { return Err(error()) };
    match name.as_str() {
        "pending" => Ok(LogState::Pending),
        "qualified" => Ok(LogState::Qualified),
        "usable" => Ok(LogState::Usable),
        "readonly" => Ok(LogState::ReadOnly),
        "retired" => Ok(LogState::Retired(time(about, "timestamp", &format!("{place}.state.retired"))?)),
        "rejected" => Ok(LogState::Rejected),
        other => Err(LogListError(format!("{place}.state: {} is not a log state", tagwise_pkix::name::visible(other)))),
    }
}

fn array<'v>(value: &'v Value, member: &str, place: &str) -> Result<&'v Vec<Value>, LogListError> {
    let found = value.get(member).and_then(Value::as_array);
    found.ok_or_else(|| LogListError(format!("{place}: expected an array")))
}

fn string<'v>(value: &'v Value, member: &str, place: &str) -> Result<&'v str, LogListError> {
    let found = value.get(member).and_then(Value::as_str);
    found.ok_or_else(|| LogListError(format!("{place}.{member}: expected a string")))
}

/// Parses an RFC 3339 time, such as `2022-11-01T18:54:00Z`. Fractional seconds are dropped.
fn time(value: &Value, member: &str, place: &str) -> Result<UnixTime, LogListError> {
    let time: Result<Timestamp, _> = string(value, member, place)?.parse();
    match time {
        Ok(time) => Ok(UnixTime(time.as_second())),
        Err(_no_time) => Err(LogListError(format!("{place}.{member}: expected a time such as 2026-01-01T00:00:00Z"))),
    }
}
