//! Renders trees as text and JSON.

pub mod json;
pub mod openssl;
pub mod text;
