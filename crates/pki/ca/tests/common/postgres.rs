//! A PostgreSQL server of a test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server of its own, which accepts connections: data in a temporary folder, on a free port of loopback, run by somebody who is not root.
pub(crate) struct Server {
    child: Child,
    bin: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

/// Debian's packages have a folder for each version.
fn programs() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    if found.is_empty() {
        tagwise_testing::skip("no PostgreSQL server");
    }
    found.pop()
}

/// The server refuses to run as root: then it is run as the user that its package makes.
fn command(program: &Path) -> Command {
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = Command::new(if root { Path::new("setpriv") } else { program });
    if root {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
    }
    command.env("LC_ALL", "C.UTF-8").current_dir("/").stdin(Stdio::null());
    command
}

impl Server {
    pub(crate) fn start() -> Option<Self> {
        let bin = programs()?;
        let folder = tempfile::tempdir().unwrap();
        // Only the server's user may look into it.
        let _ = Command::new("chown").arg("postgres").arg(folder.path()).stderr(Stdio::null()).status();
        let data = folder.path().join("data");
        let mut init = command(&bin.join("initdb"));
        init.args(["--auth=trust", "--username=ca", "--encoding=UTF8", "--no-sync", "-D"]).arg(&data);
        let output = init.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = postgres(&bin, folder.path(), port);
        let server = Self { child, bin, folder, port };
        server.wait();
        Some(server)
    }

    /// Stops the server without completing transactions, as after a crash, and starts it again.
    #[allow(dead_code, reason = "some tests do not")]
    pub(crate) fn crash(&mut self) {
        self.signal("-QUIT");
        self.child = postgres(&self.bin, self.folder.path(), self.port);
    }

    /// Waits until the server accepts connections.
    fn wait(&self) {
        let start = Instant::now();
        let mut ready = Command::new(self.bin.join("pg_isready"));
        ready.args(["--quiet", "--host=127.0.0.1", "--port", &self.port.to_string()]);
        while !ready.status().unwrap().success() {
            assert!(start.elapsed() < Duration::from_secs(60), "the server does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn signal(&mut self, signal: &str) {
        let _ = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }

    #[allow(dead_code, reason = "some tests do not")]
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    #[allow(dead_code, reason = "some tests do not")]
    pub(crate) fn text(&self) -> String {
        format!("host=127.0.0.1 port={} user=ca dbname=postgres", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.signal("-INT");
        assert!(self.folder.path().exists());
    }
}

fn postgres(bin: &Path, folder: &Path, port: u16) -> Child {
    let mut server = command(&bin.join("postgres"));
    server.arg("-D").arg(folder.join("data")).args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c"]);
    server.arg(format!("unix_socket_directories={}", folder.display())).args(["-c", "max_connections=50"]);
    server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}
