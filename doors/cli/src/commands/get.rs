//! `tagwise get`: finds the values at a path.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::Serialize;
use serde_json::value::RawValue;
use tagwise_codec::text::hex;
use tagwise_codec::value::{Dynamic, Found, PathError, Print, Types, Value};
use tagwise_codec::{Options, RuleSet};
use tagwise_input::{ValueKind, content, secret};
use tagwise_pkix::name::visible;
use tagwise_show::named::{self, Named, NamedField};
use tagwise_show::render::json;
use tagwise_show::{fields, oid_name};

use crate::shared::context::Context;
use crate::shared::output::{Failure, deliver, finish, name_of};
use crate::shared::parts::{Part, der_of, opened, parts, type_of};
use crate::shared::refused::Refused;
use crate::shared::remote::{self, ConnectArgs};
use crate::shared::rules;
use crate::shared::values::{BUDGET, Painted};

pub(crate) const ABOUT: &str = "\
Get parts of certificates, CRLs, requests, messages and keys by path.

A path names components as in ASN.1: tbsCertificate.validity.notAfter. Brackets select items of a list, by number from 0, or by the \
object identifier that an item contains, as a name or in dotted form. A name after a list is searched in each item. Alternatives of a \
CHOICE, strings that contain an encoding, and the value of an extension need not be named. The empty path is the whole value. \
Messages in BER are converted to DER first. Secrets are never printed. \
Archives, and values in other text, are opened as by `tagwise show`. Of a server, tls://HOST:PORT, the certificates that it sends are searched; they are not verified.

Fields also have customary names: subject, issuer, serial, notBefore, notAfter, dates, san, fingerprint, pubkey, key-type, key-size, \
keyusage, eku, sigalg and others; an unknown name lists all of them. They are printed as text, such as a name in the form of RFC 4514.

Each selected value is printed on a line, or on one line per component. All blocks of a PEM file and all concatenated values are \
searched. Values of other types are skipped with a note; malformed ones are reported, and the others are still printed. Offsets count \
from the start of each value.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise get notAfter cert.pem
  tagwise get san cert.pem
  tagwise get notAfter *.pem                   of several files, with their names
  tagwise get fingerprint cert.pem
  tagwise get --first notAfter tls://www.example.org:443    of the server's own certificate
  tagwise get tbsCertificate.serialNumber cert.pem
  tagwise get 'tbsCertificate.extensions[subjectAltName].dNSName' cert.pem
  tagwise get 'tbsCertificate.subject[commonName].value' chain.pem
  tagwise get tbsCertificate.serialNumber roots.der   of each concatenated certificate
  tagwise get 'tbsCertificate.extensions[2.5.29.19].cA' cert.pem
  tagwise get 'tbsCertList.revokedCertificates[0]' list.crl
  tagwise get certificationRequestInfo.subject request.pem
  tagwise get 'content.signerInfos.signedAttrs[signingTime]' message.p7s
  tagwise get 'content.encapContentInfo.eContent.genTime' stamp.p7   the time in a time-stamp token
  tagwise get --der tbsCertificate cert.pem | sha256sum
  tagwise get '' cert.pem                      everything
  tagwise get --json '' cert.pem               as X.697 JSON (schema tagwise.get/1)

Exit codes: 0 found; 1 absent, or something in the file is malformed; 2 usage error, or the type has no such path; 3 the file could \
not be read; 4 a limit was exceeded.";

#[derive(Debug, clap::Args)]
pub(crate) struct GetArgs {
    /// Path or customary name of the component to get: tbsCertificate.validity.notAfter, or notAfter
    #[arg(value_name = "PATH")]
    path: String,
    /// Files, or servers as tls://HOST:PORT; `-` is standard input. With several, each line begins with the file's name
    #[arg(required = true, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(remote::file_or_server))]
    files: Vec<PathBuf>,
    /// The file that is read.
    #[arg(skip)]
    file: PathBuf,
    /// Type of the file's content: Certificate, CertificateList, ContentInfo, PKIMessage …, or an extension's type
    /// [default: detected]
    #[arg(long = "type", value_name = "NAME")]
    ty: Option<String>,
    /// Use only the first value to which the path applies, such as the first certificate
    #[arg(long)]
    first: bool,
    /// Print the concatenated bytes of the values
    #[arg(long, conflicts_with_all = ["hex", "json", "offset"])]
    der: bool,
    /// Print the bytes of the values in hexadecimal, one value per line
    #[arg(long, conflicts_with = "json")]
    hex: bool,
    /// Print JSON (schema tagwise.get/1), with values as in X.697
    #[arg(long)]
    json: bool,
    /// Print the offset in front of each value
    #[arg(long, conflicts_with = "json")]
    offset: bool,
    /// Write to this file
    #[arg(short, long, value_name = "OUT", alias = "out")]
    output: Option<PathBuf>,
    /// Write binary output even to a terminal
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    connect: ConnectArgs,
}

