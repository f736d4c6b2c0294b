//! HTTP routes and their responses.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, EXPIRES, HeaderName, HeaderValue, LAST_MODIFIED, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};
use tagwise_codec::Decode;
use tagwise_codec::text::{base64, hex::Hex};
use tagwise_pkix::UnixTime;
use tagwise_pkix::build::Digest;
use tagwise_pkix::ocsp::{OcspRequest, OcspResponseStatus};
use tagwise_serve::http::{BodyError, RequestBody};

use super::{Access, Counters, Shared, now};
use crate::store::{CrlRecord, Series};
use crate::{Answer, Serial};

type Reply = Response<Full<Bytes>>;

const OCSP_REQUEST: &str = "application/ocsp-request";
const OCSP_RESPONSE: &str = "application/ocsp-response";
const CRL: &str = "application/pkix-crl";
const CERTIFICATE: &str = "application/pkix-cert";

/// A cache of the newest CRL of each series, refreshed at most once a second. The complete CRL has no series.
#[derive(Default)]
pub(super) struct CrlCache(Mutex<HashMap<Option<Series>, CachedCrl>>);

#[derive(Clone)]
struct CachedCrl {
    at: Instant,
    fresh: (UnixTime, UnixTime),
    body: Bytes,
    tag: String,
}

const CRL_AGE: Duration = Duration::from_secs(1);

/// The fields of an OCSP request in an access log.
#[derive(Default)]
struct Asked {
    ocsp: Option<OcspResponseStatus>,
    serials: Vec<Serial>,
}

/// Answers any HTTP request, and records it.
pub(super) async fn answer(shared: Arc<Shared>, request: Request<RequestBody>) -> Reply {
    let mut asked = Asked::default();
    let Some(log) = &shared.hooks.log else { return reply(&shared, request, &mut asked).await };
    let start = Instant::now();
    let peer = request.extensions().get::<SocketAddr>().copied();
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    let reply = reply(&shared, request, &mut asked).await;
    let size = reply.body().size_hint().exact().and_then(|size| usize::try_from(size).ok()).unwrap_or_default();
    let Asked { ocsp, serials } = asked;
    let (status, elapsed) = (reply.status().as_u16(), start.elapsed());
    log(&Access { at: now(), peer, method, path, status, size, ocsp, serials, elapsed });
    reply
}

/// Returns the serial numbers in an OCSP request, or none if it is malformed.
fn serials(request: &[u8]) -> Vec<Serial> {
    let Ok(request) = OcspRequest::from_der(request) else { return Vec::new() };
    let list = request.tbs_request.request_list.iter().map_while(Result::ok);
    list.take(MOST_LOGGED).map(|one| Serial::from_int(one.req_cert.serial_number)).collect()
}

/// The maximum number of serial numbers to log per request.
const MOST_LOGGED: usize = 32;

