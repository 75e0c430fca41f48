package dev.bridle.core.kernel.record;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The definition of a kind of stored record: its number in keys, how it is read, its id, its index
 * rows, which records it refers to, where its first event is, and how it is exported. The storage
 * check, exports and imports work from it alone. A {@link Catalog} holds all definitions.
 *
 * @param <M> the record
 */
public final class RecordDef<M extends MessageLite> {
  /** The index of all records of a kind. */
  public static final int ALL = 0;

  /** The index of the records of a workspace. */
  public static final int BY_WORKSPACE = 1;

  /** The index of the records of a session. */
  public static final int BY_SESSION = 2;

  private final RecordType<M> type;
  private final String name;
  private final Function<M, Optional<String>> id;
  private final List<Function<M, Optional<Entry>>> indexes;
  private final List<Referrer<M>> references;
  private final Set<String> referredTo;
  private final Function<M, Place> place;
  private final BiFunction<M, String, Optional<Origin>> origin;
  private final Export<M> export;
  private final List<DueTime<M>> due;

  private RecordDef(Builder<M> from) {
    this.type = new RecordType<>(from.number, from.parser, from.configuration);
    this.name = from.name;
    this.id = from.id;
    this.indexes = List.copyOf(from.indexes);
    this.references = List.copyOf(from.references);
    this.referredTo = Set.copyOf(from.referredTo);
    this.place = from.place;
    this.origin = from.origin;
    this.export = from.export;
    this.due = List.copyOf(from.due);
  }

  /**
   * Begins a definition.
   *
   * @param number the kind's number in keys: stored, never changed nor given to another kind
   * @param name what one is called, in messages and in events
   * @param parser reads one
   */
  public static <M extends MessageLite> Builder<M> of(int number, String name, Parser<M> parser) {
    return new Builder<>(number, parser, name);
  }

  /**
   * An index row of a record.
   *
   * @param index the index's number
   * @param value the value whose records the index lists; empty where it lists all
   */
  public record Entry(long index, String value) {}

  /** A time at which records are due, as an entry of a kind in the due index; empty: never. */
  private record DueTime<M>(DueKind kind, Function<M, Optional<Long>> at) {}

  /** Adds what a record refers to. */
  private interface Referrer<M> {
    void add(String storedId, M record, Consumer<Reference> to);
  }

  /** Returns number and parser. */
  public RecordType<M> type() {
    return type;
  }

  /** Returns the kind's number in keys. */
  public int number() {
    return type.number();
  }

  /** Returns what one is called. */
  public String name() {
    return name;
  }

  /** Returns the names of the kinds that records of this one may refer to. */
  public Set<String> referredTo() {
    return referredTo;
  }

  /** Returns how records of the kind are exported. */
  public Export<M> export() {
    return export;
  }

  /** Returns the store of the records of this kind. */
  public RecordStore<M> store(KeyLayout layout) {
    return new RecordStore<>(layout, type);
  }

  /** Returns the descriptor of the records of this kind. */
  public Descriptor descriptor() {
    return ((Message) parse(new byte[0]).orElseThrow()).getDescriptorForType();
  }

