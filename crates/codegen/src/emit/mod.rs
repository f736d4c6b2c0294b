//! Writing a plan down, one folder a form.

pub mod doc;
pub mod rust;

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}
