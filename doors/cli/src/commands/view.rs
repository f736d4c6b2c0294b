//! `tagwise view`: shows files in a browser.
//!
//! The page is that of `web/`. It usually reads files itself, with the WebAssembly module. Here, the command has already read them, and
//! sends its documents, so the command contains no WebAssembly.

mod hidden;
mod serve;
mod verdict;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize as _;
use serde_json::{Value, json};
use tagwise_codec::text::hex;
use tagwise_input::{Content, Found, InputItem, ValueKind, find};
use tagwise_pkix::lint::Severity;
use tagwise_show::diff::{Comparison, Place};
use tagwise_show::lint::{File, Judged, Selection};
use tagwise_show::outline::outline;
use tagwise_show::{Lens, Scene, report};

use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::scratch::Folder;
use crate::shared::output::{Access, Failure, finish, name_of, write};
use crate::shared::rules::every;
use crate::shared::trust::{self, Origin};
use hidden::Hidden;
use serve::Site;

pub(crate) const ABOUT: &str = "\
Show files in a browser: the components beside the bytes, errors with their clauses, findings, and a drawing of the certificates. With \
two files, their differences are shown, too.

Each end-entity certificate is verified, at most 20, and the drawing shows where a path fails. --trust gives the trust anchors. Without it, the \
self-signed certificates in the files end the path, and the page doesn't claim that they are trusted. Use `tagwise verify` for host \
names, purposes and revocation.

The page is served on 127.0.0.1 until the browser has loaded it once. Its address contains a random token, which other users of this \
host don't know: the browser reads it from a temporary file that only this user can open. The page loads nothing from the network. \
Private keys, key stores and passwords are not shown, unless --secrets is given.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise view chain.pem
  tagwise view old.pem new.pem                 two files and their differences
  tagwise view --trust root.pem chain.pem      verify the path, too
  tagwise view --no-open list.crl              print the address only

Exit codes: 0 the page was loaded; 1 nobody loaded it in time; 2 usage error; 3 a file could not be read.";

/// The number of CRL entries and of components to show.
const ENTRIES: usize = 100;
const ROWS: usize = 20_000;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Trust anchors: a file, a folder, `system` or `mozilla`; may be repeated
    #[arg(long, value_name = "SOURCE")]
    trust: Vec<Origin>,
    /// Do not start a browser
    #[arg(long)]
    no_open: bool,
    /// Include the bytes of private keys, key stores and passwords
    #[arg(long)]
    secrets: bool,
    /// Wait this many seconds for the browser
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: u64,
}

impl ViewArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.view(context, out);
        finish(done, err)
    }

    fn view(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let mut inputs = Vec::new();
        for path in &self.files {
            inputs.push((path, context.load(path).map_err(|error| Failure::file(path, "read", &error))?));
        }
        let scene = Scene {
            lens: Lens::new(context.allowed.decoding),
            now: now(),
            entries: Some(ENTRIES),
            depth: 0,
            proof: Some(tagwise_mtc::show::proof),
            verify: Some(tagwise_show::verify),
        };
        let found: Vec<_> = inputs.iter().map(|(_, octets)| find(octets, context.allowed.decoding)).collect();
        let files = inputs
            .iter()
            .zip(&found)
            .map(|((path, octets), found)| file(context, path, octets, found, (&scene, self.secrets)));
        let files: Vec<Value> = files.collect::<Result<_, _>>().map_err(io::Error::other)?;
        let diff = match found.as_slice() {
            [one, other] => differences(one, other).map_err(io::Error::other)?,
            _ => Value::Null,
        };
        let certificates = inputs.iter().flat_map(|(path, octets)| trust::certificates_in(octets, &name_of(path)));
        let verdict = verdict::verdict(context, certificates.collect(), &self.trust)?;
        let document = json!({ "files": files, "diff": diff, "verdict": verdict }).to_string();
        self.serve(document, out)
    }

    /// Serves the page until the browser has loaded the document.
    fn serve(&self, document: String, out: &mut dyn Write) -> Result<u8, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mut token = [0; 16];
        EMBEDDED.random(&mut token).map_err(|error| Failure::negative(error.to_string()))?;
        let site = Site::new(listener.local_addr()?.to_string(), format!("/{}/", hex::encode(&token)), document);
        let url = site.url();
        writeln!(out, "{url}")?;
        out.flush()?;
        // Without a browser, the address is printed. The file exists as long as the page is served.
        let _folder = if self.no_open { None } else { open(&url).ok() };
        if site.serve(&listener, Duration::from_secs(self.wait))? {
            Ok(0)
        } else {
            Err(Failure::negative("the page was not loaded in time"))
        }
    }
}

