//! `./x python`: the Python package, in environments of its own below the target folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use xshell::{Cmd, cmd};

use crate::krb5::heimdal;
use crate::needs::{program, provide};
use crate::project::{Project, cannot, exec, files, fresh, host, read, run, succeeds};
use crate::steps::Steps;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Python {
    /// Rewrite the register of differences from PyCA's tests
    #[arg(long)]
    bless: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Test a debug build of the package, without Kerberos realms
    Quick {
        /// Arguments of pytest
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Fuzz through the binding, with atheris
    Fuzz {
        /// How long
        #[arg(default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
        seconds: u32,
    },
    /// Test the package under each CPython 3.10 or later, or those of TAGWISE_PYTHONS
    Interpreters,
    /// Test and fuzz the binding under AddressSanitizer
    Asan {
        /// How long inputs are mutated
        #[arg(default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
        seconds: u32,
    },
    /// Measure the package beside its peers, for bench/results/python.md
    Bench,
}

/// Creates a virtual environment unless it is there.
pub(crate) fn environment(project: &Project, venv: &Path, interpreter: &str) -> Result<()> {
    let sh = &project.sh;
    if venv.join("bin/python").exists() { Ok(()) } else { run(cmd!(sh, "{interpreter} -m venv {venv}")) }
}

/// Installs packages into a virtual environment.
pub(crate) fn pip(project: &Project, venv: &Path, arguments: &[&str]) -> Result<()> {
    let sh = &project.sh;
    run(cmd!(sh, "{venv}/bin/pip install --quiet --disable-pip-version-check {arguments...}"))
}

/// The interpreter that has Debian's python-gssapi.
pub(crate) fn gss_python() -> PathBuf {
    std::env::var_os("TAGWISE_GSS_PYTHON").map_or_else(|| "/usr/bin/python3".into(), PathBuf::from)
}

impl Python {
    pub(crate) fn run(&self, project: &Project) -> Result<bool> {
        if let Some(What::Quick { args }) = &self.what {
            return quick(project, args);
        }
        let limbo = project.corpora.join("x509-limbo/limbo-core.json");
        if !limbo.is_file() {
            return Err(cannot(format_args!("the cases of x509-limbo are missing: {}", limbo.display())));
        }
        provide(project, "python")?;
        let package =
            Package { project, room: project.folder("x/python")?, sources: project.root.join("doors/python") };
        environment(project, &package.venv(), "python3")?;
        pip(project, &package.venv(), &["-r", &package.requirements()])?;
        if let Err(why) = heimdal(project) {
            eprintln!("x: without Heimdal, delegation is not tested from Python: {why:#}");
        }
        project.sh.change_dir(&package.sources);
        match &self.what {
            Some(What::Bench) => return package.bench(),
            Some(What::Fuzz { seconds }) => return package.fuzz(*seconds),
            _ => {}
        }
        let Project { sh, locked, root, target, .. } = project;
        run(cmd!(sh, "cargo build {locked...} -q --manifest-path {root}/Cargo.toml -p tagwise-cli"))?;
        sh.set_var("TAGWISE_COMMAND", target.join("debug/tagwise"));
        package.captures()?;
        match &self.what {
            Some(What::Interpreters) => package.interpreters(),
            Some(What::Asan { seconds }) => package.sanitized(*seconds),
            _ => package.test(&limbo, self.bless),
        }
    }
}

/// The package's sources, and the folder for its environments and wheels. The working directory is that of the sources.
struct Package<'a> {
    project: &'a Project,
    room: PathBuf,
    sources: PathBuf,
}

/// A debug build, with the extension beside the package's sources: it needs no wheel, and cargo reuses the workspace's build.
fn quick(project: &Project, arguments: &[String]) -> Result<bool> {
    provide(project, "python/quick")?;
    let Project { sh, root, .. } = project;
    let (venv, sources) = (project.folder("x/python")?.join("venv-quick"), root.join("doors/python"));
    environment(project, &venv, "python3")?;
    let requirements = sources.join("tests/pyca/requirements.txt");
    let peers = ["asn1crypto==1.5.1", "asn1tools==0.169.0", "pyasn1==0.6.5", "pyasn1-modules==0.4.2"];
    pip(project, &venv, &[&["-r", &requirements.to_string_lossy()][..], &peers].concat())?;
    sh.change_dir(&sources);
    extension(project, (root, &project.target), &sources.join("python/tagwise"))?;
    let python = venv.join("bin/python");
    let packages = read(cmd!(sh, "{python} -c 'import sysconfig; print(sysconfig.get_paths()[\"purelib\"])'"))?;
    std::fs::write(Path::new(&packages).join("tagwise.pth"), format!("{}\n", sources.join("python").display()))?;
    if std::env::var_os("TAGWISE_MUTANTS").is_none() {
        sh.set_var("TAGWISE_MUTANTS", "600");
    }
    let realms = ["realm", "delegation"].map(|name| format!("--ignore=tests/test_krb5_{name}.py"));
    Err(exec(cmd!(
        sh,
        "{python} -m pytest -q -p no:cacheprovider {realms...} --ignore=tests/test_gss.py {arguments...}"
    )))
}

