//! User-defined types: a struct, a choice and an enumeration, decoded and encoded in DER, with errors that include a path.

use std::error::Error;

use tagwise::Asn1;
use tagwise::codec::{Decode, SeqOf, Utf8, encode};

/// ```asn1
/// Drawing ::= SEQUENCE { title UTF8String (SIZE (1..40)), shapes SEQUENCE OF Shape }
/// ```
#[derive(Asn1, Debug, PartialEq)]
struct Drawing<'a> {
    #[asn1(size(1..=40))]
    title: Utf8<'a>,
    shapes: SeqOf<'a, Shape>,
}

/// ```asn1
/// Shape ::= CHOICE { circle [0] IMPLICIT Circle, colour [1] IMPLICIT Colour }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Shape {
    #[asn1(implicit = 0)]
    Circle(Circle),
    #[asn1(implicit = 1)]
    Colour(Colour),
}

/// `Circle ::= SEQUENCE { x INTEGER, y [0] IMPLICIT INTEGER DEFAULT 0, radius INTEGER (1..1000) }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Circle {
    x: i32,
    #[asn1(implicit = 0, default = 0)]
    y: i32,
    #[asn1(value(1..=1000))]
    radius: u16,
}

/// `Colour ::= ENUMERATED { red, green, blue }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
enum Colour {
    Red,
    Green,
    Blue,
}

fn main() -> Result<(), Box<dyn Error>> {
    let shapes = [Shape::Colour(Colour::Blue), Shape::Circle(Circle { x: -5, y: 0, radius: 12 })];
    let der = encode(&Drawing { title: Utf8::new("A dot"), shapes: SeqOf::from_slice(&shapes) })?;
    println!("{der:02x?}");

    let drawing = Drawing::from_der(&der)?;
    for shape in drawing.shapes.iter() {
        println!("{:?}", shape?);
    }

    // A radius of 0, in the last byte.
    let mut wrong = der.clone();
    if let [.., high, low] = wrong.as_mut_slice() {
        (*high, *low) = (*high, 0);
    }
    if let Err(error) = Drawing::from_der(&wrong) {
        println!("{error}");
    }
    Ok(())
}
