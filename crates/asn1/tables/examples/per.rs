//! Converts between PER, OER or XER and JSON, for comparisons with other implementations.
//!
//! Arguments: files of modules. Each line of the standard input is `decode VARIANT TYPE HEX`,
//! `recode VARIANT TYPE HEX`, `random VARIANT TYPE HEX` or `encode VARIANT TYPE JSON`. `random` reads any bits and writes the
//! encoding of the value that they resemble. `names - TYPE -` lists the types. Each line of the output is `ok RESULT` or `error MESSAGE`.

use std::error::Error;
use std::io::{self, BufRead, Write};

use tagwise_codec::text::hex;
use tagwise_per::{Rule, Tolerance, Variant};
use tagwise_tables::{Departure, Schema, SchemaOptions, Source};

fn main() -> Result<(), Box<dyn Error>> {
    let mut sources = Vec::new();
    for name in std::env::args().skip(1) {
        sources.push(Source::new(&name, &std::fs::read_to_string(&name)?));
    }
    let options = Departure::ALL.iter().fold(SchemaOptions::default(), |options, one| options.allow(*one));
    let schema = Schema::compile_with(sources, &options)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match answer(&schema, &line?) {
            Ok(text) => writeln!(out, "ok {text}")?,
            Err(error) => writeln!(out, "error {}", error.to_string().replace('\n', " "))?,
        }
        out.flush()?;
    }
    Ok(())
}

fn answer(schema: &Schema, line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.splitn(4, ' ');
    let mut next = || words.next().ok_or("expected four words");
    let (verb, variant, name, data) = (next()?, next()?, next()?, next()?);
    let ty = schema.per(name)?.variant(Variant::named(variant).unwrap_or(Variant::UNALIGNED));
    let dynamic = schema.ty(name)?;
    if let Some(variant) = tagwise_tables::xer::Variant::named(variant) {
        let ty = schema.xer(name)?.variant(variant);
        let value = match verb {
            "encode" => tagwise_jer::from_str(&dynamic, data)?,
            _ => ty.decode(&hex::decode_pairs(data).ok_or("expected hexadecimal")?)?.value,
        };
        return match verb {
            "decode" => Ok(tagwise_jer::to_string(dynamic.types(), &value)),
            _ => Ok(format!("{:X}", hex::Hex(&ty.encode(&value)?))),
        };
    }
    if variant == "oer" || variant == "coer" {
        let ty = schema.oer(name)?.canonical(variant == "coer");
        let value = match verb {
            "encode" => tagwise_jer::from_str(&dynamic, data)?,
            _ => ty.decode(&hex::decode_pairs(data).ok_or("expected hexadecimal")?)?,
        };
        return match verb {
            "decode" => Ok(tagwise_jer::to_string(dynamic.types(), &value)),
            _ => Ok(format!("{:X}", hex::Hex(&ty.encode(&value)?))),
        };
    }
    if verb == "names" {
        let names = schema.names().iter().map(|name| format!("{}.{}", name.module, name.name));
        return Ok(names.collect::<Vec<_>>().join(" "));
    }
    if verb == "random" {
        let octets = hex::decode_pairs(data).ok_or("expected hexadecimal")?;
        let all = Rule::ALL.into_iter().fold(Tolerance::NONE, Tolerance::allow);
        let value = ty.tolerating(all).decode(&octets)?.value;
        let json = tagwise_jer::to_string(dynamic.types(), &value);
        return Ok(format!("{:X} {json}", hex::Hex(&ty.encode(&value)?)));
    }
    if verb == "recode" {
        let octets = hex::decode_pairs(data).ok_or("expected hexadecimal")?;
        return Ok(format!("{:X}", hex::Hex(&ty.encode(&ty.decode(&octets)?.value)?)));
    }
    if verb == "decode" {
        let octets = hex::decode_pairs(data).ok_or("expected hexadecimal")?;
        return Ok(tagwise_jer::to_string(dynamic.types(), &ty.decode(&octets)?.value));
    }
    let octets = ty.encode(&tagwise_jer::from_str(&dynamic, data)?)?;
    Ok(format!("{:X}", hex::Hex(&octets)))
}
