package dev.bridle.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.fixtures.audit.Markers;
import dev.bridle.fixtures.client.Json;
import dev.bridle.message.v1.FileRefPart;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.TextPart;
import dev.bridle.proof.hash.Sha256;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Content with markers at each visibility, and a look for these in what somebody got. */
final class PlantedContent {
  static final List<Visibility> ALL =
      List.of(
          Visibility.VISIBILITY_PUBLIC,
          Visibility.VISIBILITY_INTERNAL,
          Visibility.VISIBILITY_RECEIPT_ONLY);

  private final Map<Visibility, List<String>> planted = new EnumMap<>(Visibility.class);

  /** Returns the marker of a name and a visibility. */
  static String marker(String name, Visibility visibility) {
    return "MARKER-" + name + "-" + spell(visibility);
  }

  /** Returns a visibility as JSON has it. */
  static String spell(Visibility visibility) {
    return visibility.name().substring("VISIBILITY_".length()).toLowerCase(Locale.ROOT);
  }

  /** Plants a marker, and returns it. */
  String plant(String name, Visibility visibility) {
    return plantAsIs(marker(name, visibility), visibility);
  }

  /** Plants content and its hash, by which it could be guessed. */
  byte[] content(String name, Visibility visibility) {
    byte[] content = plant(name, visibility).getBytes(UTF_8);
    plantAsIs(HexFormat.of().formatHex(Sha256.of(content).bytes()), visibility);
    return content;
  }

  /** Returns a part of a message, of a type by its visibility. */
  Part part(String name, Visibility visibility) {
    return visibility == Visibility.VISIBILITY_PUBLIC
        ? Part.newBuilder()
            .setText(
                TextPart.newBuilder().setText(plant(name, visibility)).setVisibility(visibility))
            .build()
        : Part.newBuilder()
            .setFileRef(
                FileRefPart.newBuilder()
                    .setUri(plant(name, visibility))
                    .setMimeType("text/plain")
                    .setVisibility(visibility))
            .build();
  }

  /** Returns a message with parts of all types and visibilities. */
  ObjectNode message(String role, String name) {
    ObjectNode message = Json.object().put("role", role);
    ArrayNode parts = message.putArray("parts");
    for (Visibility visibility : ALL) {
      String spelled = spell(visibility);
      add(parts, "text", spelled).put("text", plant(name + "-text", visibility));
      add(parts, "json", spelled).putObject("value").put("a", plant(name + "-json", visibility));
      add(parts, "tool_call", spelled)
          .put("tool_call_id", "call")
          .put("name", plant(name + "-tool", visibility))
          .putObject("input")
          .put("a", plant(name + "-tool-input", visibility));
      if (!name.equals("answer")) { // A question is not answered by a tool's result.
        add(parts, "tool_result", spelled)
            .put("tool_call_id", "call")
            .put("status", "ok")
            .put("output", plant(name + "-tool-output", visibility));
      }
      add(parts, "artifact_ref", spelled).put("artifact_id", plant(name + "-ref", visibility));
      add(parts, "file_ref", spelled)
          .put("uri", "file:///" + plant(name + "-uri", visibility))
          .put("mime_type", plant(name + "-mime", visibility));
      add(parts, "image_ref", spelled)
          .put("artifact_id", plant(name + "-image", visibility))
          .put("mime_type", plant(name + "-image-mime", visibility));
    }
    return message;
  }

  private static ObjectNode add(ArrayNode parts, String type, String visibility) {
    return parts.addObject().put("type", type).put("visibility", visibility);
  }

  private String plantAsIs(String marker, Visibility visibility) {
    List<String> known = planted.computeIfAbsent(visibility, of -> new CopyOnWriteArrayList<>());
    if (!known.contains(marker)) {
      known.add(marker);
    }
    return marker;
  }

  /** Fails where bytes hold what was planted at other visibilities than those that are shown. */
  void holdsNothingBut(String where, List<String> bytes, List<Visibility> shown) {
    assertThat(bytes).isNotEmpty();
    Markers hidden = new Markers();
    planted.forEach(
        (visibility, markers) -> {
          if (!shown.contains(visibility)) {
            markers.forEach(marker -> hidden.plant(visibility.name(), marker));
          }
        });
    assertThat(hidden.count()).isGreaterThan(30);
    for (String one : bytes) {
      assertThat(hidden.leaks(where, one)).as(one).isEmpty();
    }
  }

  /** What was sent and not refused is seen: else a leak could not be noticed. */
  void holdsAll(String where, List<String> bytes, Visibility visibility) {
    String all = String.join("\n", bytes);
    assertThat(planted.get(visibility))
        .filteredOn(marker -> !marker.matches("MARKER-(late|reused|wrong|cut)-.*"))
        .as(where)
        .allSatisfy(marker -> assertThat(all).contains(marker));
  }
}
