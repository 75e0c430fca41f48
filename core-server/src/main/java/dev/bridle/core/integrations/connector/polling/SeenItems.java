package dev.bridle.core.integrations.connector.polling;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which items a connector saw last. As long as an item is among them it is no news, however long
 * its list goes unchanged; those of the newest answer are always among them.
 */
public final class SeenItems {
  /** How many are kept. */
  static final int MOST = 2 * PolledPage.MOST_ITEMS;

  private static final int LENGTH = 16;

  private final Set<ByteString> keys;

  private SeenItems(Set<ByteString> keys) {
    this.keys = keys;
  }

  /** Reads what {@link #stored} has written. */
  public static SeenItems of(ByteString stored) {
    Set<ByteString> keys = new LinkedHashSet<>();
    for (int at = 0; at + LENGTH <= stored.size(); at += LENGTH) {
      keys.add(stored.substring(at, at + LENGTH));
    }
    return new SeenItems(keys);
  }

  /** Returns whether an item is among them. */
  public boolean contains(PolledItem item) {
    return keys.contains(key(item));
  }

  /**
   * Returns what was seen after a part of a page was looked at.
   *
   * @param page all items of the page: those of it that were seen before must not be forgotten
   * @param looked those that were looked at now
   */
  public SeenItems with(List<PolledItem> page, List<PolledItem> looked) {
    Set<ByteString> now = new LinkedHashSet<>();
    Set<ByteString> added = new LinkedHashSet<>();
    looked.forEach(item -> added.add(key(item)));
    for (PolledItem item : page) {
      ByteString key = key(item);
      if (added.contains(key) || keys.contains(key)) {
        now.add(key);
      }
    }
    now.addAll(keys);
    List<ByteString> kept = new ArrayList<>(now);
    return new SeenItems(new LinkedHashSet<>(kept.subList(0, Math.min(MOST, kept.size()))));
  }

  /** Returns how they are stored. */
  public ByteString stored() {
    return ByteString.copyFrom(keys);
  }

  private static ByteString key(PolledItem item) {
    return ByteString.copyFrom(Arrays.copyOf(PolledItem.sha256(item.key()), LENGTH));
  }
}
