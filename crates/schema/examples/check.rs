//! Says what is wrong with the modules in the files that are named: `cargo run --example check -- FILE…`.

fn main() -> std::io::Result<()> {
    let mut sources = Vec::new();
    for path in std::env::args().skip(1) {
        sources.push(tagwise_schema::Source::from_bytes(&path, &std::fs::read(&path)?));
    }
    let compilation = tagwise_schema::compile(sources);
    print!("{}", compilation.render());
    println!("{} errors, {} warnings", compilation.diagnostics().errors(), compilation.diagnostics().warnings());
    Ok(())
}
