//! A user and group service on a socket.

use std::future::Future;
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tagwise_serve::{ConnectionSlot, Connections};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Mutex;
use tokio::time::timeout;
use zlink::connection::Connection;
use zlink::{Call, Reply};

use crate::bounded::{Allowance, Bounded};
use crate::budget::Budget;
use crate::error::ServiceError;
use crate::query::{GroupQuery, MembershipQuery, UserQuery};
use crate::record::{GroupRecord, Membership, UserRecord};
use crate::wire::{Found, GET_GROUP, GET_MEMBERSHIPS, GET_USER, Method, Parameters, Refusal};

/// The maximum number of concurrent connections. A further one closes the connection that has been idle longest, or waits if none is
/// idle.
const CONNECTIONS: usize = 128;

/// The maximum size in bytes of a request, including any data received after it.
const QUESTION: usize = 64 << 10;

/// The interface definition in varlink's language, as returned by `org.varlink.service.GetInterfaceDescription`.
const INTERFACE: &str = include_str!("interface.varlink");

/// The caller of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The UID of the caller's process when it connected.
    pub uid: u32,
}

impl Peer {
    /// Returns whether the caller may see a user's privileged sections, because it is root or that user.
    #[must_use]
    pub fn sees_privileged(self, record: &UserRecord) -> bool {
        self.uid == 0 || record.uid == Some(self.uid)
    }
}

/// A program's users and groups. Methods may return too many records, because [`serve`] compares names, UIDs and GIDs again and applies
/// filters. If a name and a number are requested and a returned record matches only one of them, the answer is
/// [`ServiceError::ConflictingRecordFound`].
pub trait Provider: Send + 'static {
    /// Returns matching users.
    ///
    /// # Errors
    /// Return [`ServiceError::EnumerationNotSupported`] to reject enumeration. [`ServiceError::NoRecordFound`] is equivalent to an empty
    /// list.
    fn users(&mut self, query: &UserQuery) -> Result<Vec<UserRecord>, ServiceError>;

    /// Returns matching groups.
    ///
    /// # Errors
    /// The same as for [`Provider::users`].
    fn groups(&mut self, query: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError>;

    /// Returns matching memberships.
    ///
    /// # Errors
    /// The same as for [`Provider::users`].
    fn memberships(&mut self, query: &MembershipQuery) -> Result<Vec<Membership>, ServiceError>;
}

/// A service's name, which is also its socket's name, and its self-description.
#[derive(Clone, Debug)]
pub struct Service {
    /// The service's name, such as `org.example.Users`.
    pub name: String,
    /// Alternative names, such as the [multiplexer](crate::MULTIPLEXER)'s for clients that support only that name.
    pub aliases: Vec<String>,
    /// The vendor, product, version and URL returned by `org.varlink.service.GetInfo`.
    pub info: [String; 4],
    /// The limits per caller. `time` applies to receiving its query and to sending each answer.
    pub budget: Budget,
}

impl Service {
    /// Creates a service with the given name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let info = ["Tagwise", "tagwise-userdb", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_NAME")].map(str::to_owned);
        Self { name: name.to_owned(), aliases: Vec::new(), info, budget: Budget::DEFAULT }
    }
}

/// Serves users and groups on a socket path until `stop` is ready. Anyone may connect. A caller that is slow or sends too
/// much does not block others. Privileged sections are sent only to root and to the user that the record describes.
///
/// A stale socket is replaced. The new socket is removed when the service stops.
///
/// # Errors
/// Returns an error if the path is in use, or if listening fails.
///
/// ```
/// use tagwise_userdb::*;
///
/// struct Ferris;
///
/// impl Provider for Ferris {
///     fn users(&mut self, _: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
///         Ok(vec![UserRecord { uid: Some(4242), gid: Some(4242), ..UserRecord::new("ferris") }])
///     }
///     fn groups(&mut self, _: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
///         Err(ServiceError::NoRecordFound)
///     }
///     fn memberships(&mut self, _: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
///         Err(ServiceError::NoRecordFound)
///     }
/// }
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("org.example.Crabs");
/// let client = Client::at(&path, "org.example.Crabs");
/// let asking = async {
///     let user = loop {
///         match client.user(&UserQuery::uid(4242)).await {
///             Err(Error::NoService(_)) => tokio::task::yield_now().await,
///             answer => break answer,
///         }
///     };
///     assert_eq!(user.unwrap().user_name, "ferris");
/// };
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// runtime.block_on(serve(Service::new("org.example.Crabs"), &path, Ferris, asking))?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub async fn serve(
    service: Service,
    path: &Path,
    provider: impl Provider,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = listen(path)?;
    let shared = Arc::new(Shared { service, provider: Mutex::new(provider) });
    let places = Connections::new(CONNECTIONS);
    let accepting = async {
        loop {
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                // Neither a disconnected caller nor too many open files ends the service.
                Err(_) => {
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                    continue;
                }
            };
            let Some(place) = places.place().await else { return Ok(()) };
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let most = shared.service.budget.time;
                // An error of one caller affects only that caller.
                tokio::select! {
                    _ = shared.answer(stream, &place) => {}
                    // Somebody waits for its place, and it has asked for nothing.
                    _ = place.end(most) => {}
                }
            });
        }
    };
    let ended: io::Result<()> = tokio::select! {
        done = accepting => done,
        () = stop => Ok(()),
    };
    drop(listener);
    let _ = std::fs::remove_file(path);
    ended
}

