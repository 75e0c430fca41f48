package dev.bridle.core.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreviousEventTest {
  @TempDir Path directory;

  @Test
  void everyEventButTheFirstNamesTheOneBeforeIt() {
    try (TestCore core = TestCore.start(directory, TaskOptions.DEFAULT)) {
      String session = core.newSession();
      core.submit(session);
      core.submit(session);
      var unused =
          SessionServiceGrpc.newBlockingStub(core.owner())
              .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());

      List<Event> events =
          core.events()
              .listSessionEvents(
                  ListSessionEventsRequest.newBuilder().setSessionId(session).build())
              .getDataList();

      assertThat(events).extracting(Event::getEvent).endsWith("session.closed");
      Map<String, String> newest = new HashMap<>();
      String before = "";
      for (Event event : events) {
        String expected = event.hasTaskId() ? newest.getOrDefault(event.getTaskId(), "") : before;
        assertThat(event.getPreviousEventId()).as(event.getEvent()).isEqualTo(expected);
        assertThat(event.hasPreviousEventId()).isEqualTo(!expected.isEmpty());
        newest.put(event.getTaskId(), event.getId());
        before = event.getId();
      }
    }
  }
}
