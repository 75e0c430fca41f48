package dev.bridle.core.work.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc.WorkspaceServiceBlockingStub;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody keeps swapping a directory and a link to a folder outside while files are used. The
 * moment between a look and an opening is rarely met here; {@link OpenFolderTest} has it for sure.
 */
class FolderRaceTest {
  private static final String INSIDE = "inside";

  @RegisterExtension final CoreFixture core = CoreFixture.withWorkspaceRoot();
  @TempDir Path outside;

  private final Map<String, Integer> seen = new ConcurrentHashMap<>();
  private WorkspaceServiceBlockingStub workspaces;
  private String workspace;
  private Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void noRaceLeadsOut() throws Exception {
    race(50);
  }

  @Test
  @Tag("slow")
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void noneOfManyRacesLeadsOut() throws Exception {
    race(1_000);
  }

  private void race(int enough) throws Exception {
    Files.writeString(outside.resolve("file"), "outside");
    workspaces = WorkspaceServiceGrpc.newBlockingStub(core.owner());
    workspace =
        workspaces
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("one").setRoot("folder:one").build())
            .getId();
    write("sub/file");
    folder = core.workspaceRoot().resolve("default/one");

    BooleanSupplier raced =
        () ->
            Stream.of(
                    "read inside",
                    "read refused",
                    "listed inside",
                    "listed refused",
                    "wrote inside",
                    "wrote refused")
                .allMatch(what -> seen.getOrDefault(what, 0) >= enough);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> all = new ArrayList<>();
    for (Step step : List.<Step>of(this::swap, this::read, this::list, this::writeSome)) {
      all.add(
          threads.submit(
              () -> {
                try {
                  while (!ended.get() && !raced.getAsBoolean()) {
                    step.run();
                  }
                } finally {
                  ended.set(true);
                }
                return true;
              }));
    }
    try {
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(seen).as("what was seen").doesNotContainKeys("read outside", "listed outside");
    assertThat(outside.resolve("file")).hasContent("outside");
    assertThat(outside.toFile().list()).as("what is outside").containsExactly("file");
  }

  private interface Step {
    void run() throws IOException;
  }

  private void read() {
    count("read", () -> workspaces.readWorkspaceFile(asked("sub/file")).getFile().getContent());
  }

  /** The folder inside has a file that is not outside, and the other way round. */
  private void list() {
    count(
        "listed",
        () ->
            workspaces.readWorkspaceFile(asked("sub")).getListing().getEntriesList().stream()
                    .anyMatch(entry -> entry.getSize() == "outside".length())
                ? "outside"
                : INSIDE);
  }

  private void writeSome() {
    count(
        "wrote",
        () -> {
          write("sub/file");
          write("sub/deeper/file");
          return INSIDE;
        });
  }

  private void write(String path) {
    var unused =
        workspaces.writeWorkspaceFile(
            WriteWorkspaceFileRequest.newBuilder()
                .setWorkspaceId(workspace)
                .setPath(path)
                .setContent(INSIDE)
                .build());
  }

  private ReadWorkspaceFileRequest asked(String path) {
    return ReadWorkspaceFileRequest.newBuilder().setWorkspaceId(workspace).setPath(path).build();
  }

  private void count(String what, Supplier<String> work) {
    String how;
    try {
      how = work.get();
    } catch (StatusRuntimeException e) {
      how = refusal(e);
    }
    seen.merge(what + " " + how, 1, Integer::sum);
  }

  /** There are moments with nothing there; any other failure would be a surprise. */
  private static String refusal(StatusRuntimeException e) {
    try {
      ErrorCode code = ErrorDetail.parseFrom(e.getTrailers().get(ErrorMapper.DETAIL)).getCode();
      return switch (code) {
        case ERROR_CODE_POLICY_VIOLATION -> "refused";
        case ERROR_CODE_RESOURCE_NOT_FOUND, ERROR_CODE_CONFLICT -> "nothing";
        default -> throw new AssertionError("refused with " + code, e);
      };
    } catch (IOException damaged) {
      throw new AssertionError(damaged);
    }
  }

  /** The directory, then the link, then the directory again. */
  private void swap() throws IOException {
    Path sub = folder.resolve("sub");
    Path parked = core.workspaceRoot().resolve("default/parked");
    move(sub, parked);
    Path link = Files.createSymbolicLink(core.workspaceRoot().resolve("default/link"), outside);
    move(link, sub);
    Files.delete(sub);
    move(parked, sub);
  }

  /** A write may make the directory while it is away. */
  private static void move(Path from, Path to) throws IOException {
    while (true) {
      try {
        var unused = Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        return;
      } catch (FileSystemException made) {
        remove(to);
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (DirectoryNotEmptyException | UncheckedIOException usedMeanwhile) {
      // The move is tried again, and this with it.
    }
  }
}
