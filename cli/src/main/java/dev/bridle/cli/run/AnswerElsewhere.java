package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Shows a question, and how it is answered from another terminal; then waits until it is. */
final class AnswerElsewhere implements Answering {
  private static final long LOOK_MILLIS = 100;

  private final RunOutput output;
  private final URI url;
  private final Path keyFile;

  /**
   * Creates the answering.
   *
   * @param url the server
   * @param keyFile a key of it that may answer
   */
  AnswerElsewhere(RunOutput output, URI url, Path keyFile) {
    this.output = output;
    this.url = url;
    this.keyFile = keyFile;
  }

  @Override
  public boolean ask(JsonNode request, BooleanSupplier open) throws InterruptedException {
    show(request);
    while (open.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }

  /** Shows a question and the commands that answer it. */
  void show(JsonNode request) {
    output.question(Approver.lines(request));
    output.note("answer it at another terminal:");
    commands(request).forEach(output::note);
    if (isOfThisMachine()) {
      output.note("the server listens on " + url.getHost() + ": only this machine can answer");
    }
  }

  /** Returns the commands that answer a request. */
  private List<String> commands(JsonNode request) {
    String id = request.path("id").asText();
    String server = " --url " + url + " --api-key-file " + quoted(keyFile.toString());
    return List.of(
        "  bridle permission approve " + id + server,
        "  bridle permission deny " + id + " --reason 'WHY'" + server);
  }

  private boolean isOfThisMachine() {
    return List.of("127.0.0.1", "localhost", "[::1]").contains(url.getHost());
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
