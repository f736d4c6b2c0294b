//! A program made from the header that calls every function, first with nothing for each argument, then with a panic inside.

use std::fmt::Write as _;

use super::build::{compilers, home, program, room, run, running};

/// A function of the header.
pub(crate) struct Prototype {
    result: String,
    pub(crate) name: String,
    /// The types of the parameters.
    parameters: Vec<String>,
}

/// The functions that a header made by cbindgen declares.
pub(crate) fn prototypes(header: &str) -> Vec<Prototype> {
    let code: String = header.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect();
    let (_, code) = code.split_once("extern \"C\" {").unwrap();
    let mut found = Vec::new();
    for statement in code.split(';') {
        let Some((head, parameters)) = statement.split_once('(') else { continue };
        let Some(at) = head.rfind("tagwise_") else { continue };
        let (result, name) = head.split_at(at);
        let result = result.split('\n').next_back().unwrap().trim();
        let result = result.strip_prefix("TAGWISE_MUST_USE ").unwrap_or(result).to_owned();
        let parameters = parameters.trim_end().trim_end_matches(')');
        // Functions that are parameters are the one kind that has commas inside.
        let mut list = vec![String::new()];
        let mut depth = 0;
        for character in parameters.chars() {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    list.push(String::new());
                    continue;
                }
                _ => {}
            }
            list.last_mut().unwrap().push(character);
        }
        let parameters = list.iter().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let parameters = parameters.filter(|text| text != "void").collect();
        found.push(Prototype { result, name: name.trim().to_owned(), parameters });
    }
    found
}

/// Nothing, as an argument of a type.
fn nothing(parameter: &str) -> &'static str {
    if parameter.contains("**error") {
        "&error"
    } else if parameter.contains('*') {
        "NULL"
    } else if parameter.starts_with("struct tagwise_bytes") {
        "none"
    } else {
        "0"
    }
}

/// An expression that is true if a call gave what functions give on failure.
fn failed(result: &str) -> &'static str {
    match result {
        "void" => "",
        "struct tagwise_bytes" => "result.ptr == NULL",
        result if result.ends_with('*') => "result == NULL",
        _ => "result == 0",
    }
}

/// A call of one function; `armed` with a panic inside.
fn call(function: &Prototype, armed: bool) -> String {
    let Prototype { result, name, parameters } = function;
    let fallible = parameters.iter().any(|parameter| parameter.contains("**error"));
    let arguments = parameters.iter().map(|parameter| nothing(parameter)).collect::<Vec<_>>().join(", ");
    let mut code = String::from("    {\n        struct tagwise_error *error = NULL;\n");
    if armed {
        code += "        tagwise_fault_arm();\n";
    }
    let wanted = failed(result);
    if wanted.is_empty() {
        writeln!(code, "        {name}({arguments});").unwrap();
    } else {
        writeln!(code, "        {result} result = {name}({arguments});").unwrap();
    }
    if armed {
        writeln!(code, "        if (!tagwise_fault_fired()) fail(\"{name}\", \"has no point where it fails\");")
            .unwrap();
        if !wanted.is_empty() {
            writeln!(code, "        if (!({wanted})) fail(\"{name}\", \"returns something after a panic\");").unwrap();
        }
        if fallible {
            writeln!(
                code,
                "        if (tagwise_error_get_kind(error) != TAGWISE_ERROR_KIND_INTERNAL) fail(\"{name}\", \"has another error\");"
            )
            .unwrap();
        }
    } else {
        code += &format!(
            "        if (error != NULL && tagwise_error_message(error)[0] == 0) fail(\"{name}\", \"has an empty message\");\n"
        );
        // What is made of nothing is freed.
        if result.starts_with("void") && !wanted.is_empty() {
            // Memory of an arena, or a value by its generated type: none is made of nothing.
            writeln!(code, "        if (!({wanted})) fail(\"{name}\", \"makes something of nothing\");").unwrap();
        } else if result.ends_with('*') && !result.starts_with("const") && !wanted.is_empty() {
            let handle = result.trim_start_matches("struct ").trim_end_matches('*').trim();
            writeln!(code, "        {handle}_free(result);").unwrap();
        } else if !wanted.is_empty() {
            code += "        (void)result;\n";
        }
    }
    code += "        tagwise_error_free(error);\n    }\n";
    code
}

fn text(functions: &[Prototype], armed: bool) -> String {
    let mut code = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <tagwise.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\
         void tagwise_fault_arm(void);\nbool tagwise_fault_fired(void);\n#ifdef __cplusplus\n}\n#endif\n\n\
         static int failures;\n\nstatic void fail(const char *name, const char *what) {\n    \
         printf(\"%s %s\\n\", name, what);\n    failures++;\n}\n\n\
         int main(void) {\n    const struct tagwise_bytes none = {NULL, 0};\n    (void)none;\n",
    );
    for function in functions {
        // Memory that nobody gives back is not taken: the hook is tested on its own.
        code += &call(function, armed);
    }
    code += "    if (failures == 0) printf(\"ok\\n\");\n    return failures != 0;\n}\n";
    code
}

fn run_all(name: &str, armed: bool) {
    let header = std::fs::read_to_string(home().join("include/tagwise.h")).unwrap();
    let functions = prototypes(&header);
    assert!(functions.len() > 100);
    let source = room().join(format!("{name}.c"));
    std::fs::write(&source, text(&functions, armed)).unwrap();
    for (index, compiler) in compilers().iter().enumerate() {
        let binary = program(&source, &format!("{name}-{index}"), compiler);
        let mut command = running(&binary);
        assert_eq!(run(&mut command), "ok\n", "{compiler}");
    }
}

#[test]
fn each_function_takes_nothing() {
    run_all("nothing", false);
}

#[test]
fn no_function_lets_a_panic_out() {
    if cfg!(feature = "fault-injection") {
        run_all("panics", true);
    } else {
        tagwise_testing::skip("built without the feature `fault-injection`");
    }
}
