package dev.bridle.core.api.event;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.event.v1.ListTaskEventsRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRangeTest {
  @TempDir Path directory;
  private TestCore core;
  private String session;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    session = core.newSession();
    core.submit(session);
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void theLastPageHasNoNextCursor() {
    List<Event> all = list(ListSessionEventsRequest.newBuilder()).getDataList();

    ListEventsResponse first = list(ListSessionEventsRequest.newBuilder().setLimit(1));
    assertThat(first.getPage().getHasMore()).isTrue();
    assertThat(first.getPage().getNextCursor()).isEqualTo(all.get(0).getId());
    assertThat(list(ListSessionEventsRequest.newBuilder()).getPage())
        .isEqualTo(PageInfo.getDefaultInstance());
    ListEventsResponse behind =
        list(
            ListSessionEventsRequest.newBuilder().setAfterEventId(all.get(all.size() - 1).getId()));
    assertThat(behind.getDataList()).isEmpty();
    assertThat(behind.getPage().hasNextCursor()).isFalse();
  }

  @Test
  void aCursorMeansWhatAfterEventIdMeansInEachList() {
    List<Event> all = list(ListSessionEventsRequest.newBuilder()).getDataList();
    Event last = all.get(all.size() - 1);
    String second = all.get(all.size() - 2).getId();

    assertThat(list(ListSessionEventsRequest.newBuilder().setCursor(second)).getDataList())
        .containsExactly(last);
    assertThat(
            core.events()
                .listTaskEvents(
                    ListTaskEventsRequest.newBuilder()
                        .setTaskId(last.getTaskId())
                        .setCursor(second)
                        .build())
                .getDataList())
        .containsExactly(last);
    assertThat(
            core.events()
                .listEvents(
                    ListEventsRequest.newBuilder()
                        .setCursor(second)
                        .setAfterEventId(second)
                        .build())
                .getDataList())
        .containsExactly(last);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () -> list(ListSessionEventsRequest.newBuilder().setCursor("nonsense")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () ->
            list(
                ListSessionEventsRequest.newBuilder()
                    .setCursor(second)
                    .setAfterEventId(last.getId())));
  }

  @Test
  void anUnknownFilterGivesAnEmptyList() {
    for (ListEventsRequest.Builder unknown :
        List.of(
            ListEventsRequest.newBuilder().setWorkspaceId("none"),
            ListEventsRequest.newBuilder().setSessionId("none"),
            ListEventsRequest.newBuilder().setTaskId("none"))) {
      assertThat(core.events().listEvents(unknown.build()))
          .isEqualTo(
              ListEventsResponse.newBuilder().setPage(PageInfo.getDefaultInstance()).build());
    }
  }

  private ListEventsResponse list(ListSessionEventsRequest.Builder request) {
    return core.events().listSessionEvents(request.setSessionId(session).build());
  }
}
