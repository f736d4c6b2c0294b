//! Paths of a local KDC, below a prefix or in the system.

use std::path::{Path, PathBuf};

/// Paths of a local KDC.
#[derive(Clone, Debug)]
pub struct Layout {
    prefix: PathBuf,
}

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident = $path:literal;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self) -> PathBuf {
            self.prefix.join($path)
        }
    )*};
}

impl Layout {
    /// Returns the paths below a prefix; `/` is the system.
    ///
    /// # Errors
    ///
    /// A prefix that cannot be made absolute, or has characters that files of configuration cannot quote.
    pub fn new(prefix: &Path) -> Result<Self, super::SetupError> {
        let prefix = std::path::absolute(prefix).map_err(super::SetupError::at(prefix))?;
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
        let text = prefix.to_str().filter(|text| text.bytes().all(good));
        // The longest path of a socket that systems take is 107 bytes.
        match text {
            Some(text) if text.len() <= 70 => Ok(Self { prefix }),
            Some(_) => {
                Err(super::SetupError::Other(format!("{}: the prefix must have 70 bytes at most", prefix.display())))
            }
            None => Err(super::SetupError::Other(format!(
                "{}: the prefix must be letters, digits, `.`, `_`, `-` and `+`",
                prefix.display()
            ))),
        }
    }

    /// Returns whether this is the system, not a prefix.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.prefix == Path::new("/")
    }

    /// The prefix.
    #[must_use]
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    paths! {
        /// The policy.
        policy = "etc/localkdc/localkdc.toml";
        /// The KDC's configuration.
        kdc_conf = "etc/localkdc/kdc.conf";
        /// The realm, for clients: a part of `krb5.conf`.
        snippet = "etc/krb5.conf.d/localkdc.conf";
        /// The whole configuration of clients, which a setup makes below a prefix only.
        krb5_conf = "etc/krb5.conf";
        /// Keys of the services `host/…`.
        keytab = "etc/localkdc/host.keytab";
        /// The certificate that clients trust when they ask for an anonymous ticket.
        ca = "etc/localkdc/ca.pem";
        /// Folder of the database.
        state = "var/lib/localkdc";
        /// Folder in which the KDC finds the driver of its database.
        modules = "var/lib/localkdc/modules";
        /// The driver, a link to the shared object.
        driver = "var/lib/localkdc/modules/localkdc.so";
        /// The database of SQLite.
        database = "var/lib/localkdc/principal.sqlite";
        /// The database of a module of MIT's, a name to which it adds.
        mit_database = "var/lib/localkdc/principal";
        /// The master key.
        stash = "var/lib/localkdc/stash";
        /// The master key, sealed.
        sealed_stash = "var/lib/localkdc/stash.sealed";
        /// Keys on their way into a keytab, there only while a rotation writes it.
        rotation = "var/lib/localkdc/rotation.keytab";
        /// The KDC's certificate.
        certificate = "var/lib/localkdc/kdc.pem";
        /// The KDC's key.
        key = "var/lib/localkdc/kdc.key";
        /// The manifest of what a setup made.
        manifest = "var/lib/localkdc/manifest.json";
        /// Folder of records.
        logs = "var/log/localkdc";
        /// The KDC's log.
        kdc_log = "var/log/localkdc/kdc.log";
        /// The record of requests.
        audit = "var/log/localkdc/audit.jsonl";
        /// Folder of sockets.
        run = "run/localkdc";
        /// Socket of the check of passwords.
        radius = "run/localkdc/radius.sock";
        /// Socket of the KDC, from MIT's version 1.22 on.
        kdc_socket = "run/localkdc/kdc.sock";
        /// Folder of units of systemd.
        units = "etc/systemd/system";
    }
}