/// Builds the extension from sources for debugging, in a folder for builds, and puts it into a folder.
pub(crate) fn extension(project: &Project, (sources, target): (&Path, &Path), folder: &Path) -> Result<()> {
    let Project { sh, locked, .. } = project;
    let manifest = sources.join("doors/python/Cargo.toml");
    // The interpreter provides its symbols itself.
    let features = "pyo3/extension-module,like-tests";
    run(cmd!(sh, "cargo build {locked...} --quiet --manifest-path {manifest} --features {features}"))?;
    // Renamed into place: an interpreter that has loaded the file before keeps it.
    let (new, path) = (folder.join("_native.new"), folder.join("_native.abi3.so"));
    std::fs::copy(target.join("debug/lib_native.so"), &new)?;
    std::fs::rename(new, path)?;
    Ok(())
}

/// A folder with the package and a debug build of its extension, beside the sources.
pub(crate) fn importable(project: &Project) -> Result<PathBuf> {
    let (folder, sources) = (project.folder("x/python/importable")?, project.root.join("doors/python/python/tagwise"));
    let package = folder.join("tagwise");
    std::fs::create_dir_all(&package)?;
    for old in std::fs::read_dir(&package)? {
        std::fs::remove_file(old?.path())?;
    }
    for source in std::fs::read_dir(&sources)? {
        let source = source?;
        if source.path().extension().is_none_or(|extension| extension != "so") {
            std::os::unix::fs::symlink(source.path(), package.join(source.file_name()))?;
        }
    }
    extension(project, (&project.root, &project.target), &package)?;
    Ok(folder)
}

