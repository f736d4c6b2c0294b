//! The whole story with MIT's programs, below a prefix and without privileges: setup, an anonymous ticket, a user's ticket with the
//! password of the machine, a service's ticket, the record of it, and the end. Then what is said when something is wrong.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tagwise_localkdc::setup::{Change, Layout, Setup, SetupError, status, teardown};
use tagwise_userdb::{
    GroupQuery, GroupRecord, MULTIPLEXER, Membership, MembershipQuery, Provider, Service, ServiceError, UserQuery,
    UserRecord,
};

/// A program of MIT's, which is not always in the path of users.
fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The system's users: one.
struct Users;

impl Provider for Users {
    fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        let users =
            [("ferris", 4242), ("lp", 7)].map(|(name, uid)| UserRecord { uid: Some(uid), ..UserRecord::new(name) });
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
fn userdb(path: PathBuf) {
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

struct Lab {
    folder: tempfile::TempDir,
    layout: Layout,
    environment: Vec<(String, String)>,
    children: Vec<Child>,
}

/// Returns whether all is installed; skips the test if not.
fn installed() -> bool {
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
    fn new(passwords: &str, files: &[(&str, &str)]) -> Self {
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
            "[users]\nsocket = '{base}/users'\n[audit]\njournal = false\nfile = '{}'\n[passwords]\n{}",
            layout.audit().display(),
            passwords.replace("BASE", &base)
        );
        fs::create_dir_all(layout.policy().parent().unwrap()).unwrap();
        fs::write(layout.policy(), policy).unwrap();
        Self { folder, layout, environment: Vec::new(), children: Vec::new() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn wanted(&self) -> Setup {
        let test = std::env::current_exe().unwrap();
        let module = test.parent().unwrap().join("libtagwise_localkdc.so");
        let daemon = PathBuf::from(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        Setup { layout: self.layout.clone(), port: None, module: Some(module), daemon }
    }

    fn setup(&self) {
        self.wanted().plan().unwrap().apply().unwrap();
    }

    fn command(&self, name: &str) -> Command {
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
    fn daemon(&mut self) {
        let log = fs::File::create(self.path("daemon.log")).unwrap();
        let mut command = self.command(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        command.arg("--config").arg(self.layout.policy()).arg("--socket").arg(self.layout.radius());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        self.children.push(command.stderr(log).spawn().unwrap());
        self.until("the check of passwords", |lab| status(&lab.layout).unwrap().passwords);
    }

    fn kdc(&mut self) {
        let log = fs::File::create(self.path("kdc.out")).unwrap();
        let mut command = self.command("krb5kdc");
        command.args(["-n", "-r", "LOCALKDC"]).stdout(log.try_clone().unwrap()).stderr(log);
        self.children.push(command.spawn().unwrap());
        self.until("the KDC", |lab| status(&lab.layout).unwrap().kdc);
    }

    fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            let log = fs::read_to_string(self.layout.kdc_log()).unwrap_or_default();
            let out = fs::read_to_string(self.path("kdc.out")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {}{out}{log}", self.daemon_log());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn daemon_log(&self) -> String {
        fs::read_to_string(self.path("daemon.log")).unwrap_or_default()
    }

    fn run(&self, name: &str, arguments: &[&str]) -> (bool, String) {
        let output = self.command(name).args(arguments).output().unwrap();
        (output.status.success(), text(&output))
    }

    /// `kinit`, within the anonymous tunnel.
    fn kinit(&self, user: &str, password: &str) -> (bool, String) {
        let armor = format!("FILE:{}", self.path("armor"));
        let mut child = self
            .command("kinit")
            .args(["-T", &armor, user])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), text(&output))
    }

    fn anonymous(&self) {
        let armor = format!("FILE:{}", self.path("armor"));
        let (made, said) = self.run("kinit", &["-n", "-c", &armor]);
        let log = fs::read_to_string(self.layout.kdc_log()).unwrap_or_default();
        assert!(made, "{said}{log}");
    }

    /// Records: event, success, client, server.
    fn records(&self) -> Vec<(String, bool, String, String)> {
        let text = fs::read_to_string(self.layout.audit()).unwrap();
        text.lines()
            .map(|line| {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                let field = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
                (field("event"), record["success"].as_bool().unwrap(), field("client"), field("server"))
            })
            .collect()
    }

    fn stop(&mut self) {
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

/// Delegation: `front` passes tickets on to `back`, which it may; `store` takes them from `front` because it says so.
const SERVICES: &str = "
[[services]]
name = 'HTTP/front.test'
protocol_transition = true
delegates_to = ['HTTP/back.test']
[[services]]
name = 'HTTP/back.test'
[[services]]
name = 'HTTP/store.test'
accepts_from = ['HTTP/front.test']
[[services]]
name = 'HTTP/other.test'
";

#[test]
fn services_act_for_users_as_the_policy_says() {
    if !installed() {
        return;
    }
    let mut lab = Lab::new(&format!("{BY_PROGRAM}{SERVICES}"), &[("check", PROGRAM)]);
    userdb(lab.folder.path().join("users"));
    lab.setup();
    lab.kdc();
    let keytab = lab.layout.keytab().display().to_string();
    let (granted, said) = lab.run("kinit", &["-k", "-t", &keytab, "-f", "HTTP/front.test"]);
    assert!(granted, "{said}");
    for (target, allowed) in [("HTTP/back.test", true), ("HTTP/store.test", true), ("HTTP/other.test", false)] {
        let (granted, said) = lab.run("kvno", &["-U", "ferris", "-k", &keytab, "-P", target]);
        assert_eq!(granted, allowed, "{target}: {said}");
    }
    let (granted, said) = lab.run("kinit", &["-k", "-t", &keytab, "-f", "HTTP/other.test"]);
    assert!(granted, "{said}");
    let (granted, said) = lab.run("kvno", &["-U", "ferris", "-k", &keytab, "-P", "HTTP/back.test"]);
    assert!(!granted, "{said}");
    lab.stop();
    let records = lab.records();
    assert!(
        records
            .iter()
            .any(|(event, success, _, server)| event == "s4u2proxy" && *success && server.starts_with("HTTP/back")),
        "{records:?}"
    );
}

#[test]
fn a_setup_that_was_cut_short() {
    if !installed() {
        return;
    }
    let services = "[[services]]\nname = 'HTTP/web.test'\nkeytab = 'BASE/later/keytab'\n";
    let lab = Lab::new(&format!("{BY_PROGRAM}{services}"), &[]);
    let error = lab.wanted().plan().unwrap().apply().unwrap_err();
    assert!(matches!(&error, SetupError::Program("kadmin.local", said) if said.contains("later/keytab")), "{error}");
    // What was made until then is known, and a second setup completes it.
    fs::create_dir(lab.path("later")).unwrap();
    lab.setup();
    let bytes = fs::read(lab.path("later/keytab")).unwrap();
    let keys = tagwise_krb5::Keytab::from_bytes(&bytes).unwrap();
    assert!(keys.entries().iter().any(|entry| entry.principal.to_string() == "HTTP/web.test@LOCALKDC"));
    // Cut short on the way out, too.
    fs::remove_file(lab.layout.database()).unwrap();
    fs::remove_file(lab.layout.ca()).unwrap();
    let removed = teardown(&lab.layout, false).unwrap();
    assert!(removed.iter().all(|removal| removal.kept.is_none()), "{removed:?}");
    assert!(!lab.layout.state().exists() && lab.layout.policy().exists());
}

/// Accepts the password `right`, hangs on `hang`.
const PROGRAM: &str = r#"#!/bin/sh
case "$(tr '\0' ':')" in
    *:right) exit 0 ;;
    *:hang) exec sleep 60 ;;
    *) exit 1 ;;
esac
"#;
const BY_PROGRAM: &str = "check = 'program'\nprogram = 'BASE/check'\ntimeout = 2\nfailures = 100\n";

#[test]
fn a_ticket_with_the_password_of_the_machine() {
    if !installed() {
        return;
    }
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let wrapper = folders.iter().map(Path::new).find(|folder| folder.join("libpam_wrapper.so").exists());
    let helper = Path::new(env!("CARGO_BIN_EXE_localkdc-pam-auth")).with_file_name("localkdc-pam-check");
    // PAM where it can be asked unprivileged, else a program.
    let (passwords, files, environment) = match wrapper.filter(|_| cfg!(feature = "pam") && helper.exists()) {
        Some(folder) => {
            let module = folder.join("pam_wrapper/pam_matrix.so").display().to_string();
            let line = format!("required {module} passdb=BASE/passwords\n");
            let service = format!("auth {line}account {line}");
            let preload = folder.join("libpam_wrapper.so").display().to_string();
            (
                "service = 'localkdc'\n".to_owned(),
                vec![("pam/localkdc", service), ("passwords", "ferris:right:localkdc\n".to_owned())],
                vec![
                    ("LD_PRELOAD", preload),
                    ("PAM_WRAPPER", "1".into()),
                    ("PAM_WRAPPER_SERVICE_DIR", "BASE/pam".into()),
                ],
            )
        }
        None => (BY_PROGRAM.to_owned(), vec![("check", PROGRAM.to_owned())], Vec::new()),
    };
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut lab = Lab::new(&passwords, &files);
    let base = lab.folder.path().display().to_string();
    lab.environment =
        environment.into_iter().map(|(name, value)| (name.into(), value.replace("BASE", &base))).collect();
    let before = fs::read(lab.layout.policy()).unwrap();

    // A plan changes nothing.
    let plan = lab.wanted().plan().unwrap();
    assert!(plan.steps().iter().any(|step| step.path == lab.layout.database() && step.change == Change::Make));
    assert_eq!(status(&lab.layout).unwrap().realm, None);
    lab.setup();
    let again = lab.wanted().plan().unwrap();
    let changes: Vec<_> = again.steps().iter().filter(|step| step.change != Change::Keep).collect();
    assert!(changes.is_empty(), "{changes:?}");
    again.apply().unwrap();
    let state = status(&lab.layout).unwrap();
    assert!(!state.works() && !state.kdc && state.parts.iter().all(|part| part.state == "present"), "{state:?}");
    let key = fs::metadata(lab.layout.key()).unwrap().permissions().mode();
    assert_eq!(key & 0o777, 0o600);

    lab.daemon();
    lab.kdc();
    lab.anonymous();
    // Without the service of users nobody is one, and nobody is told that there is no such user.
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(!granted && !said.contains("not found"), "{said}");
    userdb(lab.folder.path().join("users"));
    assert!(status(&lab.layout).unwrap().works());
    assert!(matches!(teardown(&lab.layout, false), Err(SetupError::Other(_))), "the KDC runs");
    let (granted, said) = lab.kinit("ferris", "wrong");
    assert!(!granted && said.contains("reauthentication failed"), "{said}");
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    let (granted, said) = lab.run("kvno", &["host/localhost"]);
    assert!(granted, "{said}");
    // An address that the machine has, and one that it has not.
    let (granted, said) = lab.run("kvno", &["host/127.0.0.1"]);
    assert!(granted, "{said}");
    let (granted, said) = lab.run("kvno", &["host/192.0.2.1"]);
    assert!(!granted && said.contains("not found in Kerberos database"), "{said}");
    let listed = lab.run("kadmin.local", &["-r", "LOCALKDC", "listprincs"]).1;
    assert!(!listed.contains("ferris") && !listed.contains("127.0.0.1"), "nothing is put into the database: {listed}");
    let (granted, said) = lab.kinit("lp", "right");
    assert!(!granted && said.contains("not found in Kerberos database"), "{said}");
    // An anonymous ticket is for the tunnel alone.
    let armor = format!("FILE:{}", lab.path("armor"));
    let (granted, said) = lab.run("kvno", &["-c", &armor, "host/localhost"]);
    assert!(!granted && said.contains("policy"), "{said}");
    lab.stop();

    let records = lab.records();
    let has = |event: &str, success: bool, client: &str, server: &str| {
        let row = (event.to_owned(), success, client.to_owned(), server.to_owned());
        assert!(records.contains(&row), "{row:?} in {records:?}");
    };
    let tgt = "krbtgt/LOCALKDC@LOCALKDC";
    has("kdc_start", true, "", "");
    has("as_req", true, "ferris@LOCALKDC", tgt);
    has("as_req", false, "ferris@LOCALKDC", tgt);
    has("as_req", false, "lp@LOCALKDC", tgt);
    has("tgs_req", true, "ferris@LOCALKDC", "host/localhost@LOCALKDC");
    has("kdc_stop", true, "", "");
    for (name, log) in [("daemon", lab.daemon_log()), ("audit", fs::read_to_string(lab.layout.audit()).unwrap())] {
        assert!(!log.contains("right") && !log.contains("wrong"), "{name}: {log}");
    }

    // The policy was there before; what somebody adds or changes stays.
    fs::write(lab.layout.state().join("notes"), "mine").unwrap();
    fs::write(lab.layout.snippet(), "[realms]\n").unwrap();
    assert!(matches!(lab.wanted().plan(), Err(SetupError::Conflict(paths)) if paths == [lab.layout.snippet()]));
    let planned = teardown(&lab.layout, true).unwrap();
    assert!(lab.layout.database().exists());
    assert_eq!(teardown(&lab.layout, false).unwrap(), planned);
    let kept: Vec<_> = planned.iter().filter_map(|removal| removal.kept.map(|_| removal.path.clone())).collect();
    assert!(kept.contains(&lab.layout.snippet()) && kept.contains(&lab.layout.state()), "{kept:?}");
    assert_eq!(fs::read(lab.layout.policy()).unwrap(), before);
    assert!(!lab.layout.database().exists() && !lab.layout.key().exists() && !lab.layout.manifest().exists());
    assert!(!lab.layout.run().exists(), "an empty folder goes");
    assert!(teardown(&lab.layout, false).unwrap().is_empty());
}

#[test]
fn what_a_user_is_told_when_something_is_wrong() {
    if !installed() {
        return;
    }
    let mut lab = Lab::new(BY_PROGRAM, &[("check", PROGRAM)]);
    lab.setup();
    userdb(lab.folder.path().join("users"));
    lab.kdc();
    lab.anonymous();
    let timed = |lab: &Lab, password: &str| {
        let begun = Instant::now();
        let (granted, said) = lab.kinit("ferris", password);
        (granted, said, begun.elapsed())
    };
    // Nobody checks passwords.
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    // The check hangs; the KDC serves others meanwhile.
    lab.daemon();
    std::thread::scope(|scope| {
        let hanging = scope.spawn(|| timed(&lab, "hang"));
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        let armor = format!("FILE:{}", lab.path("other"));
        let (made, said) = lab.run("kinit", &["-n", "-c", &armor]);
        assert!(made && begun.elapsed() < Duration::from_secs(20), "{said}");
        let (granted, said, time) = hanging.join().unwrap();
        assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    });
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    // It dies, and comes back at the same path.
    let mut daemon = lab.children.pop().unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    lab.daemon();
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    // Somebody listens and never answers.
    let mut daemon = lab.children.pop().unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    fs::remove_file(lab.layout.radius()).unwrap();
    let silent = UnixListener::bind(lab.layout.radius()).unwrap();
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said} after {time:?}");
    drop(silent);
    // The database is locked.
    fs::remove_file(lab.layout.radius()).unwrap();
    lab.daemon();
    let lock = fs::File::options().read(true).write(true).open(lab.layout.database().with_extension("ok")).unwrap();
    let held = nix::libc::flock {
        l_type: i16::try_from(nix::libc::F_WRLCK).unwrap(),
        l_whence: i16::try_from(nix::libc::SEEK_SET).unwrap(),
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    };
    nix::fcntl::fcntl(&lock, nix::fcntl::FcntlArg::F_SETLK(&held)).unwrap();
    let (granted, said, time) = timed(&lab, "right");
    eprintln!("locked: {granted} {said} {time:?}");
    assert!(!granted && time < Duration::from_secs(60), "{said}");
    drop(lock);
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}");
}
