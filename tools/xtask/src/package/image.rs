//! The OCI image: one layer with the command and the shared libraries that it needs, written without a daemon.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::needs::program;

use super::room::{Room, output, run};
use super::sbom::Artifact;
use super::stage::{licenses, put};
use super::{build, chroot};

/// The user of the image, as distroless images have it.
const USER: &str = "65532:65532";

/// Builds the image's layout, and an archive of it.
pub(super) fn build(room: &Room, check: bool) -> Result<()> {
    let folder = room.fresh("oci")?;
    let layer = layer(room, &folder)?;
    let layout = folder.join("layout");
    write(room, &layout, &layer)?;
    let archive = room.out.join(format!("tagwise-{}.oci.tar", room.version));
    tar(room, &layout, &archive)?;
    // The same files for builders that read a Containerfile.
    put(&room.root.join("packaging/oci/Containerfile"), &folder.join("Containerfile"), 0o644)?;
    if output(room.command("sh").args(["-c", "command -v skopeo || true"]))?.is_empty() {
        println!("skopeo is missing: the layout was not inspected");
    } else {
        let about =
            output(room.command("skopeo").arg("inspect").arg(format!("oci:{}:{}", layout.display(), room.version)))?;
        println!("skopeo: {} bytes about {}", about.len(), room.version);
    }
    if !check {
        return Ok(());
    }
    chroot::image(room, &layout)?;
    containerfile(room, &folder)
}

/// Builds the image from the Containerfile, and runs the command in a container. `chroot` isolation needs no container runtime.
fn containerfile(room: &Room, folder: &Path) -> Result<()> {
    if program("buildah").is_none() {
        println!("buildah is missing: the Containerfile was not built");
        return Ok(());
    }
    let storage = room.fresh("containers")?;
    let buildah = |arguments: &[&str]| {
        let mut command = room.command("buildah");
        command.arg("--root").arg(storage.join("root")).arg("--runroot").arg(storage.join("run"));
        output(command.args(["--storage-driver", "vfs"]).args(arguments))
    };
    let image = format!("localhost/tagwise:{}", room.version);
    buildah(&["build", "--isolation", "chroot", "--quiet", "--tag", &image, &folder.to_string_lossy()])?;
    let container = buildah(&["from", &image])?;
    let said = buildah(&["run", "--isolation", "chroot", container.trim(), "--", "/usr/bin/tagwise", "--version"])?;
    buildah(&["rm", container.trim()])?;
    fs::remove_dir_all(&storage)?;
    if said.trim() != format!("tagwise {}", room.version) {
        bail!("the Containerfile's image printed {said:?}");
    }
    println!("Containerfile: {}", said.trim());
    Ok(())
}

/// Writes the image's files to `rootfs`; returns the uncompressed layer.
fn layer(room: &Room, folder: &Path) -> Result<PathBuf> {
    let rootfs = folder.join("rootfs");
    let program = build::programs(room)?.join("tagwise");
    put(&program, &rootfs.join("usr/bin/tagwise"), 0o755)?;
    for library in libraries(&output(room.command("ldd").arg(&program))?) {
        put(&library, &rootfs.join(library.strip_prefix("/")?), 0o755)?;
    }
    for name in ["passwd", "group"] {
        put(&room.root.join("packaging/oci").join(name), &rootfs.join("etc").join(name), 0o644)?;
    }
    licenses(room, &Artifact::Command, &rootfs.join("usr/share/doc/tagwise/licenses.txt"))?;
    for place in ["tmp", "var/lib/tagwise"] {
        fs::create_dir_all(rootfs.join(place))?;
    }
    run(room.command("chmod").args(["-R", "u=rwX,go=rX"]).arg(&rootfs))?;
    // Everybody may run the image as a user of their own: the folder of the databases is as open as /tmp.
    run(room.command("chmod").arg("1777").arg(rootfs.join("tmp")).arg(rootfs.join("var/lib/tagwise")))?;
    let layer = folder.join("layer.tar");
    tar(room, &rootfs, &layer)?;
    Ok(layer)
}

