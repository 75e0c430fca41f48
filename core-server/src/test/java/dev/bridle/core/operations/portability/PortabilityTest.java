package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.quota.v1.Quota;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.ImportStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.Task;
import dev.bridle.vault.v1.ListVaultSecretsRequest;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is exported reads the same where it is imported. */
final class PortabilityTest extends TwoCores {
  @Test
  void aTenantReadsTheSameInAnEmptyServer() {
    Map<String, Object> before = Reads.of(source);

    ImportSummary done = Transfer.load(target, Transfer.tenant(source));

    assertThat(Reads.of(target)).isEqualTo(before);
    assertThat(before).hasSizeGreaterThan(60);
    assertThat(done.getLiveTasks()).isEqualTo(4);
    assertThat(done.getEra()).isGreaterThan(1);
  }

  @Tag("slow")
  @Test
  void aTenantReadsTheSameUnderAnotherNameBesideWhatIsThere() {
    World other = World.in(target);
    Map<String, Object> there = Reads.of(target);
    String key = Keys.make(Transfer.operator(target), "acme");

    Transfer.load(target, Transfer.tenant(source), Transfer.into("acme"));

    Map<String, Object> copy = Reads.of(target.as(key));
    Map<String, Object> original = Reads.of(source);
    for (String naming : List.of("workspaces", "memories")) {
      assertThat((List<?>) copy.remove(naming))
          .as("what names its tenant")
          .hasSameSizeAs((List<?>) original.remove(naming));
    }
    assertThat(copy).isEqualTo(original);
    assertThat(Reads.of(target)).isEqualTo(there);
    assertThat(target.task(other.waiting.getId())).isNotNull();
  }

  @Test
  void aSessionComesAloneIntoAUsedServer() {
    World.in(target);
    byte[] file =
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(world.session).build());

    Transfer.load(target, file);