impl Package<'_> {
    fn venv(&self) -> PathBuf {
        self.room.join("venv")
    }

    /// A program of the environment.
    fn tool(&self, name: &str) -> Cmd<'_> {
        self.project.sh.cmd(self.venv().join("bin").join(name))
    }

    fn requirements(&self) -> String {
        self.sources.join("tests/requirements.txt").display().to_string()
    }

    /// Builds into the environment itself, for development.
    fn build(&self) -> Result<()> {
        run(self.tool("maturin").args(["develop", "--quiet"]).args(self.project.locked).env("VIRTUAL_ENV", self.venv()))
    }

    fn test(&self, limbo: &Path, bless: bool) -> Result<bool> {
        let Self { room, .. } = self;
        let (venv, mypy) = (self.venv(), room.join("mypy"));
        let types = ["python/tagwise", "tests/generated"];
        let mut steps = Steps::new(self.project, "x python");
        steps.step("build", || self.build());
        steps.step("tests", || run(self.tool("python").args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])));
        steps.step("examples", || self.examples());
        steps.step("PyCA's own tests", || {
            let pyca = self.tool("python").arg("tests/pyca/run.py").arg(room.join("pyca"));
            run(pyca.arg("--limbo").arg(limbo).args(bless.then_some("--bless")))
        });
        steps.step("mypy", || run(self.tool("python").args(["-m", "mypy", "--cache-dir"]).arg(&mypy).args(types)));
        steps
            .step("pyright", || run(self.tool("pyright").arg("--pythonpath").arg(venv.join("bin/python")).args(types)));
        steps.step("protocols", || self.protocols(&mypy));
        steps.step("stubtest", || {
            run(self.tool("python").args(["-m", "mypy.stubtest", "--ignore-missing-stub", "tagwise._native"]))
        });
        steps.summary()
    }

    fn examples(&self) -> Result<()> {
        let Project { sh, root, .. } = self.project;
        let pages = files(root.join("docs/src/python*.md"));
        {
            // Pages name files from the root.
            let _root = sh.push_dir(root);
            run(self.tool("python").args(["-m", "doctest", "-o", "ELLIPSIS"]).args(pages))?;
        }
        let _room = sh.push_dir(&self.room);
        run(self.tool("python").args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--doctest-modules",
            "--pyargs",
            "tagwise",
        ]))
    }

    /// The modules of published protocols as classes, checked as strictly as the package itself.
    fn protocols(&self, mypy: &Path) -> Result<()> {
        let (sh, out, modules) = (&self.project.sh, self.room.join("protocols"), self.sources.join("tests/modules"));
        let command = self.project.target.join("debug/tagwise");
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        let compile = |name: &str, modules: &[PathBuf]| {
            run(cmd!(sh, "{command} compile --lang python --name {name} -o {out} {modules...}"))
        };
        let module = |name: &str| modules.join(format!("{name}.asn1"));
        for name in ["kinds", "ldap", "snmpv3", "gprs"] {
            compile(name, &[module(name)])?;
        }
        for name in ["map", "cap"] {
            compile(name, &[module("tcap"), module(name)])?;
        }
        compile("cms", &files(self.project.root.join("schemas/*/*.asn1")))?;
        run(self.tool("python").args(["-m", "mypy", "--strict", "--cache-dir"]).arg(mypy).arg(&out))?;
        let python = self.venv().join("bin/python");
        run(self.tool("pyright").arg("--pythonpath").arg(python).args(["--project", "pyproject.toml"]).arg(&out))
    }

    /// The source of pycrate contains captured SS7 messages and modules for them.
    fn captures(&self) -> Result<()> {
        let (sh, captures) = (&self.project.sh, self.room.join("captures"));
        let unpacked = captures.join("pycrate-0.8.1");
        sh.set_var("TAGWISE_PYCRATE", &unpacked);
        if unpacked.is_dir() {
            return Ok(());
        }
        let options = [
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-binary",
            "pycrate",
            "pycrate==0.8.1",
        ];
        run(self.tool("pip").args(options).arg("--dest").arg(&captures))?;
        run(cmd!(sh, "tar -xzf {unpacked}.tar.gz -C {captures}"))
    }

    /// Coverage-guided where atheris can be installed, else random mutations. Inputs that fail are written beside the seeds.
    fn fuzz(&self, seconds: u32) -> Result<bool> {
        let home = self.project.folder("x/python/fuzz")?;
        let corpus = self.project.folder("x/python/fuzz/corpus")?;
        let mut steps = Steps::new(self.project, "x python fuzz");
        steps.step("build", || self.build());
        if !steps.passed() {
            return steps.summary();
        }
        let fuzzer = || self.tool("python").arg("fuzz/binding.py");
        if pip(self.project, &self.venv(), &["atheris==3.0.0"]).is_err() {
            eprintln!("x: atheris is not available for this Python: inputs are mutated at random");
        }
        if !succeeds(self.tool("python").args(["-c", "import atheris"])) {
            run(fuzzer().args(["--seconds", &seconds.to_string()]))?;
            return Ok(true);
        }
        run(fuzzer().arg("--seeds").arg(&corpus))?;
        // Coverage is that of Python alone. Inputs that differ only in the native part add none, so random mutations get a third of the time.
        let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs().to_string();
        run(fuzzer().args(["--seconds", &seconds.div_ceil(3).to_string(), "--seed", &seed]))?;
        let limits =
            [format!("-max_total_time={}", (seconds + 1) * 2 / 3), format!("-artifact_prefix={}/", home.display())];
        run(fuzzer().arg(&corpus).args(limits).args(["-timeout=20", "-max_len=20000", "-print_final_stats=1"]))?;
        Ok(true)
    }

    /// Builds a wheel into an empty folder, with these arguments of maturin.
    fn wheel(&self, folder: &str, change: impl FnOnce(Cmd<'_>) -> Cmd<'_>) -> Result<PathBuf> {
        let folder = self.room.join(folder);
        fresh(&folder)?;
        let maturin = self.tool("maturin").args(["build", "--quiet", "--out"]).arg(&folder).args(self.project.locked);
        run(change(maturin))?;
        files(folder.join("*.whl")).pop().context("maturin built no wheel")
    }

    /// An environment with a wheel and what its tests need.
    fn installed(&self, venv: &Path, interpreter: &str, wheel: &Path) -> Result<()> {
        environment(self.project, venv, interpreter)?;
        pip(self.project, venv, &["-r", &self.requirements()])?;
        pip(self.project, venv, &["--force-reinstall", "--no-deps", &wheel.to_string_lossy()])
    }

    /// One wheel serves every interpreter with a GIL, as published; a free-threaded one has no limited API, so it gets its own build.
    fn interpreters(&self) -> Result<bool> {
        let interpreters: Vec<PathBuf> = match std::env::var_os("TAGWISE_PYTHONS").filter(|list| !list.is_empty()) {
            Some(list) => std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect(),
            None => (10..=30)
                .filter_map(|minor| program(&format!("python3.{minor}")))
                .filter(|interpreter| self.version(interpreter).is_ok())
                .collect(),
        };
        if interpreters.is_empty() {
            return Err(cannot("no CPython 3.10 or later is installed"));
        }
        let all = self.wheel("wheel-for-all", |maturin| maturin)?;
        let mut steps = Steps::new(self.project, "x python interpreters");
        for interpreter in interpreters {
            let version = self
                .version(&interpreter)
                .map_err(|error| cannot(format_args!("{}: {error}", interpreter.display())))?;
            let wheel = if version.ends_with('t') {
                self.wheel(&format!("wheel-for-{version}"), |maturin| maturin.arg("--interpreter").arg(&interpreter))?
            } else {
                all.clone()
            };
            let venv = self.room.join(format!("venv-{version}"));
            self.installed(&venv, &interpreter.to_string_lossy(), &wheel)?;
            let sh = &self.project.sh;
            steps.step(&format!("CPython {version}"), || {
                run(cmd!(sh, "{venv}/bin/python -m pytest -q -p no:cacheprovider"))
            });
        }
        steps.summary()
    }

    /// The version of an interpreter: `3.12`, or `3.14t` for a free-threaded one.
    fn version(&self, interpreter: &Path) -> Result<String> {
        const PROGRAM: &str = r#"import sys, sysconfig; print("%d.%d" % sys.version_info[:2] + ("t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""))"#;
        let sh = &self.project.sh;
        read(cmd!(sh, "{interpreter} -c {PROGRAM}").ignore_stderr())
    }

    /// The interpreter itself is not instrumented: gcc's runtime is preloaded, and each object is an allocation of its own.
    fn sanitized(&self, seconds: u32) -> Result<bool> {
        provide(self.project, "python/asan")?;
        let sh = &self.project.sh;
        let runtime = sanitizer_runtime(self.project)?;
        let host = host(sh)?;
        let wheel =
            self.wheel("wheel-asan", |maturin| instrumented(self.project, maturin).args(["--target", &host]))?;
        let venv = self.room.join("venv-asan");
        self.installed(&venv, "python3", &wheel)?;
        // Allocations that are too large fail, as with the system's allocator.
        let watched = || {
            cmd!(sh, "{venv}/bin/python")
                .env("LD_PRELOAD", &runtime)
                .env("PYTHONMALLOC", "malloc")
                .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1")
        };
        let mut steps = Steps::new(self.project, "x python asan");
        // That test counts memory, which includes red zones here.
        let tests =
            ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--deselect", "tests/test_crl_memory.py::test_memory"];
        steps.step("tests", || run(watched().args(tests)));
        steps.step("inputs by chance", || run(watched().args(["fuzz/binding.py", "--seconds", &seconds.to_string()])));
        steps.summary()
    }

    /// The package as users get it, in an environment with its peers.
    fn bench(&self) -> Result<bool> {
        let Project { sh, locked, root, target, corpora, .. } = self.project;
        let (peers, programs) = (self.room.join("peers"), root.join("bench/python"));
        environment(self.project, &peers, "python3")?;
        pip(self.project, &peers, &["-r", &programs.join("requirements.txt").to_string_lossy()])?;
        let wheel = self.wheel("wheels", |maturin| maturin.arg("--release"))?;
        pip(self.project, &peers, &["--force-reinstall", "--no-deps", &wheel.to_string_lossy()])?;
        let overhead = ["--no-default-features", "--features", "peer-tagwise", "--bin", "overhead"];
        run(cmd!(
            sh,
            "cargo build {locked...} --quiet --release --manifest-path {root}/bench/Cargo.toml {overhead...}"
        ))?;
        let python = |name: &str| cmd!(sh, "{peers}/bin/python").arg(programs.join(format!("bench_{name}.py")));
        // Beside python-gssapi, which is Debian's.
        let unpacked = self.room.join("wheel");
        fresh(&unpacked)?;
        run(self.tool("python").args(["-m", "zipfile", "-e"]).args([&wheel, &unpacked]))?;
        let debian = gss_python();
        let gss = cmd!(sh, "{debian} {programs}/bench_gss.py");
        for program in [
            python("size").arg(&wheel),
            python("certificate").arg(corpora).arg("--per-field"),
            python("crl"),
            python("pkcs").arg(corpora),
            python("x509"),
            python("speed"),
            python("overhead").arg(corpora).arg(target.join("release/overhead")),
            gss.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", &unpacked),
        ] {
            run(program)?;
            println!();
        }
        Ok(true)
    }
}

/// The path of gcc's AddressSanitizer, for programs that are not built with it.
pub(crate) fn sanitizer_runtime(project: &Project) -> Result<PathBuf> {
    let sh = &project.sh;
    let runtime = PathBuf::from(read(cmd!(sh, "gcc -print-file-name=libasan.so"))?);
    // gcc prints the bare name if it has none.
    runtime.canonicalize().map_err(|_| cannot("gcc has no libasan.so"))
}

/// Has cargo build with AddressSanitizer. The caller names a target, so that build scripts and macros are built without.
pub(crate) fn instrumented<'a>(project: &Project, command: Cmd<'a>) -> Cmd<'a> {
    // An unstable flag; the first variable lets the stable compiler accept it.
    command
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address -Cdebuginfo=line-tables-only")
        .env("CARGO_TARGET_DIR", project.target.join("x/asan"))
}
