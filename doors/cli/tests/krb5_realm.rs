//! `tagwise krb5` against MIT's KDC, which the test starts, with MIT's programs reading what it writes and the other way round.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../crates/kerberos/krb5/tests/common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

#[cfg(unix)]
#[path = "../../../crates/kerberos/krb5/tests/common/heimdal.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod heimdal;
#[cfg(unix)]
#[path = "../../../crates/kerberos/krb5/tests/common/kcm.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod kcm;
#[cfg(all(unix, feature = "krb5-network"))]
#[path = "../../../crates/kerberos/krb5/tests/common/proxy.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod proxy;
#[cfg(unix)]
#[path = "../../../crates/kerberos/krb5/tests/common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;

use std::fs;
use std::process::{Command, Output};

use realm::Realm;

struct Lab(Realm);

impl Lab {
    fn path(&self, name: &str) -> String {
        self.0.folder.path().join(name).display().to_string()
    }

    fn command(&self, cache: &str, args: &[&str]) -> Output {
        self.prepared(cache, args).output().unwrap()
    }

    fn prepared(&self, cache: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.arg("krb5").args(args).env("KRB5_CONFIG", self.path("krb5.conf"));
        command.env("KRB5CCNAME", cache).env_remove("KRB5_KTNAME");
        command
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        self.run_on(&format!("FILE:{}", self.path("cc")), args)
    }

