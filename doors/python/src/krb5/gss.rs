//! GSS-API security contexts for initiators, which have a ticket, and acceptors, which have a keytab, with or without
//! negotiation.

use std::sync::{LazyLock, Mutex};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use self_cell::self_cell;
use tagwise::crypto::ErrorKind;
use tagwise::krb5::client::Moment;
use tagwise::krb5::gss::spnego::{Negotiation, Negotiator};
use tagwise::krb5::gss::{
    Accepted, Acceptor, AcceptorOptions, Address, ChannelBindings, Context, Flags, GssError, Initiator,
    InitiatorOptions, Order, ReplayCache,
};
use tagwise::krb5::{Credential as Ticket, Principal as Name};

use super::credential::Credential;
use super::keytab::Krb5Keytab;
use super::principal::Principal;
use super::{backend, failure, held, locked, span};
use crate::{errors, input};

/// The authenticators that this process's acceptors have received.
fn replays() -> &'static ReplayCache {
    static REPLAYS: LazyLock<ReplayCache> = LazyLock::new(ReplayCache::default);
    &REPLAYS
}

self_cell!(
    struct Accepting {
        owner: Acceptor<'static>,
        #[covariant]
        dependent: Side,
    }
);

type Side<'a> = Negotiator<'a, 'static>;

/// The state of a context.
enum State {
    Initiating(Box<Initiator<'static>>),
    Negotiating(Box<Negotiation<'static>>),
    Accepting(Accepting),
    Established(Box<Established>),
    /// The context has failed or was exported, and can no longer be used.
    Over,
}

struct Established {
    context: Context<'static>,
    delegated: Vec<Ticket>,
}

impl Established {
    fn boxed(context: Context<'static>) -> State {
        State::Established(Box::new(Self { context, delegated: Vec::new() }))
    }

    fn accepted(accepted: Accepted<'static>) -> State {
        State::Established(Box::new(Self { context: accepted.context, delegated: accepted.delegated }))
    }
}

/// Channel bindings: the application data, and the address types and bytes of the initiator and acceptor.
type Bindings = (Vec<u8>, u32, Vec<u8>, u32, Vec<u8>);

fn bindings(given: Bindings) -> ChannelBindings {
    let (application, initiator_kind, initiator, acceptor_kind, acceptor) = given;
    ChannelBindings {
        initiator: Address { kind: initiator_kind, octets: initiator },
        acceptor: Address { kind: acceptor_kind, octets: acceptor },
        application,
    }
}

/// Creates the exception for an error. The status in RFC 2744 §3.9.1 determines its class in `tagwise.gss`.
fn refused(py: Python<'_>, error: &GssError) -> PyErr {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    const CALL_FAILURE: u32 = 13;
    let number = match error {
        GssError::Token(..) | GssError::Decode(_) => 9,
        GssError::Crypto(error) if error.kind() == ErrorKind::Integrity => 6,
        GssError::Bindings => 4,
        GssError::NoKey(_) => 7,
        GssError::State(_) => 8,
        GssError::Import(_) => 9,
        _ => CALL_FAILURE,
    };
    let (major, supplementary) = match error {
        GssError::Replay => (0, 2),
        _ => (number, 0),
    };
    let code = match error {
        GssError::Peer(said) => Some(said.code),
        _ => None,
    };
    let make =
        MAKE.get_or_try_init(py, || PyResult::Ok(py.import("tagwise.gss.exceptions")?.getattr("of_status")?.unbind()));
    match make.and_then(|make| make.bind(py).call1((error.to_string(), major << 16 | supplementary, code))) {
        Ok(made) => {
            let made = PyErr::from_value(made);
            if let GssError::Decode(error) = error {
                // The path and the byte are those of the cause.
                made.set_cause(py, Some(errors::decoding(py, error)));
            }
            made
        }
        Err(error) => error,
    }
}

/// A GSS-API context, and the seconds by which the clock of the initiator's KDC is ahead.
#[pyclass(frozen, module = "tagwise._native")]
struct GssContext(Mutex<State>, i64);

impl GssContext {
    /// Calls a function with an established context, while other threads run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Context<'static>) -> Result<T, GssError> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| match &mut *locked(&self.0) {
            State::Established(established) => work(&mut established.context),
            _ => Err(GssError::State("the context is not established")),
        });
        done.map_err(|error| refused(py, &error))
    }

    /// Returns a value from an established context, or `None` if it is not established.
    fn look<T>(&self, py: Python<'_>, of: impl FnOnce(&Established) -> T) -> Option<T> {
        match &*held(py, &self.0) {
            State::Established(established) => Some(of(established)),
            _ => None,
        }
    }
}

