//! `tagwise view`: shows files in a browser.
//!
//! The page is that of `web/`. It usually reads files itself, with the WebAssembly module. Here, the command has already read them, and
//! sends its documents, so the command contains no WebAssembly.

use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
use crate::shared::output::{Failure, finish, name_of};
use crate::shared::rules::every;

pub(crate) const ABOUT: &str = "\
Show files in a browser: the components beside the bytes, errors with their clauses, findings, and a drawing of the certificates. With \
two files, their differences are shown, too.

The page is served on 127.0.0.1 until the browser has loaded it once. Its address contains a random token, which other users of this \
host don't know. The page loads nothing from the network.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise view chain.pem
  tagwise view old.pem new.pem                 two files and their differences
  tagwise view --no-open list.crl              print the address only

Exit codes: 0 the page was loaded; 1 nobody loaded it in time; 2 usage error; 3 a file could not be read.";

/// The files of the page, with their media types.
const PAGE: [(&str, &str, &str); 6] = [
    ("", "text/html; charset=utf-8", include_str!("../../../../web/index.html")),
    ("icon.svg", "image/svg+xml", include_str!("../../../../web/icon.svg")),
    ("style.css", "text/css; charset=utf-8", include_str!("../../../../web/style.css")),
    ("view.js", "text/javascript; charset=utf-8", include_str!("../../../../web/view.js")),
    ("draw.js", "text/javascript; charset=utf-8", include_str!("../../../../web/draw.js")),
    ("text.js", "text/javascript; charset=utf-8", include_str!("../../../../web/text.js")),
];

/// The number of CRL entries and of components to show.
const ENTRIES: usize = 100;
const ROWS: usize = 20_000;

/// The maximum size of a request, and the time to send or receive it.
const REQUEST: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);

/// The time after the document in which the browser may load the rest of the page, such as its icon.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Do not start a browser
    #[arg(long)]
    no_open: bool,
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
        let files = inputs.iter().zip(&found).map(|((path, octets), found)| file(context, path, octets, found, &scene));
        let files: Vec<Value> = files.collect::<Result<_, _>>().map_err(io::Error::other)?;
        let diff = match found.as_slice() {
            [one, other] => differences(one, other).map_err(io::Error::other)?,
            _ => Value::Null,
        };
        let document = json!({ "files": files, "diff": diff }).to_string();
        self.serve(&document, out)
    }

    /// Serves the page until the browser has loaded the document.
    fn serve(&self, document: &str, out: &mut dyn Write) -> Result<u8, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mut token = [0; 16];
        EMBEDDED.random(&mut token).map_err(|error| Failure::negative(error.to_string()))?;
        let host = listener.local_addr()?.to_string();
        let base = format!("/{}/", hex::encode(&token));
        let url = format!("http://{host}{base}");
        writeln!(out, "{url}")?;
        out.flush()?;
        if !self.no_open {
            // Without a browser, the address is printed.
            let _ = std::process::Command::new("xdg-open").arg(&url).spawn();
        }
        listener.set_nonblocking(true)?;
        let mut is_loaded = false;
        let mut end = Instant::now().checked_add(Duration::from_secs(self.wait));
        while end.is_none_or(|end| Instant::now() < end) {
            match listener.accept() {
                // A client that fails doesn't end the command.
                Ok((stream, _)) => {
                    if let Ok(true) = answer(stream, &host, &base, document) {
                        is_loaded = true;
                        end = Instant::now().checked_add(GRACE);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if is_loaded { Ok(0) } else { Err(Failure::negative("the page was not loaded in time")) }
    }
}

/// Answers one request, and returns whether it was for the document.
fn answer(mut stream: TcpStream, host: &str, base: &str, document: &str) -> io::Result<bool> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new((&stream).take(REQUEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut is_for_us = false;
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        // A name that resolves to this address is another origin.
        let header = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("host"));
        is_for_us |= header.is_some_and(|(_, value)| value.trim() == host);
    }
    let path = first.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()).filter(|_| is_for_us);
    let name = path.and_then(|path| path.strip_prefix(base));
    let is_document = name == Some("document.json");
    let page = PAGE.iter().find(|(known, ..)| name == Some(*known));
    let (status, media, body) = match page {
        _ if is_document => ("200 OK", "application/json", document.to_owned()),
        // The attribute tells the page to fetch the document.
        Some((_, media, text)) => ("200 OK", *media, text.replacen("<html ", "<html data-served ", 1)),
        None => ("404 Not Found", "text/plain", "not found\n".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()?;
    Ok(is_document)
}

/// Returns a file as the page expects it.
fn file(
    context: &Context,
    path: &Path,
    octets: &[u8],
    found: &Found<'_>,
    scene: &Scene,
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
        let is_linted = matches!(item.content, Content::Kind(ValueKind::Certificate | ValueKind::CertificateList));
        let of_item = is_linted.then(|| findings.next()).flatten();
        items.push(json!({
            "record": record,
            "rows": serde_json::to_value(tagwise_show::outline::document(&rows.unwrap_or_default()))?,
            "hex": hex::encode(&item.der),
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
