package dev.bridle.core.kernel.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import dev.bridle.core.kernel.auth.CallContext;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An attempt that timed out may land after its retry. The record of the command is read with a
 * conflict, which stops it; a snapshot read would let it through.
 */
class LateAttemptTest {
  private static final Caller ADA = new Caller("acme", "ada", Set.of("*"), Set.of(), false);

  @TempDir Path directory;

  private KeyValueStore store;
  private LateAttempts lateStore;
  private Commands commands;

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
    lateStore = new LateAttempts(store);
    KeyLayout layout = KeyLayout.root();
    Clock clock = Clock.systemUTC();
    commands =
        new Commands(
            lateStore,
            EventLog.open(store, layout),
            new IdempotencyStore(layout),
            new IdMint(clock, new SecureRandom()),
            clock,
            new RequestHash(new byte[32]),
            StoredAnswers.UNCHANGED);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aCommandWithAnIdempotencyKeyIsNotAppliedOnceMore() throws Exception {
    Empty done =
        CallContext.within(
            ADA,
            "key",
            () ->
                commands.run(
                    Empty.getDefaultInstance(),
                    "",
                    write -> "default",
                    AppliedCount::addOne,
                    Empty.getDefaultInstance()));
    assertThat(done).isEqualTo(Empty.getDefaultInstance());
    assertThat(lateStore.late()).containsExactly(Optional.of(Code.CONFLICT));
    assertThat(AppliedCount.in(store)).isEqualTo(1);
  }

  @Test
  void aCommandOfTheCoresOwnIsNotAppliedOnceMore() {
    commands.once("acme", "core", AppliedCount::addOne);
    assertThat(lateStore.late()).containsExactly(Optional.of(Code.CONFLICT));
    assertThat(AppliedCount.in(store)).isEqualTo(1);
  }

  @Test
  void aCommandThatIsKnownByWhatItCreatesIsNotAppliedOnceMore() throws Exception {
    Creation creation = new Creation("task", (tr, tenant, id) -> tr.get(id.getBytes(UTF_8)));

    Empty done =
        CallContext.within(
            ADA,
            () ->
                commands.run(
                    Empty.getDefaultInstance(),
                    "",
                    Subject.of(write -> "a session", session -> "default"),
                    (write, session) -> {
                      write
                          .tr()
                          .setVersionstampedValue(write.id("task").getBytes(UTF_8), new byte[14]);
                      return AppliedCount.addOne(write);
                    },
                    Optional.of(creation),
                    Empty.getDefaultInstance()));

    assertThat(done).isEqualTo(Empty.getDefaultInstance());
    assertThat(lateStore.late()).containsExactly(Optional.of(Code.CONFLICT));
    assertThat(AppliedCount.in(store)).isEqualTo(1);
  }

  @Test
  void onlyTheListedWritesGoWithoutACommandIdSinceTheyCheckATokenThemselves() {
    assertThat(FencedWrite.values())
        .extracting(FencedWrite::name)
        .containsExactly(
            "HEARTBEAT",
            "REPORT_STEP",
            "COMPARE_STEPS",
            "REQUEST_INPUT",
            "REQUEST_PERMISSION",
            "TAKE_MESSAGES",
            "WITHDRAW_QUESTION",
            "REPORT_DIVERGENCE",
            "USE_SECRET",
            "SESSION_STATE",
            "END_ATTEMPT",
            "CLAIM",
            "REFUSE_TASK",
            "TAKE_BACK",
            "TAKE_BACK_AT_START",
            "TAKE_BACK_OF_HOST",
            "BIND_AGENT",
            "SWEEP",
            "FORGET_COMMAND",
            "ISSUE_RECEIPT",
            "WORK_DELIVERY",
            "RUN_SCHEDULE",
            "WORK_WEBHOOK",
            "WORK_POLL",
            "ERASE_COPIES",
            "UPLOAD_PIECES",
            "SUBMIT_ARTIFACT",
            "SUBMIT_DECISION",
            "ACKNOWLEDGE_MESSAGE",
            "DISMISS_REQUEST",
            "END_EXCHANGE",
            "CHANGE_PARTY",
            "CHANGE_CHANNEL",
            "COMPLETE_PAIRING",
            "SEND_REQUEST",
            "ACCEPT_DECISION",
            "SEND_PROMPT",
            "END_PROMPT",
            "POST_SESSION_EVENT",
            "REMOVE_LAYER_SESSION");
  }
}
