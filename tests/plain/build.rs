//! Compiles `schemas/` and the additional modules for the samples to Rust, in the output folder.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    tagwise_codegen::Builder::new()
        .files("../../schemas")
        .files("../schemas")
        .codec("tagwise_codec", "tagwise_derive::Asn1")
        .build()?;
    Ok(())
}
