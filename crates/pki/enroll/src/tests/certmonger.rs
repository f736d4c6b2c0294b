//! SCEP with certmonger. It runs without D-Bus, with its files in a folder of the test.

use std::path::Path;
use std::process::Command;

use super::net::Net;
use super::scep::Site;
use super::*;
use crate::requests;

/// A CA with a SCEP server, and the folder of its client.
struct Story {
    net: Net,
    authority: Arc<Authority>,
    directory: tempfile::TempDir,
    challenge: String,
}

impl Story {
    /// Returns `None` if certmonger is not installed.
    fn new(policy: &str, grant: &str) -> Option<Self> {
        if !has("certmonger") || !has("getcert") || !has("openssl") {
            return None;
        }
        let mut site = Site::new(policy);
        let (_, challenge) = site.world.secret(Usage::Challenge, grant, false);
        let directory = tempfile::tempdir().unwrap();
        let authority = site.world.authority();
        std::fs::write(directory.path().join("root.pem"), pem("CERTIFICATE", authority.certificate_der())).unwrap();
        let scep = Arc::new(site.scep.clone());
        Some(Self { net: Net::plain(site.world, scep), authority, directory, challenge })
    }

    fn file(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs commands of a shell while certmonger's service is running. `$URL` and `$CHALLENGE` are the server's.
    fn run(&self, commands: &str) -> String {
        let script = self.file("story.sh");
        // The service passes no variables and no folder on.
        let (folder, address, challenge) = (self.file(""), self.net.address, &self.challenge);
        let text = format!("cd {folder}\nURL=http://{address}/scep\nCHALLENGE={challenge}\n{commands}\n");
        std::fs::write(&script, text).unwrap();
        let mut command = Command::new("certmonger");
        // `-L`: a socket instead of D-Bus. The service stops when the command has ended.
        command.args(["-L", "-P", &self.file("socket"), "-n", "-c", &format!("sh {script}")]);
        command.env("HOME", self.directory.path()).env("CERTMONGER_SYSTEM_LOCK_FILE", self.file("lock"));
        for name in ["CAS", "CONFIG", "LOCAL_CA", "REQUESTS", "TMP"] {
            std::fs::create_dir_all(self.file(name)).unwrap();
            let variable = format!("CERTMONGER_{name}{}", if name == "TMP" { "DIR" } else { "_DIR" });
            command.env(variable, self.file(name));
        }
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{commands}: {text}");
        text
    }

    /// The public key of an issued certificate, which must be the private key's.
    fn key(&self, name: &str) -> String {
        let (certificate, key) = (self.file(&format!("{name}.pem")), self.file(&format!("{name}.key")));
        run("openssl", &["verify", "-CAfile", &self.file("root.pem"), &certificate]);
        let public = run("openssl", &["x509", "-in", &certificate, "-noout", "-pubkey"]);
        assert_eq!(run("openssl", &["pkey", "-in", &key, "-pubout"]), public);
        public
    }
}

const ADD: &str = "getcert add-scep-ca -c ours -u $URL";
/// Waits for an answer, and prints each state.
const WAIT: &str = "-w -v";
/// Waits for a certificate. A new service polls at once.
const POLL: &str = "for i in $(seq 100); do getcert list | grep -q MONITORING && break; sleep 0.2; done; getcert list";

fn ask(host: &str) -> String {
    let key = "-f $PWD/one.pem -k $PWD/one.key";
    format!("getcert request -c ours -I one {key} -N CN={host} -D {host} -L $CHALLENGE {WAIT}")
}

#[test]
fn certmonger_enrolls_and_renews() {
    let Some(story) = Story::new(POLICY, "servers") else { return };
    let text = story.run(&format!("{ADD}; {}; getcert list", ask("www.example.org")));
    assert!(text.contains("status: MONITORING"), "{text}");
    assert!(text.contains("dns: www.example.org"), "{text}");
    let first = story.key("one");
    // The old certificate signs the request for the new key.
    let text = story.run(&format!("getcert rekey -i one {WAIT}; getcert list"));
    assert!(text.contains("status: MONITORING"), "{text}");
    assert_ne!(story.key("one"), first, "{text}");
}

#[test]
fn certmonger_polls_for_approval() {
    let Some(story) = Story::new(POLICY, "reviewed") else { return };
    let text = story.run(&format!("{ADD}; {}; getcert list", ask("a.review.example.org")));
    assert!(text.contains("status: CA_WORKING"), "{text}");
    let id = requests::list(&mut *story.net.store(), &story.authority).unwrap()[0].id.clone();
    assert!(requests::approve(&mut *story.net.store(), &story.authority, &id).unwrap());
    let text = story.run(POLL);
    assert!(text.contains("status: MONITORING"), "{text}");
    story.key("one");
}

#[test]
fn certmonger_reports_a_rejection() {
    let Some(story) = Story::new(POLICY, "servers") else { return };
    let text = story.run(&format!("{ADD}; {}; getcert list", ask("www.evil.example")));
    assert!(text.contains("status: CA_REJECTED"), "{text}");
    assert!(!Path::new(&story.file("one.pem")).exists());
}
