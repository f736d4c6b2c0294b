//! Decimal numbers in INTEGER and OBJECT IDENTIFIER content.

use alloc::vec::Vec;

use crate::error::Reason;

/// The maximum number of digits. Converting them to binary takes quadratic time.
const MAX_DIGITS: usize = 4096;

/// An unsigned number in base 2³², least significant digit first. Zero has no digits.
struct Natural(Vec<u32>);

impl Natural {
    fn parse(digits: &[u8]) -> Result<Self, Reason> {
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(Reason::Number);
        }
        if digits.len() > MAX_DIGITS {
            return Err(Reason::LongNumber);
        }
        let mut parts: Vec<u32> = Vec::new();
        for chunk in digits.chunks(9) {
            let value = chunk.iter().fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0'));
            let mut carry = u64::from(value);
            let factor = 10u64.pow(chunk.len() as u32);
            for part in &mut parts {
                let product = u64::from(*part) * factor + carry;
                *part = product as u32;
                carry = product >> 32;
            }
            if carry != 0 {
                parts.push(carry as u32);
            }
        }
        Ok(Self(parts))
    }

    fn add(&mut self, value: u32) {
        let mut carry = u64::from(value);
        for part in &mut self.0 {
            let sum = u64::from(*part) + carry;
            *part = sum as u32;
            carry = sum >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// Returns the number, if it is small.
    fn small(&self) -> Option<u32> {
        match self.0.as_slice() {
            [] => Some(0),
            [part] => Some(*part),
            _ => None,
        }
    }

    /// Returns the big-endian bytes without leading zeros.
    fn octets(&self) -> Vec<u8> {
        let octets = self.0.iter().rev().flat_map(|part| part.to_be_bytes());
        octets.skip_while(|octet| *octet == 0).collect()
    }

    /// Appends the number as an arc: groups of seven bits, with the high bit set in all but the last (X.690 §8.19.2).
    fn put_arc(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let (mut bits, mut count) = (0u64, 0u32);
        // From the least significant end; turned round afterwards.
        for part in &self.0 {
            bits |= u64::from(*part) << count;
            count += 32;
            while count >= 7 {
                out.push(0x80 | (bits & 0x7F) as u8);
                bits >>= 7;
                count -= 7;
            }
        }
        out.push(0x80 | bits as u8);
        while out.len() > start + 1 && out.last() == Some(&0x80) {
            out.pop();
        }
        if let Some(last) = out.get_mut(start) {
            *last &= 0x7F;
        }
        if let Some(arc) = out.get_mut(start..) {
            arc.reverse();
        }
    }
}

/// Appends the content of the INTEGER or OBJECT IDENTIFIER that a word represents.
pub(crate) fn put(word: &[u8], out: &mut Vec<u8>) -> Result<(), Reason> {
    if word.contains(&b'.') { identifier(word, out) } else { integer(word, out) }
}

/// Appends an INTEGER in its shortest two's complement form (X.690 §8.3).
fn integer(word: &[u8], out: &mut Vec<u8>) -> Result<(), Reason> {
    let (negative, digits) = match word.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let mut octets = Natural::parse(digits)?.octets();
    // Zero has no sign.
    let negative = negative && !octets.is_empty();
    if negative {
        let mut carry = true;
        for octet in octets.iter_mut().rev() {
            let (sum, over) = (!*octet).overflowing_add(u8::from(carry));
            *octet = sum;
            carry = over;
        }
    }
    let sign = octets.first().is_some_and(|octet| *octet >= 0x80);
    if octets.is_empty() || sign != negative {
        out.push(if negative { 0xFF } else { 0 });
    }
    out.extend(octets);
    Ok(())
}

fn identifier(word: &[u8], out: &mut Vec<u8>) -> Result<(), Reason> {
    let mut arcs = word.split(|octet| *octet == b'.').map(Natural::parse);
    let first = arcs.next().transpose()?.and_then(|arc| arc.small().filter(|arc| *arc <= 2)).ok_or(Reason::Arcs)?;
    let mut second = arcs.next().ok_or(Reason::Number)??;
    if first < 2 && second.small().is_none_or(|arc| arc >= 40) {
        return Err(Reason::Arcs);
    }
    // The first two arcs share one number (X.690 §8.19.4).
    second.add(first * 40);
    second.put_arc(out);
    for arc in arcs {
        arc?.put_arc(out);
    }
    Ok(())
}
