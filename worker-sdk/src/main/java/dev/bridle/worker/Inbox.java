package dev.bridle.worker;

import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.UserMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The messages that the user sends to a leased task. Notices only tell that there may be some; what
 * waits, and what was taken, the core says. Thread-safe.
 */
final class Inbox {
  private final LeaseHold hold;
  private final CoreCalls core;
  private final AtomicReference<Runnable> listener = new AtomicReference<>(() -> {});
  private volatile boolean told;
  private long takenThrough;

  Inbox(LeaseHold hold, CoreCalls core, boolean told) {
    this.hold = hold;
    this.core = core;
    this.told = told;
  }

  /** Notes that messages may wait under a lease, and tells the listener. */
  void notice(long fence) {
    if (hold.fence() == fence) {
      told = true;
      listener.get().run();
    }
  }

  void listen(Runnable newListener) {
    listener.set(newListener);
    if (told) {
      newListener.run();
    }
  }

  /** Takes the first message that waits: the core does not deliver it again. */
  synchronized Optional<SentMessage> take() {
    if (!told) {
      return Optional.empty();
    }
    told = false; // Whatever comes from now on is told anew.
    Optional<UserMessage> first =
        call().stream().filter(message -> !message.getTaken()).findFirst();
    if (first.isPresent()) {
      takenThrough = first.get().getSequence();
      told = true; // There may be more.
      var unused = call();
    }
    return first.map(SentMessage::of);
  }

  /** Returns the newest messages that this run and earlier ones have taken. */
  synchronized List<SentMessage> taken() {
    return call().stream().filter(UserMessage::getTaken).map(SentMessage::of).toList();
  }

  synchronized long takenThrough() {
    return takenThrough;
  }

  private List<UserMessage> call() {
    return core.call(
            hold,
            stub ->
                stub.takeMessages(
                    TakeMessagesRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setTakenThrough(takenThrough)
                        .build()))
        .getMessagesList();
  }
}
