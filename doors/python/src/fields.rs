//! Native objects with fields, for the package's classes with many instances.
//!
//! The classes are written in Python, with their constructors, comparison and text form. A native class replaces each of
//! them (`tagwise._data.native`). It has the same fields, and is fast to create and to read.

use std::sync::OnceLock;

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// An object that is created on first access. Its owner must report it to the garbage collector, because the created object can refer
/// back to its owner. It is never cleared, because every reference cycle also includes a list, a `dict` or attributes, which are cleared.
#[derive(Default)]
pub(crate) struct Later(OnceLock<Py<PyAny>>);

impl Later {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Wraps an existing object.
    pub(crate) fn of(value: Bound<'_, PyAny>) -> Self {
        Self(OnceLock::from(value.unbind()))
    }

    pub(crate) fn get(&self) -> Option<&Py<PyAny>> {
        self.0.get()
    }

    /// Returns the cached object, or calls `make` to create it. `make` runs without a lock. If two threads race, both get the
    /// object that was stored first.
    pub(crate) fn get_or_make<'py>(
        &self,
        py: Python<'py>,
        make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = match self.0.get() {
            Some(made) => made,
            None => {
                let made = make()?.unbind();
                self.0.get_or_init(|| made)
            }
        };
        Ok(made.bind(py).clone())
    }

    /// Sets the object. If it is already set, returns an error with the text `twice`.
    pub(crate) fn set(&self, value: Bound<'_, PyAny>, twice: &'static str) -> PyResult<()> {
        if self.0.set(value.unbind()).is_ok() { Ok(()) } else { Err(PyAttributeError::new_err(twice)) }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.0.get())
    }
}

/// A field that is set once, either by the decoder on creation or later by the constructor.
#[derive(Default)]
pub(crate) struct Field {
    made: Option<Py<PyAny>>,
    later: OnceLock<Py<PyAny>>,
}

impl From<Bound<'_, PyAny>> for Field {
    fn from(value: Bound<'_, PyAny>) -> Self {
        Self { made: Some(value.unbind()), later: OnceLock::new() }
    }
}

impl Field {
    pub(crate) fn get<'py>(&self, py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
        self.peek(py).ok_or_else(|| PyAttributeError::new_err(name))
    }

    /// Returns the value, if it is set.
    pub(crate) fn peek<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.made.as_ref().or_else(|| self.later.get()).map(|value| value.bind(py).clone())
    }

    pub(crate) fn set(&self, value: Bound<'_, PyAny>, name: &'static str) -> PyResult<()> {
        let free = self.made.is_none().then_some(&self.later);
        let set = free.is_some_and(|later| later.set(value.unbind()).is_ok());
        if set { Ok(()) } else { Err(PyAttributeError::new_err(format!("{name} can only be set once"))) }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.made)?;
        visit.call(self.later.get())
    }
}

/// Defines a native class with fields: for each field its name, its setter, and the public name, if any. Methods may follow
/// a semicolon.
macro_rules! record {
    ($(#[$doc:meta])* $class:ident, $module:literal, $($own:ident $set:ident $(as $public:ident)?),+ $(,)? $(; $($more:tt)*)?) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, subclass, weakref, module = $module)]
        #[derive(Default)]
        pub(crate) struct $class {
            $($own: $crate::fields::Field),+
        }

        impl $class {
            /// Creates an object from fields that were already checked.
            pub(crate) fn of<'py>(
                py: pyo3::Python<'py>,
                $($own: pyo3::Bound<'py, pyo3::PyAny>),+
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                Ok(pyo3::Bound::new(py, Self { $($own: $own.into()),+ })?.into_any())
            }
        }

        #[pyo3::pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (*_args, **_kwargs))]
            fn new(
                _args: &pyo3::Bound<'_, pyo3::types::PyTuple>,
                _kwargs: Option<&pyo3::Bound<'_, pyo3::types::PyDict>>,
            ) -> Self {
                Self::default()
            }

            fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                $(self.$own.traverse(&visit)?;)+
                Ok(())
            }

            $(
                $(
                    #[getter]
                    fn $public<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                        self.$own.get(py, stringify!($public))
                    }
                )?

                #[getter]
                fn $own<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                    self.$own.get(py, stringify!($own))
                }

                #[setter($own)]
                fn $set(&self, value: pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<()> {
                    self.$own.set(value, stringify!($own))
                }
            )+

            $($($more)*)?
        }
    };
}

pub(crate) use record;
