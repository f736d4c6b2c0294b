//! The master key on disk: MIT's stash, a keytab with mode 0600, optionally sealed by `systemd-creds`.
//!
//! Anyone with access to the service manager's key can read a sealed stash: root on this machine (with this TPM, if any).
//! Sealing protects copies, such as backups and discarded disks without `/var/lib/systemd`. It does not protect the key
//! from root, and the memory of a running KDC contains the key in the clear.

use std::fs;
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use zeroize::Zeroizing;

/// The credential's name, which is sealed along with the key.
pub(crate) const NAME: &str = "localkdc-stash";
/// The maximum size of a stash, in bytes.
const MAX_FILE: usize = 1 << 16;

/// Returns the path of the sealed (encrypted) version of a stash.
pub(crate) fn sealed(stash: &Path) -> PathBuf {
    let mut name = stash.as_os_str().to_owned();
    name.push(".sealed");
    PathBuf::from(name)
}

fn program() -> Option<PathBuf> {
    ["/usr/bin/systemd-creds", "/bin/systemd-creds"].into_iter().map(PathBuf::from).find(|path| path.is_file())
}

/// Returns whether this system supports sealing.
pub(crate) fn is_installed() -> bool {
    program().is_some()
}

fn creds(arguments: &[&str], paths: &[&Path]) -> io::Result<Zeroizing<Vec<u8>>> {
    let program = program().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "systemd-creds is not installed"))?;
    let mut command = Command::new(program);
    command.args(arguments).arg(format!("--name={NAME}")).args(paths).stdin(Stdio::null());
    let output = command.output()?;
    let content = Zeroizing::new(output.stdout);
    match output.status.success() {
        true => Ok(content),
        false => {
            // The last line says what is wrong; what comes before are warnings.
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it failed");
            Err(io::Error::other(format!("systemd-creds: {last}")))
        }
    }
}

/// Reads a stash, sealed or not.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or this machine cannot unseal it.
pub(crate) fn read(stash: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let content = match fs::read(stash).map(Zeroizing::new) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => opened(stash, error)?,
        read => read?,
    };
    match content.len() <= MAX_FILE {
        true => Ok(content),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "too long for a stash")),
    }
}

/// Returns the key that the service manager has unsealed for this service, or unseals it now.
fn opened(stash: &Path, absent: io::Error) -> io::Result<Zeroizing<Vec<u8>>> {
    if let Some(folder) = std::env::var_os("CREDENTIALS_DIRECTORY") {
        let given = Path::new(&folder).join(NAME);
        if given.exists() {
            return fs::read(given).map(Zeroizing::new);
        }
    }
    let sealed = sealed(stash);
    if !sealed.exists() {
        return Err(absent);
    }
    creds(&["decrypt"], &[&sealed, Path::new("-")])
}

/// Seals a stash. The cleartext file is removed only after the sealed one was successfully unsealed.
///
/// # Errors
///
/// Returns an error if `systemd-creds` or a key to seal with is missing, or files cannot be written. The stash is then
/// unchanged.
pub(crate) fn seal(stash: &Path) -> io::Result<()> {
    let content = Zeroizing::new(fs::read(stash)?);
    let sealed = sealed(stash);
    let mut new = sealed.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let written = creds(&["encrypt", "--with-key=auto"], &[stash, Path::new("-")])?;
    let mut file = fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    io::Write::write_all(&mut file, &written)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    file.sync_all()?;
    let again = creds(&["decrypt"], &[&new, Path::new("-")])?;
    if *again != *content {
        return Err(io::Error::other("systemd-creds decrypted the seal to a different value"));
    }
    fs::rename(&new, &sealed)?;
    fs::File::open(sealed.parent().unwrap_or(Path::new("/")))?.sync_all()?;
    fs::remove_file(stash)
}
