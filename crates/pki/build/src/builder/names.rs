//! A list of alternative names under construction.

use core::net::IpAddr;

use tagwise_codec::{Decode, Owned};

use crate::BuildError;
use tagwise_x509::ext::{GeneralName, GeneralNames, SubjectAltName};

/// Alternative names in insertion order.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<One>);

#[derive(Clone, Debug)]
enum One {
    Dns(String),
    Email(String),
    Uri(String),
    Ip(IpAddr),
    Other(Owned<GeneralName<'static>>),
}

impl One {
    fn name(&self) -> Result<GeneralName<'_>, BuildError> {
        // The only possible fault of a host name, mailbox or URI here.
        const ASCII: BuildError =
            BuildError::Invalid { what: "a name contains a non-ASCII character", clause: "RFC 5280 §4.2.1.6" };
        Ok(match self {
            Self::Dns(host) => GeneralName::dns(host).map_err(|_| ASCII)?,
            Self::Email(mailbox) => GeneralName::email(mailbox).map_err(|_| ASCII)?,
            Self::Uri(uri) => GeneralName::uri(uri).map_err(|_| ASCII)?,
            Self::Ip(address) => GeneralName::from(*address),
            Self::Other(name) => GeneralName::from_der(name.as_der())?,
        })
    }
}

impl Names {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn dns(&mut self, host: String) {
        self.0.push(One::Dns(host));
    }

    pub(super) fn email(&mut self, mailbox: String) {
        self.0.push(One::Email(mailbox));
    }

    pub(super) fn uri(&mut self, uri: String) {
        self.0.push(One::Uri(uri));
    }

    pub(super) fn ip(&mut self, address: IpAddr) {
        self.0.push(One::Ip(address));
    }

    pub(super) fn other(&mut self, name: &GeneralName<'_>) -> Result<(), BuildError> {
        self.0.push(One::Other(Owned::new(name)?));
        Ok(())
    }

    /// Passes the subject alternative name extension to a callback, unless the list is empty.
    pub(super) fn with(
        &self,
        add: impl FnOnce(&SubjectAltName<'_>) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        if self.is_empty() {
            return Ok(());
        }
        let names = self.0.iter().map(One::name).collect::<Result<Vec<_>, _>>()?;
        add(&SubjectAltName(GeneralNames(names.as_slice().into())))
    }
}

/// Defines a builder's setters for alternative names.
macro_rules! setters {
    () => {
        /// Adds a host name to the subject alternative names.
        pub fn dns(mut self, host: impl Into<String>) -> Self {
            self.names.dns(host.into());
            self
        }

        /// Adds an IP address to the subject alternative names.
        pub fn ip(mut self, address: impl Into<core::net::IpAddr>) -> Self {
            self.names.ip(address.into());
            self
        }

        /// Adds a mailbox to the subject alternative names.
        pub fn email(mut self, mailbox: impl Into<String>) -> Self {
            self.names.email(mailbox.into());
            self
        }

        /// Adds a URI to the subject alternative names.
        pub fn uri(mut self, uri: impl Into<String>) -> Self {
            self.names.uri(uri.into());
            self
        }

        /// Adds a name of any type to the subject alternative names.
        ///
        /// # Errors
        /// Returns an error if the name cannot be encoded.
        pub fn name(mut self, name: &tagwise_x509::ext::GeneralName<'_>) -> Result<Self, BuildError> {
            self.names.other(name)?;
            Ok(self)
        }
    };
}

pub(super) use setters;
