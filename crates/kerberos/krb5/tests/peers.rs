//! Contexts with other programs: pyspnego, which negotiates by itself, and `curl --negotiate` before an acceptor of ours.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/peer.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod peer;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use peer::{Peer, hex, unhex};
use realm::Realm;
use tagwise_codec::text::base64;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::cache::{Cache, Settings};
use tagwise_krb5::client::net::{Transport, run};
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, TgsExchange, TgsOptions};
use tagwise_krb5::flags::kdc;
use tagwise_krb5::gss::spnego::{Negotiation, Negotiator};
use tagwise_krb5::gss::{
    Acceptor, AcceptorOptions, Context, Initiator, InitiatorOptions, MessagePart, Order, ReplayCache,
};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};

struct Lab {
    realm: Realm,
    backend: AwsLc,
    tgt: Credential,
}

impl Lab {
    fn start() -> Option<Self> {
        let (realm, backend) = (Realm::start()?, AwsLc::new());
        let mut options = AsOptions::new(Principal::parse("alice@KRB.TEST", None).unwrap());
        options.options.push(kdc::FORWARDABLE);
        let login = Login::Password(Secret::from(&b"alicepw"[..]));
        let tgt = run(&mut AsExchange::new(&backend, options, login), &realm.config, &Transport::DEFAULT).unwrap();
        // Others find the tickets in a cache of ours.
        let lab = Self { realm, backend, tgt };
        let mut cache = Ccache::new(lab.tgt.client.clone());
        cache.store(lab.tgt.clone());
        Cache::resolve(&lab.cache(), &Settings::default()).unwrap().write(&cache).unwrap();
        Some(lab)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.realm.folder.path().join(name)
    }

    fn cache(&self) -> String {
        format!("FILE:{}", self.path("peer.cache").display())
    }

    fn keytab(&self) -> Keytab {
        Keytab::from_bytes(&std::fs::read(self.path("all.keytab")).unwrap()).unwrap()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("KRB5_CONFIG", self.path("krb5.conf")).env("KRB5CCNAME", self.cache());
        command.env("KRB5_KTNAME", self.path("all.keytab")).env("KRB5RCACHENAME", "none:");
        command
    }
}

