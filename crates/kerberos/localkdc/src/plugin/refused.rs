//! The client of the TGS request that the database driver rejected most recently.
//!
//! MIT's KDC only reports the client of a granted ticket to its audit module. The driver runs in the same process, and can
//! supply it for rejected requests.

use std::sync::{Mutex, PoisonError};

static LAST: Mutex<Option<(u32, String)>> = Mutex::new(None);

/// Stores a request's client, identified by the request's nonce.
pub(super) fn keep(nonce: u32, client: String) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((nonce, client));
}

/// Removes and returns the client of a request, if it was stored.
pub(super) fn take(nonce: u32) -> Option<String> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
    last.filter(|(kept, _)| *kept == nonce).map(|(_, client)| client)
}
