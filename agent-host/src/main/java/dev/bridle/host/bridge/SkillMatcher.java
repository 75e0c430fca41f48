package dev.bridle.host.bridge;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/**
 * Ranks skills for a prompt ({@code skill/match}): by the words of their names, descriptions and
 * hints, and of their bodies where the host has them; and by the files that are being worked on.
 */
final class SkillMatcher {
  /** What a skill gets whose paths name a file that is worked on. */
  private static final double BY_PATH = 0.5;

  /** What shares little more than a common word with the prompt does not fit. */
  private static final double LEAST = 0.2;

  private SkillMatcher() {}

  /**
   * A skill that may be activated.
   *
   * @param whenToUse a hint, may be empty
   * @param paths patterns of files, such as {@code infra/**}
   */
  record Candidate(String name, String description, String whenToUse, List<String> paths) {}

  /**
   * A skill that fits.
   *
   * @param score at most 1
   * @param reason a few words
   */
  record Match(String name, double score, String reason) {}

  /**
   * Returns the candidates that fit, the best first.
   *
   * @param known what the host's skills of their names say, description and body
   */
  static List<Match> match(
      String prompt, List<String> files, List<Candidate> candidates, Map<String, String> known) {
    Map<String, String> texts = new LinkedHashMap<>();
    candidates.forEach(
        each ->
            texts.put(
                each.name(),
                String.join(
                    " ",
                    each.name(),
                    each.description(),
                    each.whenToUse(),
                    known.getOrDefault(each.name(), ""))));
    List<Bm25.Ranked> ranked = new Bm25(texts).rank(prompt);
    double best = ranked.stream().mapToDouble(Bm25.Ranked::score).max().orElse(1);
    Map<String, Double> byWords = new HashMap<>();
    ranked.forEach(each -> byWords.put(each.name(), each.score() / best * (1 - BY_PATH)));
    List<Match> matches = new ArrayList<>();
    for (Candidate candidate : candidates) {
      double words = byWords.getOrDefault(candidate.name(), 0.0);
      Optional<String> file = files.stream().filter(each -> names(candidate, each)).findFirst();
      double score = words + (file.isPresent() ? BY_PATH : 0);
      if (score >= LEAST) {
        String reason = words > 0 ? "matched by words" : "matched";
        matches.add(
            new Match(
                candidate.name(),
                score,
                reason
                    + file.map(each -> (words > 0 ? " and" : " by") + " file " + each).orElse("")));
      }
    }
    matches.sort(Comparator.comparingDouble(Match::score).reversed());
    return matches;
  }

  private static boolean names(Candidate candidate, String file) {
    return candidate.paths().stream().anyMatch(pattern -> matches(pattern, file));
  }

  private static boolean matches(String pattern, String file) {
    try {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      return matcher.matches(Path.of(file));
    } catch (InvalidPathException | PatternSyntaxException e) {
      return false; // A pattern of the runtime's that is none names no file.
    }
  }
}
