//! `./x install`: the command with its manual pages and completions, and what `tagwise localkdc` needs.

use std::path::PathBuf;

use anyhow::Result;
use xshell::cmd;

use crate::needs::provide;
use crate::project::{Project, run};

#[derive(clap::Args)]
pub(crate) struct Install {
    /// Folder from which the files will be used
    #[arg(long, value_name = "DIR", default_value = "/usr/local")]
    prefix: PathBuf,
    /// Folder to prepend to every written path, for packages
    #[arg(long, value_name = "DIR")]
    destdir: Option<PathBuf>,
}

impl Install {
    /// Builds everything, then installs it.
    pub(crate) fn run(&self, project: &Project) -> Result<()> {
        provide(project, "install")?;
        let Project { sh, locked, here, target, .. } = project;
        let prefix = here.join(&self.prefix);
        let base = match &self.destdir {
            Some(folder) => here.join(folder).join(prefix.strip_prefix("/").unwrap_or(&prefix)),
            None => prefix,
        };
        run(cmd!(
            sh,
            "cargo build {locked...} --release -p tagwise-cli -p tagwise-localkdc -p tagwise-manuals --features tagwise-localkdc/pam"
        ))?;
        let programs =
            ["tagwise", "localkdc-pam-auth", "localkdc-pam-check"].map(|name| target.join("release").join(name));
        run(cmd!(sh, "install -D -s -m 755 -t {base}/bin {programs...}"))?;
        run(cmd!(sh, "install -D -s -m 755 -t {base}/lib/tagwise {target}/release/libtagwise_localkdc.so"))?;
        run(cmd!(sh, "install -D -m 644 -t {base}/share/man/man5 docs/man/localkdc.toml.5"))?;
        run(cmd!(
            sh,
            "install -D -m 644 -t {base}/share/man/man8 docs/man/localkdc-pam-auth.8 docs/man/localkdc-pam-check.8"
        ))?;
        let written = project.scratch()?.join("manuals");
        run(cmd!(sh, "{target}/release/tagwise-manuals {written}"))?;
        // Where zsh looks below /usr/local; the other folder is for packages of Debian.
        let zsh = written.join("share/zsh");
        std::fs::rename(zsh.join("vendor-completions"), zsh.join("site-functions"))?;
        run(cmd!(sh, "cp -r {written}/share {base}"))?;
        println!(
            "x: installed below {}: bin/tagwise, bin/localkdc-pam-auth, bin/localkdc-pam-check, lib/tagwise/libtagwise_localkdc.so, \
             manual pages in share/man, completions for bash, zsh and fish",
            base.display()
        );
        Ok(())
    }
}
