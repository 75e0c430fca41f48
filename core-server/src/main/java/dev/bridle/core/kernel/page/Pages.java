package dev.bridle.core.kernel.page;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads pages of lists by key, so that rows that come or go hide or repeat nothing (protocol
 * section "REST").
 */
public final class Pages {
  /** The number of rows of a page without a limit in the request. */
  public static final int DEFAULT_LIMIT = 50;

  /** About how many bytes of rows are read for one page; a page that reaches it ends early. */
  static final long MAX_BYTES = 2L << 20;

  /** The number of rows of unknown size that are read at once. */
  private static final int ROWS_AT_ONCE = 8;

  /** How many rows one page reads before it ends early. */
  private static final int MAX_LOOKED_AT = 2000;

  /** Stands for the index of lists that are read in ways of their own. */
  private static final int CUSTOM = -1;

  private final Cursors cursors;

  public Pages(Cursors cursors) {
    this.cursors = cursors;
  }

  /**
   * A page.
   *
   * @param rows its rows
   * @param info the paging information for the response
   */
  public record Page<M>(List<M> rows, PageInfo info) {
    /** Copies the rows. */
    public Page {
      rows = List.copyOf(rows);
    }

    /** Returns an empty page, for a list whose filter names something that the caller can't see. */
    public static <M> Page<M> none() {
      return new Page<>(List.of(), PageInfo.getDefaultInstance());
    }
  }

  /**
   * A request for a page of a list.
   *
   * @param index the index that keeps the list's order
   * @param value the value that rows have in that index
   * @param limit how many rows at most; empty: {@link #DEFAULT_LIMIT}
   * @param cursor where the previous page ended
   * @param newestFirst whether the newest row comes first
   */
  public record Ask(
      int index,
      String value,
      Optional<Integer> limit,
      Optional<String> cursor,
      boolean newestFirst) {

    /**
     * Creates a page request from a list request, whose {@code limit} and {@code cursor} may be
     * absent.
     *
     * @param request a list request with these two fields
     */
    public static Ask of(Message request, int index, String value, boolean newestFirst) {
      return new Ask(
          index,
          value,
          optional(request, "limit").map(Integer.class::cast),
          optional(request, "cursor").map(String.class::cast),
          newestFirst);
    }

    private static Optional<Object> optional(Message request, String name) {
      var field = request.getDescriptorForType().findFieldByName(name);
      return request.hasField(field) ? Optional.of(request.getField(field)) : Optional.empty();
    }
  }

  /** Ranges that a list skips. */
  public interface Gaps {
    /** Returns the end of the gap that contains a position; empty if none does. */
    Optional<LogPosition> endOf(LogPosition place);
  }

  /** Reads a page of the records that the caller may see. */
  public <M extends MessageLite> Page<M> read(
      ReadTransaction tr, RecordStore<M> records, Ask ask, Predicate<M> visible) {
    return read(tr, records, ask, visible, place -> Optional.empty());
  }

  /**
   * Reads a page of the records that the caller may see, oldest first where there are gaps.
   *
   * @param gaps the ranges that are skipped
   */
  public <M extends MessageLite> Page<M> read(
      ReadTransaction tr, RecordStore<M> records, Ask ask, Predicate<M> visible, Gaps gaps) {
    return read(tr, records, ask, visible, gaps, row -> row);
  }

  /**
   * Reads a page of the records that the caller may see, as what is shown of them, which may be
   * larger than the records are.
   *
   * @param shown returns what is shown of a record
   */
  public <M extends MessageLite, R extends MessageLite> Page<R> shown(
      ReadTransaction tr,
      RecordStore<M> records,
      Ask ask,
      Predicate<M> visible,
      Function<M, R> shown) {
    return read(tr, records, ask, visible, place -> Optional.empty(), shown);
  }

  private <M extends MessageLite, R extends MessageLite> Page<R> read(
      ReadTransaction tr,
      RecordStore<M> records,
      Ask ask,
      Predicate<M> visible,
      Gaps gaps,
      Function<M, R> shown) {
    Caller caller = Caller.current();
    String binding = binding(caller, ask);
    int limit = ask.limit().orElse(DEFAULT_LIMIT);
    Optional<byte[]> after = ask.cursor().map(cursor -> cursors.read(cursor, binding));
    List<R> rows = new ArrayList<>();
    int lookedAt = 0;
    long bytes = 0;
    boolean more = true;
    while (more && rows.size() < limit && lookedAt < MAX_LOOKED_AT && bytes < MAX_BYTES) {
      int wanted = limit - rows.size();
      List<IndexRow> found =
          records.page(
              tr, caller.tenant(), ask.index(), ask.value(), after, wanted + 1, ask.newestFirst());
      more = found.size() > wanted;
      List<IndexRow> taken = more ? found.subList(0, wanted) : found;
      Optional<LogPosition> gapEnd = Optional.empty();
      for (int at = 0; at < taken.size() && gapEnd.isEmpty(); at++) {
        gapEnd = gaps.endOf(taken.get(at).place());
        if (gapEnd.isPresent()) {
          taken = taken.subList(0, at);
          more = true;
        }
      }
      RecordStore.Some<M> read =
          records.getSome(
              tr, caller.tenant(), taken.stream().map(IndexRow::id).toList(), MAX_BYTES - bytes);
      if (read.ids() < taken.size()) {
        taken = taken.subList(0, read.ids());
        gapEnd = Optional.empty();
        more = true;
      }
      for (int at = 0; at < read.records().size(); at++) {
        M row = read.records().get(at);
        if (visible.test(row)) {
          R one = shown.apply(row);
          bytes += one.getSerializedSize();
          rows.add(one);
        } else {
          bytes += row.getSerializedSize();
        }
        // Rows of one transaction have a record each, so that a row's place is that of its record.
        if (bytes >= MAX_BYTES && at + 1 < taken.size() && read.records().size() == taken.size()) {
          taken = taken.subList(0, at + 1);
          gapEnd = Optional.empty();
          more = true;
          break;
        }
      }
      lookedAt += taken.size();
      if (!taken.isEmpty()) {
        after = Optional.of(taken.get(taken.size() - 1).position());
      }
      if (gapEnd.isPresent()) {
        after = gapEnd.map(LogPosition::position);
      }
    }
    PageInfo.Builder info = PageInfo.newBuilder().setHasMore(more);
    if (more) {
      info.setNextCursor(cursors.spell(after.orElseThrow(), binding));
    }
    return new Page<>(rows, info.build());
  }

