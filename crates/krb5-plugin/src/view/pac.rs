//! PACs: signed authorization data of Microsoft's form, as buffers by their types.

use std::fmt;

use crate::Result;
use crate::ffi::pac::Pac;

/// A PAC that the KDC lends.
#[derive(Clone, Copy)]
pub struct PacRef<'a>(pub(crate) Pac<'a>);

impl PacRef<'_> {
    /// The types of the buffers.
    ///
    /// # Errors
    ///
    /// The error of `krb5_pac_get_types`.
    pub fn types(self) -> Result<Vec<u32>> {
        self.0.types()
    }

    /// A copy of a buffer.
    ///
    /// # Errors
    ///
    /// The error of `krb5_pac_get_buffer`: `ENOENT` without such a buffer.
    pub fn buffer(self, buffer_type: u32) -> Result<Vec<u8>> {
        self.0.buffer(buffer_type)
    }
}

impl fmt::Debug for PacRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PacRef({:?})", self.types().unwrap_or_default())
    }
}

/// A PAC that is not signed yet.
pub struct NewPac<'a>(pub(crate) Pac<'a>);

impl NewPac<'_> {
    /// Adds a buffer. The KDC adds checksums, the client's name and delegation itself.
    ///
    /// # Errors
    ///
    /// The error of `krb5_pac_add_buffer`.
    pub fn add_buffer(&mut self, buffer_type: u32, contents: &[u8]) -> Result<()> {
        self.0.add_buffer(buffer_type, contents)
    }

    /// Copies a buffer of another PAC.
    ///
    /// # Errors
    ///
    /// Those of [`PacRef::buffer`] and [`add_buffer`](Self::add_buffer).
    pub fn copy_buffer(&mut self, from: PacRef<'_>, buffer_type: u32) -> Result<()> {
        self.add_buffer(buffer_type, &from.buffer(buffer_type)?)
    }
}

impl fmt::Debug for NewPac<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewPac({:?})", self.0.types().unwrap_or_default())
    }
}
