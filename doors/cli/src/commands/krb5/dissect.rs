//! `tagwise krb5 dissect`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use serde::Serialize;
use tagwise_krb5::capture::{Capture, PORTS};
use tagwise_krb5::open::Opener;
use tagwise_krb5::show::{part, show, stamp};
use tagwise_krb5::summary;
use tagwise_pkix::name::visible;
use tagwise_show::tree::{Line, Record, Tone, Value};

use super::decrypt::KeyArgs;
use super::output;
use crate::shared::context::Context;
use crate::shared::credentials::{negative, octets};
use crate::shared::output::{Failure, finish, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 dissect trace.pcap
  tagwise krb5 dissect --keytab realm.keytab trace.pcapng
  tagwise krb5 dissect --full --keytab realm.keytab --json trace.pcap | jq -c '.messages[].summary'

UDP and TCP traffic of ports 88 and 464, or of those of --port, is read from pcap and pcapng files. IP fragments are not reassembled. \
With a keytab or a credential cache, encrypted parts are decrypted, exchange by exchange for each client.
Exit codes: 0 messages found; 1 no messages, or the file is malformed or truncated (the messages before are shown); 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct DissectArgs {
    /// Capture file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Read the traffic of this port; may be repeated [default: 88 and 464]
    #[arg(long, value_name = "PORT")]
    port: Vec<u16>,
    /// Show every message in full, not only its summary
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    keys: KeyArgs,
    /// Print JSON (schema tagwise.krb5-dissect/2)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    unread_packets: usize,
    broken_streams: usize,
    messages: Vec<PacketRow>,
}

#[derive(Serialize)]
struct PacketRow {
    packet: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    source: String,
    destination: String,
    transport: &'static str,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Value<'static>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Value<'static>>,
}

impl DissectArgs {
    pub(super) fn dissect(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let ports = if self.port.is_empty() { PORTS } else { &self.port };
        let (capture, damage) =
            Capture::read(&octets(context, &self.file)?, ports).map_err(|error| negative(&self.file, &error))?;
        if let Some(error) = &damage {
            // The messages before the damage are shown.
            finish(Err(negative(&self.file, error)), err)?;
        }
        let view = super::decode::view(context, self.keys.show_keys);
        // An exchange belongs to one client; requests of other clients in between are separate.
        let mut openers: HashMap<IpAddr, Option<Opener<'static>>> = HashMap::new();
        let mut messages = Vec::new();
        for mut message in capture.messages {
            message.octets = super::decode::canonical(context, message.octets);
            let client = if ports.contains(&message.destination.port()) { message.source } else { message.destination };
            let mut parts = Vec::new();
            let opener = match openers.entry(client.ip()) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) if self.keys.is_empty() => entry.insert(None),
                Entry::Vacant(entry) => entry.insert(Some(self.keys.opener(context)?)),
            };
            if let Some(opened) = opener.as_mut().and_then(|opener| opener.open(&message.octets).ok()) {
                parts = opened.iter().map(|one| part(one, view).into()).collect();
            }
            let content = self.full.then(|| show(&message.octets, view)).flatten().map(|shown| match shown {
                Ok(shown) => shown.value,
                Err(error) => Record::default().with("error", Value::text(error)).into(),
            });
            messages.push(PacketRow {
                packet: message.packet,
                time: message.time.map(stamp),
                source: message.source.to_string(),
                destination: message.destination.to_string(),
                transport: if message.tcp { "TCP" } else { "UDP" },
                summary: summary(&message.octets),
                content,
                parts,
            });
        }
        let code = u8::from(messages.is_empty() || damage.is_some());
        let name = name_of(&self.file);
        if self.json {
            let document = Document {
                schema: "tagwise.krb5-dissect/2",
                file: name,
                unread_packets: capture.unread,
                broken_streams: capture.broken_streams,
                messages,
            };
            output::document(out, &document)?;
            return Ok(code);
        }
        if messages.is_empty() && damage.is_none() {
            writeln!(err, "tagwise: {}: no Kerberos messages on these ports", visible(&name))?;
        }
        for (at, item) in messages.into_iter().enumerate() {
            let time = item.time.map(|time| format!("{time}  ")).unwrap_or_default();
            let heading = Line::new(
                Tone::Dim,
                format!("{}  {time}{} > {} {}  ", item.packet, item.source, item.destination, item.transport),
            )
            .and(Tone::Strong, &item.summary);
            let mut record = Record::default();
            if let Some(content) = item.content {
                record = record.bare("content", content);
            }
            if !item.parts.is_empty() {
                record = record.bare("parts", Value::List(item.parts));
            }
            output::text(out, context.color, &heading, at == 0, &record.into())?;
        }
        if capture.unread > 0 {
            writeln!(err, "tagwise: {}: note: {} packets were not read", visible(&name), capture.unread)?;
        }
        if capture.broken_streams > 0 {
            let count = capture.broken_streams;
            writeln!(err, "tagwise: {}: note: {count} TCP streams are incomplete", visible(&name))?;
        }
        Ok(code)
    }
}