async fn reply(shared: &Arc<Shared>, request: Request<RequestBody>, asked: &mut Asked) -> Reply {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_read && let Some(series) = series_at(shared, request.uri().path()) {
        return crl(shared, series).await;
    }
    match (request.method(), path.as_str()) {
        (_, "ca") if is_read => {
            let responder = shared.responder();
            typed(CERTIFICATE, Bytes::copy_from_slice(responder.authority().certificate_der()))
        }
        (_, "" | "ocsp" | "ocsp/") if is_read => {
            told(StatusCode::NOT_FOUND, "Send an OCSP request, or get /crl or /ca.\n")
        }
        (&Method::GET | &Method::HEAD, path) => {
            let encoded = path.strip_prefix("ocsp/").unwrap_or(path);
            match decoded(encoded) {
                Some(der) => ocsp(shared, Bytes::from(der), true, asked).await,
                None if encoded.starts_with('M') => ocsp(shared, Bytes::new(), true, asked).await,
                None => told(StatusCode::NOT_FOUND, "Not found.\n"),
            }
        }
        (&Method::POST, "" | "ocsp" | "ocsp/") => {
            let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
            if kind.is_some_and(|kind| !is_type(kind, OCSP_REQUEST)) {
                return told(StatusCode::UNSUPPORTED_MEDIA_TYPE, "POST requires application/ocsp-request.\n");
            }
            match request.into_body().receive(shared.options.max_body, shared.options.read_timeout).await {
                Ok(body) => ocsp(shared, body, false, asked).await,
                Err(error) => {
                    let what = match error {
                        BodyError::Slow => "The body did not arrive in time.\n",
                        BodyError::TooLong => "The request is too long.\n",
                        BodyError::Broken => "The body is incomplete.\n",
                    };
                    closing(told(error.status(), what))
                }
            }
        }
        (&Method::POST, _) => told(StatusCode::NOT_FOUND, "Not found.\n"),
        _ => {
            let mut reply = told(StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD or POST.\n");
            reply.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            reply
        }
    }
}

/// Returns the series of the CRL at a path: `Some(None)` for the complete CRL, and `None` if the path is not that of a CRL.
pub(super) fn series_at(shared: &Shared, path: &str) -> Option<Option<Series>> {
    let short = path.trim_start_matches('/').strip_prefix("crl").map(|rest| rest.strip_prefix('/').unwrap_or(rest));
    let number = |text: &str| text.parse::<u16>().ok().filter(|number| number.to_string() == text);
    let found = match short {
        Some("") => Some(None),
        Some("delta") => Some(Some(Series::Delta)),
        Some("indirect") => Some(Some(Series::Indirect)),
        Some(rest) => match rest.strip_suffix("/delta") {
            Some(rest) => number(rest).map(|number| Some(Series::PartitionDelta(number))),
            None => number(rest).map(|number| Some(Series::Partition(number))),
        },
        None => None,
    };
    found.or_else(|| shared.responder().authority().series_at(path))
}

/// Compares media types case-insensitively, ignoring parameters (RFC 9110 §8.3.1).
fn is_type(value: &[u8], wanted: &str) -> bool {
    let plain = value.split(|octet| *octet == b';').next().unwrap_or_default();
    plain.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes())
}

/// Decodes the path of a GET request: percent-encoded base64 (RFC 6960 §A.1).
fn decoded(path: &str) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    let digit = |octet: u8| char::from(octet).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    while let Some(octet) = rest.next() {
        text.push(match octet {
            b'%' => digit(rest.next()?)? << 4 | digit(rest.next()?)?,
            octet => octet,
        });
    }
    base64::decode(&text).ok()
}

async fn ocsp(shared: &Arc<Shared>, request: Bytes, is_get: bool, asked: &mut Asked) -> Reply {
    if shared.hooks.log.is_some() {
        asked.serials = serials(&request);
    }
    let responder = shared.responder();
    let done = shared.pool.run(move |store| Ok(responder.answer(store, &request, now()))).await;
    let answer = match done {
        Ok(answer) => answer,
        Err(error) => {
            shared.report(&error);
            Counters::add(&shared.counters.failed, 1);
            return told(StatusCode::INTERNAL_SERVER_ERROR, "Internal error.\n");
        }
    };
    asked.ocsp = Some(answer.status);
    let counter = match answer.status {
        OcspResponseStatus::Successful => &shared.counters.answered,
        OcspResponseStatus::InternalError | OcspResponseStatus::TryLater => {
            answer.error.iter().for_each(|error| shared.report(error));
            &shared.counters.failed
        }
        _ => &shared.counters.refused,
    };
    Counters::add(counter, 1);
    let Answer { der, fresh, .. } = answer;
    let fresh = fresh.filter(|_| is_get);
    let mut reply = typed(OCSP_RESPONSE, Bytes::from(der));
    cached(&mut reply, fresh);
    reply
}

