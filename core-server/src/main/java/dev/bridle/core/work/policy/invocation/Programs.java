package dev.bridle.core.work.policy.invocation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.bridle.core.work.permission.ProtectedPaths;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The programs of which command lines are known: {@code programs.json} beside this class. */
final class Programs {
  private static final Map<String, Program> BY_NAME = load();
  private static final Set<String> SUFFIXES = Set.of(".exe", ".cmd", ".bat", ".com");

  private Programs() {}

  /** A program as the file has it, which leaves out what a program has none of. */
  record Entry(
      List<String> names,
      boolean isOne,
      Set<String> values,
      Set<String> flags,
      boolean isAnyOrder,
      Program.Runs runs) {
    Program program() {
      return new Program(names, isOne, values, flags, isAnyOrder, Optional.ofNullable(runs));
    }
  }

  private static Map<String, Program> load() {
    JsonMapper mapper =
        JsonMapper.builder()
            .withConfigOverride(
                Set.class,
                type -> type.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();
    Map<String, Program> all = new HashMap<>();
    try (InputStream data = Programs.class.getResourceAsStream("programs.json")) {
      for (Entry entry : mapper.readValue(data, Entry[].class)) {
        Program program = entry.program();
        for (String name : program.names()) {
          if (all.put(name, program) != null) {
            throw new IllegalStateException("programs.json has two programs of a name: " + name);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(all);
  }

  /** Returns what is known of the program of a name, if anything is. */
  static Optional<Program> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name)).or(() -> withoutVersion(name));
  }

  /** A name may end with a version, such as {@code python3.12}. */
  private static Optional<Program> withoutVersion(String name) {
    int end = name.length();
    while (end > 0 && (Character.isDigit(name.charAt(end - 1)) || name.charAt(end - 1) == '.')) {
      end--;
    }
    return Optional.ofNullable(BY_NAME.get(name.substring(0, end)));
  }

  /** Returns the names of the program that a word may call. */
  static Set<String> namesOf(ShellWord word) {
    Set<String> names = new TreeSet<>();
    names.add(nameOf(word.text()));
    names.add(nameOf(word.withBackslashes()));
    return names;
  }

  /** Returns the name of the program that a path calls; one that stands for its other names. */
  static String nameOf(String path) {
    int folder = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    String name = ProtectedPaths.folded(path.substring(folder + 1));
    for (String suffix : SUFFIXES) {
      if (name.endsWith(suffix)) {
        name = name.substring(0, name.length() - suffix.length());
        break;
      }
    }
    String named = name;
    return find(named).map(program -> program.nameOf(named)).orElse(named);
  }
}
