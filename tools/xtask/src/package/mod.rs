//! `./x package`: what users install, built from this checkout.
//!
//! Every artifact goes to one folder, `package/out` below the target directory. Nothing in one depends on the folder, the user or
//! the time of the build: paths are mapped away, and times are those of the last commit (`SOURCE_DATE_EPOCH`).

mod build;
mod chroot;
mod crates;
mod deb;
mod image;
mod python;
mod room;
mod rpm;
mod sbom;
mod stage;
mod systemd;
mod twice;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::needs::provide;
use crate::project::Project;
use room::Room;

/// Arguments of `./x package`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Artifacts to build [default: all but `query`]
    what: Vec<What>,
    /// Put the artifacts into this folder [default: package/out below the target directory]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Try the packages and the image in chroots, as root, and the wheel in a virtual environment
    #[arg(long)]
    check: bool,
    /// Build everything again from a clone in another folder, and compare the bytes
    #[arg(long, conflicts_with = "no_build")]
    twice: bool,
    /// Use the programs of an earlier run
    #[arg(long)]
    no_build: bool,
}

/// One kind of artifact.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Crates, as a registry takes them
    Crates,
    /// Debian packages
    Deb,
    /// A Debian package of `tagwise-query`, the program for SQL (many minutes)
    Query,
    /// A wheel for Python
    Wheel,
    /// A source distribution for Python
    Sdist,
    /// An OCI image with the command
    Oci,
    /// RPM packages
    Rpm,
    /// Bills of materials (CycloneDX) and licenses
    Sbom,
    /// Exposure of the systemd units
    Units,
}

/// Builds the artifacts that the arguments name; returns whether all could be built and hold what they must.
///
/// # Errors
/// A program that is missing or fails, and files that cannot be read or written.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let room = Room::new(&project.root, args.out.as_deref(), args.no_build)?;
    let all = What::value_variants();
    let is_wanted = |what: &&What| if args.what.is_empty() { **what != What::Query } else { args.what.contains(what) };
    if args.check {
        provide(project, "package/check")?;
    }
    let mut failed = Vec::new();
    let mut names = Vec::new();
    for what in all.iter().filter(is_wanted) {
        let name = what.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        println!("==> {name}");
        let needs = if *what == What::Query { "deb" } else { &name };
        if let Err(error) = provide(project, &format!("package/{needs}")) {
            eprintln!("x: {name}: {error:#}");
            failed.push(name);
            continue;
        }
        let done = match what {
            What::Crates => crates::package(&room),
            What::Deb => deb::build(&room, args.check),
            What::Query => deb::query(&room, args.check),
            What::Wheel => python::tried_wheel(&room, args.check),
            What::Sdist => python::sdist(&room, args.check),
            What::Oci => image::build(&room, args.check),
            What::Rpm => rpm::build(&room, args.check),
            What::Sbom => sbom::write(&room),
            What::Units => systemd::check(&room),
        };
        if let Err(error) = done {
            eprintln!("x: {name}: {error:#}");
            failed.push(name.clone());
        }
        names.push(name);
    }
    for line in room.listing()? {
        println!("{line}");
    }
    if !failed.is_empty() {
        bail!("could not be packaged: {}", failed.join(", "));
    }
    if args.twice {
        twice::compare(&room, &names)?;
    }
    Ok(true)
}
