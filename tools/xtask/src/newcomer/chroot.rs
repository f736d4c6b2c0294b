//! A new Debian with this machine's Rust toolchain and its access to registries, and commands that are measured in it.

use std::fmt;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use xshell::cmd;

use crate::krb5::{mirror, sources};
use crate::project::{Project, cannot, files, fresh, read, run};

/// The release of Debian, unless `TAGWISE_SUITE` names another.
const SUITE: &str = "bookworm";
/// Runs a script; writes what it prints to one file, and to another the CPU seconds of all its processes, user and system, and the
/// elapsed seconds. Arguments: script, folder, folder of the files. A shell of its own, for bash reports the time of a subshell there.
const MEASURED: &str =
    r#"cd "$1" && TIMEFORMAT='%U %S %R' && { time bash -ec "$0" >"$2/printed" 2>&1 </dev/null; } 2>"$2/times""#;
/// Mounts disappear with the namespace. Arguments: chroot, toolchain, and the command.
const INSIDE: &str = r#"mount --bind "$0" "$0" && mount --bind -o ro "$1" "$0/opt/rust" && mount -t proc proc "$0/proc" &&
    mount --rbind /dev "$0/dev" && exec chroot "$0" "${@:2}""#;
/// Where the certificates are that this machine trusts, which may include a registry mirror's.
const BUNDLE: &str = "/etc/registry-roots.pem";

/// What a step costs, in seconds.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    /// Of all processes that it started, user and system.
    pub(super) cpu: f64,
    /// By the clock.
    pub(super) wall: f64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.cpu += other.cpu;
        self.wall += other.wall;
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CPU {:.1} s, wall {:.1} s", self.cpu, self.wall)
    }
}

/// The folder of the new Debian.
pub(super) struct Chroot {
    root: PathBuf,
    toolchain: PathBuf,
    environment: Vec<String>,
}

impl Chroot {
    pub(super) fn new(project: &Project) -> Result<Self> {
        let sh = &project.sh;
        if read(cmd!(sh, "id -u"))? != "0" {
            return Err(cannot("a new Debian needs root, to mount the toolchain: sudo ./x newcomer"));
        }
        let path = "/root/.cargo/bin:/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        let mut environment: Vec<String> = [
            &format!("PATH={path}"),
            "HOME=/root",
            "LC_ALL=C.UTF-8",
            "NO_COLOR=1",
            "DEBIAN_FRONTEND=noninteractive",
            "PIP_ROOT_USER_ACTION=ignore",
            &format!("CARGO_HTTP_CAINFO={BUNDLE}"),
            &format!("SSL_CERT_FILE={BUNDLE}"),
            &format!("PIP_CERT={BUNDLE}"),
        ]
        .map(str::to_owned)
        .into();
        // Proxies and mirrors, as this machine has them.
        for (name, value) in std::env::vars() {
            let passed =
                ["CARGO_NET_", "CARGO_REGISTR", "CARGO_SOURCE_", "PIP_INDEX", "PIP_EXTRA_INDEX", "PIP_DEFAULT_TIMEOUT"];
            if passed.iter().any(|prefix| name.starts_with(prefix)) || name.to_lowercase().ends_with("_proxy") {
                environment.push(format!("{name}={value}"));
            }
        }
        Ok(Self {
            root: project.target.join("newcomer"),
            toolchain: read(cmd!(sh, "rustc --print sysroot"))?.into(),
            environment,
        })
    }

    /// Creates it with a clone of the last commit in `/root/tagwise`.
    pub(super) fn create(&self, project: &Project) -> Result<()> {
        let Project { sh, root: checkout, .. } = project;
        let root = &self.root;
        // An interrupted mmdebstrap leaves this machine's /dev there.
        if let Some(place) = mounted(&fs::read_to_string("/proc/self/mountinfo")?, root) {
            return Err(cannot(format!("something is mounted at {place}: umount it first")));
        }
        fresh(root)?;
        let suite = std::env::var("TAGWISE_SUITE").unwrap_or_else(|_| SUITE.to_owned());
        let mirror = mirror(&sources()).unwrap_or_else(|| "http://deb.debian.org/debian".to_owned());
        run(cmd!(sh, "mmdebstrap --quiet --variant=minbase {suite} {root} {mirror}"))?;
        fs::write(
            self.path("/etc/apt/apt.conf.d/90newcomer"),
            "APT::Get::Assume-Yes \"true\";\nAPT::Sandbox::User \"root\";\n",
        )?;
        fs::create_dir_all(self.path("/opt/rust"))?;
        let bundle = std::env::var_os("SSL_CERT_FILE").unwrap_or_else(|| "/etc/ssl/certs/ca-certificates.crt".into());
        let home = std::env::home_dir().unwrap_or_default();
        for (from, to) in [
            (Path::new("/etc/resolv.conf").to_owned(), "/etc/resolv.conf"),
            (PathBuf::from(bundle), BUNDLE),
            (home.join(".cargo/config.toml"), "/root/.cargo/config.toml"),
            (home.join(".config/pip/pip.conf"), "/root/.config/pip/pip.conf"),
        ] {
            let to = self.path(to);
            if from.exists() {
                fs::create_dir_all(to.parent().unwrap_or(&to))?;
                fs::copy(&from, &to).with_context(|| from.display().to_string())?;
            }
        }
        let clone = self.path("/root/tagwise");
        run(cmd!(sh, "git clone --quiet --no-local {checkout} {clone}"))?;
        // mmdebstrap leaves no lists of packages.
        self.succeed("/", "apt-get update").map(|_| ())
    }

    /// Where a file of the new Debian is on this machine.
    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside.trim_start_matches('/'))
    }

    /// Runs a script in a folder; returns its exit code, what it printed on either stream, and its cost.
    pub(super) fn run(&self, folder: &str, script: &str) -> Result<(i32, String, Cost)> {
        let mut command = Command::new("unshare");
        command.args(["-m", "bash", "-c", INSIDE]).arg(&self.root).arg(&self.toolchain);
        command.args(["env", "-i"]).args(&self.environment).args(["bash", "-c", MEASURED, script, folder, "/tmp"]);
        let status = command.status().context("unshare")?;
        let printed = String::from_utf8_lossy(&fs::read(self.path("/tmp/printed")).unwrap_or_default()).into_owned();
        let times = fs::read_to_string(self.path("/tmp/times")).unwrap_or_default();
        let cost = cost(&times).with_context(|| format!("the script was not measured: {times}{printed}"))?;
        Ok((status.code().unwrap_or(-1), printed, cost))
    }

    /// Like [`Self::run`]; fails unless the script succeeds.
    pub(super) fn succeed(&self, folder: &str, script: &str) -> Result<(String, Cost)> {
        let (code, printed, cost) = self.run(folder, script)?;
        anyhow::ensure!(code == 0, "{script}\nended with {code}:\n{printed}");
        Ok((printed, cost))
    }

    /// The size of the only file that matches a pattern, in bytes.
    pub(super) fn size(&self, pattern: &str) -> Result<u64> {
        let found = files(self.path(pattern));
        let [file] = &found[..] else { anyhow::bail!("{} files match {pattern}, expected 1", found.len()) };
        Ok(fs::metadata(file)?.len())
    }
}

