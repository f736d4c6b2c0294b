(module name: (reference) @name) @definition.module
(type_assignment name: (reference) @name) @definition.type
(set_assignment name: (reference) @name) @definition.constant
(class_assignment name: (reference) @name) @definition.class
(value_assignment name: (identifier) @name) @definition.constant
(macro_use name: (identifier) @name) @definition.constant
(type_reference (reference) @name) @reference.type
