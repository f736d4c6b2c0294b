//! A log that accepts entries over HTTP, as Tessera's `cmd/conformance/posix` does: `POST /add` with an entry answers with its index. The
//! library has no such service, because a CA creates the entries of its log itself. `./x bench --program mtc-http` runs it.
//!
//! One thread writes: it appends everything that waits in one transaction, signs a checkpoint, and then answers. So an entry is in a published
//! checkpoint when its index is known, and both are synced to disk.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tagwise_codec::{Ia5, SeqOf};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::{CosignerAlgorithm, Draft, TrustAnchorId};
use tagwise_mtc_log::serve::{Answer, LogService, ServeOptions, Service, serve};
use tagwise_mtc_log::{Log, LogInfo, NewEntry, Reply, Synchronous, Template, entry_of};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{GeneralName, GeneralNames};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Connections, each of which has one request at a time.
const CONNECTIONS: usize = 4096;
/// Entries of a transaction, at most.
const BATCH: usize = 4096;
/// Bytes of an entry, at most.
const ENTRY: usize = 65_536;

/// An entry that waits for the log, and where its index goes.
type Waiting = (NewEntry, SyncSender<u64>);

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Logs what waits, until there are no more senders.
fn write(mut log: Log, key: &CosignerKey, waiting: &Receiver<Waiting>) -> Result<(), Failure> {
    while let Ok(first) = waiting.recv() {
        let batch = std::iter::once(first).chain(waiting.try_iter()).take(BATCH);
        let (entries, answers): (Vec<_>, Vec<_>) = batch.unzip();
        // The client sends valid entries only.
        let start = log.append(&entries)?;
        log.checkpoint(key, &[], now())?;
        for (answer, index) in answers.iter().zip(start..) {
            answer.send(index)?;
        }
    }
    Ok(())
}

struct AddService {
    writer: Sender<Waiting>,
    log: LogService,
}

impl Service for AddService {
    fn max_body(&self, path: &str) -> Option<usize> {
        (path == "add").then_some(ENTRY)
    }

    fn answer(&self, path: &str, body: Option<&[u8]>) -> Answer {
        let Some(body) = body else { return self.log.answer(path, None) };
        let (answer, index) = sync_channel(1);
        let entry = NewEntry { entry: body.to_vec(), key: None };
        let sent = self.writer.send((entry, answer));
        let index = sent.ok().and_then(|()| index.recv().ok());
        let (status, text) = index.map_or((500, "The writer has stopped.\n".to_owned()), |index| (200, index.to_string()));
        let reply = Reply { status, media_type: "text/plain; charset=utf-8", body: text.into_bytes() };
        Answer { reply, max_age: 0 }
    }
}

/// Writes an entry of 300 bytes, in which the client replaces the last name for each request.
fn template(info: &LogInfo, file: &Path) -> Result<(), Failure> {
    let names = ["www.example.org", "a-host-with-a-longer-name.europe.example.org", "another-host.example.org"];
    let mut listed = Vec::new();
    for name in names.into_iter().chain(["abcdefghijklmnopqrstuvwx"]) {
        listed.push(GeneralName::DnsName(Ia5::new(name)?));
    }
    let key = CosignerAlgorithm::EcdsaP256.key_info(&[4; 65]);
    let time = i64::try_from(now())?;
    let new = Template {
        subject: &[0x30, 0],
        alt_names: Some(GeneralNames(SeqOf::from_slice(&listed))),
        key_info: &key,
        validity: (UnixTime(time), UnixTime(time + 86_400)),
    };
    Ok(std::fs::write(file, entry_of(info, &new)?.entry)?)
}

async fn run(folder: &Path, port: u16) -> Result<(), Failure> {
    let id: TrustAnchorId = "32473.1".parse()?;
    let info = LogInfo::new(id, 1, Draft::V07)?;
    template(&info, &folder.join("entry.der"))?;
    let key = CosignerKey::new(id, AwsLc::new().generate(KeyType::MlDsa44)?)?;
    let path = folder.join("log.db");
    let mut log = Log::create(&path, &info, Synchronous::Full, now())?;
    log.checkpoint(&key, &[], now())?;
    let (writer, waiting) = channel();
    std::thread::spawn(move || {
        if let Err(error) = write(log, &key, &waiting) {
            eprintln!("mtchttp: {error}");
        }
    });
    let service = AddService { writer, log: LogService::new(Log::open(&path, Synchronous::Full)?) };
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let options =
        ServeOptions { max_connections: CONNECTIONS, lifetime: Duration::from_secs(3600), ..ServeOptions::DEFAULT };
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    serve(listener, Arc::new(service), options, async move {
        terminated.recv().await;
    })
    .await;
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [folder, port] => port.parse().map_err(Failure::from).and_then(|port| {
            // A request that waits for the log holds a thread.
            let runtime =
                tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(CONNECTIONS).build()?;
            runtime.block_on(run(Path::new(folder), port))
        }),
        _ => Err("usage: mtchttp FOLDER PORT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mtchttp: {error}");
            ExitCode::FAILURE
        }
    }
}
