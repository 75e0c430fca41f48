package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.json.StrictJson;
import java.nio.file.Path;
import java.util.List;

/** Computes {@code fixtures/harp/vectors.json}, always the same file. */
final class DeviceVectors {
  /** The file, seen from this module's folder. */
  static final Path FILE = Path.of("..", "fixtures", "harp", "vectors.json");

  private static final String FORMAT = "bridle-harp-device-vectors-1";
  private static final String ABOUT =
      "Test vectors of docs/harp-device.md. All secrets here are public test values: they protect"
          + " nothing. A text stands for its UTF-8 bytes. `hash`, `artifactHash`, `transcriptHash`,"
          + " `sha256`, `shared`, `key` and names that end in `Hex` are hexadecimal; other bytes are"
          + " base64url without padding.";

  private static final List<String> DOCUMENTS =
      List.of(
          "{}",
          "{ \"b\" : 1, \"a\" : [ true, false, \"\", [ ], { } ] }",
          "{\"10\":0,\"9\":-1,\"1\":9007199254740991,\"a\":-9007199254740991,\"B\":2,\"_\":3}",
          "{\"controls\":\"\\u0000\\u0007\\b\\t\\n\\u000B\\f\\r\\u001f\\u007f\"}",
          "{\"escaped\":\"\\/ \\\" \\\\ \\u003c \\u2028 \\ud83d\\ude00\",\"\\u00e9\":\"e\\u0301\"}",
          "{\"nested\":{\"\\u20ac\":1,\"\\r\":2,\"1\":3,\"\\u00f6\":4,\"</script>\":5}}");

  private DeviceVectors() {}

  static byte[] bytes() throws HarpException, JsonProcessingException {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
    String text =
        JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build()
            .writer(printer)
            .writeValueAsString(json());
    return (text + "\n").getBytes(UTF_8);
  }

  private static ObjectNode json() throws HarpException {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("format", FORMAT).put("about", ABOUT);
    json.set("keys", VectorKeys.json());
    json.set("canonical", canonical());
    json.set("receiptKeys", StrictJson.parse(VectorKeys.receiptKeys().toJson()));
    json.set("artifacts", ArtifactVectors.json());
    json.set("decisions", DecisionVectors.json());
    json.set("pairing", PairingVectors.json());
    json.set("successions", SuccessionVectors.json());
    return json;
  }

  private static ArrayNode canonical() throws HarpException {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (String document : DOCUMENTS) {
      byte[] canonical = HarpJson.canonical(HarpJson.parse(document.getBytes(UTF_8), 1 << 10));
      all.addObject()
          .put("json", document)
          .put("canonical", new String(canonical, UTF_8))
          .put("sha256", HarpJson.hex(canonical));
    }
    return all;
  }
}
