package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about the files of workspaces. */
@Command(
    name = "files",
    description = "List, read and write the files of a workspace.",
    footer = {"%nExample:", "  bridle workspace files ls default"})
final class WorkspaceFilesCommand extends CommandGroup {

  @Command(
      name = "ls",
      description = "List a directory of a workspace.",
      footer = {"%nExample:", "  bridle workspace files ls default notes"})
  void ls(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "WORKSPACE", description = "The workspace's id.") String workspace,
      @Parameters(
              paramLabel = "PATH",
              arity = "0..1",
              defaultValue = ".",
              description = "The directory (default: the root).")
          String path) {
    JsonNode found = server.connect().get(files(workspace, path));
    if (!found.has("entries")) {
      throw new CommandFailed(ExitCodes.FAILED, path + " is a file; 'read' prints it.");
    }
    PrintWriter out = spec().commandLine().getOut();
    Column[] members = Column.of("kind", "size", "path");
    try (Listing list = shown.listing(out, members)) {
      found.get("entries").forEach(entry -> shown.add(list, entry, members));
    }
  }

  @Command(
      name = "read",
      description = {
        "Print a file of a workspace.",
        "At a terminal, control characters and others that can't be seen are shown by their"
            + " numbers."
      },
      footer = {"%nExample:", "  bridle workspace files read default notes/a.txt"})
  void read(
      @Mixin ServerChoice server,
      @Option(names = "--raw", description = "Print the file as it is at a terminal, too.")
          boolean raw,
      @Parameters(paramLabel = "WORKSPACE", description = "The workspace's id.") String workspace,
      @Parameters(paramLabel = "PATH", description = "The file's path.") String path) {
    JsonNode found = server.connect().get(files(workspace, path));
    if (!found.has("content")) {
      throw new CommandFailed(ExitCodes.FAILED, path + " is a directory; 'ls' lists it.");
    }
    PrintWriter out = spec().commandLine().getOut();
    String content = found.get("content").textValue();
    if (raw || !(out instanceof TerminalWriter)) {
      out.print(content);
    } else {
      content
          .lines()
          .map(line -> line.replace("\t", "  "))
          .map(ShownText::line)
          .forEach(out::println);
    }
    out.flush();
  }

  @Command(
      name = "write",
      description = "Write a text file into a workspace, from a file or from stdin.",
      footer = {
        "%nExample:",
        "  bridle workspace files write default notes/a.txt --content-file a.txt"
      })
  void write(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "WORKSPACE", description = "The workspace's id.") String workspace,
      @Parameters(paramLabel = "PATH", description = "The file's path.") String path,
      @Option(
              names = "--content-file",
              paramLabel = "FILE",
              description = "The file with the content (default: stdin).")
          Optional<Path> file) {
    RestClient client = server.connect();
    shown.one(
        client.change(
            "PUT",
            "/v1/workspaces/" + RestClient.escape(workspace) + "/files",
            JsonLines.object().put("path", path).put("content", GivenText.of(file, "content")),
            UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        Column.of("path", "bytes"));
  }

  private static String files(String workspace, String path) {
    return "/v1/workspaces/"
        + RestClient.escape(workspace)
        + "/files?path="
        + RestClient.escape(path);
  }
}
