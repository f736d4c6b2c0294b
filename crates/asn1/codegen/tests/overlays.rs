//! The overlays beside this project's schemas, and those of its crates: every key means something, alone and together.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use tagwise_codegen::{Builder, Error};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The overlays of the schemas, in order.
fn overlays() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("schemas")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        folders.map(|folder| folder.join("overlay.toml")).filter(|path| path.is_file()).collect();
    found.sort();
    assert!(found.len() > 10, "{found:?}");
    found
}

#[test]
fn each_by_itself() {
    for path in overlays() {
        let builder = Builder::new().files(root().join("schemas")).overlay(&path);
        builder.rust().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // The same file serves the other languages, which ignore what is for Rust alone.
        builder.c("all", "").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        builder.python("all").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

const PERSON: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Person ::= SEQUENCE { name UTF8String, age INTEGER (0..150) OPTIONAL, kind Kind }
Kind ::= ENUMERATED { human(0), robot(1) }
Pick ::= CHOICE { a Person, b NULL }
END
";

const NAMES: &str = r#"
[types.Person]
rename = "Individual"
doc = "Somebody.\nOr something."
fields.name = { rename = "full-name", doc = "First and last name." }
fields.age = { rename = "years" }
[types.Kind]
fields.robot = { rename = "machine" }
[types.Pick]
fields.a = { rename = "anybody" }
"#;

/// Names and documentation apply in C and Python. The names on the wire and in ASN.1 stay.
#[test]
fn names_in_c_and_python() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
    fs::create_dir_all(&folder).unwrap();
    let (module, overlay) = (folder.join("m.asn1"), folder.join("names.toml"));
    fs::write(&module, PERSON).unwrap();
    fs::write(&overlay, NAMES).unwrap();
    let builder = Builder::new().files(&module).overlay(&overlay);
    let has = |text: &str, wanted: &[&str]| {
        for line in wanted {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    };
    let output = builder.c("m", "x_").unwrap();
    let [header, source] = output.files.as_slice() else { panic!("two files") };
    has(
        &header.text,
        &[
            "// Somebody.\n// Or something.\nstruct x_Individual {\n",
            "    struct tagwise_bytes full_name; // First and last name.\n",
            "    bool has_years;\n    uint8_t years; // OPTIONAL\n",
            "    x_Kind_machine = 1,\n",
            "        struct x_Individual *anybody;\n",
            "bool x_Individual_decode(",
        ],
    );
    has(&source.text, &["{\"age\", ", "{\"Person\", TAGWISE_LAYOUT_SHAPE_SEQUENCE"]);
    let output = builder.python("m").unwrap();
    let [file] = output.files.as_slice() else { panic!("one file") };
    has(
        &file.text,
        &[
            "class Individual(_g.Structure):\n",
            "    Somebody.\n    Or something.\n",
            "    #: First and last name.\n    full_name: str\n    years: int | None = None\n",
            "(\"years\", \"age\", None)",
            "    machine = 1\n",
            "tuple[Literal[\"a\"], \"Individual\"]",
        ],
    );
    // What the modules do not have is an error with its place, as for Rust.
    for (text, said) in [
        ("[types.Nobody]\nrename = \"x\"\n", ":1:8: unknown type `Nobody`"),
        ("[types.Person]\nfields.nme = { rename = \"x\" }\n", ":2:8: unknown component `nme` of `Person`"),
    ] {
        fs::write(&overlay, text).unwrap();
        for result in [builder.c("m", ""), builder.python("m"), builder.rust()] {
            let Err(Error::Overlay(errors)) = result else {
                panic!("has a different object identifier; it is identified by its name")
            };
            assert!(errors.iter().any(|error| error.to_string().ends_with(said)), "{errors:?}");
        }
    }
}

#[test]
fn all_of_them_with_that_of_the_crate() {
    let builder = Builder::new().files(root().join("schemas")).overlay(root().join("crates/pki/messages/gen.toml"));
    let builder = overlays().into_iter().fold(builder, Builder::overlay);
    let output = builder.rust().unwrap_or_else(|error| panic!("{error}"));
    assert!(output.files.len() > 30, "{}", output.files.len());
}

/// What is wrong is told in the file in which it stands, whichever that is.
#[test]
fn a_stale_key_is_told_where_it_stands() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stale.toml");
    fs::write(&scratch, "[types.\"OCSP-2013-08.OCSPRequest\"]\nfields.tbsRequset = { captured = true }\n").unwrap();
    let builder = overlays().into_iter().fold(Builder::new().files(root().join("schemas")), Builder::overlay);
    let Err(Error::Overlay(errors)) = builder.overlay(&scratch).rust() else {
        panic!("has a different object identifier; it is identified by its name")
    };
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected = format!("{}:2:8: unknown component `tbsRequset` of `OCSP-2013-08.OCSPRequest`", scratch.display());
    assert_eq!(said, [expected]);
}
