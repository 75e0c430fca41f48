package dev.bridle.worker;

import dev.bridle.artifact.v1.ArtifactKind;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import java.nio.charset.StandardCharsets;

/** Greets the person that the input names, and asks for a name if there is none. */
public final class ReadmeAgent implements TaskHandler {
  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    String name = task.input().text().orElse("");
    if (name.isBlank()) {
      name = GivenInput.textOf(task.requestInput("name", "Whom shall I greet?")).orElse("");
    }
    if (name.isBlank()) {
      throw new TaskFailure("nobody_to_greet", "There is nobody to greet.");
    }
    task.progress("Choosing a card", 0.5);
    int card = task.step("host:cards:pick", Integer.class, () -> (int) (Math.random() * 3) + 1);
    byte[] text = ("Hello, " + name + "! (card " + card + ")").getBytes(StandardCharsets.UTF_8);
    var greeting = task.artifact("card", ArtifactKind.ARTIFACT_KIND_FILE, "text/plain", text);
    return TaskResult.of("Greeted " + name + " with card " + card + ".").withArtifact(greeting);
  }

  public static void main(String[] args) throws InterruptedException {
    var channel = Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
    Worker worker =
        Worker.builder(channel)
            .credentials(System.getenv("BRIDLE_KEY"))
            .agentId("greeter")
            .handler(new ReadmeAgent())
            .build();
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    worker.start();
    Thread.currentThread().join();
  }
}
