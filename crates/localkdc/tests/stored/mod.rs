//! A local KDC below a prefix, without a check of passwords: stored principals and services alone.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tagwise_localkdc::setup::{Layout, Setup, SetupError, status};

pub struct Lab {
    pub folder: tempfile::TempDir,
    pub layout: Layout,
    pub children: Vec<Child>,
}

/// A program of MIT's, which is not always in the path of users.
pub fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

/// Standard output and errors of a command.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

impl Lab {
    /// A prefix with this policy; skips the test without MIT's programs.
    pub fn new(policy: &str) -> Option<Self> {
        let programs = ["krb5kdc", "kadmin.local", "kdb5_util", "kinit", "kvno"];
        if !programs.iter().all(|name| tagwise_testing::tool(&program(name), &["-?"])) {
            return None;
        }
        let folder = tempfile::Builder::new().prefix("lkdc").tempdir_in("/tmp").unwrap();
        let layout = Layout::new(&folder.path().join("root")).unwrap();
        let lab = Self { folder, layout, children: Vec::new() };
        fs::create_dir_all(lab.layout.policy().parent().unwrap()).unwrap();
        let base = lab.folder.path().display().to_string();
        let audit = format!("[audit]\njournal = false\nfile = '{}'\n", lab.layout.audit().display());
        fs::write(lab.layout.policy(), format!("{}\n{audit}", policy.replace("BASE", &base))).unwrap();
        Some(lab)
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub fn setup(&self) -> Result<(), SetupError> {
        let test = std::env::current_exe().unwrap();
        let module = test.parent().unwrap().join("libtagwise_localkdc.so");
        let daemon = PathBuf::from(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        Setup { layout: self.layout.clone(), port: None, module: Some(module), daemon }.plan()?.apply()
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

    /// The output of a command, and whether it succeeded.
    pub fn tried(&self, name: &str, arguments: &[&str]) -> (bool, String) {
        let output = self.command(name).args(arguments).output().unwrap();
        (output.status.success(), text(&output))
    }

    /// The output of a command that must succeed.
    pub fn run(&self, name: &str, arguments: &[&str]) -> String {
        let (success, said) = self.tried(name, arguments);
        assert!(success, "{name} {arguments:?}: {said}{}", self.log());
        said
    }

    /// kadmin.local, whose arguments are the words of a text.
    pub fn local(&self, query: &str) -> String {
        self.run("kadmin.local", &[&["-r", "LOCALKDC"], &query.split(' ').collect::<Vec<_>>()[..]].concat())
    }

    /// `kinit` with a password.
    pub fn kinit(&self, name: &str, password: &str) -> (bool, String) {
        let mut command = self.command("kinit");
        command.arg(name).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{password}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), text(&output))
    }

    /// Starts a KDC, by a command that is completed here.
    pub fn kdc_by(&mut self, mut command: Command) {
        let log = fs::File::create(self.path("kdc.out")).unwrap();
        command.args(["-n", "-r", "LOCALKDC"]).stdout(log.try_clone().unwrap()).stderr(log);
        self.children.push(command.spawn().unwrap());
        let begun = Instant::now();
        while !status(&self.layout).unwrap().kdc {
            assert!(begun.elapsed() < Duration::from_secs(60), "the KDC does not start: {}", self.log());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub fn kdc(&mut self) {
        let command = self.command("krb5kdc");
        self.kdc_by(command);
    }

    pub fn log(&self) -> String {
        let out = fs::read_to_string(self.path("kdc.out")).unwrap_or_default();
        out + &fs::read_to_string(self.layout.kdc_log()).unwrap_or_default()
    }

    /// Ends what runs.
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