/// Python with pyspnego, whose folder `TAGWISE_PYSPNEGO` names if Python does not find it.
fn python(lab: Option<&Lab>) -> Command {
    let python = std::env::var("TAGWISE_GSS_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
    let mut command = lab.map_or_else(|| Command::new(&python), |lab| lab.command(&python));
    if let Some(folder) = std::env::var_os("TAGWISE_PYSPNEGO") {
        command.env("PYTHONPATH", folder);
    }
    command
}

fn has_pyspnego() -> bool {
    let script = "import spnego._gss as gss; assert gss.HAS_GSSAPI";
    let done = python(None).args(["-c", script]).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

fn start(lab: &Lab) -> Peer {
    Peer::start(python(Some(lab)), "spnego_peer.py")
}

fn talk(ours: &mut Context<'_>, peer: &mut Peer) {
    for len in [1, 100, 70_000] {
        let message: Vec<u8> = (0..len).map(|at| at as u8).collect();
        for sealed in [true, false] {
            let told = if sealed { "sealed" } else { "signed" };
            let token = ours.wrap(&message, sealed).unwrap();
            assert_eq!(peer.must(&format!("unwrap {}", hex(&token))), format!("{} {told}", hex(&message)));
            let token = unhex(&peer.must(&format!("wrap {} {}", u8::from(sealed), hex(&message))));
            let got = ours.unwrap(&token).unwrap();
            assert_eq!((got.data.expose(), got.sealed, got.order), (&message[..], sealed, Order::InOrder));
        }
        // In place, as programs on Windows have it.
        let mut data = message.clone();
        let parts = &mut [MessagePart::SignOnly(b"beside"), MessagePart::Data(&mut data)];
        let ends = ours.wrap_in_place(parts, true).unwrap();
        let (header, trailer) = (hex(&ends.header), hex(&ends.trailer));
        let answer = peer.must(&format!("unwrap_iov {header} {} {} {trailer}", hex(b"beside"), hex(&data)));
        assert_eq!(answer, format!("{} sealed", hex(&message)));
        let answer = peer.must(&format!("wrap_iov 1 {} {}", hex(b"beside"), hex(&message)));
        let words: Vec<Vec<u8>> = answer.split(' ').map(unhex).collect();
        let mut data = words[1].clone();
        let parts = &mut [MessagePart::SignOnly(b"beside"), MessagePart::Data(&mut data)];
        assert!(ours.unwrap_in_place(&words[0], parts, &words[2]).unwrap().sealed && data == message);
        let mic = ours.mic(&message).unwrap();
        assert_eq!(peer.must(&format!("verify {} {}", hex(&message), hex(&mic))), "ok");
        let mic = unhex(&peer.must(&format!("mic {}", hex(&message))));
        ours.verify_mic(&message, &mic).unwrap();
    }
}

#[test]
#[ignore = "needs pyspnego, which `./x krb5` builds"]
fn pyspnego() {
    if !has_pyspnego() {
        tagwise_testing::skip("pyspnego with Kerberos (PyPI: pyspnego[kerberos]; ./x krb5 installs it)");
        return;
    }
    let Some(lab) = Lab::start() else { return };
    let options = TgsOptions::new(Principal::parse("host/localhost@KRB.TEST", None).unwrap());
    let mut exchange = TgsExchange::new(&lab.backend, options, lab.tgt.clone());
    let ticket = run(&mut exchange, &lab.realm.config, &Transport::DEFAULT).unwrap();
    let replays = ReplayCache::default();
    let acceptor = Acceptor::new(&lab.backend, lab.keytab(), &replays, AcceptorOptions::default());

    // Ours initiates, with a negotiation and without.
    let mut peer = start(&lab);
    peer.must("accept negotiate");
    let initiator = || Initiator::new(&lab.backend, ticket.clone(), InitiatorOptions::default());
    let mut ours = Negotiation::new(initiator()).unwrap();
    let mut token = Some(ours.start(Moment::now()).unwrap());
    while let Some(sent) = token {
        let answer = peer.must(&format!("step {}", hex(&sent)));
        let (answer, _) = answer.split_once(' ').unwrap();
        token = if answer.is_empty() { None } else { ours.reply(&unhex(answer)).unwrap() };
    }
    assert_eq!(peer.must("peer"), "alice@KRB.TEST");
    talk(&mut ours.into_context().unwrap(), &mut peer);
    let mut peer = start(&lab);
    peer.must("accept kerberos");
    let mut ours = initiator();
    let answer = peer.must(&format!("step {}", hex(&ours.start(Moment::now()).unwrap())));
    ours.reply(&unhex(answer.strip_suffix(" done").unwrap())).unwrap();
    talk(&mut ours.into_context().unwrap(), &mut peer);

    // Theirs does.
    let mut peer = start(&lab);
    talk(&mut peer.negotiates("initiate negotiate", Negotiator::new(&acceptor)), &mut peer);
    let mut peer = start(&lab);
    let first = unhex(&peer.must("initiate kerberos"));
    let accepted = acceptor.accept(&first, Moment::now()).unwrap();
    assert!(peer.must(&format!("step {}", hex(&accepted.token.unwrap()))).ends_with(" done"));
    let mut context = accepted.context;
    talk(&mut context, &mut peer);
}

/// A server of HTTP that wants to know who asks (RFC 4559), until as many are known.
fn serve(listener: &TcpListener, lab: &Lab, known: usize) {
    let replays = ReplayCache::default();
    let service = Principal::parse("HTTP/localhost@KRB.TEST", None).unwrap();
    let options = AcceptorOptions { service: Some(service), ..AcceptorOptions::default() };
    let acceptor = Acceptor::new(&lab.backend, lab.keytab(), &replays, options);
    let mut served = 0;
    // A test that failed is not waited for.
    listener.set_nonblocking(true).unwrap();
    let begun = Instant::now();
    while served < known && begun.elapsed() < Duration::from_secs(60) {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        while let Some(token) = request(&stream) {
            served += usize::from(token.is_some());
            let (status, header, body) = match token {
                None => ("401 Unauthorized", "Negotiate".to_owned(), String::new()),
                Some(token) => {
                    let mut negotiator = Negotiator::new(&acceptor);
                    let answer = negotiator.step(&token, Moment::now()).unwrap().unwrap_or_default();
                    assert!(negotiator.is_done());
                    let accepted = negotiator.into_accepted().unwrap();
                    let who = format!("{} {}", accepted.context.client(), accepted.delegated.len());
                    ("200 OK", format!("Negotiate {}", base64::encode(&answer)), who)
                }
            };
            let head =
                format!("HTTP/1.1 {status}\r\nWWW-Authenticate: {header}\r\nContent-Length: {}\r\n\r\n", body.len());
            (&stream).write_all((head + &body).as_bytes()).unwrap();
            if served == known {
                break;
            }
        }
    }
}

/// A request's token, if it has one; nothing at the end of a connection.
fn request(stream: &TcpStream) -> Option<Option<Vec<u8>>> {
    let (mut reader, mut token, mut is_there) = (BufReader::new(stream), None, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or_default() == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            return is_there.then_some(token);
        }
        is_there = true;
        if let Some(text) = line.strip_prefix("Authorization: Negotiate ") {
            token = Some(base64::decode(text.as_bytes()).unwrap());
        }
    }
}

#[test]
fn curl() {
    let has_negotiation = Command::new("curl")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success() && String::from_utf8_lossy(&output.stdout).contains("SPNEGO"));
    if !has_negotiation {
        tagwise_testing::skip("curl with SPNEGO (Debian: curl)");
        return;
    }
    let Some(lab) = Lab::start() else { return };
    let keytab = lab.path("all.keytab").display().to_string();
    for query in ["addprinc -randkey HTTP/localhost", &format!("ktadd -k {keytab} -norandkey HTTP/localhost")] {
        lab.realm.run("kadmin.local", &["-r", realm::REALM, "-q", query]);
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://localhost:{}/", listener.local_addr().unwrap().port());
    std::thread::scope(|scope| {
        scope.spawn(|| serve(&listener, &lab, 2));
        for (arguments, expected) in
            [(vec![], "alice@KRB.TEST 0"), (vec!["--delegation", "always"], "alice@KRB.TEST 1")]
        {
            let mut command = lab.command("curl");
            let output =
                command.args(["-sS", "-4", "--negotiate", "-u", ":"]).args(arguments).arg(&url).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        }
    });
}
