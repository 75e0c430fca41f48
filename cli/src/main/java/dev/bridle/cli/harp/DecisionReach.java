package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say how far a decision reaches. */
final class DecisionReach {
  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      defaultValue = "once",
      converter = Words.class,
      description = {
        "How far it reaches: once; timebox, which is one use within --valid-for, or more where the"
            + " server's rules say so; or session, which lets the same action pass in the"
            + " artifact's session within --valid-for (default: once)."
      })
  private Scope scope = Scope.ONCE;

  @Option(
      names = "--grant",
      paramLabel = "ID",
      description =
          "One of the grants that the artifact shows, which the decision gives within --valid-for;"
              + " with --scope timebox or session.")
  private Optional<String> grant = Optional.empty();

  /** Reads the words of decisions. */
  private static final class Words implements ITypeConverter<Scope> {
    @Override
    public Scope convert(String word) {
      return Arrays.stream(Scope.values())
          .filter(one -> one.spelled().equals(word))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("'" + word + "' is not once, timebox or session"));
    }
  }

  /** Checks that the options fit together. */
  void check(Answer answer) {
    if (answer == Answer.DENY && (scope != Scope.ONCE || grant.isPresent())) {
      throw usage("A rejection is for this request: leave --scope and --grant out.");
    }
    if (grant.isPresent() && scope == Scope.ONCE) {
      throw usage("--grant needs --scope timebox or session: once grants nothing.");
    }
  }

  /** Returns a decision as far as it is to reach. */
  Decision.Content of(Decision.Content once, Artifact artifact) {
    if (scope == Scope.ONCE) {
      return once;
    }
    ObjectNode payload = artifact.payload();
    if (grant.isPresent() && !payload.path("grants").has(grant.get())) {
      throw usage("The artifact shows no grant of that id.");
    }
    boolean isServers = payload.path("format").asText().startsWith("bridle-permission-");
    boolean isOffered = grant.isPresent() || payload.path("grants").has("this_action");
    if (scope == Scope.SESSION && isServers && !isOffered) {
      throw usage("The artifact offers no grant for the session: decide it once.");
    }
    return once.withScope(
        scope, scope == Scope.SESSION ? session(artifact) : Optional.empty(), grant);
  }

  private static Optional<String> session(Artifact artifact) {
    Optional<String> session =
        artifact
            .sessionId()
            .or(() -> Optional.ofNullable(artifact.payload().path("sessionId").textValue()));
    if (session.isEmpty()) {
      throw usage("The artifact names no session, so it can't be decided for one.");
    }
    return session;
  }

  /** Returns what is added to the question, where it is more than once. */
  String shown() {
    return scope == Scope.ONCE
        ? ""
        : " for " + scope.spelled() + grant.map(id -> " with the grant " + id).orElse("");
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCodes.USAGE, message);
  }
}
