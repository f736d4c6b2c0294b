//! `tagwise mtc show`.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_codec::{Options, RuleSet};
use tagwise_input::Wrapped;
use tagwise_mtc::landmark::LandmarkDocument;
use tagwise_mtc::note::{Checkpoint, Note};
use tagwise_mtc::show;
use tagwise_mtc::{CaCertificate, CertificateProperties, MtcCertificate, PROPERTIES_LABEL, is_mtc};
use tagwise_pkix::name::visible;
use tagwise_pkix::{Certificate, UnixTime};
use tagwise_show::render::text::Text;
use tagwise_show::tree::{Line, Record, Value};

use super::common::{document, refused};
use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise mtc show server.pem            its log, index, subtree, proof and cosignatures
  tagwise mtc show ca.pem checkpoint landmarks
  tagwise mtc show --json server.pem | jq '.items[].value.index'

Nothing is verified. `tagwise show` shows the same certificates with all of their other fields.
Exit codes: 0 shown; 1 something is malformed or of another kind; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Files with certificates, CA certificates, property lists, checkpoints or landmarks; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check landmarks at this time instead of now
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
    /// Show signatures in full
    #[arg(long)]
    full: bool,
    /// Print JSON (schema tagwise.mtc/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    items: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    file: String,
    kind: &'static str,
    value: Value<'a>,
}

/// An owned object from a file.
enum MtcObject {
    Certificate(Vec<u8>),
    Authority(Vec<u8>),
    Properties(CertificateProperties),
    Checkpoint(Checkpoint, Note),
    Landmarks(LandmarkDocument),
}

impl MtcObject {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Certificate(_) => "certificate",
            Self::Authority(_) => "ca-certificate",
            Self::Properties(_) => "properties",
            Self::Checkpoint(..) => "checkpoint",
            Self::Landmarks(_) => "landmarks",
        }
    }

    fn value(&self, now: UnixTime) -> Option<Value<'_>> {
        Some(match self {
            Self::Certificate(der) => {
                let read = Options::der().rules(RuleSet::ALL).outline::<Certificate<'_>>(der).ok()?;
                show::proof(&read.value)?
            }
            Self::Authority(der) => show::authority(&CaCertificate::from_der(der).ok()?),
            Self::Properties(properties) => show::properties(properties),
            Self::Checkpoint(checkpoint, note) => show::checkpoint(checkpoint, note),
            Self::Landmarks(list) => show::landmarks(list, now),
        })
    }
}

impl ShowArgs {
    pub(super) fn show(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let now = self.at.unwrap_or_else(now);
        let (mut all, mut code) = (Vec::new(), 0);
        for file in &self.files {
            match items(context, file, now) {
                Ok(found) => all.extend(found.into_iter().map(|item| (name_of(file), item))),
                Err(Failure::Said(worse, message)) => {
                    writeln!(err, "tagwise: {}", visible(&message))?;
                    code = code.max(worse);
                }
                Err(other) => return Err(other),
            }
        }
        if self.json {
            let mut items = Vec::new();
            for (file, item) in &all {
                items.push(Row {
                    file: file.clone(),
                    kind: item.kind(),
                    value: item.value(now).unwrap_or(Value::Null),
                });
            }
            document("show", &Document { items }, out)?;
            return Ok(code);
        }
        let mut text = Text::new(out, context.color, self.full);
        for (number, (file, item)) in all.iter().enumerate() {
            text.heading(&Line::plain(file), number == 0)?;
            text.block(&item.value(now).unwrap_or_else(|| Record::default().into()), 2)?;
        }
        text.flush()?;
        Ok(code)
    }
}

/// Reads the objects in a file, of which there is at least one.
fn items(context: &Context, path: &Path, now: UnixTime) -> Result<Vec<MtcObject>, Failure> {
    let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
    let fail = |why: &dyn std::fmt::Display| refused(&format!("{}: {why}", name_of(path)));
    if let Ok(text) = std::str::from_utf8(&octets) {
        if let Ok(note) = Note::parse(text)
            && let Ok(checkpoint) = Checkpoint::parse(note.text())
        {
            return Ok(vec![MtcObject::Checkpoint(checkpoint, note)]);
        }
        if text.starts_with(|first: char| first.is_ascii_digit())
            && let Ok(list) = LandmarkDocument::parse(text, u64::try_from(now.0).unwrap_or_default())
        {
            return Ok(vec![MtcObject::Landmarks(list)]);
        }
    }
    let source = Wrapped::open(octets, None).map_err(|error| fail(&error))?;
    let mut found = Vec::new();
    for value in source.values {
        let label = value.block.as_ref().map(|(label, _)| label.as_str());
        if let Some(problem) = value.problem.as_ref().filter(|_| label != Some(PROPERTIES_LABEL)) {
            return Err(fail(&problem));
        }
        if label == Some(PROPERTIES_LABEL) {
            found.push(MtcObject::Properties(
                CertificateProperties::decode(&value.octets).map_err(|error| fail(&error))?,
            ));
        } else if is_mtc(&value.octets) {
            MtcCertificate::from_der(&value.octets).map_err(|error| fail(&error))?;
            found.push(MtcObject::Certificate(value.octets));
        } else if CaCertificate::from_der(&value.octets).is_ok() {
            found.push(MtcObject::Authority(value.octets));
        }
    }
    match found.is_empty() {
        true => Err(fail(&"expected a Merkle Tree Certificate, a CA certificate, a checkpoint or landmarks")),
        false => Ok(found),
    }
}
