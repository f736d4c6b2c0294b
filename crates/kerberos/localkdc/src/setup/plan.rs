//! Setup plans and their execution.

use std::fmt;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::files::{self, Endpoint, Programs};
use super::manifest::{self, CreatedKind, Manifest};
use super::{Layout, SetupError, database, pki, programs, realm};
use crate::policy::{Database, Policy};

/// The default port of Kerberos.
const PORT: u16 = 88;

/// Setup options.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The paths of the local KDC.
    pub layout: Layout,
    /// The port on 127.0.0.1, for MIT versions before 1.22. Default: 88 in the system, or a free port below a prefix.
    pub port: Option<u16>,
    /// The shared object that the KDC loads. Default: the one in this program's directory.
    pub module: Option<PathBuf>,
    /// The path of `localkdc-pam-auth`, for systemd units.
    pub daemon: PathBuf,
}

/// The change to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The path is created.
    Make,
    /// The path was created by an earlier setup, and is updated.
    Update,
    /// The path is unchanged.
    Keep,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Make => "make",
            Self::Update => "update",
            Self::Keep => "keep",
        })
    }
}

/// A step of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// The change to the path.
    pub change: Change,
    /// The path that the step concerns.
    pub path: PathBuf,
    /// A description of the path.
    pub what: &'static str,
    #[serde(skip)]
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Folder(u32),
    File(Vec<u8>, u32),
    Link(PathBuf),
    /// Data that the setup creates with the realm, or that the KDC creates later.
    Data,
}

/// A setup plan.
#[derive(Debug)]
pub struct Plan {
    layout: Layout,
    policy: Policy,
    database: Database,
    manifest: Manifest,
    steps: Vec<Step>,
}

impl Setup {
    /// Plans a setup without changing anything.
    ///
    /// # Errors
    ///
    /// Returns an error if the policy is invalid, programs are not installed, or conflicting files exist.
    pub fn plan(&self) -> Result<Plan, SetupError> {
        let layout = &self.layout;
        let version = programs::version()?;
        let kdc = programs::find("krb5kdc", "krb5-kdc")?;
        realm::installed()?;
        let module = match &self.module {
            Some(path) if !path.is_file() => {
                return Err(SetupError::Other(format!("{}: no such file", path.display())));
            }
            Some(path) => path.canonicalize().map_err(SetupError::at(path))?,
            None => programs::module().ok_or_else(|| {
                let problem = "libtagwise_localkdc.so is neither in this program's directory nor in ../lib/tagwise: install it (`./x install` in a checkout), or specify it with --module";
                SetupError::Other(problem.to_owned())
            })?,
        };
        for (what, path) in [("module", &module), ("daemon", &self.daemon)] {
            // Both stand in configuration files, in which a space ends a path.
            crate::policy::absolute(what, path).map_err(SetupError::Other)?;
            if path.to_str().is_some_and(|text| text.contains([' ', '"', '\'', '\\', '%', '$', ';'])) {
                let problem = "the path must not contain spaces, quotes, backslashes, `%`, `$` or `;`";
                return Err(SetupError::Other(format!("{what}: {problem}: {}", path.display())));
            }
        }
        let before = Manifest::read(&layout.manifest())?;
        // An existing policy belongs to the administrator.
        let own = manifest::content(&layout.policy())?;
        let text = match &own {
            Some(bytes) => String::from_utf8(bytes.clone())
                .map_err(|error| SetupError::Other(format!("{}: {error}", layout.policy().display())))?,
            None => files::policy(layout),
        };
        let policy = Policy::parse(&text)?;
        if let Some(before) = before.as_ref().filter(|before| before.realm != policy.realm.as_str()) {
            return Err(SetupError::Other(format!(
                "a realm is already set up: {}; run `tagwise localkdc teardown` before you set up another",
                before.realm
            )));
        }
        let database = database::kind(layout, &policy, before.as_ref())?;
        database::installed(database)?;
        let endpoint = match Endpoint::is_socket(version) {
            true => Endpoint::Socket,
            false => Endpoint::Port(self.port(before.as_ref())?),
        };
        let port = match endpoint {
            Endpoint::Port(port) => Some(port),
            Endpoint::Socket => None,
        };
        let manifest = Manifest::new(policy.realm.as_str(), port);
        let mut planner = Planner { before, steps: Vec::new(), conflicts: Vec::new(), prefix: layout.prefix() };
        if !layout.is_system() {
            planner.folder(layout.prefix(), 0o755);
        }
        for (path, mode) in [
            (layout.state(), 0o700),
            (layout.modules(), 0o700),
            (layout.logs(), 0o700),
            (layout.run(), 0o755),
            (layout.units(), 0o755),
            (layout.prefix().join("etc/localkdc"), 0o755),
            (layout.prefix().join("etc/krb5.conf.d"), 0o755),
        ] {
            planner.folder(&path, mode);
        }
        planner.own(layout.policy(), "policy", own.as_deref(), text.as_bytes());
        let mut file = |path: PathBuf, what: &'static str, text: String, mode: u32| {
            planner.file(path, what, text.into_bytes(), mode)
        };
        file(
            layout.kdc_conf(),
            "KDC configuration",
            files::kdc_conf(layout, &policy, database, endpoint, &module),
            0o644,
        )?;
        file(layout.snippet(), "realm configuration for clients", files::snippet(layout, &policy, endpoint), 0o644)?;
        if !layout.is_system() {
            file(layout.krb5_conf(), "client configuration", files::krb5_conf(layout, &policy), 0o644)?;
        }
        let programs = Programs { kdc: &kdc, daemon: &self.daemon, tagwise: &programs::own() };
        for (name, text) in files::units(layout, &policy, endpoint, &programs) {
            file(layout.units().join(name), "systemd unit", text, 0o644)?;
        }
        planner.link(layout.driver(), "database driver", &module);
        planner.certificates(layout, &policy)?;
        for (path, later) in database::files(layout, database) {
            planner.data(path, "database", later);
        }
        let sealed = realm::seals(layout, &policy);
        for (path, what, later) in [
            (layout.stash(), "master key", sealed),
            (layout.sealed_stash(), "master key", !sealed),
            (layout.rotation(), "rotated keys", true),
            (layout.keytab(), "keys of services", false),
            (layout.kdc_log(), "log", true),
            (layout.audit(), "request log", true),
            (layout.radius(), "socket", true),
            (layout.kdc_socket(), "socket", true),
        ] {
            planner.data(path, what, later);
        }
        if !planner.conflicts.is_empty() {
            return Err(SetupError::Conflict(planner.conflicts));
        }
        // Files from an earlier version of the setup must still be removed at teardown.
        let mut manifest = manifest;
        manifest.made = planner.before.map(|before| before.made).unwrap_or_default();
        Ok(Plan { layout: layout.clone(), policy, database, manifest, steps: planner.steps })
    }

    fn port(&self, before: Option<&Manifest>) -> Result<u16, SetupError> {
        match (self.port, before.and_then(|before| before.port)) {
            (Some(port), _) | (None, Some(port)) => Ok(port),
            (None, None) if self.layout.is_system() => Ok(PORT),
            (None, None) => {
                let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
                free.map(|address| address.port()).map_err(|error| SetupError::Other(error.to_string()))
            }
        }
    }
}

