//! The entry point, which DuckDB calls when it loads the extension.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::undocumented_unsafe_blocks,
    reason = "the macro generates the C function"
)]

use std::error::Error;

use duckdb::{Connection, duckdb_entrypoint_c_api};
use tagwise_columns::Kind;

use crate::{function, table};

/// Registers all functions.
///
/// The bindings read the whole table of functions of this version of the C API, so DuckDB must refuse older tables. `./x duckdb`
/// writes the same version into the extension's metadata.
#[duckdb_entrypoint_c_api(ext_name = "tagwise", min_duckdb_version = "v1.5.6")]
fn load(connection: Connection) -> Result<(), Box<dyn Error>> {
    for kind in Kind::ALL {
        function::register(&connection, *kind)?;
    }
    table::register(&connection)
}