/// The first mount point below a folder (proc_pid_mountinfo(5): the fifth field).
fn mounted(mounts: &str, folder: &Path) -> Option<String> {
    let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    places.find(|place| Path::new(place).starts_with(folder)).map(str::to_owned)
}

/// `user system elapsed`, in the last line.
fn cost(times: &str) -> Option<Cost> {
    let numbers: Option<Vec<f64>> = times.lines().last()?.split(' ').map(|number| number.parse().ok()).collect();
    let [user, system, wall] = numbers?[..] else { return None };
    Some(Cost { cpu: user + system, wall })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_is_measured_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let script = "pwd\nbash -c 'for i in {1..200000}; do :; done'\necho err >&2\n(exit 3)\necho not reached";
        let status = Command::new("bash").args(["-c", MEASURED, script, "/usr"]).arg(folder.path()).status().unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(fs::read_to_string(folder.path().join("printed")).unwrap(), "/usr\nerr\n");
        let cost = cost(&fs::read_to_string(folder.path().join("times")).unwrap()).unwrap();
        assert!(cost.cpu > 0.0 && cost.wall > 0.0, "{cost}");
    }

    #[test]
    fn mounts_below_the_folder_are_found() {
        let mounts = "22 1 254:0 / / rw - ext4 /dev/vda rw\n97 22 0:41 / /t/newcomer/dev rw - tmpfs tmpfs rw\n";
        assert_eq!(mounted(mounts, Path::new("/t/newcomer")).as_deref(), Some("/t/newcomer/dev"));
        assert_eq!(mounted(mounts, Path::new("/t/new")), None);
    }

    #[test]
    fn cost_is_user_and_system_time() {
        let cost = cost("bash: warning\n1.500 0.25 2.000\n").unwrap();
        assert_eq!((cost.cpu, cost.wall), (1.75, 2.0));
        assert!(super::cost("").is_none() && super::cost("1 2").is_none());
    }
}
