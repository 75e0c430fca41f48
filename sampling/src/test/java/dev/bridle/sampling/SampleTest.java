package dev.bridle.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which runs a sample has. */
class SampleTest {
  private static final Optional<String> NONE = Optional.empty();

  private static Sample of(String option) {
    return new Sample("runs", Part.of(Optional.of(option), NONE), NONE);
  }

  @Test
  void thePartsTogetherAreAllRunsAndNoneIsInTwoOfThem() {
    List<Integer> played = new ArrayList<>();
    for (int part = 1; part <= Part.PARTS; part++) {
      List<Integer> own = of(part + "/4").among(1, 1000);
      assertThat(own.size()).as("part %d", part).isBetween(200, 300);
      played.addAll(own);
    }

    assertThat(played)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 1000).boxed().toList());
  }

  @Test
  void allAreAllAndSayWhy() {
    Sample all = of("all");

    assertThat(all.among(1, 10)).hasSize(10);
    assertThat(all.count(12)).isEqualTo(12);
    assertThat(all.said()).isEqualTo("all by -Dbridle.sample: 22 of 22 runs");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aPartHasAtLeastOneRun(int part) {
    assertThat(of(part + "/4").among(List.of("the only one"), name -> name)).hasSize(1);
    assertThat(of(part + "/4").count(2)).isOne();
    assertThat(of(part + "/4").count(12)).isEqualTo(3);
  }

  @Test
  void aCommitChoosesThePart() {
    Part part = Part.of(NONE, Optional.of("99353e57aa"));

    assertThat(part.number()).contains(3);
    assertThat(part.spelled()).isEqualTo("sample 4/4 by 99353e57");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HEAD", "fatal: not a git repository"})
  void withoutACommitItIsTheFirst(String commit) {
    assertThat(Part.of(NONE, Optional.of(commit)).spelled()).isEqualTo("sample 1/4 by no commit");
  }

  @Test
  void oneRunCanBePlayedAlone() {
    Sample sample = new Sample("runs", Part.of(Optional.of("1/4"), NONE), Optional.of("7"));

    assertThat(sample.among(1, 10)).containsExactly(7);
    assertThat(sample.said()).isEqualTo("only '7': 1 of 10 runs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/4", "5/4", "1/3", "some", ""})
  void aMalformedOptionIsRefused(String option) {
    assertThatThrownBy(() -> of(option))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is malformed");
  }
}