struct Planner<'a> {
    before: Option<Manifest>,
    steps: Vec<Step>,
    conflicts: Vec<PathBuf>,
    prefix: &'a Path,
}

impl Planner<'_> {
    fn step(&mut self, change: Change, path: &Path, what: &'static str, content: Content) {
        self.steps.push(Step { change, path: path.to_owned(), what, content });
    }

    fn made(&self, path: &Path) -> Option<&manifest::Made> {
        self.before.as_ref().and_then(|before| before.find(path))
    }

    /// Plans a directory, together with its parents up to the prefix. An existing directory is kept.
    fn folder(&mut self, path: &Path, mode: u32) {
        let above: Vec<&Path> = path.ancestors().skip(1).take_while(|above| above.starts_with(self.prefix)).collect();
        for above in above.into_iter().rev() {
            if !above.exists() && !self.steps.iter().any(|step| step.path == above) {
                self.step(Change::Make, above, "folder", Content::Folder(0o755));
            }
        }
        if self.steps.iter().any(|step| step.path == path) {
            return;
        }
        if !path.exists() {
            self.step(Change::Make, path, "folder", Content::Folder(mode));
        } else if self.made(path).is_some() {
            self.step(Change::Keep, path, "folder", Content::Folder(mode));
        }
    }

    /// Plans a file that belongs to the administrator once it exists.
    fn own(&mut self, path: PathBuf, what: &'static str, present: Option<&[u8]>, text: &[u8]) {
        let change = if present.is_some() { Change::Keep } else { Change::Make };
        self.step(change, &path, what, Content::File(text.to_vec(), 0o644));
    }

    /// Plans a file that belongs to the setup. It is updated unless it was modified.
    fn file(&mut self, path: PathBuf, what: &'static str, text: Vec<u8>, mode: u32) -> Result<(), SetupError> {
        let change = match (manifest::content(&path)?, self.made(&path)) {
            (None, _) => Change::Make,
            (Some(there), Some(_)) if there == text => Change::Keep,
            (Some(there), Some(made)) if made.digest.as_deref() == Some(&manifest::digest(&there)) => Change::Update,
            _ => {
                self.conflicts.push(path);
                return Ok(());
            }
        };
        self.step(change, &path, what, Content::File(text, mode));
        Ok(())
    }

    /// Plans a link to the shared object, which may have moved since an earlier setup.
    fn link(&mut self, path: PathBuf, what: &'static str, target: &Path) {
        let change = match (fs::read_link(&path), path.symlink_metadata().is_ok(), self.made(&path).is_some()) {
            (_, false, _) => Change::Make,
            (Ok(there), _, true) if there == target => Change::Keep,
            (Ok(_), _, true) => Change::Update,
            _ => {
                self.conflicts.push(path);
                return;
            }
        };
        self.step(change, &path, what, Content::Link(target.to_owned()));
    }

    /// Plans the certificates, which are kept if all of them exist.
    fn certificates(&mut self, layout: &Layout, policy: &Policy) -> Result<(), SetupError> {
        let paths = [layout.ca(), layout.certificate(), layout.key()];
        let whats = ["certificate that clients trust", "certificate of the KDC", "key of the KDC"];
        if paths.iter().all(|path| self.made(path).is_some() && path.exists()) {
            for (path, what) in paths.iter().zip(whats) {
                self.step(Change::Keep, path, what, Content::Data);
            }
            return Ok(());
        }
        let pki = pki::make(&policy.realm).map_err(|error| SetupError::Other(format!("certificates: {error}")))?;
        let texts = [(pki.ca, 0o644), (pki.certificate, 0o644), (pki.key.to_string(), 0o600)];
        for ((path, what), (text, mode)) in paths.into_iter().zip(whats).zip(texts) {
            self.file(path, what, text.into_bytes(), mode)?;
        }
        Ok(())
    }

    /// Plans data that exists only if a setup created it. With `later`, the servers create it.
    fn data(&mut self, path: PathBuf, what: &'static str, later: bool) {
        let change = match (path.symlink_metadata().is_ok(), self.made(&path).is_some()) {
            (true, false) => {
                self.conflicts.push(path);
                return;
            }
            (true, true) => Change::Keep,
            (false, made) => {
                if made && later {
                    Change::Keep
                } else {
                    Change::Make
                }
            }
        };
        self.step(change, &path, what, Content::Data);
    }
}

