//! The ASN.1 modules passed to a command, and the type to use.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tagwise_codec::value::Dynamic;
use tagwise_codegen::{Error, module_files};
use tagwise_pkix::name::visible;
use tagwise_schema::{Departure, Limits, Options};
use tagwise_tables::{Name, NameError, Schema, Source};

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// The maximum number of types to list when a type must be chosen.
const LISTED: usize = 20;

/// The default limit on the size of a schema, in mebibytes.
const DEFAULT_MIB: u64 = Limits::DEFAULT.bytes >> 20;

/// The options of commands that compile ASN.1 modules.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Let an ASN.1 schema take this many mebibytes of memory and work, besides 1,024 bytes for each byte of its text
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB, value_parser = clap::value_parser!(u64).range(1..=65536))]
    max_schema: u64,
    /// Take ASN.1 modules that depart from X.680 in these ways, with a warning: unexported-import, undefined-import,
    /// undefined-export, underscore, time-text, extra-comma, missing-comma, module-name, inline-relation
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    allow_schema: Vec<Departure>,
}

impl SchemaArgs {
    /// Returns the limits for compiling schemas.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::DEFAULT;
        limits.bytes = self.max_schema << 20;
        limits
    }

    /// Returns the limits for compiling schemas, and the tolerated deviations.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::within(self.limits());
        options.allow = self.allow_schema.iter().copied().collect();
        options
    }
}

/// Compiles the modules in files and, recursively, in folders.
pub(crate) fn compile(context: &Context, paths: &[PathBuf], options: &Options) -> Result<Schema, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        for file in files(path)? {
            let octets = context.load(&file).map_err(|error| Failure::file(&file, "read", &error))?;
            sources.push(Source::from_bytes(&file.display().to_string(), &octets));
        }
    }
    Schema::compile_with(sources, options).map_err(|error| {
        // Each line by itself: a module may hold anything.
        let lines: Vec<String> = error.to_string().lines().map(|line| visible(&line).to_string()).collect();
        Failure::negative(format!("unusable schema\n{}", lines.join("\n")))
    })
}

/// Returns the files that a path denotes: the file itself, or the modules in a folder and its subfolders.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = module_files(path).map_err(|error| match error {
        Error::Io(path, error) => Failure::file(&path, "read", &error),
        error => Failure::usage(visible(&error).to_string()),
    })?;
    if files.is_empty() {
        return Err(Failure::usage(format!("{}: the folder has no .asn1 or .asn files", name_of(path))));
    }
    Ok(files)
}

/// Returns the named type or, if no name is given, the only type that no other type refers to.
pub(crate) fn ty<'s>(schema: &'s Schema, asked: Option<&str>) -> Result<(String, Dynamic<'s>), Failure> {
    let name = match asked {
        Some(name) => name.to_owned(),
        None => {
            let mut top = schema.names().iter().filter(|name| name.top);
            match (top.next(), top.next(), schema.names()) {
                // The only one is meant, whatever refers to it.
                (Some(one), None, _) | (None, None, [one]) => format!("{}.{}", one.module, one.name),
                _ => return Err(Failure::usage(format!("give --type NAME{}", listed(schema)))),
            }
        }
    };
    match schema.ty(&name) {
        Ok(ty) => Ok((name, ty)),
        Err(error @ NameError::Unknown { near: None }) => {
            Err(Failure::usage(format!("{}: {error}{}", visible(&name), listed(schema))))
        }
        Err(error) => Err(Failure::usage(format!("{}: {error}", visible(&name)))),
    }
}

/// Like [`ty`], for values of a document that names their type.
pub(crate) fn ty_of<'s>(
    schema: &'s Schema,
    asked: Option<&str>,
    own: Option<&str>,
) -> Result<(String, Dynamic<'s>), Failure> {
    let found = ty(schema, asked.or(own))?;
    if let Some(own) = own
        && !std::ptr::eq(ty(schema, Some(own))?.1.ty(), found.1.ty())
    {
        let (own, asked) = (visible(own), visible(&found.0));
        return Err(Failure::usage(format!("the document has values of the type {own}, but --type is {asked}")));
    }
    Ok(found)
}

/// Returns notes about the constraints of a type, and of the types in it, that are not enforced.
pub(crate) fn unchecked(schema: &Schema, name: &str) -> Vec<String> {
    let found = schema.unchecked_in(name).unwrap_or_default();
    found.into_iter().map(|one| format!("not checked: {one}")).collect()
}

/// Lists the types to which no other type refers, or else all types. Names that several modules define include the module.
fn listed(schema: &Schema) -> String {
    let names = schema.names();
    let mut definitions: HashMap<&str, usize> = HashMap::new();
    names.iter().for_each(|name| *definitions.entry(&name.name).or_default() += 1);
    let shown = |name: &Name| match definitions.get(&*name.name) {
        Some(2..) => format!("{}.{}", name.module, name.name),
        _ => name.name.clone(),
    };
    let top: Vec<String> = names.iter().filter(|name| name.top).map(shown).collect();
    let names = if top.is_empty() { names.iter().map(shown).collect() } else { top };
    let more = names.len().checked_sub(LISTED).filter(|more| *more > 0);
    let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
    match names.as_slice() {
        [] => "; the schema has no types".to_owned(),
        names => format!(
            "; available: {}{more}",
            names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Reads the texts of files. A folder denotes all `.asn1` and `.asn` files in it, sorted by name.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(crate) fn sources(context: &Context, paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        for file in files(path)? {
            let octets = context.load(&file).map_err(|error| Failure::file(&file, "read", &error))?;
            sources.push(Source::from_bytes(&name_of(&file), &octets));
        }
    }
    Ok(sources)
}
