package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * A use of one of an agent's tools, with the tool's own names of its arguments.
 *
 * @param tool the tool's name
 * @param arguments its arguments
 */
record ToolUse(String tool, ObjectNode arguments) {
  /** The argument of a tool that takes a text, and no object. */
  static final String TEXT = "input";

  private static final String WHY = "As the script says";

  /** Returns the use of the first shell tool that an agent offers. */
  static Optional<ToolUse> command(List<String> offered, String command, boolean isEscalated) {
    ObjectNode arguments = ModelDialect.object();
    Optional<String> tool =
        first(
            offered, List.of("bash", "Bash", "run_shell_command", "shell_command", "exec_command"));
    tool.ifPresent(
        name -> {
          arguments.put(name.equals("exec_command") ? "cmd" : "command", command);
          // Codex goes on after 10 s without a command's end, which a busy machine may need.
          switch (name) {
            case "exec_command" -> arguments.put("yield_time_ms", 30_000);
            case "shell_command" -> arguments.put("timeout_ms", 60_000);
            default -> {}
          }
          switch (name) {
            case "bash", "Bash" -> arguments.put("description", WHY);
            case "run_shell_command" ->
                arguments.put("description", WHY).put("is_background", false);
            default -> {
              if (isEscalated) {
                arguments.put("sandbox_permissions", "require_escalated").put("justification", WHY);
              }
            }
          }
        });
    return tool.map(name -> new ToolUse(name, arguments));
  }

  /** Returns the use of the first tool that writes files, or of a shell that takes patches. */
  static Optional<ToolUse> write(List<String> offered, String path, String text) {
    ObjectNode arguments = ModelDialect.object();
    Optional<String> tool = first(offered, List.of("write", "Write", "write_file", "apply_patch"));
    if (tool.isEmpty()) {
      return first(offered, List.of("exec_command"))
          .flatMap(
              shell ->
                  command(offered, "apply_patch <<'EOF'\n" + patch(path, text) + "\nEOF\n", false));
    }
    switch (tool.get()) {
      case "write" -> arguments.put("filePath", path).put("content", text);
      case "apply_patch" -> arguments.put(TEXT, patch(path, text));
      default -> arguments.put("file_path", path).put("content", text);
    }
    return Optional.of(new ToolUse(tool.get(), arguments));
  }

  private static String patch(String path, String text) {
    return "*** Begin Patch\n*** Add File: " + path + "\n+" + text.strip() + "\n*** End Patch";
  }

  private static Optional<String> first(List<String> offered, List<String> known) {
    return known.stream().filter(offered::contains).findFirst();
  }
}
