package dev.bridle.storage.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers in keys stay what they are: data of every earlier release holds them. */
class StoredNumbersTest {

  @Test
  void everyNumberIsTheOneThatIsListed() throws IOException {
    List<String> lines = new ArrayList<>();
    Arrays.stream(SystemSpace.values())
        .map(space -> "system " + space.number() + " " + space)
        .forEach(lines::add);
    Arrays.stream(TenantSpace.values())
        .map(space -> "tenant " + space.number() + " " + space)
        .forEach(lines::add);
    Arrays.stream(DueKind.values())
        .map(kind -> "due " + kind.number() + " " + kind)
        .forEach(lines::add);
    assertThat(lines)
        .as(
            "stored-numbers.txt: add what is new; what is listed never changes, and goes only into"
                + " RetiredNumbers")
        .containsExactlyElementsOf(listed());
  }

  @Test
  void noRetiredNumberIsGivenOutAgainNorOneTwice() {
    assertThat(Arrays.stream(SystemSpace.values()).map(SystemSpace::number))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(orNone(RetiredNumbers.SYSTEM_SPACES));
    assertThat(Arrays.stream(TenantSpace.values()).map(TenantSpace::number))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(orNone(RetiredNumbers.TENANT_SPACES));
    assertThat(Arrays.stream(DueKind.values()).map(DueKind::number))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(orNone(RetiredNumbers.DUE_KINDS));
  }

  /** An assertion over no elements at all would fail. */
  private static Set<Long> orNone(Set<Long> retired) {
    Set<Long> numbers = new HashSet<>(retired);
    numbers.add(-1L);
    return numbers;
  }

  private static List<String> listed() throws IOException {
    try (InputStream in = StoredNumbersTest.class.getResourceAsStream("stored-numbers.txt")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
