//! Service for User (MS-SFU): tickets on behalf of other users.

use tagwise_codec::{Captured, General, OctetStr, encode};
use tagwise_crypto::Backend;

use crate::crypto::{Key, hmac_md5, usage};
use crate::messages::Checksum;
use crate::microsoft::{PaForUser, PaPacOptions, PaS4uX509User, S4uUserId};
use crate::numbers::pa;
use crate::{KerberosFlags, Principal, UInt32, flags};

use super::ClientError;

/// The user on whose behalf a ticket is requested.
#[derive(Clone, Debug)]
pub enum Impersonation {
    /// S4U2Self: a ticket from this user to the client itself.
    ToSelf(Principal),
    /// S4U2Proxy: a ticket for another service, on behalf of the user named in this evidence ticket (in DER).
    Proxy(Vec<u8>),
}

/// Builds PA-FOR-USER (MS-SFU §2.2.1). The checksum is always hmac-md5 with the session key, regardless of the key's encryption type.
pub(super) fn for_user(session: &Key, user: &Principal) -> Result<(i32, Vec<u8>), ClientError> {
    let package = b"Kerberos";
    let mut data = user.name_type().to_le_bytes().to_vec();
    user.components().iter().for_each(|part| data.extend(*part));
    data.extend(user.realm());
    data.extend(package);
    let checksum = hmac_md5(session, usage::PA_FOR_USER, &data)?;
    let strings = user.strings();
    let value = PaForUser {
        user_name: user.name(&strings),
        user_realm: user.realm_string(),
        cksum: Checksum { cksumtype: -138, checksum: OctetStr::new(&checksum) },
        auth_package: General::from_content(package),
    };
    Ok((pa::FOR_USER, encode(&value)?))
}

/// Builds PA-S4U-X509-USER (MS-SFU §2.2.2) by name. The checksum uses the subkey.
pub(super) fn x509_user(
    backend: &dyn Backend,
    subkey: &Key,
    user: &Principal,
    nonce: u32,
) -> Result<(i32, Vec<u8>), ClientError> {
    let strings = user.strings();
    let id = S4uUserId {
        nonce: UInt32::new(nonce),
        cname: Some(user.name(&strings)),
        crealm: user.realm_string(),
        subject_certificate: None,
        // Bit 2: the reply is to be bound to the request.
        options: Some(tagwise_codec::BitStr::from_octets(&[0x20, 0, 0, 0])),
        additions: Default::default(),
    };
    let id = encode(&id)?;
    let checksum = subkey.checksum(backend, usage::PA_S4U_X509_USER_REQUEST, &id)?;
    let value = PaS4uX509User {
        user_id: Captured::from_octets(&id)?,
        checksum: Checksum { cksumtype: subkey.enc_type().checksum().number(), checksum: OctetStr::new(&checksum) },
    };
    Ok((pa::S4U_X509_USER, encode(&value)?))
}

/// Builds PA-PAC-OPTIONS (MS-KILE §2.2.10), which requests resource-based constrained delegation.
pub(super) fn pac_options() -> Result<(i32, Vec<u8>), ClientError> {
    let word = flags::bit(flags::pac::RESOURCE_BASED_CONSTRAINED_DELEGATION).to_be_bytes();
    Ok((pa::PAC_OPTIONS, encode(&PaPacOptions { flags: KerberosFlags::from_word(&word) })?))
}
