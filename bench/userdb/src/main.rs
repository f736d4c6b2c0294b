//! One user looked up by name, interleaved in rounds: by Tagwise through the multiplexer and by the C library's `getpwnam_r`, by kirmes
//! through the same multiplexer, and by a process of `userdbctl`. systemd's service is started at its usual path if none is there.

use std::error::Error;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tagwise_userdb::{UserQuery, blocking, nss};

const SOCKET: &str = "/run/systemd/userdb/io.systemd.Multiplexer";
const DAEMON: &str = "/lib/systemd/systemd-userdbd";
const USER: &str = "root";
const ROUNDS: usize = 21;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A way of looking up, and how often in a round.
struct Way {
    name: &'static str,
    times: u32,
    once: Box<dyn FnMut() -> Result<Option<u32>>>,
}

fn main() -> Result<()> {
    let service = start()?;
    let result = compare();
    if let Some(mut service) = service {
        let _ = Command::new("pkill")
            .args(["-TERM", "-P", &service.id().to_string()])
            .status();
        let _ = service.kill();
        let _ = service.wait();
        let _ = std::fs::remove_file(SOCKET);
    }
    result
}

/// Starts systemd's service without systemd as init.
fn start() -> Result<Option<Child>> {
    if Path::new(SOCKET).exists() {
        return Ok(None);
    }
    std::fs::create_dir_all("/run/systemd/userdb")?;
    let mut command = Command::new("systemd-socket-activate");
    command
        .arg("-l")
        .arg(SOCKET)
        .arg(DAEMON)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = command.spawn()?;
    let start = Instant::now();
    while !Path::new(SOCKET).exists() {
        if start.elapsed() > Duration::from_secs(20) {
            return Err("no socket of systemd's service".into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(Some(child))
}

fn compare() -> Result<()> {
    let mut kept = blocking::Client::multiplexer()?;
    let mut ways = [
        Way {
            name: "Tagwise, one client",
            times: 200,
            once: Box::new(move || Ok(kept.user(&UserQuery::name(USER))?.uid)),
        },
        Way {
            name: "Tagwise, a client each time",
            times: 200,
            once: Box::new(|| Ok(blocking::Client::multiplexer()?.user(&UserQuery::name(USER))?.uid)),
        },
        Way {
            name: "kirmes 0.1.2",
            times: 200,
            once: Box::new(|| {
                let service = "io.systemd.Multiplexer".to_owned();
                let found = kirmes::get_user_record(None, Some(USER.to_owned()), None, service);
                let found = futures_lite::future::block_on(found).map_err(|error| format!("{error:?}"))?;
                Ok(found.first().and_then(|user| user.uid))
            }),
        },
        Way {
            name: "getpwnam_r (through Tagwise)",
            times: 200,
            once: Box::new(|| Ok(nss::user(&UserQuery::name(USER))?.and_then(|user| user.uid))),
        },
        Way {
            name: "userdbctl, a process",
            times: 5,
            once: Box::new(userdbctl),
        },
    ];
    let mut samples = vec![Vec::new(); ways.len()];
    for round in 0..=ROUNDS {
        for (way, samples) in ways.iter_mut().zip(&mut samples) {
            let start = Instant::now();
            for _ in 0..way.times {
                if (way.once)()? != Some(0) {
                    return Err(format!("{}: not the right user", way.name).into());
                }
            }
            // The first warms up.
            if round > 0 {
                samples.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(way.times));
            }
        }
    }
    println!("| way | µs, median of {ROUNDS} rounds | by the first |\n|---|--:|--:|");
    let medians: Vec<f64> = samples.iter_mut().map(|samples| median(samples)).collect();
    for (way, median) in ways.iter().zip(&medians) {
        println!("| {} | {median:.1} | {:.2} |", way.name, median / medians[0]);
    }
    Ok(())
}

fn userdbctl() -> Result<Option<u32>> {
    let output = Command::new("userdbctl")
        .args(["user", "--output=json", USER])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .contains("\"uid\" : 0")
        .then_some(0)
        .or_else(|| text.contains("\"uid\":0").then_some(0)))
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
