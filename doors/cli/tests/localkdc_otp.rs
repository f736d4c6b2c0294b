//! `tagwise krb5 kinit` with the one-time password that the local KDC's own module takes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{run_of, tagwise};
use tagwise_localkdc::check::{Check, Password, Verdict};
use tagwise_localkdc::radius::{Server, ServerLimits};
use tagwise_localkdc::setup::Layout;

fn program(name: &str) -> String {
    let places = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].map(|folder| format!("{folder}/{name}"));
    places.into_iter().find(|path| Path::new(path).exists()).unwrap_or_else(|| name.to_owned())
}

/// Accepts one value.
struct ByValue;

impl Check for ByValue {
    fn check(&self, user: &str, password: &Password, _: Duration) -> Verdict {
        if (user, password.expose()) == ("daemon", b"right-value") { Verdict::Accepted } else { Verdict::Rejected }
    }
}

struct Kdc(Child);

impl Drop for Kdc {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_ticket_by_one_command() {
    let programs = ["krb5kdc", "kadmin.local", "kdb5_util", "klist"];
    if !programs.iter().all(|name| tagwise_testing::tool(&program(name), &["-?"])) {
        return;
    }
    let pkinit =
        ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(|arch| format!("/usr/lib/{arch}/krb5/plugins/preauth/pkinit.so"));
    if !pkinit.iter().any(|path| Path::new(path).exists()) {
        return tagwise_testing::skip("no PKINIT (krb5-pkinit)");
    }
    let folder = tempfile::Builder::new().prefix("lotp").tempdir_in("/tmp").unwrap();
    let root = folder.path().join("root");
    let layout = Layout::new(&root).unwrap();
    fs::create_dir_all(layout.policy().parent().unwrap()).unwrap();
    let policy = "[users]\nalso = ['daemon']\n[audit]\njournal = false\n[passwords]\notp = 'own'\n";
    fs::write(layout.policy(), policy).unwrap();
    let module = std::env::current_exe().unwrap().with_file_name("libtagwise_localkdc.so");
    let (prefix, module) = (root.to_str().unwrap(), module.to_str().unwrap());
    let made = tagwise(&["localkdc", "setup", "--prefix", prefix, "--module", module]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let listener = tagwise_localkdc::process::listen(&layout.radius()).unwrap();
    std::thread::spawn(move || Server::new(Box::new(ByValue), ServerLimits::default()).serve(&listener));
    let mut kdc = Command::new(program("krb5kdc"));
    kdc.args(["-n", "-r", "LOCALKDC"])
        .env("KRB5_CONFIG", layout.krb5_conf())
        .env("KRB5_KDC_PROFILE", layout.kdc_conf())
        .env("LOCALKDC_CONFIG", layout.policy())
        .env("KRB5RCACHEDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _kdc = Kdc(kdc.spawn().unwrap());
    let begun = Instant::now();
    let status = loop {
        let status = tagwise(&["localkdc", "status", "--prefix", prefix]);
        if status.code == Some(0) {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{}{}", status.out, status.err);
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.out.contains("passwords  answers, prompted by localkdc_otp\n"), "{}", status.out);
    let cache = format!("FILE:{}", folder.path().join("cc").display());
    let kinit = |value: &str| {
        let file = folder.path().join("value");
        fs::write(&file, value).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args([
            "krb5",
            "kinit",
            "--anonymous-armor",
            "--otp-file",
            file.to_str().unwrap(),
            "-c",
            &cache,
            "daemon",
        ]);
        run_of(&command.env("KRB5_CONFIG", layout.krb5_conf()).output().unwrap())
    };
    let refused = kinit("wrong-value\n");
    assert!(refused.code == Some(1) && refused.err.contains("KDC_ERR_PREAUTH_FAILED"), "{}", refused.err);
    let granted = kinit("right-value\n");
    assert_eq!(granted.code, Some(0), "{}", granted.err);
    let listed = tagwise(&["krb5", "klist", "-c", &cache]);
    assert!(listed.out.contains("daemon@LOCALKDC"), "{}{}", listed.out, listed.err);
}
