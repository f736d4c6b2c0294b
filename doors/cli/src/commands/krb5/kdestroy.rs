//! `tagwise krb5 kdestroy`.

use super::environment::{Environment, unusable};
use crate::shared::output::Failure;
use tagwise_krb5::cache::Cache;
use tagwise_pkix::name::visible;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kdestroy
  tagwise krb5 kdestroy -c FILE:alice.cache
  tagwise krb5 kdestroy -A                  all caches of the collection
  tagwise krb5 kdestroy -p alice@EXAMPLE.COM

A file is overwritten with zeros before it is removed. Files that are not credential caches are not touched.
Exit codes: 0 removed; 1 the file is not a credential cache; 2 usage error; 3 the cache does not exist, or could not be removed.";

#[derive(Debug, clap::Args)]
pub(crate) struct KdestroyArgs {
    /// Remove this credential cache [default: that of KRB5CCNAME or the configuration, or /tmp/krb5cc_UID]
    #[arg(short = 'c', long, value_name = "NAME")]
    cache: Option<String>,
    /// Remove all caches of the collection
    #[arg(short = 'A', long)]
    all: bool,
    /// Remove the cache of this principal in the collection
    #[arg(short = 'p', long, value_name = "NAME", conflicts_with = "all")]
    principal: Option<String>,
}

impl KdestroyArgs {
    pub(super) fn destroy(&self) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        let (name, settings) = (environment.cache_name(self.cache.as_deref())?, environment.cache_settings());
        let caches = match &self.principal {
            _ if self.all => Cache::list(&name, &settings).map_err(|error| unusable(&error))?,
            Some(principal) => vec![environment.cache_of(&name, principal)?],
            None => vec![environment.cache(Some(&name))?],
        };
        if caches.is_empty() {
            return Err(Failure::Said(3, format!("{}: credential cache not found", visible(&name))));
        }
        // One that cannot be removed does not keep the others.
        let mut failed = None;
        for cache in caches {
            failed = cache.destroy().err().or(failed);
        }
        match failed {
            Some(error) => Err(unusable(&error)),
            None => Ok(0),
        }
    }
}
