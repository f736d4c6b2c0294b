//! Trees as text for people and as JSON for programs.

pub(crate) mod dump;
pub(crate) mod dump_json;
pub(crate) mod json;
pub(crate) mod openssl;
pub(crate) mod text;
