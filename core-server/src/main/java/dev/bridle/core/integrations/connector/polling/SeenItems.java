package dev.bridle.core.integrations.connector.polling;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The items that a connector saw last. An item among them is not new, however long the polled list
 * stays unchanged. The items of the latest response are always among them.
 */
public final class SeenItems {
  /** The maximum number of remembered items. */
  static final int MOST = 2 * PolledPage.MOST_ITEMS;

  private static final int LENGTH = 16;

  private final Set<ByteString> keys;

  private SeenItems(Set<ByteString> keys) {
    this.keys = keys;
  }

  /** Parses the form that {@link #stored} returns. */
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
   * Returns the seen items after a part of a page was processed.
   *
   * @param page all items of the page, of which those seen before stay remembered
   * @param looked the processed items
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

  /** Returns the stored form. */
  public ByteString stored() {
    return ByteString.copyFrom(keys);
  }

  private static ByteString key(PolledItem item) {
    return ByteString.copyFrom(Arrays.copyOf(PolledItem.sha256(item.key()), LENGTH));
  }
}
