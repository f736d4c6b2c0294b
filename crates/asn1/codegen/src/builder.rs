//! Compiles schema files to code or reference pages, for `build.rs`, the command-line tool, and checked-in code.

use std::fmt;
use std::fs::{self, File as Handle};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tagwise_schema::{Departure, Departures, Limits, Model, Options, Source, compile_with};

use crate::emit::rust::{self, Layout};
use crate::emit::{File, TooLarge, c, doc, per, python};
use crate::files::module_files;
use crate::lower::plan::Plan;
use crate::lower::{lower, named};
use crate::overlay::{Overlay, OverlayError};

/// A builder for compiling schemas to code or reference pages, with inputs, overlays and options.
///
/// In a `build.rs`, with `tagwise-codegen` as a build dependency:
///
/// ```no_run
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     tagwise_codegen::Builder::new().files("schemas").overlay("schemas/overlay.toml").build()?;
///     Ok(())
/// }
/// ```
///
/// Include the result with `include!(concat!(env!("OUT_DIR"), "/mod.rs"))`. This example includes an existing file
/// instead:
///
/// ```
/// pub mod schemas {
///     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/modules/expected/mod.rs"));
/// }
///
/// # fn main() {
/// assert_eq!(schemas::more_types::ID_MORE.to_string(), "1.3.9999.1.1");
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    files: Vec<PathBuf>,
    overlays: Vec<PathBuf>,
    options: rust::Options,
    schema: Options,
    max_file: Option<u64>,
}

impl Builder {
    /// The default maximum size of an input file: 64 MiB. The largest published modules are below 1 MiB.
    pub const MAX_FILE: u64 = 64 << 20;

    /// Creates a builder without inputs. Generated code refers to the library as `tagwise`, unless the overlay or
    /// [`Builder::codec`] changes that.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or all `.asn1` and `.asn` files in a directory and its subdirectories.
    #[must_use]
    pub fn files(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Adds an overlay file. If several overlays have an entry with the same name, the first one applies.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.overlays.push(path.into());
        self
    }

    /// Sets the paths of the codec and the derive in generated code, such as `tagwise_codec` and
    /// `tagwise_derive::Asn1`.
    #[must_use]
    pub fn codec(mut self, codec: &str, derive: &str) -> Self {
        self.options.codec = codec.to_owned();
        self.options.derive = derive.to_owned();
        self
    }

    /// Sets the code layout, for projects with a rustfmt configuration.
    #[must_use]
    pub const fn layout(mut self, layout: Layout) -> Self {
        self.options.layout = layout;
        self
    }

    /// Adds an owned alias for each borrowing type: `TicketBuf` is `Owned<Ticket<'static>>`, a ticket that stores its
    /// bytes and has no lifetime.
    #[must_use]
    pub const fn owned(mut self) -> Self {
        self.options.owned = true;
        self
    }

