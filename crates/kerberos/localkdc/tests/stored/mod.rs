//! A local KDC without a check of passwords: stored principals and services alone.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test uses a part")]

#[path = "../prefix/mod.rs"]
mod prefix;

use std::ops::{Deref, DerefMut};

use prefix::{Prefix, fed, has_programs};
pub use prefix::{program, start, text};
use tagwise_localkdc::setup::SetupError;

pub struct Lab {
    prefix: Prefix,
}

impl Deref for Lab {
    type Target = Prefix;

    fn deref(&self) -> &Prefix {
        &self.prefix
    }
}

impl DerefMut for Lab {
    fn deref_mut(&mut self) -> &mut Prefix {
        &mut self.prefix
    }
}

impl Lab {
    /// A prefix with this policy; skips the test without MIT's programs.
    pub fn new(policy: &str) -> Option<Self> {
        let prefix = has_programs().then(|| {
            Prefix::new(|base, layout| {
                let audit = format!("[audit]\njournal = false\nfile = '{}'\n", layout.audit().display());
                format!("{}\n{audit}", policy.replace("BASE", base))
            })
        });
        prefix.map(|prefix| Self { prefix })
    }

    pub fn setup(&self) -> Result<(), SetupError> {
        self.wanted().plan()?.apply()
    }

    /// The output of a command that must succeed.
    pub fn run(&self, name: &str, arguments: &[&str]) -> String {
        let (success, said) = self.tried(name, arguments);
        assert!(success, "{name} {arguments:?}: {said}{}", self.log());
        said
    }

    /// kadmin.local, whose arguments are the words of a text.
    pub fn local(&self, query: &str) -> String {
        self.run("kadmin.local", &[&["-r", "LOCALKDC"], &query.split(' ').collect::<Vec<_>>()[..]].concat())
    }

    /// `kinit` with a password.
    pub fn kinit(&self, name: &str, password: &str) -> (bool, String) {
        let mut command = self.command("kinit");
        command.arg(name);
        fed(command, &format!("{password}\n"))
    }
}
