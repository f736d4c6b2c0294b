//! The page with the figures, and the one figure of it that README quotes.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use xshell::cmd;

use super::chroot::{Chroot, Cost};
use crate::project::{Project, read};

pub(super) const PAGE: &str = "bench/results/newcomer.md";
/// The step of README whose CPU time README quotes, and the words around the number.
const QUOTED: (&str, &str, &str) = ("A demo", "the demo needs ", " seconds of CPU time");

/// A row of a table.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) cost: Cost,
    /// In megabytes, where something is kept.
    pub(super) size: String,
}

/// What README installs: its name, the file, and the largest size that is wanted, in megabytes.
const INSTALLED: &[(&str, &str, u32)] = &[
    ("`tagwise`, the command", "/root/.cargo/bin/tagwise", 20),
    ("the Python package, compressed as in a wheel", "/root/package.zip", 5),
    ("`libtagwise.so`", "/root/.local/lib/libtagwise.so.*.0", 8),
    ("`libtagwise.a`", "/root/.local/lib/libtagwise.a", 8),
];

/// Sizes of what README installs, as rows of a table.
pub(super) fn installed(chroot: &Chroot) -> Result<String> {
    chroot.succeed("/root/venv/lib", "cd python3*/site-packages\npython3 -m zipfile -c /root/package.zip tagwise")?;
    let mut table = String::new();
    for (name, file, aim) in INSTALLED {
        table += &format!("| {name} | {} | {aim} |\n", megabytes(chroot.size(file)?));
    }
    Ok(table)
}

/// Writes the page, and the number in README.
pub(super) fn write(project: &Project, readme: &[Row], installed: &str, programs: &[Row]) -> Result<()> {
    let Project { sh, root, .. } = project;
    let date = read(cmd!(sh, "git log -1 --format=%cs"))?;
    let rust = read(cmd!(sh, "rustc --version"))?;
    let rust = rust.split(' ').nth(1).unwrap_or_default();
    let cores = std::thread::available_parallelism()?;
    let mut page = format!(
        "# The first minutes\n\n\
         README.md, followed in a new Debian with nothing but Rust {rust} and what README names, from a clone of {date}; {cores} cores, which other\n\
         work shares: compare the CPU time (user and system, of all processes). Made by `./x newcomer --peers`.\n\n\
         | step of README | CPU, s | wall, s |\n|---|--:|--:|\n"
    );
    for Row { name, cost, .. } in readme {
        page += &format!("| {name} | {:.1} | {:.1} |\n", cost.cpu, cost.wall);
    }
    page += &format!("\n| installed by it | size, MB | aim |\n|---|--:|--:|\n{installed}");
    page += "\nThe same task for other libraries: `cargo build --release` in an empty folder, downloads excluded. Each program prints the subject and the\n\
             validity of a PEM certificate, or checks its name (rustls-webpki). The size is that of the stripped program. `pip install` of\n\
             cryptography is from source, but its build tools are not: with `--no-binary :all:`, pip would first compile maturin.\n\n\
             | program | CPU, s | wall, s | size, MB |\n|---|--:|--:|--:|\n";
    for Row { name, cost, size } in programs {
        page += &format!("| {name} | {:.1} | {:.1} | {size} |\n", cost.cpu, cost.wall);
    }
    let text = fs::read_to_string(root.join("README.md"))?;
    fs::write(root.join("README.md"), quoted(&text, &page)?)?;
    Ok(fs::write(root.join(PAGE), page)?)
}

/// README with the number that the page has.
fn quoted(readme: &str, page: &str) -> Result<String> {
    let (step, before, after) = QUOTED;
    let row = page.lines().find_map(|line| line.strip_prefix("| ")?.strip_prefix(step)?.strip_prefix(" | "));
    let number: f64 =
        row.and_then(|row| row.split(' ').next()?.parse().ok()).with_context(|| format!("no row `{step}`"))?;
    let (head, rest) = readme.split_once(before).with_context(|| format!("README has no `{before}`"))?;
    let (_, tail) = rest.split_once(after).with_context(|| format!("README has no `{after}`"))?;
    Ok(format!("{head}{before}{number:.0}{after}{tail}"))
}

/// Checks that README quotes what the page has.
pub(crate) fn hold(root: &Path) -> Result<()> {
    let (readme, page) = (fs::read_to_string(root.join("README.md"))?, fs::read_to_string(root.join(PAGE))?);
    ensure!(quoted(&readme, &page)? == readme, "README.md does not quote {PAGE} ({}…{})", QUOTED.1, QUOTED.2);
    Ok(())
}

/// Bytes as megabytes, with two digits.
pub(super) fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readme_quotes_the_page() {
        let page = "| step | CPU |\n|---|--:|\n| A demo | 51.6 | 30.0 |\n";
        let readme = "x, the demo needs 40 seconds of CPU time, y";
        assert_eq!(quoted(readme, page).unwrap(), "x, the demo needs 52 seconds of CPU time, y");
        assert!(quoted("x", page).is_err() && quoted(readme, "| Another | 1.0 |\n").is_err());
    }

    #[test]
    fn sizes_have_two_digits() {
        assert_eq!(megabytes(2_982_304), "2.98");
    }
}
