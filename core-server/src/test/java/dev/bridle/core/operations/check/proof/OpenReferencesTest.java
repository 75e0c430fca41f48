package dev.bridle.core.operations.check.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.record.Place;
import org.junit.jupiter.api.Test;

/** References are settled by what has been seen at the end of all rows. */
final class OpenReferencesTest {
  private static final long SOURCE = 1L << 60;
  private static final long OTHER = 2L << 60;
  private static final Place HERE = new Place("here", "");
  private static final Place ELSEWHERE = new Place("elsewhere", "");

  private final KnownRecords known = new KnownRecords();
  private final Differences sources = new Differences();
  private final OpenReferences references = new OpenReferences(known, sources);

  @Test
  void aRecordThatIsReadLaterIsThere() {
    known.add(7, HERE);
    references.add(SOURCE, 7, HERE);
    references.add(SOURCE, 8, Place.ANYWHERE);
    known.add(8, ELSEWHERE);
    references.resolve();

    assertThat(sources.proveAll()).isTrue();
  }

  @Test
  void oneThatIsNotReadOrLiesElsewhereLeavesItsSourceUnproven() {
    known.add(7, ELSEWHERE);
    references.add(SOURCE, 7, HERE);
    references.resolve();

    assertThat(sources.proves(SOURCE)).isFalse();
    assertThat(sources.proves(OTHER)).isTrue();
  }

  @Test
  void manyAreKept() {
    for (int id = 1; id <= 1000; id++) {
      references.add(SOURCE, id, Place.ANYWHERE);
    }
    for (int id = 1; id < 1000; id++) {
      known.add(id, Place.ANYWHERE);
    }
    references.resolve();

    assertThat(sources.proves(SOURCE)).as("one is not there").isFalse();
  }
}
