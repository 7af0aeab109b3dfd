//! The part of JSON Schema that the description of the API uses.

use std::sync::LazyLock;

use serde_json::Value;

pub(crate) static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../src/openapi.json")).unwrap());

/// Holds a document to a schema of the description.
pub(crate) fn check(name: &str, document: &Value) {
    let schema = &DESCRIPTION["components"]["schemas"][name];
    assert!(schema.is_object(), "no schema {name}");
    if let Err(reason) = conforms(schema, document) {
        panic!("{name}: {reason}\n{document:#}");
    }
}

pub(crate) fn conforms(schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().unwrap() {
        let fits = match keyword.as_str() {
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let target = DESCRIPTION.pointer(path).unwrap_or_else(|| panic!("nothing at {path}"));
                conforms(target, value)?;
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|one| is_of_type(one, value)),
                one => is_of_type(one, value),
            },
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "oneOf" => {
                rule.as_array().unwrap().iter().filter(|one| conforms(one, value).is_ok()).count() == 1
            }
            "pattern" => matches_pattern(rule.as_str().unwrap(), value.as_str().unwrap_or_default()),
            "required" => {
                rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "additionalProperties" => {
                assert_eq!(rule, false, "only used to refuse");
                let known = schema["properties"].as_object().unwrap();
                value.as_object().is_none_or(|object| object.keys().all(|name| known.contains_key(name)))
            }
            "properties" => {
                for (name, inner) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        conforms(inner, member).map_err(|reason| format!("{name}: {reason}"))?;
                    }
                }
                true
            }
            "items" => {
                for element in value.as_array().into_iter().flatten() {
                    conforms(rule, element)?;
                }
                true
            }
            "description" | "format" => true,
            other => panic!("the test does not know {other}"),
        };
        if !fits {
            return Err(format!("{keyword} {rule} does not allow {value}"));
        }
    }
    Ok(())
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    }
}

fn matches_pattern(pattern: &str, text: &str) -> bool {
    match pattern {
        "^[a-h][1-8]$" => {
            matches!(text.as_bytes(), [file, rank] if (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank))
        }
        "^[0-9a-f]{64}$" => {
            text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }
        other => panic!("unknown pattern {other}"),
    }
}

#[test]
fn the_checker_of_schemas_refuses() {
    use serde_json::json;
    for (schema, good, bad) in [
        (json!({ "type": "integer" }), json!(1), json!("1")),
        (json!({ "type": ["string", "null"] }), json!(null), json!(1)),
        (json!({ "const": "a" }), json!("a"), json!("b")),
        (json!({ "enum": ["a", null] }), json!(null), json!("b")),
        (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({ "b": 1 })),
        (
            json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": false }),
            json!({ "a": "" }),
            json!({ "b": "" }),
        ),
        (json!({ "items": { "type": "string" } }), json!(["a"]), json!(["a", 1])),
        (json!({ "oneOf": [{ "type": "null" }, { "type": "string" }] }), json!("a"), json!(1)),
        (json!({ "$ref": "#/components/schemas/square" }), json!("h8"), json!("h9")),
        (json!({ "$ref": "#/components/schemas/digest" }), json!("0".repeat(64)), json!("0".repeat(63))),
    ] {
        assert!(conforms(&schema, &good).is_ok(), "{schema} should allow {good}");
        assert!(conforms(&schema, &bad).is_err(), "{schema} should refuse {bad}");
    }
}
