package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.permission.ShownAction;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Shows a question, and how it is answered from another terminal; then may wait until it is. */
final class AnswerElsewhere implements Answering {
  private static final long LOOK_MILLIS = 100;

  private final RunOutput output;
  private final URI url;
  private final Path keyFile;
  private final Optional<String> certificateFile;
  private final boolean waits;

  /**
   * Creates the answering.
   *
   * @param url the server
   * @param keyFile a key of it that may answer
   * @param certificateFile its certificate, by which a command trusts it; empty for plaintext
   * @param waits whether to wait for an answer; else nobody is there
   */
  AnswerElsewhere(
      RunOutput output, URI url, Path keyFile, Optional<String> certificateFile, boolean waits) {
    this.output = output;
    this.url = url;
    this.keyFile = keyFile;
    this.certificateFile = certificateFile;
    this.waits = waits;
  }

  @Override
  public boolean ask(JsonNode request, BooleanSupplier open) throws InterruptedException {
    output.question(ShownAction.lines(request));
    output.note("answer it at another terminal:");
    commands(request).forEach(output::note);
    return awaited(open);
  }

  @Override
  public boolean fill(String task, JsonNode asked, BooleanSupplier open)
      throws InterruptedException {
    output.question(FormFiller.lines(asked));
    output.note("a client of the server can fill it in; decline it at another terminal:");
    output.note("  bridle task answer " + task + " --text declined" + server());
    return awaited(open);
  }

  private boolean awaited(BooleanSupplier open) throws InterruptedException {
    if (!hasKey()) {
      output.note("FILE is one with a key of the server, which it was started without");
    }
    if (isOfThisMachine()) {
      output.note("the server listens on " + url.getHost() + ": only this machine can answer");
    }
    while (waits && open.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return waits;
  }

  /** Returns the commands that answer a request. */
  private List<String> commands(JsonNode request) {
    String id = request.path("id").asText();
    return List.of(
        "  bridle permission approve " + id + server(),
        "  bridle permission deny " + id + " --reason 'WHY'" + server());
  }

  private String server() {
    return " --url "
        + url
        + certificateFile.map(file -> " --ca-cert " + quoted(file)).orElse("")
        + " --api-key-file "
        + (hasKey() ? quoted(keyFile.toString()) : "FILE");
  }

  /** A server that somebody has started by hand has its keys elsewhere. */
  private boolean hasKey() {
    return Files.exists(keyFile);
  }

  private boolean isOfThisMachine() {
    return List.of("127.0.0.1", "localhost", "[::1]").contains(url.getHost());
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
