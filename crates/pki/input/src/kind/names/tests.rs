#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;

/// Whatever can be taken apart has a name, and by that name the same type.
#[test]
fn what_is_known_has_a_name() {
    let same =
        |one: &Type, other: &Type| format!("{:?}", (&one.name, one.tag)) == format!("{:?}", (&other.name, other.tag));
    let mut count = 0;
    for ty in ValueKind::ALL.iter().map(|kind| kind.ty()).chain(known::types()).chain([Extensions::ty()]) {
        let found = find(&ty.name).unwrap_or_else(|| panic!("{} is unknown", &*ty.name));
        assert!(same(found, ty), "{} is {found:?}", &*ty.name);
        count += 1;
    }
    assert!(count > 80, "{count}");
    for object in ExtensionValue::set().objects.iter() {
        let found = find(&object.name).unwrap_or_else(|| panic!("{} is unknown", &*object.name));
        assert!(same(found, object.ty.get(None).unwrap()), "{} is {found:?}", &*object.name);
    }
}

#[test]
fn each_name_once() {
    let names = all();
    let different: BTreeSet<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    assert_eq!(different.len(), names.len());
    assert!(names.contains(&"TNAuthorizationList"), "{names:?}");
}
