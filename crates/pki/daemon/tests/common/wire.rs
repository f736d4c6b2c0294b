//! A network between two servers that can be cut.

use std::net::Ipv4Addr;

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// The state of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    Up,
    /// Nothing is forwarded, and no connection ends.
    Silent,
    /// Connections are reset, as they are by a host that has lost them, or once a time limit for acknowledgments has passed.
    Down,
}

/// A proxy on loopback that forwards connections to a port.
pub(crate) struct Wire {
    pub(crate) port: u16,
    state: watch::Sender<Network>,
}

impl Wire {
    pub(crate) fn start(runtime: &Runtime, to: u16) -> Self {
        let (state, told) = watch::channel(Network::Up);
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(carry(stream, to, told.clone()));
            }
        });
        Self { port, state }
    }

    pub(crate) fn set(&self, state: Network) {
        self.state.send_replace(state);
    }
}

async fn carry(mut near: TcpStream, to: u16, mut state: watch::Receiver<Network>) {
    if let Ok(mut far) = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).await {
        tokio::select! {
            biased;
            _ = state.wait_for(|state| *state != Network::Up) => {}
            _ = tokio::io::copy_bidirectional(&mut near, &mut far) => return,
        }
        // What arrives meanwhile stays in the buffers, and is lost.
        let _ = state.wait_for(|state| *state != Network::Silent).await;
        let _ = far.set_zero_linger();
    }
    let _ = near.set_zero_linger();
}
