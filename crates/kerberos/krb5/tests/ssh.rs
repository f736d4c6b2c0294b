//! Contexts of ours in the protocol of SSH (RFC 4462): our initiator before OpenSSH's server, OpenSSH's client before our acceptor.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/peer.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod peer;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;
#[path = "common/sshd.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod sshd;

use std::process::{Command, Stdio};

use peer::{Peer, hex, unhex};
use realm::Realm;
use sshd::Sshd;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::cache::{Cache, Settings};
use tagwise_krb5::client::net::{Transport, run};
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, TgsExchange, TgsOptions};
use tagwise_krb5::flags::kdc;
use tagwise_krb5::gss::{Acceptor, AcceptorOptions, Context, GssError, Initiator, InitiatorOptions, ReplayCache};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};

const SERVICE: &str = "host/localhost@KRB.TEST";

/// Python with asyncssh, as Debian's package has it.
fn python() -> Command {
    let mut python =
        Command::new(std::env::var("TAGWISE_GSS_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned()));
    // Its libraries warn of what they will not have for ever.
    python.args(["-W", "ignore"]);
    python
}

fn installed() -> bool {
    let done = python().args(["-c", "import asyncssh"]).stderr(Stdio::null()).status();
    if !done.is_ok_and(|status| status.success()) {
        tagwise_testing::skip("asyncssh (Debian: python3-asyncssh)");
        return false;
    }
    sshd::installed()
}

struct Lab {
    realm: Realm,
    backend: AwsLc,
}

impl Lab {
    fn start() -> Option<Self> {
        Some(Self { realm: Realm::start()?, backend: AwsLc::new() })
    }

    fn path(&self, name: &str) -> String {
        self.realm.folder.path().join(name).display().to_string()
    }

    fn login(&self, user: &str) -> Credential {
        let mut options = AsOptions::new(Principal::parse(&format!("{user}@KRB.TEST"), None).unwrap());
        options.options.push(kdc::FORWARDABLE);
        let login = Login::Password(Secret::from(format!("{user}pw").into_bytes()));
        run(&mut AsExchange::new(&self.backend, options, login), &self.realm.config, &Transport::DEFAULT).unwrap()
    }

    fn ticket(&self, tgt: &Credential, change: impl FnOnce(&mut TgsOptions)) -> Credential {
        let mut options = TgsOptions::new(Principal::parse(SERVICE, None).unwrap());
        change(&mut options);
        let mut exchange = TgsExchange::new(&self.backend, options, tgt.clone());
        run(&mut exchange, &self.realm.config, &Transport::DEFAULT).unwrap()
    }

    fn sshd(&self) -> Sshd {
        let folder = self.realm.folder.path();
        let logins = sshd::let_in(folder, &["alice@KRB.TEST"]);
        let environment = [
            ("KRB5_CONFIG", format!("{}:{}", logins.display(), self.path("krb5.conf"))),
            ("KRB5_KTNAME", self.path("all.keytab")),
            ("KRB5RCACHEDIR", folder.display().to_string()),
        ];
        Sshd::start(folder, &environment)
    }

    fn peer(&self) -> Peer {
        Peer::start(python(), "ssh_peer.py")
    }
}

/// Has a peer follow a command, and answers what it asks on the way.
fn follow(
    peer: &mut Peer,
    command: &str,
    mut answer: impl FnMut(&str, &[Vec<u8>]) -> Result<String, GssError>,
) -> String {
    let mut said = peer.ask(command);
    while let Some(question) = said.strip_prefix('?') {
        let mut words = question.split(' ');
        let (asked, values) = (words.next().unwrap(), words.map(unhex).collect::<Vec<_>>());
        said = peer.ask(&answer(asked, &values).unwrap_or_else(|error| format!("!{error}")));
    }
    said
}

/// A login with our initiator, and how it departs from what is right.
#[derive(Default)]
struct Attempt<'a> {
    way: &'a str,
    command_line: &'a str,
    options: InitiatorOptions,
    /// The signature is over something else than the session.
    wrong_signature: bool,
    /// The first token is one that was sent before.
    replayed: Option<Vec<u8>>,
}

struct Outcome {
    /// The exit status and the session's output, or the error.
    said: Result<String, String>,
    /// The first token.
    token: Vec<u8>,
    /// Signatures of the server that were verified.
    verified: usize,
}

fn log_in(lab: &Lab, sshd: &Sshd, ticket: &Credential, attempt: &Attempt<'_>) -> Outcome {
    let (mut peer, mut token, mut verified) = (lab.peer(), Vec::new(), 0);
    let (mut initiator, mut context) = (None, None);
    let known_hosts = lab.path("ssh/known_hosts");
    let Attempt { way, command_line, .. } = attempt;
    let command = format!("login {} {} {way} {known_hosts} {command_line}", sshd.port, sshd::user());
    let said = follow(&mut peer, &command, |asked, values| match (asked, values) {
        ("step", [answer]) if answer.is_empty() => {
            let mut ours = Initiator::new(&lab.backend, ticket.clone(), attempt.options.clone());
            token = ours.start(Moment::now())?;
            initiator = Some(ours);
            Ok(format!("{} more", hex(attempt.replayed.as_ref().unwrap_or(&token))))
        }
        ("step", [answer]) => {
            let mut ours = initiator.take().unwrap();
            ours.reply(answer)?;
            context = Some(ours.into_context()?);
            Ok(" done".to_owned())
        }
        ("sign", [_]) if attempt.wrong_signature => Ok(hex(&context.as_mut().unwrap().mic(b"another session")?)),
        ("sign", [data]) => Ok(hex(&context.as_mut().unwrap().mic(data)?)),
        ("verify", [data, signature]) => {
            context.as_mut().unwrap().verify_mic(data, signature)?;
            verified += 1;
            Ok("yes".to_owned())
        }
        _ => panic!("{asked}"),
    });
    let said = match said.strip_prefix('!') {
        Some(error) => Err(error.to_owned()),
        None => said
            .split_once(' ')
            .map(|(status, out)| format!("{status} {}", String::from_utf8_lossy(&unhex(out))))
            .ok_or(said),
    };
    Outcome { said, token, verified }
}

#[test]
fn our_initiator_before_sshd() {
    if !installed() {
        return;
    }
    let Some(lab) = Lab::start() else { return };
    let sshd = lab.sshd();
    let tgt = lab.login("alice");
    let ticket = lab.ticket(&tgt, |_| ());
    let who = format!("0 {}\n", sshd::user());

    // The session is signed by the client; with a key exchange by Kerberos the server signs that first.
    for (way, verified) in [("gssapi-with-mic", 0), ("gssapi-keyex", 1)] {
        let right = Attempt { way, command_line: "id -un", ..Attempt::default() };
        let outcome = log_in(&lab, &sshd, &ticket, &right);
        assert_eq!((outcome.said.as_ref(), outcome.verified), (Ok(&who), verified), "{way}: {}", sshd.log());

        let wrong = Attempt { way, command_line: "id -un", wrong_signature: true, ..Attempt::default() };
        let refused = log_in(&lab, &sshd, &ticket, &wrong).said.unwrap_err();
        assert!(refused.contains("Permission denied"), "{way}: {refused}");
    }

    // What was sent once is a replay.
    let right = Attempt { way: "gssapi-with-mic", command_line: "id -un", ..Attempt::default() };
    let token = log_in(&lab, &sshd, &ticket, &right).token;
    let again = Attempt { way: "gssapi-with-mic", command_line: "id -un", replayed: Some(token), ..Attempt::default() };
    let refused = log_in(&lab, &sshd, &ticket, &again).said.unwrap_err();
    assert!(refused.contains("Permission denied"), "{refused}");
    assert!(sshd.log().contains("Request is a replay"), "{}", sshd.log());

    // What is delegated gets tickets in the session.
    let forwarded = lab.ticket(&tgt, |options| {
        options.server = Principal::parse("krbtgt/KRB.TEST@KRB.TEST", None).unwrap();
        options.options.push(kdc::FORWARDED);
    });
    let options = InitiatorOptions { delegate: Some(forwarded), ..InitiatorOptions::default() };
    let command_line = "klist; kvno HTTP/front.test@KRB.TEST";
    let delegated = Attempt { way: "gssapi-with-mic", command_line, options, ..Attempt::default() };
    let said = log_in(&lab, &sshd, &ticket, &delegated).said.unwrap();
    assert!(
        said.contains("Default principal: alice@KRB.TEST") && said.contains("HTTP/front.test@KRB.TEST: kvno = "),
        "{said}"
    );

    // Who has a ticket is not let in for that alone.
    let bob = lab.ticket(&lab.login("bob"), |_| ());
    let refused = log_in(&lab, &sshd, &bob, &right).said.unwrap_err();
    assert!(refused.contains("Permission denied"), "{refused}");
}

/// The answers of an acceptor of ours to what a peer's server asks; an error if the client was refused.
fn accept(lab: &Lab, peer: &mut Peer, replays: &ReplayCache) -> String {
    let keytab = Keytab::from_bytes(&std::fs::read(lab.path("all.keytab")).unwrap()).unwrap();
    let service = Some(Principal::parse(SERVICE, None).unwrap());
    let acceptor =
        Acceptor::new(&lab.backend, keytab, replays, AcceptorOptions { service, ..AcceptorOptions::default() });
    let mut context: Option<Context<'_>> = None;
    follow(peer, "session", |asked, values| match (asked, values) {
        ("step", [token]) => {
            let accepted = acceptor.accept(token, Moment::now())?;
            context = Some(accepted.context);
            Ok(format!("{} done", hex(&accepted.token.unwrap_or_default())))
        }
        ("sign", [data]) => Ok(hex(&context.as_mut().unwrap().mic(data)?)),
        ("verify", [data, signature]) => {
            Ok(if context.as_mut().unwrap().verify_mic(data, signature).is_ok() { "yes" } else { "no" }.to_owned())
        }
        ("user", []) => Ok(context.as_ref().unwrap().client().to_string()),
        _ => panic!("{asked}"),
    })
}

#[test]
fn the_client_of_ssh_before_our_acceptor() {
    if !installed() {
        return;
    }
    let Some(lab) = Lab::start() else { return };
    let tgt = lab.login("alice");
    let mut cache = Ccache::new(tgt.client.clone());
    cache.store(tgt.clone());
    let name = format!("FILE:{}", lab.path("cc"));
    Cache::resolve(&name, &Settings::default()).unwrap().write(&cache).unwrap();

    let replays = ReplayCache::default();
    let attempts = [
        ("keyed", &["-o", "GSSAPIKeyExchange=no"][..]),
        ("keyed", &["-o", "GSSAPIDelegateCredentials=yes"]),
        ("keyless", &["-o", "GSSAPIKeyExchange=yes"]),
    ];
    for (keys, options) in attempts {
        let mut peer = lab.peer();
        let listening = peer.must(&format!("listen {keys}"));
        let (port, key) = listening.split_once(' ').unwrap_or((&listening, ""));
        let known_hosts = lab.path("known_hosts");
        std::fs::write(&known_hosts, format!("[localhost]:{port} {key}\n")).unwrap();
        let mut client = sshd::client(port.parse().unwrap(), known_hosts.as_ref(), "alice", options, "true");
        client.env("KRB5_CONFIG", lab.path("krb5.conf")).env("KRB5CCNAME", &name);
        let child = client.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let user = accept(&lab, &mut peer, &replays);
        let output = child.wait_with_output().unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert_eq!((user.as_str(), said[0].as_str()), ("alice", "alice\n"), "{options:?}: {}", said[1]);
    }
}
