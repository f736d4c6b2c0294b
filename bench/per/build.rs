//! Generates the types of both sides from the modules in `PERBENCH_MODULES`, which `prepare.py` writes.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::PathBuf;

use rasn_compiler::prelude::{Compiler, RasnBackend};
use tagwise_codegen::Builder;
use tagwise_schema::{Departure, Options};

fn main() {
    println!("cargo:rerun-if-env-changed=PERBENCH_MODULES");
    let modules = PathBuf::from(std::env::var_os("PERBENCH_MODULES").unwrap_or_else(|| "modules".into()));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    let options = Departure::ALL.iter().fold(Options::default(), |options, one| options.allow(*one));
    for name in ["rrc", "cam"] {
        let module = modules.join(format!("{name}.asn1"));
        println!("cargo:rerun-if-changed={}", module.display());
        Builder::new().schema(options).files(&module).per(name).unwrap().write(&out).unwrap();
        Compiler::<RasnBackend, _>::new()
            .add_asn_by_path(module)
            .set_output_path(out.join(format!("rasn_{name}.rs")))
            .compile()
            .unwrap();
    }
}
