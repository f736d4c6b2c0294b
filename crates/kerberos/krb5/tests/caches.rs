//! Credential caches of every type, with MIT's `klist`, `kswitch` and `kdestroy` beside them. There is no KDC: the tickets are made up.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/kcm.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod kcm;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tagwise_codec::encode;
use tagwise_codec::{General, OctetStr};
use tagwise_krb5::cache::{Cache, CacheError, Settings};
use tagwise_krb5::client::Moment;
use tagwise_krb5::messages::{EncryptedData, Ticket};
use tagwise_krb5::{Ccache, Credential, Principal};
use tagwise_pkix::UnixTime;

fn principal(text: &str) -> Principal {
    Principal::parse(text, Some("KRB.TEST")).unwrap()
}

/// A ticket with nothing in it that anybody opens.
fn credential(client: &str, server: &str) -> Credential {
    let (client, server) = (principal(client), principal(server));
    let now = Moment::now().unix;
    let (strings, realm) = (server.strings(), General::from_content(server.realm()));
    let enc_part = EncryptedData { etype: 18, kvno: None, cipher: OctetStr::new(b"nobody opens this") };
    let ticket = encode(&Ticket { tkt_vno: 5, realm, sname: server.name(&strings), enc_part }).unwrap();
    Credential {
        client,
        enc_type: 18,
        key: tagwise_crypto::Secret::from(&[7; 32][..]),
        auth_time: now,
        start_time: now,
        end_time: UnixTime(now.0 + 36_000),
        renew_till: UnixTime(0),
        is_skey: 0,
        flags: 0x40E0_0000,
        addresses: Vec::new(),
        auth_data: Vec::new(),
        ticket,
        second_ticket: Vec::new(),
        server,
    }
}

fn content(client: &str) -> Ccache {
    let mut cache = Ccache::new(principal(client));
    cache.store(credential(client, "krbtgt/KRB.TEST"));
    cache.set_config("fast_avail", Some(&principal("krbtgt/KRB.TEST")), b"yes");
    cache
}

struct Lab {
    folder: tempfile::TempDir,
    settings: Settings,
}

impl Lab {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("kcm.sock");
        let conf = format!("[libdefaults]\n default_realm = KRB.TEST\n kcm_socket = {}\n", socket.display());
        fs::write(folder.path().join("krb5.conf"), conf).unwrap();
        Self { folder, settings: Settings { kcm_socket: Some(socket) } }
    }

    fn resolve(&self, name: &str) -> Cache {
        Cache::resolve(name, &self.settings).unwrap()
    }

    fn names(&self, name: &str) -> Vec<String> {
        Cache::list(name, &self.settings).unwrap().iter().map(Cache::name).collect()
    }

    fn command(&self, program: &str, cache: &str, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new(program);
        command.env("KRB5_CONFIG", self.folder.path().join("krb5.conf")).env("KRB5CCNAME", cache).env("LC_ALL", "C");
        let output = command.args(arguments).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr))
    }

    fn must(&self, program: &str, cache: &str, arguments: &[&str]) -> String {
        let (is_done, text) = self.command(program, cache, arguments);
        assert!(is_done, "{program} {arguments:?} on {cache}: {text}");
        text
    }
}

