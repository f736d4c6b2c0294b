//! A KDC in memory that knows PKINIT and tells the lie that a test wants.

use std::cell::Cell;

use tagwise_codec::{BitStr, Decode as _, OctetStr, Oid, SeqOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::cms::{
    EncryptOptions, Identifier, RecipientKey, SignedOptions, Signing, VerifyOptions, encrypt, sign, verify,
};
use tagwise_crypto::{Cipher, Digest, KeySigner, KeyTransport, Primitives as _, Secret};
use tagwise_krb5::agreement::{Binding, Group, Kdf, Private, octetstring_to_key};
use tagwise_krb5::crypto::{EncType, Key, cf2, usage};
use tagwise_krb5::flags::{bit, ticket};
use tagwise_krb5::messages::{
    AsRep, AsReq, Checksum, EncAsRepPart, EncKdcRepPart, EncryptedData, KdcRep, KdcReqBody, KrbError, LastReqEntry,
    MethodData, Microseconds, PaData, Ticket, TypedData, TypedDataEntry,
};
use tagwise_krb5::numbers::{error, pa};
use tagwise_krb5::pkinit::{
    AuthPack, DhRepInfo, KdcDhKeyInfo, KdfAlgorithmId, PaPkAsRep, PaPkAsReq, ReplyKeyPack, TdDhParameters,
};
use tagwise_krb5::{KerberosFlags, KerberosTime, Principal, UInt32};
use tagwise_pkix::cms::{ID_DATA, ID_SIGNED_DATA};
use tagwise_pkix::{Certificate, SubjectPublicKeyInfo, UnixTime, oids};

use super::pki::Leaf;

/// The token that a client must bring back (RFC 8070).
pub const TOKEN: &[u8] = b"fresh";

/// What the KDC does otherwise than it should.
#[derive(Clone, Debug, PartialEq)]
pub enum Lie {
    /// The content of the BIT STRING of its public value.
    Value(Vec<u8>),
    /// Its public value after it was signed.
    Altered,
    /// The nonce is that of another request.
    Nonce,
    /// A key derivation function that nobody offered.
    Kdf(Oid<'static>),
    /// Nobody signs.
    Unsigned,
    /// Two sign.
    SignedTwice,
    /// The content is said to be something else.
    ContentType,
    /// A nonce for a key that is used again.
    ServerNonce,
    /// The reply key is enveloped.
    Enveloped,
    /// No PA-PK-AS-REP.
    NoReply,
    /// No PA-PKINIT-KX.
    NoContribution,
    /// The session key is the KDC's alone.
    OwnSession,
    /// The ticket is not anonymous.
    NotAnonymous,
    /// An encryption type that was not asked for.
    EncType,
    /// A value for key agreement, where an enveloped key was asked for.
    Agreement,
    /// The checksum is over another request.
    Checksum,
    /// The checksum has no key.
    PlainChecksum,
    /// The enveloped key is of another encryption type than the reply.
    OtherKey,
    /// What is enveloped is said to be data.
    EnvelopedType,
    /// The key is enveloped to the KDC itself.
    OtherRecipient,
}

/// A reply key, and the value of PA-PK-AS-REP that a client has it from.
struct Replied {
    pk_as_rep: Vec<u8>,
    key: Key,
}

/// A KDC.
pub struct FakeKdc<'a> {
    pub leaf: &'a Leaf,
    pub realm: &'static str,
    /// The function for reply keys; none for that of RFC 4556.
    pub kdf: Option<Kdf>,
    /// The only groups that are taken; empty for all.
    pub groups: Vec<Group>,
    pub lie: Option<Lie>,
    pub now: UnixTime,
    /// True if the next freshness token is too old.
    pub stale: Cell<bool>,
    /// True if a request needs paChecksum2 (MS-PKCA §2.2.3).
    pub second_checksum: bool,
    /// True if a request without the freshness token, or with checksums of another, ends the test.
    pub strict: bool,
}

impl<'a> FakeKdc<'a> {
    pub fn new(leaf: &'a Leaf, realm: &'static str, now: UnixTime) -> Self {
        let (kdf, groups, stale) = (Some(Kdf::Sha256), Vec::new(), Cell::new(false));
        Self { leaf, realm, kdf, groups, lie: None, now, stale, second_checksum: false, strict: true }
    }

    fn lies(&self, lie: &Lie) -> bool {
        self.lie.as_ref() == Some(lie)
    }

    /// The reply to a request.
    pub fn answer(&self, request: &[u8]) -> Vec<u8> {
        let read = AsReq::from_der(request).unwrap().0;
        let padata: Vec<PaData<'_>> = read.padata.iter().flatten().map(Result::unwrap).collect();
        let find = |kind: i32| padata.iter().find(|data| data.padata_type == kind).map(|data| data.padata_value);
        let data = |kind, value| PaData { padata_type: kind, padata_value: OctetStr::new(value) };
        let Some(value) = find(pa::PK_AS_REQ) else {
            let token: &[u8] = if find(pa::AS_FRESHNESS).is_some() { TOKEN } else { b"" };
            let methods = [data(pa::PK_AS_REQ, b""), data(pa::AS_FRESHNESS, token)];
            let methods: MethodData<'_> = SeqOf::from_slice(&methods);
            return self.error(error::PREAUTH_REQUIRED, &encode(&methods).unwrap());
        };
        if self.stale.replace(false) {
            let methods = [data(pa::AS_FRESHNESS, TOKEN)];
            let methods: MethodData<'_> = SeqOf::from_slice(&methods);
            return self.error(error::PREAUTH_EXPIRED, &encode(&methods).unwrap());
        }
        let backend = AwsLc::new();
        let signed = PaPkAsReq::from_der(value.as_bytes()).unwrap().signed_auth_pack;
        let verified = verify(&backend, signed.as_bytes(), None, &VerifyOptions::DEFAULT).unwrap();
        assert!(verified.signers.iter().all(|signer| signer.outcome.is_ok()));
        assert_eq!(verified.content_type(), oids::PKINIT_AUTH_DATA);
        let pack = AuthPack::from_der(&verified.content).unwrap();
        if self.strict {
            let checksum = |digest| backend.digest(digest, read.req_body.as_bytes()).unwrap();
            assert_eq!(pack.pk_authenticator.pa_checksum.unwrap().as_bytes(), checksum(Digest::Sha1));
            let second = pack.pk_authenticator.pa_checksum2.map(|second| second.checksum.to_vec());
            assert!(second.is_none_or(|second| second == checksum(Digest::Sha256)));
            assert_eq!(pack.pk_authenticator.freshness_token.unwrap().as_bytes(), TOKEN);
        }
        if self.second_checksum && pack.pk_authenticator.pa_checksum2.is_none() {
            return self.error(error::PA_CHECKSUM_MUST_BE_INCLUDED, b"");
        }
        let body = &read.req_body;
        let enc_type = match self.lies(&Lie::EncType) {
            true => EncType::ArcfourHmac,
            false => EncType::from_number(body.etype.iter().next().unwrap().unwrap()).unwrap(),
        };
        let Some(info) = pack.client_public_value else {
            assert!(pack.supported_kdfs.is_none(), "functions without a value");
            let client = verified.signers[0].certificate.as_deref().unwrap();
            return self.ticket(body, enc_type, &self.enveloped(request, client, enc_type), false);
        };
        let group = Group::of(&info.algorithm).unwrap();
        if !self.groups.is_empty() && !self.groups.contains(&group) {
            return self.other_groups();
        }
        let private = Private::generate(&backend, group).unwrap();
        let replied = self.agreed(request, body, &pack, &private, enc_type);
        self.ticket(body, enc_type, &replied, verified.signers.is_empty())
    }

    fn error(&self, code: i32, data: &[u8]) -> Vec<u8> {
        let server = Principal::krbtgt(self.realm.as_bytes(), self.realm.as_bytes());
        let strings = server.strings();
        let said = KrbError {
            pvno: 5,
            msg_type: 30,
            ctime: None,
            cusec: None,
            stime: KerberosTime::from_unix(self.now).unwrap(),
            susec: Microseconds(0),
            error_code: code,
            crealm: None,
            cname: None,
            realm: server.realm_string(),
            sname: server.name(&strings),
            e_text: None,
            e_data: Some(OctetStr::new(data)),
        };
        encode(&said).unwrap()
    }

    fn other_groups(&self) -> Vec<u8> {
        let backend = AwsLc::new();
        let made: Vec<Private> = self.groups.iter().map(|group| Private::generate(&backend, *group).unwrap()).collect();
        let infos: Vec<_> =
            made.iter().map(|made| SubjectPublicKeyInfo::from_der(made.public_key_info()).unwrap().algorithm).collect();
        let list: TdDhParameters<'_> = SeqOf::from_slice(&infos);
        let list = encode(&list).unwrap();
        let mut entry = TypedDataEntry::new(109);
        entry.data_value = Some(OctetStr::new(&list));
        let entries = [entry];
        let data = encode(&TypedData(SeqOf::from_slice(&entries))).unwrap();
        self.error(error::DH_KEY_PARAMETERS_NOT_ACCEPTED, &data)
    }

    /// The KDC's public value, signed.
    fn signed_value(&self, nonce: u32, private: &Private) -> Vec<u8> {
        let own = SubjectPublicKeyInfo::from_der(private.public_key_info()).unwrap().subject_public_key;
        let value = match &self.lie {
            Some(Lie::Value(value)) => value.clone(),
            _ => own.as_bytes().to_vec(),
        };
        let nonce = if self.lies(&Lie::Nonce) { nonce ^ 1 } else { nonce };
        let content = encode(&KdcDhKeyInfo::new(BitStr::from_octets(&value), nonce)).unwrap();
        let mut signed = self.signed(&content, oids::PKINIT_DH_KEY_DATA, oids::PKINIT_RKEY_DATA);
        if self.lies(&Lie::Altered) {
            let at = signed.windows(value.len()).position(|part| part == value).unwrap();
            signed[at + value.len() - 1] ^= 1;
        }
        signed
    }

    /// Signed content, of one type or the other.
    fn signed(&self, content: &[u8], content_type: Oid<'_>, other: Oid<'_>) -> Vec<u8> {
        let content_type = if self.lies(&Lie::ContentType) { other } else { content_type };
        let signer = KeySigner::preferred(self.leaf.key.clone()).unwrap();
        let certificate = Certificate::from_der(&self.leaf.der).unwrap();
        let signing = Signing::new(&signer, &certificate);
        let signings = match &self.lie {
            Some(Lie::Unsigned) => vec![],
            Some(Lie::SignedTwice) => vec![signing, signing],
            _ => vec![signing],
        };
        let certificates = [self.leaf.der.as_slice()];
        let options = SignedOptions { content_type, certificates: &certificates, ..SignedOptions::DEFAULT };
        sign(&AwsLc::new(), content, &signings, &options).unwrap()
    }

    /// A reply key enveloped to the client's key (RFC 4556 §3.2.3.2).
    fn enveloped(&self, request: &[u8], client: &[u8], enc_type: EncType) -> Replied {
        let backend = AwsLc::new();
        let key = Key::generate(&backend, enc_type).unwrap();
        let packed = match self.lies(&Lie::OtherKey) {
            true => Key::generate(&backend, EncType::Aes128CtsHmacSha196).unwrap(),
            false => key.clone(),
        };
        let of: &[u8] = if self.lies(&Lie::Checksum) { b"another request" } else { request };
        let (kind, sum) = match self.lies(&Lie::PlainChecksum) {
            true => (14, backend.digest(Digest::Sha1, of).unwrap()),
            false => {
                let sum = packed.checksum(&backend, usage::TGS_REQ_CHECKSUM, of).unwrap();
                (packed.enc_type().checksum().number(), sum)
            }
        };
        let checksum = Checksum { cksumtype: kind, checksum: OctetStr::new(&sum) };
        let pack = encode(&ReplyKeyPack::new(packed.to_message(), checksum)).unwrap();
        let mut signed = self.signed(&pack, oids::PKINIT_RKEY_DATA, oids::PKINIT_DH_KEY_DATA);
        if self.lies(&Lie::Altered) {
            let at = signed.windows(pack.len()).position(|part| part == pack).unwrap();
            signed[at + pack.len() - 1] ^= 1;
        }
        // Behind SEQUENCE, OBJECT IDENTIFIER and [0] of the ContentInfo.
        assert_eq!((signed[0], signed[1], signed[15], signed[16]), (0x30, 0x82, 0xA0, 0x82));
        let recipient = if self.lies(&Lie::OtherRecipient) { &self.leaf.der } else { client };
        let certificate = Certificate::from_der(recipient).unwrap();
        let (identifier, transport) = (Identifier::IssuerAndSerialNumber, KeyTransport::Pkcs1);
        let recipient = RecipientKey::Certificate { certificate: &certificate, identifier, transport };
        let content_type = if self.lies(&Lie::EnvelopedType) { ID_DATA } else { ID_SIGNED_DATA };
        let options = EncryptOptions { content_type, cipher: Cipher::Aes256Cbc, ..EncryptOptions::DEFAULT };
        let enveloped = encrypt(&backend, &signed[19..], &[recipient], &options).unwrap();
        let reply = match self.lies(&Lie::Agreement) {
            true => PaPkAsRep::DhInfo(DhRepInfo::new(OctetStr::new(&enveloped))),
            false => PaPkAsRep::EncKeyPack(OctetStr::new(&enveloped)),
        };
        Replied { pk_as_rep: encode(&reply).unwrap(), key }
    }

    /// A reply key that both values give.
    fn agreed(
        &self,
        request: &[u8],
        body: &KdcReqBody<'_>,
        pack: &AuthPack<'_>,
        private: &Private,
        enc_type: EncType,
    ) -> Replied {
        let backend = AwsLc::new();
        let signed = self.signed_value(pack.pk_authenticator.nonce, private);
        let mut info = DhRepInfo::new(OctetStr::new(&signed));
        info.kdf = self.kdf.map(|kdf| KdfAlgorithmId::new(kdf.oid()));
        if let Some(Lie::Kdf(oid)) = &self.lie {
            info.kdf = Some(KdfAlgorithmId::new(*oid));
        }
        info.server_dh_nonce = self.lies(&Lie::ServerNonce).then(|| OctetStr::new(b"nonce"));
        let pk_as_rep = match self.lies(&Lie::Enveloped) {
            true => PaPkAsRep::EncKeyPack(OctetStr::new(b"pack")),
            false => PaPkAsRep::DhInfo(info),
        };
        let pk_as_rep = encode(&pk_as_rep).unwrap();
        let (client, server) = names(body);
        let binding = Binding { client: &client, server: &server, as_req: request, pk_as_rep: &pk_as_rep };
        let peer = pack.client_public_value.unwrap().subject_public_key;
        let shared = private.shared(peer.as_bytes()).unwrap_or_else(|_| Secret::zeroed(256));
        let key = match self.kdf {
            Some(kdf) => kdf.derive(&backend, enc_type, &shared, &binding).unwrap(),
            None => octetstring_to_key(&backend, enc_type, &shared).unwrap(),
        };
        Replied { pk_as_rep, key }
    }

    fn ticket(&self, body: &KdcReqBody<'_>, enc_type: EncType, replied: &Replied, is_anonymous: bool) -> Vec<u8> {
        let backend = AwsLc::new();
        let (asked, server) = names(body);
        let Replied { pk_as_rep, key: reply_key } = replied;
        let contribution = Key::generate(&backend, enc_type).unwrap();
        let session = match self.lies(&Lie::OwnSession) {
            true => Key::generate(&backend, enc_type).unwrap(),
            false => cf2(&backend, &contribution, reply_key, b"PKINIT", b"KEYEXCHANGE").unwrap(),
        };
        let data = |cipher| EncryptedData { etype: enc_type.number(), kvno: None, cipher: OctetStr::new(cipher) };
        let sealed = reply_key.seal(&backend, usage::PA_PKINIT_KX, &contribution.to_message()).unwrap();
        let contribution = encode(&data(&sealed)).unwrap();
        let mut padata = vec![];
        if !self.lies(&Lie::NoReply) {
            padata.push(PaData { padata_type: pa::PK_AS_REP, padata_value: OctetStr::new(pk_as_rep) });
        }
        if !self.lies(&Lie::NoContribution) {
            padata.push(PaData { padata_type: pa::PKINIT_KX, padata_value: OctetStr::new(&contribution) });
        }

        let is_anonymous = is_anonymous && !self.lies(&Lie::NotAnonymous);
        let flags = if is_anonymous { bit(ticket::ANONYMOUS) } else { 0 };
        let flags = (flags | bit(ticket::PRE_AUTHENT) | bit(ticket::INITIAL)).to_be_bytes();
        let (time, last) = (KerberosTime::from_unix(self.now).unwrap(), [] as [LastReqEntry; 0]);
        let server_strings = server.strings();
        let part = EncKdcRepPart {
            key: session.to_message(),
            last_req: SeqOf::from_slice(&last),
            nonce: UInt32::new(body.nonce.get()),
            key_expiration: None,
            flags: KerberosFlags::from_word(&flags),
            authtime: time,
            starttime: Some(time),
            endtime: body.till,
            renew_till: None,
            srealm: server.realm_string(),
            sname: server.name(&server_strings),
            caddr: None,
            encrypted_pa_data: None,
        };
        let sealed = reply_key.seal(&backend, usage::AS_REP, &EncAsRepPart(part)).unwrap();
        let client_strings = asked.strings();
        let reply = AsRep(KdcRep {
            pvno: 5,
            msg_type: 11,
            padata: Some(SeqOf::from_slice(&padata)),
            crealm: asked.realm_string(),
            cname: asked.name(&client_strings),
            ticket: Ticket {
                tkt_vno: 5,
                realm: server.realm_string(),
                sname: server.name(&server_strings),
                enc_part: data(b"sealed with the key of krbtgt"),
            },
            enc_part: data(&sealed),
        });
        encode(&reply).unwrap()
    }
}

/// Client and server of a request.
fn names(body: &KdcReqBody<'_>) -> (Principal, Principal) {
    let name = |name| Principal::from_message(&name, &body.realm).unwrap();
    (name(body.cname.unwrap()), name(body.sname.unwrap()))
}
