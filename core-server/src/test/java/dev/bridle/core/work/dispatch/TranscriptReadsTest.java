package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.Refusal;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReadTranscriptResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was said in a session, for the worker that works on one of its tasks. */
class TranscriptReadsTest extends LeasedTasks {
  private static final Visibility PUBLIC = Visibility.VISIBILITY_PUBLIC;

  /** Leases last. */
  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void theNewestMessagesBeforeTheTaskAreReturnedOldestFirst() {
    IntStream.range(0, 130).forEach(i -> say("word " + i, PUBLIC));
    TaskLease lease = leased("what to do now");

    ReadTranscriptResponse all = read(lease, 200);
    assertThat(texts(all)).hasSize(130).startsWith("word 0", "word 1").endsWith("word 129");
    assertThat(all.getHasEarlier()).isFalse();

    ReadTranscriptResponse some = read(lease, 3);
    assertThat(texts(some)).containsExactly("word 127", "word 128", "word 129");
    assertThat(some.getHasEarlier()).isTrue();
  }

  @Test
  void theMessagesOfEarlierTasksAreAmongThem() {
    complete(leased("the first"));
    TaskLease second = leased("the second");

    assertThat(texts(read(second, 200))).containsExactly("the first");
    assertThat(read(second, 200).getMessages(0).getRole()).isEqualTo(Role.ROLE_USER);
  }

  @Test
  void whatWasSaidAsATasksJsonInputIsAmongThem() {
    say("before", PUBLIC);
    complete(leasedWithJson("{\"text\":\"structured\",\"more\":1}"));
    complete(leasedWithJson("{\"more\":1}"));
    say("after", PUBLIC);
    TaskLease now = leasedWithJson("{\"text\":\"what to do now\"}");

    ReadTranscriptResponse read = read(now, 200);
    assertThat(texts(read)).containsExactly("before", "structured", "after");
    assertThat(read.getMessages(1).getRole()).isEqualTo(Role.ROLE_USER);
    assertThat(read.getHasEarlier()).isFalse();

    assertThat(texts(read(now, 2))).containsExactly("structured", "after");
    assertThat(texts(read(now, 1))).containsExactly("after");
    assertThat(read(now, 1).getHasEarlier()).isTrue();
  }

  private TaskLease leasedWithJson(String json) {
    var unused =
        core.tasks()
            .submitSessionTask(
                SubmitTaskRequest.newBuilder()
                    .setSessionId(session)
                    .setInput(SubmitTaskInput.newBuilder().setJson(ByteString.copyFromUtf8(json)))
                    .build());
    return next();
  }

  @Test
  void whatWaitsInTheQueueWasNotSaidBefore() {
    submit("the one");
    submit("the other");
    TaskLease first = next(); // Either: the queue keeps their order within a shard alone.
    String said = first.getTask().getInput().getMessage().getParts(0).getText().getText();

    assertThat(texts(read(first, 200))).isEmpty();
    complete(first);
    assertThat(texts(read(next(), 200))).containsExactly(said);
  }

  @Test
  void whatATruncationHidesIsLeftOut() {
    say("kept", PUBLIC);
    complete(leasedWithJson("{\"text\":\"hidden, too\"}"));
    say("hidden", PUBLIC);
    var unused =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .truncateSession(
                TruncateSessionRequest.newBuilder().setSessionId(session).setKeepFirst(1).build());
    say("new", PUBLIC);

    assertThat(texts(read(leased("now"), 200))).containsExactly("kept", "new");
  }

  @Test
  void partsThatAreNotPublicAreRedacted() {
    say("seen", PUBLIC);
    say("inner", Visibility.VISIBILITY_INTERNAL);
    say("swordfish", Visibility.VISIBILITY_RECEIPT_ONLY);
    TaskLease lease = leased("now");

    ReadTranscriptResponse plain =
        WorkerServiceGrpc.newBlockingStub(core.as("owner", List.of("workers:lease"), List.of()))
            .readTranscript(request(lease, 200));
    assertThat(texts(plain)).containsExactly("seen", "", "");
    assertThat(plain.toString()).doesNotContain("inner").doesNotContain("swordfish");

    ReadTranscriptResponse wider =
        WorkerServiceGrpc.newBlockingStub(
                core.as("owner", List.of("workers:lease", "content:internal"), List.of()))
            .readTranscript(request(lease, 200));
    assertThat(texts(wider)).containsExactly("seen", "inner", "");
    assertThat(wider.toString()).doesNotContain("swordfish");
  }

  @Test
  void largeMessagesAreFewer() {
    IntStream.range(0, 6).forEach(i -> say(i + "x".repeat(100_000), PUBLIC));
    say("y".repeat(300_000), PUBLIC);

    ReadTranscriptResponse one = read(leased("now"), 200);
    assertThat(one.getMessagesCount()).isEqualTo(1);
    assertThat(one.getHasEarlier()).isTrue();
  }

  @Test
  void aLimitIsFromOneToTwoHundred() {
    TaskLease lease = leased("now");
    for (int limit : List.of(-1, 0, 201)) {
      assertThat(Refusal.of(() -> read(lease, limit)).getCode())
          .isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
    }
  }

  private void say(String text, Visibility visibility) {
    Message unused =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(session)
                    .setMessage(message(text, visibility))
                    .build());
  }

  private static MessageInput message(String text, Visibility visibility) {
    return MessageInput.newBuilder()
        .setRole(Role.ROLE_USER)
        .addParts(
            Part.newBuilder()
                .setText(TextPart.newBuilder().setText(text).setVisibility(visibility)))
        .build();
  }

  private TaskLease leased(String prompt) {
    submit(prompt);
    return next();
  }

  private TaskLease next() {
    worker.want(1);
    return worker.lease();
  }

  private void submit(String prompt) {
    var unused =
        core.tasks()
            .submitSessionTask(
                SubmitTaskRequest.newBuilder()
                    .setSessionId(session)
                    .setInput(SubmitTaskInput.newBuilder().setMessage(message(prompt, PUBLIC)))
                    .build());
  }

  private ReadTranscriptResponse read(TaskLease lease, int limit) {
    return core.workers().readTranscript(request(lease, limit));
  }

  private static ReadTranscriptRequest request(TaskLease lease, int limit) {
    return ReadTranscriptRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setLimit(limit)
        .build();
  }

  private static List<String> texts(ReadTranscriptResponse read) {
    return read.getMessagesList().stream()
        .map(message -> message.getParts(0).getText().getText())
        .toList();
  }
}
