//! Realms below a folder of their own, each with a KDC on the loopback.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tagwise_localkdc::setup::{Layout, Setup};

use crate::Result;

/// A database under a KDC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MIT's db2, alone.
    Db2,
    /// MIT's klmdb, alone: since release 1.19, but not in every distribution.
    Klmdb,
    /// The local KDC's driver on db2.
    OursOnDb2,
    /// The local KDC's driver on klmdb.
    OursOnKlmdb,
    /// The local KDC's driver with its own SQLite.
    OursOnSqlite,
}

impl Kind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Db2,
        Self::Klmdb,
        Self::OursOnDb2,
        Self::OursOnKlmdb,
        Self::OursOnSqlite,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Db2 => "db2 alone",
            Self::Klmdb => "klmdb alone",
            Self::OursOnDb2 => "localkdc on db2",
            Self::OursOnKlmdb => "localkdc on klmdb",
            Self::OursOnSqlite => "localkdc on SQLite",
        }
    }

    const fn library(self) -> &'static str {
        match self {
            Self::Db2 | Self::OursOnDb2 => "db2",
            Self::Klmdb | Self::OursOnKlmdb => "klmdb",
            Self::OursOnSqlite => "sqlite",
        }
    }

    /// Returns whether MIT's module is installed.
    pub(crate) fn is_there(self) -> bool {
        let module = format!("krb5/plugins/kdb/{}.so", self.library());
        let mut folders = [
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
        ]
        .iter();
        self == Self::OursOnSqlite || folders.any(|folder| Path::new(folder).join(&module).exists())
    }
}

/// Who knows the users of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Users {
    /// The host's tables, unless a service runs.
    Tables,
    /// A service of systemd below the folder.
    Service,
}

/// A realm whose KDC runs, until the value goes.
pub(crate) struct Realm {
    pub(crate) kind: Kind,
    folder: tempfile::TempDir,
    port: u16,
    krb5_conf: PathBuf,
    kdc_conf: PathBuf,
    policy: Option<PathBuf>,
    kdc: Option<Child>,
    service: Option<Child>,
}

const USERDBD: &str = "/lib/systemd/systemd-userdbd";

