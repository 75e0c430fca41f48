package dev.bridle.gateway.openapi;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ErrorTable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The schema of the error envelope, which has no message, since the core sends its parts in
 * trailers.
 */
final class ErrorSchemas {

  // The taxonomy's types that no code has: failures of agents are reported in tasks, not in
  // responses.
  private static final String RUNTIME_ERROR = "runtime_error";

  private ErrorSchemas() {}

  static JsonObject response() {
    return JsonObject.of("description", "An error of the protocol's taxonomy.")
        .put(
            "content",
            JsonObject.of(
                "application/json",
                JsonObject.of("schema", JsonObject.reference("schemas/ErrorResponse"))));
  }

  static void addTo(JsonObject schemas) {
    List<ErrorCode> codes =
        Arrays.stream(ErrorCode.values())
            .filter(code -> code != ErrorCode.ERROR_CODE_UNSPECIFIED)
            .filter(code -> code != ErrorCode.UNRECOGNIZED)
            .toList();
    List<String> types =
        Stream.concat(
                codes.stream().map(code -> ErrorTable.of(code).type()), Stream.of(RUNTIME_ERROR))
            .distinct()
            .toList();
    JsonObject text = JsonObject.of("type", "string");
    JsonObject nullableText = JsonObject.of("type", List.of("string", "null"));
    schemas.put(
        "ErrorResponse",
        JsonObject.of("type", "object")
            .put("required", List.of("error"))
            .put("properties", JsonObject.of("error", JsonObject.reference("schemas/Error"))));
    schemas.put(
        "Error",
        JsonObject.of("type", "object")
            .put("required", List.of("code", "message", "type", "param", "request_id", "details"))
            .put(
                "properties",
                JsonObject.of(
                        "code",
                        JsonObject.of("type", "string")
                            .put("enum", codes.stream().map(ErrorTable::spelling).toList()))
                    .put("message", text)
                    .put("type", JsonObject.of("type", "string").put("enum", types))
                    .put("param", nullableText)
                    .put("request_id", nullableText)
                    .put(
                        "details",
                        JsonObject.of("type", "object").put("additionalProperties", true))));
  }
}
