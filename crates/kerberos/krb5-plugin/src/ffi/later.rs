//! Verification results, returned immediately or later through the KDC's event loop.
//!
//! Everything runs on the KDC's thread. The host keeps the arguments of `verify` until it receives the result, which
//! happens exactly once.

use core::ffi::{c_int, c_long, c_uint, c_void};
use core::ptr::null_mut;
use core::task::Poll;
use std::os::fd::AsRawFd as _;
use std::time::Instant;

use tagwise_krb5_plugin_sys::link::verto::{self, Event};
use tagwise_krb5_plugin_sys::mit::{
    krb5_context, krb5_data, krb5_enc_tkt_part, krb5_kdc_req, krb5_kdcpreauth_callbacks,
    krb5_kdcpreauth_moddata as Data, krb5_kdcpreauth_rock, krb5_kdcpreauth_verify_respond_fn, krb5_pa_data, verto_ctx,
};

use super::given;
use super::guard::{caught, module, report};
use super::kdcpreauth::Exchange;
use crate::host::lent::Lent;
use crate::kdcpreauth::{Answer, Interest, Kdcpreauth, Pending, Rejected, Verdict, Verified};
use crate::view::{Context, PaDataRef, RequestRef};
use crate::{Error, Result, codes};

/// The ticket flag for a preauthenticated client.
const PRE_AUTH: i32 = 0x0020_0000;
/// The ticket flag for a client that used hardware preauthentication.
const HW_AUTH: i32 = 0x0010_0000;

/// A request that is waiting for its verdict.
#[derive(Clone, Copy)]
struct Request {
    context: krb5_context,
    callbacks: krb5_kdcpreauth_callbacks,
    rock: krb5_kdcpreauth_rock,
    ticket: *mut krb5_enc_tkt_part,
    respond: krb5_kdcpreauth_verify_respond_fn,
    argument: *mut c_void,
}

impl Request {
    /// Passes the verdict to the host, which then owns the request again. `None` stands for a panic.
    ///
    /// # Safety
    ///
    /// The host must still hold the request, and must not have received a verdict on it.
    unsafe fn tell<R>(self, verdict: Option<Result<Verified<R>, Rejected>>) {
        let panicked = || Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, "the plugin panicked").into();
        let (mut code, mut modreq, mut e_data, mut authz_data) = (0, null_mut(), null_mut(), null_mut());
        // The module's state may panic when it is dropped.
        let told = caught(|| {
            let verified = verdict.unwrap_or_else(|| Err(panicked()))?;
            let authz = match self.ticket.is_null() {
                true => Err(codes::KRB5KDC_ERR_PREAUTH_FAILED.into()),
                false => given::auth_list(&verified.authz_data),
            };
            authz.map(|authz| (authz, verified.hardware, verified.request)).map_err(Rejected::from)
        });
        let told = told.unwrap_or_else(|| Err(panicked()));
        match told {
            Ok((authz, hardware, request)) => {
                authz_data = authz;
                modreq = request.map_or(null_mut(), |request| Box::into_raw(Box::new(request)).cast());
                // SAFETY: the host keeps its ticket until it is given a verdict, and nobody else has it.
                unsafe { (*self.ticket).flags |= PRE_AUTH | if hardware { HW_AUTH } else { 0 } };
            }
            Err(rejected) => {
                code = rejected.error.code();
                e_data = given::pa_list(&rejected.e_data).unwrap_or(null_mut());
                // SAFETY: the host keeps its context.
                unsafe { report(self.context, &rejected.error) };
            }
        }
        if let Some(respond) = self.respond {
            // SAFETY: the host's responder with its argument, called once; it frees the data, and gives the state back.
            unsafe { respond(self.argument, code, modreq, e_data, authz_data) };
        }
    }
}

