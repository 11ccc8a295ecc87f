//! Methods that change one field of settings.

/// Adds a method `with_FIELD` for each field of a settings struct. Settings are
/// `#[non_exhaustive]`, so that fields can be added without breaking users; these
/// methods are how users set them.
macro_rules! with_methods {
    ($settings:ty { $($method:ident $field:ident: $kind:ty),* $(,)? }) => {
        impl $settings {
            $(
                #[doc = concat!("The same with another [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub const fn $method(mut self, $field: $kind) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

pub(crate) use with_methods;
