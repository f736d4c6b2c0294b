//! Values of a schema that is loaded at run time: JSON to DER and back.

use std::error::Error;

use tagwise::codec::ber;
use tagwise::tables::{Schema, Source};

const SCHEMA: &str = "Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER DEFAULT 7, name UTF8String OPTIONAL }
END";

fn main() -> Result<(), Box<dyn Error>> {
    let schema = Schema::compile([Source::new("example.asn1", SCHEMA)])?;
    let point = schema.ty("Point")?;

    let value = tagwise::jer::from_str(&point, r#"{"x": 5, "name": "here"}"#)?;
    let der = point.encode(&value)?;
    println!("{der:02x?}");

    let read = point.decode(&der)?;
    println!("{}", tagwise::jer::to_string(point.types(), &read.value));

    // Out of range, and an error that says so.
    if let Err(error) = point.decode(&[0x30, 0x03, 0x80, 0x01, 0x65]) {
        println!("{error}");
    }
    // An indefinite length is no DER; without a type it can be converted all the same.
    println!("{:02x?}", ber::to_der_untyped(&[0x30, 0x80, 0x80, 0x01, 0x05, 0x00, 0x00])?.bytes);
    Ok(())
}
