//! Services that answer as a test wants.

#![allow(dead_code, clippy::unwrap_used, reason = "tests")]

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

use tagwise_userdb::{Budget, Client, blocking};

/// A service of one connection: it reads a question, and `answer` does the rest.
pub(crate) struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    pub(crate) fn new(answer: impl FnOnce(String, UnixStream) + Send + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("socket")).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut question, mut byte) = (Vec::new(), [0]);
            while stream.read(&mut byte).unwrap() == 1 && byte != [0] {
                question.extend(byte);
            }
            answer(String::from_utf8(question).unwrap(), stream);
        });
        Self { folder }
    }

    /// A service that sends texts, each with its NUL.
    pub(crate) fn saying(texts: &[&str]) -> Self {
        let octets: Vec<u8> = texts.iter().flat_map(|text| text.bytes().chain([0])).collect();
        Self::new(move |_, mut stream| {
            // The client may have gone after what it did not like.
            let _ = stream.write_all(&octets);
        })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    pub(crate) fn client(&self) -> blocking::Client {
        let mut budget = Budget::DEFAULT;
        budget.time = Duration::from_secs(5);
        blocking::Client::new(Client::at(self.path(), "org.example.Fake").with_budget(budget)).unwrap()
    }
}
