package dev.bridle.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.rule.DamagedReplayFileException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.harp.rule.ReplayFile;
import dev.bridle.harp.rule.ReplayRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Used decisions in a file, opened anew for each use. */
final class ReplayFileTest extends ReplayRecordContract {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("used.jsonl");
  }

  @Override
  void use(Use use) throws Exception {
    try (ReplayFile used = ReplayFile.open(file())) {
      use.with(used);
    }
  }

  @Override
  void add(Decision decision, Instant now) throws Exception {
    try (ReplayFile used = ReplayFile.open(file())) {
      used.add(decision, now, DecisionRule.SKEW);
    }
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(file());
  }

  private void assertUsed(Decision decision) throws Exception {
    use(used -> assertThat(used.repeats(decision)).isTrue());
  }

  private void assertDamaged() {
    assertThatThrownBy(() -> use(used -> {})).isInstanceOf(DamagedReplayFileException.class);
  }

  @Test
  void onlyItsOwnerReadsAndWritesIt() throws Exception {
    use(used -> {});
    assertThat(file()).as("made without a decision").doesNotExist();
    add(decision("r1", "n1"), NOW);
    add(decision("r2", "n2"), NOW);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
    assertUsed(decision("r1", "n1"));

    for (String name : List.of("used.jsonl", "used.jsonl.lock")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void whenADecisionWasUsedIsKnown() throws Exception {
    Decision decision = decision("r1", "n1");
    add(decision, NOW.plusMillis(5));

    try (ReplayFile used = ReplayFile.open(file())) {
      assertThat(used.usedAt(decision)).contains(NOW.plusMillis(5));
      assertThat(used.usedAt(decision("r2", "n2"))).isEmpty();
    }
  }

  /** A process may be killed after any byte of a line. */
  @Test
  void aLineThatWasNotWrittenWholeIsDropped() throws Exception {
    add(decision("r1", "n1"), NOW);
    byte[] before = Files.readAllBytes(file());
    Decision decision = decision("r2", "n2");
    add(decision, NOW);
    byte[] after = Files.readAllBytes(file());

    for (int length = before.length; length < after.length - 2; length++) {
      Files.write(file(), Arrays.copyOf(after, length));
      assertNew(decision);
      assertUsed(decision("r1", "n1"));
    }
    add(decision, NOW);
    assertThat(Files.readAllBytes(file())).isEqualTo(after);
    // A line that lacks but its end was written whole, and may have been acted on.
    Files.write(file(), Arrays.copyOf(after, after.length - 1));
    assertUsed(decision);
    add(decision("r3", "n3"), NOW);
    assertThat(lines()).hasSize(3);
    assertUsed(decision);
  }

  /** What is on disk counts, however its process has ended: nothing is left to be done for it. */
  @Test
  void whatWasAddedIsUsedEvenIfItsProcessEndsAtOnce() throws Exception {
    Decision decision = decision("r1", "n1");
    Path copy = folder.resolve("copy.jsonl");
    try (ReplayFile used = ReplayFile.open(file())) {
      used.add(decision, NOW, DecisionRule.SKEW);
      Files.copy(file(), copy);
    }

    try (ReplayFile used = ReplayFile.open(copy)) {
      assertThat(used.repeats(decision)).isTrue();
    }
  }

  @Test
  void anyOtherDamageIsRefused() throws Exception {
    add(decision("r1", "n1"), NOW);
    add(decision("r2", "n2"), NOW);
    byte[] whole = Files.readAllBytes(file());

    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(file(), damaged);
      assertDamaged();
    }
    for (String more : List.of("\n", "x\n", "{}\n", "{}", "x".repeat(1000))) {
      Files.writeString(file(), new String(whole, StandardCharsets.UTF_8) + more);
      assertDamaged();
    }
    Files.write(file(), whole);
    assertUsed(decision("r2", "n2"));
  }

  @Test
  void whatCanNotBeAReplayAnyMoreIsRemoved() throws Exception {
    add(decision("long", "n", "phone-1", NOW.plusSeconds(100_000)), NOW);
    Instant later = NOW;
    for (int i = 0; i < 100; i++) {
      later = later.plus(ReplayRecord.LEAST).plusSeconds(1);
      add(decision("r" + i, "n" + i, "phone-1", later.plusSeconds(60)), later);
      assertThat(lines()).hasSizeLessThanOrEqualTo(5);
    }

    assertUsed(decision("long", "n", "phone-1", NOW.plusSeconds(100_000)));
    assertUsed(decision("r99", "n99", "phone-1", later.plusSeconds(60)));
    assertNew(decision("r0", "n0"));
  }

  @Test
  void aFileIsFullUntilDecisionsExpire() throws Exception {
    add(decision("r1", "n1"), NOW);
    String line = lines().get(0) + "\n";
    Files.writeString(file(), line.repeat(50_000));

    assertThatThrownBy(() -> add(decision("r2", "n2"), NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("50000 decisions that have not expired");
    assertNew(decision("r2", "n2"));
    Files.writeString(file(), line.repeat(2000), StandardOpenOption.APPEND);
    add(decision("r2", "n2"), NOW.plus(ReplayRecord.LEAST).plusSeconds(1));
    assertThat(lines()).hasSize(1);
  }

  /** Until a decision has expired, with the difference that clocks may have. */
  @Test
  void whatCouldBeAReplayIsKept() throws Exception {
    Instant expiry = NOW.plusSeconds(5000);
    Decision decision = decision("r1", "n1", "phone-1", expiry);
    add(decision, NOW);
    Instant end = expiry.plus(DecisionRule.SKEW);

    add(decision("r2", "n2", "phone-1", end.plusSeconds(60)), end);
    assertUsed(decision);
    add(decision("r3", "n3", "phone-1", end.plusSeconds(120)), end.plusSeconds(1));
    assertThat(lines()).as("without the expired one").hasSize(2);
    add(decision("r4", "n4", "phone-1", end.plusSeconds(5000)), end.plusSeconds(2000));
    assertThat(lines()).as("only what has not expired").hasSize(1);
  }

  @Test
  void ofSeveralThreadsOneUsesADecision() throws Exception {
    Decision decision = decision("r1", "n1");
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Decision own = decision("own" + i, "own" + i);
        all.add(() -> uses(decision));
        all.add(() -> uses(own));
      }
      int used = 0;
      for (Future<Boolean> each : threads.invokeAll(all)) {
        used += each.get() ? 1 : 0;
      }
      assertThat(used).isEqualTo(41);
      assertThat(lines()).hasSize(41);
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean uses(Decision decision) throws Exception {
    try (ReplayFile used = ReplayFile.open(file())) {
      if (used.repeats(decision)) {
        return false;
      }
      used.add(decision, NOW, DecisionRule.SKEW);
      return true;
    }
  }

  @Test
  void linksLeadToOneFile() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("link"), file());
    assertThatThrownBy(() -> ReplayFile.open(link).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a link to a file that does not exist");
    add(decision("r1", "n1"), NOW);

    try (ReplayFile used = ReplayFile.open(link)) {
      used.add(decision("r2", "n2"), NOW, DecisionRule.SKEW);
    }
    assertUsed(decision("r2", "n2"));
    assertThat(link).isSymbolicLink();
    assertThat(elsewhere.resolve("link.lock")).doesNotExist();
  }

  @Test
  void whatIsNoFileIsRefused() throws Exception {
    Files.createDirectory(file());
    assertThatThrownBy(() -> use(used -> {})).hasMessageContaining("not a regular file");
    assertThatThrownBy(() -> ReplayFile.open(folder.resolve("none").resolve("f")).close())
        .isInstanceOf(IOException.class);
    Files.delete(file());
    add(decision("r1", "n1"), NOW);
  }
}
