//! Sources of anchors: any supported input format, files and directories, system stores, and Mozilla's list.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, Error, Oid};
use tagwise_pkix::{CertificateBuf, oids};
use tagwise_store::{Contents, ContentsKind, InputForm, Level, Limits, Trust};
use tagwise_text::openssl::TrustSettings;

use super::{Anchor, AnchorConstraints, Anchors};

/// Bundles for a single purpose, which p11-kit extracts on Fedora, RHEL and related distributions.
const BY_PURPOSE: &[(&str, Oid<'static>)] = &[
    ("etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", oids::KP_SERVER_AUTH),
    ("etc/pki/ca-trust/extracted/pem/email-ca-bundle.pem", oids::KP_EMAIL_PROTECTION),
    ("etc/pki/ca-trust/extracted/pem/objsign-ca-bundle.pem", oids::KP_CODE_SIGNING),
];

/// Bundles for every purpose, in order of preference.
const BUNDLES: &[&str] = &[
    // Debian, Ubuntu, Arch, Gentoo.
    "etc/ssl/certs/ca-certificates.crt",
    // Older ones of Fedora and its relatives.
    "etc/pki/tls/certs/ca-bundle.crt",
    // openSUSE.
    "etc/ssl/ca-bundle.pem",
    // Alpine.
    "etc/ssl/cert.pem",
];

impl Anchors {
    /// Adds the certificates in any input that [`Contents`] supports (PEM, DER, PKCS #7, certdata.txt and archives),
    /// and the anchors in a TrustAnchorList (RFC 5914). Returns the errors of certificates and anchors that cannot be read.
    ///
    /// Purposes and dates in certdata.txt, and the trusted and rejected uses in an OpenSSL `TRUSTED CERTIFICATE`,
    /// become constraints. Certificates with unreadable uses, or without any trusted purpose, are omitted. Certificates
    /// that are distrusted for all purposes are added to the distrusted certificates. The digest of a Java keystore (JKS, JCEKS), which
    /// requires its password, is not checked: each path has this as an assumption.
    ///
    /// ```
    /// use tagwise_path::Anchors;
    /// let mut anchors = Anchors::new();
    /// let failures = anchors.read(b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n");
    /// assert_eq!((anchors.len(), failures.len()), (0, 1));
    /// ```
    pub fn read(&mut self, octets: &[u8]) -> Vec<Error> {
        let mut failures = Vec::new();
        if let Ok(list) = Anchor::from_list(octets) {
            list.into_iter().for_each(|anchor| self.add(anchor));
            return failures;
        }
        let contents = Contents::read(octets, &Limits::DEFAULT);
        let assumption = (contents.form() == InputForm::Keystore)
            .then(|| "the Java keystore with the trust anchor was not modified: its digest was not checked".to_owned());
        for item in contents.items().filter(|item| item.kind == ContentsKind::Certificate) {
            let constraints = match item.trust.map(constraints) {
                Some(None) => {
                    // An entry that is not trusted for any purpose is a distrusted certificate.
                    if item.trust.is_some_and(is_distrusted) {
                        match crate::pool::read(item.der) {
                            Ok(certificate) => self.distrust(certificate),
                            Err(error) => failures.push(error),
                        }
                    }
                    continue;
                }
                Some(Some(constraints)) => constraints,
                None if item.settings.is_empty() => AnchorConstraints::default(),
                // Settings that cannot be read might reject the use in question.
                None => match TrustSettings::read(item.settings) {
                    Some(settings) => openssl(&settings),
                    None => {
                        failures.extend(tagwise_pkix::Certificate::from_der(item.settings).err());
                        continue;
                    }
                },
            };
            match Anchor::from_certificate(item.der) {
                Ok(anchor) => {
                    let constraints = AnchorConstraints { assumption: assumption.clone(), ..constraints };
                    self.add(Anchor { constraints, ..anchor });
                }
                Err(error) => failures.push(error),
            }
        }
        failures
    }

    /// Adds the certificates in a file, or in every file of a directory, like [`Anchors::read`].
    ///
    /// ```no_run
    /// use tagwise_path::Anchors;
    /// let mut anchors = Anchors::new();
    /// anchors.read_path("/usr/local/share/ca-certificates")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the file or directory cannot be read.
    pub fn read_path(&mut self, path: impl AsRef<Path>) -> io::Result<Vec<Error>> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Ok(self.read(&std::fs::read(path)?));
        }
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(path)? {
            files.push(entry?.path());
        }
        files.sort();
        let mut failures = Vec::new();
        for file in files.iter().filter(|file| file.is_file()) {
            failures.append(&mut self.read(&std::fs::read(file)?));
        }
        Ok(failures)
    }

    /// Reads the system's trust store.
    ///
    /// Fedora and related distributions have one bundle for each of three purposes. An anchor is trusted for the purposes of
    /// the bundles that contain it, or for any purpose if all three do. Debian, openSUSE, Alpine and related distributions have
    /// one bundle for all purposes.
    ///
    /// ```no_run
    /// use tagwise_path::Anchors;
    /// let anchors = Anchors::system()?;
    /// println!("{} anchors", anchors.len());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no bundle, or it cannot be read.
    pub fn system() -> io::Result<Self> {
        Self::system_below("/")
    }

    /// Reads the trust store of a system mounted at a directory, such as a container's.
    ///
    /// ```
    /// use tagwise_path::Anchors;
    /// assert!(Anchors::system_below("/nowhere").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no bundle, or it cannot be read.
    pub fn system_below(root: impl AsRef<Path>) -> io::Result<Self> {
        let root = root.as_ref();
        if root.join(BY_PURPOSE.first().map_or("", |(bundle, _)| bundle)).is_file() {
            return Self::by_purpose(root);
        }
        let bundle = BUNDLES.iter().map(|bundle| root.join(bundle)).find(|bundle| bundle.is_file());
        let Some(bundle) = bundle else {
            let message =
                format!("no trust anchor bundle found in {}: none of {} exists", root.display(), BUNDLES.join(", "));
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        };
        let mut anchors = Self::new();
        anchors.read_path(bundle)?;
        Ok(anchors)
    }

    fn by_purpose(root: &Path) -> io::Result<Self> {
        let mut found: Vec<Anchor> = Vec::new();
        let mut numbers: HashMap<CertificateBuf, usize> = HashMap::new();
        for (bundle, purpose) in BY_PURPOSE {
            let bundle = root.join(bundle);
            let mut anchors = Self::new();
            if bundle.is_file() {
                anchors.read_path(bundle)?;
            }
            for anchor in anchors.entries {
                let Some(certificate) = anchor.certificate.clone() else { continue };
                let number = *numbers.entry(certificate).or_insert(found.len());
                if number == found.len() {
                    found.push(anchor);
                }
                if let Some(anchor) = found.get_mut(number) {
                    let purposes = anchor.constraints.purposes.get_or_insert_default();
                    if !purposes.iter().any(|known| *known == *purpose) {
                        purposes.push(OidBuf::from(*purpose));
                    }
                }
            }
        }
        for anchor in &mut found {
            anchor.constraints.purposes.take_if(|purposes| purposes.len() == BY_PURPOSE.len());
        }
        Ok(found.into_iter().collect())
    }

    /// Returns Mozilla's roots for TLS servers, from the crate `webpki-root-certs`.
    ///
    /// ```
    /// let anchors = tagwise_path::Anchors::mozilla();
    /// assert!(anchors.len() > 100);
    /// ```
    #[cfg(feature = "mozilla-roots")]
    #[must_use]
    pub fn mozilla() -> Self {
        let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter();
        let anchors = roots.filter_map(|der| Anchor::from_certificate(der.as_ref()).ok());
        let purposes = Some(vec![OidBuf::from(oids::KP_SERVER_AUTH)]);
        anchors
            .map(|anchor| Anchor {
                constraints: AnchorConstraints { purposes: purposes.clone(), ..anchor.constraints },
                ..anchor
            })
            .collect()
    }
}