/// The field whose text has several lines: a PEM block, in which nothing of the file is quoted.
const BLOCK: &str = "pubkey";

/// Messages that accompany the values.
#[derive(Default)]
struct Told {
    /// The values, among several, to which the path does not apply.
    passed: Vec<Failure>,
    /// The malformed values.
    bad: Vec<Failure>,
    notes: Vec<String>,
}

/// The reason why a value has no result.
enum Denied {
    /// The value is skipped: its type is unknown, or the path does not apply to it.
    Passed(Failure),
    /// The value is malformed, or contains a secret that must not be shown.
    Bad(Failure),
    /// The arguments do not match any value.
    Usage(Failure),
}

impl GetArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(mut self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let files = std::mem::take(&mut self.files);
        if let [file] = files.as_slice() {
            self.file.clone_from(file);
            self.in_file(context, out, err)
        } else {
            finish(self.in_files(context, files, out, err), err)
        }
    }

    /// Writes the values in several files, with the file names.
    fn in_files(
        &mut self,
        context: &Context,
        files: Vec<PathBuf>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.json || self.der || self.output.is_some() {
            return Err(Failure::usage("--json, --der and --output require a single file"));
        }
        let mut code = 0;
        for file in files {
            self.file = file;
            let mut text = Vec::new();
            code = code.max(self.in_file(&context.colored(false), &mut text, err)?);
            for line in String::from_utf8_lossy(&text).lines() {
                writeln!(out, "{}: {line}", name_of(&self.file))?;
            }
            out.flush()?;
        }
        Ok(code)
    }

    fn in_file(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let mut told = Told::default();
        let mut done = self.get(&context.colored(self.output.is_none()), out, &mut told);
        for note in told.notes {
            writeln!(err, "tagwise: {note}")?;
        }
        // A malformed value does not hide the others, but the command fails.
        for failure in told.bad {
            done = done.map(|code| code.max(1));
            finish(Err(failure), err)?;
        }
        // Where nothing was found, the failure says why.
        if done.is_ok() {
            for failure in told.passed {
                if let Failure::Said(_, message) = failure {
                    writeln!(err, "tagwise: skipped: {message}")?;
                }
            }
        }
        finish(done, err)
    }

    /// Writes the selected values of a file. A value that is malformed, or to which the path does not apply, does not prevent the output
    /// of the others.
    fn get(&self, context: &Context, out: &mut dyn Write, told: &mut Told) -> Result<u8, Failure> {
        let allowed = context.allowed.decoding;
        let source = opened(remote::load(context, &self.file, &self.connect)?, &self.file)?;
        let mut output = Vec::new();
        let mut json: Vec<GetValue> = Vec::new();
        let mut count = 0usize;
        let parts = parts(&source);
        let several = parts.len() > 1;
        for part in parts {
            let before = (output.len(), json.len());
            match self.values(&part, allowed, context.color, (&mut output, &mut json), told) {
                Ok(found) => {
                    count = count.saturating_add(found);
                    if self.first {
                        break;
                    }
                }
                Err(Denied::Passed(failure)) if several => told.passed.push(failure),
                Err(Denied::Bad(failure)) if several => {
                    // Nothing of a value that could not be given whole.
                    output.truncate(before.0);
                    json.truncate(before.1);
                    told.bad.push(failure);
                }
                Err(Denied::Passed(failure) | Denied::Bad(failure) | Denied::Usage(failure)) => return Err(failure),
            }
        }
        if count == 0 && !told.bad.is_empty() {
            return Ok(1);
        }
        if self.json {
            json::line(&mut output, &Document { schema: "tagwise.get/1", path: &self.path, values: json })?;
        }
        if count == 0 && !told.passed.is_empty() {
            // An unknown name is a more likely cause than a value without a type.
            let named = told.passed.iter().position(|failure| matches!(failure, Failure::Said(2, _)));
            return Err(told.passed.swap_remove(named.unwrap_or(0)));
        }
        deliver(&output, self.output.as_ref(), self.force, out)?;
        if count == 0 {
            return Err(Failure::negative(format!("{}: {} is absent", name_of(&self.file), visible(&self.path))));
        }
        Ok(0)
    }

    /// Writes the selected parts of one value in the file, and returns their number.
    fn values(
        &self,
        part: &Part<'_>,
        allowed: RuleSet,
        color: bool,
        (output, json): (&mut Vec<u8>, &mut Vec<GetValue>),
        told: &mut Told,
    ) -> Result<usize, Denied> {
        let place = part.place();
        let bad = |message: &dyn fmt::Display| Denied::Bad(self.negative(&place, message));
        let octets = part.octets.as_ref().map_err(|message| bad(message))?;
        let ty = type_of(self.ty.as_deref(), octets).map_err(|failure| match self.placed(&place, failure) {
            failure @ Failure::Said(1, _) => Denied::Passed(failure),
            failure => Denied::Usage(failure),
        })?;
        let dynamic = Dynamic::new(ty).options(Options::der().rules(allowed));
        let der = der_of(octets);
        let path = match self.named(&der) {
            Some((field, kind)) if !(self.der || self.hex || self.offset) => {
                let failed = |error: &tagwise_codec::Error| bad(&format_args!("{error}{}", rules::hint(error)));
                let value = Named::read(kind, &der, allowed).map_err(|error| failed(&error))?;
                let texts =
                    value.map_or(Ok(Vec::new()), |value| field.texts(&value)).map_err(|error| failed(&error))?;
                for text in &texts {
                    if self.json {
                        json.push(GetValue::text(field.name(), part.start, text).map_err(|error| bad(&error))?);
                    } else if field.name() == BLOCK {
                        output.extend(format!("{text}\n").as_bytes());
                    } else {
                        // A line feed in a name must not begin another line.
                        output.extend(format!("{}\n", visible(text)).as_bytes());
                    }
                }
                return Ok(texts.len());
            }
            Some((field, kind)) => field.path(kind).ok_or_else(|| {
                Denied::Usage(Failure::usage(format!(
                    "{} is not one component: it has no bytes of its own",
                    field.name()
                )))
            })?,
            None => self.path.as_str(),
        };
        if let Cow::Owned(_) = der {
            self.note(&mut told.notes, &place, "converted from BER: offsets and bytes are those of the DER");
        }
        let read = dynamic.decode(&der).map_err(|error| {
            Denied::Bad(Refused::with_hint(&error, rules::hint(&error)).inside(&place).failure(&self.file))
        })?;
        let found = read.value.select(dynamic.types(), path, &fields::identifier);
        let found = found.map_err(|error| Denied::Passed(self.path(&place, &error)))?;
        for found in &found {
            if self.json {
                json.push(GetValue::new(dynamic.types(), found, part.start).map_err(|error| bad(&error))?);
            } else {
                let write = |value: &Value<'_>| self.write(value, &found.path, dynamic.types(), color, output);
                let written = with(dynamic.types(), found, write);
                if let Some(Err(message)) = written {
                    return Err(bad(&message));
                }
            }
        }
        Ok(found.len())
    }

    /// The field that the path names, if the bytes are of a kind that has it.
    fn named(&self, der: &[u8]) -> Option<(&'static NamedField, ValueKind)> {
        let field = named::field(&self.path).filter(|_| self.ty.is_none())?;
        match content(der).kind()? {
            kind @ (ValueKind::Certificate
            | ValueKind::CertificateList
            | ValueKind::CertificationRequest
            | ValueKind::PublicKey) => Some((field, kind)),
            _ => None,
        }
    }

    fn write(
        &self,
        value: &Value<'_>,
        path: &str,
        types: Types<'_>,
        color: bool,
        output: &mut Vec<u8>,
    ) -> Result<(), String> {
        let octets = || match secret::holds_secret(value) {
            true => Err("it is secret, or contains secrets"),
            false => value.as_bytes().ok_or("the component is absent and has its DEFAULT value, which has no bytes"),
        };
        if self.der {
            output.extend(octets()?);
            return Ok(());
        }
        let mut text = Painted { text: String::new(), color };
        if self.offset {
            text.text.push_str(&format!("{}\t", value.offset()));
        }
        let print = Print::new(types).oid_names(&oid_name).field_texts(&fields::field_text).budget(BUDGET);
        if self.hex {
            let octets = octets()?;
            text.text.push_str(&hex::encode(octets));
            text.text.push('\n');
        } else if let Some(line) =
            fields::address(path.rsplit('.').next().unwrap_or(path), value).or_else(|| print.line(value))
        {
            text.text.push_str(&line);
            text.text.push('\n');
        } else {
            if self.offset {
                text.text.push('\n');
            }
            // Writing to memory does not fail.
            let _ = print.offsets(self.offset).print(value, &mut text);
        }
        output.extend(text.text.as_bytes());
        Ok(())
    }

    fn note(&self, notes: &mut Vec<String>, place: &str, message: &str) {
        notes.push(format!("{}: {place}note: {message}", name_of(&self.file)));
    }

    fn negative(&self, place: &str, message: impl fmt::Display) -> Failure {
        Failure::negative(format!("{}: {place}{}", name_of(&self.file), visible(&message)))
    }

    fn placed(&self, place: &str, failure: Failure) -> Failure {
        match failure {
            Failure::Said(1, message) => self.negative(place, message),
            other => other,
        }
    }

    fn path(&self, place: &str, error: &PathError) -> Failure {
        let is_name = !self.path.is_empty() && !self.path.contains(['.', '[']);
        let names = if is_name { named_fields(&self.path) } else { String::new() };
        Failure::usage(format!("{}: {place}{error}{names}", name_of(&self.file)))
    }
}

