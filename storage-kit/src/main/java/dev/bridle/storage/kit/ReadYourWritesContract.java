package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction sees its own writes, in single reads and in ranges, before anybody else does. */
public abstract class ReadYourWritesContract extends StoreSuite {

  protected ReadYourWritesContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void ownWritesAreSeenByItselfAndByNobodyElse() {
    try (Transaction tr = begin()) {
      put(tr, "a", "1");
      assertThat(get(tr, "a")).contains("1");
      assertThat(get(tr.snapshot(), "a")).contains("1");
      assertThat(tr.getAsync(key("a")).join().map(StoreSuite::text)).contains("1");
      assertThat(now("a")).isEmpty();
      tr.commit();
    }
    assertThat(now("a")).contains("1");
  }

  @Test
  void ownClearsHideWhatIsStored() {
    stored("a", "1", "b", "2", "c", "3");
    try (Transaction tr = begin()) {
      tr.clear(key("a"));
      tr.clear(range("b", "d"));
      assertThat(get(tr, "a")).isEmpty();
      assertThat(get(tr, "b")).isEmpty();
      assertThat(list(tr, everything(), 10, false)).isEmpty();
    }
    assertThat(all()).hasSize(3);
  }

  @Test
  void rangesMergeOwnWritesWithWhatIsStored() {
    stored("a", "1", "c", "3", "e", "5", "g", "7");
    try (Transaction tr = begin()) {
      put(tr, "b", "own");
      put(tr, "c", "own");
      tr.clear(key("e"));
      put(tr, "h", "own");
      assertThat(list(tr, everything(), 10, false))
          .containsExactly("a=1", "b=own", "c=own", "g=7", "h=own");
      assertThat(list(tr, everything(), 10, true))
          .containsExactly("h=own", "g=7", "c=own", "b=own", "a=1");
      assertThat(list(tr, everything(), 2, false)).containsExactly("a=1", "b=own");
      assertThat(list(tr, everything(), 2, true)).containsExactly("h=own", "g=7");
      assertThat(list(tr.snapshot(), everything(), 3, false))
          .containsExactly("a=1", "b=own", "c=own");
    }
  }

  @Test
  void aRangeIncludesItsBeginAndExcludesItsEnd() {
    stored("a", "1", "b", "2", "c", "3");
    try (Transaction tr = begin()) {
      assertThat(list(tr, range("a", "c"), 10, false)).containsExactly("a=1", "b=2");
      assertThat(list(tr, range("a", "c"), 10, true)).containsExactly("b=2", "a=1");
      assertThat(list(tr, range("b", "b"), 10, false)).isEmpty();
    }
  }

  @Test
  void aKeyMayBeSetAgainInsideAClearedRange() {
    stored("a", "1", "b", "2", "c", "3");
    try (Transaction tr = begin()) {
      tr.clear(everything());
      put(tr, "b", "again");
      assertThat(list(tr, everything(), 10, false)).containsExactly("b=again");
      assertThat(list(tr, everything(), 10, true)).containsExactly("b=again");
      assertThat(get(tr, "b")).contains("again");
      tr.commit();
    }
    assertThat(all()).containsExactly("b=again");
  }

  @Test
  void ownAdditionsAreSeen() {
    store()
        .transact(
            tr -> {
              tr.add(key("stored"), 40);
              return null;
            });
    try (Transaction tr = begin()) {
      tr.add(key("stored"), 1);
      tr.add(key("stored"), 1);
      tr.add(key("absent"), 7);
      assertThat(tr.get(key("stored")).map(StoreSuite::number)).contains(42L);
      assertThat(tr.get(key("absent")).map(StoreSuite::number)).contains(7L);
      assertThat(tr.getRange(everything(), 10))
          .extracting(pair -> number(pair.value()))
          .containsExactly(7L, 42L);
      tr.clear(key("stored"));
      tr.add(key("stored"), 5);
      assertThat(tr.get(key("stored")).map(StoreSuite::number)).contains(5L);
      tr.commit();
    }
    try (Transaction tr = begin()) {
      assertThat(tr.get(key("stored")).map(StoreSuite::number)).contains(5L);
    }
  }

  @Test
  void whatACallerDoesToItsArraysLaterChangesNothing() {
    byte[] key = key("a");
    byte[] value = bytes("1");
    try (Transaction tr = begin()) {
      tr.set(key, value);
      value[0] = 'x';
      key[key.length - 2] = 'x';
      byte[] read = tr.get(key("a")).orElseThrow();
      read[0] = 'y';
      assertThat(get(tr, "a")).contains("1");
      tr.commit();
    }
    assertThat(all()).containsExactly("a=1");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyMixOfWritesReadsLikeASortedMap(long seed) {
    Random random = new Random(seed);
    TreeMap<String, String> model = new TreeMap<>();
    for (int transaction = 0; transaction < 20; transaction++) {
      try (Transaction tr = begin()) {
        for (int step = 0; step < 15; step++) {
          change(tr, model, random);
          compare(tr, model, random);
        }
        tr.commit();
      }
      assertThat(all()).isEqualTo(show(model));
    }
  }

  private void change(Transaction tr, NavigableMap<String, String> model, Random random) {
    String name = anyName(random);
    switch (random.nextInt(4)) {
      case 0 -> {
        tr.clear(key(name));
        model.remove(name);
      }
      case 1 -> {
        String to = anyName(random);
        if (name.compareTo(to) <= 0) {
          tr.clear(range(name, to));
          model.subMap(name, true, to, false).clear();
        }
      }
      default -> {
        String value = "" + random.nextInt(1000);
        put(tr, name, value);
        model.put(name, value);
      }
    }
  }

  private void compare(Transaction tr, NavigableMap<String, String> model, Random random) {
    String name = anyName(random);
    assertThat(get(tr, name).orElse("none")).isEqualTo(model.getOrDefault(name, "none"));
    String to = anyName(random);
    if (name.compareTo(to) <= 0) {
      int limit = 1 + random.nextInt(10);
      boolean reverse = random.nextBoolean();
      List<String> expected = new ArrayList<>(show(model.subMap(name, true, to, false)));
      if (reverse) {
        Collections.reverse(expected);
      }
      assertThat(list(tr, range(name, to), limit, reverse))
          .isEqualTo(expected.subList(0, Math.min(limit, expected.size())));
    }
  }

  private static String anyName(Random random) {
    return String.format(Locale.ROOT, "%02d", random.nextInt(30));
  }

  private static List<String> show(Map<String, String> model) {
    return model.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }
}
