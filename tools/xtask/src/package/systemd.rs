//! The systemd units of the servers: templates in `packaging/systemd`, which share one list of restrictions.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::room::{Room, files, output};
use super::stage::put;

/// Highest exposure that `systemd-analyze security` may report: from 0 to 10, where 10 is a service without restrictions.
const MOST: f64 = 3.0;

/// Writes the units and the user that they run as.
pub(super) fn install(room: &Room, stage: &Path) -> Result<()> {
    let folder = room.root.join("packaging/systemd");
    let shared = fs::read_to_string(folder.join("hardening.conf"))?;
    let units = stage.join("usr/lib/systemd/system");
    fs::create_dir_all(&units)?;
    for template in files(&folder, ".service.in")? {
        let name = template.file_stem().context("a unit without a name")?;
        fs::write(units.join(name), filled(&fs::read_to_string(&template)?, &shared))?;
    }
    put(&folder.join("tagwise.sysusers"), &stage.join("usr/lib/sysusers.d/tagwise.conf"), 0o644)
}

fn filled(template: &str, shared: &str) -> String {
    template.replace("@HARDENING@\n", &format!("{shared}\n"))
}

/// Rates each unit.
pub(super) fn check(room: &Room) -> Result<()> {
    let stage = room.fresh("units")?;
    install(room, &stage)?;
    let mut exposed = Vec::new();
    for unit in files(&stage.join("usr/lib/systemd/system"), ".service")? {
        let report = output(room.command("systemd-analyze").args(["security", "--offline=true"]).arg(&unit))?;
        let level = exposure(&report).with_context(|| format!("{}: no exposure level", unit.display()))?;
        println!("{level:>4}  {}", unit.display());
        if level > MOST {
            exposed.push(unit.display().to_string());
        }
    }
    if exposed.is_empty() { Ok(()) } else { bail!("exposure above {MOST}: {}", exposed.join(", ")) }
}

/// The number in the last line: `→ Overall exposure level for a.service: 1.5 OK 🙂`.
fn exposure(report: &str) -> Option<f64> {
    let (_, level) = report.lines().last()?.split_once("exposure level for ")?.1.split_once(": ")?;
    level.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exposure_is_the_last_line_s() {
        let report = "  NAME  DESCRIPTION\n✗ User=  root\n\n→ Overall exposure level for a@i.service: 1.5 OK 🙂\n";
        assert_eq!(exposure(report), Some(1.5));
        assert_eq!(exposure(""), None);
        assert_eq!(exposure("→ Overall exposure level for a.service: unknown"), None);
    }

    #[test]
    fn every_unit_has_the_restrictions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/systemd");
        let shared = fs::read_to_string(folder.join("hardening.conf")).unwrap();
        let units = files(&folder, ".service.in").unwrap();
        assert!(units.len() >= 5);
        for unit in units {
            let text = filled(&fs::read_to_string(&unit).unwrap(), &shared);
            assert!(
                text.contains("\nNoNewPrivileges=yes\n") && !text.contains('@') | text.contains("@system"),
                "{text}"
            );
        }
    }
}
