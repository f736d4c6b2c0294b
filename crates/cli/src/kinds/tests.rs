#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use tagwise_pkix::Extensions;

use super::*;

/// Whatever `show` takes apart has a name for `--type`, and by that name the same type.
#[test]
fn what_show_knows_has_a_name() {
    let same =
        |one: &Type, other: &Type| format!("{:?}", (&one.name, one.tag)) == format!("{:?}", (&other.name, other.tag));
    let mut count = 0;
    for ty in Message::ALL.iter().map(|message| message.ty()).chain(known::types()).chain([Extensions::ty()]) {
        let found = named(&ty.name).unwrap_or_else(|| panic!("--type {} is unknown", &*ty.name));
        assert!(same(found, ty), "--type {} is {found:?}", &*ty.name);
        count += 1;
    }
    assert!(count > 80, "{count}");
    for object in ExtensionValue::set().objects.iter() {
        let found = named(&object.name).unwrap_or_else(|| panic!("--type {} is unknown", &*object.name));
        assert!(same(found, object.ty.get(None).unwrap()), "--type {} is {found:?}", &*object.name);
    }
}

#[test]
fn each_name_once() {
    let names = names();
    let different: BTreeSet<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    assert_eq!(different.len(), names.len());
    assert!(names.contains(&"TNAuthorizationList"), "{names:?}");
}
