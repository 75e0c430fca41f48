package dev.bridle.gateway.openapi;

import dev.bridle.gateway.route.RouteTable;
import java.util.List;

/** Creates the security schemes: bearer tokens, and OAuth 2.0 client credentials. */
final class SecuritySchemes {
  private static final String BEARER = "bearerAuth";
  private static final String OAUTH2 = "oauth2ClientCredentials";
  private static final String TOKEN_URL = "/oauth/token";

  private SecuritySchemes() {}

  /** Returns the schemes, with all scopes that routes require. */
  static JsonObject of(RouteTable routes) {
    JsonObject scopes = JsonObject.of();
    routes.routes().stream()
        .map(route -> route.rule().getScope())
        .filter(scope -> !scope.isEmpty())
        .distinct()
        .sorted()
        .forEach(scope -> scopes.put(scope, "Allows " + scope + "."));
    return JsonObject.of(
            BEARER,
            JsonObject.of("type", "http")
                .put("scheme", "bearer")
                .put("bearerFormat", "API key or OAuth 2.0 access token"))
        .put(
            OAUTH2,
            JsonObject.of("type", "oauth2")
                .put(
                    "flows",
                    JsonObject.of(
                        "clientCredentials",
                        JsonObject.of("tokenUrl", TOKEN_URL).put("scopes", scopes))));
  }

  /** Returns the security requirement of a route: either scheme, OAuth with scopes. */
  static List<JsonObject> required(List<String> scopes) {
    return List.of(JsonObject.of(BEARER, List.of()), JsonObject.of(OAUTH2, scopes));
  }
}