  /** Reads a record; empty where the bytes are none. */
  public Optional<M> parse(byte[] bytes) {
    try {
      return Optional.of(type.parser().parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** Reads a record that is stored under an id; empty where the bytes are none. */
  public Optional<StoredRecord<M>> read(String storedId, byte[] bytes) {
    return parse(bytes).map(record -> new StoredRecord<>(this, storedId, record));
  }

  /** Returns the id that a record names; empty where records of the kind name none. */
  public Optional<String> idOf(M record) {
    return id.apply(record);
  }

  /** Adds a record to all its lists, in the order of an event. */
  public void index(
      RecordStore<M> records, Transaction tr, String tenant, M record, PendingEventId order) {
    String own = idOf(record).orElseThrow();
    for (Entry entry : entriesOf(record)) {
      records.index(tr, tenant, (int) entry.index(), entry.value(), order, own);
    }
  }

  /** Returns the index rows of a record. */
  public List<Entry> entriesOf(M record) {
    List<Entry> entries = new ArrayList<>(indexes.size());
    indexes.forEach(index -> index.apply(record).ifPresent(entries::add));
    return entries;
  }

  List<Reference> referencesOf(String storedId, M record) {
    List<Reference> found = new ArrayList<>();
    references.forEach(referrer -> referrer.add(storedId, record, found::add));
    return found;
  }

  Place placeOf(M record) {
    return place.apply(record);
  }

  Optional<Origin> originOf(String storedId, M record) {
    return origin.apply(record, storedId);
  }

  /** Returns the kinds of the due entries that records may have. */
  public Set<DueKind> dueKinds() {
    return due.stream().map(DueTime::kind).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the due entries that a record of a tenant must have. */
  List<DueEntry> dueEntriesOf(String tenant, String storedId, M record) {
    List<DueEntry> entries = new ArrayList<>();
    for (DueTime<M> time : due) {
      time.at()
          .apply(record)
          .ifPresent(at -> entries.add(new DueEntry(at, time.kind(), tenant, storedId)));
    }
    return entries;
  }

  private List<DueEntry> dueEntriesOf(String tenant, M record) {
    return due.isEmpty() ? List.of() : dueEntriesOf(tenant, idOf(record).orElseThrow(), record);
  }

  /** Returns whether a record is due at the time of an entry; if not, the entry is stale. */
  public boolean isDue(M record, DueEntry entry) {
    return dueEntriesOf(entry.tenant(), entry.id(), record).contains(entry);
  }

  /** Adds the due entries of a record. */
  public void schedule(DueIndex index, Transaction tr, String tenant, M record) {
    dueEntriesOf(tenant, record).forEach(entry -> index.schedule(tr, entry));
  }

  /** Removes the due entries of a record. */
  public void unschedule(DueIndex index, Transaction tr, String tenant, M record) {
    dueEntriesOf(tenant, record).forEach(entry -> index.cancel(tr, entry));
  }

  /** Replaces the due entries of a record with those of its next state. */
  public void reschedule(DueIndex index, Transaction tr, String tenant, M before, M after) {
    if (!dueEntriesOf(tenant, before).equals(dueEntriesOf(tenant, after))) {
      unschedule(index, tr, tenant, before);
      schedule(index, tr, tenant, after);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** Puts a definition together. */
  public static final class Builder<M extends MessageLite> {
    private final int number;
    private final Parser<M> parser;
    private final String name;
    private final List<Function<M, Optional<Entry>>> indexes = new ArrayList<>();
    private final List<Referrer<M>> references = new ArrayList<>();
    private final Set<String> referredTo = new TreeSet<>();
    private final List<DueTime<M>> due = new ArrayList<>();
    private Function<M, Optional<String>> id = record -> Optional.empty();
    private Function<M, Place> place = record -> Place.ANYWHERE;
    private BiFunction<M, String, Optional<Origin>> origin = (record, stored) -> Optional.empty();
    private Export<M> export = Export.never();
    private boolean configuration;

    private Builder(int number, Parser<M> parser, String name) {
      this.number = number;
      this.parser = parser;
      this.name = name;
    }

    /**
     * Records are configuration: few commands change them, and most read them, so that what was
     * read is used again until one of them changes. Each change conflicts with all commands of the
     * tenant that read any.
     */
    public Builder<M> configuration() {
      configuration = true;
      return this;
    }

    /** Records name their own id. */
    public Builder<M> id(Function<M, String> ofRecord) {
      id = record -> Optional.of(ofRecord.apply(record));
      return this;
    }

    /** All records stand in the list {@link #ALL}. */
    public Builder<M> listed() {
      return indexed(ALL, record -> "");
    }

    /** All records stand in a list of the index, by a value of theirs. */
    public Builder<M> indexed(int index, Function<M, String> value) {
      return indexedWhere(record -> true, index, value);
    }

    /** Some records stand in a list of the index, by a value of theirs. */
    public Builder<M> indexedWhere(Predicate<M> which, int index, Function<M, String> value) {
      indexes.add(
          record ->
              which.test(record)
                  ? Optional.of(new Entry(index, value.apply(record)))
                  : Optional.empty());
      return this;
    }

    /** Records refer to one of another kind, wherever they name an id of it. */
    public Builder<M> refersTo(String kind, Function<M, String> target) {
      return refersToAll(kind, record -> List.of(target.apply(record)));
    }

    /** Records refer to several of another kind. */
    public Builder<M> refersToAll(String kind, Function<M, List<String>> targets) {
      return refers(kind, targets, false);
    }

    /**
     * Records belong to one of another kind, wherever they name an id of it: both lie in the same
     * workspace and session.
     */
    public Builder<M> belongsTo(String kind, Function<M, String> target) {
      return refers(kind, record -> List.of(target.apply(record)), true);
    }

    private Builder<M> refers(String kind, Function<M, List<String>> targets, boolean owner) {
      referredTo.add(kind);
      references.add(
          (storedId, record, to) ->
              targets.apply(record).stream()
                  .filter(named -> !named.isEmpty())
                  .forEach(named -> to.accept(new Reference(kind, named, owner))));
      return this;
    }

    /** Records refer to the one of another kind that is stored under their own id. */
    public Builder<M> besides(String kind) {
      referredTo.add(kind);
      references.add((storedId, record, to) -> to.accept(new Reference(kind, storedId, false)));
      return this;
    }

    /**
     * Records refer to others as a rule of their own says.
     *
     * @param kinds the kinds that it may name
     */
    public Builder<M> refersBy(Set<String> kinds, BiConsumer<M, Consumer<Reference>> rule) {
      referredTo.addAll(kinds);
      references.add((storedId, record, to) -> rule.accept(record, to));
      return this;
    }

    /** Records lie in a workspace and a session; empty texts where they name none. */
    public Builder<M> liesIn(Function<M, String> workspace, Function<M, String> session) {
      place = record -> new Place(workspace.apply(record), session.apply(record));
      return this;
    }

    /** Each record has an event stream of its own, which begins with the record's first event. */
    public Builder<M> withStream() {
      origin = (record, storedId) -> Optional.of(new Origin.OfStream(storedId, ""));
      return this;
    }

    /** The first event of a record is in another stream, and names the record in a member. */
    public Builder<M> firstEventIn(Function<M, String> stream, String member) {
      origin =
          (record, storedId) ->
              Optional.of(
                  new Origin.OfStream(
                      stream.apply(record), "\"" + member + "\":\"" + storedId + '"'));
      return this;
    }

    /** The first event of a record is the first or the last one of a task. */
    public Builder<M> firstEventOfTask(Function<M, String> task, boolean last) {
      origin = (record, storedId) -> Optional.of(new Origin.OfTask(task.apply(record), last));
      return this;
    }

    /** Records are exported with what they belong to, or for themselves. */
    public Builder<M> exported(UnaryOperator<Export<M>> how) {
      export = how.apply(Export.along());
      return this;
    }

    /** Records are exported with what they belong to. */
    public Builder<M> exported() {
      return exported(UnaryOperator.identity());
    }

    /** Some records are due at a time, in Unix milliseconds, and have a due entry; 0: never. */
    public Builder<M> due(DueKind kind, ToLongFunction<M> at) {
      due.add(
          new DueTime<>(kind, record -> Optional.of(at.applyAsLong(record)).filter(is -> is != 0)));
      return this;
    }

    /** All records are due at a time, in Unix milliseconds, and have a due entry. */
    public Builder<M> alwaysDue(DueKind kind, ToLongFunction<M> at) {
      due.add(new DueTime<>(kind, record -> Optional.of(at.applyAsLong(record))));
      return this;
    }

    /** Returns the definition. */
    public RecordDef<M> build() {
      return new RecordDef<>(this);
    }
  }
}
