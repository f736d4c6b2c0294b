//! Resolves syntax trees to the model: looks up names, substitutes parameters, computes values and constraints, and
//! checks rules.
//!
//! Named types, classes, objects and sets are numbered at their first reference and filled in later from a queue, so
//! references cause no recursion. Items that are needed immediately (a value in a tag, the components of COMPONENTS OF)
//! are computed on demand, within a depth budget.

mod automatic;
mod breaks;
mod check;
mod class;
mod clock;
mod constraint;
mod defaults;
mod element;
mod enumeration;
mod fields;
mod finite;
mod instance;
mod iri;
mod literal;
mod named;
mod names;
mod object;
mod oid;
mod outer;
mod part;
mod pattern;
mod ranges;
mod set;
mod spend;
mod syntax;
mod table;
mod types;
mod unique;
mod value;
mod visible;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::ast::{self, Actual};
use crate::diagnostic::{Clause, Diagnostic, Diagnostics};
use crate::lex::Tokens;
use crate::model::{
    ClassId, Constraints, Model, ModuleId, ObjectId, Outer, SetId, Shape, Tag, TagClass, Type, TypeId, TypeName, Value,
    Visible,
};
use crate::parse::{Failed, Parsed, Parser};
use crate::source::Span;
use crate::{Int, Limits};

use names::ModuleInfo;

/// A module, and the actual parameters in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    pub(crate) module: u32,
    /// The index of the environment. 0 is the environment without parameters.
    pub(crate) env: u32,
}

/// The actual parameters, by the names of the dummy parameters.
#[derive(Debug, Default)]
struct Env {
    parameters: Vec<Bound>,
    /// The number of enclosing instances.
    depth: u32,
    /// The module that declares the dummy parameters.
    module: u32,
}

/// A dummy parameter with its actual parameter.
#[derive(Debug)]
struct Bound {
    name: String,
    governor: Option<Rc<ast::Type>>,
    actual: Rc<Actual>,
    /// Scope of the actual parameter.
    scope: Scope,
    /// The actual parameter's text, with outer parameters substituted and names qualified by module. Identifies an instance.
    key: String,
    /// The actual parameter's text for display.
    display: String,
    /// Resolved entity, once known.
    known: Option<Entity>,
}

/// The entity that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Type(TypeId),
    ValueSet(TypeId),
    Value(u32),
    Class(ClassId),
    Object(ObjectId),
    Set(SetId),
    /// A parameterized assignment, which must be instantiated.
    Template,
    Skipped,
}

/// The progress of a resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Pending,
    Busy,
    Done,
    Failed,
}

/// An assignment.
#[derive(Debug)]
struct Def<'a> {
    module: u32,
    ast: &'a ast::Assignment,
    state: State,
    entity: Option<Entity>,
}

/// The resolver's state for a type, in addition to the model.
#[derive(Debug)]
struct Info {
    state: State,
    /// The assignment that defines the type.
    def: Option<u32>,
    scope: Scope,
    /// The keyword of each tag, if any: `true` for EXPLICIT, `false` for IMPLICIT.
    words: Vec<Option<bool>>,
    /// True if the type is a reference to a dummy parameter, which is tagged explicitly (X.680 §31.2.7 c).
    is_dummy: bool,
    /// Constraints to compute once the structure of all types is known.
    pending: Vec<Pending>,
    constraint_state: State,
    /// The enclosing SEQUENCE, SET, CHOICE or list.
    parent: Option<TypeId>,
    /// The DEFAULTs of the type's components.
    defaults: Vec<(usize, Rc<ast::Value>, Scope)>,
    /// The base type with references resolved, once known.
    base: Option<TypeId>,
    /// The number of references between the type and its base type.
    far: u64,
    outer_state: State,
    /// True if the type's possible first tags are unknown because of an error that was already reported.
    is_vague: bool,
}

/// A constraint that is not yet computed.
#[derive(Clone, Debug)]
enum Pending {
    Written(Rc<ast::Constraint>),
    /// The values that the objects of a set contain in a field (X.681 §15).
    FromSet(SetId, Vec<String>, Span),
}

/// An assigned value.
#[derive(Debug)]
struct ValueSlot {
    state: State,
    governor: TypeId,
    ast: Rc<ast::Value>,
    scope: Scope,
    value: Option<Value>,
    /// The memory used by the value, in bytes.
    size: u64,
    span: Span,
}

/// A class, object or set that is not yet filled in.
#[derive(Debug)]
struct Todo<T> {
    state: State,
    scope: Scope,
    source: T,
}

