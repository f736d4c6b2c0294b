//! A throw-away realm of MIT's KDC on loopback, without privileges.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tagwise_krb5::conf::{Config, NoIncludes};

/// The realm's name.
pub const REALM: &str = "KRB.TEST";

/// A KDC and a password server, which end with the value.
pub struct Realm {
    pub folder: tempfile::TempDir,
    pub config: Config,
    children: Vec<Child>,
}

/// A program of the realm's administration, which is not always in the path of users.
pub fn program(name: &str) -> String {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    found.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

/// The installed release of MIT Kerberos by its minor number.
pub fn release() -> u32 {
    let output = Command::new(program("klist")).arg("-V").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let minor =
        said.split_once("version 1.").and_then(|(_, rest)| rest.split(|digit: char| !digit.is_ascii_digit()).next());
    minor.and_then(|minor| minor.parse().ok()).unwrap_or_else(|| panic!("no release of MIT's: {said}"))
}

/// Returns whether MIT's KDC has a plugin for preauthentication; skips the test where it does not.
pub fn plugin(name: &str, package: &str) -> bool {
    let folder = format!("/usr/lib/{}-linux-gnu/krb5/plugins/preauth/{name}.so", std::env::consts::ARCH);
    let found = Path::new(&folder).exists();
    if !found {
        tagwise_testing::skip(&format!("MIT's plugin {name} (Debian: {package})"));
    }
    found
}

impl Realm {
    /// A command in the realm's environment.
    pub fn command(&self, name: &str) -> Command {
        let path = |file: &str| self.folder.path().join(file);
        let mut command = Command::new(program(name));
        command
            .env("KRB5_CONFIG", path("krb5.conf"))
            .env("KRB5_KDC_PROFILE", path("kdc.conf"))
            .env("KRB5RCACHEDIR", self.folder.path())
            .env("TMPDIR", self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// The output of a command that must succeed.
    pub fn run(&self, name: &str, arguments: &[&str]) -> String {
        let output = self.command(name).args(arguments).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name} {arguments:?}: {text}");
        text
    }

    /// Starts one, or skips the test.
    pub fn start() -> Option<Self> {
        Self::start_with(&[], |_| String::new())
    }

    /// The same with further queries of `kadmin.local`, and with lines for the KDC's realm, which a function gives that may write
    /// files into the folder.
    pub fn start_with(queries: &[&str], lines: impl FnOnce(&Path) -> String) -> Option<Self> {
        for name in ["krb5kdc", "kadmin.local", "kdb5_util", "kadmind"] {
            if !tagwise_testing::tool(&program(name), &["-?"]) {
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let (kdc, kpasswd, kadmin) = (tagwise_testing::port(), tagwise_testing::port(), tagwise_testing::port());
        let root = folder.path().display();
        let conf = format!(
            "[libdefaults]
 default_realm = {REALM}
 dns_lookup_kdc = false
 dns_lookup_realm = false
 dns_canonicalize_hostname = false
 rdns = false
 spake_preauth_groups = edwards25519
 allow_rc4 = true
 allow_des3 = true
 allow_weak_crypto = true
[realms]
 {REALM} = {{
  kdc = 127.0.0.1:{kdc}
  kpasswd_server = 127.0.0.1:{kpasswd}
  admin_server = 127.0.0.1:{kadmin}
 }}
[domain_realm]
 localhost = {REALM}
 .heim.test = HEIM.TEST
"
        );
        let enc_types = "aes256-cts-hmac-sha384-192:normal aes128-cts-hmac-sha256-128:normal aes256-cts:normal aes128-cts:normal \
             camellia256-cts:normal camellia128-cts:normal arcfour-hmac:normal des3-cbc-sha1:normal";
        let lines = lines(folder.path());
        // From 1.22 on the password server takes UNIX sockets, too.
        let kpasswd_socket = if release() >= 22 { format!(" {root}/kpasswd.sock") } else { String::new() };
        let kdc_conf = format!(
            "[kdcdefaults]
 kdc_listen = 127.0.0.1:{kdc}
 kdc_tcp_listen = 127.0.0.1:{kdc}
 spake_preauth_groups = edwards25519
[realms]
 {REALM} = {{
  database_module = main
  key_stash_file = {root}/stash
  acl_file = {root}/acl
  kadmind_listen = 127.0.0.1:{kadmin}
  kpasswd_listen = 127.0.0.1:{kpasswd}{kpasswd_socket}
  max_life = 10h
  max_renewable_life = 7d
  supported_enctypes = {enc_types}
{lines} }}
[dbmodules]
 main = {{
  db_library = db2
  database_name = {root}/principal
 }}
[otp]
 DEFAULT = {{
  server = {root}/radius.sock
  timeout = 5
  retries = 1
  strip_realm = true
 }}
[logging]
 kdc = FILE:{root}/kdc.log
 admin_server = FILE:{root}/kadmind.log
"
        );
        fs::write(folder.path().join("krb5.conf"), &conf).unwrap();
        fs::write(folder.path().join("kdc.conf"), kdc_conf).unwrap();
        fs::write(folder.path().join("acl"), "").unwrap();
        let config = Config::parse(&conf, &mut NoIncludes).unwrap();
        let mut realm = Self { folder, config, children: Vec::new() };
        realm.run("kdb5_util", &["create", "-s", "-P", "masterpw", "-r", REALM]);
        let all = realm.folder.path().join("all.keytab").display().to_string();
        for query in [
            "addprinc -pw alicepw +requires_preauth alice",
            "addprinc -pw bobpw bob",
            "addprinc -pw carolpw +requires_preauth carol",
            "addprinc -pw ottopw +requires_preauth otto",
            "addprinc -randkey host/localhost",
            "addprinc -randkey HTTP/front.test",
            "modprinc +ok_to_auth_as_delegate HTTP/front.test",
            "addpol -minlength 8 strong",
            "addprinc -pw davepass1 -policy strong +requires_preauth dave",
            "addprinc -pw expw -pwexpire yesterday exuser",
            "addprinc -pw locked -allow_tix locked",
            &format!(
                "ktadd -k {all} -norandkey krbtgt/{REALM} alice bob host/localhost HTTP/front.test kadmin/changepw"
            ),
        ] {
            realm.run("kadmin.local", &["-r", REALM, "-q", query]);
        }
        for query in queries {
            realm.run("kadmin.local", &["-r", REALM, "-q", query]);
        }
        let tokens = r#"[{"type":"DEFAULT","indicators":["otp"]}]"#;
        realm.run("kadmin.local", &["-r", REALM, "set_string", "otto", "otp", tokens]);
        for (name, arguments) in [("krb5kdc", ["-n", "-r", REALM]), ("kadmind", ["-nofork", "-r", REALM])] {
            let child =
                realm.command(name).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            realm.children.push(child);
        }
        for port in [kdc, kadmin] {
            let begun = Instant::now();
            while TcpStream::connect(("127.0.0.1", port)).is_err() {
                assert!(begun.elapsed() < Duration::from_secs(30), "the realm does not start");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        Some(realm)
    }
}

impl Drop for Realm {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
