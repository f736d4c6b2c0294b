//! The programs of the guide's page on C: each prints what the page says.

use super::build::{compilers, home, program, room, run, running};

#[test]
fn programs_of_the_guide() {
    let page = std::fs::read_to_string(home().join("../../docs/src/c.md")).unwrap();
    let (_, module) = page.split_once("```asn1\n").unwrap();
    let module_file = room().join("point.asn1");
    std::fs::write(&module_file, module.split_once("```").unwrap().0).unwrap();
    let made = tagwise_codegen::Builder::new().files(module_file).c("point", "").unwrap();
    made.write(&room()).unwrap();
    let mut count = 0;
    for block in page.split("```c\n").skip(1) {
        let (code, rest) = block.split_once("```\n").unwrap();
        let (_, printed) = rest.split_once("```text\n").unwrap();
        let (printed, _) = printed.split_once("```").unwrap();
        let source = room().join(format!("guide-{count}.c"));
        // One file with what is generated, which users compile along.
        std::fs::write(&source, code.replace("#include \"point.h\"", "#include \"point.c\"")).unwrap();
        for (index, compiler) in compilers().iter().enumerate() {
            let binary = program(&source, &format!("guide-{count}-{index}"), compiler);
            assert_eq!(run(&mut running(&binary)), printed, "{code}");
        }
        count += 1;
    }
    assert_eq!(count, 7);
}
