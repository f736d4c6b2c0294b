//! A file-based database: a directory with one file per principal and policy.
//!
//! ```text
//! [dbmodules]
//!  db_module_dir = /usr/lib/krb5/kdb
//!  main = {
//!   db_library = kdb_file
//!   directory = /var/lib/krb5kdc/realm
//!  }
//! ```
#![deny(unsafe_code)]

use std::ffi::CStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;

use tagwise_krb5_plugin::kdb::{DbEntry, Flags, IterFlags, Kdb, Policy, PolicyVisitor, Settings, Visitor};
use tagwise_krb5_plugin::view::{Context, DbEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, codes, krb5_plugin};

struct Files {
    directory: PathBuf,
}

fn failed(error: io::Error) -> Error {
    Error::new(error.raw_os_error().unwrap_or(libc::EIO), error.to_string())
}

fn missing() -> Error {
    codes::KRB5_KDB_NOENTRY.into()
}

impl Files {
    /// Returns the configured directory, or the temporary directory next to it, which is loaded and then promoted.
    fn of(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        let directory = PathBuf::from(settings.required(context, "directory")?);
        match settings.db_args().contains(&c"temporary") {
            true => Ok(Self { directory: directory.with_extension("temporary") }),
            false => Ok(Self { directory }),
        }
    }

    /// Returns the path of a record. The file name is the record's name in hexadecimal, because names can contain any bytes.
    fn path(&self, kind: &str, name: &[u8]) -> PathBuf {
        let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
        self.directory.join(kind).join(name)
    }

    fn read(&self, kind: &str, name: &[u8]) -> Result<Option<Vec<u8>>> {
        match fs::read(self.path(kind, name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Replaces a file atomically: readers see either the old or the new content.
    fn write(&self, kind: &str, name: &[u8], bytes: &[u8]) -> Result<()> {
        let new = self.directory.join(format!("new-{}", std::process::id()));
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&new, self.path(kind, name))?;
            File::open(self.directory.join(kind))?.sync_all()
        });
        written.map_err(failed)
    }

    fn delete(&self, kind: &str, name: &[u8]) -> Result<()> {
        fs::remove_file(self.path(kind, name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing(),
            _ => failed(error),
        })
    }

    /// Returns all records of a kind. No file is open and no lock is held while visitors see them.
    fn all(&self, kind: &str) -> Result<Vec<Vec<u8>>> {
        let mut paths: Vec<PathBuf> = fs::read_dir(self.directory.join(kind))
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(failed)?;
        paths.sort();
        paths.into_iter().map(|path| fs::read(path).map_err(failed)).collect()
    }
}

impl Kdb for Files {
    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        let files = Self::of(context, settings)?;
        fs::metadata(files.directory.join("principal")).map_err(failed)?;
        Ok(files)
    }

    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        let files = Self::of(context, settings)?;
        if settings.db_args().contains(&c"temporary") {
            let _ = fs::remove_dir_all(&files.directory);
        }
        for directory in ["", "principal", "policy"] {
            fs::create_dir(files.directory.join(directory)).map_err(failed)?;
        }
        Ok(files)
    }

    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        fs::remove_dir_all(Self::of(context, settings)?.directory).map_err(failed)
    }

    fn promote_db(&self, _: &Context<'_>, _: &Settings<'_>) -> Result<()> {
        let (live, former) = (self.directory.with_extension(""), self.directory.with_extension("former"));
        let moved = fs::rename(&live, &former).and_then(|()| fs::rename(&self.directory, &live));
        moved.and_then(|()| fs::remove_dir_all(former)).map_err(failed)
    }

    fn get_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>, _: Flags) -> Result<Option<DbEntry>> {
        let bytes = self.read("principal", name.to_string().as_bytes())?;
        bytes.map(|bytes| DbEntry::from_bytes(&bytes)).transpose()
    }

    fn put_principal(&self, _: &Context<'_>, entry: DbEntryRef<'_>, _: &[&CStr]) -> Result<()> {
        let name = entry.principal().ok_or_else(missing)?.to_string();
        self.write("principal", name.as_bytes(), &entry.to_bytes())
    }

    fn delete_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>) -> Result<()> {
        self.delete("principal", name.to_string().as_bytes())
    }

    fn iterate(&self, _: &Context<'_>, _: Option<&CStr>, _: IterFlags, visitor: &mut Visitor<'_>) -> Result<()> {
        self.all("principal")?.iter().try_for_each(|bytes| visitor(DbEntry::from_bytes(bytes)?))
    }

    fn create_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        match self.get_policy(context, &policy.name)? {
            Some(_) => Err(codes::KRB5_KDB_INUSE.into()),
            None => self.write("policy", policy.name.as_bytes(), &policy.to_bytes()),
        }
    }

    fn get_policy(&self, _: &Context<'_>, name: &CStr) -> Result<Option<Policy>> {
        self.read("policy", name.to_bytes())?.map(|bytes| Policy::from_bytes(&bytes)).transpose()
    }

    fn put_policy(&self, context: &Context<'_>, policy: &Policy) -> Result<()> {
        self.get_policy(context, &policy.name)?.ok_or_else(missing)?;
        self.write("policy", policy.name.as_bytes(), &policy.to_bytes())
    }

    fn iter_policy(&self, _: &Context<'_>, _: Option<&CStr>, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        self.all("policy")?.iter().try_for_each(|bytes| {
            visitor(&Policy::from_bytes(bytes)?);
            Ok(())
        })
    }

    fn delete_policy(&self, _: &Context<'_>, name: &CStr) -> Result<()> {
        self.delete("policy", name.to_bytes())
    }
}

krb5_plugin! { kdb => Files }
