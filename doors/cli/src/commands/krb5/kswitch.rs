//! `tagwise krb5 kswitch`.

use super::environment::{Environment, unusable};
use crate::shared::output::Failure;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kswitch -p alice@EXAMPLE.COM
  tagwise krb5 kswitch -c DIR::/tmp/alice/tkt2

Exit codes: 0 switched; 1 the cache is malformed; 2 usage error, or the cache is not in a collection; 3 the cache does not exist.";

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("which").args(["cache", "principal"]).required(true))]
pub(crate) struct KswitchArgs {
    /// Make this credential cache the primary one
    #[arg(short = 'c', long, value_name = "NAME")]
    cache: Option<String>,
    /// Make the cache of this principal the primary one
    #[arg(short = 'p', long, value_name = "NAME")]
    principal: Option<String>,
}

impl KswitchArgs {
    pub(super) fn switch(&self) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        let cache = match &self.principal {
            Some(principal) => environment.cache_of(&environment.cache_name(None)?, principal)?,
            None => environment.cache(self.cache.as_deref())?,
        };
        // Switching to an empty cache would hide the existing tickets.
        cache.read().and_then(|_| cache.switch()).map_err(|error| unusable(&error))?;
        Ok(0)
    }
}