/// Absolute paths of the lines of ldd: `libm.so.6 => /lib/libm.so.6 (0x7f…)` and `/lib64/ld-linux-x86-64.so.2 (0x7f…)`.
fn libraries(said: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = said
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')))
        .map(PathBuf::from)
        .collect();
    found.sort();
    found
}

/// An archive that depends on nothing but names, modes and contents.
fn tar(room: &Room, folder: &Path, archive: &Path) -> Result<()> {
    let mut tar = room.command("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"]);
    run(tar.arg(format!("--mtime=@{}", room.epoch)).arg("-C").arg(folder).arg("-cf").arg(archive).arg("."))
}

/// Writes the layout (OCI Image Layout Specification 1.1).
fn write(room: &Room, layout: &Path, layer: &Path) -> Result<()> {
    let blobs = layout.join("blobs/sha256");
    fs::create_dir_all(&blobs)?;
    let created = output(room.command("date").args(["-u", "+%FT%TZ", "-d", &format!("@{}", room.epoch)]))?;
    let created = created.trim();
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let difference = sum(room, layer)?;
    run(room.command("gzip").args(["-n", "-9", "-k"]).arg(layer))?;
    let packed = blob(room, &blobs, &layer.with_extension("tar.gz"), "application/vnd.oci.image.layer.v1.tar+gzip")?;
    let labels = json!({
        "org.opencontainers.image.title": "tagwise",
        "org.opencontainers.image.version": room.version,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
        "org.opencontainers.image.created": created,
    });
    let config = json!({
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": USER,
            "Entrypoint": ["/usr/bin/tagwise"],
            "Cmd": ["--help"],
            "WorkingDir": "/var/lib/tagwise",
            "Env": ["PATH=/usr/bin"],
            "ExposedPorts": { "8080/tcp": {} },
            "Labels": labels,
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{difference}")] },
        "history": [{ "created": created, "created_by": "./x package oci" }],
    });
    let config = document(room, &blobs, &config, "application/vnd.oci.image.config.v1+json")?;
    let media = "application/vnd.oci.image.manifest.v1+json";
    let manifest = json!({
        "schemaVersion": 2, "mediaType": media, "config": config, "layers": [packed], "annotations": labels,
    });
    let mut manifest = document(room, &blobs, &manifest, media)?;
    manifest["annotations"] = json!({ "org.opencontainers.image.ref.name": room.version });
    manifest["platform"] = json!({ "architecture": architecture, "os": "linux" });
    let index = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest],
    });
    fs::write(layout.join("index.json"), index.to_string())?;
    Ok(fs::write(layout.join("oci-layout"), json!({ "imageLayoutVersion": "1.0.0" }).to_string())?)
}

fn sum(room: &Room, file: &Path) -> Result<String> {
    let said = output(room.command("sha256sum").arg("--").arg(file))?;
    said.split_whitespace().next().map(str::to_owned).context("sha256sum printed nothing")
}

/// Stores JSON as a blob; returns its descriptor.
fn document(room: &Room, blobs: &Path, value: &Value, media: &str) -> Result<Value> {
    let file = blobs.join("new");
    fs::write(&file, value.to_string())?;
    let descriptor = blob(room, blobs, &file, media);
    fs::remove_file(file)?;
    descriptor
}

/// Stores a file as a blob; returns its descriptor.
fn blob(room: &Room, blobs: &Path, file: &Path, media: &str) -> Result<Value> {
    let digest = sum(room, file)?;
    if digest.len() != 64 {
        bail!("sha256sum printed {digest:?}, expected 64 hexadecimal digits");
    }
    let size = fs::copy(file, blobs.join(&digest))?;
    Ok(json!({ "mediaType": media, "digest": format!("sha256:{digest}"), "size": size }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_the_absolute_paths() {
        let said = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f)\n\
                    \t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n";
        let wanted = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/ld-linux-x86-64.so.2"].map(PathBuf::from);
        assert_eq!(libraries(said), wanted);
        assert!(libraries("\tstatically linked\n").is_empty());
    }
}
