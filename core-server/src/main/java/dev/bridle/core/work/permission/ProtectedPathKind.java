package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A kind of {@link ProtectedPaths}, from {@code protected-paths.json} beside this class.
 *
 * @param kind what the kind is called in the documentation
 * @param names patterns of paths, as {@link PathPatterns} reads them
 * @param words names of files that are words of everyday texts and folders as well, such as {@code
 *     WORKSPACE}: in the content of an action they count only as they are spelled here
 */
record ProtectedPathKind(String kind, List<String> names, List<String> words) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** Copies. */
  ProtectedPathKind {
    names = List.copyOf(names);
    words = List.copyOf(words);
  }

  /** Reads all kinds. */
  static List<ProtectedPathKind> load() {
    try (InputStream data = ProtectedPathKind.class.getResourceAsStream("protected-paths.json")) {
      return List.of(MAPPER.readValue(data, ProtectedPathKind[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
