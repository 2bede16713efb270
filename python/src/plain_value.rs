//! Python values as JSON values, and back.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};
use toolgauge_core::json::{STAND_IN, number_stand_in};

/// How deep values may be nested. A list may contain itself, which would have no end.
const DEEPEST: usize = 200;

/// A Python value as JSON. Objects of classes (pydantic models, dataclasses) are taken apart by
/// `toolgauge._plain`.
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    at_depth(value, 0)
}

fn at_depth(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("the value is nested too deeply, or contains itself"));
    }
    // By how often they occur in messages. `bool` is a kind of `int`, so it comes first.
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.to_string_lossy().into_owned()));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return object(dict, depth).map(Value::Object);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().map(|item| at_depth(&item, depth + 1)).collect();
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return integer(number);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(float(number.extract()?));
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return tuple.iter().map(|item| at_depth(&item, depth + 1)).collect();
    }
    let plain = value.py().import(intern!(value.py(), "toolgauge._plain"))?;
    let plain = plain.call_method1(intern!(value.py(), "plain"), (value,))?;
    at_depth(&plain, depth + 1)
}

fn object(dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<Map<String, Value>> {
    let mut map = Map::with_capacity(dict.len());
    for (key, value) in dict.iter() {
        // As `json.dumps` writes them.
        let name = match key.cast::<PyString>() {
            Ok(name) => name.to_string_lossy().into_owned(),
            Err(_) if key.is_none() => "null".to_owned(),
            Err(_) => match key.cast::<PyBool>() {
                Ok(flag) => flag.is_true().to_string(),
                Err(_) => key.str()?.to_string_lossy().into_owned(),
            },
        };
        map.insert(name, at_depth(&value, depth + 1)?);
    }
    Ok(map)
}

fn integer(number: &Bound<'_, PyInt>) -> PyResult<Value> {
    if let Ok(small) = number.extract::<i64>() {
        return Ok(small.into());
    }
    if let Ok(large) = number.extract::<u64>() {
        return Ok(large.into());
    }
    // Python's integers have no end; JSON values of this size stand in as readers of its files do.
    Ok(number_stand_in(&number.str()?.to_string_lossy()))
}

fn float(number: f64) -> Value {
    let stand_in = || {
        number_stand_in(match number {
            infinite if infinite.is_nan() => "NaN",
            infinite if infinite > 0.0 => "Infinity",
            _ => "-Infinity",
        })
    };
    Number::from_f64(number).map_or_else(stand_in, Value::Number)
}

/// A JSON value as Python's `json` would read it.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(small), _) => small.into_pyobject(py)?.into_any(),
            (None, Some(large)) => large.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => match text.strip_prefix(STAND_IN) {
            Some(number) => {
                stood_for(py, number).unwrap_or_else(|_| PyString::new(py, text).into_any())
            }
            None => PyString::new(py, text).into_any(),
        },
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(object) => {
            let dict = PyDict::new(py);
            for (key, value) in object {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The number that a stand-in stands for. `int` and `float` read what Python's `json` writes.
fn stood_for<'py>(py: Python<'py>, number: &str) -> PyResult<Bound<'py, PyAny>> {
    let whole = py.get_type::<PyInt>().call1((number,));
    whole.or_else(|_| py.get_type::<PyFloat>().call1((number,)))
}
