//! A local KDC below a prefix, with MIT's programs, without privileges.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tagwise_localkdc::setup::{Layout, Setup, status};
use tagwise_userdb::{
    GroupQuery, GroupRecord, MULTIPLEXER, Membership, MembershipQuery, Provider, Service, ServiceError, UserQuery,
    UserRecord,
};

/// Accepts the password `right`, hangs on `hang`.
pub const PROGRAM: &str = r#"#!/bin/sh
case "$(tr '\0' ':')" in
    *:right) exit 0 ;;
    *:hang) exec sleep 60 ;;
    *) exit 1 ;;
esac
"#;
pub const BY_PROGRAM: &str = "check = 'program'\nprogram = 'BASE/check'\ntimeout = 2\nfailures = 100\n";

/// A program of MIT's, which is not always in the path of users.
pub fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The name of the user who runs the test.
pub fn own_name() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The system's users: one who is a principal by its number, one who is not, and the user who runs the test, which the policy names.
struct Users;

impl Provider for Users {
    fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        let own = (own_name(), nix::unistd::getuid().as_raw());
        let users = [("ferris".to_owned(), 4242), ("lp".to_owned(), 7), own];
        let users = users.map(|(name, uid)| UserRecord { uid: Some(uid), ..UserRecord::new(&name) });
        Ok(users.into_iter().filter(|user| query.names(user)).collect())
    }

    fn groups(&mut self, _: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
        Ok(Vec::new())
    }

    fn memberships(&mut self, _: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
        Ok(Vec::new())
    }
}

/// Serves the users until the process ends.
pub fn userdb(path: PathBuf) {
    let at = path.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(tagwise_userdb::serve(Service::new(MULTIPLEXER), &at, Users, std::future::pending())).unwrap();
    });
    let begun = Instant::now();
    while UnixStream::connect(&path).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "no service of users");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The KDC, with what else runs; it ends with the value.
pub struct Lab {
    pub folder: tempfile::TempDir,
    pub layout: Layout,
    /// Variables of the check of passwords.
    pub environment: Vec<(String, String)>,
    pub children: Vec<Child>,
}

/// Returns whether all is installed; skips the test if not.
pub fn installed() -> bool {
    let programs = ["krb5kdc", "kadmin.local", "kdb5_util", "kinit", "kvno"];
    let plugin = |name: &str| {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
        let found = folders.iter().any(|folder| Path::new(folder).join("krb5/plugins/preauth").join(name).exists());
        if !found {
            tagwise_testing::skip(&format!("no {name} of MIT Kerberos (krb5-pkinit, krb5-otp)"));
        }
        found
    };
    programs.iter().all(|name| tagwise_testing::tool(&program(name), &["-?"]))
        && plugin("pkinit.so")
        && plugin("otp.so")
}

impl Lab {
    /// A prefix with this policy, whose users are those of [`Users`].
    pub fn new(passwords: &str, files: &[(&str, &str)]) -> Self {
        // Short: sockets stand below it.
        let folder = tempfile::Builder::new().prefix("lkdc").tempdir_in("/tmp").unwrap();
        let root = folder.path().join("root");
        let layout = Layout::new(&root).unwrap();
        let base = folder.path().display().to_string();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text.replace("BASE", &base)).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        }
        let policy = format!(
            "[users]\nsocket = '{base}/users'\nalso = ['{}']\n[audit]\njournal = false\nfile = '{}'\n[passwords]\n{}",
            own_name(),
            layout.audit().display(),
            passwords.replace("BASE", &base)
        );
        fs::create_dir_all(layout.policy().parent().unwrap()).unwrap();
        fs::write(layout.policy(), policy).unwrap();
        Self { folder, layout, environment: Vec::new(), children: Vec::new() }
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub fn wanted(&self) -> Setup {
        let test = std::env::current_exe().unwrap();
        let module = test.parent().unwrap().join("libtagwise_localkdc.so");
        let daemon = PathBuf::from(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        Setup { layout: self.layout.clone(), port: None, module: Some(module), daemon }
    }

    pub fn setup(&self) {
        self.wanted().plan().unwrap().apply().unwrap();
    }

    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(if name.starts_with('/') { name.to_owned() } else { program(name) });
        command
            .env("KRB5_CONFIG", self.layout.krb5_conf())
            .env("KRB5_KDC_PROFILE", self.layout.kdc_conf())
            .env("LOCALKDC_CONFIG", self.layout.policy())
            .env("KRB5RCACHEDIR", self.folder.path())
            .env("KRB5CCNAME", format!("FILE:{}", self.path("cc")))
            .env("TMPDIR", self.folder.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command
    }

    /// Starts the check of passwords.
    pub fn daemon(&mut self) {
        let log = fs::File::create(self.path("daemon.log")).unwrap();
        let mut command = self.command(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        command.arg("--config").arg(self.layout.policy()).arg("--socket").arg(self.layout.radius());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        self.children.push(command.stderr(log).spawn().unwrap());
        self.until("the check of passwords", |lab| status(&lab.layout).unwrap().passwords);
    }

    pub fn kdc(&mut self) {
        let log = fs::File::create(self.path("kdc.out")).unwrap();
        let mut command = self.command("krb5kdc");
        command.args(["-n", "-r", "LOCALKDC"]).stdout(log.try_clone().unwrap()).stderr(log);
        self.children.push(command.spawn().unwrap());
        self.until("the KDC", |lab| status(&lab.layout).unwrap().kdc);
    }

    pub fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            let log = fs::read_to_string(self.layout.kdc_log()).unwrap_or_default();
            let out = fs::read_to_string(self.path("kdc.out")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {}{out}{log}", self.daemon_log());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub fn daemon_log(&self) -> String {
        fs::read_to_string(self.path("daemon.log")).unwrap_or_default()
    }

    pub fn run(&self, name: &str, arguments: &[&str]) -> (bool, String) {
        let output = self.command(name).args(arguments).output().unwrap();
        (output.status.success(), text(&output))
    }

    /// `kinit`, within the anonymous tunnel.
    pub fn kinit(&self, user: &str, password: &str) -> (bool, String) {
        self.kinit_with(&[], user, password)
    }

    /// The same with more options.
    pub fn kinit_with(&self, options: &[&str], user: &str, password: &str) -> (bool, String) {
        let armor = format!("FILE:{}", self.path("armor"));
        let mut child = self
            .command("kinit")
            .args(["-T", &armor])
            .args(options)
            .arg(user)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), text(&output))
    }

    pub fn anonymous(&self) {
        let armor = format!("FILE:{}", self.path("armor"));
        let (made, said) = self.run("kinit", &["-n", "-c", &armor]);
        let log = fs::read_to_string(self.layout.kdc_log()).unwrap_or_default();
        assert!(made, "{said}{log}");
    }

    /// Records: event, success, client, server.
    pub fn records(&self) -> Vec<(String, bool, String, String)> {
        let text = fs::read_to_string(self.layout.audit()).unwrap();
        text.lines()
            .map(|line| {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
                (field("event"), record["success"].as_bool().unwrap(), field("client"), field("server"))
            })
            .collect()
    }

    pub fn stop(&mut self) {
        for mut child in self.children.drain(..) {
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            child.wait().unwrap();
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
