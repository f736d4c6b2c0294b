//! The paths of a local KDC, below a prefix or in the system.

use std::path::{Path, PathBuf};

/// The paths of a local KDC.
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
    /// Creates the paths below a prefix. `/` means the system itself.
    ///
    /// # Errors
    ///
    /// Returns an error if the prefix cannot be made absolute, or contains characters that cannot be quoted in configuration
    /// files.
    pub fn new(prefix: &Path) -> Result<Self, super::SetupError> {
        let prefix = std::path::absolute(prefix).map_err(super::SetupError::at(prefix))?;
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
        let text = prefix.to_str().filter(|text| text.bytes().all(good));
        // The longest path of a socket that systems take is 107 bytes.
        match text {
            Some(text) if text.len() <= 70 => Ok(Self { prefix }),
            Some(_) => {
                Err(super::SetupError::Other(format!("{}: the prefix must have at most 70 bytes", prefix.display())))
            }
            None => Err(super::SetupError::Other(format!(
                "{}: the prefix must be letters, digits, `.`, `_`, `-` and `+`",
                prefix.display()
            ))),
        }
    }

    /// Returns whether this layout uses the system's own directories rather than a prefix.
    #[must_use]
    pub fn is_system(&self) -> bool {
        self.prefix == Path::new("/")
    }

    /// Returns the directory that contains all paths.
    #[must_use]
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    paths! {
        /// The policy file.
        policy = "etc/localkdc/localkdc.toml";
        /// The KDC's configuration.
        kdc_conf = "etc/localkdc/kdc.conf";
        /// The realm's configuration for clients, as a part of `krb5.conf`.
        snippet = "etc/krb5.conf.d/localkdc.conf";
        /// The complete client configuration, created only below a prefix.
        krb5_conf = "etc/krb5.conf";
        /// The keys of the `host/…` services.
        keytab = "etc/localkdc/host.keytab";
        /// The CA certificate that clients trust when they request anonymous tickets.
        ca = "etc/localkdc/ca.pem";
        /// The database directory.
        state = "var/lib/localkdc";
        /// The directory in which the KDC finds its database driver.
        modules = "var/lib/localkdc/modules";
        /// The driver, as a link to the shared object.
        driver = "var/lib/localkdc/modules/localkdc.so";
        /// The SQLite database.
        database = "var/lib/localkdc/principal.sqlite";
        /// The base name of a database managed by one of MIT's modules.
        mit_database = "var/lib/localkdc/principal";
        /// The master key.
        stash = "var/lib/localkdc/stash";
        /// The sealed master key.
        sealed_stash = "var/lib/localkdc/stash.sealed";
        /// New keys for a keytab, present only during a rotation.
        rotation = "var/lib/localkdc/rotation.keytab";
        /// The KDC's certificate.
        certificate = "var/lib/localkdc/kdc.pem";
        /// The KDC's private key.
        key = "var/lib/localkdc/kdc.key";
        /// The manifest of the paths that setups created.
        manifest = "var/lib/localkdc/manifest.json";
        /// The log directory.
        logs = "var/log/localkdc";
        /// The KDC's log.
        kdc_log = "var/log/localkdc/kdc.log";
        /// The audit records.
        audit = "var/log/localkdc/audit.jsonl";
        /// The socket directory.
        run = "run/localkdc";
        /// The socket for password checks.
        radius = "run/localkdc/radius.sock";
        /// The KDC's socket, for MIT 1.22 and later.
        kdc_socket = "run/localkdc/kdc.sock";
        /// The directory for systemd units.
        units = "etc/systemd/system";
    }
}
