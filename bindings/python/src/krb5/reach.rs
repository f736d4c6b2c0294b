//! Servers, which are waited for while other threads run and signals are heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::Environment;
use tagwise::krb5::client::net::{Event, Network, Transport};

use super::config::Krb5Config;
use super::span;
use super::web::Web;
use crate::errors;

/// The seconds that a server is waited for, and the tries over UDP; what is None is as usual.
pub(super) type Patience = (Option<f64>, Option<u32>);

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// A function of Python's that is told each message, as long as somebody waits for the answer.
pub(super) struct Watcher {
    function: Option<Py<PyAny>>,
    over: Arc<AtomicBool>,
}

impl Watcher {
    pub(super) fn tell(&self, event: Event<'_>) {
        let Some(function) = self.function.as_ref().filter(|_| !self.over.load(Ordering::Acquire)) else { return };
        // An interpreter that is about to end is told nothing.
        let _ = Python::try_attach(|py| {
            let told = match event {
                Event::Sent { realm, message } => function.call1(py, (realm, PyBytes::new(py, message))),
                Event::Received { message, .. } => function.call1(py, (None::<&str>, PyBytes::new(py, message))),
            };
            // A log that fails does not end an exchange.
            if let Err(error) = told {
                error.write_unraisable(py, Some(function.bind(py)));
            }
        });
    }
}

fn transport(environment: &Environment, (timeout, tries): Patience) -> PyResult<Transport> {
    let usual = environment.transport();
    let timeout = timeout.map(span).transpose()?.unwrap_or(usual.timeout);
    if timeout.is_zero() {
        return Err(errors::argument("the time that a server is waited for is longer than nothing"));
    }
    Ok(Transport { timeout, tries: tries.unwrap_or(usual.tries), ..usual })
}

/// Does something with the servers of a configuration, while other threads run.
///
/// Handlers of signals run in the main thread alone. There the servers are asked by another one, which is left to its end and not waited for
/// any more if a handler raises.
pub(super) fn with_network<T: Send + 'static>(
    config: &Bound<'_, Krb5Config>,
    function: Option<Py<PyAny>>,
    patience: Patience,
    work: impl FnOnce(Network<'_>, &Watcher) -> T + Send + 'static,
) -> PyResult<T> {
    let py = config.py();
    let transport = transport(&config.get().0, patience)?;
    let over = Arc::new(AtomicBool::new(false));
    let watcher = Watcher { function, over: over.clone() };
    let config = config.clone().unbind();
    let ask = move || {
        let settings = &config.get().0.config;
        let web = Web::new(settings);
        work(Network::new(settings, transport).with_https(&web), &watcher)
    };
    if !is_main(py)? {
        return Ok(py.detach(ask));
    }
    let (sender, mut receiver) = channel();
    let asking = thread::Builder::new().name("tagwise".to_owned());
    asking.spawn(move || drop(sender.send(ask())))?;
    loop {
        let (back, answer) = py.detach(move || {
            let answer = receiver.recv_timeout(LOOK);
            (receiver, answer)
        });
        receiver = back;
        match answer {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the request was given up")),
        }
        py.check_signals().inspect_err(|_| over.store(true, Ordering::Release))?;
    }
}

fn is_main(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}