/// Processes a token. Returns the next state and the token to send, if any.
fn step(state: State, token: Option<&[u8]>, now: Moment) -> Result<(State, Option<Vec<u8>>), GssError> {
    const MISSING: GssError = GssError::State("the peer's token is missing");
    match (state, token) {
        (State::Initiating(mut initiator), None) => {
            let sent = initiator.start(now)?;
            let next = match initiator.is_waiting() {
                true => State::Initiating(initiator),
                false => Established::boxed(initiator.into_context()?),
            };
            Ok((next, Some(sent)))
        }
        (State::Initiating(mut initiator), Some(token)) => {
            initiator.reply(token)?;
            Ok((Established::boxed(initiator.into_context()?), None))
        }
        (State::Negotiating(mut negotiation), None) => {
            let sent = negotiation.start(now)?;
            Ok((State::Negotiating(negotiation), Some(sent)))
        }
        (State::Negotiating(mut negotiation), Some(token)) => {
            let sent = negotiation.reply(token)?;
            match negotiation.is_done() {
                true => Ok((Established::boxed(negotiation.into_context()?), sent)),
                false => Ok((State::Negotiating(negotiation), sent)),
            }
        }
        (State::Accepting(mut accepting), Some(token)) => {
            let sent = accepting.with_dependent_mut(|_, side| side.step(token, now))?;
            match accepting.with_dependent_mut(|_, side| side.is_done().then(|| side.take_accepted())) {
                Some(accepted) => Ok((Established::accepted(accepted?), sent)),
                None => Ok((State::Accepting(accepting), sent)),
            }
        }
        (State::Accepting(_), None) => Err(MISSING),
        (State::Established(_), _) => Err(GssError::State("the context is already established")),
        (State::Over, _) => Err(GssError::State("the context has been deleted")),
    }
}

#[pymethods]
impl GssContext {
    /// Creates an initiator, which has a ticket.
    #[staticmethod]
    fn initiate(
        py: Python<'_>,
        ticket: &Bound<'_, Credential>,
        flags: u32,
        bound: Option<Bindings>,
        delegate: Option<&Bound<'_, Credential>>,
        negotiate: bool,
        clock_offset: i64,
    ) -> PyResult<Self> {
        let options = InitiatorOptions {
            flags: Flags(flags),
            bindings: bound.map(bindings),
            delegate: delegate.map(|ticket| ticket.get().0.clone()),
        };
        let initiator = Initiator::new(backend(), ticket.get().0.clone(), options);
        let state = match negotiate {
            true => State::Negotiating(Box::new(Negotiation::new(initiator).map_err(|error| refused(py, &error))?)),
            false => State::Initiating(Box::new(initiator)),
        };
        Ok(Self(Mutex::new(state), clock_offset))
    }

    /// Creates an acceptor, which has a keytab. It accepts Kerberos with and without negotiation.
    #[staticmethod]
    fn accept(
        keytab: &Bound<'_, Krb5Keytab>,
        service: Option<&Bound<'_, Principal>>,
        bound: Option<Bindings>,
        bindings_optional: bool,
        skew: f64,
    ) -> PyResult<Self> {
        let options = AcceptorOptions {
            service: service.map(|service| service.get().0.clone()),
            bindings: bound.map(bindings),
            bindings_optional,
            skew: span(skew)?,
            ..AcceptorOptions::default()
        };
        let acceptor = Acceptor::new(backend(), keytab.get().accepting(keytab.py()), replays(), options);
        Ok(Self(Mutex::new(State::Accepting(Accepting::new(acceptor, |acceptor| Negotiator::new(acceptor)))), 0))
    }

    /// Imports a context that `export` returned.
    #[staticmethod]
    fn import_(py: Python<'_>, exported: &Bound<'_, PyAny>) -> PyResult<Self> {
        let exported = input::bytes(exported)?;
        let context = Context::import(backend(), exported.as_bytes()).map_err(|error| refused(py, &error))?;
        Ok(Self(Mutex::new(Established::boxed(context)), 0))
    }