/// Converts the trust settings of a `TRUSTED CERTIFICATE` to constraints. The certificate is trusted for the listed uses, or for
/// any use if there is no list, except for the rejected uses (`obj_trust` in OpenSSL's x509_trust.c).
fn openssl(settings: &TrustSettings<'_>) -> AnchorConstraints {
    let list = |list: &[Oid<'_>]| list.iter().map(|purpose| OidBuf::from(*purpose)).collect::<Vec<_>>();
    let any = |list: &&Vec<Oid<'_>>| list.contains(&oids::ANY_EXTENDED_KEY_USAGE);
    let rejected = settings.rejected.as_ref();
    AnchorConstraints {
        label: settings.alias.map(|alias| String::from_utf8_lossy(alias).into_owned()),
        purposes: match settings.trusted.as_ref() {
            // Rejected for any use.
            _ if rejected.filter(any).is_some() => Some(Vec::new()),
            Some(trusted) if !any(&trusted) => Some(list(trusted)),
            _ => None,
        },
        rejected: rejected.map(|rejected| list(rejected)).unwrap_or_default(),
        ..AnchorConstraints::default()
    }
}

/// Returns whether certdata.txt distrusts a certificate for both servers and mail.
fn is_distrusted(trust: &Trust) -> bool {
    trust.server_auth == Level::NotTrusted && trust.email_protection == Level::NotTrusted
}

/// Converts a certificate's trust settings in certdata.txt to constraints. Returns `None` if it is not trusted for any purpose.
fn constraints(trust: &Trust) -> Option<AnchorConstraints> {
    let purposes = [
        (trust.server_auth, oids::KP_SERVER_AUTH),
        (trust.email_protection, oids::KP_EMAIL_PROTECTION),
        (trust.code_signing, oids::KP_CODE_SIGNING),
    ];
    let trusted = purposes.iter().filter(|(level, _)| *level == Level::TrustedDelegator);
    let trusted: Vec<OidBuf> = trusted.map(|(_, purpose)| OidBuf::from(*purpose)).collect();
    if trusted.is_empty() {
        return None;
    }
    let dates =
        [(trust.server_distrust_after, oids::KP_SERVER_AUTH), (trust.email_distrust_after, oids::KP_EMAIL_PROTECTION)];
    let dates = dates.iter().filter_map(|(date, purpose)| Some((OidBuf::from(*purpose), (*date)?)));
    Some(AnchorConstraints {
        label: Some(trust.label.clone()),
        purposes: Some(trusted),
        distrust_after: dates.collect(),
        ..AnchorConstraints::default()
    })
}
