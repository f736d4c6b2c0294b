//! Owned messages.

use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

use tagwise_codec::pem::{self, PemError};
use tagwise_codec::{Decode, EncodeError, Error, Options};
use tagwise_x509::oids::files;

use crate::cms::ContentInfo;

tagwise_x509::__owned! {
    /// An owned [`ContentInfo`]: pointer-sized, parsed once, and shared by its clones. BER input is converted first:
    /// [`ber::to_der`](tagwise_codec::ber::to_der).
    CmsBuf, ContentInfo, message, CMS
}