impl Plan {
    /// Returns the plan's steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the name of the realm to set up.
    #[must_use]
    pub fn realm(&self) -> &str {
        self.policy.realm.as_str()
    }

    /// Executes the plan. The manifest is written to disk before anything else is created.
    ///
    /// # Errors
    ///
    /// Returns an error if files cannot be written or programs fail. The manifest then lists what was created so far.
    pub fn apply(mut self) -> Result<(), SetupError> {
        let path = self.layout.manifest();
        for step in self.steps.iter().filter(|step| step.change != Change::Keep) {
            let (kind, digest) = match &step.content {
                Content::Folder(_) => (CreatedKind::Folder, None),
                Content::File(text, _) => (CreatedKind::File, Some(manifest::digest(text))),
                Content::Link(_) | Content::Data => (CreatedKind::Data, None),
            };
            self.manifest.add(&step.path, kind, digest);
        }
        self.manifest.add(&path, CreatedKind::Data, None);
        // The folders above the manifest are created before it. After a failure here, only empty folders are left behind.
        for step in &self.steps {
            if let (Change::Make, Content::Folder(mode)) = (step.change, &step.content) {
                let made = fs::DirBuilder::new().mode(*mode).create(&step.path);
                made.map_err(SetupError::at(&step.path))?;
                let mode = fs::Permissions::from_mode(*mode);
                fs::set_permissions(&step.path, mode).map_err(SetupError::at(&step.path))?;
            }
        }
        self.manifest.write(&path)?;
        for step in self.steps.iter().filter(|step| step.change != Change::Keep) {
            let done = match &step.content {
                Content::File(text, mode) => manifest::write(&step.path, text, *mode),
                Content::Link(target) => {
                    let gone = if step.change == Change::Update { fs::remove_file(&step.path) } else { Ok(()) };
                    gone.and_then(|()| std::os::unix::fs::symlink(target, &step.path))
                }
                Content::Folder(_) | Content::Data => Ok(()),
            };
            done.map_err(SetupError::at(&step.path))?;
        }
        realm::make(&self.layout, &self.policy, self.database)
    }
}
