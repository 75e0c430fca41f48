package dev.bridle.proof.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.sample.Generated;
import dev.bridle.proof.sample.TreeChanges;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The check has the same opinion as a library that knows all of JSON Schema. */
final class ReceiptSchemaTest {
  private static final ReceiptSchema OURS = ReceiptSchema.receipt();

  @Tag("slow")
  @Test
  void theLibraryHasTheSameOpinionOfReceiptsWithAnyMemberChanged() {
    Schema library = library();
    Random random = new Random(2020);
    int invalid = 0;
    List<JsonNode> receipts =
        Generated.receipts(12, 12).stream()
            .filter(one -> one.breakage().isEmpty())
            .map(one -> StrictJson.parse(one.bytes()))
            .toList();
    assertThat(receipts).hasSizeGreaterThan(2);
    for (JsonNode receipt : receipts) {
      for (TreeChanges.Change change : TreeChanges.all(receipt, random)) {
        JsonNode changed = change.apply();
        boolean meets = OURS.fault(changed).isEmpty();

        assertThat(meets)
            .as(change + ": " + OURS.fault(changed))
            .isEqualTo(library.validate(changed).isEmpty());
        invalid += meets ? 0 : 1;
      }
    }
    assertThat(invalid).isGreaterThan(500);
  }

  private static Schema library() {
    SchemaRegistryConfig strict =
        SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
    return SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, registry -> registry.schemaRegistryConfig(strict))
        .getSchema(new String(ReceiptSchema.document(), UTF_8), InputFormat.JSON);
  }

  @Test
  void aFaultHasItsPlaceAndWhatWasExpected() {
    SchemaFault fault =
        ReceiptSchema.definition("toolCall")
            .fault(parse("{\"tool\":\"a\",\"call_id\":\"\",\"status\":\"failed\"}"))
            .orElseThrow();

    assertThat(fault.pointer()).isEqualTo("/call_id");
    assertThat(fault.expected()).contains("at least 1 characters");
    assertThat(fault).hasToString("/call_id: " + fault.expected());
  }

  @Test
  void partsOfReceiptsAreCheckedByTheirDefinitions() {
    ReceiptSchema writes = ReceiptSchema.definition("fileWrite");

    assertThat(writes.fault(parse("{\"path\":\"a\",\"operation\":\"create\"}"))).isEmpty();
    assertThat(writes.fault(parse("{\"path\":\"a\",\"operation\":\"append\"}"))).isPresent();
    assertThatThrownBy(() -> ReceiptSchema.definition("file"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fileWrite");
  }

  @Test
  void aKeywordThatIsNotKnownIsNotPassedOver() {
    for (String schema :
        List.of(
            "{\"maxLength\":3}",
            "{\"format\":\"uri\"}",
            "{\"type\":\"text\"}",
            "{\"pattern\":\"a\"}",
            "{\"$ref\":\"#/$defs/none\"}",
            "{\"properties\":{\"a\":{\"not\":{}}}}")) {
      assertThatThrownBy(() -> new SchemaCompiler(parse(schema)).root())
          .as(schema)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not");
    }
  }

  private static JsonNode parse(String json) {
    return StrictJson.parse(json.getBytes(UTF_8));
  }
}
