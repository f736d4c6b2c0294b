//! Requests: the length of a JSON object in four bytes, lowest first, the object, and the bytes of all arguments.

#[cfg(feature = "verify")]
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tagwise_codec::RuleSet;
use tagwise_pkix::{UnixTime, profile};

use crate::Response;
use crate::error::Failure;

/// A request.
pub(crate) struct Request<'r> {
    pub(crate) options: Options,
    blobs: Vec<&'r [u8]>,
}

/// The results of WebCrypto: identifiers of signatures.
#[cfg(feature = "verify")]
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WebCryptoResults {
    pub(crate) verified: BTreeSet<String>,
    /// The signatures that Rust must verify.
    pub(crate) refused: BTreeSet<String>,
    /// Rust verifies all signatures without a result.
    pub(crate) last: bool,
}

/// The options of all operations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Options {
    op: String,
    /// The lengths of the arguments.
    lens: Vec<usize>,
    /// The names of tolerated rules.
    pub(crate) allow: Vec<String>,
    /// The time in seconds since 1970.
    pub(crate) now: i64,
    /// The maximum number of CRL entries, or of components.
    pub(crate) entries: Option<usize>,
    /// The number of a value in the input.
    pub(crate) item: usize,
    /// The number of a value in the second input.
    pub(crate) other_item: usize,
    pub(crate) offset: usize,
    pub(crate) path: String,
    pub(crate) severity: Option<String>,
    pub(crate) only: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) precert: bool,
    /// The name or address of a server.
    pub(crate) host: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) purpose: Option<String>,
    pub(crate) profile: Option<String>,
    /// The treatment of CRLs and OCSP responses.
    pub(crate) revocation: Option<String>,
    pub(crate) all_paths: bool,
    /// Policies for Merkle Tree Certificates, as text.
    pub(crate) mtc_policy: Vec<String>,
    /// The results of WebCrypto, if it verifies signatures.
    #[cfg(feature = "verify")]
    pub(crate) web_crypto: Option<WebCryptoResults>,
    /// The numbers of arguments: leaf and intermediates, roots, CRLs, OCSP responses.
    pub(crate) counts: Vec<usize>,
    /// The names of sources.
    pub(crate) names: Vec<String>,
    /// The number of a compiled schema.
    pub(crate) schema: u32,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    pub(crate) rules: Option<String>,
}

/// Encodes a request. `head` is a JSON object without `lens`, which is added.
///
/// ```
/// let bytes = tagwise_wasm::request(r#"{"op":"version"}"#, &[]);
/// assert_eq!(bytes[4], b'{');
/// ```
#[must_use]
pub fn request(head: &str, blobs: &[&[u8]]) -> Vec<u8> {
    let lens: Vec<String> = blobs.iter().map(|blob| blob.len().to_string()).collect();
    let head = head.trim_end();
    let head = head.strip_suffix('}').unwrap_or(head);
    let head = format!("{head},\"lens\":[{}]}}", lens.join(","));
    let mut bytes = u32::try_from(head.len()).unwrap_or_default().to_le_bytes().to_vec();
    bytes.extend(head.into_bytes());
    blobs.iter().for_each(|blob| bytes.extend(*blob));
    bytes
}

impl<'r> Request<'r> {
    /// Reads a request.
    pub(crate) fn read(input: &'r [u8]) -> Result<Self, Failure> {
        let bad = || Failure::usage("malformed request");
        let (len, rest) = input.split_first_chunk().ok_or_else(bad)?;
        let len = usize::try_from(u32::from_le_bytes(*len)).map_err(|_error| bad())?;
        let (head, mut rest) = rest.split_at_checked(len).ok_or_else(bad)?;
        let options: Options =
            serde_json::from_slice(head).map_err(|error| Failure::usage(format!("options: {error}")))?;
        let mut blobs = Vec::with_capacity(options.lens.len());
        for &len in &options.lens {
            let (blob, more) = rest.split_at_checked(len).ok_or_else(bad)?;
            blobs.push(blob);
            rest = more;
        }
        Ok(Self { options, blobs })
    }

    /// Returns the name of the operation.
    pub(crate) fn op(&self) -> &str {
        &self.options.op
    }

    /// Returns an argument.
    pub(crate) fn blob(&self, index: usize) -> Result<&'r [u8], Failure> {
        self.blobs.get(index).copied().ok_or_else(|| Failure::usage(format!("argument {index} is missing")))
    }

    /// Returns all arguments.
    #[cfg(any(feature = "schema", feature = "verify"))]
    pub(crate) fn blobs(&self) -> &[&'r [u8]] {
        &self.blobs
    }

    /// Returns the decoding rules to tolerate.
    pub(crate) fn rules(&self) -> Result<RuleSet, Failure> {
        self.options.allow.iter().try_fold(RuleSet::NONE, |rules, name| {
            let rule = profile::allowance(name).ok_or_else(|| Failure::usage(format!("unknown rule {name:?}")))?;
            Ok(rules.union(rule))
        })
    }

    pub(crate) fn now(&self) -> UnixTime {
        UnixTime(self.options.now)
    }
}

/// Writes a JSON response.
pub(crate) fn json<T: Serialize + ?Sized>(document: &T) -> Result<Response, Failure> {
    serde_json::to_vec(document).map(Response::Json).map_err(Failure::input)
}