async fn crl(shared: &Arc<Shared>, series: Option<Series>) -> Reply {
    let known = shared.crl.0.lock().unwrap_or_else(PoisonError::into_inner).get(&series).cloned();
    let found = match known.filter(|known| known.at.elapsed() < CRL_AGE) {
        Some(known) => known,
        None => {
            let of = shared.responder().authority().id();
            let read = shared.pool.run(move |store| match series {
                None => store.crl(of, None),
                Some(series) => Ok(store.series_crl(of, series)?.map(|found| found.crl)),
            });
            match read.await {
                Ok(Some(CrlRecord { this_update, next_update, der, .. })) => {
                    let tag = tag(&der);
                    let fresh = (this_update, next_update);
                    let found = CachedCrl { at: Instant::now(), fresh, body: Bytes::from(der), tag };
                    // Only series that exist are kept, so that a CA's partitions limit the number.
                    let mut kept = shared.crl.0.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.insert(series, found.clone());
                    found
                }
                Ok(None) => return told(StatusCode::NOT_FOUND, "No CRL has been issued yet.\n"),
                Err(error) => {
                    shared.report(&error);
                    return told(StatusCode::INTERNAL_SERVER_ERROR, "Internal error.\n");
                }
            }
        }
    };
    Counters::add(&shared.counters.crls, 1);
    let mut reply = tagged(CRL, found.body, &found.tag);
    cached(&mut reply, Some(found.fresh));
    reply
}

/// Sets the cache headers (RFC 5019 §6.2). Responses that must not be cached get `no-store`.
fn cached(reply: &mut Reply, fresh: Option<(UnixTime, UnixTime)>) {
    let headers = reply.headers_mut();
    let Some((from, to)) = fresh.filter(|(_, to)| *to > now()) else {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return;
    };
    // At most an hour: a revocation takes effect here at once, and should soon do so elsewhere.
    let age = to.since(now()).unwrap_or_default().as_secs().min(3600);
    let mut set = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    };
    set(CACHE_CONTROL, format!("max-age={age}, public, no-transform, must-revalidate"));
    set(LAST_MODIFIED, date(from));
    set(EXPIRES, date(to));
}

fn date(unix: UnixTime) -> String {
    // RFC 9110 §5.6.7 uses four-digit years, and the formatter fails for other years and for times before 1970.
    let written = unix.clamp(UnixTime::EPOCH, UnixTime(253_402_300_799));
    httpdate::fmt_http_date(SystemTime::try_from(written).unwrap_or(SystemTime::UNIX_EPOCH))
}

fn typed(kind: &'static str, body: Bytes) -> Reply {
    let tag = tag(&body);
    tagged(kind, body, &tag)
}

/// Computes the ETag. RFC 5019 §6.2 suggests the SHA-1 hash of the response, but allows others.
fn tag(body: &[u8]) -> String {
    let digest = Digest::Sha256.of(body);
    format!("\"{}\"", Hex(digest.get(..16).unwrap_or(&digest)))
}

fn tagged(kind: &'static str, body: Bytes, tag: &str) -> Reply {
    let mut reply = Response::new(Full::new(body));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    reply.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        reply.headers_mut().insert(ETAG, tag);
    }
    reply
}

/// Creates a plain-text reply for people who open a URL in a browser.
fn told(status: StatusCode, text: &'static str) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

/// Closes the connection after a reply. Otherwise, the unread body could be mistaken for the next request.
fn closing(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(hyper::header::CONNECTION, HeaderValue::from_static("close"));
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded() {
        assert_eq!(decoded("MAA%3D").unwrap(), [0x30, 0]);
        assert_eq!(decoded("MAA=").unwrap(), [0x30, 0]);
        assert_eq!(decoded("%2F%2b8="), base64::decode(b"/+8=").ok());
        for path in ["M", "%", "%4", "%GG", "MA A=", "M\u{e4}"] {
            assert_eq!(decoded(path), None, "{path}");
        }
    }

    #[test]
    fn types_are_compared() {
        assert!(is_type(b"Application/OCSP-Request ; x=y", OCSP_REQUEST));
        assert!(!is_type(b"text/plain", OCSP_REQUEST) && !is_type(b"", OCSP_REQUEST));
    }
}
