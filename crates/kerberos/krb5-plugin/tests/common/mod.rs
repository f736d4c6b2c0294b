//! A throw-away realm of MIT's programs with plugins, on loopback and without privileges.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub const REALM: &str = "KRB.TEST";

/// Methods of the interfaces and the programs that call them; a reason where none does.
const METHODS: &str = include_str!("../methods.tsv");

/// Interface and method of each row.
pub fn rows() -> BTreeSet<(String, String)> {
    let rows = METHODS.lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some((columns.next()?.to_owned(), columns.next()?.to_owned()))
    });
    rows.collect()
}

/// Interfaces for which the realm loads a module.
pub const INTERFACES: &[&str] = &[
    "audit",
    "ccselect",
    "certauth",
    "clpreauth",
    "hostrealm",
    "kadm5_auth",
    "kadm5_hook",
    "kdcpolicy",
    "kdcpreauth",
    "localauth",
    "pwqual",
];

pub struct Realm {
    pub folder: tempfile::TempDir,
    pub port: u16,
    admin: u16,
    children: Vec<(String, Child)>,
}

/// A program of MIT's, which is not always in the path of users.
pub fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

/// An example of this crate. `cargo test` builds it with the tests, but `cargo test --test NAME` does not: an old one is refused.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap().join(format!("examples/lib{name}.so"));
    let made = fs::metadata(&built).and_then(|data| data.modified());
    let made = made.unwrap_or_else(|_| panic!("{}: run `cargo build --examples` first", built.display()));
    // What cargo made it of.
    let sources = fs::read_to_string(built.with_extension("d")).unwrap();
    let (_, sources) = sources.split_once(": ").unwrap();
    for source in sources.split_whitespace() {
        let changed = fs::metadata(source).and_then(|data| data.modified());
        let fresh = changed.is_ok_and(|changed| changed <= made);
        assert!(fresh, "{source} is newer than {}: run `cargo build --examples`", built.display());
    }
    built
}

/// The installed release by its minor number, or the oldest that is served.
pub fn release() -> u32 {
    let told = ["krb5-config.mit", "krb5-config"].into_iter().find_map(|name| {
        let output = Command::new(name).arg("--version").output().ok()?;
        let told = text(&output);
        told.split_once("release 1.")?.1.split(|digit: char| !digit.is_ascii_digit()).next()?.parse().ok()
    });
    told.unwrap_or(20)
}

/// Returns whether MIT's PKINIT is installed; skips the test where it is not.
pub fn pkinit() -> bool {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let found = folders.iter().any(|folder| Path::new(folder).join("krb5/plugins/preauth/pkinit.so").exists());
    if !found {
        tagwise_testing::skip("no PKINIT (krb5-pkinit)");
    }
    found && tagwise_testing::tool("openssl", &["version"])
}

/// The runtime library of AddressSanitizer, where the modules are built with it: `TAGWISE_ASAN`.
pub fn sanitizer() -> Option<std::ffi::OsString> {
    std::env::var_os("TAGWISE_ASAN").filter(|runtime| !runtime.is_empty())
}

