package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.dispatch.PromptedTasks.Said;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReadTranscriptResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads what was said in a session for the worker that works on one of its tasks. */
final class TranscriptReads {
  /** About how many bytes of messages are returned at most, but at least one message. */
  private static final long MAX_BYTES = 256 << 10;

  private static final int ROWS_AT_ONCE = 50;

  /** How many rows one call reads; hidden ones count. */
  private static final int MAX_LOOKED_AT = 2000;

  private final KeyValueStore store;
  private final TaskStore tasks;
  private final PromptedTasks prompted;
  private final MessageStore messages;
  private final Transcripts transcripts;

  TranscriptReads(CoreContext context, TaskStore tasks) {
    this.store = context.store();
    this.tasks = tasks;
    this.prompted = new PromptedTasks(tasks);
    this.messages = new MessageStore(context.layout());
    this.transcripts = new Transcripts(context.layout(), context.log());
  }

  ReadTranscriptResponse read(Caller caller, ReadTranscriptRequest request) {
    return store.read(
        tr -> {
          TaskRecord task = tasks.need(tr, caller, request.getTaskId());
          Fences.needWorking(task, caller, request.getFence());
          HandlerReplays.refuse(task, "has no transcript: what was read of it is not recorded");
          return read(tr, caller.tenant(), task, request.getLimit());
        });
  }

  /** Reads backwards, since a session may have any number of messages. */
  private ReadTranscriptResponse read(
      ReadTransaction tr, String tenant, TaskRecord task, int limit) {
    String session = task.getTask().getSessionId();
    var hidden = transcripts.gaps(tr, tenant, session);
    Map<String, Boolean> ended = new HashMap<>();
    // What waits in the queue, or works, is not said before this task: it is still to be done.
    Predicate<String> wasSaid =
        id -> id.isEmpty() || ended.computeIfAbsent(id, of -> hasEnded(tr, tenant, of));
    ended.put(task.getTask().getId(), false);
    List<Said> newest = new ArrayList<>();
    long bytes = 0;
    int lookedAt = 0;
    Optional<byte[]> before = Optional.empty();
    boolean more = true;
    boolean full = false;
    while (more && !full && lookedAt < MAX_LOOKED_AT) {
      List<IndexRow> rows =
          messages
              .records()
              .page(
                  tr,
                  tenant,
                  MessageStore.MESSAGES_BY_SESSION,
                  session,
                  before,
                  ROWS_AT_ONCE,
                  true);
      more = rows.size() == ROWS_AT_ONCE;
      lookedAt += rows.size();
      if (!rows.isEmpty()) {
        before = Optional.of(rows.get(rows.size() - 1).position());
      }
      Map<String, LogPosition> places = new LinkedHashMap<>();
      rows.stream()
          .filter(row -> hidden.endOf(row.place()).isEmpty())
          .forEach(row -> places.put(row.id(), row.place()));
      List<String> ids = List.copyOf(places.keySet());
      RecordStore.Some<Message> read = messages.some(tr, tenant, ids, MAX_BYTES);
      for (Message message : read.records()) {
        if (!full && wasSaid.test(message.getTaskId())) {
          bytes += message.getSerializedSize();
          full = newest.size() == limit || (bytes > MAX_BYTES && !newest.isEmpty());
          if (!full) {
            newest.add(new Said(places.get(message.getId()), message));
          }
        }
      }
      full = full || read.ids() < ids.size();
    }
    return merged(newest, more || full, prompted.newest(tr, tenant, session, hidden), limit);
  }

  /** Adds what was said as tasks' inputs, as far as it is not before the messages that are read. */
  private static ReadTranscriptResponse merged(
      List<Said> messages, boolean hasEarlier, List<Said> inputs, int limit) {
    List<Said> all = new ArrayList<>(messages);
    boolean earlier = hasEarlier;
    for (Said input : inputs) {
      boolean isBefore =
          hasEarlier
              && !messages.isEmpty()
              && input.place().compareTo(messages.get(messages.size() - 1).place()) < 0;
      if (!isBefore) {
        all.add(input);
      }
    }
    all.sort(Comparator.comparing(Said::place).reversed());
    List<Message> newest = new ArrayList<>();
    long bytes = 0;
    for (Said said : all) {
      bytes += said.message().getSerializedSize();
      if (newest.size() == limit || (bytes > MAX_BYTES && !newest.isEmpty())) {
        earlier = true;
        break;
      }
      newest.add(said.message());
    }
    return response(newest, earlier);
  }

  private boolean hasEnded(ReadTransaction tr, String tenant, String task) {
    return tasks
        .find(tr, tenant, task)
        .map(found -> TaskLifecycle.terminal(found.getTask().getStatus()))
        .orElse(true);
  }

  private static ReadTranscriptResponse response(List<Message> newest, boolean hasEarlier) {
    Collections.reverse(newest);
    return ReadTranscriptResponse.newBuilder()
        .addAllMessages(newest)
        .setHasEarlier(hasEarlier)
        .build();
  }
}
