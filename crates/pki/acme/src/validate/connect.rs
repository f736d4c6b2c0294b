//! TCP connections to addresses that were resolved before.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpStream;

use crate::problem::{Kind, Problem};

/// The maximum number of addresses to try, and the time for each.
const ATTEMPTS: usize = 4;
const EACH: Duration = Duration::from_secs(3);

/// Connects to the first address that answers.
pub(super) async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, Problem> {
    let mut last = String::new();
    for address in addresses.iter().take(ATTEMPTS) {
        let address = SocketAddr::new(*address, port);
        match tokio::time::timeout(EACH, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = format!("{address}: {error}"),
            Err(_) => last = format!("{address}: no answer within {} seconds", EACH.as_secs()),
        }
    }
    Err(Problem::new(Kind::Connection, format!("the connection failed: {last}")))
}
