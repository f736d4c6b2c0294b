//! Installation and a smoke test in a clean Debian, as root.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::room::{Room, output, run};

/// Installs packages into a new Debian, and tries them there by `packaging/chroot`.
pub(super) fn install(room: &Room, packages: &[PathBuf]) -> Result<()> {
    if output(room.command("id").arg("-u"))?.trim() != "0" {
        bail!("a chroot needs root");
    }
    let suite = std::env::var("TAGWISE_SUITE").unwrap_or_else(|_| "bookworm".to_owned());
    let mut debstrap = room.command("mmdebstrap");
    debstrap.args(["--quiet", "--variant=minbase", "--format=null", "--aptopt=APT::Sandbox::User \"root\""]);
    let packages: Vec<String> = packages.iter().map(|package| format!("'{}'", package.display())).collect();
    let script = room.root.join("packaging/chroot");
    debstrap.arg(format!("--customize-hook=sh '{}' \"$1\" {}", script.display(), packages.join(" ")));
    run(debstrap.args([suite.as_str(), "-", "http://deb.debian.org/debian"]))
}

/// Unpacks the layers of an image layout, and runs the OCSP responder in them as the image's user.
pub(super) fn image(room: &Room, layout: &Path) -> Result<()> {
    let root = room.fresh("image")?;
    run(room.command("bash").arg(room.root.join("packaging/oci/smoke")).arg(layout).arg(&root))
}
