package dev.bridle.core.api.outcome;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.CoreFixture;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.outcome.v1.GetOutcomeRequest;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.ListOutcomesResponse;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.ArtifactReport;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OutcomeServiceTest {
  private static final String WORKSPACE = CoreFixture.WORKSPACE;
  private static final int LARGE = 900_000;

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private Task task;
  private Outcome stored;

  @BeforeEach
  void anOutcome() {
    owner = core.owner();
    task = core.task(core.session(owner, WORKSPACE), WORKSPACE, TaskStatus.TASK_STATUS_COMPLETED);
    stored = insert(task);
  }

  @Test
  void anOutcomeCarriesItsMessagesAndArtifacts() {
    Outcome outcome = get(owner, stored.getId());

    assertThat(outcome).isEqualTo(stored);
    assertThat(outcome.getMessagesList()).hasSize(1);
    assertThat(outcome.getArtifacts(0).getTaskId()).isEqualTo(task.getId());
  }

  @Test
  void aListIsFilteredByTask() {
    Task other = core.task(task.getSessionId(), WORKSPACE, TaskStatus.TASK_STATUS_COMPLETED);
    Outcome newer = insert(other);

    OutcomeServiceGrpc.OutcomeServiceBlockingStub outcomes =
        OutcomeServiceGrpc.newBlockingStub(owner);
    assertThat(outcomes.listOutcomes(ListOutcomesRequest.getDefaultInstance()).getDataList())
        .containsExactly(newer, stored);
    assertThat(outcomes.listOutcomes(of(task.getId())).getDataList()).containsExactly(stored);
    assertThat(outcomes.listOutcomes(of("none")))
        .as("an unknown filter")
        .isEqualTo(
            ListOutcomesResponse.newBuilder().setPage(PageInfo.getDefaultInstance()).build());
  }

  @Test
  void outcomesThatTheCallerDoesNotReachAreNotThere() {
    for (Channel stranger :
        new Channel[] {core.of(CoreFixture.TENANT, "another"), core.of("another")}) {
      OutcomeServiceGrpc.OutcomeServiceBlockingStub outcomes =
          OutcomeServiceGrpc.newBlockingStub(stranger);
      assertRefused(
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, stored.getId()));
      assertThat(outcomes.listOutcomes(of(task.getId())).getDataList()).isEmpty();
      assertThat(outcomes.listOutcomes(ListOutcomesRequest.getDefaultInstance()).getDataList())
          .isEmpty();
    }
  }

  @Test
  void artifactsOfAnotherWorkspaceAreNoPartOfAnOutcome() {
    String foreign = insert(task, "another").getId();

    Outcome outcome = get(owner, foreign);

    assertThat(outcome.getMessagesList()).hasSize(1);
    assertThat(outcome.getArtifactsList()).isEmpty();
  }

  /** With messages of several megabytes each. */
  @Test
  void aPageOfLargeOutcomesEndsEarlyWithACursorThatLeadsToTheRest() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(0, insertLarge());
    }
    made.add(stored.getId());

    OutcomeServiceGrpc.OutcomeServiceBlockingStub outcomes =
        OutcomeServiceGrpc.newBlockingStub(owner);
    List<String> listed = new ArrayList<>();
    ListOutcomesRequest.Builder ask = ListOutcomesRequest.newBuilder().setLimit(200);
    boolean more = true;
    while (more) {
      ListOutcomesResponse page = outcomes.listOutcomes(ask.build());
      assertThat(page.getSerializedSize()).isLessThan(5 * LARGE);
      page.getDataList().forEach(outcome -> listed.add(outcome.getId()));
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }
    assertThat(listed).containsExactlyElementsOf(made);
    assertThat(get(owner, made.get(0)).getMessagesList()).as("the first ones").hasSize(2);
  }

  private String insertLarge() {
    return core.commands()
        .once(
            CoreFixture.TENANT,
            "agent",
            write -> {
              OutcomeRecord.Builder outcome = OutcomeRecord.newBuilder().setWorkspaceId(WORKSPACE);
              for (int i = 0; i < 5; i++) {
                Message message =
                    core.messages.make(
                        write,
                        WORKSPACE,
                        task.getSessionId(),
                        task.getId(),
                        MessageInput.newBuilder()
                            .setRole(Role.ROLE_AGENT)
                            .addParts(
                                Part.newBuilder()
                                    .setText(
                                        TextPart.newBuilder()
                                            .setText("x".repeat(LARGE))
                                            .setVisibility(Visibility.VISIBILITY_PUBLIC)))
                            .build());
                core.messages.insert(write, message, write.order());
                outcome.addMessageIds(message.getId());
              }
              String id = write.id("outcome");
              core.outcomes.insert(
                  write,
                  outcome
                      .setOutcome(
                          Outcome.newBuilder()
                              .setId(id)
                              .setTaskId(task.getId())
                              .setStatus(OutcomeStatus.OUTCOME_STATUS_SUCCEEDED)
                              .setSummary("Done."))
                      .build());
              return id;
            });
  }

  private Outcome insert(Task of) {
    return insert(of, of.getWorkspaceId());
  }

  private Outcome insert(Task of, String workspaceOfArtifact) {
    return core.commands()
        .once(
            CoreFixture.TENANT,
            "agent",
            write -> {
              Message message =
                  core.messages.make(
                      write,
                      of.getWorkspaceId(),
                      of.getSessionId(),
                      of.getId(),
                      MessageInput.newBuilder().setRole(Role.ROLE_AGENT).build());
              core.messages.insert(write, message, write.order());
              Artifact artifact =
                  core.artifacts.insertReported(
                      write,
                      of.toBuilder().setWorkspaceId(workspaceOfArtifact).build(),
                      ArtifactReport.newBuilder()
                          .setKind(ArtifactKind.ARTIFACT_KIND_FILE)
                          .setMimeType("text/plain")
                          .setVisibility(Visibility.VISIBILITY_PUBLIC)
                          .setContent(ByteString.copyFromUtf8("done"))
                          .build());
              Outcome outcome =
                  Outcome.newBuilder()
                      .setId(write.id("outcome"))
                      .setTaskId(of.getId())
                      .setStatus(OutcomeStatus.OUTCOME_STATUS_SUCCEEDED)
                      .setSummary("Done.")
                      .build();
              core.outcomes.insert(
                  write,
                  OutcomeRecord.newBuilder()
                      .setOutcome(outcome)
                      .addMessageIds(message.getId())
                      .addArtifactIds(artifact.getId())
                      .setWorkspaceId(of.getWorkspaceId())
                      .build());
              return outcome.toBuilder()
                  .setWorkspaceId(WORKSPACE)
                  .addMessages(message)
                  .addArtifacts(artifact)
                  .build();
            });
  }

  private static ListOutcomesRequest of(String task) {
    return ListOutcomesRequest.newBuilder().setTaskId(task).build();
  }

  private static Outcome get(Channel caller, String id) {
    return OutcomeServiceGrpc.newBlockingStub(caller)
        .getOutcome(GetOutcomeRequest.newBuilder().setOutcomeId(id).build());
  }
}
