//! A KCM service on a UNIX socket, of what MIT's client asks for: caches by name, credentials as they came.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

const NO_FILE: i32 = -1_765_328_189;
const END: i32 = -1_765_328_242;
const UNKNOWN: i32 = -1_765_328_188;

#[derive(Default)]
struct Cache {
    name: Vec<u8>,
    principal: Vec<u8>,
    credentials: Vec<([u8; 16], Vec<u8>)>,
    offset: [u8; 4],
    id: [u8; 16],
}

#[derive(Default)]
struct State {
    caches: Vec<Cache>,
    primary: Option<Vec<u8>>,
    count: u128,
}

/// Starts one, whose thread ends with the process.
pub fn start(path: &Path) {
    let listener = UnixListener::bind(path).unwrap();
    let state = Arc::new(Mutex::new(State::default()));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let state = Arc::clone(&state);
            std::thread::spawn(move || while answer(&stream, &state).is_some() {});
        }
    });
}

fn answer(mut stream: &UnixStream, state: &Mutex<State>) -> Option<()> {
    let mut len = [0; 4];
    stream.read_exact(&mut len).ok()?;
    let mut request = vec![0; u32::from_be_bytes(len) as usize];
    stream.read_exact(&mut request).ok()?;
    let (head, rest) = request.split_first_chunk::<4>()?;
    assert_eq!(head[..2], [2, 0], "the version");
    let done = state.lock().unwrap().call(u16::from_be_bytes([head[2], head[3]]), rest);
    let (code, value) = done.map_or_else(|code| (code, Vec::new()), |value| (0, value));
    let answer = [&code.to_be_bytes()[..], &value].concat();
    let len = u32::try_from(answer.len()).unwrap();
    stream.write_all(&[&len.to_be_bytes()[..], &[0; 4], &answer].concat()).ok()
}

fn name(rest: &[u8]) -> Result<(Vec<u8>, &[u8]), i32> {
    let end = rest.iter().position(|octet| *octet == 0).ok_or(UNKNOWN)?;
    Ok((rest[..end].to_vec(), &rest[end + 1..]))
}

impl State {
    fn next(&mut self) -> [u8; 16] {
        self.count += 1;
        self.count.to_be_bytes()
    }

    fn find(&mut self, name: &[u8]) -> Result<&mut Cache, i32> {
        self.caches.iter_mut().find(|cache| cache.name == name).ok_or(NO_FILE)
    }

    fn call(&mut self, operation: u16, rest: &[u8]) -> Result<Vec<u8>, i32> {
        let ended = |name: &[u8]| [name, b"\0"].concat();
        match operation {
            3 => {
                let number = self.next()[15];
                Ok(format!("1000:{number}\0").into_bytes())
            }
            4 => {
                let (name, principal) = name(rest)?;
                let id = self.next();
                self.caches.retain(|cache| cache.name != name);
                self.caches.push(Cache { name, principal: principal.to_vec(), id, ..Cache::default() });
                Ok(Vec::new())
            }
            5 => {
                let (name, _) = name(rest)?;
                self.find(&name)?;
                self.caches.retain(|cache| cache.name != name);
                Ok(Vec::new())
            }
            6 => {
                let (name, credential) = name(rest)?;
                let id = self.next();
                self.find(&name)?.credentials.push((id, credential.to_vec()));
                Ok(Vec::new())
            }
            8 => Ok(self.find(&name(rest)?.0)?.principal.clone()),
            9 => Ok(self.find(&name(rest)?.0)?.credentials.iter().flat_map(|(id, _)| *id).collect()),
            10 => {
                let (name, id) = name(rest)?;
                let found = self.find(&name)?.credentials.iter().find(|(of, _)| of == id);
                found.map(|(_, credential)| credential.clone()).ok_or(END)
            }
            18 if self.caches.is_empty() => Err(NO_FILE),
            18 => Ok(self.caches.iter().flat_map(|cache| cache.id).collect()),
            19 => self.caches.iter().find(|cache| cache.id == *rest).map(|cache| ended(&cache.name)).ok_or(END),
            20 => Ok(ended(self.primary.as_deref().unwrap_or(b"1000"))),
            21 => {
                self.primary = Some(name(rest)?.0);
                Ok(Vec::new())
            }
            22 => Ok(self.find(&name(rest)?.0)?.offset.to_vec()),
            23 => {
                let (name, offset) = name(rest)?;
                self.find(&name)?.offset = offset.try_into().map_err(|_| UNKNOWN)?;
                Ok(Vec::new())
            }
            _ => Err(UNKNOWN),
        }
    }
}