/// Listens at a path. A stale socket is replaced.
fn listen(path: &Path) -> io::Result<UnixListener> {
    let is_left_over = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_socket())
        && std::os::unix::net::UnixStream::connect(path).is_err();
    if is_left_over {
        std::fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666))?;
    Ok(listener)
}

struct Shared<P> {
    service: Service,
    provider: Mutex<P>,
}

/// An answer: a list of records, or an error.
type Answer = Result<Vec<Value>, Refusal>;

impl<P: Provider> Shared<P> {
    /// Answers one caller until it goes.
    async fn answer(&self, stream: UnixStream, place: &Arc<ConnectionSlot>) -> zlink::Result<()> {
        let peer = Peer { uid: stream.peer_cred()?.uid() };
        let limit = self.service.budget.time;
        let allowance = Allowance::new(QUESTION);
        let socket = Bounded { stream, allowance: allowance.clone() };
        let mut connection = Connection::new(socket);
        loop {
            allowance.renew(QUESTION);
            let received = timeout(limit, connection.receive_call::<Method<Option<Map<String, Value>>>>()).await;
            let Ok(received) = received else { return Ok(()) };
            let (call, _descriptors) = received?;
            let call: Call<Method<Option<Map<String, Value>>>> = call;
            let _busy = place.begin();
            let answer = self.called(&call, peer).await;
            if call.oneway() {
                continue;
            }
            let sent = timeout(limit, send(&mut connection, answer, call.more())).await;
            match sent {
                Ok(sent) => sent?,
                Err(_) => return Ok(()),
            }
        }
    }

    async fn called(&self, call: &Call<Method<Option<Map<String, Value>>>>, peer: Peer) -> Answer {
        let Method { method, parameters } = call.method();
        let parameters = Value::Object(parameters.clone().unwrap_or_default());
        match &**method {
            "org.varlink.service.GetInfo" => {
                let [vendor, product, version, url] = &self.service.info;
                let interfaces = ["io.systemd.UserDatabase", "org.varlink.service"];
                Ok(vec![json!({
                    "vendor": vendor, "product": product, "version": version, "url": url, "interfaces": interfaces,
                })])
            }
            "org.varlink.service.GetInterfaceDescription" => {
                match parameters.get("interface").and_then(Value::as_str) {
                    Some("io.systemd.UserDatabase") => Ok(vec![json!({ "description": INTERFACE })]),
                    Some(other) => Err(refusal("org.varlink.service.InterfaceNotFound", "interface", other)),
                    None => Err(refusal("org.varlink.service.InvalidParameter", "parameter", "interface")),
                }
            }
            GET_USER | GET_GROUP | GET_MEMBERSHIPS => {
                self.asked(method, parameters, call.more(), peer).await.map_err(|error| Refusal::from(&error))
            }
            other => Err(refusal("org.varlink.service.MethodNotFound", "method", other)),
        }
    }

    async fn asked(&self, method: &str, parameters: Value, more: bool, peer: Peer) -> Result<Vec<Value>, ServiceError> {
        let asked: Parameters = typed(parameters)?;
        if asked.service != self.service.name && !self.service.aliases.contains(&asked.service) {
            return Err(ServiceError::BadService);
        }
        let Parameters { user_name, group_name, uid, gid, filter, .. } = asked;
        let mut provider = self.provider.lock().await;
        let records = match method {
            GET_USER => self.users(&mut provider, &UserQuery { name: user_name, uid, filter }, peer)?,
            GET_GROUP => self.groups(&mut provider, &GroupQuery { name: group_name, gid, filter }, peer)?,
            _ => memberships(&mut *provider, &MembershipQuery { user: user_name, group: group_name })?,
        };
        drop(provider);
        match records.len() {
            0 => Err(ServiceError::NoRecordFound),
            1 => Ok(records),
            // Multiple replies are sent only to callers that accept them.
            _ if !more => Err(ServiceError::Other("org.varlink.service.ExpectedMore".to_owned())),
            _ => Ok(records),
        }
    }