/// Starts a browser. Arguments of programs are public, so it is given a file that leads to the address, and that only this user can read.
fn open(url: &str) -> io::Result<Folder> {
    let folder = Folder::new()?;
    let path = folder.path().join("view.html");
    let page = format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<title>tagwise view</title>\n<a href=\"{url}\">tagwise view</a>\n"
    );
    write(&path, page.as_bytes(), Access::Private)?;
    std::process::Command::new("xdg-open").arg(&path).spawn()?;
    Ok(folder)
}

/// Returns a file as the page expects it.
fn file(
    context: &Context,
    path: &Path,
    octets: &[u8],
    found: &Found<'_>,
    (scene, secrets): (&Scene, bool),
) -> Result<Value, serde_json::Error> {
    let rules = context.allowed.decoding;
    let name = name_of(path);
    let mut linted = File::new(None, name.clone());
    if let Ok(selection) = Selection::new(Severity::Warning, &[], &[]) {
        linted.check(octets, &selection, &mut Judged::default());
    }
    let findings = tagwise_show::lint::document(std::slice::from_ref(&linted), &Judged::default());
    let findings = serde_json::to_value(&findings)?;
    let mut findings =
        findings.pointer("/files/0/items").and_then(Value::as_array).cloned().unwrap_or_default().into_iter();
    let total = found.items.len();
    let mut items = Vec::with_capacity(total);
    for (item, number) in found.items.iter().zip(1..) {
        let record = report(item, (number, total), &name, rules, scene).record;
        let record = tagwise_show::tree::Value::Record(record).serialize(serde_json::value::Serializer)?;
        let rows = item.content.kind().and_then(|kind| {
            let read = |rules| outline(kind, &item.der, rules, ROWS).ok();
            // A malformed value has components as far as it can be read.
            read(rules).or_else(|| read(every()))
        });
        let hidden = if secrets { Hidden::Parts(Vec::new()) } else { Hidden::of(item, rules) };
        let mut rows = rows.unwrap_or_default();
        hidden.strip(&mut rows);
        let mut octets = item.der.to_vec();
        hidden.blank(&mut octets);
        let is_linted = matches!(item.content, Content::Kind(ValueKind::Certificate | ValueKind::CertificateList));
        let of_item = is_linted.then(|| findings.next()).flatten();
        items.push(json!({
            "record": record,
            "rows": serde_json::to_value(tagwise_show::outline::document(&rows))?,
            "hex": hex::encode(&octets),
            "hidden": hidden.document(octets.len()),
            "findings": of_item.and_then(|mut item| item.get_mut("findings").map(Value::take)).unwrap_or_else(|| json!([])),
        }));
    }
    let is_known = found.items.iter().any(|item| !matches!(item.content, Content::Other(_) | Content::Nothing));
    let error = (!is_known).then(|| found.nothing("certificate and no CRL", octets.len()));
    Ok(json!({ "name": name, "form": found.form.name(), "size": octets.len(), "items": items, "error": error }))
}

/// Returns the differences between the first values of two files, if they can be compared.
fn differences(one: &Found<'_>, other: &Found<'_>) -> Result<Value, serde_json::Error> {
    let (Some(one), Some(other)) = (one.items.first(), other.items.first()) else { return Ok(Value::Null) };
    let Ok(found) = Comparison::of(one, other, false) else { return Ok(Value::Null) };
    let place = |item: &InputItem<'_>| Place { path: None, line: item.line, offset: item.offset, size: item.der.len() };
    serde_json::to_value(found.document([&place(one), &place(other)]))
}
