//! The server of the page: for one browser on this host, and for a limited time.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The files of the page, with their media types.
const PAGE: [(&str, &str, &str); 6] = [
    ("", "text/html; charset=utf-8", include_str!("../../../../../web/index.html")),
    ("icon.svg", "image/svg+xml", include_str!("../../../../../web/icon.svg")),
    ("style.css", "text/css; charset=utf-8", include_str!("../../../../../web/style.css")),
    ("view.js", "text/javascript; charset=utf-8", include_str!("../../../../../web/view.js")),
    ("draw.js", "text/javascript; charset=utf-8", include_str!("../../../../../web/draw.js")),
    ("text.js", "text/javascript; charset=utf-8", include_str!("../../../../../web/text.js")),
];

const DOCUMENT: &str = "document.json";

/// The maximum size of a request, and the time to receive all of it.
const REQUEST: usize = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);

/// The time to send an answer.
const ANSWER: Duration = Duration::from_secs(60);

/// The time after the document in which the browser may load the rest of the page, such as its icon.
const GRACE: Duration = Duration::from_secs(1);

/// The number of simultaneous connections. Others wait until one of them ends.
const CONNECTIONS: usize = 64;

/// The interval at which the listener is asked for a connection.
const PAUSE: Duration = Duration::from_millis(20);

/// The page, and the state of its delivery.
pub(super) struct Site {
    /// The address and port, as in the field Host.
    host: String,
    /// The path with the token.
    base: String,
    document: String,
    /// Set while the document is sent, and afterward.
    is_taken: AtomicBool,
    /// Set when it was sent completely.
    is_loaded: AtomicBool,
    connections: AtomicUsize,
}

impl Site {
    pub(super) fn new(host: String, base: String, document: String) -> Self {
        Self {
            host,
            base,
            document,
            is_taken: AtomicBool::new(false),
            is_loaded: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}{}", self.host, self.base)
    }

    /// Serves the page until the browser has loaded the document, or until `wait` has passed. Returns whether it was loaded.
    ///
    /// # Errors
    /// Returns an error if no connection can be accepted.
    pub(super) fn serve(self, listener: &TcpListener, wait: Duration) -> io::Result<bool> {
        listener.set_nonblocking(true)?;
        let site = Arc::new(self);
        let mut end = Instant::now().checked_add(wait);
        let mut is_loaded = false;
        loop {
            // Only the first load sets the end.
            if !is_loaded && site.is_loaded.load(Ordering::Acquire) {
                is_loaded = true;
                end = Instant::now().checked_add(GRACE);
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(is_loaded);
            }
            if site.connections.load(Ordering::Acquire) < CONNECTIONS {
                match listener.accept() {
                    Ok((stream, _)) => {
                        site.connections.fetch_add(1, Ordering::AcqRel);
                        let connection = Connection(Arc::clone(&site));
                        // A failing client, or a failure to start a thread for it, does not end the command.
                        let _ = thread::Builder::new().spawn(move || {
                            let _ = connection.0.answer(&stream);
                        });
                        continue;
                    }
                    Err(error) if is_passing(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            thread::sleep(PAUSE);
        }
    }

    /// Answers one request.
    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        let head = receive(stream)?;
        let (status, media, body) = match self.wanted(&String::from_utf8_lossy(&head)) {
            Ok(DOCUMENT) => return self.send_document(stream),
            Ok(name) => match PAGE.iter().find(|(known, ..)| name == *known) {
                // The attribute tells the page to fetch the document.
                Some((_, media, text)) => ("200 OK", *media, text.replacen("<html ", "<html data-served ", 1)),
                None => refused("404 Not Found"),
            },
            Err(status) => refused(status),
        };
        send(stream, status, media, &body)
    }

    /// Sends the document, but only to one client.
    fn send_document(&self, stream: &TcpStream) -> io::Result<()> {
        if self.is_taken.swap(true, Ordering::AcqRel) {
            let (status, media, body) = refused("404 Not Found");
            return send(stream, status, media, &body);
        }
        let sent = send(stream, "200 OK", "application/json", &self.document);
        // A client that went away has not loaded it.
        match &sent {
            Ok(()) => self.is_loaded.store(true, Ordering::Release),
            Err(_) => self.is_taken.store(false, Ordering::Release),
        }
        sent
    }

    /// Returns the file that a request asks for, without the base.
    ///
    /// # Errors
    /// Returns the status for a request that is refused.
    fn wanted<'h>(&self, head: &'h str) -> Result<&'h str, &'static str> {
        const MALFORMED: &str = "400 Bad Request";
        const FOREIGN: &str = "403 Forbidden";
        let mut lines = head.lines();
        let first = lines.next().unwrap_or_default();
        let mut fields = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or(MALFORMED)?;
            // No whitespace in names, and no folded lines (RFC 9112 §5.1, §5.2).
            if name.is_empty() || name.contains(|next: char| next.is_ascii_whitespace()) {
                return Err(MALFORMED);
            }
            fields.push((name, value.trim()));
        }
        let field = |wanted: &'static str| {
            fields.iter().filter(move |(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| *value)
        };
        // Exactly one Host (RFC 9112 §3.2).
        let mut hosts = field("host");
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(MALFORMED) };
        let path = first.strip_prefix("GET ").and_then(|rest| rest.split(' ').next());
        let name = path.and_then(|path| path.strip_prefix(self.base.as_str()));
        // A name that resolves to this address is another origin.
        let name = name.filter(|_| host == self.host).ok_or("404 Not Found")?;
        let own = format!("http://{}", self.host);
        if field("origin").any(|origin| origin != own) {
            return Err(FOREIGN);
        }
        // Fetch Metadata Request Headers §2.3. Only the page itself, which has nothing of the files, may be opened from elsewhere: from
        // the file that the browser is given.
        let is = |name: &'static str, value: &str| field(name).eq([value]);
        let is_opened = name.is_empty() && is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document");
        if field("sec-fetch-site").any(|site| !matches!(site, "same-origin" | "none")) && !is_opened {
            return Err(FOREIGN);
        }
        Ok(name)
    }
}

