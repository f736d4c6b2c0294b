//! Verifies proofs and messages from Boulder's packages with Tagwise.

use std::path::Path;

use tagwise_codec::text::hex;
use tagwise_mtc::tree::{Subtree, verify_consistency};
use tagwise_mtc::{CosignedSubtree, Hash};

use crate::Failure;

fn hash(text: &str) -> Result<Hash, Failure> {
    Ok(Hash::try_from(hex::decode(text.as_bytes())?.as_slice())?)
}

/// Verifies each line of a file, and checks that each is rejected when corrupted.
pub(crate) fn check(file: &Path) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file)?;
    let (mut proofs, mut messages) = (0u32, 0u32);
    for (line, number) in text.lines().zip(1..) {
        let fail = |why: &str| -> Failure { format!("line {number}: {why}").into() };
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["consistency", start, end, size, node, root, proof @ ..] => {
                let subtree = Subtree::new(start.parse()?, end.parse()?).ok_or_else(|| fail("no subtree"))?;
                let (node, root, size) = (hash(node)?, hash(root)?, size.parse()?);
                let proof = proof.iter().map(|text| hash(text)).collect::<Result<Vec<_>, _>>()?;
                if !verify_consistency(subtree, size, &proof, &node, &root) {
                    return Err(fail("the proof is refused"));
                }
                let mut other = node;
                other.iter_mut().take(1).for_each(|byte| *byte ^= 1);
                let longer = [proof.as_slice(), &[[0; 32]]].concat();
                if verify_consistency(subtree, size, &proof, &other, &root)
                    || verify_consistency(subtree, size, &longer, &node, &root)
                {
                    return Err(fail("a spoilt proof is accepted"));
                }
                proofs += 1;
            }
            ["message", start, end, subtree_hash, bytes] => {
                let subtree = Subtree::new(start.parse()?, end.parse()?).ok_or_else(|| fail("no subtree"))?;
                let hash = hash(subtree_hash)?;
                let (cosigner, origin) = ("oid/1.3.6.1.4.1.32473.20", "oid/1.3.6.1.4.1.32473.1.0.1");
                let own = CosignedSubtree { cosigner, timestamp: 0, origin, subtree, hash: &hash }.encode()?;
                if hex::encode(&own) != *bytes {
                    return Err(fail("the message to be signed is another one"));
                }
                messages += 1;
            }
            _ => return Err(fail("it is unknown")),
        }
    }
    if proofs == 0 || messages == 0 {
        return Err("there is nothing to check in it".into());
    }
    println!("tagwise: {proofs} proofs of Boulder verified, {messages} message alike");
    Ok(())
}
