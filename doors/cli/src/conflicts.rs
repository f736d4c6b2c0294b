//! Conflicts between arguments that are the same for every command.

use std::ffi::OsStr;
use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::shared::output::{is_same, name_of};
use crate::shared::remote::target;

/// Options for servers, which have no effect on files.
const SERVER_OPTIONS: [(&str, &str); 2] =
    [("servername", "--servername"), ("client_certificate", "--client-certificate")];

/// Returns the first conflict among the arguments of the selected subcommand.
pub(crate) fn find(matches: &ArgMatches) -> Option<String> {
    let chosen = std::iter::successors(Some(matches), |matches| Some(matches.subcommand()?.1)).last()?;
    // Conversion keeps the content, and may be in place.
    let has_other_content = matches!(matches.subcommand_name(), Some("cms" | "tsp"));
    has_other_content.then(|| lost_input(chosen)).flatten().or_else(|| idle_server_option(chosen))
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
    let is_output = |id: &str| id == "output" || id == "out";
    let ids: Vec<&str> = matches.ids().map(clap::Id::as_str).collect();
    let outputs = || ids.iter().filter(|id| is_output(id)).flat_map(|id| given(matches, id)).map(Path::new);
    let mut inputs = ids.iter().filter(|id| !is_output(id)).flat_map(|id| given(matches, id)).map(Path::new);
    let lost = inputs.find(|input| input.is_file() && outputs().any(|output| is_same(input, output)))?;
    let force = if matches.try_contains_id("force").is_ok() { "; --force replaces it" } else { "" };
    Some(format!("{}: is an input, and the output would replace it{force}", name_of(lost)))
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
