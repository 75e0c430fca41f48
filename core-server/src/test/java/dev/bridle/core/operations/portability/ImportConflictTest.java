package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.server.TestCore;
import dev.bridle.event.v1.Event;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.UpdateSessionRequest;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Imports of what is there already, of other bytes, and of damaged files. */
final class ImportConflictTest extends TwoCores {
  @Tag("slow")
  @Test
  void aWorkspaceThatIsUsedHereRefusesAnotherOfItsNameUnlessItIsKept() {
    World.in(target);
    byte[] file = Transfer.tenant(source);
    Map<String, Object> there = Reads.of(target);

    assertThatThrownBy(() -> Transfer.load(target, file))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("Nothing was imported")
        .hasMessageContaining("workspace default is another one here")
        .hasMessageContaining("--keep-workspaces");
    assertThat(Reads.of(target)).isEqualTo(there);
    Transfer.load(target, file, Transfer.into("default").setKeepWorkspaces(true));

    Map<String, Object> now = Reads.of(target);
    assertThat(now.get("workspaces")).isEqualTo(there.get("workspaces"));
    assertThat(Reads.events(target.owner()).stream().map(Event::getEvent))
        .containsOnlyOnce("vendor.bridle.workspace_created")
        .containsOnlyOnce("vendor.bridle.imported");
    Set<String> lists =
        Set.of(
            "workspaces",
            "personas",
            "skills",
            "quotas",
            "memories",
            "vaults",
            "sessions",
            "artifacts",
            "outcomes",
            "permission requests",
            "events");
    there.keySet().removeAll(lists);
    assertThat(now).containsAllEntriesOf(there);
    Map<String, Object> original = Reads.of(source);
    List<String> ofWorkspace = ofWorkspace(source);
    assertThat(ofWorkspace).hasSize(5);
    original.keySet().removeAll(lists);
    ofWorkspace.forEach(event -> assertThat(original.remove(event)).isNotNull());
    assertThat(now)
        .containsAllEntriesOf(original)
        .doesNotContainKeys(ofWorkspace.toArray(String[]::new));
  }

  /** The events of the workspace itself: that it was made, and its files written. */
  private static List<String> ofWorkspace(TestCore core) {
    return Reads.events(core.owner()).stream()
        .filter(event -> event.getEvent().startsWith("vendor.bridle.workspace_"))
        .map(Event::getId)
        .toList();
  }

  @Test
  void anImportThatWasMadeIsNotMadeAgain() {
    byte[] file = Transfer.tenant(source);
    Transfer.load(target, file);
    SessionServiceGrpc.newBlockingStub(target.owner())
        .updateSession(
            UpdateSessionRequest.newBuilder()
                .setSessionId(world.session)
                .setMetadata(ByteString.copyFromUtf8("{\"a\":1}"))
                .build());
    Map<String, Object> before = Reads.of(target);

    ImportSummary again = Transfer.load(target, file);

    assertThat(again.getAlreadyLoaded()).isTrue();
    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Test
  void theSameIdWithOtherBytesRefusesAllBeforeTheFirstWrite() {
    byte[] first = Transfer.tenant(source);
    Transfer.load(target, first);
    source.submit(world.session);
    SessionServiceGrpc.newBlockingStub(source.owner())
        .updateSession(
            UpdateSessionRequest.newBuilder()
                .setSessionId(world.session)
                .setMetadata(ByteString.copyFromUtf8("{\"a\":1}"))
                .build());
    Map<String, Object> before = Reads.of(target);

    assertThatThrownBy(() -> Transfer.load(target, Transfer.tenant(source)))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("Nothing was imported")
        .hasMessageContaining(world.session);

    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Test
  void aDamagedFileIsRefusedByTheServerBeforeAnythingIsWritten() {
    byte[] file = Transfer.tenant(source);
    Map<String, Object> before = Reads.of(target);
    for (int at : new int[] {20, file.length / 3, file.length / 2, file.length - 20}) {
      byte[] damaged = file.clone();
      damaged[at] ^= 4;
      assertThatThrownBy(() -> Transfer.load(target, damaged))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("can't be imported");
    }
    assertThat(Reads.of(target)).isEqualTo(before);
  }

  @Tag("slow")
  @Test
  void aTaskThatIsImportedIntoItsOwnServerIsThereAlready() {
    String id = world.completed.getId();
    byte[] file = Transfer.export(source, ExportRequest.newBuilder().setTaskId(id).build());
    Map<String, Object> before = Reads.of(source);

    Transfer.load(source, file);

    Map<String, Object> after = Reads.of(source);
    assertThat(after.get(id)).isEqualTo(before.get(id));
    assertThat(source.kindsOf(id)).doesNotContain("vendor.bridle.imported");
  }
}
