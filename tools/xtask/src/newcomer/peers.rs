//! Programs that read a certificate, with Tagwise and with other libraries, as a newcomer builds them.

use std::fs;

use anyhow::{Result, ensure};

use super::chroot::Chroot;
use super::page::{Row, megabytes};
use crate::project::Project;

/// What is built.
pub(super) struct Program {
    pub(super) name: &'static str,
    how: How,
}

enum How {
    /// A new project with this `main.rs`, which prints the text, and what `cargo add` is called with.
    Cargo(&'static str, &'static str, &'static [&'static str]),
    /// Commands in the clone, of which the second is measured, and the file that it installs.
    Shell(&'static str, &'static str, &'static str),
    /// A Python package from source, the Debian packages that it needs, and its extension.
    Pip(&'static str, &'static str, &'static str),
}

use How::{Cargo, Pip, Shell};

const LEAF: &str = "/root/tagwise/docs/samples/leaf.pem";
/// The subject of [`LEAF`].
const SUBJECT: &str = "www.example.com";

pub(super) const ALL: &[Program] = &[
    program("Tagwise", Cargo("bench/newcomer/tagwise.rs", SUBJECT, &["tagwise --path /root/tagwise/doors/facade"])),
    program(
        "Tagwise, own types",
        Cargo(
            "doors/facade/examples/own_types.rs",
            "",
            &["tagwise --path /root/tagwise/doors/facade --no-default-features --features derive,std"],
        ),
    ),
    program(
        "Tagwise, a CA and a leaf",
        Cargo(
            "doors/facade/examples/issue.rs",
            "CERTIFICATE",
            &["tagwise --path /root/tagwise/doors/facade --features ca"],
        ),
    ),
    program(
        "`libtagwise.so`, `--features x509`",
        Shell(
            // A folder of its own, as if nothing but `./x` had been built.
            "CARGO_TARGET_DIR=/root/small ./x help",
            "CARGO_TARGET_DIR=/root/small ./x c install --features x509 --prefix /root/small/usr",
            "/root/small/usr/lib/libtagwise.so.*.0",
        ),
    ),
    program("x509-parser", Cargo("bench/newcomer/x509-parser.rs", SUBJECT, &["x509-parser@0.18"])),
    program("x509-cert", Cargo("bench/newcomer/x509-cert.rs", SUBJECT, &["x509-cert@0.3 --features pem"])),
    program(
        "rasn, rasn-pkix",
        Cargo("bench/newcomer/rasn.rs", SUBJECT, &["rasn@0.30", "rasn-pkix@0.30", "pem-rfc7468@0.7 --features alloc"]),
    ),
    program("rustls-webpki", Cargo("bench/newcomer/webpki.rs", SUBJECT, &["rustls-webpki@0.103", "rustls-pki-types"])),
    program(
        "cryptography (Python)",
        Pip(
            "cryptography",
            "libssl-dev libffi-dev python3-dev",
            "/root/cryptography/lib/python3*/site-packages/cryptography/hazmat/bindings/_rust.abi3.so",
        ),
    ),
];

const fn program(name: &'static str, how: How) -> Program {
    Program { name, how }
}

impl Program {
    /// Builds the program, and checks that it works. What is downloaded first is not measured.
    pub(super) fn measure(&self, project: &Project, chroot: &Chroot) -> Result<Row> {
        let name = self.name.to_owned();
        match self.how {
            Cargo(source, prints, dependencies) => {
                let new: String = dependencies.iter().map(|words| format!("cargo add --quiet {words}\n")).collect();
                let prepare = format!(
                    "rm -rf program\ncargo new --quiet program\ncd program\n{new}printf '[profile.release]\\nstrip = true\\n' >>Cargo.toml\ncargo fetch --quiet"
                );
                chroot.succeed("/root", &prepare)?;
                fs::copy(project.root.join(source), chroot.path("/root/program/src/main.rs"))?;
                let (_, cost) = chroot.succeed("/root/program", "cargo build --release")?;
                let (printed, _) = chroot.succeed("/root", &format!("program/target/release/program {LEAF}"))?;
                ensure!(printed.contains(prints), "{source} printed no {prints}:\n{printed}");
                Ok(Row { name, cost, size: megabytes(chroot.size("/root/program/target/release/program")?) })
            }
            Shell(prepare, script, file) => {
                chroot.succeed("/root/tagwise", prepare)?;
                let (_, cost) = chroot.succeed("/root/tagwise", script)?;
                Ok(Row { name, cost, size: megabytes(chroot.size(file)?) })
            }
            Pip(package, debian, extension) => {
                let prepare = format!("apt-get install --quiet {debian}\nrm -rf {package}\npython3 -m venv {package}");
                chroot.succeed("/root", &prepare)?;
                let install = format!("{package}/bin/pip install --no-cache-dir --no-binary {package} {package}");
                let (_, cost) = chroot.succeed("/root", &install)?;
                chroot.succeed("/root", &format!("{package}/bin/python -c 'import {package}.x509'"))?;
                Ok(Row { name, cost, size: megabytes(chroot.size(extension)?) })
            }
        }
    }
}
