//! Reports errors in the modules in the given files: `cargo run --example check -- FILE…`. With a leading `--lenient`,
//! departures are warnings, and the correct part is compiled.

use tagwise_schema::{Departure, Options, Source, compile_with};

fn main() -> std::io::Result<()> {
    let mut sources = Vec::new();
    let mut options = Options::default();
    for path in std::env::args().skip(1) {
        if path == "--lenient" {
            options = Departure::ALL.iter().fold(options.keep_going(), |options, departure| options.allow(*departure));
            continue;
        }
        sources.push(Source::from_bytes(&path, &std::fs::read(&path)?));
    }
    let compilation = compile_with(sources, &options);
    print!("{}", compilation.render());
    for one in compilation.omitted() {
        println!("omitted: {}.{}: {}", one.module, one.name, one.reason);
    }
    println!("{} errors, {} warnings", compilation.diagnostics().errors(), compilation.diagnostics().warnings());
    Ok(())
}
