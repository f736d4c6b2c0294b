//! The captured exchanges of the corpora, read in place.

use std::path::{Path, PathBuf};

use tagwise_codec::{Decode as _, encode};
use tagwise_krb5::messages::{ApReq, TgsReq};
use tagwise_krb5::{Ccache, Credential, Keytab};

use crate::row::Failure;

/// PA-TGS-REQ (RFC 4120 §5.2.7).
const PA_TGS_REQ: i32 = 1;

fn folder() -> PathBuf {
    let given = std::env::var_os("TAGWISE_CORPORA").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    given.unwrap_or_else(beside).join("kerberos/captures")
}

fn read(path: &str) -> Result<Vec<u8>, Failure> {
    let path = folder().join(path);
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// All messages of a kind, as file names have it.
pub(crate) fn messages(kind: &str) -> Result<Vec<Vec<u8>>, Failure> {
    if kind == "AP-REQ" {
        return requests_to_services();
    }
    let mut names: Vec<_> = std::fs::read_dir(folder().join("raw"))?.collect::<Result<_, _>>()?;
    names.sort_by_key(std::fs::DirEntry::path);
    let of_kind = names
        .iter()
        .filter(|name| name.file_name().to_string_lossy().ends_with(&format!("-{kind}.bin")));
    of_kind.map(|name| Ok(std::fs::read(name.path())?)).collect()
}

/// Those in the requests for tickets.
fn requests_to_services() -> Result<Vec<Vec<u8>>, Failure> {
    let mut found = Vec::new();
    for request in messages("TGS-REQ")? {
        let request = TgsReq::from_der(&request)?;
        for data in request.0.padata.iter().flat_map(|list| list.iter()) {
            let data = data?;
            if data.padata_type == PA_TGS_REQ {
                found.push(encode(&ApReq::from_der(data.padata_value.as_bytes())?)?);
            }
        }
    }
    Ok(found)
}

/// The keys of all principals.
pub(crate) fn keytab() -> Result<Keytab, Failure> {
    Ok(Keytab::from_bytes(&read("keys/all.keytab")?)?)
}

/// The last ticket of a cache.
pub(crate) fn ticket(cache: &str) -> Result<Credential, Failure> {
    let cache = Ccache::from_bytes(&read(&format!("ccache/{cache}"))?)?;
    let last = cache.tickets().last().ok_or("a cache without a ticket")?;
    Ok(last.clone())
}
