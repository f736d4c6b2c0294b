//! A local KDC below a prefix, whose passwords are checked in the test's own process.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test uses a part")]

#[path = "../prefix/mod.rs"]
mod prefix;

use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use prefix::installed;
use prefix::{Prefix, program, start, text};
use tagwise_localkdc::check::{Check, Password, Verdict};
use tagwise_localkdc::radius::{Server, ServerLimits};

/// The maker of the module that takes one-time passwords, on the KDC's side or the client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Mit,
    Own,
    /// The client of `examples/otp_hostile.rs`.
    Hostile,
}

type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// Accepts `right-value`, hangs on `hang`.
struct ByValue(Asked);

impl Check for ByValue {
    fn check(&self, user: &str, password: &Password, time: Duration) -> Verdict {
        let value = String::from_utf8(password.expose().to_vec()).unwrap();
        self.0.lock().unwrap().push((user.to_owned(), value.clone()));
        match value.as_str() {
            "right-value" => Verdict::Accepted,
            "hang" => {
                std::thread::sleep(time);
                Verdict::Unavailable("it hung".to_owned())
            }
            _ => Verdict::Rejected,
        }
    }
}

pub struct Lab {
    prefix: Prefix,
    asked: Asked,
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
    /// Sets a realm up whose KDC has this side's module; `daemon` and `bin` of the system are users.
    pub fn new(kdc: Side, passwords: &str) -> Self {
        let otp = if kdc == Side::Own { "own" } else { "mit" };
        let prefix = Prefix::new(|_, _| {
            format!(
                "[users]\nalso = ['daemon', 'bin']\n[audit]\njournal = false\n[passwords]\notp = '{otp}'\n{passwords}"
            )
        });
        prefix.wanted().plan().unwrap().apply().unwrap();
        let module = prefix.wanted().module.unwrap();
        let hostile = module.parent().unwrap().parent().unwrap().join("examples/libotp_hostile.so");
        for (file, name, module) in [("own.conf", "localkdc_otp", module), ("hostile.conf", "otp_hostile", hostile)] {
            let conf = format!(
                "include {}\n[plugins]\n clpreauth = {{\n  module = {name}:{}\n  disable = otp\n }}\n",
                prefix.layout.krb5_conf().display(),
                module.display()
            );
            fs::write(prefix.folder.path().join(file), conf).unwrap();
        }
        Self { prefix, asked: Arc::default() }
    }

    /// A command of MIT's; `TAGWISE_VALGRIND` runs those that load modules under valgrind, as the tests of the plugins do.
    pub fn command(&self, client: Side, name: &str) -> Command {
        let path = if name.starts_with('/') { name.to_owned() } else { program(name) };
        let watched = std::env::var_os("TAGWISE_VALGRIND").is_some() && name != "kadmin.local";
        let mut command = Command::new(if watched { "valgrind" } else { &path });
        if watched {
            let log = format!("--log-file={}", self.path("valgrind.%p"));
            command.args(["-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=none", &log]);
            command.arg(&path);
        }
        let config = match client {
            Side::Mit => self.layout.krb5_conf(),
            Side::Own => self.folder.path().join("own.conf"),
            Side::Hostile => self.folder.path().join("hostile.conf"),
        };
        let mut command = self.on(command);
        command.env("KRB5_CONFIG", config).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Checks passwords, until the test ends.
    pub fn checks(&self) {
        let limits = ServerLimits { time: Duration::from_secs(20), failures: 100, ..ServerLimits::default() };
        let listener = tagwise_localkdc::process::listen(&self.layout.radius()).unwrap();
        let server = Server::new(Box::new(ByValue(Arc::clone(&self.asked))), limits);
        std::thread::spawn(move || server.serve(&listener));
    }

    /// Returns whether a value of a user's was checked.
    pub fn asked(&self, user: &str, value: &str) -> bool {
        self.asked.lock().unwrap().contains(&(user.to_owned(), value.to_owned()))
    }

    pub fn kdc(&mut self) {
        let command = self.command(Side::Mit, "krb5kdc");
        self.kdc_by(command);
    }

    pub fn pid(&self) -> u32 {
        self.children.last().unwrap().id()
    }

    pub fn tried(&self, client: Side, name: &str, arguments: &[&str]) -> (bool, String) {
        let output = self.command(client, name).args(arguments).output().unwrap();
        (output.status.success(), text(&output))
    }

    pub fn run(&self, name: &str, arguments: &[&str]) -> (bool, String) {
        self.tried(Side::Mit, name, arguments)
    }

    /// A query of kadmin.local.
    pub fn admin(&self, arguments: &[&str]) -> String {
        let (done, said) = self.run("kadmin.local", &[&["-r", "LOCALKDC"], arguments].concat());
        assert!(done, "{arguments:?}: {said}");
        said
    }

    pub fn anonymous(&self) {
        let (made, said) = self.run("kinit", &["-n", "-c", &self.armor()]);
        assert!(made, "{said}{}", self.log());
    }

    fn start(&self, client: Side, name: &str, arguments: &[&str], input: &str) -> Child {
        let mut command = self.command(client, name);
        command.args(arguments);
        start(command, input)
    }

    /// A program that reads from standard input.
    pub fn fed(&self, client: Side, name: &str, arguments: &[&str], input: &str) -> (bool, String) {
        let output = self.start(client, name, arguments, input).wait_with_output().unwrap();
        (output.status.success(), text(&output))
    }

    /// `kinit`, within the anonymous tunnel.
    pub fn kinit(&self, client: Side, user: &str, value: &str) -> (bool, String) {
        self.fed(client, "kinit", &["-T", &self.armor(), user], &format!("{value}\n"))
    }

    /// `kinit` that is not waited for.
    pub fn begin(&self, client: Side, user: &str, value: &str) -> Child {
        self.start(client, "kinit", &["-T", &self.armor(), user], &format!("{value}\n"))
    }

    /// A program of `tests/c`, built against MIT's headers; none without them.
    pub fn built(&self, name: &str) -> Option<String> {
        if !Path::new("/usr/include/krb5/krb5.h").exists() {
            tagwise_testing::skip("no headers of MIT Kerberos (libkrb5-dev)");
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.c"));
        let program = self.path(name);
        let built = Command::new("cc").arg("-Wall").arg("-o").arg(&program).arg(source).arg("-lkrb5").output().unwrap();
        assert!(built.status.success(), "{}", text(&built));
        Some(program)
    }

    /// Ends the KDC as an administrator does, and expects that it was still running.
    pub fn stop(&mut self) {
        for mut child in self.children.drain(..) {
            assert!(child.try_wait().unwrap().is_none(), "the KDC ended by itself");
            let killed = Command::new("/bin/sh").args(["-c", &format!("kill {}", child.id())]).status().unwrap();
            assert!(killed.success());
            let status = child.wait().unwrap();
            assert!(status.success(), "{status}");
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if let Some(kept) = std::env::var_os("TAGWISE_VALGRIND") {
            for entry in fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
                if entry.file_name().to_string_lossy().starts_with("valgrind.") {
                    let _ = fs::copy(entry.path(), Path::new(&kept).join(entry.file_name()));
                }
            }
        }
    }
}
