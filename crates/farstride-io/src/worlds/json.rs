//! Values in JSON, by their names.

use super::WorldError;
use serde_json::Value;

pub(super) fn parse(bytes: &[u8]) -> Result<Value, WorldError> {
    serde_json::from_slice(bytes).map_err(|error| WorldError::Damaged { problem: error.to_string() })
}

pub(super) fn missing(key: &str) -> WorldError {
    WorldError::Missing { key: key.to_owned() }
}

/// A list of an object.
pub(super) fn list<'v>(object: &'v Value, key: &str) -> Result<&'v [Value], WorldError> {
    object[key].as_array().map(Vec::as_slice).ok_or_else(|| missing(key))
}

/// A number of an object that may be the side of a map, or a position.
pub(super) fn number<T: TryFrom<i64>>(object: &Value, key: &str) -> Result<T, WorldError> {
    let found = &object[key];
    if found.is_null() {
        return Err(missing(key));
    }
    let number = found.as_i64().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| WorldError::Value {
        key: key.to_owned(),
        found: found.to_string(),
        expected: "a whole number in range",
    })
}

pub(super) fn text<'v>(object: &'v Value, key: &str) -> &'v str {
    object[key].as_str().unwrap_or_default()
}
