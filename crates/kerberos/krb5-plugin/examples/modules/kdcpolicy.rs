//! Principals with the string attribute `visitor` receive tickets that are valid for ten minutes, and no tickets for
//! `secret/...`.

use std::time::Duration;

use tagwise_krb5_plugin::kdcpolicy::{AsCheck, Denial, Kdcpolicy, Limits, TgsCheck};
use tagwise_krb5_plugin::view::Context;
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::trace::called;

pub(crate) struct Visitors;

impl Kdcpolicy for Visitors {
    fn init(_: &Context<'_>) -> Result<Self> {
        called("kdcpolicy", "init", "");
        Ok(Self)
    }

    fn check_as(&self, _: &Context<'_>, check: &AsCheck<'_>) -> Result<Limits, Denial> {
        called("kdcpolicy", "check_as", format_args!("{:?} {:?}", check.request.client(), check.auth_indicators));
        match check.client.string("visitor") {
            None => Ok(Limits::default()),
            Some(b"banned") => {
                let error = Error::new(codes::KRB5KDC_ERR_POLICY, "visitors are not welcome today");
                Err(Denial { error, status: c"VISITOR_BANNED" })
            }
            Some(_) => {
                Ok(Limits { lifetime: Some(Duration::from_secs(600)), renew_lifetime: Some(Duration::from_secs(1200)) })
            }
        }
    }

    fn check_tgs(&self, _: &Context<'_>, check: &TgsCheck<'_>) -> Result<Limits, Denial> {
        let client = check.ticket.part().and_then(|part| part.client());
        called("kdcpolicy", "check_tgs", format_args!("{client:?} {:?}", check.server.principal()));
        let server = check.server.principal().and_then(|server| server.components().next());
        if server == Some(b"secret") {
            return Err(Denial { error: codes::KRB5KDC_ERR_POLICY.into(), status: c"SECRET_SERVICE" });
        }
        Ok(Limits::default())
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("kdcpolicy", "fini", "");
    }
}
