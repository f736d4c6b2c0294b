//! `tagwise krb5 klist`.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_krb5::cache::Cache;
use tagwise_krb5::client::Moment;
use tagwise_krb5::flags::{bit, ticket};
use tagwise_krb5::show::{self, View};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};
use tagwise_pkix::name::visible;
use tagwise_show::tree::Value;

use super::environment::{Environment, read_cache, read_keytab, shown_name, unusable};
use super::output;
use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 klist
  tagwise krb5 klist -f -e /tmp/krb5cc_1000
  tagwise krb5 klist -l                    the caches of a collection
  tagwise krb5 klist -A -c DIR:/tmp/alice  their tickets
  tagwise krb5 klist -k -e /etc/krb5.keytab
  tagwise krb5 klist -s && echo there are tickets

Times are in UTC.
Exit codes: 0 listed; 1 the file is malformed, or with -s there is no valid ticket; 2 usage error; 3 the file could not be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct KlistArgs {
    /// Cache or keytab [default: that of KRB5CCNAME or KRB5_KTNAME, the configuration, or the default location]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// List a keytab
    #[arg(short = 'k', long)]
    keytab: bool,
    /// List this credential cache
    #[arg(short = 'c', long, value_name = "NAME", conflicts_with_all = ["name", "keytab"])]
    cache: Option<String>,
    /// List the caches of the collection, one per line
    #[arg(short = 'l', long, conflicts_with_all = ["keytab", "all", "silent"])]
    list_caches: bool,
    /// List the tickets of all caches of the collection
    #[arg(short = 'A', long, conflicts_with_all = ["keytab", "silent"])]
    all: bool,
    /// Show the encryption types
    #[arg(short = 'e', long)]
    enctypes: bool,
    /// Show the flags of tickets
    #[arg(short = 'f', long)]
    flags: bool,
    /// Show the configuration entries of a cache
    #[arg(short = 'C', long)]
    config: bool,
    /// Show the times of a keytab's entries
    #[arg(short = 't', long)]
    timestamps: bool,
    /// Show the keys of a keytab, in hexadecimal
    #[arg(short = 'K', long, requires = "keytab")]
    show_keys: bool,
    /// Print nothing; the exit code tells whether there is a valid ticket-granting ticket
    #[arg(short = 's', long, conflicts_with_all = ["keytab", "json"])]
    silent: bool,
    /// Print JSON (schema tagwise.krb5-klist/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Collection {
    schema: &'static str,
    caches: Vec<Document>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    file: String,
    content: Value<'static>,
}

