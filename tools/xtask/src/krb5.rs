//! `./x krb5` and `./x krb5-plugins`: Kerberos with other implementations.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use xshell::cmd;

use crate::needs::{apt_get, program, provide, unpack_packages};
use crate::project::{Project, cannot, files, fresh, host, read, run, succeeds};
use crate::python::{gss_python, instrumented, sanitizer_runtime};
use crate::runner;
use crate::steps::Steps;
use crate::tests::counted;

/// The tests that start realms.
const TESTS: &str = "kdc heimdal transports asynchronous pkinit pkinit_lies gss lies caches network peers ssh krb5 krb5_realm krb5_pkinit krb5_ssh";

/// Tests Kerberos with other implementations; a missing one fails.
pub(crate) fn krb5(project: &Project, arguments: &[String]) -> Result<bool> {
    provide(project, "krb5")?;
    pyspnego(project).map_err(|error| {
        cannot(format_args!(
            "{error:#}\nx: pyspnego is missing: install it with Kerberos, and set TAGWISE_PYSPNEGO to its folder"
        ))
    })?;
    heimdal(project).map_err(|error| {
        cannot(format_args!(
            "{error:#}\nx: Heimdal is missing: unpack its KDC and clients, and set TAGWISE_HEIMDAL to the folder"
        ))
    })?;
    // Tests fail where a peer is missing.
    project.sh.set_var("CI", "true");
    let words = ["--workspace", "--all-features"].into_iter().chain(TESTS.split(' ').flat_map(|name| ["--test", name]));
    let words: Vec<&str> =
        words.chain(["--", "--include-ignored"]).chain(arguments.iter().map(String::as_str)).collect();
    let mut steps = Steps::new(project, "x krb5");
    steps.step("two KDCs, GSS-API, a KDC that lies, MIT's programs beside ours", || counted(project, &words));
    steps.summary()
}

/// Makes Heimdal available to tests. Debian's packages conflict with those of MIT's KDC, so they are unpacked in the user's cache,
/// once for all clones.
pub(crate) fn heimdal(project: &Project) -> Result<()> {
    if std::env::var_os("TAGWISE_HEIMDAL").is_some() || Path::new("/usr/lib/heimdal-servers/kdc").exists() {
        return Ok(());
    }
    let root = cache(project).join("heimdal");
    if !root.join("usr/lib/heimdal-servers/kdc").exists() || !root.join("usr/sbin/kcm").exists() {
        ensure!(program("apt-get").is_some(), "Heimdal is unpacked from Debian packages only");
        unpack_heimdal(project, &root)?;
    }
    project.sh.set_var("TAGWISE_HEIMDAL", &root);
    Ok(())
}

/// The folder for files that all clones of a user share. Without a home folder, it is the target folder.
pub(crate) fn cache(project: &Project) -> PathBuf {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map_or_else(|| project.target.join("x"), |cache| cache.join("tagwise-x"))
}

/// Unpacks beside `root` and renames, so that another clone finds all or nothing.
fn unpack_heimdal(project: &Project, root: &Path) -> Result<()> {
    let sh = &project.sh;
    eprintln!("x: unpacking Debian's heimdal-kdc, heimdal-kcm and heimdal-clients in {}", root.display());
    let room = root.with_extension(std::process::id().to_string());
    let packages = room.join("debs");
    fresh(&room)?;
    std::fs::create_dir_all(&packages)?;
    let left_out =
        &["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"].map(|kind| format!("--no-{kind}"));
    let depend = || read(cmd!(sh, "apt-cache depends --recurse {left_out...} heimdal-kdc heimdal-kcm heimdal-clients"));
    // A machine can start without lists of packages.
    let depends = depend().or_else(|_| apt_get(sh, &["update"]).and_then(|()| depend()))?;
    // Dependencies are indented below the package that they are of.
    let mut wanted: Vec<&str> = depends
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains("heimdal"))
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let unpacked = room.join("root");
    unpack_packages(sh, &packages, &wanted, &unpacked)?;
    if std::fs::rename(&unpacked, root).is_err() {
        // Another clone was first, or what is there is incomplete.
        fresh(root)?;
        std::fs::rename(&unpacked, root)?;
    }
    Ok(std::fs::remove_dir_all(&room)?)
}

