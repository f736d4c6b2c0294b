//! The settings of a command from the global options.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use clap::ColorChoice;

use super::files;
use super::rules::{Allowances, Door};

/// The global options, and the options of the selected command.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// True if standard output is colored.
    pub(crate) color: bool,
    /// The maximum size of a file or of standard input, in bytes. Inputs are limited because they are held in memory.
    pub(crate) limit: u64,
    /// The rules that `--allow` names.
    pub(crate) allowed: Allowances,
    /// The long names of the selected command's options.
    offered: Vec<String>,
    /// Standard input, if [`load_again`](Self::load_again) has read it.
    stdin: Arc<OnceLock<Vec<u8>>>,
}

/// The options of every command.
#[derive(Debug, clap::Args)]
pub(crate) struct GlobalArgs {
    /// Color the output: auto, always or never; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Limit each file and standard input to this many mebibytes; `dump` and memory-mapped files are exempt
    #[arg(long, global = true, value_name = "MIB", default_value_t = files::DEFAULT_MIB, value_parser = clap::value_parser!(u64).range(1..=4096))]
    max_input: u64,
    /// Disable these rules, comma-separated; may be repeated. Commands that read accept the rules of `tagwise rules`; commands that
    /// verify also accept those of `tagwise verify --list-rules`. Sets: all, ber, pem
    #[arg(long, global = true, value_name = "RULE")]
    allow: Vec<String>,
}

impl GlobalArgs {
    /// Returns the context of a command that supports the rules of a door and the given options.
    ///
    /// # Errors
    /// Returns an error if the command does not support a rule that `--allow` names.
    pub(crate) fn context(&self, door: Door, offered: Vec<String>) -> Result<Context, String> {
        let allowed = Allowances::read(&self.allow, door)?;
        let limit = (self.max_input << 20).min(files::MOST);
        Ok(Context { color: colored(self.color), limit, allowed, offered, stdin: Arc::default() })
    }
}

/// Returns whether to color standard output.
fn colored(choice: ColorChoice) -> bool {
    use std::io::IsTerminal;
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // It considers NO_COLOR, CLICOLOR and dumb terminals.
        ColorChoice::Auto => {
            io::stdout().is_terminal() && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}

impl Context {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// Returns an error if reading fails, or the input exceeds the limit.
    pub(crate) fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        files::load(path, self.limit)
    }

    /// Reads a file or standard input like [`load`](Self::load), and keeps standard input for later calls. Files of certificates are
    /// read again for CRLs.
    ///
    /// # Errors
    /// Returns the errors of [`load`](Self::load).
    pub(crate) fn load_again(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.as_os_str() != "-" {
            return self.load(path);
        }
        if let Some(octets) = self.stdin.get() {
            return Ok(octets.clone());
        }
        let octets = self.load(path)?;
        Ok(self.stdin.get_or_init(|| octets).clone())
    }

    /// Returns the context of a command without global options.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self {
            color: false,
            limit: files::MOST,
            allowed: Allowances::default(),
            offered: Vec::new(),
            stdin: Arc::default(),
        }
    }

    /// Returns a copy whose output has colors only if it had them and the condition is true.
    pub(crate) fn colored(&self, condition: bool) -> Self {
        Self { color: self.color && condition, ..self.clone() }
    }

    /// Returns whether the selected command has the option with the given long name, so that hints mention only such options.
    pub(crate) fn offers(&self, option: &str) -> bool {
        self.offered.iter().any(|offered| offered == option)
    }
}

/// Returns the long names of the options of the selected subcommand, with the global options of the commands above it.
pub(crate) fn offered(command: &clap::Command, matches: &clap::ArgMatches) -> Vec<String> {
    // `Command::build` would copy the global options into every command, which takes longer than most commands.
    let (mut chosen, mut global) = (command, Vec::new());
    for (name, _) in std::iter::successors(matches.subcommand(), |(_, inner)| inner.subcommand()) {
        global.extend(chosen.get_arguments().filter(|argument| argument.is_global_set()));
        match chosen.find_subcommand(name) {
            Some(below) => chosen = below,
            None => return Vec::new(),
        }
    }
    chosen.get_arguments().chain(global).filter_map(clap::Arg::get_long).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    #[test]
    fn the_selected_command_offers_its_options_and_the_global_ones_above() {
        let option = |name: &'static str| Arg::new(name).long(name).num_args(1);
        let deep = Command::new("deep").arg(option("own")).arg(Arg::new("FILE"));
        let group = Command::new("group").arg(option("shared").global(true)).arg(option("local"));
        let group = group.subcommand(deep).subcommand(Command::new("sibling").arg(option("other")));
        let command = Command::new("root").arg(option("everywhere").global(true)).subcommand(group);
        let offered = |line: &[&str]| offered(&command, &command.clone().get_matches_from(line));
        assert_eq!(offered(&["root"]), ["everywhere"]);
        assert_eq!(offered(&["root", "group"]), ["shared", "local", "everywhere"]);
        assert_eq!(offered(&["root", "group", "deep", "file"]), ["own", "everywhere", "shared"]);
    }
}