/// What every collection has to do, with MIT's programs looking at each step.
fn collection(lab: &Lab, name: &str) {
    assert!(Cache::is_collection(name) && lab.names(name).is_empty());
    let first = lab.resolve(name);
    assert!(matches!(first.read(), Err(CacheError::Missing(_))));
    assert!(matches!(first.add(&credential("alice", "host/x")), Err(error) if error.is_missing()));
    assert!(matches!(first.destroy(), Err(error) if error.is_missing()));
    first.write(&content("alice")).unwrap();
    first.switch().unwrap();
    let second = Cache::unused(name, &lab.settings).unwrap();
    assert!(second.name() != first.name() && second.read().is_err_and(|error| error.is_missing()));
    second.write(&content("bob")).unwrap();
    assert_eq!(lab.names(name), [first.name(), second.name()]);
    assert_eq!(lab.names(&second.name()), [second.name()], "the name of one cache stands for itself");
    assert!(!Cache::is_collection(&second.name()));
    let mit = tagwise_testing::tool("klist", &["-V"]);
    if mit {
        let listed = lab.must("klist", name, &["-l"]);
        let rows: Vec<Vec<&str>> = listed.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [["alice@KRB.TEST", &first.name()], ["bob@KRB.TEST", &second.name()]], "{listed}");
    }
    second.switch().unwrap();
    assert_eq!(lab.resolve(name).name(), second.name());
    second.add(&credential("bob", "host/www.test")).unwrap();
    second.add(&credential("bob", "host/ftp.test")).unwrap();
    let read = second.read().unwrap();
    let mut services: Vec<String> = read.tickets().map(|ticket| ticket.server.to_string()).collect();
    services.sort();
    assert_eq!(services, ["host/ftp.test@KRB.TEST", "host/www.test@KRB.TEST", "krbtgt/KRB.TEST@KRB.TEST"]);
    assert_eq!(read.config("fast_avail", Some(&principal("krbtgt/KRB.TEST"))), Some(&b"yes"[..]));
    let found = read.find(&principal("host/www.test"), Moment::now().unix).unwrap();
    let expected = credential("bob", "host/www.test");
    assert_eq!((&found.ticket, found.flags, found.key.expose()), (&expected.ticket, 0x40E0_0000, &[7; 32][..]));
    let of =
        |client: &str| Cache::of_client(name, &principal(client), &lab.settings).unwrap().map(|found| found.name());
    assert_eq!((of("alice"), of("bob"), of("carol")), (Some(first.name()), Some(second.name()), None));
    if mit {
        let shown = lab.must("klist", name, &["-A", "-C", "-e", "-f"]);
        assert!(shown.starts_with(&format!("Ticket cache: {}\nDefault principal: bob@KRB.TEST\n", second.name())));
        for text in ["host/www.test@KRB.TEST", "host/ftp.test@KRB.TEST", "fast_avail", "Flags: FRIA"] {
            assert!(shown.contains(text), "{shown}");
        }
        // What they change is seen here.
        lab.must("kswitch", name, &["-p", "alice@KRB.TEST"]);
        assert_eq!(lab.resolve(name).name(), first.name());
        assert!(!lab.command("klist", &second.name(), &["-s"]).1.contains("not found"));
        lab.must("kdestroy", name, &["-c", &second.name()]);
        assert!(second.read().is_err_and(|error| error.is_missing()));
    } else {
        second.destroy().unwrap();
    }
    assert_eq!(lab.names(name), [first.name()]);
    // A new content takes the place of the old one.
    first.write(&content("carol")).unwrap();
    assert_eq!((first.read().unwrap().principal(), first.read().unwrap().tickets().count()), (&principal("carol"), 1));
    first.destroy().unwrap();
    assert!(lab.names(name).is_empty());
    if mit {
        assert!(!lab.command("klist", name, &["-A", "-s"]).0);
    }
}

#[test]
fn folders() {
    let lab = Lab::new();
    let folder = lab.folder.path().join("caches");
    let name = format!("DIR:{}", folder.display());
    collection(&lab, &name);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("primary"))), (0o700, 0o600));
    // Nothing of what was written on the way is left.
    let left: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [folder.join("primary")]);
    // A name that leads out of the folder, and other names that are wrong.
    for primary in ["../tkt\n", "tkt/../../../x\n", "other\n", "tkt", "tkta\ntktb\n"] {
        fs::write(folder.join("primary"), primary).unwrap();
        assert!(matches!(Cache::resolve(&name, &lab.settings), Err(CacheError::NotCache(_))), "{primary:?}");
    }
    for wrong in ["DIR:", "DIR::tkt", "DIR::/tmp/other", "DIR::/tmp/tkt/.."] {
        assert!(matches!(Cache::resolve(wrong, &lab.settings), Err(CacheError::Name(_))), "{wrong}");
    }
}

