//! Settings of engines by name, from and to objects of JavaScript.

use crate::failure::Failure;
use crate::object::put;
use farstride::{Grid, Planner};
use farstride_bindings::{Settings, Value, Wanted};
use js_sys::{Array, Object};
use wasm_bindgen::{JsCast as _, JsValue};

/// The one setting whose name JavaScript writes in another way.
const KEEP_WAYS: (&str, &str) = ("keep_ways", "keepWays");

/// Whole numbers are exact up to 2⁵³.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The planner that is wanted, by the name of an engine and settings in an object.
pub(crate) fn read(name: Option<&str>, given: &Object, grid: &Grid) -> Result<Wanted, Failure> {
    let mut list = Vec::new();
    for pair in Object::entries(given).iter() {
        let pair: Array = pair.unchecked_into();
        let (name, value) = (pair.get(0).as_string().unwrap_or_default(), pair.get(1));
        if !value.is_undefined() {
            list.push((name.replace(KEEP_WAYS.1, KEEP_WAYS.0), value_of(&name, &value)?));
        }
    }
    Wanted::read(name, &list, grid).map_err(|mut failure| {
        failure.message = failure.message.replace(KEEP_WAYS.0, KEEP_WAYS.1);
        failure.into()
    })
}

fn value_of(name: &str, value: &JsValue) -> Result<Value, Failure> {
    if value.is_null() {
        return Ok(Value::None);
    }
    if let Some(switch) = value.as_bool() {
        return Ok(Value::Switch(switch));
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::Text(text));
    }
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT);
    let expected = || format!("{name} is {}; expected a whole number, a name, true or false", shown(value));
    number.map(|number| Value::Number(number as i64)).ok_or_else(|| Failure::settings(expected()))
}

/// A value as messages show it.
pub(crate) fn shown(value: &JsValue) -> String {
    match value.as_string() {
        Some(text) => format!("'{text}'"),
        None => format!("{value:?}").trim_start_matches("JsValue(").trim_end_matches(')').to_owned(),
    }
}

/// The settings of a planner, by the names that [`read`] takes.
pub(crate) fn write(planner: &Planner, settings: Settings) -> Object {
    let object = Object::new();
    let Some(index) = planner.index() else { return object };
    for (name, value) in settings.with_index(index.settings()).list() {
        let value = match value {
            Value::Switch(value) => value.into(),
            Value::Number(value) => (value as f64).into(),
            Value::Text(value) => value.into(),
            Value::None => JsValue::NULL,
        };
        put(&object, &name.replace(KEEP_WAYS.0, KEEP_WAYS.1), &value);
    }
    object
}
