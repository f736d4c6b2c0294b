//! C made from schemas: it is what is checked in, it compiles under every compiler, and values come back as they were.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};
use tagwise_testing::sets;

use super::build::{compilers, home, program, room, run, running};

/// Writes the C of modules below the folder of these tests; the folder it is in.
pub(crate) fn generate(name: &str, unit: &str, files: &[PathBuf]) -> Result<PathBuf, String> {
    let folder = room().join("generated").join(name);
    let mut builder = Builder::new();
    for file in files {
        builder = builder.files(file);
    }
    // As published modules are, with all that they get wrong.
    let options = Departure::ALL.iter().fold(Options::default(), |options, departure| options.allow(*departure));
    let output = builder.schema(options).c(unit, "").map_err(|error| error.to_string())?;
    output.write(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Compiles a program that includes what was generated, as one file, and runs it.
fn play(name: &str, text: &str, arguments: &[&Path]) {
    let source = room().join("generated").join(format!("{name}-program.c"));
    fs::write(&source, text).unwrap();
    for (index, compiler) in compilers().iter().enumerate() {
        let binary = program(&source, &format!("generated-{name}-{index}"), compiler);
        let out = run(running(&binary).args(arguments));
        assert!(out.ends_with("ok\n"), "{name}, {compiler}: {out}");
    }
}

#[test]
fn sample() {
    let folder = generate("Sample", "", &[home().join("tests/schema/sample.asn1")]).unwrap();
    for file in ["Sample.h", "Sample.c"] {
        let (made, golden) = (fs::read_to_string(folder.join(file)).unwrap(), home().join("tests/schema").join(file));
        if std::env::var_os("TAGWISE_BLESS").is_some() {
            fs::write(&golden, &made).unwrap();
        }
        let wanted = fs::read_to_string(&golden).unwrap_or_default();
        assert!(made == wanted, "{file} is otherwise (TAGWISE_BLESS=1 rewrites it)");
    }
    let text =
        format!("#include \"{0}/Sample.c\"\n#include \"{1}/tests/c/sample.c\"\n", folder.display(), home().display());
    play("sample", &text, &[]);
}

/// A program that decodes each file as the type that its first byte says, and encodes it again.
fn round_trips(unit: &Path, types: &[(u8, &str)]) -> String {
    let mut cases = String::new();
    for (first, ty) in types {
        cases += &format!(
            "        case {first}: {{\n            {ty}_t *value;\n            CHECK({ty}_decode(input, length, arena, &value, &error));\n            \
             CHECK({ty}_check(value, &error));\n            again = {ty}_encode(value, &error);\n            break;\n        }}\n"
        );
    }
    format!(
        "#include \"{}\"\n#include \"check.h\"\n\nint main(int count, char **files) {{\n    struct tagwise_arena *arena = tagwise_arena_new(0);\n    \
         struct tagwise_error *error = NULL;\n    int file;\n    for (file = 1; file < count; file++) {{\n        static uint8_t input[1 << 20];\n        \
         struct tagwise_buffer *again = NULL;\n        FILE *stream = fopen(files[file], \"rb\");\n        size_t length;\n        CHECK(stream != NULL);\n        \
         length = fread(input, 1, sizeof input, stream);\n        fclose(stream);\n        switch (input[0]) {{\n{cases}        default: CHECK(!\"a type\");\n        }}\n        \
         CHECK(again != NULL && tagwise_buffer_bytes(again).len == length);\n        CHECK(memcmp(tagwise_buffer_bytes(again).ptr, input, length) == 0);\n        \
         tagwise_buffer_free(again);\n        tagwise_arena_reset(arena);\n    }}\n    tagwise_arena_free(arena);\n    puts(\"ok\");\n    return 0;\n}}\n",
        unit.display()
    )
}

/// Every message of Kerberos that was captured comes back byte by byte.
#[test]
fn kerberos() {
    let Some(captures) = tagwise_testing::corpus("kerberos/captures") else { return };
    let folder = generate("krb5", "krb5", &[home().join("../../schemas/krb5/KerberosV5Spec2.asn1")]).unwrap();
    let types = [
        (0x6A, "AS_REQ"),
        (0x6B, "AS_REP"),
        (0x6C, "TGS_REQ"),
        (0x6D, "TGS_REP"),
        (0x6E, "AP_REQ"),
        (0x6F, "AP_REP"),
        (0x7E, "KRB_ERROR"),
    ];
    let known =
        |file: &PathBuf| fs::read(file).is_ok_and(|bytes| types.iter().any(|(first, _)| bytes.first() == Some(first)));
    let mut files: Vec<PathBuf> =
        fs::read_dir(captures.join("raw")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(known);
    files.sort();
    assert!(files.len() > 100, "{} messages", files.len());
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    play("krb5", &round_trips(&folder.join("krb5.c"), &types), &files);
}

/// Sets of published modules that compile to Rust compile to C, and the C compiles: one in four of them, all with TAGWISE_ALL.
#[test]
fn published_modules() {
    let Some(root) = sets::corpus() else { return };
    let all = std::env::var_os("TAGWISE_ALL").is_some();
    let (mut compiled, mut asked) = (0, 0);
    for (index, set) in sets::sets(&root).iter().enumerate() {
        if !all && index % 4 != 0 {
            continue;
        }
        let name: String = set.name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
        let allowed = Departure::ALL.iter().fold(Options::default(), |options, departure| options.allow(*departure));
        let rust = set.files.iter().fold(Builder::new(), Builder::files).schema(allowed).rust();
        let made = generate(&name, &name, &set.files);
        asked += 1;
        assert_eq!(rust.is_ok(), made.is_ok(), "{name}: {:?} {:?}", rust.err(), made.err());
        let Ok(made) = made else { continue };
        let made = fs::read_dir(made).unwrap().map(|entry| entry.unwrap().path());
        let source = made.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "c")).unwrap();
        for compiler in compilers() {
            let mut words = compiler.split_whitespace();
            let mut command = Command::new(words.next().unwrap());
            command.args(words).args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
            command.arg(home().join("include")).arg(&source);
            run(&mut command);
        }
        compiled += 1;
    }
    assert!(compiled * 2 > asked, "{compiled} of {asked}");
    println!("{compiled} of {asked} sets");
}