#[test]
fn a_service_of_ours() {
    let lab = Lab::new();
    kcm::start(lab.settings.kcm_socket.as_deref().unwrap());
    collection(&lab, "KCM:");
    let cache = lab.resolve("KCM:1000:named");
    cache.write(&content("alice")).unwrap();
    assert_eq!(cache.name(), "KCM:1000:named");
    let none = Settings { kcm_socket: None };
    assert!(matches!(Cache::resolve("KCM:", &none), Err(CacheError::Name(_))));
    let nowhere = Settings { kcm_socket: Some(lab.folder.path().join("nowhere")) };
    assert!(matches!(Cache::resolve("KCM:", &nowhere), Err(CacheError::System(..))));
}

/// Answers that are none: an error each, and nobody is waited for.
#[test]
fn a_service_that_lies() {
    use std::io::{Read as _, Write as _};
    type Expected = fn(&CacheError) -> bool;
    let answer = |body: &[u8]| [&(body.len() as u32).to_be_bytes()[..], &[0; 4], body].concat();
    let lies: Vec<(Vec<u8>, Expected)> = vec![
        // Longer than is read; shorter than it says; nothing.
        ([&[0xFF; 4][..], &[0; 4]].concat(), |error| matches!(error, CacheError::System(..))),
        ([&[0, 0, 0, 9][..], &[0; 8]].concat(), |error| matches!(error, CacheError::System(..))),
        (Vec::new(), |error| matches!(error, CacheError::System(..))),
        // Codes: of the transport, of the operation, and none at all.
        ([&[0, 0, 0, 0][..], &[0, 0, 0, 5]].concat(), |error| matches!(error, CacheError::Service(..))),
        (answer(&[0, 0, 0, 5]), |error| matches!(error, CacheError::Service(..))),
        (answer(&[0, 0]), |error| matches!(error, CacheError::Service(..))),
        (answer(&NO_FILE), |error| error.is_missing()),
        // No principal; one that is cut; one with something behind it.
        (answer(&[0, 0, 0, 0]), |error| error.is_missing()),
        (answer(&[0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF]), |error| matches!(error, CacheError::Malformed(..))),
        (answer(&[&[0; 16][..], b"x"].concat()), |error| matches!(error, CacheError::Malformed(..))),
    ];
    for (at, (lie, is_expected)) in lies.into_iter().enumerate() {
        let lab = Lab::new();
        let listener = std::os::unix::net::UnixListener::bind(lab.settings.kcm_socket.as_deref().unwrap()).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 512];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(&lie);
        });
        let refused = lab.resolve("KCM:1000").read().unwrap_err();
        assert!(is_expected(&refused), "lie {at}: {refused:?}");
    }
}

