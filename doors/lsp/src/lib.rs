//! A language server for ASN.1 modules (Language Server Protocol 3.17), as the command `tagwise lsp` runs it.
//!
//! It reports errors with their clauses while the user types, and answers hover, definition, references, renaming,
//! completion, formatting, outlines, semantic tokens, and inlay hints with automatic tags. A code lens at each type decodes
//! hexadecimal with it. Modules are found among the open documents and in the workspace's folders.
//!
//! `workspace` holds the texts and finds imported modules, `position` converts positions, and each other module answers one
//! group of requests.
#![forbid(unsafe_code)]

mod complete;
mod decode;
mod diagnostics;
mod hover;
mod navigate;
mod outline;
mod position;
mod request;
mod server;
mod tokens;
mod workspace;

pub use server::{Error, serve, stdio};