/// Standard output and errors of a command.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Sends a signal, by the shell's own command.
fn kill(child: &Child, signal: &str) {
    let status = Command::new("/bin/sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(status.success());
}

impl Realm {
    /// Makes a realm whose programs load `module` of the example `object` for each of `interfaces`; skips the test without MIT's programs.
    pub fn new(object: &str, module: &str, interfaces: &[&str], extra: &str) -> Option<Self> {
        let object = example(object);
        let plugins: String = interfaces
            .iter()
            .map(|kind| format!(" {kind} = {{\n  module = {module}:{}\n }}\n", object.display()))
            .collect();
        let realm = Self::configured(&format!("{plugins}{extra}"), |root| {
            format!(" main = {{\n  db_library = db2\n  database_name = {root}/principal\n }}\n")
        })?;
        realm.create();
        Some(realm)
    }

    /// Makes a realm whose database module is the example `driver`, over db2, with more relations in its section; skips the test without
    /// MIT's programs. The database is not created yet.
    pub fn with_driver(driver: &str, relations: &str) -> Option<Self> {
        Self::with_object(&example(driver), driver, |root| {
            format!(
                "  inner = below\n{relations} }}\n below = {{\n  db_library = db2\n  database_name = {root}/principal\n"
            )
        })
    }

    /// The same with a shared object of this name, and the relations of its section.
    pub fn with_object(object: &Path, driver: &str, relations: impl Fn(&str) -> String) -> Option<Self> {
        let realm = Self::configured("", |root| {
            let relations = relations(root);
            format!(" db_module_dir = {root}/kdb\n main = {{\n  db_library = {driver}\n{relations} }}\n")
        })?;
        fs::create_dir(realm.path("kdb")).unwrap();
        std::os::unix::fs::symlink(object, realm.path(&format!("kdb/{driver}.so"))).unwrap();
        Some(realm)
    }

    /// Creates the database.
    pub fn create(&self) {
        self.run("kdb5_util", &["create", "-s", "-P", "masterpw", "-r", REALM]);
    }

    fn configured(plugins: &str, database: impl FnOnce(&str) -> String) -> Option<Self> {
        for name in ["krb5kdc", "kadmin.local", "kdb5_util", "kadmind", "kadmin", "kvno", "kinit"] {
            if !tagwise_testing::tool(&program(name), &["-?"]) {
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let (kdc, kpasswd, admin) = (tagwise_testing::port(), tagwise_testing::port(), tagwise_testing::port());
        let root = folder.path().display().to_string();
        let dbmodules = database(&root);
        let conf = format!(
            "[libdefaults]
 default_realm = {REALM}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 udp_preference_limit = 1
[realms]
 {REALM} = {{
  kdc = 127.0.0.1:{kdc}
  kpasswd_server = 127.0.0.1:{kpasswd}
  admin_server = 127.0.0.1:{admin}
  auth_to_local = EXAMPLE:local-
  pkinit_anchors = FILE:{root}/ca.pem
 }}
[plugins]
{plugins}"
        );
        let kdc_conf = format!(
            "[kdcdefaults]
 kdc_listen = 127.0.0.1:{kdc}
 kdc_tcp_listen = 127.0.0.1:{kdc}
[realms]
 {REALM} = {{
  database_module = main
  key_stash_file = {root}/stash
  acl_file = {root}/acl
  kadmind_listen = 127.0.0.1:{admin}
  kpasswd_listen = 127.0.0.1:{kpasswd}
  max_life = 10h
  max_renewable_life = 7d
  supported_enctypes = aes256-cts:normal
  pkinit_identity = FILE:{root}/kdc.pem,{root}/kdc.key
  pkinit_anchors = FILE:{root}/ca.pem
 }}
[dbmodules]
{dbmodules}[logging]
 kdc = FILE:{root}/kdc.log
 admin_server = FILE:{root}/kadmind.log
 default = FILE:{root}/other.log
"
        );
        fs::write(folder.path().join("krb5.conf"), conf).unwrap();
        fs::write(folder.path().join("kdc.conf"), kdc_conf).unwrap();
        fs::write(folder.path().join("acl"), "root/admin@KRB.TEST *\n").unwrap();
        Some(Self { folder, port: kdc, admin, children: Vec::new() })
    }

    pub fn path(&self, file: &str) -> String {
        self.folder.path().join(file).display().to_string()
    }

    /// A command in the realm's environment.
    pub fn command(&self, name: &str) -> Command {
        let path = if name.starts_with('/') { name.to_owned() } else { program(name) };
        // `TAGWISE_VALGRIND` runs programs that load plugins under valgrind: an error of memory is a status of 99.
        let watched = std::env::var_os("TAGWISE_VALGRIND").is_some() && path != "/bin/sh" && name != "kdb5_util";
        let mut command = Command::new(if watched { "valgrind" } else { &path });
        if watched {
            let log = format!("--log-file={}", self.path("valgrind.%p"));
            command
                .args(["-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=none", &log])
                .arg(&path);
        }
        if let Some(runtime) = sanitizer().filter(|_| path != "/bin/sh") {
            let log = self.path("asan");
            let options = format!("log_path={log}:exitcode=99:quarantine_size_mb=4:detect_leaks=0");
            command.env("LD_PRELOAD", runtime).env("ASAN_OPTIONS", options);
        }
        command
            .env("KRB5_CONFIG", self.path("krb5.conf"))
            .env("KRB5_KDC_PROFILE", self.path("kdc.conf"))
            .env("KRB5RCACHEDIR", self.folder.path())
            .env("KRB5CCNAME", format!("FILE:{}", self.path("cc")))
            .env("TMPDIR", self.folder.path())
            // Backtraces of modules that panic would take most of the time.
            .env("RUST_BACKTRACE", "0")
            .env("TAGWISE_PLUGIN_TRACE", self.path("trace"))
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
        let (success, text) = self.tried(name, arguments);
        assert!(success, "{name} {arguments:?}: {text}");
        text
    }

    /// A query of kadmin.local.
    pub fn local(&self, query: &str) -> String {
        self.run("kadmin.local", &["-r", REALM, "-q", query])
    }

    /// A program that reads from standard input: whether it succeeded, and what it wrote.
    ///
    /// A program that is refused before it asks for a password ends without reading: its answer counts, not the pipe.
    pub fn fed(&self, name: &str, arguments: &[&str], input: &str) -> (bool, String) {
        use std::io::Write as _;
        let mut command = self.command(name);
        let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        (output.status.success(), text(&output))
    }

    /// `kinit` with a password, into a cache of its own.
    pub fn kinit(&self, name: &str, password: &str, arguments: &[&str]) -> (bool, String) {
        self.fed("kinit", &[arguments, &[name]].concat(), &format!("{password}\n"))
    }

    /// Starts the KDC, and kadmind if asked for.
    pub fn start(&mut self, kadmind: bool) {
        self.start_realms(&[REALM], kadmind);
    }

    /// Starts the KDC for some realms, and kadmind if asked for.
    pub fn start_realms(&mut self, realms: &[&str], kadmind: bool) {
        let served = realms.iter().flat_map(|realm| ["-r", realm]);
        let mut wanted = vec![("krb5kdc", ["-n"].into_iter().chain(served).collect::<Vec<_>>(), self.port)];
        if kadmind {
            wanted.push(("kadmind", vec!["-nofork", "-r", REALM], self.admin));
        }
        for (name, arguments, port) in wanted {
            let log = fs::File::create(self.path(&format!("{name}.out"))).unwrap();
            let child =
                self.command(name).args(arguments).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
            self.children.push((name.to_owned(), child));
            let begun = Instant::now();
            while TcpStream::connect(("127.0.0.1", port)).is_err() {
                let out = fs::read_to_string(self.path(&format!("{name}.out"))).unwrap_or_default();
                let log = fs::read_to_string(self.path("kdc.log")).unwrap_or_default();
                assert!(begun.elapsed() < Duration::from_secs(120), "{name} does not start: {out}{log}");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// Ends the servers as an administrator does, and expects that they were still running.
    pub fn stop(&mut self) {
        for (name, mut child) in self.children.drain(..) {
            assert!(child.try_wait().unwrap().is_none(), "{name} ended by itself");
            kill(&child, "TERM");
            let begun = Instant::now();
            loop {
                if let Some(status) = child.try_wait().unwrap() {
                    assert!(status.success(), "{name}: {status}");
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(20), "{name} does not end");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    /// The record of the modules' calls: interface, method, host, detail.
    pub fn trace(&self) -> Vec<[String; 4]> {
        let text = fs::read_to_string(self.path("trace")).unwrap_or_default();
        text.lines()
            .map(|line| {
                let mut parts = line.splitn(4, '\t').map(str::to_owned);
                let mut row: [String; 4] = std::array::from_fn(|_| parts.next().unwrap_or_default());
                // As Debian names programs that Heimdal has too.
                if let Some(plain) = row[2].strip_suffix(".mit") {
                    row[2] = plain.to_owned();
                }
                row
            })
            .collect()
    }

    /// The table of methods and what was called agree, in both directions, for some of the interfaces.
    pub fn compare(&self, of: impl Fn(&str) -> bool) {
        let mut called: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for [interface, method, host, _] in self.trace() {
            called.entry((interface, method)).or_default().insert(host);
        }
        let rows = METHODS.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
        for row in rows {
            let (interface, method, host, releases) = match row[..] {
                [interface, method, host, _reason] => (interface, method, host, ""),
                [interface, method, host, _reason, releases] => (interface, method, host, releases),
                _ => panic!("{row:?}"),
            };
            if !of(interface) {
                continue;
            }
            let hosts = called.remove(&(interface.to_owned(), method.to_owned())).unwrap_or_default();
            let bound = |text: &str| text.parse::<u32>().ok();
            let (since, until) = releases.split_once("..").unwrap_or_default();
            let now = release();
            let host =
                match bound(since).is_none_or(|since| now >= since) && bound(until).is_none_or(|until| now <= until) {
                    true => host,
                    false => "-",
                };
            match host {
                "-" => assert!(hosts.is_empty(), "{interface} {method} is called by {hosts:?}"),
                host => {
                    for host in host.split(' ') {
                        assert!(
                            hosts.contains(host),
                            "{interface} {method} is not called by {host}, only by {hosts:?}"
                        );
                    }
                }
            }
        }
        assert!(called.is_empty(), "not in the table: {called:?}");
    }

    /// The details of a method's calls.
    pub fn calls(&self, interface: &str, method: &str) -> Vec<String> {
        let trace = self.trace();
        trace.into_iter().filter(|row| row[0] == interface && row[1] == method).map(|row| row[3].clone()).collect()
    }

    /// Adds to a file.
    pub fn append(&self, file: &str, text: &str) {
        let before = fs::read_to_string(self.path(file)).unwrap();
        fs::write(self.path(file), before + text).unwrap();
    }

    /// Sends a signal to a server.
    pub fn signal(&self, name: &str, signal: &str) {
        let (_, child) = self.children.iter().find(|(running, _)| running == name).unwrap();
        kill(child, signal);
    }

    /// Kilobytes of memory that a server holds.
    pub fn resident(&self, name: &str) -> u64 {
        let (_, child) = self.children.iter().find(|(running, _)| running == name).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// What AddressSanitizer reported.
    pub fn reports(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap());
        let reports = files.filter(|entry| entry.file_name().to_string_lossy().starts_with("asan."));
        reports.map(|entry| String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned()).collect()
    }

    /// A program of `tests/c`, built against MIT's headers; none without them.
    pub fn built(&self, name: &str) -> Option<String> {
        self.compiled(name, name, &[])
    }

    /// The examples as modules whose functions that only free are recorded, too; none without MIT's headers.
    pub fn counted(&self) -> Option<String> {
        let modules = format!("-DMODULES=\"{}\"", example("modules").display());
        self.compiled("counted", "counted.so", &["-shared", "-fPIC", &modules])
    }

    fn compiled(&self, name: &str, output: &str, options: &[&str]) -> Option<String> {
        if !Path::new("/usr/include/krb5/krb5.h").exists() {
            tagwise_testing::skip("no headers of MIT Kerberos (libkrb5-dev)");
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.c"));
        let made = self.path(output);
        let mut command = Command::new("cc");
        let command = command.arg("-Wall").args(options).arg("-o").arg(&made).arg(source).args(["-lkrb5", "-ldl"]);
        let built = command.output().unwrap();
        assert!(built.status.success(), "{}", text(&built));
        Some(made)
    }
}

impl Drop for Realm {
    fn drop(&mut self) {
        if let Some(kept) = std::env::var_os("TAGWISE_VALGRIND") {
            for entry in fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
                if entry.file_name().to_string_lossy().starts_with("valgrind.") {
                    let _ = fs::copy(entry.path(), Path::new(&kept).join(entry.file_name()));
                }
            }
        }
        for (_, child) in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
