//! Network access to servers, during which other threads run and signals are handled.
//!
//! A separate thread, which does not use Python, contacts the servers. The waiting thread contacts proxies and reports
//! messages. If a signal handler raises an exception there, the separate thread continues until it is done, even while the
//! interpreter shuts down.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::Environment;
use tagwise::krb5::client::net::{Event, Https, Network, Transport};

use super::config::Krb5Config;
use super::{span, web};
use crate::errors;

/// The timeout per server in seconds, and the number of tries over UDP. None selects the default.
pub(super) type Patience = (Option<f64>, Option<u32>);

/// The interval at which signals are checked.
const LOOK: Duration = Duration::from_millis(50);

/// A message from the network thread to the waiting thread.
enum Word {
    /// A message to or from the servers of a realm.
    Told {
        realm: Option<String>,
        message: Vec<u8>,
    },
    /// A request to a proxy, and the channel for its response.
    Post(Post, Sender<io::Result<Vec<u8>>>),
    Done,
}

/// A request to a proxy for a realm's KDCs.
pub(super) struct Post {
    pub(super) realm: String,
    pub(super) url: String,
    pub(super) body: Vec<u8>,
    pub(super) timeout: Duration,
}

/// The channel from the network thread to the waiting thread.
#[derive(Debug)]
pub(super) struct Waiting(Sender<Word>);

impl Waiting {
    /// Reports a message, unless the waiting thread is gone.
    pub(super) fn tell(&self, event: Event<'_>) {
        let word = match event {
            Event::Sent { realm, message } => Word::Told { realm: Some(realm.to_owned()), message: message.to_vec() },
            Event::Received { message, .. } => Word::Told { realm: None, message: message.to_vec() },
            Event::Note { .. } => return,
        };
        // Where nobody waits, nobody listens.
        let _ = self.0.send(word);
    }
}

impl Https for Waiting {
    fn post(&self, realm: &str, url: &str, body: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
        let (answer, answered) = channel();
        let post = Post { realm: realm.to_owned(), url: url.to_owned(), body: body.to_vec(), timeout };
        let gone = || io::Error::other("no request is pending");
        self.0.send(Word::Post(post, answer)).ok().ok_or_else(gone)?;
        answered.recv().ok().ok_or_else(gone)?
    }
}

fn transport(environment: &Environment, (timeout, tries): Patience) -> PyResult<Transport> {
    let usual = environment.transport();
    let timeout = timeout.map(span).transpose()?.unwrap_or(usual.timeout);
    if timeout.is_zero() {
        return Err(errors::argument("the timeout must be positive"));
    }
    Ok(Transport { timeout, tries: tries.unwrap_or(usual.tries), ..usual })
}

/// Runs a function with the servers of a configuration, while other threads continue to run. `watcher` is a Python function
/// that is called with each message.
pub(super) fn with_network<T: Send + 'static>(
    config: &Bound<'_, Krb5Config>,
    watcher: Option<Py<PyAny>>,
    patience: Patience,
    work: impl FnOnce(Network<'_>, &Waiting) -> T + Send + 'static,
) -> PyResult<T> {
    let transport = transport(&config.get().0, patience)?;
    let (words, heard) = channel();
    let (result, done) = channel();
    let held = config.clone().unbind();
    thread::Builder::new().name("tagwise".to_owned()).spawn(move || {
        let waiting = Waiting(words);
        let network = Network::new(&held.get().0.config, transport).with_https(&waiting);
        // Where nobody waits, nobody wants the result.
        let _ = result.send(work(network, &waiting));
        let _ = waiting.0.send(Word::Done);
    })?;
    attend(config, watcher.as_ref(), heard)?;
    done.try_recv().ok().ok_or_else(|| PyRuntimeError::new_err("the exchange has ended"))
}

/// Serves the network thread's requests until it ends.
fn attend(config: &Bound<'_, Krb5Config>, watcher: Option<&Py<PyAny>>, mut heard: Receiver<Word>) -> PyResult<()> {
    let py = config.py();
    loop {
        let (back, word) = py.detach(move || {
            let word = heard.recv_timeout(LOOK);
            (heard, word)
        });
        heard = back;
        match word {
            Ok(Word::Told { realm, message }) => {
                if let Some(watcher) = watcher
                    && let Err(error) = watcher.call1(py, (realm, PyBytes::new(py, &message)))
                {
                    // A log that fails does not end an exchange.
                    unless_final(py, error)?.write_unraisable(py, Some(watcher.bind(py)));
                }
            }
            Ok(Word::Post(post, answer)) => {
                let posted = match web::post(py, &config.get().0.config, &post) {
                    Ok(posted) => Ok(posted),
                    Err(error) => Err(io::Error::other(unless_final(py, error)?)),
                };
                // The thread that asks waits for it.
                let _ = answer.send(posted);
            }
            Ok(Word::Done) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        py.check_signals()?;
    }
}

/// Returns an exception as a value, unless it must end the program.
fn unless_final(py: Python<'_>, error: PyErr) -> PyResult<PyErr> {
    if error.is_instance_of::<PyException>(py) { Ok(error) } else { Err(error) }
}
