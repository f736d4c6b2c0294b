//! Messages that own their bytes.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

use tagwise_codec::pem::{self, PemError};
use tagwise_codec::{Decode, EncodeError, Error, Options};

use crate::cms::ContentInfo;

tagwise_x509::__owned! {
    /// A [`ContentInfo`] and its octets in one value without a lifetime: as large as a pointer, parsed once, shared by its clones.
    /// What comes in BER is converted first: [`ber::to_der`](tagwise_codec::ber::to_der).
    CmsBuf, ContentInfo, message, ["CMS", "PKCS7"]
}
