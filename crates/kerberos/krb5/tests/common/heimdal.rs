//! A throw-away realm of Heimdal's KDC on loopback, without privileges. Debian's packages of Heimdal and of MIT's KDC exclude each other,
//! so `TAGWISE_HEIMDAL` names a folder in which those of Heimdal are unpacked.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tagwise_krb5::conf::{Config, NoIncludes};

/// The realm's name.
pub const REALM: &str = "HEIM.TEST";

/// The password of the key that the realm shares with MIT's, in both directions.
pub const SHARED: &str = "between realms";

/// A KDC and a password server, which end with the value.
pub struct Heimdal {
    pub folder: tempfile::TempDir,
    pub config: Config,
    /// The text of the client's configuration.
    pub client_conf: String,
    root: PathBuf,
    children: Vec<Child>,
}

/// A program of Heimdal below a root.
fn program(root: &Path, name: &str) -> Option<PathBuf> {
    let folders = ["usr/bin", "usr/sbin", "usr/lib/heimdal-servers"];
    folders.iter().map(|folder| root.join(folder).join(name)).find(|path| path.exists())
}

impl Heimdal {
    /// A command in the realm's environment.
    pub fn command(&self, name: &str) -> Command {
        let found = program(&self.root, name);
        let mut command = Command::new(found.unwrap_or_else(|| panic!("Heimdal has no {name}")));
        command.env("KRB5_CONFIG", self.path("krb5.conf")).env("TMPDIR", self.folder.path()).stdin(Stdio::null());
        if self.root != Path::new("/") {
            let folder = self.root.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
            command.env("LD_LIBRARY_PATH", folder);
        }
        command
    }

    pub fn path(&self, file: &str) -> String {
        self.folder.path().join(file).display().to_string()
    }

    /// The output of a command that must succeed.
    pub fn run(&self, name: &str, arguments: &[&str]) -> String {
        let output = self.command(name).args(arguments).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name} {arguments:?}: {text}");
        text
    }

    pub fn admin(&self, arguments: &[&str]) {
        let config = self.path("krb5.conf");
        self.run("kadmin.heimdal", &[&["-c", &config, "-l", "-r", REALM], arguments].concat());
    }

    /// Starts one, or skips the test.
    pub fn start() -> Option<Self> {
        Self::start_with(|_| String::new())
    }

    /// The same with lines for the KDC's configuration, which a function gives that may write files into the folder.
    pub fn start_with(lines: impl FnOnce(&Path) -> String) -> Option<Self> {
        let root = std::env::var_os("TAGWISE_HEIMDAL").map_or_else(|| PathBuf::from("/"), PathBuf::from);
        if program(&root, "kdc").is_none() || program(&root, "kadmin.heimdal").is_none() {
            tagwise_testing::skip("Heimdal's KDC (./x krb5 unpacks Debian's heimdal-kdc and heimdal-clients)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let (kdc, kpasswd) = (tagwise_testing::port(), tagwise_testing::port());
        let at = folder.path().display();
        let client_conf = format!(
            "[libdefaults]
 default_realm = {REALM}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 rdns = false
 allow_weak_crypto = true
[realms]
 {REALM} = {{
  kdc = 127.0.0.1:{kdc}
  kpasswd_server = 127.0.0.1:{kpasswd}
 }}
"
        );
        let lines = lines(folder.path());
        let types = ["aes256-cts-hmac-sha1-96", "aes128-cts-hmac-sha1-96", "aes256-cts-hmac-sha384-192"]
            .into_iter()
            .chain(["aes128-cts-hmac-sha256-128", "des3-cbc-sha1", "arcfour-hmac-md5"]);
        let keys = types.map(|name| format!("{name}:pw-salt")).collect::<Vec<_>>().join(" ");
        let conf = format!(
            "{client_conf}[kdc]
 database = {{
  dbname = {at}/heimdal
  realm = {REALM}
  mkey_file = {at}/m-key
  acl_file = {at}/acl
  log_file = {at}/hdb.log
 }}
 require-preauth = false
 encode_as_rep_as_tgs_rep = false
{lines}[kadmin]
 default_keys = {keys}
[logging]
 kdc = FILE:{at}/kdc.log
 kpasswdd = FILE:{at}/kpasswdd.log
"
        );
        fs::write(folder.path().join("krb5.conf"), conf).unwrap();
        let config = Config::parse(&client_conf, &mut NoIncludes).unwrap();
        let mut realm = Self { folder, config, client_conf, root, children: Vec::new() };
        let mkey = format!("--key-file={}", realm.path("m-key"));
        realm.run("kstash", &["--random-key", &mkey]);
        let life = ["--realm-max-ticket-life=1day", "--realm-max-renewable-life=1week"];
        realm.admin(&[&["init"], &life[..], &[REALM]].concat());
        for (name, password) in [("alice", "alicepw"), ("bob", "bobpw"), ("dave", "davepass1"), ("locked", "locked")] {
            realm.admin(&["add", &format!("--password={password}"), "--use-defaults", name]);
        }
        for name in ["host/localhost", "host/far.heim.test", "HTTP/front.test", "HTTP/back.test"] {
            realm.admin(&["add", "-r", "--use-defaults", name]);
        }
        for shared in ["krbtgt/HEIM.TEST@KRB.TEST", "krbtgt/KRB.TEST@HEIM.TEST"] {
            realm.admin(&["add", &format!("--password={SHARED}"), "--use-defaults", shared]);
        }
        realm.admin(&["mod", "--attributes=requires-pre-auth", "alice"]);
        realm.admin(&["mod", "--attributes=disallow-all-tix", "locked"]);
        realm.admin(&["mod", "--alias=alice@mail.example", "alice"]);
        realm.admin(&["mod", "--attributes=trusted-for-delegation", "HTTP/front.test"]);
        realm.admin(&["mod", "--constrained-delegation=HTTP/back.test@HEIM.TEST", "HTTP/front.test"]);
        let all = realm.path("all.keytab");
        let named = ["alice", "host/localhost", "HTTP/front.test", "HTTP/back.test", "host/far.heim.test"];
        realm.admin(&[&["ext", "-k", &all], &named[..]].concat());
        let config_file = format!("--config-file={}", realm.path("krb5.conf"));
        let address = "--addresses=127.0.0.1";
        for (name, arguments) in [
            ("kdc", vec![config_file.as_str(), address, &format!("--ports={kdc}")]),
            ("kpasswdd", vec![address, &format!("--port={kpasswd}"), &format!("--realm={REALM}")]),
        ] {
            let child =
                realm.command(name).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            realm.children.push(child);
        }
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", kdc)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the realm does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(realm)
    }
}

impl Drop for Heimdal {
    fn drop(&mut self) {
        for child in &mut self.children {
            // The KDC has workers, which end when it is asked to end.
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            let _ = child.wait();
        }
    }
}
