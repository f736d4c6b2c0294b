//! Database modules inside of MIT's own programs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::Realm;

#[test]
fn principals_on_demand_over_db2() {
    let Some(mut realm) = Realm::with_driver("kdb_demand", "") else { return };
    realm.create();
    for query in [
        "addprinc -pw alicepw alice",
        "addprinc -pw guestpw +requires_preauth guest",
        "addprinc -randkey host/localhost",
        "addprinc -randkey HTTP/front.test",
        "modprinc +ok_to_auth_as_delegate HTTP/front.test",
    ] {
        let said = realm.local(query);
        assert!(!said.contains("rror"), "{query}: {said}");
    }
    realm.local(&format!("ktadd -k {} -norandkey HTTP/front.test", realm.path("keytab")));
    realm.start(false);
    assert!(realm.kinit("alice", "alicepw", &[]).0);
    realm.run("kvno", &["host/localhost"]);
    // Nobody added them; the password is that of `guest`.
    for name in ["guest/one", "guest/two"] {
        let (granted, said) = realm.kinit(name, "guestpw", &[]);
        assert!(granted, "{said}");
        assert!(realm.run("klist", &[]).contains(&format!("{name}@KRB.TEST")));
        assert!(!realm.kinit(name, "otherpw", &[]).0);
    }
    let listed = realm.local("listprincs");
    assert!(
        !listed.contains("guest/one") && !listed.contains("guest/two"),
        "the database below does not have them: {listed}"
    );
    assert!(!realm.kinit("stranger", "guestpw", &[]).0);
    // S4U2Proxy, which db2 alone never allows.
    let front = |realm: &Realm| {
        realm.run("kinit", &["-k", "-t", &realm.path("keytab"), "-f", "HTTP/front.test"]);
        let keytab = realm.path("keytab");
        realm.tried("kvno", &["-U", "alice", "-k", &keytab, "-P", "host/localhost"])
    };
    let (granted, said) = front(&realm);
    assert!(!granted && said.contains("KDC can't fulfill requested option"), "{said}");
    realm.run("kadmin.local", &["setstr", "HTTP/front.test", "delegate_to", "host/localhost@KRB.TEST"]);
    let (granted, said) = front(&realm);
    assert!(granted, "{said}");
    realm.run("kadmin.local", &["setstr", "HTTP/front.test", "delegate_to", "host/other@KRB.TEST"]);
    assert!(!front(&realm).0);
    realm.stop();
    realm.run("kdb5_util", &["destroy", "-f"]);
    assert!(!std::path::Path::new(&realm.path("principal")).exists());
}

#[test]
fn a_driver_in_a_page_holds_a_realm() {
    let Some(mut realm) = Realm::with_driver("kdb_file", "") else { return };
    let directory = realm.path("files");
    let conf = std::fs::read_to_string(realm.path("kdc.conf")).unwrap();
    std::fs::write(realm.path("kdc.conf"), conf.replace("inner = below", &format!("directory = {directory}"))).unwrap();
    realm.create();
    let (again, said) = realm.tried("kdb5_util", &["create", "-s", "-P", "masterpw"]);
    assert!(!again, "{said}");
    quiet(
        &realm,
        &[
            "addpol -minlength 6 -history 2 strict",
            "addprinc -pw alicepw -policy strict alice",
            "addprinc -pw rootpw root/admin",
            "addprinc -randkey host/localhost",
            "addprinc -pw gonepw gone",
            // By the default of libkdb5, which gets, puts and deletes.
            "renprinc -force gone going",
            "cpw -pw alicepw2 alice",
            "setstr alice colour blue",
            "modpol -minlength 7 strict",
            "addpol unused",
            "delpol -force unused",
        ],
    );
    assert!(realm.local("cpw -pw alicepw2 alice").contains("Cannot reuse password"));
    assert!(realm.local("getstrs alice").contains("colour: blue"));
    assert!(realm.local("getprinc gone").contains("not exist"));
    assert_eq!(realm.local("listpols").lines().last().unwrap(), "strict");
    let dump = |file: &str| {
        realm.run("kdb5_util", &["dump", &realm.path(file)]);
        std::fs::read_to_string(realm.path(file)).unwrap()
    };
    let first = dump("first");
    realm.local("delprinc -force alice");
    realm.run("kdb5_util", &["load", &realm.path("first")]);
    assert_eq!(dump("second"), first);
    realm.start(true);
    assert!(!realm.kinit("going", "wrongpw", &[]).0);
    for (name, password) in [("alice", "alicepw2"), ("going", "gonepw")] {
        let (granted, said) = realm.kinit(name, password, &[]);
        // The salt of a renamed principal stays that of the former name.
        assert!(granted, "{name}: {said}");
    }
    realm.run("kvno", &["host/localhost"]);
    let said = realm.run("kadmin", &["-p", "root/admin", "-w", "rootpw", "-q", "cpw -pw alicepw3 alice"]);
    assert!(said.contains("changed"), "{said}");
    // Another process changed it: the KDC sees the new password.
    assert!(!realm.kinit("alice", "alicepw2", &[]).0);
    assert!(realm.kinit("alice", "alicepw3", &[]).0);
    realm.stop();
    realm.run("kdb5_util", &["destroy", "-f"]);
    assert!(!std::path::Path::new(&directory).exists());
}

