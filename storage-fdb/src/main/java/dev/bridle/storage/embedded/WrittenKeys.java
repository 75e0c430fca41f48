package dev.bridle.storage.embedded;

import java.util.function.Consumer;

/** The keys that a batch wrote, as sorted arrays, which take less memory than a tree. */
final class WrittenKeys {
  private static final int ENTRY_OVERHEAD = 24;

  private final long version;
  private final long nanoTime;
  private final byte[][] begins;
  private final byte[][] ends;
  private final long bytes;

  WrittenKeys(long version, long nanoTime, SpanSet written) {
    this.version = version;
    this.nanoTime = nanoTime;
    begins = new byte[written.size()][];
    ends = new byte[written.size()][];
    bytes = fill(written);
  }

  private long fill(SpanSet written) {
    long[] sum = {ENTRY_OVERHEAD};
    int[] next = {0};
    written.forEach(
        span -> {
          begins[next[0]] = span.begin();
          ends[next[0]++] = span.end();
          sum[0] += span.bytes() + ENTRY_OVERHEAD;
        });
    return sum[0];
  }

  long version() {
    return version;
  }

  long nanoTime() {
    return nanoTime;
  }

  long bytes() {
    return bytes;
  }

  void forEach(Consumer<Span> action) {
    for (int i = 0; i < begins.length; i++) {
      action.accept(new Span(begins[i], ends[i]));
    }
  }

  boolean overlaps(Span read) {
    int low = 0;
    int high = begins.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Span.endsBefore(begins[middle], ends[middle], read.begin())) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < begins.length && !read.endsBefore(begins[low]);
  }
}