/// Makes pyspnego available to one test, in a folder for its PYTHONPATH. Its Kerberos support is built from source on MIT's library.
fn pyspnego(project: &Project) -> Result<()> {
    if std::env::var_os("TAGWISE_PYSPNEGO").is_some() {
        return Ok(());
    }
    let (sh, room, python) = (&project.sh, project.target.join("x/pyspnego"), gss_python());
    let works = cmd!(sh, "{python} -c 'import spnego._gss as gss; assert gss.HAS_GSSAPI'").env("PYTHONPATH", &room);
    if !succeeds(works) {
        provide(project, "krb5/pyspnego")?;
        fresh(&room)?;
        run(cmd!(sh, "{python} -m pip install -q --target {room} pyspnego krb5"))?;
    }
    sh.set_var("TAGWISE_PYSPNEGO", &room);
    Ok(())
}

/// Tests that load plugins into MIT's programs, and their layouts.
pub(crate) fn plugins(project: &Project, arguments: &[String]) -> Result<bool> {
    provide(project, "krb5-plugins")?;
    let words =
        ["-p", "tagwise-krb5-plugin-sys", "-p", "tagwise-krb5-plugin", "-p", "tagwise-localkdc", "--all-features"];
    let words: Vec<&str> = words.into_iter().chain(arguments.iter().map(String::as_str)).collect();
    let mut steps = Steps::new(project, "x krb5-plugins");
    steps.step("plugins inside of MIT's programs", || counted(project, &words));
    steps.summary()
}

/// MIT's programs are not instrumented: gcc's runtime is preloaded, and the calls to it that rustc compiled into the plugins find it.
pub(crate) fn plugins_sanitized(project: &Project) -> Result<bool> {
    provide(project, "krb5-plugins/asan")?;
    let Project { sh, locked, .. } = project;
    let runtime = sanitizer_runtime(project)?;
    let host = host(sh)?;
    let build = ["--target", &host, "-p", "tagwise-krb5-plugin", "--all-features"];
    run(instrumented(project, cmd!(sh, "cargo build -q {locked...} {build...} --examples")))?;
    let mut steps = Steps::new(project, "x krb5-plugins asan");
    steps.step("plugins with AddressSanitizer", || {
        let tests = instrumented(project, cmd!(sh, "cargo test {locked...} {build...} --test load -- --nocapture"));
        run(tests.env("TAGWISE_ALL", "1").env("TAGWISE_ASAN", &runtime))
    });
    steps.summary()
}

