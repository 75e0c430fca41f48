package dev.bridle.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** Compares an answer with one that was noted: members may have been added since, none changed. */
final class Noted {
  private Noted() {}

  /**
   * Returns whether a member that is not stored got another definition since: events without a task
   * name the one before them, and the last page of a list of events has no next cursor.
   */
  private static boolean definedAnew(String name, JsonNode noted, JsonNode now) {
    return (name.equals("previous_event_id") && noted.isNull() && now.isTextual())
        || (name.equals("next_cursor") && noted.asText().startsWith("event_") && now.isNull());
  }

  static void assertStillThere(String at, JsonNode noted, JsonNode now) {
    if (noted.isObject()) {
      noted.properties().stream()
          .filter(
              member -> !definedAnew(member.getKey(), member.getValue(), now.path(member.getKey())))
          .forEach(
              member ->
                  assertStillThere(
                      at + "/" + member.getKey(), member.getValue(), now.path(member.getKey())));
    } else if (noted.isArray()) {
      assertThat(now.size()).as(at).isEqualTo(noted.size());
      for (int i = 0; i < noted.size(); i++) {
        assertStillThere(at + "/" + i, noted.get(i), now.path(i));
      }
    } else if (noted.isNumber() && now.isNumber()) {
      assertThat(now.decimalValue()).as(at).isEqualByComparingTo(noted.decimalValue());
    } else {
      assertThat(now.getNodeType()).as(at).isEqualTo(noted.getNodeType());
      assertThat(now.asText()).as(at).isEqualTo(noted.asText());
    }
  }
}
