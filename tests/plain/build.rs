//! `schemas/` and what the samples need besides, as Rust in the folder for output.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    tagwise_codegen::Builder::new()
        .files("../../schemas")
        .files("../schemas")
        .codec("tagwise_codec", "tagwise_derive::Asn1")
        .build()?;
    Ok(())
}
