//! `tagwise tree`: prints the issuing hierarchy of the certificates in files and folders.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::text::hex::Hex;
use tagwise_pkix::UnixTime;
use tagwise_show::render::json;
use tagwise_show::{short_name_of, short_name_of_certificate};
use tagwise_store::{ContentsItem, ContentsKind, Hierarchy, Link, Record, Role, Store, StoreEntry};

use crate::shared::context::Context;
use crate::shared::moment::{moment, now};
use crate::shared::outcome::Outcome;
use crate::shared::output::{Failure, finish};
use crate::shared::stores::{SourceArgs, place_text};
use crate::shared::stores::{complain, place};

pub(crate) const ABOUT: &str = "\
Print the issuing hierarchy of the certificates in files and folders: roots, the certificates they issued, and those without an issuer.

A certificate's issuer is found by name and key identifier: the issuer's subject and subject key identifier must match the \
certificate's issuer and authority key identifier. If either has no key identifier, only the names are compared. Signatures are not \
verified. Of several matches, the one nearest to a root is chosen, and among those the one that expires last.

Roots and intermediates are certificates with cA set in their basic constraints; all others are end entities, which cannot issue \
certificates (RFC 5280 §4.2.1.9). Certificates of versions 1 and 2 have no basic constraints: self-issued ones count as roots, others \
as end entities.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  tagwise tree chain.pem
  tagwise tree --levels 1 certdata.txt             roots, and the certificates they issued
  tagwise tree --json /etc/ssl/certs | jq '.certificates[] | select(.role == \"orphan\")'

Exit codes: 0 done; 1 something could not be read, or no certificate was found; 2 usage error; 3 a file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Print JSON (schema tagwise.tree/1)
    #[arg(long)]
    json: bool,
    /// Number of levels to show below the top
    #[arg(long, value_name = "N", conflicts_with = "json")]
    levels: Option<u32>,
    /// Check validity at this time instead of now, such as 2026-11-21
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<UnixTime>,
}

/// The certificates found in the files, with their locations.
struct Found<'f> {
    file: &'f str,
    item: ContentsItem<'f>,
}

impl TreeArgs {
    pub(crate) fn run(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        let done = self.tree(context, out, err);
        finish(done, err)
    }

    fn tree(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let pool = self.sources.pool()?;
        let mut outcome = Outcome::default();
        let mut empty = false;
        let mut skipped = self.sources.skipped();
        self.sources.read_whole(context, &pool, |files| {
            complain(files, &mut skipped, &mut outcome, err)?;
            let items: Vec<Found<'_>> = files
                .iter()
                .flat_map(|file| file.items().map(|item| Found { file: file.name, item }))
                .filter(|found| found.item.kind == ContentsKind::Certificate)
                .collect();
            let records: Vec<_> = pool.install(|| items.par_iter().map(|found| Record::read(found.item.der)).collect());
            let mut entries = Vec::with_capacity(items.len());
            let mut kept = Vec::with_capacity(items.len());
            for (found, record) in items.into_iter().zip(records) {
                match record {
                    Ok(record) => {
                        entries.push(StoreEntry { der: found.item.der, record });
                        kept.push(found);
                    }
                    Err(error) => {
                        outcome.negative = true;
                        writeln!(err, "tagwise: {}: {error}", place_text(found.file, &found.item.place))?;
                    }
                }
            }
            empty = entries.is_empty() && !outcome.negative;
            let store = Store::new(entries);
            let hierarchy = store.hierarchy();
            let forest =
                Forest { store: &store, hierarchy: &hierarchy, found: &kept, now: self.at.unwrap_or_else(now) };
            if self.json {
                return json::write(&mut *out, &Document(&forest));
            }
            forest.text(out, context.color, self.levels.unwrap_or(u32::MAX))
        })?;
        if empty {
            outcome.negative = true;
            if !outcome.unreadable {
                writeln!(err, "tagwise: {}: no certificate found", self.sources.names())?;
            }
        }
        Ok(outcome.code())
    }
}

struct Forest<'f> {
    store: &'f Store<'f>,
    hierarchy: &'f Hierarchy,
    found: &'f [Found<'f>],
    now: UnixTime,
}

/// The maximum indentation level. Without a limit, the output for a long chain would grow quadratically.
const DEEP: u32 = 32;

