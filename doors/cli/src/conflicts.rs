//! Conflicts between arguments that are the same for every command.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::shared::output::{is_same, name_of};
use crate::shared::remote::target;

/// Options for servers, which have no effect on files.
const SERVER_OPTIONS: [(&str, &str); 2] =
    [("servername", "--servername"), ("client_certificate", "--client-certificate")];

/// Returns the first conflict among the arguments of the selected subcommand.
pub(crate) fn find(matches: &ArgMatches) -> Option<String> {
    let (mut chosen, mut name) = (matches, "");
    while let Some((inner, below)) = chosen.subcommand() {
        (chosen, name) = (below, inner);
    }
    // Conversion keeps the content, and may be in place.
    let has_other_content = !matches!(name, "convert" | "edit");
    let is_ca = matches.subcommand_name() == Some("ca");
    let of_ca = is_ca.then(|| lost_output(chosen)).flatten();
    of_ca.or_else(|| has_other_content.then(|| lost_input(chosen)).flatten()).or_else(|| idle_server_option(chosen))
}

/// Returns the values of an argument that the user gave.
fn given<'m>(matches: &'m ArgMatches, id: &str) -> impl Iterator<Item = &'m OsStr> {
    let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
    matches.try_get_raw(id).ok().flatten().filter(|_| is_given).into_iter().flatten()
}

/// An output that replaces an input: the input would be lost.
fn lost_input(matches: &ArgMatches) -> Option<String> {
    if matches!(matches.try_get_one::<bool>("force"), Ok(Some(true))) {
        return None;
    }
    let is_path = |id: &&str| matches.try_get_many::<PathBuf>(id).is_ok();
    let ids: Vec<&str> = matches.ids().map(clap::Id::as_str).filter(is_path).collect();
    let outputs = || ids.iter().filter(|id| OUTPUTS.contains(id)).flat_map(|id| given(matches, id)).map(Path::new);
    let mut inputs = ids.iter().filter(|id| !OUTPUTS.contains(id)).flat_map(|id| given(matches, id)).map(Path::new);
    let lost = inputs.find(|input| input.is_file() && outputs().any(|output| is_same(input, output)))?;
    let force = if matches.try_contains_id("force").is_ok() { "; --force replaces it" } else { "" };
    Some(format!("{}: is an input, and the output would replace it{force}", name_of(lost)))
}

/// The options that name an output file.
const OUTPUTS: [&str; 11] = [
    "output",
    "out",
    "key_out",
    "public",
    "mtc_output",
    "new_with_old",
    "old_with_new",
    "access_log",
    "html",
    "parquet",
    "arrow",
];

/// The options of `ca` that name a database.
const DATABASES: [&str; 2] = ["db", "new_db"];

/// The endings of the files that SQLite creates beside a database.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// An output of `ca` that replaces another one, or a file of the CA's database.
fn lost_output(matches: &ArgMatches) -> Option<String> {
    let ids = OUTPUTS.iter().filter(|id| matches.try_contains_id(id).is_ok());
    let outputs = ids.flat_map(|id| given(matches, id)).map(Path::new).filter(|path| *path != Path::new("-"));
    let outputs: Vec<&Path> = outputs.collect();
    let is_taken = |(at, output): &(usize, &&Path)| outputs.iter().take(*at).any(|other| is_same(other, output));
    if let Some((_, output)) = outputs.iter().enumerate().find(is_taken) {
        return Some(format!("{} is the file of two outputs, expected different ones", name_of(output)));
    }
    let named = DATABASES.iter().filter_map(|id| matches.try_get_raw(id).ok().flatten()).flatten();
    let beside =
        |db: &OsStr| BESIDE.map(|ending| PathBuf::from([db, OsStr::new(ending)].into_iter().collect::<OsString>()));
    let own: Vec<PathBuf> = named.flat_map(beside).collect();
    let lost = outputs.iter().find(|output| own.iter().any(|file| is_same(file, output)))?;
    Some(format!("{} is a file of the CA's database, which the output would replace", name_of(lost)))
}

/// An option for servers without a server.
fn idle_server_option(matches: &ArgMatches) -> Option<String> {
    let (_, option) = SERVER_OPTIONS
        .iter()
        .find(|(id, _)| matches.try_contains_id(id).is_ok() && given(matches, id).next().is_some())?;
    let mut all = matches.ids().flat_map(|id| given(matches, id.as_str()));
    let is_used = all.any(|value| target(Path::new(value)).is_some());
    (!is_used).then(|| format!("{option} is for servers, such as tls://www.example.org:443"))
}
