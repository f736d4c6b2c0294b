//! `tagwise localkdc setup`.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tagwise_localkdc::setup::{Change, Setup, Step};

use super::{RootArgs, failed, json};
use crate::shared::output::{Failure, name_of};

pub(super) const ABOUT: &str = "\
Create a realm: its database, certificates, configuration and systemd units.

A second setup changes only what differs from the intended state. An existing policy is used unchanged. Files from elsewhere are \
never replaced: the setup names them and ends before it changes anything.";

#[derive(Debug, clap::Args)]
pub(crate) struct SetupArgs {
    #[command(flatten)]
    place: RootArgs,
    /// Print what would be created, without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Port on 127.0.0.1 to listen on, for MIT Kerberos before 1.22 [default: 88, or a free port with --prefix]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Shared object that the KDC loads [default: libtagwise_localkdc.so beside this program]
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// Program that checks passwords [default: localkdc-pam-auth beside this program]
    #[arg(long, value_name = "FILE")]
    daemon: Option<PathBuf>,
}

/// The system's client configuration.
const KRB5_CONF: &str = "/etc/krb5.conf";

/// Returns whether a configuration includes the files in a folder.
fn includes(text: &str, folder: &Path) -> bool {
    let included = text.lines().filter_map(|line| line.trim().strip_prefix("includedir"));
    included.filter(|rest| rest.starts_with([' ', '\t'])).any(|rest| Path::new(rest.trim()) == folder)
}

#[derive(Serialize)]
struct Made<'a> {
    realm: &'a str,
    dry_run: bool,
    steps: Vec<Step>,
}

impl SetupArgs {
    pub(super) fn setup(self, out: &mut dyn Write) -> Result<u8, Failure> {
        let layout = self.place.layout()?;
        let beside = || std::env::current_exe().unwrap_or_default().with_file_name("localkdc-pam-auth");
        let daemon = self.daemon.unwrap_or_else(beside);
        let daemon = std::path::absolute(&daemon).unwrap_or(daemon);
        let setup = Setup { layout: layout.clone(), port: self.port, module: self.module, daemon };
        let plan = setup.plan().map_err(|error| failed(&error))?;
        let (realm, steps) = (plan.realm().to_owned(), plan.steps().to_vec());
        if !self.dry_run {
            plan.apply().map_err(|error| failed(&error))?;
        }
        if self.place.json {
            json("tagwise.localkdc-setup/1", &Made { realm: &realm, dry_run: self.dry_run, steps }, out)?;
            return Ok(0);
        }
        let mut kept = 0;
        for step in &steps {
            match step.change {
                Change::Keep => kept += 1,
                change => writeln!(out, "{change:<7} {}  ({})", name_of(&step.path), step.what)?,
            }
        }
        if kept > 0 {
            writeln!(out, "{kept} are unchanged")?;
        }
        if self.dry_run {
            writeln!(out, "Nothing was changed.")?;
        } else if layout.is_system() {
            writeln!(out, "The realm {realm} is ready. Start it:")?;
            writeln!(
                out,
                "  systemctl daemon-reload && systemctl enable --now localkdc-radius.socket localkdc.service localkdc-rotate.timer"
            )?;
            let snippet = layout.snippet();
            let folder = snippet.parent().unwrap_or(&snippet);
            if !includes(&std::fs::read_to_string(KRB5_CONF).unwrap_or_default(), folder) {
                writeln!(
                    out,
                    "Clients find it once {KRB5_CONF} begins with this line:\n  includedir {}",
                    folder.display()
                )?;
            }
        } else {
            writeln!(out, "The realm {realm} is ready. Start it:")?;
            writeln!(
                out,
                "  {} --config {} --socket {} &",
                setup.daemon.display(),
                layout.policy().display(),
                layout.radius().display()
            )?;
            let environment = [
                ("KRB5_CONFIG", layout.krb5_conf()),
                ("KRB5_KDC_PROFILE", layout.kdc_conf()),
                ("LOCALKDC_CONFIG", layout.policy()),
            ];
            for (name, value) in environment {
                writeln!(out, "  export {name}={}", value.display())?;
            }
            writeln!(out, "  krb5kdc -n -r {realm} &")?;
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_folders() {
        let folder = Path::new("/etc/krb5.conf.d");
        assert!(includes("[libdefaults]\n\nincludedir  /etc/krb5.conf.d/\n", folder));
        for other in [
            "",
            "# includedir /etc/krb5.conf.d",
            "includedir /etc/other",
            "includedirs /etc/krb5.conf.d",
            "include /etc/krb5.conf.d",
        ] {
            assert!(!includes(other, folder), "{other}");
        }
    }
}
