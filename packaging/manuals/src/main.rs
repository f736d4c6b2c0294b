//! Writes the manual pages and shell completions of the command `tagwise`: `tagwise-manuals FOLDER`.
//!
//! They are written to the paths where packages install them, with FOLDER instead of `/usr`. This is a separate program so
//! that the command does not include the generators.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap_complete::{Shell, generate_to};

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).context("usage: tagwise-manuals FOLDER")?;
    write(&folder)
}

/// Writes all files below a folder, which need not exist.
fn write(folder: &Path) -> Result<()> {
    let share = folder.join("share");
    let made = |name: &str| {
        let folder = share.join(name);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        anyhow::Ok(folder)
    };
    clap_mangen::generate_to(tagwise_cli::command(), made("man/man1")?)?;
    // Bash loads completions by the command's name, without a suffix.
    let bash = made("bash-completion/completions")?;
    let written = generate_to(Shell::Bash, &mut tagwise_cli::command(), "tagwise", &bash)?;
    fs::rename(written, bash.join("tagwise"))?;
    generate_to(Shell::Zsh, &mut tagwise_cli::command(), "tagwise", made("zsh/vendor-completions")?)?;
    generate_to(Shell::Fish, &mut tagwise_cli::command(), "tagwise", made("fish/vendor_completions.d")?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    /// Names of a command's pages: its own and those of its subcommands, by their full names with hyphens.
    fn pages(command: &clap::Command, name: &str, found: &mut Vec<String>) {
        found.push(format!("{name}.1"));
        for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
            pages(inner, &format!("{name}-{}", inner.get_name()), found);
        }
    }

    #[test]
    fn every_command_has_a_page_and_completions() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        let share = folder.path().join("share");
        let mut command = tagwise_cli::command();
        command.build();
        let mut wanted = Vec::new();
        pages(&command, "tagwise", &mut wanted);
        for page in wanted.iter().filter(|page| !page.ends_with("-help.1") && !page.contains("-help-")) {
            let text = fs::read_to_string(share.join("man/man1").join(page)).unwrap();
            assert!(text.contains(".SH NAME"), "{page}");
        }
        assert!(wanted.contains(&"tagwise-ca-issue.1".to_owned()), "{wanted:?}");
        for file in [
            "bash-completion/completions/tagwise",
            "zsh/vendor-completions/_tagwise",
            "fish/vendor_completions.d/tagwise.fish",
        ] {
            let text = fs::read_to_string(share.join(file)).unwrap();
            for inner in command.get_subcommands() {
                assert!(text.contains(inner.get_name()), "{file}: {}", inner.get_name());
            }
        }
    }

    #[test]
    fn nothing_depends_on_the_day() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(one.path()).unwrap();
        write(two.path()).unwrap();
        let page = "share/man/man1/tagwise-verify.1";
        let read = |folder: &tempfile::TempDir| fs::read_to_string(folder.path().join(page)).unwrap();
        assert_eq!(read(&one), read(&two));
        // The heading would hold a date between the section and the source.
        assert!(read(&one).lines().any(|line| line.starts_with(".TH") && line.contains(" 1 ")), "{}", read(&one));
    }
}
