//! The description of the API.

/// OpenAPI 3.1. A test holds it to the routes and to real answers.
pub(crate) const DOCUMENT: &str = include_str!("openapi.json");

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::DOCUMENT;
    use crate::api::{PAGE_FILES, ROUTES};

    #[test]
    fn every_route_but_those_of_the_page_is_described() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut described: Vec<&str> =
            document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let mut routes = ROUTES[PAGE_FILES..].to_vec();
        described.sort_unstable();
        routes.sort_unstable();
        assert_eq!(described, routes);
    }
}