    /// Sets the limits on the schema's nesting, memory and output.
    ///
    /// ```
    /// let mut limits = tagwise_schema::Limits::DEFAULT;
    /// limits.bytes_per_byte = 4096;
    /// let builder = tagwise_codegen::Builder::new().files("schemas").limits(limits);
    /// # let _ = builder;
    /// ```
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.schema.limits = limits;
        self
    }

    /// Sets the limits, and the allowed departures from X.680.
    ///
    /// ```
    /// use tagwise_schema::{Departure, Options};
    /// let options = Options::default().allow(Departure::UnexportedImport);
    /// let builder = tagwise_codegen::Builder::new().files("schemas").schema(options);
    /// # let _ = builder;
    /// ```
    #[must_use]
    pub const fn schema(mut self, options: Options) -> Self {
        self.schema = options;
        self
    }

    /// Sets the maximum size of an input file in bytes, instead of [`Builder::MAX_FILE`].
    ///
    /// ```
    /// let builder = tagwise_codegen::Builder::new().files("absent.asn1").max_file(1 << 20);
    /// assert!(builder.rust().is_err());
    /// ```
    #[must_use]
    pub const fn max_file(mut self, bytes: u64) -> Self {
        self.max_file = Some(bytes);
        self
    }

    /// Reads a file, up to the size limit.
    fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let limit = self.max_file.unwrap_or(Self::MAX_FILE);
        let mut octets = Vec::new();
        let file = Handle::open(path).map_err(|error| Error::io(path, error))?;
        let read = file.take(limit.saturating_add(1)).read_to_end(&mut octets);
        read.map_err(|error| Error::io(path, error))?;
        if octets.len() as u64 > limit {
            let message = format!("it is larger than the limit of {limit} bytes");
            return Err(Error::io(path, io::Error::new(io::ErrorKind::FileTooLarge, message)));
        }
        Ok(octets)
    }

    /// Generates Rust for all modules: one file each, and `mod.rs`. If the overlay marks types with `rules = "per"`, `per.rs`
    /// contains them for PER, as [`Builder::per`] generates them.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the schema or the overlay has errors.
    pub fn rust(&self) -> Result<Output, Error> {
        self.with_plan(|plan, overlay| {
            let mut options = self.options.clone();
            if let Some(codec) = &overlay.codec {
                options.codec.clone_from(codec);
            }
            if let Some(derive) = &overlay.derive {
                options.derive.clone_from(derive);
            }
            rust::emit(plan, &options)
        })
        .and_then(|output| self.with_packed(output))
    }

    /// Generates C for all modules: a header and a source file, for libtagwise. Only names and documentation from
    /// overlays apply.
    ///
    /// ```
    /// let m = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/choice");
    /// let output = tagwise_codegen::Builder::new().files(m).c("choice", "")?;
    /// assert_eq!(output.files[0].name, "choice.h");
    /// # Ok::<(), tagwise_codegen::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the schema has errors.
    pub fn c(&self, name: &str, prefix: &str) -> Result<Output, Error> {
        self.with_tables(|model, schema, overlay, notes| {
            let options = c::Options { name: name.to_owned(), prefix: prefix.to_owned() };
            c::emit(model, schema, overlay, &options, notes)
        })
    }

    /// Generates Rust for PER: one file with owned types that implement `tagwise_per::PerType`. It contains the types that the
    /// overlay marks with `rules = "per"` and everything that they contain, or all types if none is marked.
    ///
    /// ```
    /// let m = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/choice");
    /// let output = tagwise_codegen::Builder::new().files(m).per("choice")?;
    /// assert_eq!(output.files[0].name, "choice.rs");
    /// # Ok::<(), tagwise_codegen::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`Builder::rust`], or an error that names a type that generated code does not support.
    pub fn per(&self, name: &str) -> Result<Output, Error> {
        let (model, errors) = self.model()?;
        let files = self.packed(&model, &self.read_overlay()?, name)?;
        Ok(Output { files, notes: Vec::new(), errors, mark: "" })
    }

    /// Adds the types that the overlay marks for PER.
    fn with_packed(&self, mut output: Output) -> Result<Output, Error> {
        let overlay = self.read_overlay()?;
        if !overlay.types.iter().any(|entry| entry.per) {
            return Ok(output);
        }
        if output.files.iter().any(|file| file.name == "per.rs") {
            return Err(Error::Schema(
                "a module has the file name per.rs, which is that of the types for PER".to_owned(),
            ));
        }
        let files = self.packed(&self.model()?.0, &overlay, "per")?;
        if let Some(file) = output.files.iter_mut().find(|file| file.name == "mod.rs") {
            file.text = declared(&file.text, "/// Types for PER.\n#[rustfmt::skip]\npub mod per;\n");
        }
        output.files.extend(files);
        Ok(output)
    }

    /// The file with the types for PER.
    fn packed(&self, model: &Model, overlay: &Overlay, name: &str) -> Result<Vec<File>, Error> {
        let schema = tagwise_tables::Schema::from_model(model)
            .map_err(|problems| Error::Schema(problems.iter().map(|problem| format!("{problem}\n")).collect()))?;
        let per = overlay.per.clone().unwrap_or_else(|| "tagwise_per".to_owned());
        let options = per::Options { name: name.to_owned(), per };
        per::emit(model, &schema, overlay, &options).map_err(|problems| Error::Schema(problems.join("\n")))
    }

    /// Generates Python for all modules: one file, for the package `tagwise`. Only names and documentation from
    /// overlays apply.
    ///
    /// ```
    /// let m = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/choice");
    /// let output = tagwise_codegen::Builder::new().files(m).python("choice")?;
    /// assert_eq!(output.files[0].name, "choice.py");
    /// # Ok::<(), tagwise_codegen::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the schema has errors.
    pub fn python(&self, name: &str) -> Result<Output, Error> {
        self.with_tables(|model, schema, overlay, notes| {
            let options = python::Options { name: name.to_owned(), departures: self.departures() };
            python::emit(model, schema, overlay, &options, notes)
        })
    }

    /// Generates files from tables, into a directory that may contain other files.
    fn with_tables(
        &self,
        write: impl FnOnce(&Model, &tagwise_tables::Schema, &Overlay, &mut Vec<String>) -> Result<Vec<File>, TooLarge>,
    ) -> Result<Output, Error> {
        let (model, errors) = self.model()?;
        let schema = tagwise_tables::Schema::from_model(&model)
            .map_err(|problems| Error::Schema(problems.iter().map(|problem| format!("{problem}\n")).collect()))?;
        let overlay = self.read_overlay()?;
        let missing = named::missing(&schema, &overlay);
        if !missing.is_empty() {
            return Err(Error::Overlay(missing));
        }
        let mut notes = Vec::new();
        let files = write(&model, &schema, &overlay, &mut notes).map_err(|error| Error::Schema(error.to_string()))?;
        notes.extend(schema.unchecked().iter().map(|one| {
            let source = model.sources.get(one.span.file as usize);
            let line = source.map_or(0, |source| source.position(one.span.start as usize).0);
            format!("{}:{line}: not checked: {}", rust::text::file_of(&model, one.span), one.what)
        }));
        Ok(Output { files, notes, errors, mark: "" })
    }

    /// Generates reference pages for all modules: one file each, and an index.
    ///
    /// # Errors
    /// Returns the same errors as [`Builder::rust`].
    pub fn doc(&self, form: doc::PageFormat) -> Result<Output, Error> {
        self.with_plan(|plan, _| doc::emit(plan, form))
    }

    fn with_plan(
        &self,
        write: impl FnOnce(&Plan<'_>, &Overlay) -> Result<Vec<File>, TooLarge>,
    ) -> Result<Output, Error> {
        let (model, errors) = self.model()?;
        let overlay = self.read_overlay()?;
        // What constraints and object sets multiply to in a plan, they multiply to in tables, which are made within bounds.
        let tables = tagwise_tables::Schema::from_model(&model);
        if let Some(problem) = tables.err().and_then(|problems| problems.into_iter().find(|one| one.is_limit)) {
            return Err(Error::Schema(problem.to_string()));
        }
        let plan = lower(&model, &overlay).map_err(Error::Overlay)?;
        let files = write(&plan, &overlay).map_err(|error| Error::Schema(error.to_string()))?;
        let notes = plan.notes.iter().map(|note| {
            let (file, line) = (rust::text::file_of(&model, note.span), plan.line(note.span));
            format!("{file}:{line}: {}", note.text)
        });
        Ok(Output { files, notes: notes.collect(), errors, mark: rust::MARK })
    }

    /// Returns the model, and the errors in the parts omitted from it.
    fn model(&self) -> Result<(Model, String), Error> {
        let mut sources = Vec::new();
        for path in self.schema_files()? {
            let octets = self.read(&path)?;
            sources.push(Source::from_bytes(&path.to_string_lossy(), &octets));
        }
        let compilation = compile_with(sources, &self.schema);
        let text = compilation.render();
        let lines: String = compilation.omissions().iter().map(|line| format!("{line}\n")).collect();
        let summary = compilation.summary();
        let is_right = compilation.diagnostics().errors() == 0;
        let text = format!("{text}{lines}{summary}\n");
        match compilation.into_model() {
            Some(model) if is_right => Ok((model, String::new())),
            Some(model) => Ok((model, text)),
            None => Err(Error::Schema(text)),
        }
    }

    /// Returns the departures with which generated code compiles its modules.
    const fn departures(&self) -> Departures {
        match self.schema.keep_going {
            // What was left out may still be imported and exported.
            true => self.schema.allow.with(Departure::UndefinedImport).with(Departure::UndefinedExport),
            false => self.schema.allow,
        }
    }

    fn read_overlay(&self) -> Result<Overlay, Error> {
        let mut overlay = Overlay::default();
        for path in &self.overlays {
            let text = String::from_utf8(self.read(path)?)
                .map_err(|error| Error::io(path, io::Error::new(io::ErrorKind::InvalidData, error)))?;
            let one = Overlay::parse(&path.to_string_lossy(), &text).map_err(|error| Error::Overlay(vec![error]))?;
            overlay = overlay.and(one);
        }
        Ok(overlay)
    }

    /// Returns all schema files, in the order given. The files of a directory are ordered by name.
    fn schema_files(&self) -> Result<Vec<PathBuf>, Error> {
        let mut files = Vec::new();
        for path in &self.files {
            files.extend(module_files(path)?);
        }
        Ok(files)
    }

    /// Writes Rust to `OUT_DIR`, and declares the input files to Cargo. For use in `build.rs`.
    ///
    /// # Errors
    /// Returns the same errors as [`Builder::rust`], or an error if a file cannot be written.
    pub fn build(&self) -> Result<(), Error> {
        for path in self.files.iter().chain(&self.overlays) {
            println!("cargo:rerun-if-changed={}", path.display());
        }
        let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
        let output = self.rust()?;
        for note in output.errors.lines().chain(output.notes.iter().map(String::as_str)) {
            println!("cargo:warning={note}");
        }
        output.write(&folder).map(|_| ())
    }
}

