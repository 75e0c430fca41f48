package dev.bridle.connection;

import java.util.HashMap;
import java.util.Map;

/** Counts connections in all and by address. Not thread-safe. */
final class AddressCounts {
  private final Map<String, Integer> byAddress = new HashMap<>();
  private int total;

  int total() {
    return total;
  }

  int of(String address) {
    return byAddress.getOrDefault(address, 0);
  }

  void add(String address) {
    byAddress.merge(address, 1, Integer::sum);
    total++;
  }

  void remove(String address) {
    byAddress.computeIfPresent(
        address, (name, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    total--;
  }
}
