//! A local KDC below a prefix, with MIT's programs, without privileges.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test uses a part")]

#[path = "../prefix/mod.rs"]
mod prefix;

use std::fs;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use prefix::{Prefix, fed};
pub use prefix::{installed, text};
use tagwise_localkdc::setup::status;
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

/// The name of the user who runs the test.
pub fn own_name() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The system's users, which a test may change.
#[derive(Clone, Default)]
pub struct Users {
    pub records: Arc<Mutex<Vec<UserRecord>>>,
    /// Questions are not answered for so long.
    pub hangs: Arc<Mutex<Duration>>,
}

impl Users {
    /// One who is a principal by its number, one who is not, and the user who runs the test, which the policy names.
    pub fn new() -> Self {
        let own = (own_name(), nix::unistd::getuid().as_raw());
        let users = [("ferris".to_owned(), 4242), ("lp".to_owned(), 7), own];
        let users = users.map(|(name, uid)| UserRecord { uid: Some(uid), ..UserRecord::new(&name) });
        Self { records: Arc::new(Mutex::new(users.into())), ..Self::default() }
    }

    /// Changes the record of `ferris`.
    pub fn change(&self, change: impl FnOnce(&mut UserRecord)) {
        change(&mut self.records.lock().unwrap()[0]);
    }
}

impl Provider for Users {
    fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        std::thread::sleep(*self.hangs.lock().unwrap());
        Ok(self.records.lock().unwrap().iter().filter(|user| query.names(user)).cloned().collect())
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
    userdb_of(path, Users::new());
}

/// The same with users that change.
pub fn userdb_of(path: PathBuf, users: Users) {
    let at = path.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(tagwise_userdb::serve(Service::new(MULTIPLEXER), &at, users, std::future::pending())).unwrap();
    });
    let begun = Instant::now();
    while UnixStream::connect(&path).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "no service of users");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The KDC, with a check of passwords and a service of users.
pub struct Lab {
    prefix: Prefix,
    /// Variables of the check of passwords.
    pub environment: Vec<(String, String)>,
}

impl Deref for Lab {
    type Target = Prefix;

    fn deref(&self) -> &Prefix {
        &self.prefix
    }
}

impl DerefMut for Lab {
    fn deref_mut(&mut self) -> &mut Prefix {
        &mut self.prefix
    }
}

impl Lab {
    /// A prefix with this policy, whose users are those of [`Users`].
    pub fn new(passwords: &str, files: &[(&str, &str)]) -> Self {
        Self::headed("", passwords, files)
    }

    /// The same with keys that stand before all tables of the policy.
    pub fn headed(head: &str, passwords: &str, files: &[(&str, &str)]) -> Self {
        let prefix = Prefix::new(|base, layout| {
            format!(
                "{head}[users]\nsocket = '{base}/users'\nalso = ['{}']\n[audit]\njournal = false\nfile = '{}'\n[passwords]\n{}",
                own_name(),
                layout.audit().display(),
                passwords.replace("BASE", base)
            )
        });
        let base = prefix.folder.path().display().to_string();
        for (name, text) in files {
            let path = prefix.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text.replace("BASE", &base)).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        }
        Self { prefix, environment: Vec::new() }
    }

    pub fn setup(&self) {
        self.wanted().plan().unwrap().apply().unwrap();
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

    pub fn daemon_log(&self) -> String {
        fs::read_to_string(self.path("daemon.log")).unwrap_or_default()
    }

    /// `kinit`, within the anonymous tunnel.
    pub fn kinit(&self, user: &str, password: &str) -> (bool, String) {
        self.kinit_with(&[], user, password)
    }

    /// The same with more options.
    pub fn kinit_with(&self, options: &[&str], user: &str, password: &str) -> (bool, String) {
        let mut command = self.command("kinit");
        command.args(["-T", &self.armor()]).args(options).arg(user);
        fed(command, &format!("{password}\n"))
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
}
