package dev.bridle.proof.replay;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts what the receipt counts in {@code metadata["bridle.totals"]}. */
final class CountFold {
  private static final String CHECK = "totals";
  private static final String MEMBER = "/metadata/bridle.totals";
  private static final Set<String> MESSAGES =
      Set.of("user.message", "agent.message", "session.message_appended", "user.input_submitted");

  private long events;
  private long messages;
  private long artifacts;
  private long dependencies;

  void add(LogLine line) {
    events++;
    if (MESSAGES.contains(line.event())) {
      messages++;
    } else if (line.event().equals("artifact.created")) {
      artifacts++;
    } else if (line.event().equals("vendor.bridle.dependency_recorded")) {
      dependencies++;
    }
  }

  ReplayCheck finish(SourceReceipt source) throws ReplayException {
    JsonNode stated = source.at(MEMBER);
    if (stated.isMissingNode()) {
      return ReplayCheck.notDerivable(CHECK, "the receipt has no counts");
    }
    Map<String, Long> counted =
        new TreeMap<>(
            Map.of(
                "events", events,
                "messages", messages,
                "artifacts", artifacts,
                "dependencies", dependencies));
    for (Map.Entry<String, Long> each : counted.entrySet()) {
      JsonNode number = stated.path(each.getKey());
      if (!number.isIntegralNumber() || number.longValue() != each.getValue()) {
        throw new ReplayException(
            ReplayFault.diverged(
                MEMBER + "/" + each.getKey(),
                number.asText("a number"),
                each.getValue().toString()));
      }
    }
    String detail = counted.entrySet().stream().map(Object::toString).collect(joining(", "));
    return ReplayCheck.passed(CHECK, detail.replace("=", " "));
  }
}