    Map<String, Object> copy = Reads.of(target);
    Map<String, Object> original = Reads.of(source);
    Set<String> ofSession = new TreeSet<>();
    for (String key : original.keySet()) {
      if (key.startsWith(world.session) || key.startsWith("task_")) {
        ofSession.add(key);
      }
    }
    assertThat(ofSession).hasSizeGreaterThan(15);
    for (String key : ofSession) {
      assertThat(copy.get(key)).as(key).isEqualTo(original.get(key));
    }
    for (String shared : List.of("personas", "skills", "quotas", "vaults")) {
      assertThat(List.<Object>copyOf((List<?>) copy.get(shared)))
          .as("what the session names comes with it")
          .hasSize(2)
          .containsAll(
              ((List<?>) original.get(shared))
                  .stream().map(PortabilityTest::withoutLastReceipt).toList());
    }
  }

  /** The newest receipt of a quota may be another session's, which does not come along. */
  private static Object withoutLastReceipt(Object resource) {
    return resource instanceof Quota quota
        ? quota.toBuilder().clearLastReceiptId().build()
        : resource;
  }

  @Test
  void vaultsComeWithoutTheirSecrets() {
    byte[] file = Transfer.tenant(source);

    Transfer.load(target, file);

    assertThat(new String(file, StandardCharsets.ISO_8859_1)).doesNotContain(World.SECRET);
    assertThat(secrets(source)).hasSize(1);
    assertThat(secrets(target)).isEmpty();
    SampleVaults.put(target.owner(), world.vault, "token", "of the target");
    Transfer.load(
        target,
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(world.session).build()));
    assertThat(secrets(target)).as("left alone by another import").hasSize(1);
  }

  private List<VaultSecret> secrets(TestCore of) {
    return VaultServiceGrpc.newBlockingStub(of.owner())
        .listVaultSecrets(ListVaultSecretsRequest.newBuilder().setVaultId(world.vault).build())
        .getDataList();
  }

  @Test
  void aTaskComesAloneWithTheSessionThatItRefersTo() {
    String id = world.completed.getId();
    byte[] file = Transfer.export(source, ExportRequest.newBuilder().setTaskId(id).build());

    Transfer.load(target, file);

    assertThat(target.task(id)).isEqualTo(source.task(id));
    assertThat(target.allEventsOf(id)).isEqualTo(source.allEventsOf(id));
    Map<String, Object> copy = Reads.of(target);
    Map<String, Object> original = Reads.of(source);
    assertThat(copy.get(id + " outcomes")).isEqualTo(original.get(id + " outcomes"));
    assertThat(copy.get(world.session)).isNotNull();
    assertThat((List<?>) copy.get(world.session + " tasks")).hasSize(1);
  }

  @Test
  void whatIsToldAfterwardsSortsAfterAllThatWasImported() {
    Transfer.load(target, Transfer.tenant(source));
    String lastImported =
        Reads.events(source.owner()).stream().map(Event::getId).max(String::compareTo).get();

    Task next = target.submit(world.session);

    assertThat(target.eventsOf(next.getId()))
        .allSatisfy(event -> assertThat(event.getId()).isGreaterThan(lastImported));
    List<Event> told = Reads.events(target.owner());
    assertThat(told).isSortedAccordingTo((a, b) -> a.getId().compareTo(b.getId()));
    assertThat(told.stream().map(Event::getEvent)).containsOnlyOnce("vendor.bridle.imported");
  }

  @Test
  void liveStreamsGetOneEventThatSaysSoAndNoHistory() throws InterruptedException {
    EventLog log = EventLog.open(source.store(), KeyLayout.root());
    source
        .store()
        .transact(
            tr -> {
              log.raiseEra(tr, "default", 50_000);
              return true;
            });
    source.submit(world.session); // Its events sort after all that the target has told.
    BlockingQueue<EventFrame> frames = new LinkedBlockingQueue<>();
    EventServiceGrpc.newStub(target.owner())
        .streamEvents(StreamEventsRequest.getDefaultInstance(), new Frames(frames));
    EventFrame frame = frames.poll(60, TimeUnit.SECONDS);
    while (!frame.hasHistoryEnd()) {
      frame = frames.poll(60, TimeUnit.SECONDS);
    }

    Transfer.load(target, Transfer.tenant(source));
    String session = target.newSession();

    assertThat(frames.poll(60, TimeUnit.SECONDS).getEvent().getEvent())
        .isEqualTo("vendor.bridle.imported");
    assertThat(frames.poll(60, TimeUnit.SECONDS).getEvent().getSessionId()).isEqualTo(session);
  }

  /** Keeps what a stream brings. */
  private record Frames(BlockingQueue<EventFrame> frames) implements StreamObserver<EventFrame> {
    @Override
    public void onNext(EventFrame frame) {
      frames.add(frame);
    }

    @Override
    public void onError(Throwable ended) {}

    @Override
    public void onCompleted() {}
  }

  @Tag("slow")
  @Test
  void whatWasImportedCanBeExportedAgain() {
    Transfer.load(target, Transfer.tenant(source));
    TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT);
    try {
      Transfer.load(third, Transfer.tenant(target));

      assertThat(Reads.of(third)).isEqualTo(Reads.of(source));
    } finally {
      third.close();
    }
  }

  @Test
  void anImportNotesWhenItBeganByTheClockOfItsCore() throws InvalidProtocolBufferException {
    Instant then = Instant.parse("2031-02-03T04:05:06Z");
    try (KeyValueStore store = SuiteStore.open(directory.resolve("third"));
        CoreOver third = CoreOver.start(store, Clock.fixed(then, ZoneOffset.UTC))) {
      Transfer.load(third.operator(), Transfer.tenant(source), Transfer.into("default"));

      List<byte[]> imports =
          store.read(tr -> new ImportStore(KeyLayout.root()).all(tr, "default", 2));
      assertThat(ImportRecord.parseFrom(imports.get(0)).getStartedAt())
          .isEqualTo(then.toEpochMilli());
    }
  }
}
