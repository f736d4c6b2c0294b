//! `./x quick`: the checks of what changed, and of what depends on it.

use anyhow::Result;
use xshell::cmd;

use crate::changed::{changed, dependents};
use crate::lint::clippy;
use crate::needs::provide;
use crate::project::{Project, misuse, run};
use crate::runner;
use crate::steps::Steps;
use crate::workspace::{self, Package};

pub(crate) fn quick(project: &Project, crates: &[String]) -> Result<bool> {
    provide(project, "quick")?;
    let packages = workspace::packages(project)?;
    let chosen = if crates.is_empty() { changed(project, &packages)? } else { named(crates, &packages)? };
    if chosen.is_empty() {
        println!("x quick: no crate of the workspace changed; name one to check it");
        return Ok(true);
    }
    let dependent = dependents(&packages, &chosen);
    let listed = if dependent.is_empty() { "none".to_owned() } else { dependent.join(" ") };
    println!("changed:    {}\ndependents: {listed}", chosen.join(" "));
    let libraries: Vec<String> = packages
        .into_iter()
        .filter(|package| package.library && dependent.contains(&package.name))
        .map(|package| package.name)
        .collect();

    let sh = &project.sh;
    let mut steps = Steps::new(project, "x quick");
    steps.step("format", || run(cmd!(sh, "cargo fmt --all --check")));
    let all: Vec<String> = chosen.iter().chain(&dependent).cloned().collect();
    steps.step("clippy", || clippy(project, &flags(&all, &["--all-targets", "--all-features"])));
    steps.step("tests of what changed", || runner::run(project, &flags(&chosen, &["--all-features"])));
    if !libraries.is_empty() {
        let arguments = flags(&libraries, &["--all-features", "--lib"]);
        steps.step("unit tests of what depends on it", || runner::run(project, &arguments));
    }
    steps.summary()
}

/// The packages that a user means by `codec` or `tagwise-codec`.
fn named(crates: &[String], packages: &[Package]) -> Result<Vec<String>> {
    let full = |name: &String| {
        let short = name.strip_prefix("tagwise-").unwrap_or(name);
        let full = if short == "tagwise" { short.to_owned() } else { format!("tagwise-{short}") };
        let known = packages.iter().any(|package| package.name == full);
        if known { Ok(full) } else { Err(misuse(format_args!("no crate {full} in the workspace"))) }
    };
    crates.iter().map(full).collect()
}

/// `-p NAME` for each package, then the other arguments.
fn flags<'a>(packages: &'a [String], others: &[&'a str]) -> Vec<&'a str> {
    packages.iter().flat_map(|name| ["-p", name]).chain(others.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_named_with_or_without_prefix() {
        let packages = ["tagwise", "tagwise-codec"].map(|name| Package {
            name: name.to_owned(),
            folder: "".into(),
            library: true,
            dependencies: Vec::new(),
        });
        let of = |name: &str| named(&[name.to_owned()], &packages).map_err(|error| error.to_string());
        assert_eq!(of("codec").unwrap(), ["tagwise-codec"]);
        assert_eq!(of("tagwise-codec").unwrap(), ["tagwise-codec"]);
        assert_eq!(of("tagwise").unwrap(), ["tagwise"]);
        assert_eq!(of("none").unwrap_err(), "no crate tagwise-none in the workspace; see ./x help");
    }

    #[test]
    fn each_package_has_its_flag() {
        assert_eq!(flags(&["a".to_owned(), "b".to_owned()], &["--lib"]), ["-p", "a", "-p", "b", "--lib"]);
    }
}
