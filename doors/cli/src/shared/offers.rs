//! The options of the selected command, so that hints mention only options that it supports.

use std::sync::OnceLock;

/// The command-line definition, and the names of the selected subcommands, outermost first.
type Chosen = (fn() -> clap::Command, Vec<String>);

/// The selected subcommand, set once before a command begins.
static CHOSEN: OnceLock<Chosen> = OnceLock::new();

/// Records the selected subcommand.
pub(crate) fn choose(line: fn() -> clap::Command, matches: &clap::ArgMatches) {
    let chain = std::iter::successors(matches.subcommand(), |(_, inner)| inner.subcommand());
    // One command, one choice: nothing was chosen before.
    let _ = CHOSEN.set((line, chain.map(|(name, _)| name.to_owned()).collect()));
}

/// Returns whether the selected command has the option with the given long name.
pub(crate) fn has(option: &str) -> bool {
    let Some((line, names)) = CHOSEN.get() else { return false };
    let mut command = line();
    // Global options become those of every subcommand.
    command.build();
    let chosen = names.iter().try_fold(&command, |command, name| command.find_subcommand(name));
    chosen.is_some_and(|chosen| chosen.get_arguments().any(|argument| argument.get_long() == Some(option)))
}
