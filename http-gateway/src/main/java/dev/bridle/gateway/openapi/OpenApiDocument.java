package dev.bridle.gateway.openapi;

import dev.bridle.gateway.call.ProtocolVersions;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import dev.bridle.json.MessagePlans;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Creates the OpenAPI 3.1 document of the served routes. */
public final class OpenApiDocument {

  private final ServiceCatalog catalog;
  private final RouteTable routes;
  private final MessagePlans plans;

  /** Creates a document of these routes, with the comments of the catalog's files. */
  public OpenApiDocument(ServiceCatalog catalog, RouteTable routes, MessagePlans plans) {
    this.catalog = catalog;
    this.routes = routes;
    this.plans = plans;
  }

  /** Returns the document. */
  public byte[] json() {
    Comments comments = new Comments(catalog.files());
    Schemas schemas = new Schemas(comments);
    Operations operations = new Operations(comments, schemas, plans);
    JsonObject paths = JsonObject.of();
    Map<String, String> tags = new LinkedHashMap<>();
    for (Route route : routes.routes()) {
      paths
          .object(route.path().text())
          .put(route.httpMethod().name().toLowerCase(Locale.ROOT), operations.of(route));
      tags.put(
          Operations.tag(route.descriptor()),
          comments.of(route.descriptor().getService().getFullName()));
    }
    ErrorSchemas.addTo(schemas.components());
    return JsonObject.of("openapi", "3.1.0")
        .put("info", info())
        .put("servers", List.of(JsonObject.of("url", "/")))
        .put("security", SecuritySchemes.required(List.of()))
        .put("tags", tags.entrySet().stream().map(OpenApiDocument::tag).toList())
        .put("paths", paths)
        .put(
            "components",
            JsonObject.of("securitySchemes", SecuritySchemes.of(routes))
                .put("parameters", Operations.sharedParameters())
                .put("responses", JsonObject.of("Error", ErrorSchemas.response()))
                .put("schemas", schemas.components()))
        .json();
  }

  private static JsonObject info() {
    return JsonObject.of("title", "Bridle: the Harn Agents Protocol")
        .put("version", ProtocolVersions.SUPPORTED.get(0))
        .put(
            "description",
            "The operations of the Harn Agents Protocol v1 that this server supports."
                + " Operations marked"
                + " x-bridle-extension are not part of the protocol."
                + " A request with unknown members or query parameters is rejected with 400"
                + " invalid_request, whose param and details.unknown name them; objects with"
                + " additionalProperties, such as metadata, are open. With the header \"Prefer:"
                + " handling=lenient\" they are ignored, and named by the response header"
                + " Bridle-Ignored.");
  }

  private static JsonObject tag(Map.Entry<String, String> tag) {
    return JsonObject.of("name", tag.getKey()).putUnlessEmpty("description", tag.getValue());
  }
}
