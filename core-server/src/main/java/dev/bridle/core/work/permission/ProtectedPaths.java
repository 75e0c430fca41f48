package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.permission.v1.PermissionAction;
import java.io.IOException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * Files that decide what runs later, or whether agents ask: settings of agents, hooks, build
 * pipelines, shell profiles. Who changes one could grant himself more than he was granted, so no
 * standing grant covers it. What the text of a command changes can't be recognized; its exact text
 * is what was granted.
 */
public final class ProtectedPaths {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Longer texts, and those of several lines, are content rather than names. */
  private static final int MAX_PATH = 4096;

  private static final Pattern INVISIBLE = Pattern.compile("\\p{Cf}+");
  private static final Pattern AT_END = Pattern.compile("[. ]+$");

  private static final Set<String> FOLDERS =
      Set.of(
          ".aider",
          ".amp",
          ".bridle",
          ".buildkite",
          ".circleci",
          ".claude",
          ".codex",
          ".continue",
          ".cursor",
          ".devcontainer",
          ".gemini",
          ".git",
          ".githooks",
          ".github",
          ".goose",
          ".husky",
          ".idea",
          ".mvn",
          ".opencode",
          ".qwen",
          ".ssh",
          ".vscode",
          ".windsurf",
          ".woodpecker",
          ".yarn",
          ".zed");

  private static final Set<String> FILES =
      Set.of(
          ".bash_login",
          ".bash_logout",
          ".bash_profile",
          ".bashrc",
          ".drone.yaml",
          ".drone.yml",
          ".envrc",
          ".gitconfig",
          ".gitlab-ci.yml",
          ".lefthook.yaml",
          ".lefthook.yml",
          ".mcp.json",
          ".npmrc",
          ".pre-commit-config.yaml",
          ".profile",
          ".travis.yml",
          ".woodpecker.yaml",
          ".woodpecker.yml",
          ".yarnrc",
          ".yarnrc.yml",
          ".zlogin",
          ".zprofile",
          ".zshenv",
          ".zshrc",
          "azure-pipelines.yml",
          "bitbucket-pipelines.yml",
          "config.fish",
          "jenkinsfile",
          "lefthook.yaml",
          "lefthook.yml",
          "opencode.json",
          "opencode.jsonc");

  private ProtectedPaths() {}

  /**
   * Returns whether an action names a protected file, in whatever member. Its kind does not count:
   * it is what the agent says.
   */
  static boolean touchedBy(PermissionAction action) {
    return action.getEditedFilesList().stream().anyMatch(ProtectedPaths::isProtected)
        || namesOne(parse(action));
  }

  private static boolean namesOne(JsonNode value) {
    if (value.isTextual()) {
      String text = value.textValue();
      return text.length() <= MAX_PATH && text.indexOf('\n') < 0 && isProtected(text);
    }
    return StreamSupport.stream(value.spliterator(), false).anyMatch(ProtectedPaths::namesOne);
  }

  /** Compares as the most lenient of file systems do. */
  static boolean isProtected(String path) {
    List<String> names = Arrays.stream(path.split("[/\\\\]+")).map(ProtectedPaths::folded).toList();
    String last = names.isEmpty() ? "" : names.get(names.size() - 1);
    return FILES.contains(last) || names.stream().anyMatch(FOLDERS::contains);
  }

  /**
   * Returns a name as the most lenient of file systems compare it. Some take names as the same that
   * differ in case, in invisible characters, in how a character is composed, or in dots and blanks
   * at the end.
   */
  public static String folded(String name) {
    String visible = INVISIBLE.matcher(name).replaceAll("");
    String composed = Normalizer.normalize(visible, Normalizer.Form.NFKC);
    String folded = composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return AT_END.matcher(folded).replaceFirst("");
  }

  private static JsonNode parse(PermissionAction action) {
    try {
      return MAPPER.readTree(action.getContent().toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
