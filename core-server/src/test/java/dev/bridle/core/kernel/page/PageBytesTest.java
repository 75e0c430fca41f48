package dev.bridle.core.kernel.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.server.WithCore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.SessionServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of nearly a megabyte: no page holds many of them, and none of them is passed over. */
class PageBytesTest extends WithCore {
  private static final int LARGE = 900_000;
  private static final int ROWS = 12;

  /** What a page may have above its bound: the row with which it came there, and one more. */
  private static final long MARGIN = 2L * LARGE;

  @Test
  void aPageOfLargeRowsEndsEarlyWithACursorThatLeadsToTheRest() {
    SessionServiceGrpc.SessionServiceBlockingStub sessions =
        SessionServiceGrpc.newBlockingStub(core.owner());
    ByteString metadata = ByteString.copyFromUtf8("{\"x\":\"" + "y".repeat(LARGE) + "\"}");
    List<String> made =
        IntStream.range(0, ROWS)
            .mapToObj(
                row ->
                    sessions
                        .createSession(
                            CreateSessionRequest.newBuilder()
                                .setWorkspaceId("default")
                                .setMetadata(metadata)
                                .build())
                        .getId())
            .toList();

    List<String> listed = new ArrayList<>();
    ListSessionsRequest.Builder ask = ListSessionsRequest.newBuilder().setLimit(200);
    boolean more = true;
    while (more) {
      ListSessionsResponse page = sessions.listSessions(ask.build());
      assertThat(page.getSerializedSize()).isLessThan((int) (Pages.MAX_BYTES + MARGIN));
      page.getDataList().forEach(session -> listed.add(session.getId()));
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }

    assertThat(listed).containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  void aPageOfLargeEventsEndsEarlyWithACursorThatLeadsToTheRest() {
    String session = core.newSession();
    for (int message = 0; message < ROWS; message++) {
      var unused =
          MessageServiceGrpc.newBlockingStub(core.owner())
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
                                              .setText(message + "z".repeat(LARGE))
                                              .setVisibility(Visibility.VISIBILITY_PUBLIC))))
                      .build());
    }

    List<Event> listed = new ArrayList<>();
    ListSessionEventsRequest.Builder ask =
        ListSessionEventsRequest.newBuilder().setSessionId(session).setLimit(200);
    boolean more = true;
    while (more) {
      ListEventsResponse page = core.events().listSessionEvents(ask.build());
      assertThat(page.getSerializedSize()).isLessThan((int) (Pages.MAX_BYTES + MARGIN));
      listed.addAll(page.getDataList());
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }

    assertThat(listed).extracting(Event::getEvent).filteredOn("user.message"::equals).hasSize(ROWS);
    assertThat(listed).extracting(Event::getId).doesNotHaveDuplicates().isSorted();
  }
}
