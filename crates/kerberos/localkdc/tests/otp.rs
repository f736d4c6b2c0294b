//! One-time passwords with the module of this crate, on either side or both, inside of MIT's own programs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod lab;

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

use lab::{Lab, Side};
use md5::{Digest as _, Md5};
use tagwise_krb5::flags::{bit, ticket};

#[test]
fn every_pair_of_client_and_kdc() {
    if !lab::installed() {
        return;
    }
    for kdc in [Side::Mit, Side::Own] {
        let mut lab = Lab::new(kdc, "");
        lab.checks();
        lab.kdc();
        lab.anonymous();
        lab.admin(&["setstr", "host/localhost", "require_auth", "localkdc"]);
        lab.admin(&["addprinc", "-randkey", "host/strict"]);
        lab.admin(&["setstr", "host/strict", "require_auth", "hardware"]);
        for client in [Side::Mit, Side::Own] {
            let pair = format!("client {client:?}, KDC {kdc:?}");
            let (granted, said) = lab.kinit(client, "daemon", "wrong-value");
            assert!(!granted && said.contains("reauthentication failed"), "{pair}: {said}");
            let (granted, said) = lab.kinit(client, "daemon", "right-value");
            assert!(granted, "{pair}: {said}{}", lab.log());
            let cache = tagwise_krb5::Ccache::from_bytes(&fs::read(lab.path("cc")).unwrap()).unwrap();
            let found = cache.tickets().find(|found| found.server.to_string().starts_with("krbtgt/")).unwrap();
            assert!(found.flags & bit(ticket::PRE_AUTHENT) != 0, "{pair}");
            // The indicator of the string attribute is in the ticket, and no other.
            let (granted, said) = lab.run("kvno", &["host/localhost"]);
            assert!(granted, "{pair}: {said}");
            assert!(!lab.run("kvno", &["host/strict"]).0, "{pair}");
            // Nobody is asked for a value outside of a tunnel.
            let (granted, said) = lab.fed(client, "kinit", &["daemon"], "right-value\n");
            assert!(!granted, "{pair}: {said}");
        }
        let log = lab.log();
        assert!(!log.contains("right-value") && !log.contains("wrong-value"), "{log}");
        if kdc == Side::Own {
            let told = "preauth (localkdc_otp) verify failure: daemon@LOCALKDC: the password is rejected";
            assert_eq!(log.matches(told).count(), 2, "{log}");
            let limits = fs::read_to_string(format!("/proc/{}/limits", lab.pid())).unwrap();
            let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
            assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
        }
        lab.stop();
    }
}

