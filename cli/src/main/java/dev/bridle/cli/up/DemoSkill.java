package dev.bridle.cli.up;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.skill.v1.Skill;
import java.time.Instant;
import java.util.List;

/** The skills of the built-in agent, for the agent card. */
final class DemoSkill {
  private static final long MADE_AT = Instant.parse("2026-11-22T00:00:00Z").toEpochMilli();

  /** The skills on the agent card of a server with the built-in agent. */
  static final List<Skill> ON_CARD =
      List.of(
          Skill.newBuilder()
              .setId("skill_word_count")
              .setCreatedAt(Timestamps.fromMillis(MADE_AT))
              .setUpdatedAt(Timestamps.fromMillis(MADE_AT))
              .setName("word_count")
              .setDescription("Counts the words of a text and reports how frequent each is.")
              .setInputSchema(
                  ByteString.copyFromUtf8(
                      "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}"))
              .setSource("bridle")
              .addCapabilities("text")
              .build());

  private DemoSkill() {}
}
