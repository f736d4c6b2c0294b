//! Caches in a KCM service (Heimdal's or SSSD's), over its UNIX socket.
//!
//! A request consists of a length, the version 2.0, an operation, and its parameters. A response consists of a length, a
//! transport code, an operation code, and values. Names are null-terminated. Principals and credentials are encoded as in
//! version 4 files.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::{CacheError, Settings, Store};
use crate::bin::{Cursor, Order};
use crate::{Ccache, Credential, FileError, Principal};

/// The maximum size of a response, in bytes.
const MAX_ANSWER: u32 = 10 << 20;
/// The timeout for reading from and writing to the service.
const WAIT: Duration = Duration::from_secs(30);
/// Error codes for a cache or next cache that does not exist: `KRB5_FCC_NOFILE`, `KRB5_CC_NOTFOUND`, `KRB5_CC_END`.
const NOT_THERE: &[i32] = &[-1_765_328_189, -1_765_328_243, -1_765_328_242];

#[derive(Clone, Copy, Debug)]
enum Operation {
    GenNew = 3,
    Initialize = 4,
    Destroy = 5,
    Store = 6,
    GetPrincipal = 8,
    GetCredentials = 9,
    GetCredential = 10,
    GetCaches = 18,
    GetCache = 19,
    GetDefault = 20,
    SetDefault = 21,
    GetOffset = 22,
    SetOffset = 23,
}

/// A credential cache held by the KCM service.
#[derive(Debug)]
pub(super) struct Kcm {
    key: String,
    settings: Settings,
}

/// A connection to the KCM service.
struct Service {
    stream: UnixStream,
    /// The cache's name, for error messages.
    name: String,
}

impl Service {
    fn connect(name: String, settings: &Settings) -> Result<Self, CacheError> {
        let Some(socket) = &settings.kcm_socket else {
            return Err(CacheError::Name(format!("{name}: no KCM service is configured (kcm_socket)")));
        };
        let system = |error: std::io::Error| {
            let text = format!("{}: {error}", socket.display());
            CacheError::System(name.clone(), std::io::Error::new(error.kind(), text))
        };
        let stream = UnixStream::connect(socket).map_err(system)?;
        stream.set_read_timeout(Some(WAIT)).map_err(system)?;
        stream.set_write_timeout(Some(WAIT)).map_err(system)?;
        Ok(Self { stream, name })
    }

    fn said(&self, text: impl Into<String>) -> CacheError {
        CacheError::Service(self.name.clone(), text.into())
    }

    /// Calls an operation and returns the response. Returns `None` if the requested object does not exist.
    fn call(&mut self, operation: Operation, parameters: &[&[u8]]) -> Result<Option<Vec<u8>>, CacheError> {
        let mut request = vec![2, 0];
        request.extend((operation as u16).to_be_bytes());
        parameters.iter().for_each(|parameter| request.extend(*parameter));
        let len = u32::try_from(request.len()).ok().ok_or_else(|| self.said("the request is too long"))?;
        let answer = self.exchange(&[&len.to_be_bytes()[..], &request].concat());
        let (code, answer) = answer.map_err(|error| CacheError::System(self.name.clone(), error))?;
        let (code, answer) = match (code, answer.split_first_chunk::<4>()) {
            (0, Some((code, rest))) => (i32::from_be_bytes(*code), rest),
            (0, None) => return Err(self.said("the reply has no status code")),
            (code, _) => (code, &[][..]),
        };
        match code {
            0 => Ok(Some(answer.to_vec())),
            code if NOT_THERE.contains(&code) => Ok(None),
            code => Err(self.said(format!("{operation:?} failed with code {code}"))),
        }
    }

    fn exchange(&mut self, request: &[u8]) -> std::io::Result<(i32, Vec<u8>)> {
        self.stream.write_all(request)?;
        let (mut len, mut code) = ([0; 4], [0; 4]);
        self.stream.read_exact(&mut len)?;
        self.stream.read_exact(&mut code)?;
        let (len, code) = (u32::from_be_bytes(len), i32::from_be_bytes(code));
        if len > MAX_ANSWER {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "the reply is too long"));
        }
        let mut answer = Vec::new();
        if code == 0 {
            (&self.stream).take(u64::from(len)).read_to_end(&mut answer)?;
            if answer.len() != usize::try_from(len).unwrap_or(usize::MAX) {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok((code, answer))
    }

    /// Calls an operation that returns a name.
    fn named(&mut self, operation: Operation, parameters: &[&[u8]]) -> Result<Option<String>, CacheError> {
        let Some(answer) = self.call(operation, parameters)? else { return Ok(None) };
        let name = answer.strip_suffix(b"\0").and_then(|name| core::str::from_utf8(name).ok());
        match name.filter(|name| !name.contains('\0')) {
            Some(name) => Ok(Some(name.to_owned())),
            None => Err(self.said("expected one zero-terminated name")),
        }
    }

    /// Calls an operation that returns identifiers of 16 bytes.
    fn identifiers(&mut self, operation: Operation, parameters: &[&[u8]]) -> Result<Vec<[u8; 16]>, CacheError> {
        let answer = self.call(operation, parameters)?.unwrap_or_default();
        let (identifiers, rest) = answer.as_chunks::<16>();
        match rest.is_empty() {
            true => Ok(identifiers.to_vec()),
            false => Err(self.said("expected identifiers of 16 bytes each")),
        }
    }
}

