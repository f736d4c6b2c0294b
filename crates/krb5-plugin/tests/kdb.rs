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
