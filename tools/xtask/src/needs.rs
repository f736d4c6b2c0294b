//! What commands need from the system: one table, checked before a command starts. Root gets what is missing by apt-get.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::project::{Project, cannot, files, run, succeeds};

/// How to find out whether something is installed.
#[derive(Debug)]
pub(crate) enum Look {
    /// Every program is in PATH, or in /usr/sbin or /usr/bin.
    Programs(&'static str),
    /// A file matches at least one of these patterns.
    File(&'static [&'static str]),
    /// pkg-config finds the library.
    Library(&'static str),
    /// The interpreter can import the module.
    Module(&'static str, &'static str),
    /// A cargo subcommand, and the toolchain component that contains it.
    Component(&'static str, &'static str),
}

use Look::{Component, File, Library, Module, Programs};

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Need {
    /// The name in messages.
    what: &'static str,
    /// It is installed if all of these succeed.
    look: &'static [Look],
    /// The Debian packages.
    packages: &'static str,
    /// Commands that cannot run without it.
    required: &'static str,
    /// Commands that skip something without it.
    optional: &'static str,
    /// What these skip.
    skipped: &'static str,
}

/// Commands that run all tests.
const TESTS: &str = "test test-optimised coverage";
/// Commands that build the workspace with all features.
const BUILDS: &str = "test test-optimised test-vendored coverage quick lint install c/header c/install c/bench c toy package pipeline \
                      serve-failover krb5 \
                      krb5-plugins krb5-plugins/release";
/// Commands that test keys and signatures.
const KEYS: &str = "test test-optimised test-vendored coverage pipeline";
/// Commands that start Kerberos realms.
const REALMS: &str = "test test-optimised coverage python krb5 krb5-plugins krb5-plugins/asan";
/// Of these, those that log in by SSH.
const LOGINS: &str = "test test-optimised coverage krb5 krb5-plugins";

/// Commands are named as on the command line, with `/` before a subcommand, an option or a peer. `./x` itself looks for cargo and
/// cc, which build this program.
pub(crate) const TABLE: &[Need] = &[
    need("rustfmt", &[Component("fmt", "rustfmt")], "rustfmt").required("lint quick"),
    need("clippy", &[Component("clippy", "clippy")], "rust-clippy").required("lint quick"),
    need("a C++ compiler", &[Programs("c++")], "g++").required("lint fuzz c"),
    need("OpenSSL 3 with its headers", &[Library("openssl >= 3.0")], "libssl-dev pkg-config").required(BUILDS),
    need("PAM with its headers", &[File(&["/usr/lib*/libpam.so", "/usr/lib/*/libpam.so"])], "libpam0g-dev")
        .required(BUILDS),
    need("the openssl command", &[Programs("openssl")], "openssl")
        .required("agree-paths")
        .optional("test test-optimised test-vendored coverage", "some comparisons are skipped"),
    need("the PostgreSQL server", &[File(&["/usr/lib/postgresql/*/bin/initdb"])], "postgresql")
        .required("serve-failover")
        .optional(TESTS, "a CA's PostgreSQL store is not tested"),
    need(
        "PostgreSQL's server headers",
        &[File(&["/usr/include/postgresql/*/server/postgres.h"]), File(&["/usr/lib/postgresql/*/bin/initdb"])],
        "postgresql postgresql-server-dev-all",
    )
    .required("postgres"),
    need(
        "NSS",
        &[File(&["/usr/lib*/libsoftokn3.so", "/usr/lib/*/libsoftokn3.so", "/usr/l*/**/libsoftokn3.so"])],
        "libnss3",
    )
    .optional(KEYS, "the NSS backend is not tested"),
    need("SoftHSM", &[Programs("softhsm2-util")], "softhsm2").optional(KEYS, "keys in PKCS #11 tokens are not tested"),
    need("faketime", &[Programs("faketime")], "faketime").optional(TESTS, "some tests of wrong clocks are skipped"),
    need(
        "MIT's KDC and its clients",
        &[Programs("krb5kdc kadmind kadmin.local kdb5_util kinit klist kvno")],
        "krb5-kdc krb5-admin-server krb5-user",
    )
    .optional(REALMS, "the Kerberos client is not tested"),
    need("MIT's OTP plugin", &[File(&["/usr/lib/*/krb5/plugins/preauth/otp.so"])], "krb5-otp")
        .optional(REALMS, "one-time passwords in Kerberos are not tested"),
    // Tests compare declarations of plugin interfaces with MIT's headers, and the certificate plugin needs PKINIT.
    need(
        "MIT's headers and its PKINIT plugin",
        &[File(&["/usr/include/kdb.h"]), File(&["/usr/lib*/krb5/**/pkinit.so", "/usr/lib/*/krb5/**/pkinit.so"])],
        "libkrb5-dev krb5-pkinit",
    )
    .optional(REALMS, "some tests of Kerberos plugins are skipped"),
    need("python-gssapi", &[Module("/usr/bin/python3", "gssapi")], "python3-gssapi")
        .optional(REALMS, "GSS-API contexts are not tested"),
    need("OpenSSH", &[File(&["/usr/sbin/sshd"]), Programs("ssh")], "openssh-server openssh-client")
        .optional(LOGINS, "logins with Kerberos tickets are not tested"),
    need("asyncssh", &[Module("/usr/bin/python3", "asyncssh")], "python3-asyncssh")
        .optional(LOGINS, "GSS-API contexts are not tested in SSH"),
    need("systemd-userdbd", &[File(&["/lib/systemd/systemd-userdbd"])], "systemd-userdbd")
        .optional(TESTS, "user lookups through it are not tested"),
    need("pam_wrapper", &[File(&["/usr/lib*/libpam_wrapper.so", "/usr/lib/*/libpam_wrapper.so"])], "libpam-wrapper")
        .optional("test test-optimised coverage krb5-plugins", "PAM is not tested"),
    need("OpenLDAP's server", &[File(&["/usr/sbin/slapd"])], "slapd")
        .optional(TESTS, "the LDAP client in C is not tested"),
    need(
        "servers of MySQL, FTP and XMPP",
        &[Programs("mariadbd vsftpd prosody")],
        "mariadb-server-core vsftpd prosody",
    )
    .optional(TESTS, "TLS in these protocols is tested with scripted servers only"),
    need(
        "Dovecot",
        &[File(&["/usr/lib/dovecot/imap-login"]), File(&["/usr/lib/dovecot/pop3-login"])],
        "dovecot-imapd dovecot-pop3d dovecot-submissiond dovecot-managesieved",
    )
    .optional(TESTS, "STARTTLS is tested with scripted mail servers only"),
    need("LLVM's coverage tools", &[File(&["/usr/lib/llvm-22/bin/llvm-cov"])], "llvm-22").required("coverage"),
    need("Python with venv", &[Module("python3", "venv, ensurepip")], "python3 python3-venv").required(
        "modules/peers per-peers agree agree-paths columns duckdb python python/quick package/wheel package/sdist",
    ),
    need("Java", &[Programs("java")], "default-jre-headless").required("columns"),
    need("pip", &[Module("python3", "pip")], "python3-pip").required("bench/cryptography"),
    need(
        "pip, Python's headers and MIT's headers",
        &[Module("/usr/bin/python3", "pip"), File(&["/usr/include/python3*/Python.h"]), File(&["/usr/include/krb5.h"])],
        "python3-pip python3-dev libkrb5-dev",
    )
    .required("krb5/pyspnego"),
    need("gcc, for its AddressSanitizer", &[Programs("gcc")], "gcc").required("python/asan krb5-plugins/asan"),
    need("clang", &[Programs("clang clang++")], "clang").required("c"),
    need("valgrind", &[Programs("valgrind")], "valgrind")
        .required("c")
        .optional("bench", "instructions are not counted"),
    need("CMake", &[Programs("cmake")], "cmake").required("c bench/aws-lc"),
    need("asn1c", &[Programs("asn1c")], "asn1c")
        .required("c/bench")
        .optional("per-peers", "encodings are not compared with its"),
    need("Erlang's ASN.1 compiler", &[Programs("erlc erl")], "erlang-asn1 erlang-nox")
        .optional("per-peers", "encodings are not compared with its"),
    need("liblber with its headers", &[File(&["/usr/include/lber.h"])], "libldap-dev").required("c/bench"),
    need("OpenSSL's build tools", &[Programs("perl make")], "perl make").required("test-vendored bench/openssl"),
    // libclang-cpp, a part of other packages, is not enough.
    need(
        "libclang",
        &[File(&["/usr/lib/llvm-*/lib/libclang.so*", "/usr/lib/llvm-*/lib/libclang-[0-9]*.so*"])],
        "libclang-dev",
    )
    .required("bench/ossl"),
    need("ACME clients", &[Programs("certbot dehydrated uacme lego caddy")], "certbot dehydrated uacme lego caddy")
        .optional(TESTS, "ACME is tested with instant-acme only"),
    need(
        "strongSwan's pki",
        &[Programs("pki"), File(&["/usr/lib/ipsec/plugins/libstrongswan-openssl.so"])],
        "strongswan-pki libstrongswan-extra-plugins libstrongswan-standard-plugins",
    )
    .optional(TESTS, "EST and SCEP are tested with fewer clients"),
    need("certmonger", &[Programs("certmonger getcert")], "certmonger")
        .optional(TESTS, "SCEP is tested with fewer clients"),
    need("osslsigncode", &[Programs("osslsigncode")], "osslsigncode")
        .optional(TESTS, "Authenticode is not compared with it"),
    need("easy-rsa", &[File(&["/usr/share/easy-rsa/easyrsa"])], "easy-rsa")
        .optional(TESTS, "imports of its CAs are not tested"),
    need("NSS's tools", &[Programs("certutil vfychain")], "libnss3-tools")
        .optional(TESTS, "NSS does not validate paths"),
    need("GnuTLS's tools", &[Programs("certtool")], "gnutls-bin").optional(TESTS, "GnuTLS does not validate paths"),
    need("NSS with its headers", &[Library("nss")], "libnss3-dev pkg-config").required("bench/nss"),
    need("a Go toolchain", &[Programs("go")], "golang-go").required("agree-paths ct-peers mtc-peers bench/go"),
    need("Node and npm", &[Programs("node npm")], "nodejs npm").required("wasm"),
    need("Chromium", &[Programs("chromium")], "chromium").required("wasm/browser"),
    need("mmdebstrap", &[Programs("mmdebstrap")], "mmdebstrap").required("krb5-plugins/release newcomer package/check"),
    need(
        "Debian's tools for packages",
        &[Programs("dpkg-buildpackage dh fakeroot lintian unzip")],
        "dpkg-dev debhelper fakeroot lintian unzip",
    )
    .required("package/deb"),
    need("RPM's tools for packages", &[Programs("rpmbuild rpmlint unzip")], "rpm rpmlint unzip")
        .required("package/rpm"),
    need("systemd-analyze", &[Programs("systemd-analyze")], "systemd").required("package/units"),
    need("buildah", &[Programs("buildah")], "buildah").optional("package/oci", "the Containerfile is not built"),
    need("git", &[Programs("git")], "git").required("newcomer"),
];

const fn need(what: &'static str, look: &'static [Look], packages: &'static str) -> Need {
    Need { what, look, packages, required: "", optional: "", skipped: "" }
}

impl Need {
    const fn required(self, commands: &'static str) -> Self {
        Self { required: commands, ..self }
    }

