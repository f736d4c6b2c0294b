//! Batches of requests for `tagwise ca issue`. They are checked and signed on all processors, and stored in few transactions.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;
use tagwise_ca::store::NewCertificate;
use tagwise_ca::{Authority, Definition, Error, NotTaken, Order, Prepared};
use tagwise_codec::Decode;
use tagwise_crypto::Signer;
use tagwise_input::{Limits, Wrapped, unpack};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids::files::{self as kinds, label};
use tagwise_pkix::{TbsCertificate, UnixTime};

use super::common::{armoured, document};
use super::issue::{IssueArgs, Left, requested};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::{Failure, name_of};
use crate::shared::profiles::unlogged;

/// The number of certificates per transaction.
const BATCH: usize = 1024;

/// The maximum number of files in a folder.
const MOST: usize = 1 << 20;

/// A request, and the file name for its certificate.
struct Request {
    /// The request's file name, for messages.
    file: String,
    name: String,
    der: Vec<u8>,
}

/// A checked request, ready to be issued.
struct Ready {
    file: String,
    name: String,
    prepared: Prepared,
    public_key: Vec<u8>,
    not_taken: Vec<NotTaken>,
}

#[derive(Serialize)]
struct Document {
    issued: Vec<Issued>,
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Issued {
    request: String,
    serial: String,
    file: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_taken: Vec<Left>,
}

#[derive(Serialize)]
struct Refused {
    request: String,
    error: String,
}

/// The requests in the inputs, and the inputs that are not requests.
#[derive(Default)]
struct Inputs {
    requests: Vec<Request>,
    refused: Vec<Refused>,
    /// The file names of certificates, each with the last number that was appended to it.
    names: HashMap<String, usize>,
}

/// Reads the requests in files, folders, archives and bundles. Returns `None` for a single request.
fn requests(context: &Context, paths: &[PathBuf]) -> Result<Option<Inputs>, Failure> {
    let is_single = |path: &Path| path.as_os_str() == "-" || !path.exists();
    if paths.is_empty() || matches!(paths, [path] if is_single(path)) {
        return Ok(None);
    }
    let mut found = Inputs::default();
    for path in paths {
        if !path.is_dir() {
            found.add_file(context, path)?;
            continue;
        }
        let entries = fs::read_dir(path).and_then(|entries| entries.take(MOST).collect::<Result<Vec<_>, _>>());
        let entries = entries.map_err(|error| Failure::file(path, "read", &error))?;
        let mut inner: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_file()).collect();
        inner.sort_unstable();
        for path in inner {
            found.add_file(context, &path)?;
        }
    }
    match (paths, found.requests.len()) {
        ([path], 0 | 1) if !path.is_dir() => Ok(None),
        (_, 0) => Err(Failure::negative("no certification requests found")),
        _ => Ok(Some(found)),
    }
}

