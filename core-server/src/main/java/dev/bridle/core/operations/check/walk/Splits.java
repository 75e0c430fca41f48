package dev.bridle.core.operations.check.walk;

import dev.bridle.storage.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keys at about even distances, by which ranges are split into parts. */
final class Splits {
  private static final int LIMIT = 65_536;

  private List<byte[]> keys = new ArrayList<>();
  private int stride = 1;
  private int offered;

  /** Offers the next key in order; of many only some are kept. */
  void add(byte[] key) {
    if (offered++ % stride != 0) {
      return;
    }
    keys.add(key);
    if (keys.size() == LIMIT) {
      List<byte[]> half = new ArrayList<>();
      for (int i = 0; i < keys.size(); i += 2) {
        half.add(keys.get(i));
      }
      keys = half;
      stride *= 2;
    }
  }

  /** Returns the parts of a range, in order. */
  List<KeyRange> of(KeyRange range) {
    List<KeyRange> parts = new ArrayList<>();
    byte[] begin = range.begin();
    for (int i = firstAfter(begin); i < keys.size(); i++) {
      byte[] key = keys.get(i);
      if (Arrays.compareUnsigned(key, range.end()) >= 0) {
        break;
      }
      parts.add(new KeyRange(begin, key));
      begin = key;
    }
    parts.add(new KeyRange(begin, range.end()));
    return parts;
  }

  private int firstAfter(byte[] begin) {
    int low = 0;
    int high = keys.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(keys.get(middle), begin) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