impl Realm {
    /// Sets a realm up and starts its KDC.
    pub(crate) fn start(kind: Kind, module: &Path, users: Users) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("kdcbench").tempdir_in("/tmp")?;
        let port = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let (krb5_conf, kdc_conf) = (folder.path().join("krb5.conf"), folder.path().join("kdc.conf"));
        let mut realm = Self {
            kind,
            folder,
            port,
            krb5_conf,
            kdc_conf,
            policy: None,
            kdc: None,
            service: None,
        };
        match kind {
            Kind::Db2 | Kind::Klmdb => realm.plain()?,
            _ => realm.ours(module, users)?,
        }
        let name = realm.name();
        let add = "addprinc -pw annpw -e aes256-cts-hmac-sha1-96:normal ann";
        realm.run("kadmin.local", &["-r", name, "-q", add])?;
        let keys = format!("ktadd -norandkey -k {} ann", realm.path("ann.keytab").display());
        realm.run("kadmin.local", &["-r", name, "-q", &keys])?;
        let log = fs::File::create(realm.path("kdc.out"))?;
        let mut command = realm.command("krb5kdc");
        command.args(["-n", "-r", name]).stdout(log.try_clone()?).stderr(log);
        realm.kdc = Some(command.spawn()?);
        realm.wait()?;
        Ok(realm)
    }

    /// The driver on SQLite with systemd's service for users; nothing where that is not installed.
    pub(crate) fn start_with_service(module: &Path) -> Result<Option<Self>> {
        match Path::new(USERDBD).exists() {
            true => Self::start(Kind::OursOnSqlite, module, Users::Service).map(Some),
            false => Ok(None),
        }
    }

    /// MIT's database, with the settings that the local KDC has.
    fn plain(&mut self) -> Result<()> {
        let (name, library, database) = (self.name(), self.kind.library(), self.path("principal"));
        let conf = format!(
            "[libdefaults]\n default_realm = {name}\n dns_lookup_kdc = false\n[realms]\n {name} = {{\n  kdc = 127.0.0.1:{}\n }}\n",
            self.port
        );
        fs::write(&self.krb5_conf, conf)?;
        let conf = format!(
            "[kdcdefaults]\n{}[realms]\n {name} = {{\n  database_module = plain\n  key_stash_file = {}\n  \
             supported_enctypes = aes256-cts-hmac-sha384-192:normal aes256-cts-hmac-sha1-96:normal\n  \
             default_principal_flags = +preauth\n }}\n[dbmodules]\n plain = {{\n  db_library = {library}\n  \
             database_name = {}\n  disable_last_success = true\n  disable_lockout = true\n }}\n{}",
            self.listen(),
            self.path("stash").display(),
            database.display(),
            self.logging()
        );
        fs::write(&self.kdc_conf, conf)?;
        self.run("kdb5_util", &["-r", name, "-P", "master", "create", "-s"])
    }

    /// The local KDC, by its own setup; it listens by UDP, as the others do.
    fn ours(&mut self, module: &Path, users: Users) -> Result<()> {
        let layout = Layout::new(&self.path("root"))?;
        fs::create_dir_all(layout.policy().parent().ok_or("no folder")?)?;
        let socket = match users {
            Users::Tables => String::new(),
            Users::Service => format!("socket = '{}'\n", self.userdbd()?.display()),
        };
        let policy = format!(
            "database = '{}'\n[users]\nalso = ['daemon']\n{socket}[audit]\njournal = false\n",
            self.kind.library()
        );
        fs::write(layout.policy(), policy)?;
        let daemon = module.with_file_name("localkdc-pam-auth");
        let wanted = Setup {
            layout: layout.clone(),
            port: Some(self.port),
            module: Some(module.to_owned()),
            daemon,
        };
        wanted.plan()?.apply()?;
        let conf = fs::read_to_string(layout.kdc_conf())?;
        let (_, rest) = conf.split_once("[realms]").ok_or("kdc.conf has no realms")?;
        fs::write(
            &self.kdc_conf,
            format!("[kdcdefaults]\n{}[realms]{rest}", self.listen()),
        )?;
        self.krb5_conf = layout.krb5_conf();
        self.policy = Some(layout.policy());
        Ok(())
    }

    fn userdbd(&mut self) -> Result<PathBuf> {
        let socket = self.path("users");
        let mut command = Command::new("systemd-socket-activate");
        command
            .arg("-l")
            .arg(&socket)
            .arg(USERDBD)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.service = Some(command.spawn()?);
        let begun = Instant::now();
        while !socket.exists() {
            if begun.elapsed() > Duration::from_secs(10) {
                return Err("no socket of systemd's service".into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(socket)
    }

    fn listen(&self) -> String {
        format!(" kdc_listen = 127.0.0.1:{}\n kdc_tcp_listen = \"\"\n", self.port)
    }

    fn logging(&self) -> String {
        format!("[logging]\n kdc = FILE:{}\n", self.path("kdc.log").display())
    }

    pub(crate) const fn name(&self) -> &'static str {
        "LOCALKDC"
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    fn command(&self, name: &str) -> Command {
        let folders = ["/usr/sbin", "/usr/bin"];
        let found = folders
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|path| path.exists());
        let mut command = Command::new(found.unwrap_or_else(|| PathBuf::from(name)));
        command
            .env("KRB5_CONFIG", &self.krb5_conf)
            .env("KRB5_KDC_PROFILE", &self.kdc_conf);
        command.env("KRB5RCACHEDIR", self.folder.path()).stdin(Stdio::null());
        if let Some(policy) = &self.policy {
            command.env("LOCALKDC_CONFIG", policy);
        }
        command
    }

    fn run(&self, name: &str, arguments: &[&str]) -> Result<()> {
        let output = self.command(name).args(arguments).output()?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    fn wait(&mut self) -> Result<()> {
        let begun = Instant::now();
        while crate::client::Asking::First("ann").once(self).is_err() {
            let said = fs::read_to_string(self.path("kdc.out"))?;
            if begun.elapsed() > Duration::from_secs(20) {
                return Err(format!("{}: the KDC does not answer: {said}", self.kind.name()).into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn proc(&self, name: &str) -> Result<String> {
        let id = self.kdc.as_ref().ok_or("no KDC")?.id();
        Ok(fs::read_to_string(format!("/proc/{id}/{name}"))?)
    }

    /// The processor time of the KDC until now, in seconds.
    pub(crate) fn processor(&self) -> Result<f64> {
        // Nanoseconds on a processor, nanoseconds in wait for one, time slices.
        let spent = self.proc("schedstat")?;
        let nanoseconds: f64 = spent.split_whitespace().next().ok_or("no time")?.parse()?;
        Ok(nanoseconds / 1e9)
    }

    /// The resident memory of the KDC, in KiB.
    pub(crate) fn resident(&self) -> Result<u64> {
        let status = self.proc("status")?;
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .ok_or("no VmRSS")?;
        Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse()?)
    }
}

impl Drop for Realm {
    fn drop(&mut self) {
        for child in [&mut self.kdc, &mut self.service].into_iter().flatten() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