impl KlistArgs {
    pub(super) fn list(&self, context: &Context, out: &mut dyn Write) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        if self.keytab {
            let path = environment.keytab(self.name.as_deref())?;
            let keytab = read_keytab(context, &path)?;
            return match self.json {
                true => document(out, name_of(&path), show::keytab(&keytab, self.show_keys)),
                false => self.entries(out, &path, &keytab),
            };
        }
        let name = environment.cache_name(self.cache.as_deref().or(self.name.as_deref()))?;
        if self.list_caches || self.all {
            return self.collection(&environment, &name, out);
        }
        let place = environment.cache(Some(&name))?;
        let cache = match (read_cache(&place), self.silent) {
            (Ok(cache), _) => cache,
            (Err(_), true) => return Ok(1),
            (Err(error), false) => return Err(error),
        };
        match () {
            () if self.silent => Ok(u8::from(!is_valid(&cache))),
            () if self.json => document(out, shown_name(&place), show::ccache(&cache, View::new(false))),
            () => self.tickets(out, &place, &cache),
        }
    }

    /// Lists the caches of a collection, one line each, or all their tickets.
    fn collection(&self, environment: &Environment, name: &str, out: &mut dyn Write) -> Result<u8, Failure> {
        let caches = Cache::list(name, &environment.cache_settings()).map_err(|error| unusable(&error))?;
        if caches.is_empty() {
            return Err(Failure::Said(3, format!("{}: credential cache not found", visible(name))));
        }
        let mut items = Vec::new();
        if self.list_caches && !self.json {
            writeln!(out, "{:<30} Cache name\n{:<30} ----------", "Principal name", "--------------")?;
        }
        for (at, place) in caches.iter().enumerate() {
            let cache = match place.read() {
                Ok(cache) => cache,
                Err(error) if error.is_missing() => continue,
                Err(error) => return Err(unusable(&error)),
            };
            if self.json {
                let content = show::ccache(&cache, View::new(false));
                items.push(Document { schema: "tagwise.krb5-klist/1", file: shown_name(place), content });
            } else if self.list_caches {
                let expired = if is_valid(&cache) { "" } else { " (Expired)" };
                let principal = visible(cache.principal()).to_string();
                writeln!(out, "{principal:<30.30} {}{expired}", visible(&place.name()))?;
            } else {
                if at > 0 {
                    writeln!(out)?;
                }
                self.tickets(out, place, &cache)?;
            }
        }
        if self.json {
            output::document(out, &Collection { schema: "tagwise.krb5-klist-all/1", caches: items })?;
        }
        Ok(0)
    }

    fn tickets(&self, out: &mut dyn Write, place: &Cache, cache: &Ccache) -> Result<u8, Failure> {
        writeln!(out, "Ticket cache: {}", visible(&place.name()))?;
        writeln!(out, "Default principal: {}", visible(cache.principal()))?;
        writeln!(out)?;
        writeln!(out, "{:<19}  {:<19}  Service principal", "Valid starting", "Expires")?;
        for entry in cache.entries() {
            match entry.config() {
                None => self.ticket(out, cache.principal(), entry)?,
                Some((names, value)) if self.config => {
                    let names: Vec<_> = names.iter().map(|name| String::from_utf8_lossy(name)).collect();
                    let value = String::from_utf8_lossy(value);
                    let name = match names.split_first() {
                        Some((name, of)) if !of.is_empty() => format!("{name}({})", of.join("/")),
                        _ => names.join(""),
                    };
                    writeln!(out, "config: {} = {}", visible(&name), visible(&value))?;
                }
                Some(_) => {}
            }
        }
        Ok(0)
    }

    fn ticket(&self, out: &mut dyn Write, default: &Principal, found: &Credential) -> Result<(), Failure> {
        let start = if found.start_time.0 == 0 { found.auth_time } else { found.start_time };
        let (start, end) = (show::spaced(start), show::spaced(found.end_time));
        writeln!(out, "{start}  {end}  {}", visible(&found.server))?;
        if found.client != *default {
            writeln!(out, "\tfor client {}", visible(&found.client))?;
        }
        // Two on a line, as MIT's program has them.
        let mut told = Vec::new();
        if found.renew_till.0 != 0 {
            told.push(format!("renew until {}", show::spaced(found.renew_till)));
        }
        if self.flags {
            told.push(format!("Flags: {}", letters(found.flags)));
        }
        if self.enctypes {
            let ticket = show::ticket_enc_type(found).map_or_else(|| "unknown".to_owned(), show::enc_type);
            told.push(format!("Etype (skey, tkt): {}, {ticket} ", show::enc_type(found.enc_type)));
        }
        told.chunks(2).try_for_each(|line| writeln!(out, "\t{}", line.join(", ")))?;
        Ok(())
    }

    fn entries(&self, out: &mut dyn Write, path: &Path, keytab: &Keytab) -> Result<u8, Failure> {
        writeln!(out, "Keytab name: FILE:{}", name_of(path))?;
        let (title, rule) = match self.timestamps {
            true => ("KVNO Timestamp           Principal", format!("---- ------------------- {}", "-".repeat(54))),
            false => ("KVNO Principal", format!("---- {}", "-".repeat(74))),
        };
        writeln!(out, "{title}\n{rule}")?;
        for entry in keytab.entries() {
            let time = if self.timestamps { format!("{} ", show::spaced(entry.timestamp)) } else { String::new() };
            let kind = if self.enctypes { format!(" ({}) ", show::enc_type(entry.enc_type)) } else { String::new() };
            let key = if self.show_keys { format!(" (0x{})", hex::encode(entry.key.expose())) } else { String::new() };
            writeln!(out, "{:>4} {time}{}{kind}{key}", entry.kvno, visible(&entry.principal))?;
        }
        Ok(0)
    }
}

fn document(out: &mut dyn Write, file: String, content: Value<'static>) -> Result<u8, Failure> {
    output::document(out, &Document { schema: "tagwise.krb5-klist/1", file, content })?;
    Ok(0)
}

/// Returns whether a cache contains an unexpired ticket-granting ticket of its own realm.
fn is_valid(cache: &Ccache) -> bool {
    let realm = cache.principal().realm();
    cache.find(&Principal::krbtgt(realm, realm), Moment::now().by_clock(cache.ahead_seconds()).unix).is_some()
}

/// Formats flags in the notation of MIT's `klist`, with one letter for each.
fn letters(word: u32) -> String {
    const LETTERS: &[(u8, char)] = &[
        (ticket::FORWARDABLE, 'F'),
        (ticket::FORWARDED, 'f'),
        (ticket::PROXIABLE, 'P'),
        (ticket::PROXY, 'p'),
        (ticket::MAY_POSTDATE, 'D'),
        (ticket::POSTDATED, 'd'),
        (ticket::INVALID, 'i'),
        (ticket::RENEWABLE, 'R'),
        (ticket::INITIAL, 'I'),
        (ticket::HW_AUTHENT, 'H'),
        (ticket::PRE_AUTHENT, 'A'),
        (ticket::TRANSITED_POLICY_CHECKED, 'T'),
        (ticket::OK_AS_DELEGATE, 'O'),
        (ticket::ANONYMOUS, 'a'),
    ];
    LETTERS.iter().filter(|(number, _)| word & bit(*number) != 0).map(|(_, letter)| *letter).collect()
}