#[test]
fn responders_are_asked_the_same_question() {
    if !lab::installed() {
        return;
    }
    let mut lab = Lab::new(Side::Own, "");
    let Some(otp) = lab.built("otp") else { return };
    lab.checks();
    lab.kdc();
    lab.anonymous();
    let ask = |client: Side, answer: &str| {
        let (granted, said) = lab.tried(client, &otp, &[&lab.armor(), "daemon@LOCALKDC", answer]);
        let (question, verdict) = said.split_once('\n').unwrap();
        (granted, question.to_owned(), verdict.to_owned())
    };
    let (_, theirs, verdict) = ask(Side::Mit, r#"{"tokeninfo":0,"value":"right-value"}"#);
    assert_eq!(verdict, "yes\n", "{}", lab.log());
    let (_, ours, verdict) = ask(Side::Own, r#"{"tokeninfo":0,"value":"right-value"}"#);
    assert_eq!(verdict, "yes\n", "{}", lab.log());
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parsed(&ours), parsed(&theirs));
    for answer in
        [r#"{"tokeninfo":0,"value":"wrong-value"}"#, r#"{"tokeninfo":7,"value":"right-value"}"#, "right-value"]
    {
        let (granted, _, verdict) = ask(Side::Own, answer);
        assert!(!granted && !verdict.contains("right-value"), "{answer}: {verdict}");
    }
    // Nobody can be asked for what the answer lacks.
    assert!(!ask(Side::Own, r#"{"tokeninfo":0}"#).0);
    lab.stop();
}

#[test]
fn a_check_that_hangs_holds_up_nobody_else() {
    if !lab::installed() {
        return;
    }
    let mut lab = Lab::new(Side::Own, "timeout = 20\n");
    lab.checks();
    lab.kdc();
    lab.anonymous();
    let mut hanging = lab.begin(Side::Mit, "daemon", "hang");
    lab.until("the hanging check", |_| lab.asked("daemon", "hang"));
    let begun = Instant::now();
    let (granted, said) = lab.kinit(Side::Mit, "bin", "right-value");
    let time = begun.elapsed();
    assert!(granted, "{said}{}", lab.log());
    assert!(hanging.try_wait().unwrap().is_none(), "the other still hangs");
    eprintln!("another user's ticket in {time:?} while a check hangs");
    assert!(time < Duration::from_secs(10), "{time:?}");
    // The KDC ends, though it still waits.
    lab.stop();
    hanging.kill().unwrap();
    hanging.wait().unwrap();
}

/// Answers an Access-Request: what a server sends, of what it was sent.
type Answer = fn(&[u8]) -> Option<Vec<u8>>;

/// An Access-Accept with a Response Authenticator that is right.
fn bare(request: &[u8]) -> Vec<u8> {
    let head = [2, request[1], 0, 20];
    let digest = Md5::new().chain_update(head).chain_update(&request[4..20]).finalize();
    [&head[..], &digest].concat()
}

#[test]
fn a_server_that_is_no_server_grants_nothing() {
    if !lab::installed() {
        return;
    }
    let mut lab = Lab::new(Side::Own, "timeout = 1\n");
    lab.kdc();
    lab.anonymous();
    let refused = |lab: &Lab, what: &str, why: &str| {
        let before = lab.log().len();
        let (granted, said) = lab.kinit(Side::Mit, "daemon", "right-value");
        let log = lab.log();
        let log = &log[before..];
        assert!(!granted && said.contains("reauthentication failed"), "{what}: {said}");
        assert!(log.contains(why), "{what}: {log}");
        assert!(!log.contains("right-value"), "{what}: {log}");
    };
    refused(&lab, "none", "the password checker at");
    let answers: [(&str, Answer, &str); 8] = [
        ("closes", |_| None, "closed the connection without a reply"),
        ("silent", |_| Some(Vec::new()), "did not answer in time"),
        ("half", |_| Some(vec![2, 0, 0]), "did not answer in time"),
        (
            "long",
            |request| Some([&[2, request[1], 0xff, 0xff], &[0; 16][..]].concat()),
            "the packet's length must be 20 to 4096 bytes",
        ),
        ("liar", |request| Some([&[2, request[1], 0, 20], &[0; 16][..]].concat()), "Response Authenticator does not"),
        ("unsigned", |request| Some(bare(request)), "attribute 80 is absent"),
        (
            "another's",
            |request| Some([&[2, request[1].wrapping_add(1)], &bare(request)[2..]].concat()),
            "the identifier belongs to a different request (RFC 2865 §3)",
        ),
        ("echo", |request| Some(request.to_vec()), "Response Authenticator does not"),
    ];
    for (what, answer, why) in answers {
        let listener = UnixListener::bind(lab.layout.radius()).unwrap();
        std::thread::scope(|scope| {
            let server = scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut packet = vec![0; 4096];
                let len = stream.read(&mut packet).unwrap();
                // The password is hidden, by what little there is.
                assert!(!packet[..len].windows(5).any(|part| part == b"right"));
                if let Some(reply) = answer(&packet[..len]) {
                    stream.write_all(&reply).unwrap();
                    // Until the KDC has enough of it.
                    let _ = stream.read(&mut [0; 1]);
                }
            });
            refused(&lab, what, why);
            server.join().unwrap();
        });
        fs::remove_file(lab.layout.radius()).unwrap();
    }
    // A queue that is full and never emptied.
    let listener = UnixListener::bind(lab.layout.radius()).unwrap();
    nix::sys::socket::listen(&listener, nix::sys::socket::Backlog::new(1).unwrap()).unwrap();
    let queued: Vec<UnixStream> = (0..2).map(|_| UnixStream::connect(lab.layout.radius()).unwrap()).collect();
    refused(&lab, "full", "did not answer in time");
    drop((queued, listener));
    fs::remove_file(lab.layout.radius()).unwrap();
    // And then one that is a server.
    lab.checks();
    let (granted, said) = lab.kinit(Side::Mit, "daemon", "right-value");
    assert!(granted, "{said}{}", lab.log());
    lab.stop();
}

#[test]
fn a_client_that_misbehaves_gets_nothing() {
    if !lab::installed() {
        return;
    }
    let mut lab = Lab::new(Side::Own, "");
    lab.checks();
    lab.kdc();
    lab.anonymous();
    let kinit = |user: &str, way: &str, nonce: Option<&str>| {
        let before = lab.log().len();
        let mut command = lab.command(Side::Hostile, "kinit");
        command.args(["-T", &lab.armor(), user]).env("OTP_HOSTILE", way);
        if let Some(nonce) = nonce {
            command.env("OTP_NONCE", lab.path(nonce));
        }
        let granted = command.output().unwrap().status.success();
        (granted, lab.log()[before..].to_owned())
    };
    // A client that behaves is granted a ticket, so that nothing else is what is refused.
    let (granted, log) = kinit("daemon", "", Some("nonce"));
    assert!(granted, "{log}");
    for (user, way, nonce, why) in [
        ("daemon", "", Some("nonce"), "the nonce was used before"),
        ("bin", "", Some("nonce"), "the nonce was not issued by this KDC for the user"),
        ("daemon", "key", None, "PA-OTP-REQUEST: encData:"),
        ("daemon", "etype", None, "its encryption type is not the armor key's"),
        ("daemon", "short", None, "PA-OTP-REQUEST: encData:"),
        ("daemon", "cut", None, "PA-OTP-REQUEST:"),
        ("daemon", "next", None, "nextOTP was not offered"),
        ("daemon", "pin", None, "otp-pin: a PIN was not requested"),
        ("daemon", "absent", None, "otp-value: missing"),
        ("daemon", "long", None, "the password must be 1 to 128 bytes"),
        ("daemon", "zero", None, "the password must be 1 to 128 bytes"),
        ("daemon", "empty", None, "the password must be 1 to 128 bytes"),
    ] {
        let (granted, log) = kinit(user, way, nonce);
        assert!(!granted, "{user} {way}: {log}");
        assert!(log.contains(why), "{user} {way}: {log}");
    }
    assert!(!lab.asked("bin", "right-value"), "what is wrong is not checked");
    let (granted, log) = kinit("daemon", "", None);
    assert!(granted, "{log}");
    lab.stop();
}

#[test]
fn setup_writes_the_module_of_the_policy() {
    if !lab::installed() {
        return;
    }
    for (kdc, named) in [(Side::Mit, "mit"), (Side::Own, "own")] {
        let lab = Lab::new(kdc, "");
        let conf = fs::read_to_string(lab.layout.kdc_conf()).unwrap();
        let loads = conf.contains("module = localkdc_otp:") && conf.contains("disable = otp");
        assert_eq!(loads, kdc == Side::Own, "{conf}");
        let status = tagwise_localkdc::setup::status(&lab.layout).unwrap();
        assert_eq!(serde_json::to_value(&status).unwrap()["otp"], named);
    }
}
