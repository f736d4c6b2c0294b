//! The example modules inside of MIT's own programs: what each method sees, what its answer does, and which host calls it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::{INTERFACES, REALM, Realm};

/// Encrypted timestamps are not offered, so that clients choose the example's mechanism.
const ONLY_OURS: &str = " kdcpreauth = {\n  disable = encrypted_timestamp\n }\n";

#[test]
fn every_method_is_called_by_a_host() {
    let Some(mut realm) = Realm::new("modules", "example", INTERFACES, ONLY_OURS) else { return };
    if !common::pkinit() {
        return;
    }
    administration(&realm);
    pki(&realm);
    let Some(ask) = realm.built("ask") else { return };
    if !frees_are_recorded(&realm) {
        return;
    }
    realm.start(true);
    kdc(&realm);
    kadmind(&realm);
    library(&realm, &ask);
    certificates(&realm);
    preauthentication(&realm, &ask);
    realm.stop();
    realm.compare(|interface| interface != "kdb");
}

/// Modules with functions that only free are loaded by way of a library that records them.
fn frees_are_recorded(realm: &Realm) -> bool {
    let Some(counted) = realm.counted() else { return false };
    let mut conf = std::fs::read_to_string(realm.path("krb5.conf")).unwrap();
    let module = format!("module = example:{}", common::example("modules").display());
    for kind in ["hostrealm", "localauth", "certauth", "kadm5_auth", "kdcpreauth", "clpreauth"] {
        let by = |module: &str| format!(" {kind} = {{\n  {module}\n");
        assert!(conf.contains(&by(&module)), "{kind}: {conf}");
        conf = conf.replace(&by(&module), &by(&format!("module = example:{counted}")));
    }
    std::fs::write(realm.path("krb5.conf"), conf).unwrap();
    true
}

#[test]
fn every_function_of_every_method_table_has_a_row() {
    let sys = concat!(env!("CARGO_MANIFEST_DIR"), "/../krb5-plugin-sys/src");
    let read = |file: &str| std::fs::read_to_string(format!("{sys}/{file}")).unwrap();
    let mut members = std::collections::BTreeSet::new();
    // As the layout's assertions name them, which a test compiles against the installed headers.
    for rest in read("gen/v1_22.rs").split("[\"Offset of field: ").skip(1) {
        let (structure, field) = rest.split_once('"').unwrap().0.split_once("::").unwrap();
        let interface = match structure {
            "_kdb_vftabl" => Some("kdb"),
            "kadm5_hook_vtable_1_st" => Some("kadm5_hook"),
            _ => structure.strip_suffix("_vtable_st").map(|name| name.strip_prefix("krb5_").unwrap_or(name)),
        };
        members.extend(interface.map(|interface| (interface.to_owned(), field.trim_end_matches('_').to_owned())));
    }
    let audit = read("audit.rs");
    let (_, table) = audit.split_once("pub struct krb5_audit_vtable_st {").unwrap();
    let fields = table.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
    members.extend(fields.map(|(field, _)| ("audit".to_owned(), field.to_owned())));
    // What is no function.
    members.retain(|(_, field)| {
        !["name", "maj_ver", "min_ver", "pa_type_list", "enctype_list", "an2ln_types"].contains(&field.as_str())
    });
    let interfaces: std::collections::BTreeSet<&str> =
        members.iter().map(|(interface, _)| interface.as_str()).collect();
    assert_eq!(interfaces.len(), 12, "{interfaces:?}");
    assert!(members.len() > 110, "{}", members.len());
    let mut rows = common::rows();
    let missing: Vec<_> = members.iter().filter(|member| !rows.remove(*member)).collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
    // A verdict that takes its time is a method of the trait, and none of MIT's.
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), [("kdcpreauth".to_owned(), "resume".to_owned())]);
}

