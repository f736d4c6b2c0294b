//! Writes a line for each event.

use std::ffi::CStr;

use tagwise_krb5_plugin::Result;
use tagwise_krb5_plugin::audit::{Audit, Event};

use crate::trace::called;

pub(crate) struct Lines;

fn line(method: &str, event: Event<'_>) -> Result<()> {
    let client = event.request().and_then(|request| request.client());
    let server = event.request().and_then(|request| request.server());
    let (address, status) =
        (event.cl_addr().and_then(|address| address.ip()), event.status().map(CStr::to_string_lossy));
    let text = format!(
        "{} {} {:?} {client:?} {server:?} {address:?} {status:?} {:?} {:?} {:?} {:?}",
        if event.success() { "success" } else { "failure" },
        event.req_id(),
        event.stage(),
        event.reply(),
        event.violation(),
        event.s4u2self_user(),
        event.tkt_out_id(),
    );
    called("audit", method, text);
    Ok(())
}

impl Audit for Lines {
    fn open() -> Result<Self> {
        called("audit", "open", "");
        Ok(Self)
    }

    fn kdc_start(&self, success: bool) -> Result<()> {
        called("audit", "kdc_start", success);
        Ok(())
    }

    fn kdc_stop(&self, success: bool) -> Result<()> {
        called("audit", "kdc_stop", success);
        Ok(())
    }

    fn as_req(&self, event: Event<'_>) -> Result<()> {
        line("as_req", event)
    }

    fn tgs_req(&self, event: Event<'_>) -> Result<()> {
        line("tgs_req", event)
    }

    fn tgs_s4u2self(&self, event: Event<'_>) -> Result<()> {
        line("tgs_s4u2self", event)
    }

    fn tgs_s4u2proxy(&self, event: Event<'_>) -> Result<()> {
        line("tgs_s4u2proxy", event)
    }

    fn tgs_u2u(&self, event: Event<'_>) -> Result<()> {
        line("tgs_u2u", event)
    }

    fn close(&mut self) -> Result<()> {
        called("audit", "close", "");
        Ok(())
    }
}
