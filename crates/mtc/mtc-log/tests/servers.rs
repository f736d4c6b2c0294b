//! A log, a witness and a mirror over HTTP, on loopback.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

mod common;

use std::sync::Arc;
use std::sync::mpsc;

use common::{BACKEND, NOW, ca_key, check, create, entries, id, info, key, party};
use tagwise_codec::text::hex;
use tagwise_crypto::Backend;
use tagwise_mtc::hash;
use tagwise_mtc::note::{AddCheckpoint, Checkpoint, MirrorInfo, Note, NoteKey, NoteKeyKind, SignSubtree};
use tagwise_mtc::relying::{Cosigner, Trust};
use tagwise_mtc::tree::Subtree;
use tagwise_mtc::{CosignerAlgorithm, MtcCertificate};
use tagwise_mtc_log::serve::{
    Client, LogService, MirrorService, ServeOptions, Service, WitnessService, serve, submit_to_mirror,
    submit_to_witness,
};
use tagwise_mtc_log::{Auditor, KnownLog, Log, Mirror, NoteSigner, Synchronous, Witness};
use tagwise_pkix::UnixTime;
use tokio::sync::oneshot;

/// A server in a thread of its own, which ends with this value.
struct Server {
    url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    fn start(service: impl Service) -> Self {
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stop = async { drop(stopped.await) };
                serve(listener, Arc::new(service), ServeOptions::DEFAULT, stop).await;
            });
        });
        let url = format!("http://{}", told.recv().unwrap());
        Self { url, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().map(std::thread::JoinHandle::join);
    }
}

fn known() -> KnownLog {
    let key = NoteKey::from_key_info(&id("32473.1").name(), NoteKeyKind::MlDsa44, ca_key().cosigner().key_info());
    KnownLog { origin: info().origin, keys: vec![key.unwrap()] }
}

fn signer(name: &str, seed: u8) -> NoteSigner {
    NoteSigner::new(&id(name).name(), NoteKeyKind::MlDsa44, key(seed)).unwrap()
}

#[test]
fn all_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    let witness_key = signer("32473.20", 2);
    let mirror_key = signer("32473.30", 3);
    let witness =
        Witness::open(&folder.path().join("w.db"), witness_key.clone(), vec![known()], Synchronous::Normal, NOW);
    let mirror = Mirror::open(&folder.path().join("m.db"), mirror_key.clone(), known(), Synchronous::Normal, NOW);
    let witness_server = Server::start(WitnessService::new(witness.unwrap(), &*BACKEND));
    let mirror_server = Server::start(MirrorService::new(mirror.unwrap(), &*BACKEND));
    let (to_witness, to_mirror) = (Client::new(&witness_server.url).unwrap(), Client::new(&mirror_server.url).unwrap());
    let check = check();
    let mut total = 0;
    for count in [3u64, 300, 5000, 1] {
        log.append(&entries(total, total + count)).unwrap();
        total += count;
        log.checkpoint(&ca_key(), &[], NOW).unwrap();
        let done = submit_to_witness(&mut log, &to_witness, witness_key.key(), &check).unwrap();
        assert!(done.checkpoint && done.subtrees > 0);
        let done = submit_to_mirror(&mut log, &to_mirror, mirror_key.key(), &check).unwrap();
        assert!(done.checkpoint && done.subtrees > 0);
        assert_eq!(done.entries, count);
        // Again, which changes nothing.
        submit_to_witness(&mut log, &to_witness, witness_key.key(), &check).unwrap();
        submit_to_mirror(&mut log, &to_mirror, mirror_key.key(), &check).unwrap();
    }
    // The checkpoint has three signatures, and so do certificates.
    let last = log.last_checkpoint().unwrap().unwrap();
    assert_eq!(Note::parse(&last.note).unwrap().signatures().len(), 3);
    let mut party = party();
    for one in [&witness_key, &mirror_key] {
        let cosigner_id = tagwise_mtc::TrustAnchorId::from_name(one.key().name()).unwrap();
        let cosigner = Cosigner::new(cosigner_id, CosignerAlgorithm::MlDsa44, &one.key().key_info()).unwrap();
        party.policy_mut().add_cosigner(cosigner).unwrap();
    }
    party.configure("group w all 32473.20 32473.30\nrequire-cosigners 32473.1 w\n").unwrap();
    for index in [0, 2, 3, 302, 303, 4000, 5303] {
        let one = log.certificate(index).unwrap().unwrap();
        let outcome = party.verify(&one.der, Some(UnixTime(NOW as i64)), &check);
        assert_eq!(outcome.result, Ok(Trust::Cosignatures), "{index}: {outcome}");
    }

    let log_server = Server::start(LogService::new(Log::open(&path, Synchronous::Normal).unwrap()));
    let client = Client::new(&format!("{}/1/", log_server.url)).unwrap();
    let mut auditor = Auditor::new(info().origin, known().keys.remove(0));
    let report = auditor.follow(&client, &check, &mut |_| {}).unwrap();
    assert_eq!((report.to, report.certificates), (total, total));
    // The mirror serves the same.
    let name = hex::encode(&hash::plain(info().origin.as_bytes()));
    let copy = Client::new(&format!("{}/{name}", mirror_server.url)).unwrap();
    let mut other = Auditor::new(info().origin, known().keys.remove(0));
    other.follow(&copy, &check, &mut |_| {}).unwrap();
    assert_eq!(other, auditor);
    assert_eq!(Client::new(&witness_server.url).unwrap().get(&format!("{name}/checkpoint")).unwrap().status, 200);
    let answer = client.get("certificate/4000").unwrap();
    assert_eq!((answer.status, answer.media_type.as_str()), (200, "application/pem-certificate-chain-with-properties"));
    let blocks: Vec<_> = tagwise_codec::pem::blocks(&answer.body).map(|block| block.unwrap()).collect();
    assert_eq!(blocks[0].label(), "CERTIFICATE PROPERTIES");
    assert_eq!(MtcCertificate::from_der(&blocks[1].decode().unwrap()).unwrap().serial().index(), 4000);
    for missing in ["", "certificate/99999", "certificate/x", "tile/0/999", "tile/0/020.p/255", "../1/checkpoint"] {
        assert_eq!(client.get(missing).unwrap().status, 404, "{missing}");
    }
    assert_eq!(client.get("landmarks").unwrap().body, b"0\n0 0\n");
    assert_eq!(client.post("checkpoint", b"x").unwrap().status, 404);
}