    fn users(&self, provider: &mut P, query: &UserQuery, peer: Peer) -> Result<Vec<Value>, ServiceError> {
        let found = provider.users(query)?;
        let has_name = |record: &UserRecord| query.name.as_ref().is_some_and(|name| record.has_name(name));
        let conflicts = found.iter().any(has_name)
            || query.uid.is_some_and(|uid| found.iter().any(|record| record.uid == Some(uid)));
        let named: Vec<UserRecord> = found.into_iter().filter(|record| query.names(record)).collect();
        let has_named = !named.is_empty();
        if conflicts && !has_named {
            return Err(ServiceError::ConflictingRecordFound);
        }
        let taken: Vec<UserRecord> = named.into_iter().filter(|record| query.takes(record)).collect();
        if has_named && taken.is_empty() && !query.is_enumeration() {
            return Err(ServiceError::NonMatchingRecordFound);
        }
        let shown = taken.into_iter().map(|mut record| {
            // systemd rejects records without a known source.
            record.service.get_or_insert_with(|| self.service.name.clone());
            let sees = peer.sees_privileged(&record);
            let incomplete = record.privileged.is_some() && !sees;
            // Secrets in plain form are never sent.
            let record = if sees { UserRecord { secret: None, ..record } } else { record.public() };
            found_one(record, incomplete)
        });
        shown.collect()
    }

    fn groups(&self, provider: &mut P, query: &GroupQuery, peer: Peer) -> Result<Vec<Value>, ServiceError> {
        let found = provider.groups(query)?;
        let has_name = |record: &GroupRecord| query.name.as_ref().is_some_and(|name| record.has_name(name));
        let conflicts = found.iter().any(has_name)
            || query.gid.is_some_and(|gid| found.iter().any(|record| record.gid == Some(gid)));
        let named: Vec<GroupRecord> = found.into_iter().filter(|record| query.names(record)).collect();
        let has_named = !named.is_empty();
        if conflicts && !has_named {
            return Err(ServiceError::ConflictingRecordFound);
        }
        let taken: Vec<GroupRecord> = named.into_iter().filter(|record| query.takes(record)).collect();
        if has_named && taken.is_empty() && !query.is_enumeration() {
            return Err(ServiceError::NonMatchingRecordFound);
        }
        let shown = taken.into_iter().map(|mut record| {
            record.service.get_or_insert_with(|| self.service.name.clone());
            let incomplete = record.privileged.is_some() && peer.uid != 0;
            found_one(if incomplete { record.public() } else { record }, incomplete)
        });
        shown.collect()
    }
}

fn memberships(provider: &mut impl Provider, query: &MembershipQuery) -> Result<Vec<Value>, ServiceError> {
    let found = provider.memberships(query)?;
    found.into_iter().filter(|membership| query.takes(membership)).map(|membership| json(&membership)).collect()
}

fn found_one<R: Serialize>(record: R, incomplete: bool) -> Result<Value, ServiceError> {
    json(&Found { record, incomplete: Some(incomplete) })
}

fn json(value: &impl Serialize) -> Result<Value, ServiceError> {
    // Records are maps with texts for keys: they always are JSON.
    serde_json::to_value(value).map_err(|_| ServiceError::ServiceNotAvailable)
}

/// Decodes the parameters. If a parameter has the wrong type, the error names it.
fn typed(parameters: Value) -> Result<Parameters, ServiceError> {
    let fits = |name: &str, value: &Value| match name {
        "service" | "userName" | "groupName" => is::<String>(value),
        "uid" | "gid" | "uidMin" | "uidMax" | "gidMin" | "gidMax" => is::<u32>(value),
        "fuzzyNames" => is::<Vec<String>>(value),
        "dispositionMask" => is::<Vec<crate::query::Disposition>>(value),
        // An unknown condition must not be silently ignored.
        _ => false,
    };
    if let Some(map) = parameters.as_object()
        && let Some((name, _)) = map.iter().find(|(name, value)| !value.is_null() && !fits(name, value))
    {
        return Err(ServiceError::InvalidParameter(name.clone()));
    }
    serde_json::from_value(parameters).map_err(|_| ServiceError::InvalidParameter("service".to_owned()))
}

fn is<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

fn refusal(error: &str, name: &str, value: &str) -> Refusal {
    let parameters = Map::from_iter([(name.to_owned(), Value::from(value))]);
    Refusal { error: error.to_owned(), parameters }
}

async fn send(connection: &mut Connection<Bounded>, answer: Answer, more: bool) -> zlink::Result<()> {
    let records = match answer {
        Ok(records) => records,
        Err(refusal) => return connection.send_error(&refusal, Vec::new()).await,
    };
    let last = records.len().saturating_sub(1);
    for (number, record) in records.into_iter().enumerate() {
        let continues = (more && number < last).then_some(true);
        connection.send_reply(&Reply::new(Some(record)).set_continues(continues), Vec::new()).await?;
    }
    Ok(())
}