/// Adds a declaration to those of `mod.rs`, in the order of rustfmt.
fn declared(text: &str, more: &str) -> String {
    let name = |one: &str| one.rsplit("pub mod ").next().map(str::to_owned);
    let mut list: Vec<&str> = text.split_inclusive(";\n").chain([more]).collect();
    list.sort_by_key(|one| name(one));
    list.concat()
}

/// The result of generating code or pages: files, notes and errors.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The generated files.
    pub files: Vec<File>,
    /// Notes on parts of the schema that the code omits or enforces less strictly, each with file and line.
    pub notes: Vec<String>,
    /// The errors in the modules, and the assignments omitted because of them. Empty unless
    /// [enabled](Options::keep_going).
    pub errors: String,
    /// The first words of generated files. Files that begin with them but are not in the output are no longer needed. If empty,
    /// no files are deleted, because the directory may contain several outputs.
    mark: &'static str,
}

/// A difference between a directory and the generated output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The file is missing.
    New,
    /// The file differs.
    Stale,
    /// The file was generated earlier, and is no longer needed.
    Left,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::New => "new",
            Self::Stale => "stale",
            Self::Left => "left over",
        })
    }
}

impl Output {
    /// Compares a directory with the output, and lists the differences.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn changes(&self, folder: &Path) -> Result<Vec<(String, Change)>, Error> {
        let mut changes = Vec::new();
        for file in &self.files {
            let path = folder.join(&file.name);
            match fs::read(&path) {
                Ok(octets) if octets == file.text.as_bytes() => {}
                Ok(_) => changes.push((file.name.clone(), Change::Stale)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => changes.push((file.name.clone(), Change::New)),
                Err(error) => return Err(Error::io(&path, error)),
            }
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(changes),
            Err(error) => return Err(Error::io(folder, error)),
        };
        let mut left = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(folder, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let known = self.files.iter().any(|file| file.name == name);
            let ours = |octets: Vec<u8>| !self.mark.is_empty() && octets.starts_with(self.mark.as_bytes());
            if !known && fs::read(entry.path()).is_ok_and(ours) {
                left.push((name, Change::Left));
            }
        }
        left.sort_by(|one, other| one.0.cmp(&other.0));
        changes.extend(left);
        Ok(changes)
    }