/// Signs as it should, and adds a line under the CA's name, which would take the place of the CA's own signature.
struct Spoiler(WitnessService);

impl Service for Spoiler {
    fn max_body(&self, path: &str) -> Option<usize> {
        self.0.max_body(path)
    }

    fn answer(&self, path: &str, body: Option<&[u8]>) -> tagwise_mtc_log::serve::Answer {
        let mut answer = self.0.answer(path, body);
        if answer.reply.status == 200 {
            let line = known().keys[0].signature(NOW, b"no signature");
            answer.reply.body.extend_from_slice(format!("{line}\n").as_bytes());
        }
        answer
    }
}

/// Clients that connect and say nothing deny service to nobody, however many they are.
#[test]
fn idle_connections_make_room() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    log.append(&entries(0, 3)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let server = Server::start(LogService::new(log));
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let idle = || {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        // Half a head is as idle as none.
        std::io::Write::write_all(&mut stream, b"GET /1/check").unwrap();
        stream
    };
    let held: Vec<_> = (0..300).map(|_| idle()).collect();
    for _ in 0..10 {
        let start = std::time::Instant::now();
        let client = Client::new(&server.url).unwrap();
        assert_eq!(client.get("1/checkpoint").unwrap().status, 200);
        assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
    }
    drop(held);
}

#[test]
fn a_cosigner_that_spoils() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let own = signer("32473.20", 2);
    let witness = Witness::open(&folder.path().join("w.db"), own.clone(), vec![known()], Synchronous::Normal, NOW);
    let service = Spoiler(WitnessService::new(witness.unwrap(), &*BACKEND));
    let server = Server::start(service);
    log.append(&entries(0, 5)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    submit_to_witness(&mut log, &Client::new(&server.url).unwrap(), own.key(), &check()).unwrap();
    let note = Note::parse(&log.last_checkpoint().unwrap().unwrap().note).unwrap();
    assert_eq!(note.signatures().len(), 2);
    assert_eq!(known().keys[0].verify(&note, &check()), Ok(Some(NOW)));
    assert!(matches!(own.key().verify(&note, &check()), Ok(Some(_))));
}