/// `KRB5_FCC_NOFILE`.
const NO_FILE: [u8; 4] = (-1_765_328_189_i32).to_be_bytes();

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Heimdal's service, which `TAGWISE_HEIMDAL` has beside the KDC. Its socket has one place.
#[test]
fn heimdals_service() {
    let root = std::env::var_os("TAGWISE_HEIMDAL").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let program = root.join("usr/sbin/kcm");
    if !program.exists() {
        tagwise_testing::skip("Heimdal's KCM (Debian: heimdal-kcm; ./x krb5 unpacks it)");
        return;
    }
    let socket = PathBuf::from(Settings::KCM_SOCKET);
    let probe = socket.with_extension("tagwise");
    if std::os::unix::net::UnixStream::connect(&socket).is_ok() || fs::write(&probe, "").is_err() {
        tagwise_testing::skip("Heimdal's KCM: its socket is in use, or may not be made here");
        return;
    }
    fs::remove_file(probe).unwrap();
    let lab = Lab::new();
    let lab = Lab { settings: Settings::default(), ..lab };
    fs::write(lab.folder.path().join("krb5.conf"), "[libdefaults]\n default_realm = KRB.TEST\n").unwrap();
    let mut command = Command::new(program);
    let libraries = root.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    command.env("KRB5_CONFIG", lab.folder.path().join("krb5.conf")).env("LD_LIBRARY_PATH", libraries);
    let _kcm = Ended(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = std::time::Instant::now();
    while std::os::unix::net::UnixStream::connect(&socket).is_err() {
        assert!(begun.elapsed().as_secs() < 30, "the service does not start");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    collection(&lab, "KCM:");
    fs::remove_file(socket).unwrap();
}

#[cfg(all(target_os = "linux", feature = "keyring"))]
#[test]
fn keyrings() {
    // A session of this thread and of what it starts: nothing is left in the user's.
    if let Err(error) = keyutils::Keyring::join_anonymous_session() {
        tagwise_testing::skip(&format!("the kernel's keyrings: {error}"));
        return;
    }
    let lab = Lab::new();
    collection(&lab, "KEYRING:session:tagwise");
    collection(&lab, "KEYRING:tagwise_legacy");
    let own = format!("KEYRING:user:tagwise_test_{}", std::process::id());
    collection(&lab, &own);
    for wrong in ["KEYRING:nowhere:x", "KEYRING:session:x:", "KEYRING:persistent:4294967290"] {
        let failed = Cache::resolve(wrong, &lab.settings);
        assert!(matches!(failed, Err(CacheError::Name(_))), "{wrong}: {failed:?}");
    }
    // A ticket that is too long for a user's key, which a kernel may have big keys for.
    let mut session = keyutils::Keyring::attach(keyutils::SpecialKeyring::Session).unwrap();
    let has_big = session.add_key::<keyutils::keytypes::BigKey, _, _>("probe", &b"probe"[..]).is_ok();
    let cache = lab.resolve("KEYRING:session:big");
    let mut long = content("alice");
    long.store(Credential { ticket: vec![0x61; 40_000], ..credential("alice", "host/big") });
    let written = cache.write(&long);
    if has_big {
        written.unwrap();
        assert_eq!(cache.read().unwrap().tickets().map(|ticket| ticket.ticket.len()).max(), Some(40_000));
        cache.destroy().unwrap();
    } else {
        assert!(matches!(written, Err(CacheError::System(..))));
        assert!(cache.read().is_err_and(|error| error.is_missing()), "nothing is there in part");
    }
}

#[test]
fn files() {
    let lab = Lab::new();
    let path = lab.folder.path().join("cc");
    let name = format!("FILE:{}", path.display());
    let cache = lab.resolve(&name);
    assert_eq!((lab.resolve(&path.display().to_string()).name(), lab.names(&name)), (name.clone(), Vec::new()));
    cache.write(&content("alice")).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    cache.add(&credential("alice", "host/www.test")).unwrap();
    assert_eq!(cache.read().unwrap().tickets().count(), 2);
    assert!(matches!(cache.switch(), Err(CacheError::Name(_))) && Cache::unused(&name, &lab.settings).is_err());
    if tagwise_testing::tool("klist", &["-V"]) {
        assert!(lab.must("klist", &name, &[]).contains("host/www.test@KRB.TEST"));
    }
    // A credential is added in the version of the file.
    let mut old = cache.read().unwrap().to_bytes().unwrap();
    old.splice(..4, [5, 4, 0, 0]);
    let other = lab.folder.path().join("v3");
    fs::write(&other, [&[5, 3][..], &principal_bytes(&old)].concat()).unwrap();
    let third = lab.resolve(&other.display().to_string());
    third.add(&credential("alice", "host/old.test")).unwrap();
    let read = third.read().unwrap();
    assert_eq!((read.version(), read.tickets().count()), (3, 1));
    // What is not a cache stays, and what is behind a link, too.
    let notes = lab.folder.path().join("notes");
    fs::write(&notes, "some notes").unwrap();
    let wrong = lab.resolve(&notes.display().to_string());
    assert!(matches!(wrong.destroy(), Err(CacheError::NotCache(_))));
    assert!(matches!(wrong.add(&credential("alice", "host/x")), Err(CacheError::NotCache(_))));
    let link = lab.folder.path().join("link");
    std::os::unix::fs::symlink(&notes, &link).unwrap();
    lab.resolve(&link.display().to_string()).write(&content("bob")).unwrap();
    assert_eq!(fs::read_to_string(&notes).unwrap(), "some notes");
    cache.destroy().unwrap();
    assert!(!path.exists() && cache.read().is_err_and(|error| error.is_missing()));
}

/// The principal of a cache of version 4 without a header.
fn principal_bytes(octets: &[u8]) -> Vec<u8> {
    let mut at = 8;
    for _ in 0..2 {
        at += 4 + u32::from_be_bytes(octets[at + 4..at + 8].try_into().unwrap()) as usize;
    }
    octets[4..at + 4].to_vec()
}

/// Writers that add at once lose nothing, and a reader never sees a part.
#[test]
fn many_writers() {
    let lab = Lab::new();
    let name = format!("FILE:{}", lab.folder.path().join("cc").display());
    lab.resolve(&name).write(&content("alice")).unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (lab, name) = (&lab, &name);
            scope.spawn(move || {
                for number in 0..25 {
                    let cache = lab.resolve(name);
                    cache.add(&credential("alice", &format!("host/{writer}-{number}"))).unwrap();
                    cache.read().unwrap();
                }
            });
        }
    });
    assert_eq!(lab.resolve(&name).read().unwrap().tickets().count(), 101);
}