/// kadmin.local: passwords and hooks.
fn administration(realm: &Realm) {
    for query in [
        "addprinc -pw alicepw alice",
        "addprinc -pw bobpw +requires_preauth bob",
        "addprinc -pw visitorpw visitor",
        "addprinc -pw bannedpw banned",
        "addprinc -pw pinned1 +requires_preauth pinned",
        "addprinc -pw deputypw chief/deputy",
        "addprinc -pw tokenpw +requires_preauth token",
        "setstr token token blue",
        "addprinc -pw adminpw root/admin",
        "addprinc -randkey host/localhost",
        "addprinc -randkey secret/localhost",
        "addprinc -randkey HTTP/front.test",
        "modprinc +ok_to_auth_as_delegate HTTP/front.test",
        "addprinc -pw gonepw gone",
        "cpw -pw alicepw2 alice",
        "renprinc -force gone going",
        "delprinc -force going",
        "setstr visitor visitor yes",
        "setstr banned visitor banned",
    ] {
        let said = realm.local(query);
        assert!(!said.contains("rror"), "{query}: {said}");
    }
    if common::release() >= 22 {
        let said = realm.local("add_alias allie alice");
        assert!(said.contains("aliased"), "{said}");
    }
    realm.local(&format!("ktadd -k {} -norandkey HTTP/front.test", realm.path("keytab")));
    let said = realm.local("addprinc -pw carol carol");
    assert!(said.contains("the password is the user's name: choose another"), "{said}");
    let said = realm.local("addprinc -pw whatever reserved7");
    assert!(said.contains("the name is reserved"), "{said}");
    for name in ["carol", "reserved7"] {
        assert!(realm.local(&format!("getprinc {name}")).contains("not exist"), "{name}");
    }
    let renamed = realm.calls("kadm5_hook", "rename");
    assert_eq!(renamed, ["Precommit gone@KRB.TEST going@KRB.TEST", "Postcommit gone@KRB.TEST going@KRB.TEST"]);
    let changed = realm.calls("kadm5_hook", "chpass");
    assert_eq!(changed.first().unwrap(), "Precommit alice@KRB.TEST password: true");
}

/// krb5kdc: policy and audit.
fn kdc(realm: &Realm) {
    assert_eq!(realm.kinit("alice", "alicepw2", &[]), (true, "Password for alice@KRB.TEST: \n".to_owned()));
    realm.run("kvno", &["host/localhost"]);
    // User to user: the ticket of alice is the key.
    realm.run("kvno", &["--u2u", &format!("FILE:{}", realm.path("cc")), "alice"]);
    let (granted, said) = realm.tried("kvno", &["secret/localhost"]);
    assert!(!granted && said.contains("policy rejects"), "{said}");
    let (granted, said) = realm.kinit("banned", "bannedpw", &[]);
    assert!(!granted && said.contains("policy rejects"), "{said}");
    // Ten minutes, not ten hours.
    let (granted, said) = realm.kinit("visitor", "visitorpw", &["-r", "7d"]);
    assert!(granted, "{said}");
    let cache = tagwise_krb5::Ccache::from_bytes(&std::fs::read(realm.path("cc")).unwrap()).unwrap();
    let ticket = cache.tickets().find(|found| found.server.to_string().starts_with("krbtgt/")).unwrap();
    assert_eq!((ticket.end_time.0 - ticket.auth_time.0, ticket.renew_till.0 - ticket.auth_time.0), (600, 1200));
    // In other names.
    realm.run("kinit", &["-k", "-t", &realm.path("keytab"), "-f", "HTTP/front.test"]);
    realm.run("kvno", &["-U", "alice", "HTTP/front.test"]);
    let (granted, said) = realm.tried("kvno", &["-U", "alice", "-k", &realm.path("keytab"), "-P", "host/localhost"]);
    assert!(!granted, "db2 has no rules for delegation: {said}");
    let events = realm.calls("audit", "as_req");
    assert!(
        events.iter().any(|event| event.starts_with("success ") && event.contains("(alice@KRB.TEST)")),
        "{events:?}"
    );
    assert!(events.iter().any(|event| event.starts_with("failure ") && event.contains("VISITOR_BANNED")), "{events:?}");
    assert!(events.iter().all(|event| event.contains("Some(127.0.0.1)")), "{events:?}");
    let log = std::fs::read_to_string(realm.path("kdc.log")).unwrap();
    assert!(log.contains("VISITOR_BANNED") && log.contains("SECRET_SERVICE"), "{log}");
}

