package dev.bridle.host.task;

import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.Option;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.worker.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An agent's options as people are shown them, and which of them an answer means. None is ever
 * picked among several of a kind.
 */
final class AskedOptions {
  private static final int MAX_ID = 128;
  private static final int MAX_NAME = 256;

  /** The most options that a request can have. */
  static final int MOST = 16;

  private AskedOptions() {}

  /** Returns the options of which it is known what they mean, with the agent's names. */
  static List<PermissionOption> of(Question.Permission question) {
    List<PermissionOption> offered = new ArrayList<>();
    List<Option> options = question.options();
    for (int i = 0; i < options.size(); i++) {
      Option option = options.get(i);
      PermissionOptionKind kind = kind(option.kind());
      if (kind != PermissionOptionKind.PERMISSION_OPTION_KIND_UNSPECIFIED) {
        offered.add(
            PermissionOption.newBuilder()
                .setId(id(option, i))
                .setName(KeptText.of(name(option), MAX_NAME))
                .setKind(kind)
                .build());
      }
    }
    return offered;
  }

  /** Returns why nobody can be asked with these options; empty if people can be. */
  static Optional<String> fault(Question.Permission question) {
    List<PermissionOption> offered = of(question);
    if (offered.size() > MOST) {
      return Optional.of("The agent offers more than " + MOST + " options.");
    }
    long ids = offered.stream().map(PermissionOption::getId).distinct().count();
    if (ids < offered.size() || !question.options().stream().allMatch(question::isUnique)) {
      return Optional.of("The agent offers two options of one id.");
    }
    boolean allows =
        !question.options(OptionKind.ALLOW_ONCE).isEmpty()
            || !question.options(OptionKind.ALLOW_ALWAYS).isEmpty();
    return question.answeredByWord() || allows
        ? Optional.empty()
        : Optional.of("The agent offers no option that allows the action.");
  }

  /** Returns the agent's option that a decision means; empty if it means none. */
  static Optional<Option> chosen(Question.Permission question, Decision decision) {
    OptionKind kind = decision.allowed() ? OptionKind.ALLOW_ONCE : OptionKind.REJECT_ONCE;
    List<Option> options = question.options();
    for (int i = 0; i < options.size(); i++) {
      if (Optional.of(id(options.get(i), i)).equals(decision.optionId())
          && allows(options.get(i)) == decision.allowed()
          && question.isUnique(options.get(i))) {
        return Optional.of(options.get(i));
      }
    }
    return question.onlyOption(kind);
  }

  private static boolean allows(Option option) {
    return option.kind() == OptionKind.ALLOW_ONCE || option.kind() == OptionKind.ALLOW_ALWAYS;
  }

  private static String id(Option option, int index) {
    return option.id().isEmpty() || option.id().length() > MAX_ID
        ? "option-" + (index + 1)
        : option.id();
  }

  private static String name(Option option) {
    return option.name().isBlank() ? option.kind().name().toLowerCase(Locale.ROOT) : option.name();
  }

  private static PermissionOptionKind kind(OptionKind kind) {
    return switch (kind) {
      case ALLOW_ONCE -> PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE;
      case ALLOW_ALWAYS -> PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS;
      case REJECT_ONCE -> PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ONCE;
      case REJECT_ALWAYS -> PermissionOptionKind.PERMISSION_OPTION_KIND_REJECT_ALWAYS;
      case UNKNOWN -> PermissionOptionKind.PERMISSION_OPTION_KIND_UNSPECIFIED;
    };
  }
}
