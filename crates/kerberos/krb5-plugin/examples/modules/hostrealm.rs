//! Maps hosts below `.plugin.test` to the realm `KRB.TEST`.

use std::ffi::CStr;

use tagwise_krb5_plugin::hostrealm::Hostrealm;
use tagwise_krb5_plugin::view::Context;
use tagwise_krb5_plugin::{Error, Result};

use crate::trace::called;

pub(crate) struct Suffixes;

impl Hostrealm for Suffixes {
    fn init(_: &Context<'_>) -> Result<Self> {
        called("hostrealm", "init", "");
        Ok(Self)
    }

    fn host_realm(&self, _: &Context<'_>, host: &CStr) -> Result<Vec<String>> {
        called("hostrealm", "host_realm", host.to_string_lossy());
        match host.to_bytes().ends_with(b".plugin.test") {
            true => Ok(vec!["KRB.TEST".to_owned()]),
            false => Err(Error::no_handle()),
        }
    }

    fn fallback_realm(&self, _: &Context<'_>, host: &CStr) -> Result<Vec<String>> {
        called("hostrealm", "fallback_realm", host.to_string_lossy());
        match host.to_bytes().ends_with(b".guess.test") {
            true => Ok(vec!["GUESS.TEST".to_owned(), "SECOND.TEST".to_owned()]),
            false => Err(Error::no_handle()),
        }
    }

    fn default_realm(&self, _: &Context<'_>) -> Result<Vec<String>> {
        called("hostrealm", "default_realm", "");
        std::env::var("TAGWISE_PLUGIN_REALM").map(|realm| vec![realm]).map_err(|_| Error::no_handle())
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("hostrealm", "fini", "");
    }
}
