//! Installation and a smoke test in a clean Debian, as root.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::room::{Room, need, output, run};

/// Installs packages into a new chroot, and runs `packaging/smoke` there as root and as another user.
pub(super) fn install(room: &Room, packages: &[PathBuf]) -> Result<()> {
    need(&["mmdebstrap"], "mmdebstrap")?;
    if output(room.command("id").arg("-u"))?.trim() != "0" {
        bail!("a chroot needs root");
    }
    let suite = std::env::var("TAGWISE_SUITE").unwrap_or_else(|_| "bookworm".to_owned());
    let mut debstrap = room.command("mmdebstrap");
    debstrap.args(["--quiet", "--variant=minbase", "--format=null", "--aptopt=APT::Sandbox::User \"root\""]);
    debstrap.arg("--customize-hook=mkdir \"$1/packages\"");
    for package in packages {
        debstrap.arg(format!("--customize-hook=cp '{}' \"$1/packages/\"", package.display()));
    }
    let smoke = room.root.join("packaging/smoke");
    let leaf = room.root.join("bindings/c/examples/print_certificate.c");
    debstrap.arg(format!("--customize-hook=cp '{}' '{}' \"$1/packages/\"", smoke.display(), leaf.display()));
    let apt = "DEBIAN_FRONTEND=noninteractive chroot \"$1\" apt-get install -qq -y --no-install-recommends";
    debstrap.arg(format!("--customize-hook={apt} /packages/*.deb gcc libc6-dev pkg-config >/dev/null"));
    debstrap.arg("--customize-hook=chroot \"$1\" sh /packages/smoke");
    debstrap
        .arg("--customize-hook=chroot \"$1\" setpriv --reuid=65534 --regid=65534 --clear-groups sh /packages/smoke");
    // They can be removed again, and the libraries' cache follows.
    debstrap
        .arg("--customize-hook=chroot \"$1\" apt-get purge -qq -y '^tagwise' '^libtagwise' python3-tagwise >/dev/null");
    debstrap.arg("--customize-hook=test ! -e \"$1/usr/bin/tagwise\"");
    run(debstrap.args([suite.as_str(), "-", "http://deb.debian.org/debian"]))
}

/// Unpacks the layers of an image layout, and runs the OCSP responder in them as the image's user.
pub(super) fn image(room: &Room, layout: &Path) -> Result<()> {
    let root = room.fresh("image")?;
    run(room.command("bash").arg(room.root.join("packaging/oci/smoke")).arg(layout).arg(&root))
}