/// Runs tests that are built here in a chroot with another release of Debian, where the project has the same path. The chroot is kept
/// until the list of packages changes.
pub(crate) fn plugins_elsewhere(project: &Project, release: &str) -> Result<bool> {
    const PACKAGES: &str = "krb5-kdc,krb5-admin-server,krb5-user,krb5-pkinit,krb5-otp,openssl,gcc,libc6-dev,libkrb5-dev,\
        openssh-server-gssapi,openssh-client-gssapi,python3-gssapi,python3-asyncssh,libpam-wrapper,faketime,systemd";
    /// Mounts disappear with the namespace. Arguments: chroot, checkout, target folder, test and its arguments.
    const INSIDE: &str = r#"mount --bind "$0" "$0" && mount --bind "$1" "$0$1" && mount --bind "$2" "$0$2" && mount -t proc proc "$0/proc" &&
        mount --bind /dev "$0/dev" && exec chroot "$0" env PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true "${@:3}""#;
    provide(project, "krb5-plugins/release")?;
    let Project { sh, locked, root, target, .. } = project;
    let chroot = project.folder("x")?.join(format!("krb5-{release}"));
    let made = chroot.join("made");
    let mut steps = Steps::new(project, &format!("x krb5-plugins --release {release}"));
    if std::fs::read_to_string(&made).unwrap_or_default().trim() != PACKAGES {
        if chroot.exists() {
            std::fs::remove_dir_all(&chroot)?;
        }
        let mirror = mirror(&sources()).unwrap_or_else(|| "http://deb.debian.org/debian".to_owned());
        let options = ["--variant=minbase", "--aptopt=Acquire::Check-Valid-Until \"false\""];
        steps.step(&format!("a chroot of Debian {release}"), || {
            run(cmd!(sh, "mmdebstrap {options...} --include={PACKAGES} {release} {chroot} {mirror}"))
        });
        if !steps.passed() {
            return Err(cannot(format_args!("no chroot of Debian {release}")));
        }
        std::fs::write(&made, PACKAGES)?;
    }
    // systemd-creds creates no key on a machine without an identifier.
    let identifier = chroot.join("etc/machine-id");
    if std::fs::read_to_string(&identifier).unwrap_or_default().is_empty() {
        std::fs::write(identifier, std::fs::read_to_string("/proc/sys/kernel/random/uuid")?.replace('-', ""))?;
    }
    run(cmd!(sh, "cargo build {locked...} -q -p tagwise-krb5-plugin -p tagwise-localkdc --all-features --examples"))?;
    let mut tests = Vec::new();
    for built in [
        "-p tagwise-krb5-plugin -p tagwise-localkdc --all-features",
        "-p tagwise-krb5 --all-features --test kdc --test transports --test pkinit --test mit_1_22 --test gss --test ssh --test network",
        "-p tagwise-cli --all-features --test krb5_1_22",
    ] {
        tests.extend(runner::build(project, &built.split(' ').collect::<Vec<_>>())?);
    }
    if tests.is_empty() {
        bail!("cargo built no tests");
    }
    // Tests of features of release 1.22 run there, and on later releases.
    let version = read(cmd!(sh, "chroot {chroot} klist -V"))?;
    let later = if version.contains(" 1.20") || version.contains(" 1.21") { None } else { Some("--include-ignored") };
    for folder in [root, target] {
        std::fs::create_dir_all(chroot.join(folder.strip_prefix("/").context("the checkout has a relative path")?))?;
    }
    for test in tests {
        let arguments: Option<&str> = match test.target.as_str() {
            // Heimdal is not in the chroot.
            "pkinit" => Some("certificates_with_mit"),
            "transports" => Some("mit_"),
            // Debian builds klmdb from trixie on.
            "below" => Some("--include-ignored"),
            "mit_1_22" | "krb5_1_22" => later,
            _ => None,
        };
        let executable = &test.executable;
        let name = executable.file_name().unwrap_or_default().to_string_lossy();
        steps.step(&format!("{name} inside of Debian {release}"), || {
            run(cmd!(sh, "unshare -m bash -c {INSIDE} {chroot} {root} {target} {executable} {arguments...}"))
        });
    }
    steps.summary()
}

/// The contents of apt's lists of sources.
pub(crate) fn sources() -> String {
    let lists = [PathBuf::from("/etc/apt/sources.list")].into_iter().chain(files("/etc/apt/sources.list.d/*"));
    lists.filter_map(|list| std::fs::read_to_string(list).ok()).collect()
}

/// The first mirror of Debian in lists of sources, in either format.
pub(crate) fn mirror(sources: &str) -> Option<String> {
    let address = |line: &str| {
        let mut words = line.split_whitespace();
        let address = match words.next()? {
            "URIs:" => words.next()?,
            // Options have brackets around them: `deb [arch=amd64 signed-by=…] http://…`.
            "deb" if words.clone().next()?.starts_with('[') => words.skip_while(|word| !word.ends_with(']')).nth(1)?,
            "deb" => words.next()?,
            _ => return None,
        };
        let address = address.trim_end_matches('/');
        address.ends_with("/debian").then(|| address.to_owned())
    };
    sources.lines().find_map(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_is_found_in_both_formats() {
        let security = "# x\nURIs: http://security.debian.org/debian-security\n";
        assert_eq!(mirror(security), None);
        for line in [
            "URIs: http://m/debian/",
            "deb http://m/debian bookworm main",
            "deb [arch=amd64 signed-by=/x] http://m/debian/ bookworm main",
        ] {
            assert_eq!(mirror(&format!("{security}{line}\n")).as_deref(), Some("http://m/debian"), "{line}");
        }
    }
}
