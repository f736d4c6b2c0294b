//! A local KDC below a prefix, and MIT's programs on it, without privileges.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tagwise_localkdc::setup::{Layout, Setup, status};

/// The KDC's last words before it serves.
const SERVING: &str = "commencing operation";

/// A program of MIT's, which is not always in the path of users.
pub fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

/// Standard output and errors of a command.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Returns whether MIT's programs are installed; skips the test if not.
pub fn has_programs() -> bool {
    let programs = ["krb5kdc", "kadmin.local", "kdb5_util", "kinit", "kvno"];
    programs.iter().all(|name| tagwise_testing::tool(&program(name), &["-?"]))
}

/// Returns whether MIT's programs and its modules for preauthentication are installed; skips the test if not.
pub fn installed() -> bool {
    let plugin = |name: &str| {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
        let found = folders.iter().any(|folder| Path::new(folder).join("krb5/plugins/preauth").join(name).exists());
        if !found {
            tagwise_testing::skip(&format!("no {name} of MIT Kerberos (krb5-pkinit, krb5-otp)"));
        }
        found
    };
    has_programs() && plugin("pkinit.so") && plugin("otp.so")
}

/// The prefix, with what runs on it; that ends with the value.
pub struct Prefix {
    pub folder: tempfile::TempDir,
    pub layout: Layout,
    pub children: Vec<Child>,
}

impl Prefix {
    /// A prefix whose policy depends on its folder and its paths.
    pub fn new(policy: impl FnOnce(&str, &Layout) -> String) -> Self {
        // Short: sockets stand below it.
        let folder = tempfile::Builder::new().prefix("lkdc").tempdir_in("/tmp").unwrap();
        let layout = Layout::new(&folder.path().join("root")).unwrap();
        fs::create_dir_all(layout.policy().parent().unwrap()).unwrap();
        fs::write(layout.policy(), policy(&folder.path().display().to_string(), &layout)).unwrap();
        Self { folder, layout, children: Vec::new() }
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// A setup with the modules and the programs of this build.
    pub fn wanted(&self) -> Setup {
        let module = std::env::current_exe().unwrap().with_file_name("libtagwise_localkdc.so");
        let daemon = PathBuf::from(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
        Setup { layout: self.layout.clone(), port: None, module: Some(module), daemon }
    }

    pub fn command(&self, name: &str) -> Command {
        let path = if name.starts_with('/') { name.to_owned() } else { program(name) };
        self.on(Command::new(path))
    }

    /// A command in the environment of the prefix.
    pub fn on(&self, mut command: Command) -> Command {
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

    /// The name of the cache with the anonymous ticket.
    pub fn armor(&self) -> String {
        format!("FILE:{}", self.path("armor"))
    }

    pub fn anonymous(&self) {
        let (made, said) = self.tried("kinit", &["-n", "-c", &self.armor()]);
        assert!(made, "{said}{}", self.log());
    }

    pub fn kdc(&mut self) {
        let command = self.command("krb5kdc");
        self.kdc_by(command);
    }

    /// Starts a KDC, by a command that is completed here, and waits until it serves. Its sockets listen before it has read the database.
    pub fn kdc_by(&mut self, mut command: Command) {
        let begun =
            |prefix: &Self| fs::read_to_string(prefix.layout.kdc_log()).unwrap_or_default().matches(SERVING).count();
        let before = begun(self);
        let log = fs::File::create(self.path("kdc.out")).unwrap();
        command.args(["-n", "-r", "LOCALKDC"]).stdout(log.try_clone().unwrap()).stderr(log);
        self.children.push(command.spawn().unwrap());
        self.until("the KDC", |prefix| begun(prefix) > before && status(&prefix.layout).unwrap().kdc);
    }

    pub fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// All that the check of passwords and the KDC wrote.
    pub fn log(&self) -> String {
        let read = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
        let [daemon, kdc] = ["daemon.log", "kdc.out"].map(|name| read(self.folder.path().join(name)));
        daemon + &kdc + &read(self.layout.kdc_log())
    }

    /// Ends what runs.
    pub fn stop(&mut self) {
        for mut child in self.children.drain(..) {
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            child.wait().unwrap();
        }
    }
}

impl Drop for Prefix {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts a program that is offered this at standard input. One that fails early ends without reading it.
pub fn start(mut command: Command, input: &str) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child
}

/// The output of a program that reads this from standard input, and whether it succeeded.
pub fn fed(command: Command, input: &str) -> (bool, String) {
    let output = start(command, input).wait_with_output().unwrap();
    (output.status.success(), text(&output))
}
