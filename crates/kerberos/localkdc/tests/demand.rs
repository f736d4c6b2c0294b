//! Principals on demand and the administrator's programs: what is changed is what the database has, and nothing else is put into it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod lab;

use lab::{Lab, Side};

#[test]
fn no_change_puts_a_principal_on_demand_into_the_database() {
    if !lab::installed() {
        return;
    }
    let mut lab = Lab::new(Side::Own, "");
    lab.checks();
    lab.kdc();
    lab.anonymous();
    let granted = |lab: &Lab| {
        let (granted, said) = lab.kinit(Side::Mit, "daemon", "right-value");
        assert!(granted, "{said}{}", lab.log());
        let (granted, said) = lab.run("kvno", &["host/127.0.0.1"]);
        assert!(granted, "{said}");
    };
    granted(&lab);
    let before = lab.admin(&["listprincs"]);
    let local = |arguments: &[&str]| lab.run("kadmin.local", &[&["-r", "LOCALKDC"], arguments].concat()).1;
    let keytab = lab.path("keytab");
    for query in [
        &["modprinc", "-maxlife", "1h", "daemon"][..],
        &["modprinc", "-unlock", "daemon"],
        &["setstr", "daemon", "otp", "[]"],
        &["delstr", "daemon", "otp"],
        &["cpw", "-pw", "password", "daemon"],
        &["cpw", "-randkey", "daemon"],
        &["purgekeys", "daemon"],
        &["renprinc", "-force", "daemon", "stolen"],
        &["delprinc", "-force", "daemon"],
        &["ktadd", "-k", &keytab, "daemon"],
        &["ktadd", "-k", &keytab, "host/127.0.0.1"],
        &["modprinc", "-maxlife", "1h", "host/127.0.0.1"],
        &["getprinc", "daemon"],
    ] {
        let said = local(query);
        // MIT renames without a look at the entry first.
        let why = if query[0] == "renprinc" { "No such entry in the database" } else { "does not exist" };
        assert!(said.contains(why), "{query:?}: {said}");
        assert_eq!(lab.admin(&["listprincs"]), before, "{query:?}");
    }
    granted(&lab);
    // A user whom the administrator adds is what the administrator makes of it, until it is taken away.
    lab.admin(&["addprinc", "-pw", "password", "daemon"]);
    let (granted_now, said) = lab.fed(Side::Mit, "kinit", &["daemon"], "password\n");
    assert!(granted_now, "{said}");
    assert!(!lab.kinit(Side::Mit, "daemon", "right-value").0);
    lab.admin(&["modprinc", "-maxlife", "1h", "daemon"]);
    assert!(lab.admin(&["getprinc", "daemon"]).contains("01:00:00"));
    lab.admin(&["delprinc", "-force", "daemon"]);
    granted(&lab);
    assert_eq!(lab.admin(&["listprincs"]), before);
    lab.stop();
}