/// A witness with Ed25519 cosigns checkpoints, and has no subtrees to sign.
#[test]
fn an_ed25519_witness() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let key = BACKEND.generate(tagwise_crypto::KeyType::Ed25519).unwrap();
    let own = NoteSigner::new("witness.example", NoteKeyKind::Ed25519Cosignature, key).unwrap();
    let witness = Witness::open(&folder.path().join("w.db"), own.clone(), vec![known()], Synchronous::Normal, NOW);
    let server = Server::start(WitnessService::new(witness.unwrap(), &*BACKEND));
    let client = Client::new(&server.url).unwrap();
    log.append(&entries(0, 5)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let done = submit_to_witness(&mut log, &client, own.key(), &check()).unwrap();
    assert_eq!((done.checkpoint, done.subtrees), (true, 0));
    let note = Note::parse(&log.last_checkpoint().unwrap().unwrap().note).unwrap();
    let (subtree, hash) = (Subtree::whole(5), log.root_at(5).unwrap());
    let body = SignSubtree { subtree, hash, proof: vec![], note }.to_string();
    assert_eq!(client.post("sign-subtree", body.as_bytes()).unwrap().status, 404);
}

/// C2SP tlog-witness: each status for its reason.
#[test]
fn answers_of_a_witness() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let own = signer("32473.20", 2);
    let open = || Witness::open(&folder.path().join("w.db"), own.clone(), vec![known()], Synchronous::Normal, NOW);
    let mut witness = open().unwrap();
    let check = check();
    log.append(&entries(0, 10)).unwrap();
    let ten = log.checkpoint(&ca_key(), &[], NOW).unwrap();
    log.append(&entries(10, 20)).unwrap();
    let twenty = log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let ask = |witness: &mut Witness, old: u64, note: &str, proof: Vec<[u8; 32]>| {
        let body = AddCheckpoint { old_size: old, proof, note: Note::parse(note).unwrap() }.to_string();
        let reply = witness.add_checkpoint(body.as_bytes(), NOW, &check).unwrap();
        (reply.status, String::from_utf8(reply.body).unwrap())
    };
    assert_eq!(witness.add_checkpoint(b"nonsense", NOW, &check).unwrap().status, 400);
    // Nothing is proved from nothing.
    assert_eq!(ask(&mut witness, 0, &ten.note, vec![[0; 32]]).0, 422);
    // Another origin; another signature, and none.
    let other = ten.note.replace("32473.1.0.1\n", "32473.1.0.2\n");
    assert_eq!(ask(&mut witness, 0, &other, vec![]).0, 404);
    let spoilt = ten.note.replacen("\n10\n", "\n11\n", 1);
    assert_eq!(ask(&mut witness, 0, &spoilt, vec![]).0, 403);
    let foreign = ten.note.replace("\u{2014} oid/1.3.6.1.4.1.32473.1 ", "\u{2014} oid/1.3.6.1.4.1.32473.9 ");
    assert_eq!(ask(&mut witness, 0, &foreign, vec![]).0, 403);
    assert_eq!(ask(&mut witness, 11, &ten.note, vec![]).0, 400);
    assert_eq!(ask(&mut witness, 5, &ten.note, vec![]), (409, "0\n".to_owned()));
    let (status, line) = ask(&mut witness, 0, &ten.note, vec![]);
    assert_eq!(status, 200);
    let line = tagwise_mtc::note::NoteSignature::parse(line.trim_end()).unwrap();
    assert_eq!(line.timed().unwrap().0, NOW);
    assert_eq!(ask(&mut witness, 0, &ten.note, vec![]), (409, "10\n".to_owned()));
    let proof = log.consistency_proof(Subtree::whole(10), 20).unwrap();
    assert_eq!(ask(&mut witness, 10, &twenty.note, vec![]).0, 422);
    assert_eq!(ask(&mut witness, 10, &twenty.note, proof[1..].to_vec()).0, 422);
    // Persisted: another process would answer the same.
    drop(witness);
    let mut witness = open().unwrap();
    assert_eq!(ask(&mut witness, 10, &twenty.note, proof.clone()).0, 200);
    assert_eq!(ask(&mut witness, 10, &twenty.note, proof), (409, "20\n".to_owned()));
    assert_eq!(ask(&mut witness, 20, &twenty.note, vec![]).0, 200);
    // A second view of the log is refused.
    let mut fork = Log::create(&folder.path().join("fork.db"), &info(), Synchronous::Normal, NOW).unwrap();
    fork.append(&entries(1, 21)).unwrap();
    let forked = fork.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert_eq!(ask(&mut witness, 20, &forked.note, vec![]).0, 422);
    assert_eq!(witness.last(&info().origin).unwrap().unwrap().root, twenty.root);

    // Subtrees.
    let cosigned = witness.last(&info().origin).unwrap().unwrap().note;
    let subtree = Subtree::new(16, 20).unwrap();
    let hash = log.subtree_hash(subtree).unwrap();
    let proof = log.consistency_proof(subtree, 20).unwrap();
    let sign = |note: &str, subtree, hash, proof: Vec<[u8; 32]>| {
        let body = SignSubtree { subtree, hash, proof, note: Note::parse(note).unwrap() }.to_string();
        witness.sign_subtree(body.as_bytes(), &check).unwrap()
    };
    let reply = sign(&cosigned, subtree, hash, proof.clone());
    assert_eq!(reply.status, 200);
    let line = String::from_utf8(reply.body).unwrap();
    let line = tagwise_mtc::note::NoteSignature::parse(line.trim_end()).unwrap();
    assert!(own.key().verify_subtree(&line, &info().origin, subtree, &hash, &check).is_ok());
    assert_eq!(sign(&twenty.note, subtree, hash, proof.clone()).status, 403);
    assert_eq!(sign(&cosigned, subtree, [0; 32], proof).status, 422);
    assert_eq!(sign(&cosigned, Subtree::new(20, 21).unwrap(), hash, vec![]).status, 400);
    // The file of a witness is of no other.
    let other = Witness::open(&folder.path().join("w.db"), signer("32473.21", 2), vec![], Synchronous::Normal, NOW);
    assert!(other.is_err());
}

