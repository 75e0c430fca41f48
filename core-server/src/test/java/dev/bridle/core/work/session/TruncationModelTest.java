package dev.bridle.core.work.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.Visibility;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.ListSessionMessagesResponse;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.record.v1.HiddenTurns;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.session.v1.TruncateSessionResponse;
import dev.bridle.storage.layer.RecordStore;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Transcripts against a plain list: what was truncated is gone, in every order of steps. */
class TruncationModelTest {
  /** Below: truncate to that many turns. */
  private static final int FORK = 9;

  /** From here on: append. */
  private static final int APPEND = 10;

  private static final ExtensionContext NO_CONTEXT = null;
  private static final CoreFixture CORE = new CoreFixture();

  @BeforeContainer
  static void start() throws Exception {
    CORE.beforeEach(NO_CONTEXT);
  }

  @AfterContainer
  static void stop() throws Exception {
    CORE.afterEach(NO_CONTEXT);
  }

  @Provide
  Arbitrary<List<Integer>> steps() {
    return Arbitraries.integers().between(0, 18).list().ofMinSize(4).ofMaxSize(24);
  }

  @Property(tries = 80)
  void aTranscriptShowsWhatAPlainListWould(@ForAll("steps") List<Integer> steps) {
    assertThat(shown(steps, false)).isTrue();
  }

  @Property(tries = 80)
  void recordsOfEarlierVersionsShowTheSame(@ForAll("steps") List<Integer> steps) {
    assertThat(shown(steps, true)).isTrue();
  }

  /**
   * Takes the steps in a session and on a list.
   *
   * @param earlier whether the record of what is hidden is put back after each step into what
   *     earlier versions had stored
   */
  private static boolean shown(List<Integer> steps, boolean earlier) {
    Transcript transcript = new Transcript(CORE.session(CORE.owner(), CoreFixture.WORKSPACE));
    List<String> model = new ArrayList<>();
    int said = 0;
    for (int step : steps) {
      if (step >= APPEND) {
        String text = "m" + said++;
        transcript.append(text);
        model.add(text);
      } else if (step == FORK) {
        transcript = transcript.fork();
      } else {
        List<HiddenTurns> before = transcript.hidden();
        TruncateSessionResponse result = transcript.truncate(step);
        int kept = Math.min(step, model.size());
        assertThat(result.getKeptTurnCount()).isEqualTo(kept);
        assertThat(result.getRemovedTurnCount()).isEqualTo(model.size() - kept);
        boolean changed = kept < model.size();
        model = new ArrayList<>(model.subList(0, kept));
        if (earlier && changed) {
          transcript.forgetAsEarlierVersionsDid(before);
        }
      }
      assertThat(transcript.texts()).isEqualTo(model);
    }
    return true;
  }

  private record Transcript(String session) {
    private static final RecordStore<TranscriptRecord> RECORDS =
        Transcripts.TRANSCRIPT.store(CORE.layout);

    void append(String text) {
      var unused =
          MessageServiceGrpc.newBlockingStub(caller())
              .appendSessionMessage(
                  AppendSessionMessageRequest.newBuilder()
                      .setSessionId(session)
                      .setMessage(
                          MessageInput.newBuilder()
                              .setRole(Role.ROLE_USER)
                              .addParts(
                                  Part.newBuilder()
                                      .setText(
                                          TextPart.newBuilder()
                                              .setText(text)
                                              .setVisibility(Visibility.VISIBILITY_PUBLIC))))
                      .build());
    }

    TruncateSessionResponse truncate(int keep) {
      return SessionServiceGrpc.newBlockingStub(caller())
          .truncateSession(
              TruncateSessionRequest.newBuilder().setSessionId(session).setKeepFirst(keep).build());
    }

    Transcript fork() {
      return new Transcript(
          SessionServiceGrpc.newBlockingStub(caller())
              .forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build())
              .getId());
    }

    List<String> texts() {
      List<String> texts = new ArrayList<>();
      ListSessionMessagesRequest.Builder ask =
          ListSessionMessagesRequest.newBuilder().setSessionId(session).setLimit(3);
      boolean more = true;
      while (more) {
        ListSessionMessagesResponse page =
            MessageServiceGrpc.newBlockingStub(caller()).listSessionMessages(ask.build());
        page.getDataList().forEach(m -> texts.add(m.getParts(0).getText().getText()));
        more = page.getPage().getHasMore();
        ask.setCursor(page.getPage().getNextCursor());
      }
      return texts;
    }

    List<HiddenTurns> hidden() {
      return record().getHiddenList();
    }

    /**
     * Stores what earlier versions had: of what was hidden before, only what ends before the newest
     * truncation begins, and of that truncation no more than up to the newest turn that showed.
     */
    void forgetAsEarlierVersionsDid(List<HiddenTurns> before) {
      TranscriptRecord now = record();
      HiddenTurns last = now.getHidden(now.getHiddenCount() - 1);
      List<HiddenTurns> covered =
          before.stream().filter(hidden -> !now.getHiddenList().contains(hidden)).toList();
      HiddenTurns.Builder cut = last.toBuilder();
      // Where the newest turns were hidden already, those before them were the newest that showed.
      if (!covered.isEmpty()
          && covered.get(covered.size() - 1).getThrough().equals(last.getThrough())
          && !covered.get(0).getAfter().isEmpty()
          && !covered.get(0).getAfter().equals(last.getAfter())) {
        cut.setThrough(covered.get(0).getAfter());
      }
      TranscriptRecord earlier =
          now.toBuilder().clearCumulative().setHidden(now.getHiddenCount() - 1, cut).build();
      CORE.store()
          .transact(
              tr -> {
                RECORDS.update(tr, CoreFixture.TENANT, session, now, earlier);
                return earlier;
              });
    }

    private TranscriptRecord record() {
      return CORE.store()
          .read(tr -> RECORDS.get(tr, CoreFixture.TENANT, session))
          .orElseGet(TranscriptRecord::getDefaultInstance);
    }

    private static Channel caller() {
      return CORE.owner();
    }
  }
}
