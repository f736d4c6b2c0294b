//! Elements that the schema does not define: additions, alternatives and items of other versions, and values of unknown type
//! (§8.6). They are kept as XML.

use tagwise_codec::Budget;
use tagwise_codec::table::{Shape, Type};
use tagwise_codec::value::{Data, Foreign, ForeignRules, Value};

use super::{Content, Decoder, Element, Expect, Kind, Place};
use crate::rules::{Rule, Tolerance, Variant};
use crate::setting::Setting;
use crate::xml::{Limits, parse};

/// The XML of an element, and whether its meaning depends on the default namespace outside of it.
struct Kept {
    octets: Vec<u8>,
    is_open: bool,
}

/// The declarations that a walk through an element has found.
struct Walk<'e> {
    /// The declared prefixes of the open elements.
    prefixes: Vec<&'e str>,
    /// True inside of a declaration of a default namespace.
    has_default: bool,
    /// True if a name has a prefix that is declared outside of the element.
    is_dependent: bool,
    /// The default namespace outside of the element, if a name depends on it.
    outer: Option<Option<&'e str>>,
}

impl<'s, 'x> Decoder<'s, 'x> {
    /// Returns the XML of an unknown element. `None` if it uses prefixes of outer elements, or has tolerated forms.
    pub(super) fn kept(&mut self, element: &Element<'x>) -> Result<Option<Vec<u8>>, Kind> {
        Ok(self.kept_with_scope(element)?.map(|kept| kept.octets))
    }

    fn kept_with_scope(&mut self, element: &Element<'x>) -> Result<Option<Kept>, Kind> {
        let mut walk = Walk { prefixes: Vec::new(), has_default: false, is_dependent: false, outer: None };
        self.walk(element, &mut walk)?;
        let is_tolerated = self.deviations.iter().any(|(_, at)| (element.at..element.end).contains(at));
        if walk.is_dependent || is_tolerated {
            return Ok(None);
        }
        let octets = self.input.get(element.at..element.end).ok_or(Kind::Schema)?;
        let is_open = walk.outer.is_some();
        let octets = match walk.outer {
            // The element must keep its namespace in another place.
            Some(Some(uri)) => declared(octets, element.name, uri)?,
            _ => octets.to_vec(),
        };
        Ok(Some(Kept { octets, is_open }))
    }

    /// Checks the form of an element and of those in it.
    // Recursion is as deep as the document, whose depth is limited.
    fn walk<'e>(&mut self, element: &'e Element<'x>, walk: &mut Walk<'e>) -> Result<(), Kind> {
        let (outer, count) = (walk.has_default, walk.prefixes.len());
        for attribute in &element.attributes {
            if let Some(prefix) = attribute.name.strip_prefix("xmlns:") {
                walk.prefixes.push(prefix);
            }
            walk.has_default |= attribute.name == "xmlns";
        }
        let names = element.attributes.iter().map(|attribute| attribute.name).chain([element.name]);
        for (prefix, _) in names.filter_map(|name| name.split_once(':')) {
            walk.is_dependent |= !matches!(prefix, "xml" | "xmlns") && !walk.prefixes.contains(&prefix);
        }
        if !walk.has_default && !element.name.contains(':') {
            walk.outer = Some(element.namespace.as_deref());
        }
        let has_elements = element.content.iter().any(|part| matches!(part, Content::Element(_)));
        for part in &element.content {
            match part {
                Content::Element(inner) => {
                    self.enter(inner)?;
                    self.walk(inner, walk)?;
                }
                Content::Text(text) if text.is_space() && has_elements => {
                    self.canonical(Rule::WhiteSpace, text.at)?;
                }
                Content::Text(text) => {
                    if let Some(at) = text.escape {
                        self.canonical(Rule::Escapes, at)?;
                    }
                }
            }
        }
        walk.prefixes.truncate(count);
        walk.has_default = outer;
        Ok(())
    }

    /// An unknown alternative, item or value of unknown type, which is a single element.
    pub(super) fn foreign(
        &mut self,
        expect: Expect<'_, 's>,
        element: &Element<'x>,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        self.at = element.at;
        match self.kept(element)? {
            Some(octets) => {
                self.at = place.at;
                let part = Foreign { rules: ForeignRules::Xer, number: None, octets };
                Ok(Value::new(self.types, expect.ty, Data::Foreign(part)))
            }
            None => Err(Kind::Unsupported(format!("the unknown element <{}>", element.name))),
        }
    }
}

/// Adds the declaration of a default namespace to the start tag of an element.
fn declared(octets: &[u8], name: &str, uri: &str) -> Result<Vec<u8>, Kind> {
    let (start, rest) = octets.split_at_checked(1 + name.len()).ok_or(Kind::Schema)?;
    let uri = crate::encode::escaped(uri, true)?;
    Ok([start, b" xmlns=\"", uri.as_bytes(), b"\"", rest].concat())
}

/// Checks the XML of an element before it is encoded again in a type, where no reader may mistake it for a known element. Returns
/// it for a place with a default namespace.
pub(crate) fn again<'s>(
    setting: Setting<'s>,
    ty: Option<&'s Type>,
    namespace: Option<&str>,
    octets: &[u8],
) -> Result<Vec<u8>, Kind> {
    let refused = || Kind::Unsupported("an unknown element that is not valid in this place".to_owned());
    let setting = Setting { tolerance: Tolerance::NONE, positions: false, ..setting };
    let budget = setting.options.budget_in_force();
    let limits = Limits { depth: usize::from(budget.depth.min(Budget::MAX_DEPTH)), elements: budget.elements };
    let document = parse(octets, limits).map_err(|(_, kind)| kind)?;
    let root = &document.root;
    let is_plain = document.extra.is_none() || setting.variant == Variant::Extended;
    if !is_plain || (root.at, root.end) != (0, octets.len()) {
        return Err(refused());
    }
    let mut decoder = Decoder::new(setting, octets);
    decoder.enter(root)?;
    let kept = decoder.kept_with_scope(root)?.ok_or_else(refused)?;
    let is_known = match ty.map(|ty| &ty.shape) {
        Some(Shape::Sequence(fields) | Shape::Set(fields) | Shape::Presentation(fields)) => {
            let ty = ty.ok_or(Kind::Schema)?;
            let names = decoder.names(ty, fields)?;
            decoder.component(ty, fields, &names, root)?.is_some()
        }
        Some(Shape::Choice { alternatives, .. }) => {
            let ty = ty.ok_or(Kind::Schema)?;
            decoder.alternative(ty, alternatives, root)?.is_some()
                || decoder.begins(ty, root, super::extended::LAYERS)?
        }
        Some(Shape::Enumerated { items, .. }) => {
            let is_empty = root.content.is_empty() && root.attributes.is_empty();
            !is_empty || items.iter().any(|item| *item.name == *root.name)
        }
        _ => false,
    };
    if is_known {
        return Err(refused());
    }
    let Some(uri) = namespace else { return Ok(kept.octets) };
    // A declaration that is in force already is not repeated.
    let redundant = declared(&[b"<", root.name.as_bytes()].concat(), root.name, uri)?;
    match kept.octets.strip_prefix(redundant.as_slice()) {
        Some(rest) => Ok([b"<", root.name.as_bytes(), rest].concat()),
        None if kept.is_open && !root.attributes.iter().any(|one| one.name == "xmlns") => {
            declared(&kept.octets, root.name, "")
        }
        None => Ok(kept.octets),
    }
}
