//! Fetching from the URLs in certificates: issuers, CRLs and OCSP responses, over HTTP.
//!
//! Fetched data is evidence like that in files: it is verified, not trusted. The URLs are an attacker's choice, so requests
//! are limited in number, time and size, and in what they can reach: only `http`, only port 80 or ports from 1024, no redirects,
//! and no loopback, link-local or multicast addresses.
//!
//! RFC 5280 §8 warns of `https` in certificates: to verify the server's certificate, its own URLs may have to be fetched, and so
//! on. `https` therefore requires anchors for servers (`--fetch-trust`), and nothing is fetched to verify a server: it must send all
//! intermediate certificates, and only a stapled OCSP response counts.

mod cache;
mod evidence;
mod http;
mod issuers;
mod ocsp;
mod status;
mod tls;
mod url;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use tagwise_pkix::UnixTime;

use cache::Cache;
pub(crate) use http::{Reach, Web};
pub(crate) use ocsp::{Asked, request, responders};
pub(crate) use status::{Revocation, judge, policy};
pub(crate) use tls::Tls;
pub(crate) use url::is_supported;

use crate::shared::context::Context;
use crate::shared::moment::now;
use crate::shared::output::Failure;
use crate::shared::trust::Origin;

/// The most URLs for one purpose that are tried, and the most distribution points.
const URLS: usize = 4;

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FetchArgs {
    /// Fetch missing issuers, and CRLs and OCSP responses, over HTTP from the URLs in certificates
    #[arg(long, help_heading = "Fetching")]
    pub(crate) fetch: bool,
    /// Keep what is fetched in this folder [default: tagwise/fetch in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR", requires = "fetch", help_heading = "Fetching")]
    fetch_cache: Option<PathBuf>,
    /// Do not keep what is fetched
    #[arg(long, requires = "fetch", conflicts_with = "fetch_cache", help_heading = "Fetching")]
    no_fetch_cache: bool,
    /// Also fetch from loopback addresses
    #[arg(long, requires = "fetch", help_heading = "Fetching")]
    fetch_local: bool,
    /// Also fetch from https URLs, and verify the servers with these anchors: system, mozilla, or a file or folder; may be repeated
    #[arg(long, value_name = "ANCHORS", requires = "fetch", help_heading = "Fetching")]
    fetch_trust: Vec<Origin>,
}

/// The kind of fetched data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum What {
    Issuer,
    Crl,
    DeltaCrl,
    Ocsp,
}

impl What {
    const fn words(self) -> &'static str {
        match self {
            Self::Issuer => "issuer",
            Self::Crl => "CRL",
            Self::DeltaCrl => "delta CRL",
            Self::Ocsp => "OCSP response",
        }
    }
}

/// The origin of fetched data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Source {
    Network,
    Cache,
    Nowhere,
}

/// A line of the report on what was fetched.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Fetched {
    url: String,
    kind: What,
    /// The subject of the certificate that names the URL.
    certificate: String,
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Fetched {
    /// The label and the text of the line.
    pub(crate) fn line(&self) -> (&'static str, String) {
        let Self { url, kind, certificate, .. } = self;
        let of = format!("{} for {certificate}", kind.words());
        match (&self.error, self.source) {
            (Some(error), _) => ("Not fetched", format!("{url}: {error} ({of})")),
            (None, Source::Cache) => ("From cache", format!("{url} ({of}, {} bytes)", self.size.unwrap_or_default())),
            (None, _) => ("Fetched", format!("{url} ({of}, {} bytes)", self.size.unwrap_or_default())),
        }
    }

    /// Returns the reason why it could not be fetched, with the URL.
    pub(crate) fn failure(&self) -> Option<String> {
        self.error.as_ref().map(|error| format!("{}: {error}", self.url))
    }

    /// Returns whether an issuer could not be fetched.
    pub(crate) fn is_missing_issuer(&self) -> bool {
        self.kind == What::Issuer && self.error.is_some()
    }
}

