//! The CA of a round, and what it is asked for: all of it through what `tagwise-pkix` and `tagwise-ca` give their users.

use std::sync::Arc;
use std::time::Duration;

use tagwise_ca::store::{CrlDraft, NewCertificate, NewOcspResponse, Status};
use tagwise_ca::{
    Adoption, AltName, Authority, OcspOptions, Order, PreparedResponse, Profile, Protection, Responder, Restrictions,
    Serial, Store, Takeover, Urls,
};
use tagwise_codec::{Decode, NamedBits};
use tagwise_crypto::{Backend, KeyType, Signer, sign};
use tagwise_pkix::build::{self, ExtensionList, KeyIdentifierMethod, SerialNumber, Unsigned};
use tagwise_pkix::ext::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{
    AlgorithmIdentifier, Extensions, SubjectPublicKeyInfo, TbsCertificate, Time, UnixTime, Validity, Version,
};

use crate::Failure;
use crate::crypto::CaKey;
use crate::work::{self, Threads};

const DAY: Duration = Duration::from_secs(86_400);
/// keyCertSign and cRLSign, and digitalSignature for OCSP.
const CA_USAGE: u64 = 1 | 1 << 5 | 1 << 6;

/// A CA, its key, and the moment at which it does everything.
pub(crate) struct Ca<'a> {
    pub(crate) key: &'a CaKey,
    pub(crate) authority: Arc<Authority>,
    pub(crate) responder: Responder,
    pub(crate) now: UnixTime,
}

/// The stage `ca_self_sign`: a root certificate. Gives what was signed, too.
pub(crate) fn self_sign(signer: &dyn Signer, now: UnixTime) -> Result<(Unsigned, Vec<u8>), Failure> {
    let name = NameBuf::parse("CN=Pipeline Root,O=Tagwise,C=DE")?;
    let key = SubjectPublicKeyInfo::from_der(signer.public_key_info())?;
    let identifier = KeyIdentifierMethod::Sha256.of(&key)?;
    let mut list = ExtensionList::new();
    list.add(
        true,
        &BasicConstraints {
            ca: true,
            path_len_constraint: None,
        },
    )?;
    list.add(true, &KeyUsage(NamedBits::from_mask(CA_USAGE)))?;
    list.add(false, &SubjectKeyIdentifier(identifier.as_slice().into()))?;
    let extensions = list.extensions();
    let algorithm = signer.scheme().identifier()?;
    let unsigned = build::certificate(&TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::generate()?.number(),
        signature: AlgorithmIdentifier::from_der(&algorithm)?,
        issuer: name.name(),
        validity: Validity {
            not_before: Time::from_unix(now.saturating_sub(DAY))?,
            not_after: Time::from_unix(now.saturating_add(3650 * DAY))?,
        },
        subject: name.name(),
        subject_public_key_info: key,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Extensions::new(&extensions),
    })?;
    let der = sign(&unsigned, signer)?;
    Ok((unsigned, der))
}

impl<'a> Ca<'a> {
    /// A CA of this certificate in a store.
    pub(crate) fn adopt(
        store: &mut dyn Store,
        backend: &dyn Backend,
        key: &'a CaKey,
        (label, certificate): (&str, &[u8]),
        now: UnixTime,
    ) -> Result<Self, Failure> {
        let url = |path: &str| Some(format!("http://ca.example.org/{path}"));
        let urls = Urls {
            ocsp: url("ocsp"),
            crl: url("ca.crl"),
            issuer: url("ca.cer"),
            crl_issuer: None,
        };
        let adoption = Adoption {
            label,
            certificate,
            urls: &urls,
            takeover: Takeover::Nothing,
            last_number: 0,
            now,
        };
        let authority = Authority::adopt(store, backend, &key.key, &adoption, &Protection::Elsewhere)?;
        let authority = Arc::new(authority);
        let signer: Arc<dyn Signer> = Arc::<tagwise_crypto::KeySigner>::clone(&key.signer);
        let responder = Responder::new(Arc::clone(&authority), signer, OcspOptions::DEFAULT)?;
        Ok(Self {
            key,
            authority,
            responder,
            now,
        })
    }

    /// Orders for certificates of these keys, in turn.
    pub(crate) fn orders<'k>(&self, keys: &'k [Vec<u8>], batch: usize) -> Result<Vec<Order<'k>>, Failure> {
        let order = |(number, public_key): (usize, &'k Vec<u8>)| -> Result<Order<'k>, Failure> {
            let host = format!("host{number:05}.example.org");
            Ok(Order {
                subject: NameBuf::parse(&format!("CN={host},O=Example"))?,
                names: vec![AltName::dns(&host)?],
                public_key,
                key_identifier: None,
                restrictions: Restrictions::default(),
                profile: Profile::Server,
                not_before: self.now,
                not_after: self.now.saturating_add(90 * DAY),
            })
        };
        keys.iter().cycle().take(batch).enumerate().map(order).collect()
    }

    /// The stage `cert_gen`, but for the making of keys: numbered, built, judged, signed. A few are made ready and then signed, as
    /// whoever issues many does: code that takes turns with a signature's is not in the processor's caches when its turn comes.
    pub(crate) fn issue(
        &self,
        threads: &Threads,
        orders: &[Order<'_>],
        kind: KeyType,
    ) -> Result<Vec<NewCertificate>, Failure> {
        let signer = &*self.key.signer;
        // More would leave one thread without work for longer at the end.
        let at_once = work::part(orders.len()).clamp(1, 16);
        // Where they go is there before they are made: to gather them afterwards would be to fetch them from another processor's caches.
        let nothing = || NewCertificate {
            serial: Serial::from_content(&[0]),
            profile: "".into(),
            not_before: UnixTime::EPOCH,
            not_after: UnixTime::EPOCH,
            issued: UnixTime::EPOCH,
            der: Vec::new(),
        };
        let mut all: Vec<NewCertificate> = orders.iter().map(|_| nothing()).collect();
        let groups = orders.chunks(at_once).zip(all.chunks_mut(at_once)).collect();
        threads.each(groups, |(group, places): (&[Order<'_>], &mut [NewCertificate])| {
            let orders: Vec<_> = group.iter().map(|order| (order, kind)).collect();
            let ready = self.authority.prepare_all(signer, &orders)?;
            for (place, ready) in places.iter_mut().zip(ready) {
                *place = ready.sign(signer, self.now)?;
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// The stage `crl_build`.
    pub(crate) fn build_crl(&self, draft: &CrlDraft) -> Result<Unsigned, tagwise_ca::Error> {
        self.authority
            .prepare_crl(&*self.key.signer, draft, self.now, self.next_crl())
    }

    /// When the next CRL is due.
    pub(crate) fn next_crl(&self) -> UnixTime {
        self.now.saturating_add(7 * DAY)
    }

    /// The stage `ocsp_build`.
    pub(crate) fn build_ocsp(&self, threads: &Threads, list: &[Status]) -> Result<Vec<PreparedResponse>, Failure> {
        threads.map(list, |status| Ok(self.responder.prepare(status, self.now)?))
    }

    /// The stage `ocsp_sign`.
    pub(crate) fn sign_ocsp(
        &self,
        threads: &Threads,
        prepared: Vec<PreparedResponse>,
    ) -> Result<Vec<NewOcspResponse>, Failure> {
        let signer = &*self.key.signer;
        threads.each(prepared, |response| Ok(response.sign(signer)?))
    }
}