/// Returns the customary field names, and the one most similar to an unknown name.
fn named_fields(unknown: &str) -> String {
    let unknown = unknown.to_ascii_lowercase();
    let names = || named::FIELDS.iter().flat_map(|field| field.names);
    let near = names().map(|name| (strsim::damerau_levenshtein(&name.to_ascii_lowercase(), &unknown), *name)).min();
    let near = match near {
        // The name itself is one that this kind of value does not have.
        Some((1..=2, near)) => format!("; did you mean {near}"),
        _ => String::new(),
    };
    let names: Vec<&str> = named::FIELDS.iter().map(NamedField::name).collect();
    format!("{near}; named fields are {}", names.join(", "))
}

/// Calls a function with a selected value, or with its DEFAULT.
fn with<'a, R>(types: Types<'a>, found: &Found<'_, 'a>, with: impl FnOnce(&Value<'_>) -> R) -> Option<R> {
    match (found.value, found.default) {
        (Some(value), _) => Some(with(value)),
        (None, Some(field)) => types.with_default(field, with),
        (None, None) => None,
    }
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    path: &'d str,
    values: Vec<GetValue>,
}

/// A value in the JSON document.
#[derive(Serialize)]
struct GetValue {
    path: String,
    start: usize,
    offset: Option<usize>,
    size: Option<usize>,
    /// The value, or null if it is absent or secret.
    value: Option<Box<RawValue>>,
}

impl GetValue {
    /// Creates the JSON value for the text of a named field.
    fn text(name: &str, start: usize, text: &str) -> io::Result<Self> {
        let value = serde_json::to_string(text).map_err(io::Error::other)?;
        Ok(Self { path: name.to_owned(), start, offset: None, size: None, value: Some(json::raw(value)?) })
    }

    fn new<'a>(types: Types<'a>, found: &Found<'_, 'a>, start: usize) -> io::Result<Self> {
        let value = with(types, found, |value| match secret::holds_secret(value) {
            true => None,
            false => Some(tagwise_jer::to_string(types, value)),
        });
        Ok(Self {
            path: found.path.clone(),
            start,
            offset: found.value.map(Value::offset),
            size: found.value.and_then(Value::as_bytes).map(<[u8]>::len),
            value: value.flatten().map(json::raw).transpose()?,
        })
    }
}