/// Fetches what verification lacks, and records it.
pub(crate) struct Fetcher {
    web: Web,
    reach: Reach,
    cache: Cache,
    now: UnixTime,
    /// Set if that is the present, not a time that the user chose.
    is_live: bool,
    log: Vec<Fetched>,
    /// The answers of this run, by the keys of the cache: nothing is requested twice, and no failing server is waited for twice.
    known: HashMap<String, Result<Vec<u8>, String>>,
}

impl FetchArgs {
    /// Creates the fetcher, if fetching is enabled. `timeout` is for each request, and `time` is when evidence must be current, if
    /// the user chose it.
    ///
    /// # Errors
    /// Returns an error if the cache folder cannot be created.
    pub(crate) fn fetcher(
        &self,
        context: &Context,
        timeout: Duration,
        time: Option<UnixTime>,
    ) -> Result<Option<Fetcher>, Failure> {
        if !self.fetch {
            return Ok(None);
        }
        let cache = match (&self.fetch_cache, self.no_fetch_cache) {
            (_, true) => Cache::none(),
            (Some(folder), _) => Cache::at(folder)?,
            (None, _) => Cache::of_user(),
        };
        let (now, is_live) = (time.unwrap_or_else(now), time.is_none());
        let reach = if self.fetch_local { Reach::Everywhere } else { Reach::NotLocal };
        Ok(Some(Fetcher {
            web: Web::new(timeout, reach)?.trusting(Tls::new(context, &self.fetch_trust)?),
            reach,
            cache,
            now,
            is_live,
            log: Vec::new(),
            known: HashMap::new(),
        }))
    }
}

impl Fetcher {
    /// Takes the record of what was fetched since the last call.
    pub(crate) fn take_log(&mut self) -> Vec<Fetched> {
        std::mem::take(&mut self.log)
    }

    /// Returns what `fetch` makes of the first URL for which it succeeds. URLs with unsupported schemes are recorded, but don't count
    /// among those that are tried.
    fn first<T>(
        &mut self,
        what: What,
        urls: &[String],
        certificate: &str,
        mut fetch: impl FnMut(&mut Self, &str) -> Option<T>,
    ) -> Option<T> {
        let (mut seen, mut untried) = (HashSet::new(), Vec::new());
        let (mut supported, mut others) = (0, 0);
        for url in urls.iter().filter(|url| seen.insert(*url)) {
            let count = if self.web.supports(url) { &mut supported } else { &mut others };
            if *count >= URLS {
                untried.push(url);
                continue;
            }
            *count += 1;
            if let Some(found) = fetch(self, url) {
                return Some(found);
            }
        }
        self.skipped(what, &untried, certificate);
        None
    }

    /// Records URLs that were not tried, by the first of them.
    fn skipped(&mut self, what: What, urls: &[&String], certificate: &str) {
        let Some(first) = urls.first() else { return };
        let words = if urls.len() == 1 { "URL was" } else { "URLs were" };
        self.log.push(Fetched {
            url: (*first).clone(),
            kind: what,
            certificate: certificate.to_owned(),
            source: Source::Nowhere,
            size: None,
            error: Some(format!("{} more {words} not tried: at most {URLS} are", urls.len())),
        });
    }

    /// Records that the issuers of more certificates are not looked for, by the first of them.
    fn too_many(&mut self, urls: &[String], certificate: String, most: usize) {
        self.log.push(Fetched {
            url: urls.first().cloned().unwrap_or_else(|| "no URL".to_owned()),
            kind: What::Issuer,
            certificate,
            source: Source::Nowhere,
            size: None,
            error: Some(format!("not tried: issuers are looked for of at most {most} certificates")),
        });
    }