/// kadmind: who may do what.
fn kadmind(realm: &Realm) {
    let kadmin = |query: &str| realm.run("kadmin", &["-p", "chief/deputy", "-w", "deputypw", "-q", query]);
    for query in [
        "addprinc -pw newpw1 -maxlife 1day new",
        "modprinc -maxlife 2days new",
        "cpw -pw newpw2 new",
        "cpw -randkey new",
        "setstr new colour blue",
        "getstrs new",
        "getprinc new",
        "purgekeys new",
        "renprinc -force new newer",
        "listprincs",
        "addpol -minlength 6 strong",
        "modpol -minlength 7 strong",
        "getpol strong",
        "listpols",
        "delpol -force strong",
        &format!("ktadd -k {} newer", realm.path("newer.keytab")),
        &format!("ktadd -k {} -norandkey newer", realm.path("newer.keytab")),
    ] {
        let said = kadmin(query);
        assert!(!said.contains("privilege") && !said.contains("rror"), "{query}: {said}");
    }
    if common::release() >= 22 {
        let said = kadmin("add_alias newest newer");
        assert!(said.contains("aliased"), "{said}");
    }
    let said = kadmin("getprinc newer");
    assert!(said.contains("Maximum ticket life: 0 days 01:00:00"), "{said}");
    assert!(said.contains("DISALLOW_FORWARDABLE") && !said.contains("DISALLOW_ALL_TIX"), "{said}");
    let said = kadmin("addprinc -pw whatever1 -allow_tix locked");
    assert!(said.contains("created"), "{said}");
    assert!(!kadmin("getprinc locked").contains("DISALLOW_ALL_TIX"), "the restriction clears the attribute");
    let said = kadmin("delprinc -force newer");
    assert!(said.contains("privilege"), "{said}");
    // The ACL allows root/admin, and the module has no opinion on it.
    let said = realm.run("kadmin", &["-p", "root/admin", "-w", "adminpw", "-q", "delprinc -force newer"]);
    assert!(said.contains("deleted"), "{said}");
    let said = realm.run("kadmin", &["-p", "alice", "-w", "alicepw2", "-q", "listprincs"]);
    assert!(said.contains("privilege"), "{said}");
}

/// Programs that use libkrb5: local accounts, realms, caches.
fn library(realm: &Realm, ask: &str) {
    let asked = |arguments: &[&str]| realm.tried(ask, arguments).1.trim().to_owned();
    assert_eq!(asked(&["userok", "daemon/login@KRB.TEST", "daemon"]), "yes");
    assert_eq!(asked(&["userok", "daemon/login@KRB.TEST", "bin"]), "no");
    assert_eq!(asked(&["userok", "root/login@KRB.TEST", "root"]), "no");
    assert_eq!(asked(&["an2ln", "alice@KRB.TEST"]), "local-alice");
    assert_eq!(asked(&["host", "web.plugin.test"]), "[KRB.TEST]");
    assert_eq!(asked(&["fallback", "web.guess.test"]), "[GUESS.TEST][SECOND.TEST]");
    assert_eq!(asked(&["default"]), REALM);
    // Without a realm in the configuration, the module is asked.
    let conf = std::fs::read_to_string(realm.path("krb5.conf")).unwrap().replace("default_realm", "other_realm");
    std::fs::write(realm.path("realmless.conf"), conf).unwrap();
    let realmless = |named: Option<&str>| {
        let mut command = realm.command(ask);
        command.arg("default").env("KRB5_CONFIG", realm.path("realmless.conf"));
        if let Some(named) = named {
            command.env("TAGWISE_PLUGIN_REALM", named);
        }
        common::text(&command.output().unwrap()).trim().to_owned()
    };
    assert_eq!(realmless(Some("PLUGIN.TEST")), "PLUGIN.TEST");
    assert!(realmless(None).starts_with("error "), "{}", realmless(None));
    let (granted, said) = realm.kinit("alice", "alicepw2", &["-c", &format!("FILE:{}", realm.path("chosen"))]);
    assert!(granted, "{said}");
    let chosen = format!("FILE:{}", realm.path("chosen"));
    let select = |server: &str, cache: &str| {
        let mut command = realm.command(ask);
        common::text(&command.args(["select", server]).env("TAGWISE_PLUGIN_CCACHE", cache).output().unwrap())
            .trim()
            .to_owned()
    };
    assert_eq!(select("host/web.plugin.test@KRB.TEST", &chosen), format!("alice@KRB.TEST {chosen} 0"));
    assert_eq!(select("nocache/web.plugin.test@KRB.TEST", &chosen), "stranger@KRB.TEST  -1765328243");
    // A cache that does not exist is an error, and no crash.
    assert!(!select("host/web.plugin.test@KRB.TEST", "FILE:/nonexistent/cache").ends_with(" 0"));
}

