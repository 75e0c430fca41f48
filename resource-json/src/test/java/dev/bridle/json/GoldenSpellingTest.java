package dev.bridle.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Pins the bytes of event payloads and stored hashes for each type of resource. Commitments are
 * made of these bytes and hashes are compared with stored ones, so lines may only get members of
 * fields that are new. A change that is meant writes the file anew:
 *
 * <pre>
 * ./mvnw -pl resource-json -am test -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dtest='GoldenSpellingTest#writeTheFile' -Dbridle.write-golden=true
 * </pre>
 */
final class GoldenSpellingTest {
  private static final String FILE = "sparse-spelling.txt";
  private static final int VARIATIONS = 3;
  private static final MessagePlans PLANS = new MessagePlans();
  private static final JsonWriter SPARSE = new JsonWriter(PLANS, MemberPolicy.SPARSE);
  private static final JsonWriter NON_DEFAULT = new JsonWriter(PLANS, MemberPolicy.NON_DEFAULT);

  @Test
  void payloadsAndHashedFormsOfAllResourcesAreTheBytesThatTheyWere() throws IOException {
    try (InputStream golden = GoldenSpellingTest.class.getResourceAsStream(FILE)) {
      assertThat(golden).as(FILE).isNotNull();
      List<String> lines =
          new String(golden.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(lines).hasSizeGreaterThan(100);
      assertThat(spelled()).containsExactlyElementsOf(lines);
    }
  }

  @Test
  @EnabledIfSystemProperty(
      named = "bridle.write-golden",
      matches = "true",
      disabledReason = "writes a file of the sources; see the class's comment")
  void writeTheFile() throws IOException {
    Path file = Path.of("src/test/resources/dev/bridle/json").resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.write(file, spelled());
    assertThat(file).isNotEmptyFile();
  }

  private static List<String> spelled() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Message> each : types().entrySet()) {
      Message prototype = each.getValue();
      add(lines, each.getKey() + " empty", prototype);
      add(lines, each.getKey() + " zeros", SampleMessages.zeros(prototype));
      for (int variation = 0; variation < VARIATIONS; variation++) {
        String name = each.getKey() + " filled " + variation;
        add(lines, name, SampleMessages.filled(prototype, variation));
      }
    }
    return lines;
  }

  private static Map<String, Message> types() throws IOException {
    Map<String, Message> types = SampleMessages.contract();
    types.values().removeIf(type -> !SampleMessages.isResource(type.getDescriptorForType()));
    for (Message part :
        List.of(
            PermissionAction.getDefaultInstance(),
            PermissionAnswer.getDefaultInstance(),
            PermissionQuestion.getDefaultInstance(),
            PermissionResponse.getDefaultInstance())) {
      types.put(part.getDescriptorForType().getFullName(), part);
    }
    return types;
  }

  /** Both forms, or one where they are the same. */
  private static void add(List<String> lines, String name, Message message) {
    String sparse = text(SPARSE.write(message));
    String hashed = text(NON_DEFAULT.write(message));
    lines.add(name + " " + sparse);
    if (!hashed.equals(sparse)) {
      lines.add(name + " without defaults " + hashed);
    }
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
