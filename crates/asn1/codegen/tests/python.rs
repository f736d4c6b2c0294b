//! Python made from a schema is what Python's own tests use; the rest of it is tested there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};
use tagwise_testing::sets;

#[test]
fn golden() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let output = Builder::new().files(root.join("doors/c/tests/schema/sample.asn1")).python("").unwrap();
    let [file] = output.files.as_slice() else { panic!("one file") };
    assert_eq!(file.name, "sample.py");
    let golden = root.join("doors/python/tests/generated/sample.py");
    if std::env::var_os("TAGWISE_BLESS").is_some() {
        fs::write(&golden, &file.text).unwrap();
    }
    let wanted = fs::read_to_string(golden).unwrap_or_default();
    assert!(file.text == wanted, "sample.py is otherwise (TAGWISE_BLESS=1 rewrites it)");
}

/// Sets of published modules that compile to Rust compile to Python, which Python takes.
#[test]
fn published_modules() {
    let Some(root) = sets::corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut made, mut asked) = (0, 0);
    for (index, set) in sets::sets(&root).iter().enumerate().filter(|(index, _)| index % 4 == 1) {
        let allowed = Departure::ALL.iter().fold(Options::default(), |options, departure| options.allow(*departure));
        let builder = set.files.iter().fold(Builder::new(), Builder::files).schema(allowed);
        let (rust, python) = (builder.rust(), builder.python(&format!("set{index}")));
        assert_eq!(rust.is_ok(), python.is_ok(), "{}: {:?} {:?}", set.name, rust.err(), python.err());
        asked += 1;
        if let Ok(python) = python {
            python.write(folder.path()).unwrap();
            made += 1;
        }
    }
    assert!(made * 2 > asked, "{made} of {asked}");
    if tagwise_testing::tool("python3", &["--version"]) {
        let compiled = Command::new("python3").args(["-m", "compileall", "-q"]).arg(folder.path()).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    }
}

/// Types are found by the names of their modules, which need not be unique if the modules have identifiers.
#[test]
fn modules_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("two.asn1");
    let text =
        "M {1 2 3} DEFINITIONS ::= BEGIN A ::= NULL B ::= NULL END\nM {1 2 4} DEFINITIONS ::= BEGIN A ::= INTEGER END";
    fs::write(&module, text).unwrap();
    let output = Builder::new().files(&module).python("").unwrap();
    assert_eq!(output.notes, ["M.A is defined in several modules: its codec raises KeyError"]);
}

#[test]
fn default_values_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let output = Builder::new().files(root.join("doors/python/tests/modules/defaults.asn1")).python("").unwrap();
    output.write(folder.path()).unwrap();
    let [file] = output.files.as_slice() else { panic!("one file") };
    for line in [
        "colour: Colour | int = Colour.green",
        "numbers: list[int] = _g.fresh(lambda: [1, 2])",
        "colours: list[Colour | int] = _g.fresh(lambda: [Colour.red, Colour.green])",
        "none: list[Colour | int] = _g.fresh(lambda: [])",
        "utc: datetime.datetime = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)",
        "at: datetime.datetime | int | Decimal | str = \
         datetime.datetime(2026, 1, 2, 3, 4, 5, 250000, tzinfo=datetime.timezone.utc)",
        "day: datetime.date = datetime.date(2026, 1, 2)",
        "clock: datetime.time | str = datetime.time(3, 4, 5)",
        "both: datetime.datetime | str = datetime.datetime(2026, 1, 2, 3, 4, 5)",
        "octets: bytes = b\"\\x01\\x02\"",
        "flags: tuple[bytes, int] = (b\"\\x80\", 7)",
        "sized: tuple[bytes, int] = (b\"\\x80\", 4)",
        "oid: str = \"1.2.3\"",
        "name: str = \"x\"",
        // Finer than a microsecond, and a structure.
        "fine: datetime.datetime | int | Decimal | str | None = None",
        "pair: Others_pair | None = None",
    ] {
        assert!(file.text.contains(&format!("\n    {line}\n")), "{line}: {}", file.text);
    }
}

#[test]
fn choice_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("one.asn1");
    fs::write(&module, "One DEFINITIONS ::= BEGIN A ::= CHOICE { only INTEGER } B ::= CHOICE { a A, ... } END")
        .unwrap();
    let output = Builder::new().files(&module).python("").unwrap();
    let [file] = output.files.as_slice() else { panic!("one file") };
    // Type checkers refuse a union of one type.
    assert!(file.text.contains("A: TypeAlias = tuple[Literal[\"only\"], int]\n"), "{}", file.text);
    assert!(file.text.contains("B: TypeAlias = Union[\n"), "{}", file.text);
}

#[test]
fn a_class_with_the_name_of_a_type_decodes_it() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("m.asn1");
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN P{T} ::= SEQUENCE { t T } X ::= P{INTEGER} Y ::= X \
        Z ::= SEQUENCE { a INTEGER OPTIONAL } (WITH COMPONENTS { a PRESENT }) END";
    fs::write(&module, text).unwrap();
    let output = Builder::new().files(&module).python("").unwrap();
    let [file] = output.files.as_slice() else { panic!("one file") };
    for (class, codec) in [("X", "X"), ("Z", "Z")] {
        let of =
            file.text.split(&format!("class {class}(_g.Structure):")).nth(1).unwrap().split("\n\n\n").next().unwrap();
        assert!(of.contains(&format!("_g.Type(_modules, \"M.{codec}\")")), "{}", file.text);
    }
    assert!(file.text.contains("Y_codec: Final = _g.Codec[\"X\"](_g.Type(_modules, \"M.Y\")"), "{}", file.text);
}
