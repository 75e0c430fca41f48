package dev.bridle.cli.harp;

import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder with the files of an enforcer and of devices, which {@code bridle harp} writes and
 * reads.
 *
 * @param directory the folder
 */
public record HarpFolder(Path directory) {
  private static final String PASSPHRASE = "a long passphrase\n";

  /** Returns the path of a file. */
  public String path(String name) {
    return directory.resolve(name).toString();
  }

  /** Runs a command, and checks its exit code. */
  public static Commands.Said harp(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("harp"));
    all.addAll(List.of(words));
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  /** Creates {@code NAME.keys} with a passphrase, and {@code NAME.json} with its public halves. */
  public void createDevice(String name) {
    write("passphrase", PASSPHRASE);
    write(
        name + ".json",
        harp(
                0,
                "keys",
                "create",
                path(name + ".keys"),
                "--passphrase-file",
                path("passphrase"),
                "--json")
            .out());
  }

  /**
   * Creates {@code NAME.json}, an artifact with a payload, and {@code NAME.sealed.json}, which only
   * a device opens.
   *
   * @return the request's id
   */
  String createArtifact(String name, String payload, String device) {
    write("action.json", payload);
    harp(
        0,
        "artifact",
        "--type",
        "command.review",
        "--payload",
        path("action.json"),
        "--out",
        path(name + ".json"),
        "--for",
        path(device + ".json"),
        "--sealed",
        path(name + ".sealed.json"));
    return Json.parse(read(name + ".json")).path("requestId").asText();
  }

  /** Decides as a device, without a question. */
  public Commands.Said decide(int exitCode, String word, String device, List<String> more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                word,
                "--keys",
                path(device + ".keys"),
                "--passphrase-file",
                path("passphrase"),
                "--yes"));
    words.addAll(more);
    return harp(exitCode, words.toArray(String[]::new));
  }

  /** Verifies a decision with the public halves of a device. */
  Commands.Said enforce(int exitCode, String device, String artifact, String decision) {
    return harp(
        exitCode,
        "enforce",
        "--trusted",
        path(device + ".json"),
        "--artifact",
        path(artifact),
        "--decision",
        path(decision),
        "--once",
        path("enforced.jsonl"));
  }

  void write(String name, String text) {
    try {
      Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
