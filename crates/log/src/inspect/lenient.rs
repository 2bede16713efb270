//! Reads values whose JSON type varies between versions and kinds of logs.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Text, whatever scalar it was written as; empty for what is no scalar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Text(pub(crate) String);

/// The same, copied only where it is escaped or was no text.
#[derive(Clone, Debug, Default)]
pub(crate) struct LentText<'a>(pub(crate) Cow<'a, str>);

/// A text and nothing else, copied only where it is escaped. serde copies the text in an
/// `Option<Cow<str>>`, and borrows the one in an option of this.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub(crate) struct LentName<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A number where there is one; `None` for anything else, `NaN` included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LenientNumber(pub(crate) Option<f64>);

macro_rules! ignore_compounds {
    ($value:expr) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($value)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok($value)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            while items.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($value)
        }

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }
    };
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(LentText::deserialize(from)?.0.into_owned()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LentText<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = LentText<'de>;
            ignore_compounds!(LentText::default());

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Owned(text.to_owned())))
            }

            fn visit_i64<E>(self, number: i64) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Owned(number.to_string())))
            }

            fn visit_u64<E>(self, number: u64) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Owned(number.to_string())))
            }

            fn visit_f64<E>(self, number: f64) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Owned(number.to_string())))
            }

            fn visit_bool<E>(self, truth: bool) -> Result<LentText<'de>, E> {
                Ok(LentText(Cow::Owned(truth.to_string())))
            }
        }
        from.deserialize_any(Scalar)
    }
}

impl<'de> Deserialize<'de> for LenientNumber {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl<'de> Visitor<'de> for Scalar {
            type Value = LenientNumber;
            ignore_compounds!(LenientNumber(None));

            fn visit_str<E>(self, _: &str) -> Result<LenientNumber, E> {
                Ok(LenientNumber(None))
            }

            #[expect(clippy::cast_precision_loss, reason = "a measure is no exact count")]
            fn visit_i64<E>(self, number: i64) -> Result<LenientNumber, E> {
                Ok(LenientNumber(Some(number as f64)))
            }

            #[expect(clippy::cast_precision_loss, reason = "a measure is no exact count")]
            fn visit_u64<E>(self, number: u64) -> Result<LenientNumber, E> {
                Ok(LenientNumber(Some(number as f64)))
            }

            fn visit_f64<E>(self, number: f64) -> Result<LenientNumber, E> {
                Ok(LenientNumber(Some(number)))
            }

            fn visit_bool<E>(self, truth: bool) -> Result<LenientNumber, E> {
                Ok(LenientNumber(Some(f64::from(u8::from(truth)))))
            }
        }
        from.deserialize_any(Scalar)
    }
}

/// A sample's metadata: toolgauge's own record, and whatever else is in it as tags.
#[derive(Debug)]
pub(crate) struct Tagged<'a, T> {
    /// As they stand there; of two tags of one name the last counts.
    pub(crate) tags: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    pub(crate) own: Option<T>,
}

impl<T> Default for Tagged<'_, T> {
    fn default() -> Self {
        Self { tags: Vec::new(), own: None }
    }
}

/// The name of toolgauge's own record among the metadata.
pub(crate) const OWN_RECORD: &str = "toolgauge";

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Tagged<'a, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Tagged<'de, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("metadata")
            }

            fn visit_unit<E>(self) -> Result<Tagged<'de, T>, E> {
                Ok(Tagged::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tagged<'de, T>, A::Error> {
                let mut tagged = Tagged::default();
                while let Some(LentName(key)) = map.next_key()? {
                    // Read where it stands and not by way of a map, which would copy all of it
                    // first.
                    if key == OWN_RECORD {
                        tagged.own = map.next_value::<Perhaps<T>>()?.0;
                    } else {
                        tagged.tags.push((key, map.next_value::<LentText<'_>>()?.0));
                    }
                }
                Ok(tagged)
            }
        }
        from.deserialize_any(Entries(PhantomData))
    }
}

/// An object of the right shape, or something that is no object: Inspect puts a sentence in the
/// place of what it finds too long for a summary.
struct Perhaps<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Perhaps<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = Perhaps<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("toolgauge's record")
            }

            fn visit_str<E>(self, _: &str) -> Result<Perhaps<T>, E> {
                Ok(Perhaps(None))
            }

            fn visit_unit<E>(self) -> Result<Perhaps<T>, E> {
                Ok(Perhaps(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Perhaps<T>, A::Error> {
                let content = T::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Perhaps(Some(content)))
            }
        }
        from.deserialize_any(Object(PhantomData))
    }
}
