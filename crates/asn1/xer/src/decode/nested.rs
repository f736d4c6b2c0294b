//! Lists, open types and contained values.

use std::borrow::Cow;
use std::slice;

use tagwise_codec::table::{Shape, Type, TypeRef};
use tagwise_codec::value::{Data, Dynamic, Scope, Value};
use tagwise_codec::{Any, Budget, Decode};
use tagwise_per::shared::Step;

use super::{Content, Decoder, Expect, Kind, Place};
use crate::encode;
use crate::rules::{Rule, Variant};
use crate::setting::Setting;
use crate::xml::{Limits, parse};

impl<'s, 'x> Decoder<'s, 'x> {
    pub(super) fn list(
        &mut self,
        expect: Expect<'_, 's>,
        base: &'s Type,
        item: &'s TypeRef,
        is_set: bool,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        let ty = self.get(item)?;
        let layout = self.layout_of(ty);
        let own = self.instructions(layout)?;
        if self.instructions(expect.layout)?.list {
            return self.spaced(expect, ty, place);
        }
        // X.680 Table 5: these have no element around them.
        let bare =
            matches!(self.types.base(ty).shape, Shape::Boolean | Shape::Enumerated { .. } | Shape::Choice { .. });
        let identifier = self.layout_of(base).and_then(|layout| layout.item.as_deref());
        let (mut items, mut before) = (Vec::new(), None);
        for (index, part) in self.children(place)?.into_iter().enumerate() {
            let Content::Element(element) = part else { continue };
            self.spend_values(1)?;
            self.steps.push(Step::Item(index));
            self.at = element.at;
            let bare = bare && !own.text || own.untagged;
            if !bare {
                match identifier {
                    Some(name) => self.expect_this(element, &own.name(name), own.namespace.as_deref())?,
                    None => self.expect_name(element, ty)?,
                }
            }
            let place = if bare { Place::part(slice::from_ref(part), element.at) } else { Place::of(element) };
            items.push(self.value(Expect { ty, layout, containing: None, constraints: &[], ..expect }, place)?);
            if is_set {
                let octets = self.input.get(element.at..element.end);
                if before > octets {
                    self.canonical(Rule::SetOfOrder, element.at)?;
                }
                before = octets;
            }
            self.steps.pop();
        }
        Ok(Value::new(self.types, expect.ty, Data::Items(items)))
    }

    /// An open type: the element of its value, or its encoding in hexadecimal (§8.5).
    pub(super) fn open(
        &mut self,
        expect: Expect<'_, 's>,
        base: &'s Type,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        let selected = self.types.selected(base, expect.scope);
        let has_element = place.content.iter().any(|part| matches!(part, Content::Element(_)));
        match (selected, has_element) {
            (Some(ty), true) => {
                let layout = self.layout_of(ty);
                self.typed(Expect { ty, layout, containing: None, constraints: &[], ..expect }, place)
            }
            (None, true) => {
                let element = self.only(place, "the element of a value")?;
                self.foreign(expect, element, place)
            }
            (selected, false) => {
                let octets = self.hexadecimal(place)?;
                self.canonical(Rule::OpenTypeForm, place.at)?;
                match selected {
                    Some(ty) => self.der(ty, expect.scope, expect.depth, &octets),
                    None => {
                        Any::from_der(&octets)
                            .map_err(|error| Kind::Content(format!("not a single DER element: {error}")))?;
                        Ok(Value::new(self.types, expect.ty, Data::Unknown(Cow::Owned(octets))))
                    }
                }
            }
        }
    }

    /// Reads DER as a value of a type, which must not borrow from it: through XML.
    fn der(
        &mut self,
        ty: &'s Type,
        scope: Option<&Scope<'_, 's>>,
        depth: u32,
        octets: &[u8],
    ) -> Result<Value<'s>, Kind> {
        let dynamic = Dynamic::new(ty).schema(self.setting.schema).options(self.setting.options);
        let read = dynamic
            .decode(octets)
            .map_err(|error| Kind::Content(format!("the value of the selected type is not valid DER: {error}")))?;
        let setting = Setting { positions: false, variant: Variant::Basic, ..self.setting };
        let xml = encode::content(setting, super::unknown::again, ty, &read.value).map_err(|error| error.kind)?;
        let limits = Limits { depth: usize::from(Budget::MAX_DEPTH) + 2, elements: u64::MAX };
        let document = parse(&xml, limits).map_err(|(_, kind)| kind)?;
        let mut inner = Decoder::new(setting, &xml);
        let (layout, containing, constraints) = (self.layout_of(ty), None, &[][..]);
        let expect = Expect { ty, layout, containing, constraints, scope, depth, is_text: false };
        inner.value(expect, Place::of(&document.root))
    }

    /// The element of a value, with the name of its type.
    pub(super) fn typed(&mut self, expect: Expect<'_, 's>, place: Place<'_, 'x>) -> Result<Value<'s>, Kind> {
        let name = self.name(expect.ty);
        let element = self.only(place, &format!("<{name}>"))?;
        self.expect_name(element, expect.ty)?;
        self.value(expect, Place::of(element))
    }
}
