//! The client: whole AS exchanges, or their first request alone.

use std::net::UdpSocket;
use std::time::Duration;

use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, PreauthMethod, Step};
use tagwise_krb5::{Keytab, Principal};

use crate::Result;
use crate::realm::Realm;

/// A way of asking.
pub(crate) enum Asking {
    /// The request, the answer that names preauthentication, a second request with the time under ann's key, the ticket.
    Whole(Keytab),
    /// The request for a name and the answer to it.
    First(&'static str),
}

/// The keys of ann, made once: string-to-key is the client's work and not what is measured.
pub(crate) fn login_key(realm: &Realm) -> Result<Keytab> {
    Ok(Keytab::from_bytes(&std::fs::read(realm.path("ann.keytab"))?)?)
}

impl Asking {
    pub(crate) fn once(&self, realm: &Realm) -> Result<()> {
        let (name, login, only_first) = match self {
            Self::Whole(keytab) => ("ann", Login::Keytab(keytab.clone()), false),
            Self::First(name) => (*name, Login::Password(Secret::from(Vec::new())), true),
        };
        let options = AsOptions {
            methods: vec![PreauthMethod::EncTimestamp],
            ..AsOptions::new(Principal::parse(name, Some(realm.name()))?)
        };
        let backend = AwsLc::new();
        let mut exchange = AsExchange::new(&backend, options, login);
        let mut step = exchange.start(Moment::now())?;
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.connect(realm.address())?;
        socket.set_read_timeout(Some(Duration::from_secs(10)))?;
        let mut buffer = vec![0; 65_536];
        loop {
            let Step::Send { message, .. } = step else {
                return Ok(());
            };
            socket.send(&message)?;
            let count = socket.recv(&mut buffer)?;
            let reply = buffer.get(..count).unwrap_or_default();
            if only_first {
                // KRB-ERROR is APPLICATION 30: what must come, for nobody proved anything.
                return if reply.first() == Some(&0x7E) {
                    Ok(())
                } else {
                    Err("the KDC answered with a ticket".into())
                };
            }
            step = exchange.reply(Moment::now(), reply)?;
        }
    }
}