pub(super) unsafe extern "C" fn verify<T: Kdcpreauth>(
    context: krb5_context,
    packet: *mut krb5_data,
    request: *mut krb5_kdc_req,
    ticket: *mut krb5_enc_tkt_part,
    padata: *mut krb5_pa_data,
    callbacks: krb5_kdcpreauth_callbacks,
    rock: krb5_kdcpreauth_rock,
    data: Data,
    respond: krb5_kdcpreauth_verify_respond_fn,
    argument: *mut c_void,
) {
    let waits = Request { context, callbacks, rock, ticket, respond, argument };
    let mut events = null_mut();
    let verdict = caught(|| -> Result<Verdict<T::Request>, Rejected> {
        let broken = || Rejected::from(Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED));
        // SAFETY: the host's arguments are valid during the call, and the data is what `init` stored.
        unsafe {
            let held = Context::new(context);
            let exchange = Exchange::new(&held, callbacks, rock)?;
            let answer = Answer {
                data: Lent::new(padata.cast_const()).map(PaDataRef).ok_or_else(broken)?,
                request: Lent::new(request.cast_const()).map(RequestRef).ok_or_else(broken)?,
                packet: Lent::new(packet.cast_const()).map(Lent::bytes).unwrap_or_default(),
            };
            let verdict = module::<T, _>(data)?.verify(&exchange, answer)?;
            if matches!(verdict, Verdict::Later(_)) {
                events = exchange.event_context()?;
            }
            Ok(verdict)
        }
    });
    // SAFETY: the host keeps the request until it is given a verdict, and this is the first.
    unsafe {
        match verdict {
            Some(Ok(Verdict::Later(pending))) => {
                Later { request: waits, events, pending, io: null_mut(), timer: null_mut() }.wait();
            }
            Some(Ok(Verdict::Now(verified))) => waits.tell(Some(Ok(verified))),
            Some(Err(rejected)) => waits.tell::<T::Request>(Some(Err(rejected))),
            None => waits.tell::<T::Request>(None),
        }
    }
}

/// A verification in the event loop. The only pointers to it are the data of its events.
struct Later<R: 'static> {
    request: Request,
    events: *mut verto_ctx,
    pending: Box<dyn Pending<R>>,
    io: *mut Event,
    timer: *mut Event,
}

