package dev.bridle.core.work.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.RegisterArtifactRequest;
import dev.bridle.core.server.WithCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.task.v1.Task;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the events of artifacts are about, as clients read them. */
final class ArtifactEventsTest extends WithCore {
  @Test
  void theEventOfATasksArtifactIsAboutTheTaskWhoseStreamHasNoGaps() {
    Task task = core.submit(core.newSession());
    TestWorker worker = new TestWorker(core.owner(), "", "w1");
    worker.want(1);
    var unused = worker.lease();

    Artifact made = registered(Uploading.described().setTaskId(task.getId()));
    Uploading.upload(core.owner(), made.getId(), Uploading.noise(12));

    Event created = created(made);
    assertThat(created.getResource()).isEqualTo(pointer("task", task.getId()));
    List<Event> events = core.allEventsOf(task.getId());
    assertThat(events)
        .extracting(Event::getEvent)
        .containsExactly("task.submitted", "task.started", "artifact.created", "artifact.updated");
    assertThat(events).allMatch(event -> event.getResource().equals(created.getResource()));
    assertThat(events)
        .extracting(Event::getSequence)
        .containsExactlyElementsOf(LongStream.range(0, events.size()).boxed().toList());
  }

  @Test
  void theEventOfAnArtifactOfNoTaskIsAboutTheArtifact() {
    String session = core.newSession();

    for (RegisterArtifactRequest.Builder described :
        List.of(
            Uploading.described().setSessionId(session),
            Uploading.described().setWorkspaceId("default"))) {
      Artifact made = registered(described);

      Event created = created(made);
      assertThat(created.getResource()).isEqualTo(pointer("artifact", made.getId()));
      assertThat(created.getSequence()).isZero();
    }
  }

  private Artifact registered(RegisterArtifactRequest.Builder described) {
    return Uploading.registered(core.owner(), described);
  }

  /** Returns the event that names an artifact in its payload. */
  private Event created(Artifact artifact) {
    List<Event> found =
        core
            .events()
            .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
            .getDataList()
            .stream()
            .filter(event -> event.getEvent().equals("artifact.created"))
            .filter(
                event ->
                    event
                        .getPayload()
                        .toStringUtf8()
                        .contains("\"artifact_id\":\"" + artifact.getId() + "\""))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static ResourcePointer pointer(String object, String id) {
    return ResourcePointer.newBuilder().setObject(object).setId(id).build();
  }
}
