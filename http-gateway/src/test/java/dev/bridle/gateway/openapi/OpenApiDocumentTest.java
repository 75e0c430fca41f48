package dev.bridle.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.api.v1.Delivery;
import dev.bridle.gateway.route.Route;
import dev.bridle.gateway.route.RouteTable;
import dev.bridle.gateway.route.ServiceCatalog;
import dev.bridle.json.MessagePlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The document that is made from the contract. */
final class OpenApiDocumentTest {

  private static final RouteTable ROUTES = RouteTable.of(ServiceCatalog.load().services());
  private static final JsonNode DOCUMENT = document();

  @Test
  void everyRouteIsAnOperationNamedAfterItsRpc() {
    for (Route route : ROUTES.routes()) {
      JsonNode operation = operation(route.path().text(), route.httpMethod().name());
      assertThat(operation.get("operationId").textValue())
          .isEqualToIgnoringCase(route.descriptor().getName());
      assertThat(operation.get("responses").has(String.valueOf(route.status()))).isTrue();
      assertThat(operation.get("responses").has("default")).isTrue();
      assertThat(operation.get("summary").textValue()).isNotBlank();
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    List<String> references = new ArrayList<>();
    DOCUMENT.findValuesAsText("$ref").forEach(references::add);
    assertThat(references).isNotEmpty();
    assertThat(references)
        .allSatisfy(
            reference ->
                assertThat(DOCUMENT.at(reference.substring(1)).isObject()).as(reference).isTrue());
  }

  @Test
  void streamsAreMarkedAsPathsOfWebSocketsToo() {
    for (Route route : ROUTES.routes()) {
      boolean stream = route.rule().getDelivery() == Delivery.DELIVERY_EVENT_STREAM;
      assertThat(
              operation(route.path().text(), route.httpMethod().name())
                  .path("x-websocket-path")
                  .booleanValue())
          .isEqualTo(stream);
    }
  }

  @Test
  void openOperationsNeedNeitherCredentialsNorVersion() {
    JsonNode open = operation("/health", "GET");
    JsonNode secured = operation("/v1/sessions", "GET");

    assertThat(open.get("security")).isEmpty();
    assertThat(open.has("parameters")).isFalse();
    assertThat(secured.get("security").toString())
        .isEqualTo("[{\"bearerAuth\":[]},{\"oauth2ClientCredentials\":[\"sessions:read\"]}]");
    assertThat(secured.get("parameters").get(0).get("$ref").textValue())
        .isEqualTo("#/components/parameters/ProtocolVersion");
  }

  @Test
  void theIndexIsAnOpenExtensionInJsonAndHtml() {
    JsonNode index = operation("/", "GET");

    assertThat(index.get("x-bridle-extension").booleanValue()).isTrue();
    assertThat(index.get("security")).isEmpty();
    JsonNode content = index.at("/responses/200/content");
    assertThat(content.at("/application~1json/schema").isObject()).isTrue();
    assertThat(content.at("/text~1html/schema/type").textValue()).isEqualTo("string");
  }

  @Test
  void limitsAndDefaultsOfParametersAreSaid() {
    JsonNode limit =
        operation("/v1/sessions", "GET").get("parameters").findParents("name").stream()
            .filter(parameter -> parameter.get("name").textValue().equals("limit"))
            .findFirst()
            .orElseThrow();

    assertThat(limit.get("in").textValue()).isEqualTo("query");
    assertThat(limit.at("/schema/minimum").intValue()).isEqualTo(1);
    assertThat(limit.at("/schema/maximum").intValue()).isEqualTo(200);
  }

  @Test
  void aUnionIsAChoiceAndItsBranchesAreComponents() {
    JsonNode part = DOCUMENT.at("/components/schemas/Part/anyOf");
    JsonNode text = DOCUMENT.at("/components/schemas/TextPart");

    assertThat(part.findValuesAsText("$ref")).contains("#/components/schemas/TextPart").hasSize(7);
    assertThat(text.at("/properties/type/enum/0").textValue()).isEqualTo("text");
    assertThat(text.get("required").toString()).isEqualTo("[\"type\",\"text\",\"visibility\"]");
  }

  @Test
  void nullableMembersSaySo() {
    JsonNode task = DOCUMENT.at("/components/schemas/Task/properties");

    assertThat(task.at("/persona_id/type").toString()).isEqualTo("[\"string\",\"null\"]");
    assertThat(task.at("/failure/anyOf/1/type").textValue()).isEqualTo("null");
    assertThat(task.at("/status/enum/0").textValue()).isEqualTo("SUBMITTED");
    assertThat(task.at("/session_id/type").textValue()).isEqualTo("string");
  }

  @Test
  void extensionsAreMarkedAndHiddenFieldsAreNotThere() {
    assertThat(
            operation("/v1/artifacts/{artifact_id}/content", "PUT")
                .get("x-bridle-extension")
                .booleanValue())
        .isTrue();
    assertThat(DOCUMENT.at("/components/schemas/UpdateSessionRequest/properties").has("summary"))
        .isTrue();
    assertThat(DOCUMENT.toString()).doesNotContain("update_mask").doesNotContain("\"public_url\"}");
  }

  @Test
  void membersThatOnlyTheServerSetsAreReadOnly() {
    JsonNode text = DOCUMENT.at("/components/schemas/TextPart/properties");

    assertThat(text.at("/redacted/readOnly").booleanValue()).isTrue();
    assertThat(text.at("/text").has("readOnly")).isFalse();
    assertThat(DOCUMENT.at("/info/description").textValue()).contains("Prefer: handling=lenient");
  }

  private static JsonNode operation(String path, String method) {
    JsonNode item = DOCUMENT.get("paths").get(path);
    assertThat(item).as(path).isNotNull();
    JsonNode operation = item.get(method.toLowerCase(Locale.ROOT));
    assertThat(operation).as(method + " " + path).isNotNull();
    return operation;
  }

  private static JsonNode document() {
    byte[] json = new OpenApiDocument(ServiceCatalog.load(), ROUTES, new MessagePlans()).json();
    try {
      Files.write(Files.createDirectories(Path.of("target")).resolve("openapi.json"), json);
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
