//! Authorization data: non-recursive lookup of elements in containers.

use tagwise_codec::table::Typed;
use tagwise_codec::{Decode, Fault, FaultKind, Options};

use crate::messages::{AdKdcIssued, AuthorizationData};
use crate::{cammac, numbers::ad, rules};

/// The maximum number of elements to read, including containers.
const MAX_ELEMENTS: usize = 1024;

/// An element of authorization data, with its position in containers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The type.
    pub kind: i32,
    /// The data.
    pub data: Vec<u8>,
    /// True if the element is inside AD-IF-RELEVANT, so that it may be ignored if unknown (RFC 4120 §5.2.6.1).
    pub if_relevant: bool,
    /// The number of enclosing containers.
    pub depth: usize,
}

/// Lists all elements, containers before their contents. Descends into AD-IF-RELEVANT, AD-KDCIssued and AD-CAMMAC without
/// verifying their checksums.
///
/// # Errors
/// Returns an error if a container cannot be decoded, or there are more than 1,024 elements.
pub fn elements(data: &AuthorizationData<'_>) -> Result<Vec<Element>, tagwise_codec::Error> {
    let mut found = Vec::new();
    for entry in data.iter() {
        let entry = entry?;
        if found.len() == MAX_ELEMENTS {
            return Err(too_many());
        }
        found.push(Element { kind: entry.ad_type, data: entry.ad_data.to_vec(), if_relevant: false, depth: 0 });
    }
    let mut at = 0;
    while let Some(element) = found.get(at) {
        let inner = inside(element)?;
        if found.len().saturating_add(inner.len()) > MAX_ELEMENTS {
            return Err(too_many());
        }
        at += 1;
        // Inserted behind their container, so that the order is that of the text.
        found.splice(at..at, inner);
    }
    Ok(found)
}

fn too_many() -> tagwise_codec::Error {
    let ty = <AuthorizationData<'_> as Typed>::ty();
    tagwise_codec::Error::locate(Fault::new(FaultKind::ElementsExceeded, 0), ty, &[])
}

/// Returns the elements inside a container.
fn inside(element: &Element) -> Result<Vec<Element>, tagwise_codec::Error> {
    let options = Options::der().rules(rules::PEERS);
    let of = |list: &AuthorizationData<'_>| -> Result<Vec<Element>, tagwise_codec::Error> {
        list.iter()
            .map(|entry| {
                let entry = entry?;
                Ok(Element {
                    kind: entry.ad_type,
                    data: entry.ad_data.to_vec(),
                    if_relevant: element.if_relevant || element.kind == ad::IF_RELEVANT,
                    depth: element.depth.saturating_add(1),
                })
            })
            .collect()
    };
    match element.kind {
        ad::IF_RELEVANT => of(&AuthorizationData::from_der(&element.data)?),
        ad::KDC_ISSUED => of(&options.decode::<AdKdcIssued<'_>>(&element.data)?.value.elements),
        ad::CAMMAC => of(&options.decode::<cammac::AdCammac<'_>>(&element.data)?.value.elements),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::{OctetStr, encode};

    use super::*;
    use crate::messages::AuthorizationDataEntry;

    /// Returns the DER of a list of `count` elements whose type is not a container.
    fn list(count: usize) -> Vec<u8> {
        let entry = AuthorizationDataEntry { ad_type: ad::SIGNTICKET, ad_data: OctetStr::new(&[]) };
        encode(&AuthorizationData::from(&vec![entry; count])).unwrap()
    }

    #[test]
    fn more_elements_than_the_budget_are_an_error() {
        let der = list(MAX_ELEMENTS);
        assert_eq!(elements(&AuthorizationData::from_der(&der).unwrap()).unwrap().len(), MAX_ELEMENTS);
        let der = list(MAX_ELEMENTS + 1);
        let error = elements(&AuthorizationData::from_der(&der).unwrap()).unwrap_err();
        assert_eq!(error.kind(), FaultKind::ElementsExceeded);

        // The container is one more.
        let inside = list(MAX_ELEMENTS);
        let entry = AuthorizationDataEntry { ad_type: ad::IF_RELEVANT, ad_data: OctetStr::new(&inside) };
        let der = encode(&AuthorizationData::from(&[entry])).unwrap();
        let error = elements(&AuthorizationData::from_der(&der).unwrap()).unwrap_err();
        assert_eq!(error.kind(), FaultKind::ElementsExceeded);
    }
}
