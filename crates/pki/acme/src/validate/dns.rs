//! DNS queries, `dns-01` (RFC 8555 §8.4) and `dns-account-01` (draft-ietf-acme-dns-account-label-03).

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{RData, RecordType};
use tagwise_crypto::Digest;
use tagwise_keys::jwk;

use super::Validator;
use crate::authorization::Attempt;
use crate::policy::ChallengeType;
use crate::problem::{Kind, Problem};

/// A resolver without cache and hosts file.
pub(super) struct Dns {
    resolver: TokioResolver,
}

impl Dns {
    pub(super) fn new(server: Option<SocketAddr>) -> Result<Self, String> {
        let failed = |error: NetError| format!("the DNS resolver cannot be configured: {error}");
        let mut builder = match server {
            None => TokioResolver::builder_tokio().map_err(failed)?,
            Some(server) => {
                let at = |mut connection: ConnectionConfig| {
                    connection.port = server.port();
                    connection
                };
                let connections = vec![at(ConnectionConfig::udp()), at(ConnectionConfig::tcp())];
                let server = NameServerConfig::new(server.ip(), true, connections);
                let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
                TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
            }
        };
        let options = builder.options_mut();
        options.cache_size = 0;
        options.use_hosts_file = ResolveHosts::Never;
        options.timeout = Duration::from_secs(3);
        Ok(Self { resolver: builder.build().map_err(failed)? })
    }

    /// The records of a type. A name that does not exist has none; any other failure is an error.
    pub(super) async fn records<T>(
        &self,
        name: &str,
        kind: RecordType,
        of: impl Fn(&RData) -> Option<T>,
    ) -> Result<Vec<T>, Problem> {
        // The dot at the end keeps search domains out.
        match self.resolver.lookup(format!("{name}."), kind).await {
            Ok(found) => Ok(found.answers().iter().filter_map(|record| of(&record.data)).collect()),
            Err(NetError::Dns(DnsError::NoRecordsFound(none)))
                if matches!(none.response_code, ResponseCode::NoError | ResponseCode::NXDomain) =>
            {
                Ok(Vec::new())
            }
            Err(error) => {
                Err(Problem::new(Kind::Dns, format!("the {kind} records of {name} cannot be queried: {error}")))
            }
        }
    }

    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Problem> {
        let six = self.records(name, RecordType::AAAA, |data| match data {
            RData::AAAA(address) => Some(IpAddr::V6(address.0)),
            _ => None,
        });
        let four = self.records(name, RecordType::A, |data| match data {
            RData::A(address) => Some(IpAddr::V4(address.0)),
            _ => None,
        });
        match tokio::join!(six, four) {
            (Err(problem), Err(_)) => Err(problem),
            (six, four) => {
                let (six, four) = (six.unwrap_or_default(), four.unwrap_or_default());
                // Alternately, so that neither family alone uses up the attempts.
                let pairs = six.len().max(four.len());
                let at = |list: &[IpAddr], index| list.get(index).copied();
                Ok((0..pairs).flat_map(|index| [at(&six, index), at(&four, index)]).flatten().collect())
            }
        }
    }
}

/// The label of an account: the first 80 bits of the digest of its URL, in base32 (draft-ietf-acme-dns-account-label-03 §3.1).
fn label(digest: &[u8]) -> String {
    let bits = digest.iter().take(10).fold(0, |bits: u128, octet| bits << 8 | u128::from(*octet));
    let letter = |index: u32| {
        // RFC 4648 §6, in lower case.
        let five = u8::try_from(bits >> (75 - 5 * index) & 31).unwrap_or_default();
        char::from(if five < 26 { b'a' + five } else { b'2' + (five - 26) })
    };
    std::iter::once('_').chain((0..16).map(letter)).collect()
}

impl Validator {
    /// Validates `dns-01` and `dns-account-01`: a TXT record with the digest of the key authorization.
    pub(super) async fn txt(&self, attempt: &Attempt) -> Result<(), Problem> {
        let mut name = format!("_acme-challenge.{}", attempt.identifier.value);
        if attempt.kind == ChallengeType::DnsAccount {
            let digest = self.backend.digest(Digest::Sha256, attempt.account.as_bytes()).map_err(Problem::internal)?;
            name = format!("{}.{name}", label(&digest));
        }
        let found = self.dns.records(&name, RecordType::TXT, |data| match data {
            RData::TXT(text) => Some(text.txt_data.concat()),
            _ => None,
        });
        let (found, expected) = (found.await?, jwk::base64url(&self.digest(attempt)?));
        if found.iter().any(|text| text == expected.as_bytes()) {
            return Ok(());
        }
        let what = match found.len() {
            0 => format!("{name} has no TXT record"),
            count => format!(
                "none of the {count} TXT records of {name} is the digest of the key authorization (RFC 8555 §8.4)"
            ),
        };
        Err(Problem::new(Kind::IncorrectResponse, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_accounts() {
        // SHA-256 of `https://example.com/acme/acct/ExampleAccount`, the draft's example.
        let digest = [0xa2, 0x58, 0xc7, 0x54, 0xba, 0xab, 0x7b, 0xd9, 0x9b, 0x04, 0x4f];
        assert_eq!(label(&digest), "_ujmmovf2vn55tgye");
    }
}
