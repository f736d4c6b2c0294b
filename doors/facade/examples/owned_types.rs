//! User-defined types without a lifetime, which can be stored, modified and sent to other threads.

use std::error::Error;

use tagwise::Asn1;
use tagwise::codec::{Decode, Encode, Ia5String, OidBuf};

/// ```asn1
/// Person ::= SEQUENCE { age INTEGER, name UTF8String, mails SEQUENCE OF IA5String,
///     photo [0] IMPLICIT OCTET STRING OPTIONAL }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
struct Person {
    age: u8,
    name: String,
    mails: Vec<Ia5String>,
    #[asn1(implicit = 0, octets)]
    photo: Option<Vec<u8>>,
}

/// A register that owns the values that it has read.
#[derive(Asn1, Clone, Debug, PartialEq)]
struct Register {
    kind: OidBuf,
    people: Vec<Person>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let eva = Person { age: 41, name: "Eva".into(), mails: vec!["eva@example.org".parse()?], photo: None };
    let der = Register { kind: "2.999.7".parse()?, people: vec![eva] }.to_der()?;
    println!("{der:02x?}");

    let mut register = Register::from_der(&der)?;
    drop(der);
    register.people.push(Person { age: 7, name: "Max".into(), mails: vec![], photo: Some(vec![0xFF, 0xD8]) });
    let names = std::thread::spawn(move || register.people.into_iter().map(|person| person.name).collect::<Vec<_>>());
    println!("{:?}", names.join().map_err(|_| "the thread went down")?);
    Ok(())
}