impl<R: 'static> Later<R> {
    /// Registers the module's events and waits for them. If the loop cannot register them, the verification fails.
    ///
    /// # Safety
    ///
    /// The host must still hold the request and its event loop.
    unsafe fn wait(mut self) {
        // SAFETY: the caller's.
        match caught(|| unsafe { self.add() }) {
            Some(Ok(())) => {
                let (io, timer) = (self.io, self.timer);
                let address: *mut c_void = Box::into_raw(Box::new(self)).cast();
                for event in [io, timer].into_iter().filter(|event| !event.is_null()) {
                    // SAFETY: the event was just made, and has no data yet. The function is there, since it was for `add`.
                    let _ = unsafe { verto::verto_set_private(event, address, Some(freed::<R>)) };
                }
            }
            failed => {
                // SAFETY: the caller's; the events have no data yet.
                unsafe {
                    self.delete(null_mut());
                    self.end(failed.map(|failed| Err(failed.err().unwrap_or_else(no_loop).into())));
                }
            }
        }
    }

    /// Registers the events.
    ///
    /// # Safety
    ///
    /// The requirements of [`wait`](Self::wait) apply.
    unsafe fn add(&mut self) -> Result<()> {
        let wait = self.pending.wait();
        let left = wait.until.saturating_duration_since(Instant::now());
        // A moment too late rather than too early.
        let left = c_long::try_from(left.as_millis()).unwrap_or(c_long::MAX - 1).min(i32::MAX.into()) + 1;
        let wanted = wait.ready.map(|(descriptor, interest)| -> (c_int, c_uint) {
            let flag = match interest {
                Interest::Read => verto::IO_READ,
                Interest::Write => verto::IO_WRITE,
            };
            (descriptor.as_raw_fd(), verto::ONCE | flag)
        });
        // None is missing later.
        verto::check()?;
        // SAFETY: the caller's; the callback takes an event of this type.
        self.timer = unsafe { verto::verto_add_timeout(self.events, verto::ONCE, Some(happened::<R>), left) }?;
        if self.timer.is_null() {
            return Err(no_loop());
        }
        if let Some((descriptor, flags)) = wanted {
            // SAFETY: as above; the module keeps the descriptor open while it waits for it.
            self.io = unsafe { verto::verto_add_io(self.events, flags, Some(happened::<R>), descriptor) }?;
            if self.io.is_null() {
                return Err(no_loop());
            }
        }
        Ok(())
    }

    /// Detaches the events from this verification, and deletes all of them except `but`.
    ///
    /// # Safety
    ///
    /// The events must belong to this verification and must not have been deleted.
    unsafe fn delete(&mut self, but: *mut Event) {
        for event in [core::mem::replace(&mut self.io, null_mut()), core::mem::replace(&mut self.timer, null_mut())] {
            if event.is_null() {
                continue;
            }
            // SAFETY: the caller's. Without data nothing is called when the event is freed. The functions are there, since an event is.
            unsafe {
                let _ = verto::verto_set_private(event, null_mut(), None);
                if event != but {
                    let _ = verto::verto_del(event);
                }
            }
        }
    }

    /// Passes the verdict to the host, after the last event.
    ///
    /// # Safety
    ///
    /// The host must still hold the request, and must not have received a verdict on it.
    unsafe fn end(self, verdict: Option<Result<Verified<R>, Rejected>>) {
        let Self { request, pending, .. } = self;
        caught(|| drop(pending));
        // SAFETY: the caller's.
        unsafe { request.tell(verdict) };
    }
}

fn no_loop() -> Error {
    Error::new(codes::KRB5KDC_ERR_PREAUTH_FAILED, "could not register an event with the KDC's event loop")
}

/// Takes back the verification that an event belongs to, and deletes its other events.
///
/// # Safety
///
/// The event must belong to a `Later<R>`.
unsafe fn taken<R: 'static>(event: *mut Event) -> Option<Later<R>> {
    // SAFETY: the data of an event is null or the address of its verification, which all its events lose here.
    unsafe {
        let address = verto::verto_get_private(event).ok()?.cast::<Later<R>>();
        if address.is_null() {
            return None;
        }
        let mut later = *Box::from_raw(address);
        later.delete(event);
        Some(later)
    }
}

/// Called when the descriptor is ready or the deadline has passed.
unsafe extern "C" fn happened<R: 'static>(_: *mut verto_ctx, event: *mut Event) {
    // SAFETY: libverto calls this for an event of `Later<R>`, and deletes the event afterwards, which is one for once.
    let Some(mut later) = (unsafe { taken::<R>(event) }) else { return };
    let Request { context, callbacks, rock, .. } = later.request;
    let resumed = caught(|| {
        // SAFETY: the host keeps the request until it is given a verdict.
        unsafe {
            let held = Context::new(context);
            match Exchange::new(&held, callbacks, rock) {
                Ok(exchange) => later.pending.resume(&exchange),
                Err(error) => Poll::Ready(Err(error.into())),
            }
        }
    });
    // SAFETY: as above; the verification has no event now, and no verdict yet.
    unsafe {
        match resumed {
            Some(Poll::Pending) => later.wait(),
            Some(Poll::Ready(verdict)) => later.end(Some(verdict)),
            None => later.end(None),
        }
    }
}

/// Called when the loop ends before the verification. The verdict is then no longer needed.
unsafe extern "C" fn freed<R: 'static>(_: *mut verto_ctx, event: *mut Event) {
    // SAFETY: libverto calls this for an event of `Later<R>`, once.
    caught(|| drop(unsafe { taken::<R>(event) }));
}
