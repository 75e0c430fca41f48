package dev.bridle.core.integrations.harpsession;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.layer.LayerDocument;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.record.v1.LayerEventRecord;
import dev.bridle.record.v1.LayerSessionRecord;
import dev.bridle.record.v1.LayerSessionRecordOrBuilder;
import dev.bridle.relay.v1.GetLayerSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads pages of a session's events, stored ones and those that follow from the session. */
final class SessionPages {
  private static final int DEFAULT_LIMIT = 50;
  private static final long PAGE_BYTES = 2L << 20;

  private final LayerSessionStore store;
  private final MirroredSessions mirrored;

  SessionPages(LayerSessionStore store, MirroredSessions mirrored) {
    this.store = store;
    this.mirrored = mirrored;
  }

  /** An event of a page, which is read when it is known to be in it. */
  private record Item(String key, Supplier<ByteString> json) {}

  /** Returns a page of a session; {@code resource_not_found} where the caller may not see it. */
  ByteString page(ReadTransaction tr, Caller caller, GetLayerSessionRequest request) {
    String id = request.getSessionId();
    Optional<Session> core =
        mirrored
            .find(tr, caller, id)
            .filter(session -> mirrored.isMapped(tr, caller.tenant(), session));
    if (core.isPresent()) {
      boolean isOver = MirroredSessions.ended(core.get()).isPresent();
      return page(
          tr,
          caller,
          request,
          SessionIntake.placeOfCore(id),
          isOver,
          mirrored.events(tr, caller, core.get()));
    }
    String place = SessionIntake.placeOfHost(id);
    LayerSessionRecord session =
        store
            .find(tr, caller.tenant(), place)
            .filter(found -> !found.getRemoving() && reaches(caller, found))
            .orElseThrow(() -> notFound(id));
    return page(tr, caller, request, place, !session.getEndedKey().isEmpty(), List.of());
  }

  /** Returns whether a credential reaches a session of another host, whoever's it is. */
  static boolean reaches(Caller caller, LayerSessionRecordOrBuilder session) {
    String workspace = session.getWorkspaceId();
    return caller.workspaces().isEmpty() || (!workspace.isEmpty() && caller.reaches(workspace));
  }

  static ProtocolException notFound(String id) {
    return ProtocolException.notFound("session", id)
        .with("harp_code", HarpErrorCode.TRANSPORT.spelled())
        .with("reason", "not_found");
  }

  private ByteString page(
      ReadTransaction tr,
      Caller caller,
      GetLayerSessionRequest request,
      String place,
      boolean isOver,
      List<MirroredSessions.Derived> derived) {
    int limit = request.hasLimit() ? request.getLimit() : DEFAULT_LIMIT;
    List<Item> items = items(tr, caller.tenant(), place, request.getCursor(), limit + 1, derived);
    ObjectNode page =
        JsonNodeFactory.instance
            .objectNode()
            .put("sessionId", request.getSessionId())
            .put("state", isOver ? "ended" : "open");
    ArrayNode events = page.putArray("events");
    long bytes = 0;
    int shown = 0;
    while (shown < items.size() && shown < limit && bytes < PAGE_BYTES) {
      ByteString json = items.get(shown).json().get();
      if (shown > 0 && bytes + json.size() > PAGE_BYTES) {
        break;
      }
      events.addRawValue(new RawValue(json.toStringUtf8()));
      bytes += json.size();
      shown++;
    }
    if (shown < items.size()) {
      page.put("nextCursor", items.get(shown - 1).key());
    } else {
      page.putNull("nextCursor");
    }
    return LayerDocument.bytes(page);
  }

  private List<Item> items(
      ReadTransaction tr,
      String tenant,
      String place,
      String cursor,
      int most,
      List<MirroredSessions.Derived> derived) {
    List<Item> items = new ArrayList<>();
    for (LayerEventRecord event : store.after(tr, tenant, place, cursor, most)) {
      items.add(new Item(event.getKey(), () -> store.content(tr, tenant, event).getJson()));
    }
    derived.stream()
        .filter(event -> event.key().compareTo(cursor) > 0)
        .forEach(
            event -> items.add(new Item(event.key(), () -> LayerDocument.bytes(event.json()))));
    items.sort(Comparator.comparing(Item::key));
    return items.subList(0, Math.min(most, items.size()));
  }
}