/// C2SP tlog-mirror: nothing is signed whose entries are not here.
#[test]
fn answers_of_a_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let own = signer("32473.30", 3);
    let open = || Mirror::open(&folder.path().join("m.db"), own.clone(), known(), Synchronous::Normal, NOW);
    let mut mirror = open().unwrap();
    let check = check();
    log.append(&entries(0, 600)).unwrap();
    let last = log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let body = AddCheckpoint { old_size: 0, proof: vec![], note: Note::parse(&last.note).unwrap() }.to_string();
    let upload = |from: u64, to: u64, spoil: bool| {
        let all = log.entries(from, to).unwrap();
        let mut packages = Vec::new();
        let mut first = from;
        while first < to {
            let end = to.min((first / 256 + 1) * 256);
            let subtree = Subtree::new(first / 256 * 256, end).unwrap();
            let slice = &all[(first - from) as usize..(end - from) as usize];
            let mut entries: Vec<&[u8]> = slice.iter().map(Vec::as_slice).collect();
            if spoil {
                entries[0] = b"else";
            }
            let proof = log.consistency_proof(subtree, 600).unwrap();
            packages.push(tagwise_mtc::note::EntryPackage { first, entries, proof });
            first = end;
        }
        let origin = log.info().origin.as_str();
        tagwise_mtc::note::AddEntries { origin, start: from, end: 600, ticket: b"", packages }.encode().unwrap()
    };
    assert_eq!(mirror.add_entries(&upload(0, 600, false), NOW).unwrap().status, 404);
    assert_eq!(mirror.add_checkpoint(body.as_bytes(), &check).unwrap().status, 200);
    assert!(mirror.last().unwrap().is_none());
    assert_eq!(mirror.add_entries(b"x", NOW).unwrap().status, 400);
    assert_eq!(mirror.add_entries(&upload(0, 600, true), NOW).unwrap().status, 422);
    let reply = mirror.add_entries(&upload(10, 600, false), NOW).unwrap();
    assert_eq!((reply.status, reply.media_type), (409, MirrorInfo::MEDIA_TYPE));
    let reply = mirror.add_entries(&upload(0, 512, false), NOW).unwrap();
    assert_eq!(reply.status, 202);
    let info = MirrorInfo::parse(std::str::from_utf8(&reply.body).unwrap()).unwrap();
    assert_eq!((info.pending, info.next_entry), (600, 512));
    drop(mirror);
    let mut mirror = open().unwrap();
    assert_eq!(mirror.size().unwrap(), 512);
    let reply = mirror.add_entries(&upload(512, 600, false), NOW).unwrap();
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
    let last = mirror.last().unwrap().unwrap();
    let note = Note::parse(&last.note).unwrap();
    assert_eq!(own.key().verify(&note, &check), Ok(Some(NOW)));
    assert_eq!(Checkpoint::parse(note.text()).unwrap().size, 600);
}