    const fn optional(self, commands: &'static str, skipped: &'static str) -> Self {
        Self { optional: commands, skipped, ..self }
    }

    fn is_needed_by(&self, command: &str) -> bool {
        [self.required, self.optional].iter().any(|list| list.split_whitespace().any(|name| name == command))
    }

    fn is_required_by(&self, command: &str) -> bool {
        self.required.split_whitespace().any(|name| name == command)
    }
}

/// Looks for everything that `command` needs, and installs what is missing where that is possible. Names what is still missing;
/// the error is that something required is among it.
pub(crate) fn provide(project: &Project, command: &str) -> Result<()> {
    let updated = Cell::new(false);
    let mut missing = Vec::new();
    for need in TABLE.iter().filter(|need| need.is_needed_by(command)) {
        if need.look.iter().all(|look| found(project, look)) {
            continue;
        }
        let Err(why) = install(project, need, &updated) else { continue };
        if need.is_required_by(command) {
            missing.push(format!("{} is missing: {why}", need.what));
        } else {
            eprintln!("x: without {}, {}: {why}", need.what, need.skipped);
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(cannot(missing.join("\nx: "))) }
}

fn found(project: &Project, look: &Look) -> bool {
    let sh = &project.sh;
    match look {
        Programs(names) => names.split_whitespace().all(|name| program(name).is_some()),
        File(patterns) => patterns.iter().any(|pattern| !files(pattern).is_empty()),
        Library(name) => succeeds(cmd!(sh, "pkg-config --exists {name}")),
        Module(python, names) => succeeds(cmd!(sh, "{python} -c").arg(format!("import {names}"))),
        Component(subcommand, _) => succeeds(cmd!(sh, "cargo {subcommand} --version")),
    }
}

/// The path of a program in PATH, or in the folders of daemons, which the PATH of users may lack.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Installs the Debian packages of a need as root; the error says what the user can do.
fn install(project: &Project, need: &Need, updated: &Cell<bool>) -> Result<()> {
    let sh = &project.sh;
    if let [Component(subcommand, component)] = need.look {
        // Debian's package fits only Debian's toolchain.
        if program("cargo").is_none_or(|cargo| cargo != Path::new("/usr/bin/cargo")) {
            bail!(
                "add the component {component} to the Rust toolchain in use (rustup component add {component}) for cargo {subcommand}"
            );
        }
    }
    let packages: Vec<&str> = need.packages.split_whitespace().collect();
    let listed = need.packages;
    if !cmd!(sh, "id -u").quiet().read().is_ok_and(|user| user == "0") || program("apt-get").is_none() {
        bail!("install it (Debian: apt-get install {listed})");
    }
    eprintln!("x: installing {listed}");
    let known = updated.replace(true) || apt_get(sh, &["update"]).is_ok();
    let options: Vec<&str> = ["install", "-y", "--no-install-recommends"].into_iter().chain(packages).collect();
    if !known || apt_get(sh, &options).is_err() {
        bail!("apt-get could not install {listed}");
    }
    if !need.look.iter().all(|look| found(project, look)) {
        bail!("{listed} did not provide it");
    }
    Ok(())
}

/// Runs `apt-get`, which tries each download five times and prints on standard error.
pub(crate) fn apt_get(sh: &Shell, arguments: &[&str]) -> Result<()> {
    let command = cmd!(sh, "sh -c 'exec apt-get -qq -o Acquire::Retries=5 \"$@\" >&2' apt-get {arguments...}");
    run(command.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Downloads Debian packages into `folder` and unpacks them below `root`, without installing them. Downloads that fail are
/// repeated after the lists of packages have been fetched again: those that a machine starts with can be old or absent. A server
/// that fails for a moment gets two minutes.
pub(crate) fn unpack_packages(sh: &Shell, folder: &Path, names: &[&str], root: &Path) -> Result<()> {
    let arguments: Vec<&str> = ["download"].iter().chain(names).copied().collect();
    {
        let _inside = sh.push_dir(folder);
        let mut result = apt_get(sh, &arguments);
        for seconds in [0, 10, 30, 80] {
            if result.is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_secs(seconds));
            result = apt_get(sh, &["update"]).and_then(|()| apt_get(sh, &arguments));
        }
        result?;
    }
    for package in files(folder.join("*.deb")) {
        run(cmd!(sh, "dpkg-deb -x {package} {root}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_complete() {
        for need in TABLE {
            let Need { what, look, packages, required, optional, skipped } = need;
            assert!(!look.is_empty() && !packages.is_empty(), "{what}");
            assert!(!required.is_empty() || !optional.is_empty(), "{what}: no command needs it");
            assert_eq!(optional.is_empty(), skipped.is_empty(), "{what}: who skips what");
            let both = required.split_whitespace().find(|name| optional.split_whitespace().any(|other| other == *name));
            assert_eq!(both, None, "{what}: required and optional");
        }
    }

    #[test]
    fn commands_of_the_table_exist() {
        let commands = crate::cli::names();
        for need in TABLE {
            for name in need.required.split_whitespace().chain(need.optional.split_whitespace()) {
                let (command, _) = name.split_once('/').unwrap_or((name, ""));
                assert!(commands.iter().any(|known| known == command), "{}: no command {name}", need.what);
            }
        }
    }

    #[test]
    fn programs_are_found_in_path() {
        assert!(program("sh").is_some());
        assert_eq!(program("no-such-program"), None);
    }

    #[test]
    fn required_and_optional_differ_by_command() {
        let valgrind = TABLE.iter().find(|need| need.what == "valgrind").unwrap();
        assert!(valgrind.is_required_by("c") && valgrind.is_needed_by("bench") && !valgrind.is_required_by("bench"));
        assert!(!valgrind.is_needed_by("test"));
    }
}
