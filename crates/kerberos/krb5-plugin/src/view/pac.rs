//! PACs: Microsoft's signed authorization data, as buffers by type.

use std::fmt;

use crate::Result;
use crate::host::pac::Pac;

/// A PAC borrowed from the KDC.
#[derive(Clone, Copy)]
pub struct PacRef<'a>(pub(crate) Pac<'a>);

impl PacRef<'_> {
    /// Returns the buffer types.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_pac_get_types`.
    pub fn types(self) -> Result<Vec<u32>> {
        self.0.types()
    }

    /// Returns a copy of a buffer.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_pac_get_buffer`, such as `ENOENT` if there is no such buffer.
    pub fn buffer(self, buffer_type: u32) -> Result<Vec<u8>> {
        self.0.buffer(buffer_type)
    }
}

impl fmt::Debug for PacRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PacRef({:?})", self.types().unwrap_or_default())
    }
}

/// An unsigned PAC.
pub struct NewPac<'a>(pub(crate) Pac<'a>);

impl NewPac<'_> {
    /// Adds a buffer. The KDC itself adds checksums, the client's name and the delegation information.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_pac_add_buffer`.
    pub fn add_buffer(&mut self, buffer_type: u32, contents: &[u8]) -> Result<()> {
        self.0.add_buffer(buffer_type, contents)
    }

    /// Copies a buffer from another PAC.
    ///
    /// # Errors
    ///
    /// Returns any error from [`PacRef::buffer`] or [`add_buffer`](Self::add_buffer).
    pub fn copy_buffer(&mut self, from: PacRef<'_>, buffer_type: u32) -> Result<()> {
        self.add_buffer(buffer_type, &from.buffer(buffer_type)?)
    }
}

impl fmt::Debug for NewPac<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewPac({:?})", self.0.types().unwrap_or_default())
    }
}
