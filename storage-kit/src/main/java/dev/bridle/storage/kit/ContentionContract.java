package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Invariants over several keys hold while many threads work on them at once. */
public abstract class ContentionContract extends StoreSuite {

  protected ContentionContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void writeSkewNeverLeavesTheShiftWithNobodyOnDuty() {
    for (int round = 0; round < 20; round++) {
      stored("ada", "on", "bob", "on", "eve", "on");
      List<String> names = List.of("ada", "bob", "eve");
      Workers.run(
          names.size(),
          thread ->
              store()
                  .transact(
                      tr -> {
                        if (list(tr, range("a", "z"), 10, false).size() > 1) {
                          tr.clear(key(names.get(thread)));
                        }
                        return true;
                      }));
      assertThat(all()).hasSize(1);
    }
  }

  @Test
  void aSumOverARangeHoldsThoughManyThreadsPutNewRowsIntoIt() {
    Workers.run(
        6,
        thread -> {
          for (int i = 0; i < 15; i++) {
            String name = "row/" + thread + "/" + i;
            store()
                .transact(
                    tr -> {
                      put(tr, name, "");
                      put(tr, "sum", "" + list(tr, range("row/", "row0"), 1_000, false).size());
                      return true;
                    });
          }
          return thread;
        });
    assertThat(now("sum")).contains("90");
  }

  @Test
  void noAdditionIsLostOrDoubledUnderContention() {
    Workers.run(
        16,
        thread -> {
          for (int i = 1; i <= 50; i++) {
            int number = i;
            once(thread + "/" + i, tr -> tr.add(key("sum"), number));
            once(thread + "/-" + i, tr -> tr.add(key("sum"), -1));
          }
          return thread;
        });
    long sum = store().read(tr -> number(tr.get(key("sum")).orElseThrow()));
    assertThat(sum).isEqualTo(16L * (50 * 51 / 2 - 50));
  }
}
