//! The state of a local KDC.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use tagwise_krb5::{Keytab, KeytabEntry};

use super::manifest::{self, CreatedKind, Manifest};
use super::{Layout, SetupError, database};
use crate::policy::{Database, OtpModule, Policy};

/// A path created by a setup.
#[derive(Clone, Debug, Serialize)]
pub struct SetupPart {
    /// The created path.
    pub path: PathBuf,
    /// `present`, `absent`, `changed`, `exposed` (other users can write it, or read a secret), or `damaged` (the master key cannot be read).
    pub state: &'static str,
}

/// The state of a local KDC.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The realm, or `None` if there is no setup.
    pub realm: Option<String>,
    /// True if the KDC accepts connections.
    pub kdc: bool,
    /// True if the password check accepts connections.
    pub passwords: bool,
    /// The KDC module that receives passwords, according to the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otp: Option<OtpModule>,
    /// The protection of the master key on disk: `sealed` (by `systemd-creds`), `file` (only by its permissions), or `None` if
    /// there is no key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub master_key: Option<&'static str>,
    /// The error in the policy, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// The paths created by a setup, without directories that are not exposed and data that was added later.
    pub parts: Vec<SetupPart>,
}

impl Status {
    /// Returns whether tickets can be obtained.
    #[must_use]
    pub fn works(&self) -> bool {
        self.kdc && self.passwords && self.policy.is_none() && self.parts.iter().all(|part| part.state != "absent")
    }
}

impl Status {
    /// Returns whether no created path is exposed to other users, and the master key can be read.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part.state, "exposed" | "damaged"))
    }
}

/// Returns whether users other than the owner can write a path, or users outside its group can read a secret. Links have no permissions.
fn is_exposed(path: &Path, is_secret: bool) -> bool {
    let mask = if is_secret { 0o027 } else { 0o022 };
    let mode = std::fs::symlink_metadata(path).ok().filter(|found| !found.is_symlink()).map(|found| found.mode());
    mode.is_some_and(|mode| mode & mask != 0)
}

/// Returns whether a stash contains a master key, `K/M`, whose type is supported.
fn has_master_key(stash: &Path) -> bool {
    let keytab = std::fs::read(stash).ok().and_then(|octets| Keytab::from_bytes(&octets).ok());
    let is_master = |entry: &KeytabEntry| entry.principal.components() == [b"K", b"M"] && entry.to_key().is_some();
    keytab.is_some_and(|keytab| keytab.entries().iter().any(is_master))
}

/// Returns whether the KDC accepts connections.
pub(super) fn is_answering(layout: &Layout, manifest: &Manifest) -> bool {
    match manifest.port {
        Some(port) => {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            TcpStream::connect_timeout(&address, Duration::from_secs(2)).is_ok()
        }
        None => UnixStream::connect(layout.kdc_socket()).is_ok(),
    }
}

/// Determines the state of a local KDC.
///
/// # Errors
///
/// Returns an error if the manifest cannot be read.
pub fn status(layout: &Layout) -> Result<Status, SetupError> {
    let Some(manifest) = Manifest::read(&layout.manifest())? else {
        return Ok(Status {
            realm: None,
            kdc: false,
            passwords: false,
            otp: None,
            master_key: None,
            policy: None,
            parts: Vec::new(),
        });
    };
    let mut parts = Vec::new();
    // Records and sockets come and go.
    let mut passing = vec![
        layout.kdc_log(),
        layout.audit(),
        layout.radius(),
        layout.kdc_socket(),
        layout.manifest(),
        layout.rotation(),
    ];
    for kind in [Database::Sqlite, Database::Klmdb] {
        passing.extend(database::files(layout, kind).into_iter().filter(|(_, later)| *later).map(|(path, _)| path));
    }
    // One of them has the master key.
    let (clear, sealed) = (layout.stash(), layout.sealed_stash());
    let master_key = match (clear.exists(), sealed.exists()) {
        (true, _) => Some("file"),
        (false, true) => Some("sealed"),
        (false, false) => None,
    };
    passing.push(if master_key == Some("sealed") { clear.clone() } else { sealed });
    for made in manifest.made.iter().filter(|made| !passing.contains(&made.path)) {
        let is_secret = made.kind == CreatedKind::Data || made.path == layout.key();
        if is_exposed(&made.path, is_secret) {
            parts.push(SetupPart { path: made.path.clone(), state: "exposed" });
            continue;
        }
        if made.kind == CreatedKind::Folder {
            continue;
        }
        if made.path == clear && clear.exists() && !has_master_key(&clear) {
            parts.push(SetupPart { path: clear.clone(), state: "damaged" });
            continue;
        }
        let state = match (made.path.exists(), &made.digest) {
            (false, _) => "absent",
            (true, None) => "present",
            (true, Some(digest)) => match manifest::content(&made.path) {
                Ok(Some(there)) if manifest::digest(&there) == *digest => "present",
                Ok(Some(_)) => "changed",
                _ => "absent",
            },
        };
        parts.push(SetupPart { path: made.path.clone(), state });
    }
    let policy = Policy::read(&layout.policy());
    Ok(Status {
        kdc: is_answering(layout, &manifest),
        passwords: UnixStream::connect(layout.radius()).is_ok(),
        otp: policy.as_ref().ok().map(|policy| policy.passwords.otp),
        master_key,
        policy: policy.err().map(|error| error.to_string()),
        realm: Some(manifest.realm),
        parts,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn permissions_that_expose_a_path() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&file, "").unwrap();
        symlink(&file, &link).unwrap();
        for (mode, secret, public) in [
            (0o600, false, false),
            (0o640, false, false),
            (0o644, true, false),
            (0o660, true, true),
            (0o666, true, true),
        ] {
            set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            assert_eq!((is_exposed(&file, true), is_exposed(&file, false)), (secret, public), "{mode:o}");
        }
        set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(is_exposed(folder.path(), false) && !is_exposed(&link, true));
    }

    #[test]
    fn a_stash_without_its_key_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let stash = folder.path().join("stash");
        let entry = |name: &str, len: usize| {
            let mut keytab = Keytab::default();
            keytab.add(KeytabEntry {
                principal: tagwise_krb5::Principal::parse(name, None).unwrap(),
                timestamp: tagwise_pkix::UnixTime(1_795_255_200),
                kvno: 1,
                enc_type: 18,
                key: vec![7; len].into(),
            });
            keytab.to_bytes().unwrap()
        };
        let good = entry("K/M@LOCALKDC", 32);
        for (content, is_good) in [
            (good.clone(), true),
            (good.get(..good.len() - 9).unwrap().to_vec(), false),
            (vec![5, 2], false),
            (entry("K/X@LOCALKDC", 32), false),
            (entry("K/M@LOCALKDC", 16), false),
        ] {
            write(&stash, content).unwrap();
            assert_eq!(has_master_key(&stash), is_good);
        }
    }
}