impl Inputs {
    /// Adds the requests in a file. A file without requests is refused, and so are blocks that cannot be decoded.
    fn add_file(&mut self, context: &Context, path: &Path) -> Result<(), Failure> {
        let octets = context.load(path).map_err(|error| Failure::file(path, "read", &error))?;
        let stem = path.file_stem().map_or_else(|| "request".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let file = name_of(path);
        if !octets.starts_with(b"PK\x03\x04") && !octets.starts_with(&[0x1F, 0x8B]) {
            self.add(&file, &stem, octets);
            return Ok(());
        }
        let Some(unpacked) = unpack(&octets, &Limits::DEFAULT) else {
            self.refused.push(Refused { request: file, error: "the archive cannot be read".to_owned() });
            return Ok(());
        };
        for part in unpacked.parts {
            let entry = part.entry.unwrap_or_else(|| stem.clone());
            if let Some((code, message)) = part.failure {
                return Err(Failure::negative(format!("{file}: {}: {message} ({code})", visible(&entry))));
            }
            let inner =
                Path::new(&entry).file_stem().map_or_else(|| stem.clone(), |it| it.to_string_lossy().into_owned());
            self.add(&format!("{file}!{entry}"), &inner, part.octets);
        }
        Ok(())
    }

    /// Adds the requests in the contents of a file.
    fn add(&mut self, file: &str, stem: &str, octets: Vec<u8>) {
        let refuse = |error: String| Refused { request: file.to_owned(), error };
        let kind = &kinds::CERTIFICATION_REQUEST;
        let source = match Wrapped::open(octets, None) {
            Ok(source) => source,
            Err(error) => return self.refused.push(refuse(error)),
        };
        let before = self.requests.len();
        let mut others = Vec::new();
        for value in source.values {
            let label = match &value.block {
                Some((label, _)) => Some(label.as_str()),
                None => tagwise_input::certain_label(&value.octets),
            };
            match (label, &value.problem) {
                (Some(label), None) if kind.labels.contains(&label) => {
                    let name = self.name(stem);
                    self.requests.push(Request { file: file.to_owned(), name, der: value.octets });
                }
                (_, Some(problem)) => self.refused.push(refuse(format!("{}: {problem}", value.name()))),
                (Some(label), None) => others.push(format!("not a certification request: {label}")),
                (None, None) => {}
            }
        }
        // A key, a chain or text may be beside its request.
        if self.requests.len() == before {
            if others.is_empty() {
                others.push("not a certification request".to_owned());
            }
            self.refused.extend(others.into_iter().map(refuse));
        }
    }

    /// Returns a unique file name that stays in the folder.
    fn name(&mut self, stem: &str) -> String {
        let plain: String =
            stem.chars().map(|it| if it == '/' || it == '\\' || it.is_control() { '_' } else { it }).collect();
        let plain = plain.trim_start_matches('.');
        let plain = if plain.is_empty() { "request" } else { plain };
        // The search goes on where it ended last: a bundle has thousands of requests with one stem.
        let mut number = self.names.get(plain).map_or(1, |last| last + 1);
        let mut name = plain.to_owned();
        while number > 1 {
            name = format!("{plain}-{number}");
            if !self.names.contains_key(&name) {
                self.names.insert(name.clone(), 1);
                break;
            }
            number += 1;
        }
        self.names.insert(plain.to_owned(), number);
        name
    }
}

/// Issues one certificate, or a batch.
pub(super) fn issue(
    context: &Context,
    args: &IssueArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<u8, Failure> {
    match requests(context, &args.requests)? {
        Some(inputs) => args.batch(context, inputs, &args.definition(context)?, out, err),
        None => args.issue(context, out, err),
    }
}

impl IssueArgs {
    /// Issues a batch.
    fn batch(
        &self,
        context: &Context,
        inputs: Inputs,
        definition: &Arc<Definition>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<u8, Failure> {
        if self.subject.is_some() || self.names().map_or(true, |names| !names.is_empty()) {
            return Err(Failure::usage(
                "a batch takes subjects and names from its requests: omit --subject, --dns, --ip, --email and --uri",
            ));
        }
        unlogged(definition)?;
        let Some(folder) = self.output.output.as_deref().filter(|path| path.as_os_str() != "-") else {
            return Err(Failure::usage("a batch of requests requires -o FOLDER for the certificates"));
        };
        if self.key.log_files().is_some() || self.mtc_output.is_some() {
            return Err(Failure::usage("a CA with a log of Merkle Tree Certificates issues one certificate at a time"));
        }
        let (mut store, authority) = self.key.open()?;
        let signer = self.key.signer(&authority)?;
        let now = now();
        let prepared: Vec<Result<Ready, Refused>> = inputs
            .requests
            .into_par_iter()
            .map(|request| self.prepare(context, &authority, &signer, request, definition, now))
            .collect();
        let prepared = self.check_compromises(&mut *store, &authority, prepared)?;
        let mut all = Document { issued: Vec::new(), refused: Vec::new() };
        let mut ready = Vec::with_capacity(prepared.len());
        for one in inputs.refused.into_iter().map(Err).chain(prepared) {
            match one {
                Ok(one) => {
                    for left in &one.not_taken {
                        writeln!(err, "tagwise: {}: left out of the certificate: {}", one.file, visible(left))?;
                    }
                    ready.push(one);
                }
                Err(refused) => {
                    writeln!(err, "tagwise: {}: {}", refused.request, visible(&refused.error))?;
                    all.refused.push(refused);
                }
            }
        }
        if self.all_or_nothing && (!all.refused.is_empty() || ready.iter().any(|one| !one.not_taken.is_empty())) {
            return Err(Failure::negative("nothing was issued, because of --all-or-nothing"));
        }
        self.make_room(folder, &ready)?;
        let mut rest = ready;
        while !rest.is_empty() {
            let more = rest.split_off(rest.len().min(BATCH));
            self.issue_some(rest, folder, (&mut *store, &authority, &signer), now, &mut all)?;
            rest = more;
        }
        let (issued, refused) = (all.issued.len(), all.refused.len());
        if self.json {
            document("issue", &all, out)?;
        } else {
            writeln!(err, "{}: issued {issued} certificates, refused {refused} requests", name_of(folder))?;
        }
        Ok(u8::from(refused > 0))
    }

    /// Refuses requests whose key is compromised.
    fn check_compromises(
        &self,
        store: &mut dyn tagwise_ca::Store,
        authority: &Authority,
        prepared: Vec<Result<Ready, Refused>>,
    ) -> Result<Vec<Result<Ready, Refused>>, Failure> {
        let keys: Vec<&[u8]> = prepared.iter().flatten().map(|ready| ready.public_key.as_slice()).collect();
        let found = authority.compromises(store, &keys).map_err(|error| self.key.failed(&error))?;
        let mut found = found.into_iter();
        let checked = prepared.into_iter().map(|one| {
            let ready = one?;
            match found.next().flatten() {
                Some(error) => Err(Refused { request: ready.file, error: error.to_string() }),
                None => Ok(ready),
            }
        });
        Ok(checked.collect())
    }

    /// Checks a request, and builds its certificate.
    fn prepare(
        &self,
        context: &Context,
        authority: &Authority,
        signer: &dyn Signer,
        request: Request,
        definition: &Arc<Definition>,
        now: UnixTime,
    ) -> Result<Ready, Refused> {
        let Request { file, name, der } = request;
        let build = || -> Result<(Prepared, Vec<u8>, Vec<NotTaken>), String> {
            let requested = requested(context, &der)?;
            if let Some(error) = requested.refused.first() {
                return Err(error.to_string());
            }
            let profile = self.profile(definition, &requested);
            if requested.subject.name().is_empty() && requested.names.is_empty() {
                return Err("the request has no names".to_owned());
            }
            let said = |error: Error| error.to_string();
            let (subject, names) =
                definition.apply(requested.subject.clone(), requested.names.clone()).map_err(said)?;
            let (not_before, not_after) = self.validity(authority, definition, now);
            let order = Order {
                subject,
                names,
                public_key: &requested.public_key,
                key_identifier: requested.key_identifier.as_deref().filter(|_| definition.ca),
                restrictions: requested.restrictions.clone(),
                profile,
                not_before,
                not_after,
            };
            let kind = authority.judge_key(EMBEDDED, &order).map_err(said)?;
            let prepared = authority.prepare(signer, &order, kind).map_err(said)?;
            let tbs = TbsCertificate::from_der(prepared.unsigned().tbs()).map_err(|error| error.to_string())?;
            let not_taken = requested.not_taken(&tbs).map_err(said)?;
            Ok((prepared, requested.public_key.clone(), not_taken))
        };
        match build() {
            Ok((prepared, public_key, not_taken)) => Ok(Ready { file, name, prepared, public_key, not_taken }),
            Err(error) => Err(Refused { request: file, error }),
        }
    }

    fn file_of(&self, folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.{}", if self.output.der { "der" } else { "pem" }))
    }

    /// Creates the output folder, and checks that no file in it would be replaced.
    fn make_room(&self, folder: &Path, ready: &[Ready]) -> Result<(), Failure> {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, "created", &error))?;
        let taken = ready.iter().map(|one| self.file_of(folder, &one.name)).find(|path| path.exists());
        match taken {
            Some(path) => Err(Failure::Said(3, format!("{}: could not be written: it exists already", name_of(&path)))),
            None => Ok(()),
        }
    }

    /// Signs certificates, stores them in one transaction, and writes their files.
    fn issue_some(
        &self,
        some: Vec<Ready>,
        folder: &Path,
        (store, authority, signer): (&mut dyn tagwise_ca::Store, &Authority, &dyn Signer),
        now: UnixTime,
        all: &mut Document,
    ) -> Result<(), Failure> {
        let failed = |error: Error| self.key.failed(&error);
        let signed: Result<Vec<(Signed, NewCertificate)>, Error> = some
            .into_par_iter()
            .map(|one| {
                let Ready { file, name, prepared, not_taken, .. } = one;
                Ok((Signed { file, name, not_taken }, prepared.sign(signer, now)?))
            })
            .collect();
        let (kept, certificates): (Vec<Signed>, Vec<NewCertificate>) = signed.map_err(failed)?.into_iter().unzip();
        authority.add_all(store, &certificates, now).map_err(failed)?;
        for (one, certificate) in kept.into_iter().zip(certificates) {
            let path = self.file_of(folder, &one.name);
            let mut parts = vec![certificate.der.as_slice()];
            parts.extend(self.chain.then(|| authority.certificate_der()));
            let octets = if self.output.der {
                parts.concat()
            } else {
                let text = parts.iter().map(|der| armoured(label::CERTIFICATE, der)).collect::<Result<String, _>>()?;
                text.into_bytes()
            };
            // Without a sync for each: the certificates are in the database.
            let written = fs::File::create_new(&path).and_then(|mut file| file.write_all(&octets));
            written.map_err(|error| match Failure::file(&path, "written", &error) {
                Failure::Said(code, text) => Failure::Said(
                    code,
                    format!(
                        "{text}; all certificates of the batch are in the database: `tagwise ca export` writes them"
                    ),
                ),
                other => other,
            })?;
            all.issued.push(Issued {
                request: one.file,
                serial: certificate.serial.to_string(),
                file: name_of(&path),
                not_taken: one.not_taken.into_iter().map(Left::from).collect(),
            });
        }
        Ok(())
    }
}

/// The parts of a request that are needed after its certificate is signed.
struct Signed {
    file: String,
    name: String,
    not_taken: Vec<NotTaken>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stems_get_numbers() {
        let mut inputs = Inputs::default();
        let names = ["a", "a", "a-2", "a", "b/c", "a-2", ""].map(|stem| inputs.name(stem));
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3", "b_c", "a-2-3", "request"]);
    }
}