  /** A list whose rows are ordered by name. */
  public interface Named<T> {
    /** Returns up to {@code limit} rows after a name, in the list's order. */
    List<T> after(Optional<String> name, int limit);
  }

  /**
   * Reads a page of a list whose rows are ordered by name.
   *
   * @param list the list
   * @param name returns a row's name
   * @param visible which rows the caller may see
   */
  public <T extends MessageLite> Page<T> named(
      Named<T> list, Function<T, String> name, Ask ask, Predicate<T> visible) {
    String binding = binding(Caller.current(), ask);
    int limit = ask.limit().orElse(DEFAULT_LIMIT);
    Optional<String> after =
        ask.cursor()
            .map(cursor -> new String(cursors.read(cursor, binding), StandardCharsets.UTF_8));
    List<T> rows = new ArrayList<>();
    int lookedAt = 0;
    long bytes = 0;
    boolean more = true;
    while (more && rows.size() < limit && lookedAt < MAX_LOOKED_AT && bytes < MAX_BYTES) {
      int wanted = Math.min(ROWS_AT_ONCE, limit - rows.size());
      List<T> found = list.after(after, wanted + 1);
      more = found.size() > wanted;
      List<T> taken = more ? found.subList(0, wanted) : found;
      for (T row : taken) {
        bytes += row.getSerializedSize();
        if (visible.test(row)) {
          rows.add(row);
        }
      }
      lookedAt += taken.size();
      if (!taken.isEmpty()) {
        after = Optional.of(name.apply(taken.get(taken.size() - 1)));
      }
    }
    PageInfo.Builder info = PageInfo.newBuilder().setHasMore(more);
    if (more) {
      info.setNextCursor(
          cursors.spell(after.orElseThrow().getBytes(StandardCharsets.UTF_8), binding));
    }
    return new Page<>(rows, info.build());
  }

  /**
   * Returns a page of a short list that is in memory.
   *
   * @param all its rows, in the order of their names
   * @param name returns a row's name
   * @param ask the page request; {@code value} names the list
   */
  public <T> Page<T> among(List<T> all, Function<T, String> name, Ask ask) {
    String binding = binding(Caller.current(), ask);
    int limit = ask.limit().orElse(DEFAULT_LIMIT);
    String after =
        ask.cursor()
            .map(cursor -> new String(cursors.read(cursor, binding), StandardCharsets.UTF_8))
            .orElse("");
    List<T> rest = all.stream().filter(row -> name.apply(row).compareTo(after) > 0).toList();
    List<T> rows = rest.subList(0, Math.min(limit, rest.size()));
    boolean more = rest.size() > rows.size();
    PageInfo.Builder info = PageInfo.newBuilder().setHasMore(more);
    if (more) {
      byte[] last = name.apply(rows.get(rows.size() - 1)).getBytes(StandardCharsets.UTF_8);
      info.setNextCursor(cursors.spell(last, binding));
    }
    return new Page<>(rows, info.build());
  }

  /**
   * Returns the cursor of a list that is read in a way of its own.
   *
   * @param position where the page ended
   * @param list names the list and its filter
   */
  public String cursor(byte[] position, String list) {
    return cursors.spell(position, binding(Caller.current(), CUSTOM, list));
  }

  /**
   * Returns where the page ended that a cursor of such a list continues; {@code invalid_request} if
   * it is not one of this list and caller.
   */
  public byte[] position(String cursor, String list) {
    return cursors.read(cursor, binding(Caller.current(), CUSTOM, list));
  }

  private static String binding(Caller caller, Ask ask) {
    return binding(caller, ask.index(), ask.value());
  }

  private static String binding(Caller caller, int index, String value) {
    return String.join(
        "\n",
        RequestInfo.current().method(),
        caller.tenant(),
        caller.actor(),
        Integer.toString(index),
        value);
  }
}
