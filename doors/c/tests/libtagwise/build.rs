//! The shared library, linked from the archive that cargo made, and programs that use it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The crate's folder.
pub(crate) fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where these tests write.
pub(crate) fn room() -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libtagwise");
    std::fs::create_dir_all(&room).unwrap();
    room
}

/// Runs a command and gives what it printed; anything but success ends the test.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// The archive beside this test's binary: the newest, where there are several.
pub(crate) fn archive() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("libtagwise_c-") && name.ends_with(".a")
    };
    let files = std::fs::read_dir(exe.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let newest = files.filter(is_archive).max_by_key(|path| path.metadata().unwrap().modified().unwrap());
    newest.unwrap_or_else(|| panic!("cargo made no libtagwise_c-*.a beside {}", exe.display()))
}

/// Libraries that the archive needs.
pub(crate) const SYSTEM: [&str; 6] = ["-lssl", "-lcrypto", "-lpthread", "-ldl", "-lm", "-lgcc_s"];

/// The shared library, as `./x c` links it.
pub(crate) fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = room().join("libtagwise.so.1");
        let map = home().join("tagwise.map");
        let mut link = Command::new("cc");
        link.args(["-shared", "-o"]).arg(&library);
        link.arg("-Wl,--whole-archive").arg(archive()).arg("-Wl,--no-whole-archive");
        link.arg(format!("-Wl,--version-script={}", map.display()));
        link.args(["-Wl,-soname,libtagwise.so.1", "-Wl,--gc-sections", "-Wl,-z,defs"]).args(SYSTEM);
        run(&mut link);
        library
    })
}

/// Commands that compile C, each with its language.
pub(crate) fn compilers() -> Vec<String> {
    let given = std::env::var("TAGWISE_C_COMPILERS").ok().filter(|given| !given.trim().is_empty());
    let given = given.unwrap_or_else(|| "cc -std=c99".into());
    given.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Compiles a program with one of the compilers, against the shared library.
pub(crate) fn program(source: &Path, name: &str, compiler: &str) -> PathBuf {
    let library = library();
    let binary = room().join(name);
    let mut words = compiler.split_whitespace();
    let mut compile = Command::new(words.next().unwrap());
    compile.args(words).args(["-g", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o"]).arg(&binary);
    compile.arg("-I").arg(home().join("include")).arg("-I").arg(home().join("tests/c")).arg(source);
    // A language that the compiler was told is that of the source alone.
    compile.args(["-x", "none"]).arg(library).arg(format!("-Wl,-rpath,{}", library.parent().unwrap().display()));
    run(&mut compile);
    binary
}

/// A command that runs a program, under the checker that is asked for.
pub(crate) fn running(program: &Path) -> Command {
    let runner = std::env::var("TAGWISE_C_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    words.push(program.display().to_string());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}
