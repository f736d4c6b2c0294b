//! The state of a local KDC.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::manifest::{self, CreatedKind, Manifest};
use super::{Layout, SetupError, database};
use crate::policy::{Database, OtpModule, Policy};

/// A path created by a setup.
#[derive(Clone, Debug, Serialize)]
pub struct SetupPart {
    /// The created path.
    pub path: PathBuf,
    /// `present`, `absent` or `changed`.
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
    /// The paths created by a setup, without directories and data that was added later.
    pub parts: Vec<SetupPart>,
}

impl Status {
    /// Returns whether tickets can be obtained.
    #[must_use]
    pub fn works(&self) -> bool {
        self.kdc && self.passwords && self.policy.is_none() && self.parts.iter().all(|part| part.state != "absent")
    }
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
    passing.extend(match master_key {
        Some("sealed") => Some(clear),
        _ => Some(sealed),
    });
    for made in manifest.made.iter().filter(|made| made.kind != CreatedKind::Folder && !passing.contains(&made.path)) {
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
