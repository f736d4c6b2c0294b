//! Authorizes a certificate if its length matches the string attribute `certlength`. This is an example, not a policy.

use tagwise_krb5_plugin::certauth::{Authorize, Certauth, Decision, Opinion};
use tagwise_krb5_plugin::view::Context;
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::trace::called;

pub(crate) struct Pinned;

impl Certauth for Pinned {
    fn init(_: &Context<'_>) -> Result<Self> {
        called("certauth", "init", "");
        Ok(Self)
    }

    fn authorize(&self, _: &Context<'_>, asked: &Authorize<'_>) -> Result<Decision> {
        called("certauth", "authorize", format_args!("{} {} bytes", asked.princ, asked.cert.len()));
        let Some(pinned) = asked.entry.and_then(|entry| entry.string("certlength")) else {
            return Ok(Decision { opinion: Opinion::None, indicators: Vec::new() });
        };
        if pinned != asked.cert.len().to_string().as_bytes() {
            return Err(Error::new(codes::KRB5KDC_ERR_CERTIFICATE_MISMATCH, "the certificate is not the pinned one"));
        }
        Ok(Decision { opinion: Opinion::AuthorizedInHardware, indicators: vec![c"pinned".to_owned()] })
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("certauth", "fini", "");
    }
}
