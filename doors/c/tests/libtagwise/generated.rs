//! C made from schemas: it is what is checked in, it compiles under every compiler, and values come back as they were.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options, Source};
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

/// Modules whose names are in the way of what is generated: they compile, and values come back.
#[test]
fn names_that_clash() {
    let modules = [
        "Tagwise DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..9) } END",
        "String DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..9) } END",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { x INTEGER (0..9) }
         E ::= ENUMERATED { encode(1), decode(2), check(3), print(4), free(5), t(6), unload(7) }
         F ::= SEQUENCE { e ENUMERATED { encode, decode, t }, c CHOICE { encode [0] NULL, t [1] NULL } }
         F-encode ::= SEQUENCE { x INTEGER } F-t ::= INTEGER { free(1), encode(2) } F-e ::= CHOICE { decode NULL }
         unload INTEGER ::= 1 module INTEGER ::= 2 layouts INTEGER ::= 3 END",
    ];
    for (index, text) in modules.iter().enumerate() {
        let file = room().join(format!("clash{index}.asn1"));
        fs::write(&file, text).unwrap();
        let folder = generate(&format!("clash{index}"), "", &[file]).unwrap();
        let made = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let unit = made.into_iter().find(|path| path.extension().is_some_and(|end| end == "c")).unwrap();
        let program = format!(
            "#include \"{}\"\n#include \"check.h\"\nint main(void) {{\n    static const uint8_t der[] = {{0x30, 3, 0x80, 1, 5}};\n    \
             struct tagwise_error *error;\n    A_t *value;\n    FINE(A_decode(der, sizeof der, NULL, &value, &error));\n    \
             CHECK(value->x == 5);\n    A_free(value);\n    puts(\"ok\");\n    return 0;\n}}\n",
            unit.display()
        );
        play(&format!("clash{index}"), &program, &[]);
    }
}

/// Places may be NULL, results are written on success only, and tables are freed and made again.
#[test]
fn places_and_tables() {
    let folder = generate("places", "Sample", &[home().join("tests/schema/sample.asn1")]).unwrap();
    let program = format!(
        "#include \"{}\"\n#include \"check.h\"\nint main(void) {{\n    static const uint8_t good[] = {{0x80, 1, 5}}, bad[] = {{0x80, 1}};\n    \
         struct tagwise_error *error;\n    tagwise_arena *arena = tagwise_arena_new(0);\n    Leaf_t *value = NULL, *kept = (Leaf_t *)&value;\n    int round;\n    \
         for (round = 0; round < 3; round++) {{\n        FINE(Leaf_decode(good, sizeof good, NULL, NULL, &error));\n        \
         FINE(Leaf_decode(good, sizeof good, arena, NULL, &error));\n        CHECK(!Leaf_decode(bad, sizeof bad, NULL, NULL, NULL));\n        \
         value = kept;\n        CHECK(!Leaf_decode(bad, sizeof bad, arena, &value, NULL) && value == kept);\n        \
         FINE(Leaf_decode(good, sizeof good, NULL, &value, &error));\n        Sample_unload();\n        Sample_unload();\n        \
         CHECK(value->choice == Leaf_choice_number && value->u.number == 5);\n        FINE(Leaf_check(value, &error));\n        Leaf_free(value);\n    }}\n    \
         FAILS(tagwise_arena_set_rules(arena, 7, NULL, &error), \"argument\", NOWHERE);\n    \
         FAILS(Leaf_decode(good, sizeof good, arena, &value, &error), \"argument\", NOWHERE);\n    \
         tagwise_arena_free(arena);\n    Sample_unload();\n    puts(\"ok\");\n    return 0;\n}}\n",
        folder.join("Sample.c").display()
    );
    play("places", &program, &[]);
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

/// A program that is given types and files, and says of each file whether it is a value that comes back byte by byte.
fn verdicts(unit: &Path, types: &[&str]) -> String {
    let cases: String = types
        .iter()
        .map(|ty| {
            format!(
                "        if (strcmp(words[word], \"{ty}\") == 0) {{\n            {ty}_t *value;\n            \
                 if ({ty}_decode(input, length, arena, &value, &error)) again = {ty}_encode(value, &error);\n        }}\n"
            )
        })
        .collect();
    format!(
        "#include \"{}\"\n#include \"check.h\"\n\nint main(int count, char **words) {{\n    \
         struct tagwise_arena *arena = tagwise_arena_new(0);\n    int word;\n    for (word = 1; word + 1 < count; word += 2) {{\n        \
         static uint8_t input[1 << 20];\n        struct tagwise_error *error = NULL;\n        struct tagwise_buffer *again = NULL;\n        \
         FILE *stream = fopen(words[word + 1], \"rb\");\n        size_t length;\n        CHECK(stream != NULL);\n        \
         length = fread(input, 1, sizeof input, stream);\n        fclose(stream);\n{cases}        \
         if (again == NULL) puts(\"refused\");\n        else {{\n            CHECK(tagwise_buffer_bytes(again).len == length);\n            \
         CHECK(memcmp(tagwise_buffer_bytes(again).ptr, input, length) == 0);\n            puts(\"taken\");\n        }}\n        \
         tagwise_error_free(error);\n        tagwise_buffer_free(again);\n        tagwise_arena_reset(arena);\n    }}\n    \
         tagwise_arena_free(arena);\n    puts(\"ok\");\n    return 0;\n}}\n",
        unit.display()
    )
}

/// Holds C to the verdicts of tables, on each file by each type.
fn as_tables_say(name: &str, module: &Path, types: &[&str], files: &[PathBuf]) -> usize {
    let folder = generate(name, name, &[module.to_owned()]).unwrap();
    let sources = tagwise_codegen::module_files(module).unwrap();
    let source = |file: &PathBuf| Source::from_bytes(&file.to_string_lossy(), &fs::read(file).unwrap());
    let allowed = Departure::ALL.iter().fold(Options::default(), |options, departure| options.allow(*departure));
    let schema = tagwise_tables::Schema::compile_with(sources.iter().map(source), &allowed).unwrap();
    let (mut arguments, mut wanted, mut taken) = (Vec::new(), String::new(), 0);
    for ty in types {
        let table = schema.ty(&ty.replace('_', "-")).or_else(|_| schema.ty(ty)).unwrap();
        for file in files {
            let bytes = fs::read(file).unwrap();
            let is_value = table.decode(&bytes).is_ok();
            taken += usize::from(is_value);
            wanted += if is_value { "taken\n" } else { "refused\n" };
            arguments.extend([PathBuf::from(ty), file.clone()]);
        }
    }
    let source = room().join("generated").join(format!("{name}-program.c"));
    fs::write(&source, verdicts(&folder.join(format!("{name}.c")), types)).unwrap();
    for (index, compiler) in compilers().iter().enumerate() {
        let binary = program(&source, &format!("generated-{name}-{index}"), compiler);
        let out = run(running(&binary).args(&arguments));
        let found = out.strip_suffix("ok\n").unwrap_or_default();
        for ((found, wanted), case) in found.lines().zip(wanted.lines()).zip(arguments.chunks(2)) {
            assert_eq!(found, wanted, "{name}, {compiler}: {case:?}");
        }
        assert_eq!(found.len(), wanted.len(), "{name}, {compiler}");
    }
    taken
}

/// Samples of RFCs, by the types of CMS and X.509.
#[test]
fn samples_of_rfcs() {
    let (Some(modules), Some(samples)) = (sets::corpus(), tagwise_testing::corpus("rfc-samples")) else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "der"));
    files.sort();
    let types = ["ContentInfo", "Certificate", "CertificateList", "SignedData"];
    let taken = as_tables_say("cms", &modules.join("pycrate-pki/IETF_PKI_RFC5652"), &types, &files);
    assert!(taken > 40, "{taken} of {}", files.len() * types.len());
}

