//! A log that accepts entries over HTTP, as Tessera's `cmd/conformance/posix` does: `POST /add` with an entry answers with its index. The
//! library has no such service, because a CA creates the entries of its log itself. `./x bench --program mtc-http` runs it.
//!
//! One thread writes: it appends everything that waits in one transaction, signs a checkpoint, and then answers. So an entry is in a published
//! checkpoint when its index is known, and both are synced to disk.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, Response, StatusCode};
use tagwise_codec::{Ia5, SeqOf};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeyType};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::{CosignerAlgorithm, Draft, TrustAnchorId};
use tagwise_mtc_log::serve::{LogService, Service as _};
use tagwise_mtc_log::{Log, LogInfo, NewEntry, Synchronous, Template, entry_of};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ext::{GeneralName, GeneralNames};
use tagwise_serve::http::{Limits, RequestBody};
use tokio::sync::oneshot;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Connections, each of which has one request at a time.
const CONNECTIONS: usize = 4096;
/// Entries of a transaction, at most.
const BATCH: usize = 4096;
/// Bytes of an entry, at most.
const ENTRY: usize = 65_536;
/// The time for a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// An entry that waits for the log, and where its index goes.
type Waiting = (NewEntry, oneshot::Sender<u64>);

fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// Logs what waits, until there are no more senders.
fn write(mut log: Log, key: &CosignerKey, waiting: &Receiver<Waiting>) -> Result<(), Failure> {
    while let Ok(first) = waiting.recv() {
        let batch = std::iter::once(first).chain(waiting.try_iter()).take(BATCH);
        let (entries, answers): (Vec<_>, Vec<_>) = batch.unzip();
        // The client sends valid entries only.
        let start = log.append(&entries)?;
        log.checkpoint(key, &[], now())?;
        for (answer, index) in answers.into_iter().zip(start..) {
            // The client may have closed its connection.
            let _ = answer.send(index);
        }
    }
    Ok(())
}

struct Shared {
    writer: Sender<Waiting>,
    log: LogService,
}

/// Adds an entry, and returns its index.
async fn add(shared: &Shared, body: RequestBody) -> Option<u64> {
    let entry = body.receive(ENTRY, PATIENCE).await.ok()?.to_vec();
    let (answer, index) = oneshot::channel();
    shared.writer.send((NewEntry { entry, key: None }, answer)).ok()?;
    index.await.ok()
}

async fn answer(shared: Arc<Shared>, request: Request<RequestBody>) -> Response<Full<Bytes>> {
    let (status, body) = if request.method() == Method::POST && request.uri().path() == "/add" {
        match add(&shared, request.into_body()).await {
            Some(index) => (200, index.to_string().into_bytes()),
            None => (500, b"The entry was not added.\n".to_vec()),
        }
    } else {
        let path = request.uri().path().trim_start_matches('/').to_owned();
        let read = tokio::task::spawn_blocking(move || shared.log.answer(&path, None).reply).await;
        read.map_or((500, Vec::new()), |reply| (reply.status, reply.body))
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}

/// Writes an entry of 300 bytes, in which the client replaces the last name for each request.
fn template(info: &LogInfo, file: &Path) -> Result<(), Failure> {
    let names = [
        "www.example.org",
        "a-host-with-a-longer-name.europe.example.org",
        "another-host.example.org",
    ];
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
    let shared = Arc::new(Shared {
        writer,
        log: LogService::new(Log::open(&path, Synchronous::Full)?),
    });
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let limits = Limits {
        max_connections: CONNECTIONS,
        lifetime: Duration::from_secs(3600),
        ..Limits::DEFAULT
    };
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    let stop = async move {
        terminated.recv().await;
    };
    let answer = move |request| answer(Arc::clone(&shared), request);
    tagwise_serve::http::serve(listener, limits, || {}, answer, stop).await;
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [folder, port] => port.parse().map_err(Failure::from).and_then(|port| {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
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
