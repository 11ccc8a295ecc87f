//! Plain objects of JavaScript.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// An object with these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        put(&object, name, &value);
    }
    object
}

/// Sets a property of an object made here.
pub(crate) fn put(object: &Object, name: &str, value: &JsValue) {
    // A plain object takes every property.
    let _ = Reflect::set(object, &name.into(), value);
}