pub(crate) struct Resolver<'a> {
    files: &'a [(Tokens, Vec<ast::Module>)],
    limits: Limits,
    diagnostics: &'a mut Diagnostics,
    infos_of_modules: Vec<ModuleInfo<'a>>,
    modules: names::Modules<'a>,
    defs: Vec<Def<'a>>,
    envs: Vec<Env>,
    instances: HashMap<(u32, String), Option<Entity>>,
    /// The names in use for instances, by module, each with the last number appended to it.
    taken: HashMap<(u32, String), u32>,
    model: Model,
    infos: Vec<Info>,
    values: Vec<ValueSlot>,
    class_todo: Vec<Todo<Rc<ast::Class>>>,
    object_todo: Vec<Todo<Rc<ast::Value>>>,
    set_todo: Vec<Todo<Rc<ast::ElementSets>>>,
    /// The object aliases, with the referenced objects.
    same_objects: HashMap<ObjectId, ObjectId>,
    /// The DEFAULTs of classes' fields, as written.
    class_defaults: HashMap<(u32, usize), (Rc<Actual>, Scope)>,
    /// The built-in classes TYPE-IDENTIFIER and ABSTRACT-SYNTAX, once used.
    classes_of_the_language: [Option<ClassId>; 2],
    broken: Option<TypeId>,
    /// Needed imports from missing modules, as module and import indices.
    missed: HashSet<(u32, usize)>,
    depth: u32,
    /// The names of components and items by type, collected on first use.
    named: HashMap<TypeId, Rc<named::Names>>,
    /// The fields of classes, collected on first use.
    class_parts: HashMap<ClassId, Rc<class::Parts>>,
    /// The allowance, in bytes created, copied or traversed. `spent` counts the bytes so far.
    allowance: u64,
    spent: u64,
    is_spent: bool,
}

/// Creates the model of all modules.
pub(crate) fn resolve(files: &[(Tokens, Vec<ast::Module>)], limits: &Limits, diagnostics: &mut Diagnostics) -> Model {
    let text = files.iter().map(|(tokens, _)| tokens.source.text().len()).sum();
    let mut resolver = Resolver {
        files,
        limits: *limits,
        diagnostics,
        infos_of_modules: Vec::new(),
        modules: names::Modules::default(),
        defs: Vec::new(),
        envs: vec![Env::default()],
        instances: HashMap::new(),
        taken: HashMap::new(),
        model: Model::default(),
        infos: Vec::new(),
        values: Vec::new(),
        class_todo: Vec::new(),
        object_todo: Vec::new(),
        set_todo: Vec::new(),
        same_objects: HashMap::new(),
        class_defaults: HashMap::new(),
        classes_of_the_language: [None, None],
        broken: None,
        missed: HashSet::new(),
        depth: 0,
        named: HashMap::new(),
        class_parts: HashMap::new(),
        allowance: limits.allowance(text),
        spent: 0,
        is_spent: false,
    };
    resolver.run();
    resolver.model
}