/// A lock of another process is waited for; MIT's library takes the same.
#[cfg(target_os = "linux")]
#[test]
fn a_lock_of_another_process() {
    let python = ["-c", "import sys"];
    if !tagwise_testing::tool("python3", &python) {
        return;
    }
    let lab = Lab::new();
    let path = lab.folder.path().join("cc");
    let cache = lab.resolve(&path.display().to_string());
    cache.write(&content("alice")).unwrap();
    let script = "import fcntl, sys, time
file = open(sys.argv[1], 'r+b')
fcntl.lockf(file, fcntl.LOCK_EX)
print('locked', flush=True)
time.sleep(1)
";
    let mut child = Command::new("python3").args(["-c", script]).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    let begun = std::time::Instant::now();
    cache.add(&credential("alice", "host/www.test")).unwrap();
    assert!(begun.elapsed().as_millis() > 500, "it was not waited for");
    assert!(child.wait().unwrap().success());
}

#[test]
fn names() {
    let settings = Settings::default();
    for wrong in ["ODD:x", "API:x", "FILE:", ""] {
        assert!(matches!(Cache::resolve(wrong, &settings), Err(CacheError::Name(_))), "{wrong}");
    }
    assert_eq!(Cache::resolve("C:/x", &settings).unwrap().name(), "FILE:C:/x");
    let memory = Cache::resolve("MEMORY:names", &settings).unwrap();
    assert!(memory.add(&credential("alice", "host/x")).is_err_and(|error| error.is_missing()));
    memory.write(&content("alice")).unwrap();
    memory.add(&credential("alice", "host/x")).unwrap();
    assert_eq!(Cache::resolve("MEMORY:names", &settings).unwrap().read().unwrap().tickets().count(), 2);
    memory.destroy().unwrap();
    assert!(memory.destroy().is_err_and(|error| error.is_missing()));
}

#[test]
fn a_damaged_primary_does_not_hide_the_caches_of_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let (name, settings) = (format!("DIR:{}", folder.path().display()), Settings::default());
    for client in ["alice", "bob"] {
        let cache = Cache::unused(&name, &settings).unwrap();
        cache.write(&Ccache::new(principal(client))).unwrap();
    }
    fs::write(folder.path().join("primary"), "no cache\n").unwrap();
    assert!(matches!(Cache::resolve(&name, &settings), Err(CacheError::NotCache(_))));
    let all = Cache::list(&name, &settings).unwrap();
    assert_eq!(all.len(), 2);
    all.iter().for_each(|cache| cache.destroy().unwrap());
    assert!(Cache::list(&name, &settings).unwrap().is_empty());
}