/// A connection, counted while it is open.
struct Connection(Arc<Site>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Returns whether a later call may accept a connection.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted | ConnectionAborted | ConnectionReset)
}

fn refused(status: &'static str) -> (&'static str, &'static str, String) {
    let words = status.split_once(' ').map_or(status, |(_, words)| words);
    (status, "text/plain", format!("{}\n", words.to_lowercase()))
}

/// Returns the time that is left.
fn left(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Receives the head of a request. All of it has to arrive in time, not each part.
fn receive(mut stream: &TcpStream) -> io::Result<Vec<u8>> {
    let end = Instant::now() + PATIENCE;
    let mut head = Vec::new();
    let mut part = [0; 4096];
    while head.len() < REQUEST {
        stream.set_read_timeout(Some(left(end)?))?;
        let count = stream.read(&mut part)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let before = head.len().saturating_sub(3);
        head.extend(part.iter().take(count));
        let new = head.get(before..).unwrap_or_default();
        if new.windows(4).any(|end| end == b"\r\n\r\n") || new.windows(2).any(|end| end == b"\n\n") {
            return Ok(head);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

fn send(mut stream: &TcpStream, status: &str, media: &str, body: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
        body.len()
    );
    let end = Instant::now() + ANSWER;
    for mut rest in [head.as_bytes(), body.as_bytes()] {
        while !rest.is_empty() {
            stream.set_write_timeout(Some(left(end)?))?;
            let count = stream.write(rest)?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = rest.get(count..).unwrap_or_default();
        }
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_the_page_alone_are_answered() {
        let site = Site::new("127.0.0.1:1".to_owned(), "/t/".to_owned(), String::new());
        let host = "Host: 127.0.0.1:1\r\n";
        let opened = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
        for (path, fields, expected) in [
            ("/t/", host.to_owned(), Ok("")),
            ("/t/document.json", host.to_owned(), Ok(DOCUMENT)),
            (
                "/t/document.json",
                format!("{host}Origin: http://127.0.0.1:1\r\nSec-Fetch-Site: same-origin\r\n"),
                Ok(DOCUMENT),
            ),
            ("/t/", format!("{host}Sec-Fetch-Site: none\r\n"), Ok("")),
            // From the file that the browser is given.
            ("/t/", format!("{host}{opened}"), Ok("")),
            ("/t/document.json", format!("{host}{opened}"), Err("403 Forbidden")),
            ("/t/", format!("{host}Sec-Fetch-Site: cross-site\r\n"), Err("403 Forbidden")),
            ("/t/document.json", format!("{host}Sec-Fetch-Site: same-site\r\n"), Err("403 Forbidden")),
            ("/t/document.json", format!("{host}Origin: http://evil.example\r\n"), Err("403 Forbidden")),
            ("/t/document.json", format!("{host}Origin: null\r\n"), Err("403 Forbidden")),
            ("/t/document.json", format!("{host}{host}"), Err("400 Bad Request")),
            ("/t/document.json", format!("{host}host: evil.example\r\n"), Err("400 Bad Request")),
            ("/t/document.json", String::new(), Err("400 Bad Request")),
            ("/t/document.json", format!("{host}Origin : http://evil.example\r\n"), Err("400 Bad Request")),
            ("/t/document.json", format!("{host} folded: x\r\n"), Err("400 Bad Request")),
            ("/t/document.json", "Host: evil.example:1\r\n".to_owned(), Err("404 Not Found")),
            ("/u/document.json", host.to_owned(), Err("404 Not Found")),
        ] {
            let head = format!("GET {path} HTTP/1.1\r\n{fields}\r\n");
            assert_eq!(site.wanted(&head), expected, "{head}");
        }
        assert_eq!(site.wanted(&format!("POST /t/document.json HTTP/1.1\r\n{host}\r\n")), Err("404 Not Found"));
    }
}
