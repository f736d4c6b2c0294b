//! Common parts of commands that issue certificates: validity periods, reading a file's only value, and times in JSON.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tagwise_codec::pem;
use tagwise_input::{Wrapped, content};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files::FileKind;
use tagwise_pkix::pem::untrusted;
use tagwise_pkix::{UnixTime, Validity};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// A validity period.
#[derive(Debug, clap::Args)]
pub(crate) struct ValidityArgs {
    /// Validity in days
    #[arg(long, value_name = "N", conflicts_with = "until", value_parser = clap::value_parser!(u32).range(1..=36500))]
    pub(crate) days: Option<u32>,
    /// End of validity, such as 2030-01-01 or 2030-01-01T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = crate::shared::moment::moment)]
    pub(crate) until: Option<UnixTime>,
}

pub(crate) const DAY: Duration = Duration::from_secs(86_400);

impl ValidityArgs {
    /// Returns the requested end of a validity period. Both ends are inclusive (RFC 5280 §4.1.2.5).
    pub(crate) fn end(&self, start: UnixTime) -> Option<UnixTime> {
        self.until.or_else(|| self.days.map(|days| Validity::end(start, DAY * days)))
    }

    /// Returns the requested end of a validity period, or its end after the default number of days.
    pub(crate) fn end_or(&self, start: UnixTime, days: u32) -> UnixTime {
        self.end(start).unwrap_or(Validity::end(start, DAY * days))
    }
}

/// Encodes a PEM block.
///
/// # Errors
/// No error is expected.
pub(crate) fn armoured(label: &str, der: &[u8]) -> Result<String, Failure> {
    pem::encode(label, der).map_err(|error| Failure::negative(error.to_string()))
}

/// The encoding of a result.
#[derive(Debug, clap::Args)]
pub(crate) struct Encoding {
    /// Write DER instead of PEM
    #[arg(long)]
    der: bool,
}

impl Encoding {
    /// Encodes values as PEM or DER.
    ///
    /// # Errors
    /// No error is expected.
    pub(crate) fn octets(&self, label: &str, parts: &[&[u8]]) -> Result<Vec<u8>, Failure> {
        if self.der {
            return Ok(parts.concat());
        }
        Ok(parts.iter().map(|der| armoured(label, der)).collect::<Result<String, _>>()?.into_bytes())
    }
}

/// Returns the only value of a kind in a file: the PEM block with one of its labels, or a value that is not in PEM.
///
/// # Errors
/// Returns an error if the file cannot be read, contains no such value, or contains several.
pub(crate) fn value(context: &Context, path: &Path, kind: &FileKind) -> Result<Vec<u8>, Failure> {
    one_of(context, path, &[kind]).map(|(_, octets)| octets)
}

/// Returns the only value of one of these kinds in a file, and the index of its kind. For a value that is not in PEM, the kind is the
/// first one as which it decodes, or else the first in the list.
///
/// # Errors
/// Returns an error if the file cannot be read, or does not contain exactly one value.
pub(crate) fn one_of(context: &Context, path: &Path, kinds: &[&FileKind]) -> Result<(usize, Vec<u8>), Failure> {
    let mut found = all_of(context, path, kinds)?;
    let negative = |text: &str| Failure::negative(format!("{}: {text}", name_of(path)));
    let what = kinds.iter().map(|kind| kind.words).collect::<Vec<_>>().join(" or ");
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(negative(&format!("no {what} found"))),
        _ => Err(negative(&format!("more than one {what} found"))),
    }
}

/// Returns all values of these kinds in a file, with the indices of their kinds.
///
/// # Errors
/// Returns an error if the file cannot be read, or one of its values is malformed.
pub(crate) fn all_of(context: &Context, path: &Path, kinds: &[&FileKind]) -> Result<Vec<(usize, Vec<u8>)>, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let negative = |text: &str| Failure::negative(format!("{}: {}", name_of(path), visible(&text)));
    let source = Wrapped::open(octets, None).map_err(|error| negative(&error))?;
    let mut found = Vec::new();
    for mut value in source.values {
        let kind = match &value.block {
            Some((label, _)) => kinds.iter().position(|kind| kind.labels.contains(&label.as_str())),
            None if kinds.len() < 2 => Some(0),
            None => {
                let name = content(&value.octets).name();
                Some(kinds.iter().position(|kind| kind.name == name).unwrap_or(0))
            }
        };
        if let Some((label, _)) = &value.block {
            untrusted(label, &mut value.octets);
        }
        context.allowed.alone(&mut value.octets).map_err(|message| negative(&message))?;
        match (value.problem, kind) {
            (Some(problem), _) => return Err(negative(&problem)),
            (None, Some(kind)) => found.push((kind, value.octets)),
            (None, None) => {}
        }
    }
    Ok(found)
}

/// A time in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Moment {
    iso: String,
    unix: i64,
}

impl Moment {
    pub(crate) fn of(moment: UnixTime) -> Self {
        Self { iso: moment.to_string(), unix: moment.0 }
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.iso)
    }
}