    /// Fetches something that `read` can use: from the cache if `is_current`, otherwise from the network. Records it with the subject of
    /// the certificate that names the URL, and returns what `read` made of it.
    fn fetch<T>(
        &mut self,
        what: What,
        url: &str,
        body: Option<&[u8]>,
        certificate: String,
        read: impl Fn(&[u8]) -> Result<T, String>,
        is_current: impl Fn(&[u8]) -> bool,
    ) -> Option<T> {
        let mut entry =
            Fetched { url: url.to_owned(), kind: what, certificate, source: Source::Nowhere, size: None, error: None };
        // What came from a loopback address must not be used where these may not be reached.
        let reach = if self.reach == Reach::Everywhere { "local " } else { "" };
        let key = Cache::key(&format!("1 {reach}{}", what.words()), url, body.unwrap_or_default());
        let known = match self.known.get(&key) {
            Some(known) => Some(known.clone()),
            None => self.cache.get(&key).filter(|octets| is_current(octets) && read(octets).is_ok()).map(Ok),
        };
        let (source, answer) = match known {
            Some(answer) => (Source::Cache, answer),
            None => {
                let media = body.map(|body| (ocsp::MEDIA, body));
                let answer = self.web.request(url, media);
                self.known.insert(key.clone(), answer.clone());
                (Source::Network, answer)
            }
        };
        let done = answer.and_then(|octets| Ok((read(&octets)?, octets)));
        let value = match done {
            Ok((value, octets)) => {
                (entry.source, entry.size) = (source, Some(octets.len()));
                if source == Source::Network {
                    self.cache.put(&key, &octets);
                }
                Some(value)
            }
            Err(error) => {
                entry.error = Some(error);
                None
            }
        };
        self.log.push(entry);
        value
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    /// The URLs that are tried, and the report, if the URL at an index succeeds.
    fn tried(urls: &[&str], good: Option<&str>) -> (Vec<String>, Vec<(String, Option<String>)>) {
        let args = FetchArgs { fetch: true, no_fetch_cache: true, ..FetchArgs::default() };
        let mut fetcher = args.fetcher(&Context::plain(), Duration::from_secs(1), None).unwrap().unwrap();
        let urls: Vec<String> = urls.iter().map(|url| (*url).to_owned()).collect();
        let mut tried = Vec::new();
        let found = fetcher.first(What::Crl, &urls, "CN=a", |_, url| {
            tried.push(url.to_owned());
            (Some(url) == good).then_some(())
        });
        assert_eq!(found.is_some(), good.is_some());
        (tried, fetcher.take_log().into_iter().map(|entry| (entry.url, entry.error)).collect())
    }

    #[test]
    fn urls_that_are_not_tried_are_reported() {
        let all = ["http://a/", "HTTP://b/", "http://c/", "http://d/", "http://e/", "http://f/"];
        let (found, report) = tried(&all, None);
        assert_eq!(found, all[..4]);
        assert_eq!(report, [("http://e/".to_owned(), Some("2 more URLs were not tried: at most 4 are".to_owned()))]);
        let (_, report) = tried(&all[..5], None);
        assert_eq!(report, [("http://e/".to_owned(), Some("1 more URL was not tried: at most 4 are".to_owned()))]);
        assert_eq!(tried(&all[..4], None).1, []);
        assert_eq!(
            tried(&all, Some("http://c/")),
            (all[..3].iter().map(|url| (*url).to_owned()).collect(), Vec::new())
        );
    }

    #[test]
    fn unsupported_schemes_and_repeated_urls_do_not_count() {
        let urls = [
            "ldap://a/",
            "ldap://b/",
            "https://c/",
            "ldap:///d",
            "http://e/",
            "http://e/",
            "http://f/",
            "http://g/",
            "http://h/",
        ];
        let (found, report) = tried(&urls, Some("http://h/"));
        assert_eq!((found.len(), report.len()), (8, 0), "{found:?}");
        let many: Vec<String> = (0..6).map(|number| format!("ldap://{number}/")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain(["http://h/"]).collect();
        assert_eq!(tried(&many, Some("http://h/")).0.len(), 5);
        let (_, report) = tried(&many, None);
        assert_eq!(report, [("ldap://4/".to_owned(), Some("2 more URLs were not tried: at most 4 are".to_owned()))]);
    }
}