    /// Processes the peer's token and returns the token to send, if any. A context that fails can no longer be used.
    #[pyo3(signature = (token = None))]
    fn step<'py>(&self, py: Python<'py>, token: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let token = token.map(input::bytes).transpose()?;
        let token = token.as_ref().map(|token| token.as_bytes());
        let sent = py.detach(|| {
            let mut state = locked(&self.0);
            // What is established stays so, whatever else is asked.
            if matches!(&*state, State::Established(_)) {
                return Err(GssError::State("the context is already established"));
            }
            let now = Moment::now().by_clock(self.1);
            let (next, sent) = step(std::mem::replace(&mut *state, State::Over), token, now)?;
            *state = next;
            Ok(sent)
        });
        let sent = sent.map_err(|error| refused(py, &error))?;
        Ok(sent.map(|sent| PyBytes::new(py, &sent)))
    }

    /// Wraps a message in a token. It is encrypted if `sealed` is true, and otherwise only protected by a checksum.
    fn wrap<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>, sealed: bool) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        let token = self.with(py, |context| context.wrap(data, sealed))?;
        Ok(PyBytes::new(py, &token))
    }

    /// Unwraps a token. Returns the message, whether it was encrypted, and its position in the sequence: 0 in order, 1 after a gap, 2
    /// late.
    fn unwrap<'py>(&self, py: Python<'py>, token: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyBytes>, bool, u8)> {
        let token = input::bytes(token)?;
        let token = token.as_bytes();
        let opened = self.with(py, |context| context.unwrap(token))?;
        Ok((PyBytes::new(py, opened.data.expose()), opened.sealed, place(opened.order)))
    }

    /// Signs a message with a detached token (MIC).
    fn mic<'py>(&self, py: Python<'py>, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let data = input::bytes(data)?;
        let data = data.as_bytes();
        let token = self.with(py, |context| context.mic(data))?;
        Ok(PyBytes::new(py, &token))
    }

    /// Verifies a message's MIC, and returns the message's position in the sequence.
    fn verify_mic(&self, py: Python<'_>, data: &Bound<'_, PyAny>, token: &Bound<'_, PyAny>) -> PyResult<u8> {
        let (data, token) = (input::bytes(data)?, input::bytes(token)?);
        let (data, token) = (data.as_bytes(), token.as_bytes());
        self.with(py, |context| context.verify_mic(data, token)).map(place)
    }

    /// Returns the lengths of a token's header and trailer.
    fn ends(&self, py: Python<'_>, sealed: bool) -> Option<(usize, usize)> {
        self.look(py, |established| established.context.ends(sealed))
    }

    /// Exports the context for another process. It can then no longer be used here.
    fn export<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let taken = {
            let mut state = held(py, &self.0);
            // What is not established stays as it is.
            matches!(&*state, State::Established(_)).then(|| std::mem::replace(&mut *state, State::Over))
        };
        let Some(State::Established(established)) = taken else {
            return Err(refused(py, &GssError::State("the context is not established")));
        };
        let exported = established.context.export().map_err(|error| refused(py, &error))?;
        Ok(PyBytes::new(py, exported.expose()))
    }

    /// Returns whether this is the initiator's side of an established context.
    #[getter]
    fn initiates(&self, py: Python<'_>) -> bool {
        self.look(py, |established| !established.context.is_acceptor()).unwrap_or_default()
    }

    /// Returns the seconds by which the clock of the initiator's KDC is ahead.
    #[getter]
    const fn clock_offset(&self) -> i64 {
        self.1
    }

    #[getter]
    fn complete(&self, py: Python<'_>) -> bool {
        self.look(py, |_| ()).is_some()
    }

    /// Returns the client, the service, the flags, and the ticket's expiration as a Unix time, or None before the context is established.
    #[getter]
    fn facts(&self, py: Python<'_>) -> Option<(Principal, Principal, u32, i64)> {
        let own = |name: &Name| Principal(name.clone());
        self.look(py, |established| {
            let context = &established.context;
            (own(context.client()), own(context.service()), context.flags().0, context.expires().0)
        })
    }

    /// The credentials that the initiator delegated.
    #[getter]
    fn delegated(&self, py: Python<'_>) -> Vec<Credential> {
        self.look(py, |established| established.delegated.iter().cloned().map(Credential).collect()).unwrap_or_default()
    }
}

const fn place(order: Order) -> u8 {
    match order {
        Order::InOrder => 0,
        Order::Gap => 1,
        Order::Late => 2,
    }
}

/// Encodes delegated credentials as a credential cache file.
#[pyfunction]
fn gss_cache_of<'py>(py: Python<'py>, credentials: Vec<Bound<'py, Credential>>) -> PyResult<Bound<'py, PyBytes>> {
    let Some(first) = credentials.first() else { return Err(crate::errors::argument("no credential was given")) };
    let mut cache = tagwise::krb5::Ccache::new(first.get().0.client.clone());
    credentials.iter().for_each(|one| cache.store(one.get().0.clone()));
    Ok(PyBytes::new(py, &cache.to_bytes().map_err(|error| failure::file(py, &error))?))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GssContext>()?;
    module.add_function(wrap_pyfunction!(gss_cache_of, module)?)
}
