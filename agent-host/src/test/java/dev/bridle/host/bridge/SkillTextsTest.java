package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The texts of the host's skills, by which candidates are ranked. */
final class SkillTextsTest {
  private final List<String> fetched = new ArrayList<>();
  private Optional<String> state = Optional.of("one");
  private String body = "Roll back first.";

  private final Skills skills =
      new Skills() {
        @Override
        public List<SkillManifest> list() {
          return IntStream.range(0, 600).mapToObj(i -> skill("skill" + i, "")).toList();
        }

        @Override
        public Optional<SkillManifest> fetch(String id) {
          fetched.add(id);
          return Optional.of(skill(id.substring("id-".length()), body));
        }

        @Override
        public Optional<String> state() {
          return state;
        }
      };

  private final SkillTexts texts = new SkillTexts(skills);

  private static SkillManifest skill(String name, String body) {
    return new SkillManifest(
        "id-" + name, name, "About " + name, body, JsonNodeFactory.instance.objectNode());
  }

  @Test
  void aBodyIsReadOnceUntilASkillChanges() {
    Map<String, String> expected = Map.of("skill1", "About skill1 Roll back first.");
    assertThat(texts.of(List.of("skill1", "of the runtime"))).isEqualTo(expected);
    assertThat(texts.of(List.of("skill1"))).isEqualTo(expected);
    assertThat(fetched).containsExactly("id-skill1");

    body = "Ask first.";
    state = Optional.of("two");
    assertThat(texts.of(List.of("skill1"))).containsValue("About skill1 Ask first.");
    assertThat(fetched).hasSize(2);
  }

  @Test
  void thereAreNoneWhileTheSkillsCantBeRead() {
    state = Optional.empty();
    assertThat(texts.of(List.of("skill1"))).isEmpty();
    assertThat(fetched).isEmpty();
  }

  @Test
  void oneQueryReadsABoundedNumberOfBodies() {
    List<String> all = skills.list().stream().map(SkillManifest::name).toList();
    assertThat(texts.of(all)).hasSize(SkillTexts.MOST_READ);
    assertThat(fetched).hasSize(SkillTexts.MOST_READ);
    assertThat(texts.of(all)).hasSize(600);
  }

  @Test
  void aCandidateIsFoundByTheBodyThatTheHostHas() {
    List<SkillMatcher.Candidate> candidates =
        List.of(
            new SkillMatcher.Candidate("skill1", "", "", List.of()),
            new SkillMatcher.Candidate("other", "Reviews code", "", List.of()));

    assertThat(match("How do I roll back?", candidates, Map.of())).isEmpty();
    assertThat(match("How do I roll back?", candidates, texts.of(List.of("skill1", "other"))))
        .containsExactly("skill1");
    assertThat(match("review this", candidates, texts.of(List.of("skill1"))))
        .containsExactly("other");
  }

  private static List<String> match(
      String prompt, List<SkillMatcher.Candidate> candidates, Map<String, String> known) {
    return SkillMatcher.match(prompt, List.of(), candidates, known).stream()
        .map(SkillMatcher.Match::name)
        .toList();
  }
}