    /// Writes changed files to a directory, which is created if necessary, and deletes generated files that are no longer
    /// needed. Files and links are replaced atomically; the target of a link is not changed.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<Vec<(String, Change)>, Error> {
        let changes = self.changes(folder)?;
        fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        for (name, change) in &changes {
            let path = folder.join(name);
            match (change, self.files.iter().find(|file| file.name == *name)) {
                (Change::Left, _) => fs::remove_file(&path).map_err(|error| Error::io(&path, error))?,
                (_, Some(file)) => {
                    replace(&path, folder, file.text.as_bytes()).map_err(|error| Error::io(&path, error))?;
                }
                _ => {}
            }
        }
        Ok(changes)
    }
}

/// Replaces a file atomically, using a temporary file with an unpredictable name.
fn replace(path: &Path, folder: &Path, octets: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tagwise-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As open as the user's mask has it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(octets)?;
    new.persist(path)?;
    Ok(())
}

/// The reason that nothing was generated.
#[derive(Debug)]
pub enum Error {
    /// A file or directory that could not be read or written.
    Io(PathBuf, io::Error),
    /// Schema errors, as text with the affected lines.
    Schema(String),
    /// Errors in the overlay files.
    Overlay(Vec<OverlayError>),
}

impl Error {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io(path.to_owned(), error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Schema(text) => f.write_str(text.trim_end()),
            Self::Overlay(errors) => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