/// Resolves a name to its cache, or to the default cache.
pub(super) fn resolve(rest: &str, settings: &Settings) -> Result<Kcm, CacheError> {
    let key = match rest {
        "" => {
            let mut service = Service::connect("KCM:".to_owned(), settings)?;
            let found = service.named(Operation::GetDefault, &[])?;
            found.ok_or_else(|| CacheError::Missing("KCM:".to_owned()))?
        }
        rest if rest.contains('\0') => {
            return Err(CacheError::Name("KCM: a cache name must not contain a zero byte".to_owned()));
        }
        rest => rest.to_owned(),
    };
    Ok(Kcm { key, settings: settings.clone() })
}

/// Lists the service's non-empty caches, the default one first.
pub(super) fn list(settings: &Settings) -> Result<Vec<Kcm>, CacheError> {
    let mut service = Service::connect("KCM:".to_owned(), settings)?;
    let primary = service.named(Operation::GetDefault, &[])?;
    let mut names: Vec<String> = Vec::new();
    for identifier in service.identifiers(Operation::GetCaches, &[])? {
        // A cache that was removed in the meantime is skipped.
        names.extend(service.named(Operation::GetCache, &[&identifier])?);
    }
    names.sort_by_key(|name| (Some(name) != primary.as_ref(), name.clone()));
    names.dedup();
    let mut caches = Vec::new();
    for key in names {
        let terminated = [key.as_bytes(), b"\0"].concat();
        if service.call(Operation::GetPrincipal, &[&terminated])?.is_some_and(|answer| !answer.is_empty()) {
            caches.push(Kcm { key, settings: settings.clone() });
        }
    }
    Ok(caches)
}

/// Returns a cache with an unused name, which the service chooses.
pub(super) fn unused(settings: &Settings) -> Result<Kcm, CacheError> {
    let mut service = Service::connect("KCM:".to_owned(), settings)?;
    let key = service.named(Operation::GenNew, &[])?.ok_or_else(|| service.said("the service returned no name"))?;
    Ok(Kcm { key, settings: settings.clone() })
}

impl Kcm {
    fn service(&self) -> Result<Service, CacheError> {
        Service::connect(self.name(), &self.settings)
    }

    fn terminated(&self) -> Vec<u8> {
        [self.key.as_bytes(), b"\0"].concat()
    }

    fn missing(&self) -> CacheError {
        CacheError::Missing(self.name())
    }

    fn malformed(&self, error: FileError) -> CacheError {
        CacheError::Malformed(self.name(), error)
    }

    fn put(&self, service: &mut Service, credential: &Credential) -> Result<(), CacheError> {
        let too_long = || self.malformed(FileError::new(0, "the credential is too long"));
        let octets = credential.to_bytes(4).ok_or_else(too_long)?;
        let done = service.call(Operation::Store, &[&self.terminated(), &octets])?;
        done.map(drop).ok_or_else(|| self.missing())
    }
}

impl Store for Kcm {
    fn name(&self) -> String {
        format!("KCM:{}", self.key)
    }

    fn read(&self) -> Result<Ccache, CacheError> {
        let (mut service, key) = (self.service()?, self.terminated());
        // For a missing cache, Heimdal's service reports that it has no principal.
        let answer = service.call(Operation::GetPrincipal, &[&key])?.filter(|answer| !answer.is_empty());
        let answer = answer.ok_or_else(|| self.missing())?;
        let principal = Principal::from_bytes(&answer).map_err(|error| self.malformed(error))?;
        let mut credentials = Vec::new();
        for identifier in service.identifiers(Operation::GetCredentials, &[&key])? {
            if let Some(answer) = service.call(Operation::GetCredential, &[&key, &identifier])? {
                credentials.push(Credential::from_bytes(&answer).map_err(|error| self.malformed(error))?);
            }
        }
        let offset = service.call(Operation::GetOffset, &[&key]).ok().flatten();
        let offset =
            offset.and_then(|answer| Cursor::new(&answer, Order::Big).i32().ok()).filter(|offset| *offset != 0);
        Ok(Ccache::from_parts(principal, credentials, offset.map(|seconds| (seconds, 0))))
    }

    fn write(&self, content: &Ccache) -> Result<(), CacheError> {
        let (mut service, key) = (self.service()?, self.terminated());
        let too_long = || self.malformed(FileError::new(0, "the principal is too long"));
        let principal = content.principal().to_bytes().ok_or_else(too_long)?;
        service.call(Operation::Initialize, &[&key, &principal])?.ok_or_else(|| self.missing())?;
        let mut credentials = content.entries().iter();
        if let Err(error) = credentials.try_for_each(|credential| self.put(&mut service, credential)) {
            // A part of the credentials is none.
            let _ = service.call(Operation::Destroy, &[&key]);
            return Err(error);
        }
        if let Some((seconds, _)) = content.time_offset() {
            // A service that does not support the offset may reject it.
            let _ = service.call(Operation::SetOffset, &[&key, &seconds.to_be_bytes()]);
        }
        Ok(())
    }

    fn add(&self, credential: &Credential) -> Result<(), CacheError> {
        self.put(&mut self.service()?, credential)
    }

    fn destroy(&self) -> Result<(), CacheError> {
        let mut service = self.service()?;
        // Heimdal's service does not report the removal of a missing cache.
        let there = service.call(Operation::GetPrincipal, &[&self.terminated()])?;
        there.filter(|answer| !answer.is_empty()).ok_or_else(|| self.missing())?;
        service.call(Operation::Destroy, &[&self.terminated()])?.map(drop).ok_or_else(|| self.missing())
    }

    fn switch(&self) -> Result<(), CacheError> {
        let done = self.service()?.call(Operation::SetDefault, &[&self.terminated()])?;
        done.map(drop).ok_or_else(|| self.missing())
    }
}
