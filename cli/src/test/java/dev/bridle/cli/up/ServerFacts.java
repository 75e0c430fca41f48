package dev.bridle.cli.up;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a server of this process was doing: whether a missing event is in its log, and whether a
 * thread is in the way.
 */
final class ServerFacts {
  private static final String TENANT = "default";
  private static final int EVENTS = 12;
  private static final int DEPTH = 12;

  private ServerFacts() {}

  /** Returns the newest events of the log, and the threads at work. */
  static String of(KeyValueStore store) {
    return "the newest events are "
        + newest(store)
        + ", and the threads at work "
        + Thread.getAllStackTraces().entrySet().stream()
            .filter(entry -> entry.getKey().getName().startsWith("bridle-"))
            .filter(entry -> !isIdle(entry.getValue()))
            .map(ServerFacts::thread)
            .sorted()
            .collect(Collectors.joining("\n"));
  }

  private static String newest(KeyValueStore store) {
    try {
      EventLog log = EventLog.open(store, KeyLayout.root());
      return store.read(
          tr ->
              IntStream.range(0, log.partitions())
                  .mapToObj(at -> log.readFeedBackwards(tr, TENANT, at, Optional.empty(), EVENTS))
                  .flatMap(Collection::stream)
                  .sorted(Comparator.reverseOrder())
                  .limit(EVENTS)
                  .map(id -> id + " " + name(tr, log, id))
                  .collect(Collectors.joining(", ")));
    } catch (RuntimeException e) {
      return "not readable: " + e;
    }
  }

  private static String name(ReadTransaction tr, EventLog log, EventId id) {
    return log.find(tr, TENANT, id).map(ServerFacts::name).orElse("(dropped)");
  }

  private static String name(StoredEvent event) {
    try {
      EventRecord record = EventRecord.parseFrom(event.body());
      return record.getEvent() + " of " + record.getTaskId();
    } catch (InvalidProtocolBufferException e) {
      return "(damaged)";
    }
  }

  private static boolean isIdle(StackTraceElement[] stack) {
    return Arrays.stream(stack).noneMatch(at -> at.getClassName().startsWith("dev.bridle."));
  }

  private static String thread(Map.Entry<Thread, StackTraceElement[]> entry) {
    return entry.getKey().getName()
        + " "
        + entry.getKey().getState()
        + Arrays.stream(entry.getValue())
            .limit(DEPTH)
            .map(at -> " " + at.getClassName() + "." + at.getMethodName())
            .collect(Collectors.joining());
  }
}