impl Resolver<'_> {
    fn run(&mut self) {
        self.collect_modules();
        self.bind_imports();
        let entities: Vec<Option<Entity>> = (0..self.defs.len()).map(|def| self.entity(def as u32)).collect();
        self.fill_all();
        self.warn_missing();
        if !self.is_spent {
            self.finish_modules(&entities);
            self.settle_tags();
            self.check_all();
            self.check_unique();
        }
    }

    /// Fills in all types, classes, objects and sets that were encountered, including those encountered while doing so.
    fn fill_all(&mut self) {
        let mut done = (0, 0, 0, 0, 0, 0);
        loop {
            let before = done;
            while done.0 < self.model.types.len() && !self.is_spent {
                let _ = self.ensure_type(TypeId(done.0 as u32));
                done.0 += 1;
            }
            while done.1 < self.model.classes.len() && !self.is_spent {
                let _ = self.ensure_class(ClassId(done.1 as u32));
                done.1 += 1;
            }
            while done.2 < self.model.sets.len() && !self.is_spent {
                let _ = self.ensure_set(SetId(done.2 as u32));
                done.2 += 1;
            }
            while done.3 < self.model.objects.len() && !self.is_spent {
                let _ = self.ensure_object(ObjectId(done.3 as u32));
                done.3 += 1;
            }
            while done.4 < self.values.len() && !self.is_spent {
                let _ = self.value_of_slot(done.4 as u32);
                done.4 += 1;
            }
            // Constraints and DEFAULTs come when structures are there.
            while done.5 < self.model.types.len() && done.5 < done.0 && !self.is_spent {
                self.ensure_constraints(TypeId(done.5 as u32));
                self.fill_defaults(TypeId(done.5 as u32));
                done.5 += 1;
            }
            if done == before {
                self.fill_class_defaults();
                let all = (
                    self.model.types.len(),
                    self.model.classes.len(),
                    self.model.sets.len(),
                    self.model.objects.len(),
                    self.values.len(),
                    self.model.types.len(),
                );
                if done == all || self.is_spent {
                    return;
                }
            }
        }
    }

    fn error(&mut self, span: Span, code: &'static str, message: String, clause: Clause) {
        self.diagnostics.push(Diagnostic::error(span, code, message, clause));
    }

    fn fail<T>(&mut self, span: Span, code: &'static str, message: String, clause: Clause) -> Parsed<T> {
        self.error(span, code, message, clause);
        Err(Failed)
    }

    fn warn(&mut self, span: Span, code: &'static str, message: String, clause: Clause) {
        self.diagnostics.push(Diagnostic::warning(span, code, message, clause));
    }

    /// Returns the number of names to compare an unknown name with, for suggesting a similar one.
    fn hints(&self) -> usize {
        if self.diagnostics.errors() < HINTS { usize::MAX } else { 0 }
    }

    /// Runs a computation one level deeper, if the depth budget permits.
    fn deeper<T>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.spend(span, 0)?;
        if self.depth >= self.limits.depth.saturating_mul(2) {
            let message = format!("too many chained definitions: more than {}", self.limits.depth * 2);
            return self.fail(span, "depth", message, Clause::NONE);
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn module_of(&self, scope: Scope) -> Option<&ModuleInfo<'_>> {
        self.infos_of_modules.get(scope.module as usize)
    }

    /// Parses the content of braces, using the tokens of their file.
    fn inside<T>(&mut self, braced: ast::Braced, read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>) -> Parsed<T> {
        self.spend_text(braced.span)?;
        let files = self.files;
        let Some((tokens, _)) = files.get(braced.span.file as usize) else { return Err(Failed) };
        let left = self.left();
        // Definitions and what nests in them share the stack, and so the depth.
        let depth = self.limits.depth.saturating_sub(self.depth / 2);
        let mut parser = Parser::inside(tokens, braced, depth, self.diagnostics).allowed(left);
        let result = read(&mut parser);
        // All of it and more, if the parser came to its end.
        let used = left.saturating_sub(parser.left) + u64::from(parser.left == 0);
        self.spend(braced.span, used)?;
        result
    }

    /// Parses the whole content of braces.
    fn inside_whole<T>(&mut self, braced: ast::Braced, read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>) -> Parsed<T> {
        self.inside(braced, |parser| {
            let result = read(parser)?;
            if !parser.is_end() {
                return parser.expected("`}`", Clause::x680("17.7"));
            }
            Ok(result)
        })
    }

    /// Creates a type whose structure is not yet known. Returns the placeholder type if no more types are allowed.
    fn new_type(&mut self, scope: Scope, span: Span, name: Option<TypeName>, state: State) -> TypeId {
        let name_bytes = name.as_ref().map_or(0, |name| 2 * name.name.len() as u64);
        match self.spend(span, spend::TYPE + name_bytes) {
            Ok(()) => self.push_type(scope, span, name, state),
            Err(Failed) => self.broken(span),
        }
    }

    fn push_type(&mut self, scope: Scope, span: Span, name: Option<TypeName>, state: State) -> TypeId {
        let id = TypeId(self.model.types.len() as u32);
        self.model.types.push(Type {
            name,
            module: ModuleId(scope.module),
            tags: Vec::new(),
            prefixes: None,
            shape: Shape::Null,
            constraints: Constraints::default(),
            effective: Constraints::default(),
            visible: Visible::default(),
            outer: Outer::Tag(Tag { class: TagClass::Universal, number: 5 }),
            span,
        });
        self.infos.push(Info {
            state,
            def: None,
            scope,
            words: Vec::new(),
            is_dummy: false,
            pending: Vec::new(),
            constraint_state: State::Pending,
            parent: None,
            defaults: Vec::new(),
            base: None,
            far: 0,
            outer_state: State::Pending,
            is_vague: false,
        });
        id
    }

    /// Creates an INTEGER without constraints.
    fn plain_integer(&mut self, scope: Scope, span: Span) -> Parsed<TypeId> {
        self.spend(span, spend::TYPE)?;
        let id = self.push_type(scope, span, None, State::Done);
        if let Some(ty) = self.type_mut(id) {
            ty.shape = Shape::Integer(Vec::new());
        }
        Ok(id)
    }

    fn info(&self, id: TypeId) -> Option<&Info> {
        self.infos.get(id.0 as usize)
    }

    fn info_mut(&mut self, id: TypeId) -> Option<&mut Info> {
        self.infos.get_mut(id.0 as usize)
    }

    fn type_mut(&mut self, id: TypeId) -> Option<&mut Type> {
        self.model.types.get_mut(id.0 as usize)
    }

    /// Evaluates an integer without a governing type: a tag, a version or a bit number.
    fn integer(&mut self, value: &ast::Value, scope: Scope, clause: Clause) -> Parsed<Int> {
        match self.untyped(value, scope)? {
            Value::Integer(int) => Ok(int),
            _ => self.fail(value.span, "type", "expected an integer".to_owned(), clause),
        }
    }
}

/// The maximum number of missing names for which a similar name is searched. More would take quadratic time.
const HINTS: usize = 100;
