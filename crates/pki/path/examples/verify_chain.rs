//! Validates the first certificate in a PEM file for a host name, against the roots in another file:
//! `cargo run --example verify_chain --features crypto -- chain.pem www.example.org roots.pem`.

use std::error::Error;
use std::time::SystemTime;
use std::{env, fs};

use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_path::{Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [chain, host, roots] = arguments.as_slice() else {
        return Err("usage: verify_chain CHAIN HOST ROOTS".into());
    };
    let mut anchors = Anchors::new();
    anchors.read(&fs::read(roots)?);

    let text = fs::read(chain)?;
    let mut sent = Vec::new();
    for block in pem::blocks(&text) {
        sent.push(block?.decode()?);
    }
    let (leaf, others) = sent.split_first().ok_or("no certificate")?;
    let pool: Pool = others.iter().collect();

    let mut policy = Policy::new(&Profile::WEBPKI, SystemTime::now().into());
    policy.names.push(ExpectedName::dns(host)?);
    match verify::path(leaf, &pool, &anchors, &policy, &CryptoVerifier(&AwsLc::new())) {
        Ok(path) => println!("{path}"),
        // Every path that was tried, and the rule that ended it.
        Err(report) => println!("{report}"),
    }
    Ok(())
}