/// Certificates for PKINIT, made before the KDC starts. The client's names nobody.
fn pki(realm: &Realm) {
    let made = realm.command("/bin/sh").args(["-c", PKI]).current_dir(realm.folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", common::text(&made));
    let length = std::fs::metadata(realm.path("client.der")).unwrap().len();
    realm.local(&format!("setstr pinned certlength {length}"));
    realm.local("setstr bob certlength 1");
}

/// PKINIT: the module authorizes a certificate, rejects it, has no opinion on it.
fn certificates(realm: &Realm) {
    let identity = format!("X509_user_identity=FILE:{},{}", realm.path("client.pem"), realm.path("client.key"));
    let kinit = |name: &str| realm.tried("kinit", &["-X", &identity, name]);
    let (granted, said) = kinit("pinned");
    assert!(granted, "{said}{}", std::fs::read_to_string(realm.path("kdc.log")).unwrap());
    let judged = realm.calls("kdcpolicy", "check_as");
    assert_eq!(judged.last().unwrap(), "Some(PrincipalRef(pinned@KRB.TEST)) [\"pinned\"]");
    for name in ["bob", "alice"] {
        let (granted, said) = kinit(name);
        assert!(!granted, "{name}: {said}");
    }
}

/// A mechanism of two rounds, both sides.
fn preauthentication(realm: &Realm, ask: &str) {
    let (granted, said) = realm.kinit("token", "tokenpw", &["-X", "token=blue"]);
    assert!(granted, "{said}{:?}", realm.trace().iter().rev().take(12).collect::<Vec<_>>());
    let judged = realm.calls("kdcpolicy", "check_as");
    assert_eq!(judged.last().unwrap(), "Some(PrincipalRef(token@KRB.TEST)) [\"token\"]");
    let cache = tagwise_krb5::Ccache::from_bytes(&std::fs::read(realm.path("cc")).unwrap()).unwrap();
    let ticket = cache.tickets().next().unwrap();
    let marked = tagwise_krb5::flags::bit(tagwise_krb5::flags::ticket::PRE_AUTHENT);
    assert!(ticket.flags & marked != 0, "the ticket tells of preauthentication");
    // Without an option the user is asked; an error of the KDC is answered.
    let (granted, said) = realm.kinit("token", "blue\ntokenpw", &[]);
    assert!(granted && said.contains("Token"), "{said}");
    let (granted, said) = realm.kinit("token", "tokenpw", &["-X", "token=again"]);
    assert!(granted, "{said}");
    assert!(!realm.kinit("token", "tokenpw", &["-X", "token=green"]).0);
    let (granted, said) = realm.kinit("token", "tokenpw", &["-X", "token=slow"]);
    assert!(granted, "{said}");
    assert!(!realm.kinit("token", "wrong", &["-X", "token=blue"]).0);
    let (granted, said) = realm.tried(ask, &["login", "token@KRB.TEST", "tokenpw", "blue"]);
    assert!(granted && said.starts_with("challenge which\n") && said.ends_with("yes\n"), "{said}");
    assert!(!realm.tried(ask, &["login", "token@KRB.TEST", "tokenpw", "green"]).0);
}

#[test]
fn a_verdict_that_takes_its_time_holds_up_nobody() {
    let Some(mut realm) = Realm::new("modules", "example", &["clpreauth", "kdcpreauth"], "") else { return };
    for query in
        ["addprinc -pw tokenpw +requires_preauth token", "setstr token token blue", "addprinc -pw alicepw alice"]
    {
        realm.local(query);
    }
    realm.start(false);
    let kinit = |token: &str| {
        let option = format!("token={token}");
        let mut command = realm.command("kinit");
        let cache = format!("FILE:{}", realm.path(token));
        command.args(["-c", &cache, "-X", &option, "token"]).stdin(std::process::Stdio::piped());
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"tokenpw\n");
        child
    };
    let waiting = |step: &str| {
        let begun = std::time::Instant::now();
        while !realm.calls("kdcpreauth", "resume").iter().any(|call| call == step) {
            assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{step}: {:?}", realm.trace());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    assert!(kinit("slow").wait().unwrap().success());
    // A panic is a verdict, too.
    assert!(!kinit("panic").wait().unwrap().success());
    let log = std::fs::read_to_string(realm.path("kdc.log")).unwrap();
    assert!(log.contains("preauth (example) verify failure: the plugin panicked"), "{log}");
    assert!(realm.kinit("alice", "alicepw", &[]).0);
    for what in ["slow", "panic"] {
        let calls = realm.calls("kdcpreauth", "resume");
        let of = |step: &str| calls.iter().filter(|call| **call == format!("{what} {step}")).count();
        assert_eq!(["Write", "Read", "Sleep", "dropped"].map(of), [1, 1, 1, 1], "{calls:?}");
    }
    // The KDC ends before the verdict.
    let mut hanging = kinit("hang");
    waiting("hang Read");
    assert!(realm.kinit("alice", "alicepw", &[]).0);
    assert!(hanging.try_wait().unwrap().is_none(), "it waits");
    realm.stop();
    hanging.kill().unwrap();
    hanging.wait().unwrap();
    let calls = realm.calls("kdcpreauth", "resume");
    assert_eq!(calls.iter().filter(|call| *call == "hang dropped").count(), 1, "{calls:?}");
    assert!(!calls.iter().any(|call| call == "hang Sleep"), "{calls:?}");
}

const PKI: &str = "set -e
q() { \"$@\" >/dev/null 2>&1; }
cat > ext.cnf <<X
[kdc]
keyUsage=digitalSignature,keyEncipherment
extendedKeyUsage=1.3.6.1.5.2.3.5
subjectAltName=otherName:1.3.6.1.5.2.2;SEQUENCE:name
[name]
realm=EXP:0,GeneralString:KRB.TEST
name=EXP:1,SEQUENCE:kdcname
[kdcname]
nt=EXP:0,INTEGER:2
ns=EXP:1,SEQUENCE:parts
[parts]
p1=GeneralString:krbtgt
p2=GeneralString:KRB.TEST
[client]
keyUsage=digitalSignature,keyEncipherment
extendedKeyUsage=1.3.6.1.5.2.3.4
X
q openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj '/CN=Test CA'
for n in kdc client; do
 q openssl req -newkey rsa:2048 -nodes -keyout $n.key -out $n.csr -subj \"/CN=$n\"
 q openssl x509 -req -in $n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out $n.pem -days 30 -extfile ext.cnf -extensions $n
done
openssl x509 -in client.pem -outform DER -out client.der
";