/// Values of every kind of type, each with single bits changed: C accepts what tables accept, and encodes the same bytes again.
#[test]
fn kinds() {
    let module = home().join("../../crates/asn1/tables/tests/kinds.asn1");
    let schema =
        tagwise_tables::Schema::compile([Source::from_bytes("kinds.asn1", &fs::read(&module).unwrap())]).unwrap();
    let values = [
        ("Record", r#"{"real": 1.5, "large": 18446744073709551616, "choice": {"second": true}, "later": 7}"#),
        ("Versions", r#"{"first": 1, "grouped": 2, "other": true, "single": "s", "last": "00FF"}"#),
        ("Tree", r#"{"branches": [{"set": [{"leaf": "a"}, {"bits": {"containing": {"leaf": "bc"}}}]}]}"#),
        ("Shape", r#"{"origin": {"x": 1}, "flats": [{"x": 1}, {"x": 50}], "name": "abc"}"#),
        ("Parcel", r#"{"head": {"unit": 1, "note": null}, "values": [true], "inside": {"containing": false}}"#),
        ("Swapped", r#"{"unit": 2, "value": {"x": 7}}"#),
    ];
    let folder = room().join("kinds");
    fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for (name, json) in values {
        let ty = schema.ty(name).unwrap();
        let der = ty.encode(&tagwise::jer::from_str(&ty, json).unwrap()).unwrap();
        for at in 0..der.len() {
            for change in [0, 0x01, 0x20, 0x80] {
                let mut changed = der.clone();
                changed[at] ^= change;
                let file = folder.join(format!("{name}-{at}-{change}"));
                fs::write(&file, changed).unwrap();
                files.push(file);
            }
        }
    }
    let types = values.map(|(name, _)| name);
    let taken = as_tables_say("kinds", &module, &types, &files);
    assert!(taken > 100, "{taken} of {}", files.len() * types.len());
    let folder = room().join("generated/kinds");
    let source = fs::read_to_string(folder.join("kinds.c")).unwrap();
    assert!(!source.contains("SEQUENCE {") && source.contains("static const struct tagwise_layout_type"));
    let text =
        format!("#include \"{0}/kinds.c\"\n#include \"{1}/tests/c/kinds.c\"\n", folder.display(), home().display());
    play("kinds-members", &text, &[]);
}

/// Messages of SNMP (RFC 1157), written by hand.
#[test]
fn snmp() {
    let Some(modules) = sets::corpus() else { return };
    let folder = room().join("snmp");
    fs::create_dir_all(&folder).unwrap();
    // Version 0, community "public", GetRequest 1 for sysDescr.0 = NULL.
    let get = b"\x30\x26\x02\x01\x00\x04\x06public\xA0\x19\x02\x01\x01\x02\x01\x00\x02\x01\x00\x30\x0E\x30\x0C\x06\x08\x2B\x06\x01\x02\x01\x01\x01\x00\x05\x00";
    // Cut off, and with a PDU that there is not.
    let pdu = &get[13..];
    let mut other = pdu.to_vec();
    other[0] = 0xA9;
    let mut files = Vec::new();
    for (name, bytes) in [("get", &get[..]), ("cut", &get[..get.len() - 1]), ("pdu", pdu), ("other", &other)] {
        fs::write(folder.join(name), bytes).unwrap();
        files.push(folder.join(name));
    }
    assert_eq!(as_tables_say("snmp", &modules.join("pycrate-pki/IETF_SNMP"), &["Message", "PDUs"], &files), 2);
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