const OTHER: &str = "OTHER.TEST";

#[test]
fn every_method_is_called_by_a_host() {
    let Some(mut realm) = Realm::with_driver("kdb_whole", "") else { return };
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    realm.create();
    second_realm(&realm);
    administration(&realm);
    dump_and_load(&realm);
    realm.start_realms(&["KRB.TEST", OTHER], true);
    tickets(&realm);
    policy(&realm);
    delegation(&realm);
    cross_realm(&realm);
    kadmind(&realm);
    // A second realm has no part in it: a KDC reads the configuration of all.
    realm.signal("krb5kdc", "HUP");
    let begun = std::time::Instant::now();
    while realm.calls("kdb", "refresh_config").is_empty() {
        assert!(begun.elapsed().as_secs() < 20, "no refresh_config");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(realm.kinit("alice", "alicepw2", &[]).0);
    realm.stop();
    realm.run("kdb5_util", &["destroy", "-f"]);
    assert!(!std::path::Path::new(&realm.path("principal")).exists());
    realm.compare(|interface| interface == "kdb");
}

/// Another realm of the same KDC, with a database of its own.
fn second_realm(realm: &Realm) {
    let root = realm.path("");
    realm.append("krb5.conf", &format!("[realms]\n {OTHER} = {{\n  kdc = 127.0.0.1:{}\n }}\n", realm.port));
    realm.append(
        "kdc.conf",
        &format!(
            "[realms]
 {OTHER} = {{
  database_module = other
  key_stash_file = {root}/other-stash
  supported_enctypes = aes256-cts:normal
 }}
[dbmodules]
 other = {{
  db_library = kdb_whole
  inner = other-below
 }}
 other-below = {{
  db_library = db2
  database_name = {root}/other
 }}
"
        ),
    );
    realm.run("kdb5_util", &["-r", OTHER, "create", "-s", "-P", "otherpw"]);
}

fn quiet(realm: &Realm, queries: &[&str]) {
    for query in queries {
        let said = realm.local(query);
        assert!(!said.contains("rror") && !said.contains("not exist"), "{query}: {said}");
    }
}

/// kadmin.local: entries and policies.
fn administration(realm: &Realm) {
    quiet(
        realm,
        &[
            "addprinc -pw alicepw alice",
            "addprinc -pw bobpw +requires_preauth bob",
            "addprinc -pw bannedpw banned",
            "setstr banned banned tellme",
            "addprinc -pw gonepw gone",
            "renprinc -force gone going",
            "delprinc -force going",
            "cpw -pw alicepw2 alice",
            "addprinc -randkey host/localhost",
            "addprinc -randkey host/banned",
            "setstr host/banned banned yes",
            "addprinc -randkey host/special",
            "setstr host/special require_auth special",
            "setstr alice indicator special",
            "addprinc -randkey HTTP/front.test",
            "modprinc +ok_to_auth_as_delegate HTTP/front.test",
            "addprinc -pw rootpw root/admin",
            "addpol -minlength 6 -maxfailure 2 -history 3 strict",
            "modpol -minlength 7 strict",
            "addprinc -pw lockedpw +requires_preauth -policy strict locked",
            "addpol -minlength 1 unused",
            "delpol -force unused",
            "addprinc -pw crosspw krbtgt/KRB.TEST@OTHER.TEST",
        ],
    );
    realm.local(&format!("ktadd -k {} -norandkey HTTP/front.test", realm.path("keytab")));
    for query in ["addprinc -pw crosspw krbtgt/KRB.TEST@OTHER.TEST", "addprinc -pw carolpw carol"] {
        realm.run("kadmin.local", &["-r", OTHER, "-q", query]);
    }
    let said = realm.local("getpol strict");
    assert!(said.contains("Minimum password length: 7") && said.contains("failures before lockout: 2"), "{said}");
    assert_eq!(realm.local("listpols").lines().last().unwrap(), "strict");
    assert!(realm.local("cpw -pw short locked").contains("too short"));
    assert!(realm.local("getprinc gone").contains("not exist"));
    let said = realm.local("addprinc -pw again alice");
    assert!(said.contains("already exists"), "{said}");
    let listed = realm.local("listprincs *l*");
    let listed: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(listed, ["alice@KRB.TEST", "host/localhost@KRB.TEST", "host/special@KRB.TEST", "locked@KRB.TEST"]);
    assert_eq!(realm.calls("kdb", "rename_principal"), ["gone@KRB.TEST going@KRB.TEST"]);
    assert_eq!(realm.calls("kdb", "delete_principal"), ["going@KRB.TEST"]);
    // While one program has the database locked, its own changes go on.
    let (done, said) = realm.fed("kadmin.local", &["-r", "KRB.TEST"], "lock\naddprinc -pw heldpw held\nunlock\nquit\n");
    assert!(done && said.contains("created"), "{said}");
    assert_eq!(realm.calls("kdb", "lock"), ["true"]);
    // Arguments for the module reach the one below, which has none of them.
    let said = realm.local("addprinc -x colour=blue -pw argumentpw argument");
    assert!(said.contains("colour=blue"), "{said}");
}

/// kdb5_util: what is dumped, loaded and dumped again is the same.
fn dump_and_load(realm: &Realm) {
    let dump = |file: &str| {
        realm.run("kdb5_util", &["dump", &realm.path(file)]);
        std::fs::read_to_string(realm.path(file)).unwrap()
    };
    let first = dump("first");
    assert!(first.contains("alice@KRB.TEST") && first.contains("strict"), "{first}");
    realm.local("delprinc -force alice");
    realm.local("addprinc -pw laterpw later");
    realm.run("kdb5_util", &["load", &realm.path("first")]);
    assert_eq!(dump("second"), first);
    realm.run("kdb5_util", &["stash", "-f", &realm.path("stash")]);
}

/// krb5kdc: keys, aliases, referrals, PACs.
fn tickets(realm: &Realm) {
    let (granted, said) = realm.kinit("alice", "alicepw2", &[]);
    assert!(granted, "{said}{}", std::fs::read_to_string(realm.path("kdc.log")).unwrap());
    assert!(!realm.kinit("alice", "alicepw", &[]).0, "the former password");
    assert!(realm.kinit("alice", "alicepw2", &[]).0);
    realm.run("kvno", &["host/localhost"]);
    // The buffer that the AS put into the PAC is there when the ticket is used.
    assert!(realm.calls("kdb", "issue_pac").iter().any(|call| call.ends_with("Some([111, 117, 114, 115])")));
    // alice has an indicator of the module's, bob has none.
    realm.run("kvno", &["host/special"]);
    assert!(realm.kinit("bob", "bobpw", &[]).0);
    assert!(!realm.tried("kvno", &["host/special"]).0);
    // An alias: the canonical name, if the client asks for it.
    assert!(realm.kinit("nick-alice", "alicepw2", &["-C"]).0);
    assert!(realm.run("klist", &[]).contains("principal: alice@KRB.TEST"));
    let (granted, said) = realm.kinit("gone-bob", "bobpw", &["-C"]);
    assert!(!granted && said.contains("ELSEWHERE.TEST"), "{said}");
    let (granted, said) = realm.kinit("gone-bob", "bobpw", &[]);
    assert!(!granted && said.contains("not found in Kerberos database"), "{said}");
}

/// krb5kdc: denials of this module and of the one below.
fn policy(realm: &Realm) {
    let (granted, said) = realm.kinit("banned", "bannedpw", &[]);
    assert!(!granted && said.contains("policy rejects"), "{said}");
    assert!(realm.kinit("alice", "alicepw2", &[]).0);
    let (granted, said) = realm.tried("kvno", &["host/banned"]);
    assert!(!granted && said.contains("policy rejects"), "{said}");
    // db2 counts failures, and locks: it is told of requests, and asked about them.
    for _ in 0..2 {
        assert!(!realm.kinit("locked", "wrong", &[]).0);
    }
    let (granted, said) = realm.kinit("locked", "lockedpw", &[]);
    assert!(!granted && said.contains("revoked"), "{said}");
    let log = std::fs::read_to_string(realm.path("kdc.log")).unwrap();
    for status in ["CLIENT_BANNED", "SERVER_BANNED", "LOCKED_OUT"] {
        assert!(log.contains(status), "{status}: {log}");
    }
    let audited = realm.calls("kdb", "audit_as_req");
    assert!(
        audited.iter().any(|call| call.contains("alice@KRB.TEST") && call.ends_with(" 0 Some(127.0.0.1)")),
        "{audited:?}"
    );
}

/// krb5kdc: S4U2Self, also by certificate, and S4U2Proxy by either rule.
fn delegation(realm: &Realm) {
    let openssl = "openssl req -x509 -newkey rsa:2048 -nodes -keyout user.key -out user.pem -days 30 -subj /CN=user";
    let made = realm
        .command("/bin/sh")
        .args(["-c", &format!("{openssl} 2>&1 && openssl x509 -in user.pem -outform DER -out user.der")])
        .current_dir(realm.folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", common::text(&made));
    let length = std::fs::metadata(realm.path("user.der")).unwrap().len();
    let keytab = realm.path("keytab");
    realm.run("kinit", &["-k", "-t", &keytab, "-f", "HTTP/front.test"]);
    let (certificate, by_certificate) = (realm.path("user.pem"), ["-F", "HTTP/front.test"]);
    let asked = [by_certificate[0], &certificate, by_certificate[1]];
    assert!(!realm.tried("kvno", &asked).0, "nobody has the certificate");
    realm.local(&format!("setstr alice certlength {length}"));
    let (granted, said) = realm.tried("kvno", &asked);
    assert!(granted, "{said}");
    let proxy = || {
        realm.run("kinit", &["-k", "-t", &keytab, "-f", "HTTP/front.test"]);
        realm.tried("kvno", &["-U", "alice", "-k", &keytab, "-P", "host/localhost"])
    };
    let (granted, said) = proxy();
    assert!(!granted && said.contains("KDC can't fulfill requested option"), "{said}");
    for (entry, rule, target) in [
        ("HTTP/front.test", "delegate_to", "host/localhost@KRB.TEST"),
        ("host/localhost", "delegate_from", "HTTP/front.test@KRB.TEST"),
    ] {
        realm.run("kadmin.local", &["setstr", entry, rule, target]);
        let (granted, said) = proxy();
        assert!(granted, "{rule}: {said}");
        realm.run("kadmin.local", &["delstr", entry, rule]);
        assert!(!proxy().0, "{rule}");
    }
}

/// krb5kdc: a client of another realm.
fn cross_realm(realm: &Realm) {
    let (granted, said) = realm.kinit("carol@OTHER.TEST", "carolpw", &[]);
    assert!(granted, "{said}");
    realm.run("kvno", &["host/localhost@KRB.TEST"]);
    let asked = realm.calls("kdb", "check_transited_realms");
    assert!(asked.iter().any(|call| call.ends_with(" OTHER.TEST KRB.TEST")), "{asked:?}");
}

/// kadmind: the same over the network.
fn kadmind(realm: &Realm) {
    for query in [
        "addprinc -pw netpw1 net",
        "cpw -pw netpw2 net",
        "getprinc net",
        "modprinc -maxlife 1h net",
        "addprinc -randkey host/net",
    ] {
        let said = realm.run("kadmin", &["-p", "root/admin", "-w", "rootpw", "-q", query]);
        assert!(!said.contains("rror"), "{query}: {said}");
    }
    assert!(realm.kinit("net", "netpw2", &[]).0);
}
