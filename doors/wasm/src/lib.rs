//! The WebAssembly module of the npm package `@tagwise/tagwise`.
//!
//! [`call`] is the whole interface: a request is a JSON object followed by bytes, and a response is a [`Response`]. The module has no
//! imports, so it can't reach the network, files, the clock or random numbers. Requests contain the time. Exported functions only copy
//! requests and responses, see [`memory`].
//!
//! ```
//! let response = tagwise_wasm::call(&tagwise_wasm::request(r#"{"op":"parse"}"#, &[b"300a300506032b6570030100"]));
//! assert!(response.is_ok());
//! assert!(std::str::from_utf8(response.bytes()).unwrap().contains("\"kind\":\"public-key\""));
//! ```

#[cfg(feature = "verify")]
mod backend;
mod error;
pub mod memory;
#[cfg(all(feature = "full", feature = "verify"))]
mod open;
mod read;
mod request;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "verify")]
mod verify;
#[cfg(feature = "verify")]
mod web_crypto;

pub use request::request;

use error::Failure;
use request::Request;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// A JSON document.
    Json(Vec<u8>),
    /// An error as a JSON object with `message`, `code` and, where known, `path`, `offset`, `clause` and `rule`.
    Error(Vec<u8>),
    /// Bytes, such as an encoding.
    Bytes(Vec<u8>),
}

impl Response {
    /// Returns whether the request succeeded.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        !matches!(self, Self::Error(_))
    }

    /// Returns the bytes of the JSON document or the encoding.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Json(bytes) | Self::Error(bytes) | Self::Bytes(bytes) => bytes,
        }
    }

    /// Returns the number that stands for the kind of response in JavaScript.
    const fn number(&self) -> u32 {
        match self {
            Self::Json(_) => 0,
            Self::Error(_) => 1,
            Self::Bytes(_) => 2,
        }
    }
}

/// Answers a request.
#[must_use]
pub fn call(input: &[u8]) -> Response {
    let answer = Request::read(input).and_then(|request| dispatch(&request));
    answer.unwrap_or_else(|failure| Response::Error(failure.json()))
}

fn dispatch(request: &Request<'_>) -> Result<Response, Failure> {
    match request.op() {
        "version" => request::json(&serde_json::json!({ "version": env!("CARGO_PKG_VERSION") })),
        "parse" => read::parse(request),
        "outline" => read::outline(request),
        "bytes" => read::bytes(request),
        "explain" => read::explain(request),
        "get" => read::get(request),
        "lint" => read::lint(request),
        "diff" => read::diff(request),
        #[cfg(feature = "verify")]
        "verify" => verify::verify(request),
        #[cfg(all(feature = "full", feature = "verify"))]
        "open" => open::open(request),
        #[cfg(feature = "schema")]
        "compile" => schema::compile(request),
        #[cfg(feature = "schema")]
        "decode" => schema::decode(request),
        #[cfg(feature = "schema")]
        "encode" => schema::encode(request),
        #[cfg(feature = "schema")]
        "free" => schema::free(request),
        op => Err(Failure::usage(format!("unknown operation {op:?}"))),
    }
}