    /// Runs a command with these lines in standard input.
    fn piped(&self, input: &str, args: &[&str]) -> (Option<i32>, String) {
        fs::write(self.path("input"), input).unwrap();
        let mut command = self.prepared(&format!("FILE:{}", self.path("cc")), args);
        let output = command.stdin(fs::File::open(self.path("input")).unwrap()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// Runs a command with another credential cache.
    fn run_on(&self, cache: &str, args: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command(cache, args);
        let text = |octets| String::from_utf8(octets).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn must(&self, args: &[&str]) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(code, Some(0), "{args:?}: {out}{err}");
        out
    }
}

#[test]
fn daily_use_with_mit() {
    let Some(realm) = Realm::start() else { return };
    let lab = Lab(realm);
    fs::write(lab.path("alice"), "alicepw\n").unwrap();
    fs::write(lab.path("wrong"), "Alicepw\n").unwrap();
    tickets(&lab);
    refusals(&lab);
    clocks(&lab);
    keytabs(&lab);
    passwords(&lab);
    #[cfg(unix)]
    collections(&lab);
    #[cfg(all(unix, feature = "krb5-network"))]
    through_a_proxy(&lab);
}

/// The client's clock is two hours late. The cache keeps the difference, so that service tickets are granted, too.
fn clocks(lab: &Lab) {
    if !tagwise_testing::tool("faketime", &["--version"]) {
        return;
    }
    let late = |args: &[&str]| {
        let mut command = Command::new("faketime");
        command
            .args(["-f", "-2h", env!("CARGO_BIN_EXE_tagwise"), "krb5"])
            .args(args)
            .env("KRB5_CONFIG", lab.path("krb5.conf"));
        command.env("KRB5CCNAME", format!("FILE:{}", lab.path("late"))).env_remove("KRB5_KTNAME");
        let output = command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").output().unwrap();
        let text = |octets| String::from_utf8(octets).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, _, err) = late(&["kinit", "--password-file", &lab.path("alice"), "alice"]);
    assert_eq!(code, Some(0), "{err}");
    let cache = tagwise_krb5::Ccache::from_bytes(&fs::read(lab.path("late")).unwrap()).unwrap();
    assert!((7190..=7210).contains(&cache.ahead_seconds()), "{:?}", cache.time_offset());
    let (code, out, err) = late(&["kvno", "host/localhost"]);
    assert_eq!((code, out.as_str()), (Some(0), "host/localhost@KRB.TEST: kvno = 1\n"), "{err}");
    // The password server's limit is five minutes, too. The password is changed, and changed back.
    fs::write(lab.path("first"), "davepass1").unwrap();
    fs::write(lab.path("second"), "davepass9").unwrap();
    for [old, new] in [["first", "second"], ["second", "first"]] {
        let (code, out, err) =
            late(&["kpasswd", "--password-file", &lab.path(old), "--new-password-file", &lab.path(new), "dave"]);
        assert_eq!((code, out.as_str()), (Some(0), "Password changed.\n"), "{err}");
    }
    // A service that fails does not prevent the others.
    let (code, out, err) = late(&["kvno", "nothing/there", "HTTP/front.test"]);
    assert_eq!((code, out.contains("HTTP/front.test@KRB.TEST: kvno = ")), (Some(1), true), "{err}");
    assert!(err.contains("KDC_ERR_S_PRINCIPAL_UNKNOWN (7)"), "{err}");
}

/// Lines of `klist` with MIT's two-digit years made the longer form.
fn normal(text: &str) -> Vec<String> {
    let date = |word: &str| match word.split('/').collect::<Vec<_>>()[..] {
        [month, day, year] if word.len() == 8 && month.len() == 2 => format!("20{year}-{month}-{day}"),
        _ => word.to_owned(),
    };
    text.lines().map(|line| line.split_whitespace().map(date).collect::<Vec<_>>().join(" ")).collect()
}

fn tickets(lab: &Lab) {
    let (code, out, err) =
        lab.run(&["kinit", "--trace", "-f", "-r", "2d", "--password-file", &lab.path("alice"), "alice"]);
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("to KRB.TEST: AS-REQ of alice@KRB.TEST for krbtgt/KRB.TEST@KRB.TEST; "), "{err}");
    assert!(lines[1].starts_with("  127.0.0.1:"), "{err}");
    assert!(lines[1].contains(" over UDP: KRB-ERROR KDC_ERR_PREAUTH_REQUIRED (25)"), "{err}");
    assert!(lines.last().unwrap().contains(": AS-REP to alice@KRB.TEST for krbtgt/KRB.TEST"), "{err}");
    assert!(!err.contains("alicepw"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(lab.path("cc")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(lab.run(&["klist", "-s"]).0, Some(0));
    // A service's ticket by ours, another by theirs, into the same cache; both lists say the same.
    assert_eq!(lab.must(&["kvno", "host/localhost"]), "host/localhost@KRB.TEST: kvno = 1\n");
    let name = format!("FILE:{}", lab.path("cc"));
    let theirs = lab.0.run("kvno", &["-c", &name, "HTTP/front.test@KRB.TEST"]);
    assert!(theirs.contains("kvno = "), "{theirs}");
    let mut mit = lab.0.command("klist");
    let mit = mit.env("TZ", "UTC").env("LC_ALL", "C").args(["-e", "-f", "-c", &name]).output().unwrap();
    let mit = String::from_utf8(mit.stdout).unwrap();
    let ours = lab.must(&["klist", "-e", "-f"]);
    let alias = |text: &str| text.replace("DEPRECATED:", "").replace("arcfour-hmac", "rc4-hmac");
    assert_eq!(normal(&alias(&mit)), normal(&ours));
    assert!(ours.contains("HTTP/front.test@KRB.TEST") && ours.contains("Flags: F"), "{ours}");
    // Nothing is asked again for what is there.
    let (_, out, err) = lab.run(&["kvno", "--trace", "--json", "-k", &lab.path("all.keytab"), "host/localhost"]);
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((err.as_str(), &shown["tickets"][0]["opened"]), ("", &true.into()));
    lab.must(&["kinit", "-R"]);
    lab.must(&["kinit", "-R", "alice"]);
    let (code, _, err) = lab.run(&["kinit", "-R", "bob"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("the cache belongs to alice@KRB.TEST, not to bob"), "{err}");
    let (code, out, err) = lab.run(&["kvno", "host/localhost@NOREALM.TEST"]);
    assert!(code == Some(1) && out.is_empty(), "{out}{err}");
    // In a tunnel, with the ticket that is there.
    let armored = lab.path("armored");
    lab.must(&["kinit", "-T", &name, "-c", &armored, "--password-file", &lab.path("alice"), "alice"]);
    assert!(lab.0.run("klist", &["-c", &armored]).contains("krbtgt/KRB.TEST@KRB.TEST"));
    // Ours reads what MIT's kinit writes, and the keytab opens its tickets.
    let theirs = lab.path("theirs");
    lab.0.run("kinit", &["-c", &theirs, "-k", "-t", &lab.path("all.keytab"), "alice"]);
    assert!(lab.must(&["klist", "-c", &theirs]).contains("Default principal: alice@KRB.TEST"));
    let (code, out, err) = lab.run(&["decrypt", "--keytab", &lab.path("all.keytab"), &theirs]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("EncTicketPart decrypted with krbtgt/KRB.TEST@KRB.TEST"), "{out}");
    lab.must(&["kdestroy"]);
    assert!(!std::path::Path::new(&lab.path("cc")).exists());
    assert_eq!(lab.run(&["klist", "-s"]).0, Some(1));
    assert_eq!(lab.run(&["kdestroy"]).0, Some(3));
}

fn refusals(lab: &Lab) {
    // As MIT's does, kinit takes the password from a line of standard input.
    assert_eq!(
        lab.piped("alicepw\nnot this\n", &["kinit", "-c", &lab.path("piped"), "alice"]),
        (Some(0), String::new())
    );
    let (code, err) = lab.piped("Alicepw\n", &["kinit", "-c", &lab.path("piped"), "alice"]);
    assert!(code == Some(1), "{err}");
    let (code, _, err) = lab.run(&["kinit", "--password-file", &lab.path("wrong"), "alice"]);
    assert_eq!(code, Some(1));
    assert!(
        err.contains("alice@KRB.TEST: the KDC says KDC_ERR_PREAUTH_FAILED (24)") && !err.contains("Alicepw"),
        "{err}"
    );
    let (code, _, err) = lab.run(&["kinit", "--password-file", &lab.path("alice"), "nobody"]);
    assert_eq!((code, err.contains("KDC_ERR_C_PRINCIPAL_UNKNOWN (6)")), (Some(1), true), "{err}");
    let (code, _, err) = lab.run(&["kinit", "--password-file", &lab.path("alice"), "alice@NOWHERE.TEST"]);
    assert_eq!((code, err.contains("no KDC found for the realm NOWHERE.TEST")), (Some(3), true), "{err}");
    let (code, _, err) = lab.run(&["kvno", "host/localhost"]);
    assert_eq!((code, err.contains("no such credential cache")), (Some(3), true), "{err}");
    let (code, _, err) = lab.run(&["klist", "-c", "ODD:1000"]);
    assert_eq!((code, err.contains("ODD is not a type of credential cache")), (Some(2), true), "{err}");
    // What is no cache stays.
    let (code, _, err) = lab.run(&["kdestroy", "-c", &lab.path("krb5.conf")]);
    assert_eq!((code, err.contains("not a credential cache")), (Some(1), true), "{err}");
    assert!(std::path::Path::new(&lab.path("krb5.conf")).exists());
}

/// In a folder, a service and a keyring: ours and MIT's `kinit` put each client's tickets into the client's cache, and list the same.
#[cfg(unix)]
fn collections(lab: &Lab) {
    let conf = fs::read_to_string(lab.path("krb5.conf")).unwrap();
    let socket = lab.path("kcm.sock");
    kcm::start(socket.as_ref());
    fs::write(
        lab.path("krb5.conf"),
        conf.replace("[libdefaults]\n", &format!("[libdefaults]\n kcm_socket = {socket}\n")),
    )
    .unwrap();
    fs::write(lab.path("bob"), "bobpw\n").unwrap();
    let folder = format!("DIR:{}", lab.path("caches"));
    let ring = format!("KEYRING:session:tagwise_{}", std::process::id());
    let mut names = vec![folder.as_str(), "KCM:"];
    if cfg!(target_os = "linux") {
        match lab.run_on(&ring, &["klist", "-l"]) {
            (_, _, err) if err.contains("credential cache not found") => names.push(&ring),
            (_, _, err) => tagwise_testing::skip(&format!("the kernel's keyrings: {err}")),
        }
    }
    for name in names {
        let must = |args: &[&str]| {
            let (code, out, err) = lab.run_on(name, args);
            assert_eq!(code, Some(0), "{name} {args:?}: {out}{err}");
            out
        };
        let mit = |program: &str, args: &[&str]| {
            let mut command = lab.0.command(program);
            let output =
                command.env("KRB5CCNAME", name).env("TZ", "UTC").env("LC_ALL", "C").args(args).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                output.status.success(),
                "{name} {program} {args:?}: {text}{}",
                String::from_utf8_lossy(&output.stderr)
            );
            text
        };
        must(&["kinit", "--password-file", &lab.path("alice"), "alice"]);
        must(&["kinit", "--password-file", &lab.path("bob"), "bob"]);
        mit("kinit", &["-k", "-t", &lab.path("all.keytab"), "host/localhost"]);
        // The primary cache is that of the last client.
        assert!(must(&["klist"]).contains("Default principal: host/localhost@KRB.TEST"));
        must(&["kinit", "--password-file", &lab.path("alice"), "alice"]);
        let listed = must(&["klist", "-l"]);
        let rows = |text: &str| {
            let mut rows: Vec<String> = text.lines().skip(2).map(str::to_owned).collect();
            rows.get_mut(1..).unwrap().sort();
            rows
        };
        assert_eq!(rows(&listed), rows(&mit("klist", &["-l"])));
        assert!(rows(&listed)[0].starts_with("alice@KRB.TEST ") && rows(&listed).len() == 3, "{listed}");
        // A service's ticket by theirs and by ours, into one cache.
        mit("kvno", &["HTTP/front.test@KRB.TEST"]);
        must(&["kvno", "host/localhost"]);
        let (ours, theirs) = (must(&["klist", "-e", "-f"]), mit("klist", &["-e", "-f"]));
        let sorted = |text: &str| {
            let mut lines = normal(&text.replace("DEPRECATED:", ""));
            lines.sort();
            lines
        };
        assert_eq!(sorted(&ours), sorted(&theirs));
        assert!(ours.contains("HTTP/front.test@KRB.TEST") && ours.contains("host/localhost@KRB.TEST"), "{ours}");
        assert_eq!(must(&["klist", "-A"]).matches("Ticket cache: ").count(), 3);
        let shown: serde_json::Value = serde_json::from_str(&must(&["klist", "-A", "--json"])).unwrap();
        assert_eq!(shown["caches"].as_array().unwrap().len(), 3);
        must(&["kswitch", "-p", "bob"]);
        assert!(mit("klist", &[]).contains("Default principal: bob@KRB.TEST"));
        assert_eq!(lab.run_on(name, &["kswitch", "-p", "nobody"]).0, Some(3));
        mit("kswitch", &["-p", "alice@KRB.TEST"]);
        must(&["kdestroy", "-p", "bob"]);
        let listed = mit("klist", &["-l"]);
        assert!(!listed.contains("bob@KRB.TEST") && listed.contains("alice@KRB.TEST"), "{listed}");
        must(&["kdestroy", "-A"]);
        assert_eq!(lab.run_on(name, &["klist", "-l"]).0, Some(3));
    }
    fs::write(lab.path("krb5.conf"), conf).unwrap();
}

/// Tickets through a proxy over HTTPS, which is trusted by `http_anchors`.
#[cfg(all(unix, feature = "krb5-network"))]
fn through_a_proxy(lab: &Lab) {
    let conf = fs::read_to_string(lab.path("krb5.conf")).unwrap();
    let kdc = lab.0.config.kdcs(realm::REALM)[0].parse().unwrap();
    let Some(proxy) = proxy::start(
        lab.0.folder.path(),
        Box::new(move |framed, realm| {
            assert_eq!(realm, realm::REALM);
            proxy::pass_on(kdc, framed)
        }),
    ) else {
        return;
    };
    let with = |anchors: &str| {
        let url = format!("https://localhost:{}/KdcProxy", proxy.address.port());
        let text = conf.replace(&format!("kdc = {kdc}\n"), &format!("kdc = {url}\n  http_anchors = {anchors}\n"));
        fs::write(lab.path("krb5.conf"), text).unwrap();
        lab.run(&["kinit", "--password-file", &lab.path("alice"), "alice"])
    };
    let (code, _, err) = with(&format!("FILE:{}", lab.path("proxy.pem")));
    assert_eq!(code, Some(0), "{err}");
    lab.must(&["kvno", "host/localhost"]);
    let (code, _, err) = with(&format!("FILE:{}", lab.path("nothing.pem")));
    assert_eq!((code, err.contains("http_anchors: FILE:")), (Some(3), true), "{err}");
    // Another certificate than the proxy's.
    let other = proxy::start(lab.0.folder.path(), Box::new(|_, _| Vec::new())).unwrap();
    assert_ne!(other.certificate, proxy.certificate);
    let (code, _, err) = with(&format!("FILE:{}", lab.path("proxy.pem")));
    assert_eq!((code, err.contains("certificate")), (Some(3), true), "{err}");
    fs::write(lab.path("krb5.conf"), conf).unwrap();
}

/// Keys of a password are MIT's keys; a keytab of ours is good for MIT's `kinit`, and for ours.
fn keytabs(lab: &Lab) {
    let (ours, all) = (lab.path("ours.keytab"), lab.path("all.keytab"));
    let password = lab.path("alice");
    for enc_type in
        ["aes256-cts-hmac-sha384-192", "aes128-cts-hmac-sha1-96", "camellia128-cts-cmac", "des3-cbc-sha1-kd"]
    {
        let add = ["ktutil", "add", &ours, "-p", "alice", "--kvno", "1", "-e", enc_type, "--password-file", &password];
        lab.must(&add);
    }
    let keys = |file: &str| {
        let out = lab.must(&["decode", "--json", "--show-keys", file]);
        let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
        let entries = shown["items"][0]["content"]["entries"].as_array().unwrap().clone();
        let of = |entry: &serde_json::Value| (entry["principal"].clone(), entry["etype"].clone(), entry["key"].clone());
        entries.iter().map(of).collect::<Vec<_>>()
    };
    let theirs = keys(&all);
    for key in keys(&ours) {
        assert!(theirs.contains(&key), "{:?}", (key.0, key.1));
    }
    lab.0.run("kinit", &["-c", &lab.path("by-keytab"), "-k", "-t", &ours, "alice"]);
    lab.must(&["kinit", "-c", &lab.path("by-keytab"), "-k", "-t", &ours, "alice"]);
    let mit = lab.0.run("klist", &["-k", "-e", &ours]).replace("DEPRECATED:", "").replace("-sha1)", "-sha1-kd)");
    assert_eq!(normal(&mit.replace("sha1-kd-96", "sha1-96")), normal(&lab.must(&["klist", "-k", "-e", &ours])));
}

fn passwords(lab: &Lab) {
    fs::write(lab.path("old"), "davepass1").unwrap();
    fs::write(lab.path("short"), "short").unwrap();
    fs::write(lab.path("new"), "davepass2").unwrap();
    let change = |new: &str| {
        lab.run(&["kpasswd", "--password-file", &lab.path("old"), "--new-password-file", &lab.path(new), "dave"])
    };
    let (code, _, err) = change("short");
    assert_eq!((code, err.contains("the new password was rejected")), (Some(1), true), "{err}");
    let (code, out, err) = change("new");
    assert_eq!((code, out.as_str()), (Some(0), "Password changed.\n"), "{err}");
    lab.must(&["kinit", "--password-file", &lab.path("new"), "dave"]);
    // The old one, the new one, and that again, by lines.
    let (code, err) = lab.piped("davepass2\ndavepass3\ndavepass4\n", &["kpasswd", "dave"]);
    assert_eq!((code, err.contains("differ")), (Some(2), true), "{err}");
    assert_eq!(lab.piped("davepass2\ndavepass3\ndavepass3\n", &["kpasswd", "dave"]), (Some(0), String::new()));
    assert_eq!(lab.piped("davepass3\n", &["kinit", "dave"]), (Some(0), String::new()));
    // One that has expired is changed on the way, if somebody can be asked for the new one.
    fs::write(lab.path("expired"), "expw").unwrap();
    let (code, _, err) = lab.run(&["kinit", "--password-file", &lab.path("expired"), "exuser"]);
    let hint = "the password has expired; change it with `tagwise krb5 kpasswd exuser@KRB.TEST`";
    assert_eq!((code, err.contains(hint)), (Some(1), true), "{err}");
    let (code, err) = lab.piped("expw\nfreshpw1\nfreshpw1\n", &["kinit", "exuser"]);
    assert_eq!((code, err.contains("must be changed now")), (Some(0), true), "{err}");
    assert_eq!(lab.piped("freshpw1\n", &["kinit", "exuser"]), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn the_value_of_a_token() {
    if !realm::plugin("otp", "krb5-otp") {
        return;
    }
    let Some(realm) = Realm::start() else { return };
    radius::start(&realm.folder.path().join("radius.sock"), b"123456");
    let lab = Lab(realm);
    for (name, text) in [("bob", "bobpw\n"), ("token", "123456\n"), ("wrong", "654321\n")] {
        fs::write(lab.path(name), text).unwrap();
    }
    lab.must(&["kinit", "--password-file", &lab.path("bob"), "bob"]);
    let (armor, otto) = (lab.path("cc"), lab.path("otto"));
    lab.must(&["kinit", "-T", &armor, "-c", &otto, "--otp-file", &lab.path("token"), "otto"]);
    // The KDC says that it wants a token's value, and so that is asked for.
    let token = fs::read_to_string(lab.path("token")).unwrap();
    assert_eq!(lab.piped(&token, &["kinit", "-T", &armor, "-c", &otto, "otto"]), (Some(0), String::new()));
    let (code, err) = lab.piped("", &["kinit", "-T", &armor, "-c", &otto, "otto"]);
    assert!(code == Some(2) && err.contains("give --otp-file"), "{err}");
    assert!(lab.0.run("klist", &["-c", &otto]).contains("Default principal: otto@KRB.TEST"));
    let (code, _, err) = lab.run(&["kinit", "-T", &armor, "-c", &otto, "--otp-file", &lab.path("wrong"), "otto"]);
    assert_eq!((code, err.contains("KDC_ERR_PREAUTH_FAILED (24)")), (Some(1), true), "{err}");
    assert!(!err.contains("654321"));
    assert_eq!(lab.run(&["kinit", "--otp-file", &lab.path("token"), "otto"]).0, Some(2), "without a tunnel");
    // MIT's database of files has no rules for passing tickets on.
    let keytab = lab.path("all.keytab");
    lab.must(&["kinit", "-f", "-k", "-t", &keytab, "HTTP/front.test"]);
    let (code, _, err) = lab.run(&["kvno", "-U", "carol", "-P", "host/localhost"]);
    assert_eq!((code, err.contains("KDC_ERR_BADOPTION (13)")), (Some(1), true), "{err}");
}

#[cfg(unix)]
#[test]
fn in_other_names_with_heimdal() {
    let Some(realm) = heimdal::Heimdal::start() else { return };
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.arg("krb5").args(args).env("KRB5_CONFIG", realm.path("krb5.conf"));
        let output = command.env("KRB5CCNAME", format!("FILE:{}", realm.path("cc"))).output().unwrap();
        let text = |octets| String::from_utf8(octets).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, _, err) = run(&["kinit", "-f", "-k", "-t", &realm.path("all.keytab"), "HTTP/front.test"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, out, err) = run(&["kvno", "-U", "bob", "-P", "HTTP/back.test", "-k", &realm.path("all.keytab")]);
    assert_eq!((code, out.as_str()), (Some(0), "HTTP/back.test@HEIM.TEST: kvno = 1, keytab entry valid\n"), "{err}");
    let (code, _, err) = run(&["kvno", "-U", "bob", "-P", "host/localhost"]);
    assert_eq!((code, err.contains("KDC_ERR_BADOPTION (13)")), (Some(1), true), "{err}");
    assert_eq!(run(&["kvno", "-P", "HTTP/back.test"]).0, Some(2), "in nobody's name");
}