impl Forest<'_> {
    /// Iterates over the certificates from the top down, each before those that it issued, without recursion.
    fn walk(&self) -> impl Iterator<Item = u32> + '_ {
        let mut open: Vec<u32> = self.hierarchy.tops().iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(self.hierarchy.children(next).iter().rev());
            Some(next)
        })
    }

    fn text(&self, out: &mut dyn Write, color: bool, levels: u32) -> io::Result<()> {
        let style = |style: Style| if color { style } else { Style::new() };
        let (bold, dim) = (style(Style::new().bold()), style(Style::new().dimmed()));
        let bad = style(AnsiColor::Red.on_default());
        for number in self.walk() {
            let level = self.hierarchy.level(number);
            let Some(StoreEntry { der, record }) = self.store.get(number) else { continue };
            if level > levels {
                continue;
            }
            let pad = level.min(DEEP) as usize * 2;
            write!(out, "{:pad$}", "")?;
            if level > DEEP {
                write!(out, "({level}) ")?;
            }
            let name = short_name_of_certificate(der);
            let tone = if level == 0 { bold } else { Style::new() };
            write!(out, "{tone}{name}{tone:#}")?;
            let day = record.not_after().to_string();
            write!(out, "  {dim}{} until {}{dim:#}", fingerprint(record), day.get(..10).unwrap_or("?"))?;
            if self.now > record.not_after() {
                write!(out, "  {bad}expired{bad:#}")?;
            } else if self.now < record.not_before() {
                write!(out, "  {bad}not yet valid{bad:#}")?;
            }
            match self.hierarchy.role(number) {
                Some(Role::Orphan) => {
                    write!(out, "  {bad}orphan{bad:#}, issued by {}", short_name_of(&record.issuer(der)))?;
                }
                // A circle was cut here.
                Some(Role::Intermediate) if level == 0 => {
                    write!(out, "  {bad}no root{bad:#}, issued by {}", short_name_of(&record.issuer(der)))?;
                }
                Some(Role::EndEntity) if level == 0 => write!(out, "  {dim}end entity, self-issued{dim:#}")?,
                Some(Role::EndEntity) => write!(out, "  {dim}end entity{dim:#}")?,
                _ => {}
            }
            if let Some((_, link @ (Link::Name | Link::IssuerAndSerial))) = self.hierarchy.parent(number) {
                write!(out, "  {dim}by {}{dim:#}", link.name())?;
            }
            let below = self.hierarchy.children(number).len();
            if level == levels && below > 0 {
                write!(out, "  {dim}{below} below{dim:#}")?;
            }
            writeln!(out)?;
        }
        self.totals(out)
    }

    fn totals(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |role: Role| self.hierarchy.of_role(role).count();
        let deepest = (0..self.store.len() as u32).filter_map(|number| self.hierarchy.depth(number)).max();
        let parts = [
            (count(Role::Root), "root"),
            (count(Role::Intermediate), "intermediate"),
            (count(Role::EndEntity), "end entity"),
            (count(Role::Orphan), "orphan"),
            (count(Role::Duplicate), "duplicate"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| match (count, *what) {
            (1, what) => format!("1 {what}"),
            (count, "end entity") => format!("{count} end entities"),
            (count, what) => format!("{count} {what}s"),
        });
        let text = parts.collect::<Vec<_>>().join(", ");
        match deepest {
            Some(deepest) if deepest > 0 => writeln!(out, "\n{text}; maximum depth {deepest}")?,
            _ if !text.is_empty() => writeln!(out, "\n{text}")?,
            _ => {}
        }
        out.flush()
    }
}

/// Returns a certificate's short fingerprint.
fn fingerprint(record: &Record) -> String {
    Hex(record.fingerprint().get(..4).unwrap_or_default()).to_string()
}

struct Document<'d>(&'d Forest<'d>);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hierarchy = self.0.hierarchy;
        let count = |role: Role| hierarchy.of_role(role).count();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "tagwise.tree/1")?;
        map.serialize_entry("tool", concat!("tagwise ", env!("CARGO_PKG_VERSION")))?;
        map.serialize_entry("roots", &count(Role::Root))?;
        map.serialize_entry("intermediates", &count(Role::Intermediate))?;
        map.serialize_entry("end_entities", &count(Role::EndEntity))?;
        map.serialize_entry("orphans", &count(Role::Orphan))?;
        map.serialize_entry("duplicates", &count(Role::Duplicate))?;
        map.serialize_entry("certificates", &Nodes(self.0))?;
        map.end()
    }
}

struct Nodes<'d>(&'d Forest<'d>);

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        for number in self.0.walk().chain(self.0.hierarchy.of_role(Role::Duplicate)) {
            seq.serialize_element(&Node(self.0, number))?;
        }
        seq.end()
    }
}

struct Node<'d>(&'d Forest<'d>, u32);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(forest, number) = *self;
        let mut map = serializer.serialize_map(None)?;
        if let (Some(StoreEntry { der, record }), Some(found)) =
            (forest.store.get(number), forest.found.get(number as usize))
        {
            map.serialize_entry("sha256", &Hex(record.fingerprint()).to_string())?;
            map.serialize_entry("role", forest.hierarchy.role(number).map_or("", Role::name))?;
            map.serialize_entry("depth", &forest.hierarchy.depth(number))?;
            map.serialize_entry("level", &forest.hierarchy.level(number))?;
            let parent = forest.hierarchy.parent(number);
            let issuer = parent.and_then(|(parent, _)| forest.store.get(parent));
            map.serialize_entry("parent", &issuer.map(|entry| Hex(entry.record.fingerprint()).to_string()))?;
            map.serialize_entry("link", &parent.map(|(_, link)| link.name()))?;
            map.serialize_entry("children", &forest.hierarchy.children(number).len())?;
            map.serialize_entry("subject", &record.subject(der).rfc4514().extended().to_string())?;
            map.serialize_entry("issuer", &record.issuer(der).rfc4514().extended().to_string())?;
            map.serialize_entry("not_before", &record.not_before().to_string())?;
            map.serialize_entry("not_after", &record.not_after().to_string())?;
            place(&mut map, found.file, &found.item.place)?;
        }
        map.end()
    }
}
