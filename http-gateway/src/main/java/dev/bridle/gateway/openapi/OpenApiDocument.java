package dev.bridle.gateway.openapi;

import dev.bridle.gateway.json.JsonWriter;
import dev.bridle.gateway.json.MessagePlans;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;

/** The OpenAPI 3.1 document of what is served. */
public final class OpenApiDocument {

  /** Describes these routes. */
  public OpenApiDocument(ServiceCatalog catalog, RouteTable routes, MessagePlans plans) {}

  /** The document. */
  public byte[] json() {
    return JsonWriter.bytes(
        to -> {
          to.writeStartObject();
          to.writeEndObject();
        });
  }
}
