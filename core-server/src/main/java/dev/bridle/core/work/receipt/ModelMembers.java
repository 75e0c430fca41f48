package dev.bridle.core.work.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.record.v1.ModelUse;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskUsage;
import dev.bridle.worker.v1.CalledModel;
import java.math.BigDecimal;
import java.util.List;

/** The members of a receipt about models: {@code model_route} and {@code cost}. */
final class ModelMembers {
  private static final int MICRO_DIGITS = 6;

  /** The currency code of no currency (ISO 4217). */
  private static final String NO_CURRENCY = "XXX";

  private final List<TaskFactRecord> models;
  private final TaskUsage usage;
  private final boolean complete;
  private final boolean counted;
  private final Doubts doubts;

  ModelMembers(Ended ended, Doubts doubts) {
    this.models = ended.facts(TaskFactKind.TASK_FACT_KIND_MODEL);
    this.usage = ended.task().getUsage();
    this.complete = ended.hasAll(TaskFactKind.TASK_FACT_KIND_MODEL);
    this.counted = !ended.computesAnew();
    this.doubts = doubts;
  }

  /** Returns the route of the model with the most tokens, the first one of several. */
  ObjectNode route() {
    ObjectNode route = JsonNodeFactory.instance.objectNode();
    if (!complete) {
      doubts.notReported("/model_route");
    }
    if (models.isEmpty()) {
      return counted && usage.getTokens() == 0 && usage.getCostMicros() == 0
          ? none(route, "none", "no model was called")
          : unknown(route);
    }
    TaskFactRecord chosen = models.get(0);
    for (TaskFactRecord model : models) {
      chosen = tokens(model.getModel()) > tokens(chosen.getModel()) ? model : chosen;
    }
    ModelUse use = chosen.getModel();
    route.set("chosen_model", model(use.getModel()));
    ArrayNode alternatives = route.putArray("alternatives_considered");
    use.getAlternativesList().forEach(one -> alternatives.add(model(one)));
    if (use.getRouteReasonStated()) {
      route.put("route_policy_reason", Doubts.REDACTED);
      doubts.redacted("/model_route/route_policy_reason", chosen.getProof());
    } else {
      route.put("route_policy_reason", "not reported");
      doubts.notReported("/model_route/route_policy_reason");
    }
    return route;
  }

  private ObjectNode unknown(ObjectNode route) {
    doubts.notReported("/model_route");
    return none(route, "unknown", "not reported");
  }

  private static ObjectNode none(ObjectNode route, String name, String reason) {
    route.putObject("chosen_model").put("provider", name).put("model", name);
    route.putArray("alternatives_considered");
    return route.put("route_policy_reason", reason);
  }

  private static long tokens(ModelUse use) {
    return use.getInputTokens() + use.getOutputTokens();
  }

  private static ObjectNode model(CalledModel called) {
    ObjectNode model =
        JsonNodeFactory.instance
            .objectNode()
            .put("provider", called.getProvider())
            .put("model", called.getModel());
    if (!called.getVersion().isEmpty()) {
      model.put("version", called.getVersion());
    }
    // Why an alternative was not chosen is text of the agent: it stays in the event.
    return model;
  }

  /** Returns the cost: of priced calls in their currency, or else what was reported without one. */
  ObjectNode cost() {
    ObjectNode cost = JsonNodeFactory.instance.objectNode();
    boolean priced = !usage.getCurrency().isEmpty();
    cost.put("currency", priced ? usage.getCurrency() : NO_CURRENCY);
    cost.put("total", amount(priced ? usage.getPricedMicros() : usage.getCostMicros()));
    if (usage.getCostMicros() > usage.getPricedMicros() || usage.getPricedMicrosSaturated()) {
      doubts.notReported(priced ? "/cost/total" : "/cost/currency");
    }
    if (!counted) {
      doubts.notReported("/cost");
    }
    if (!complete) {
      doubts.notReported("/cost/provider_breakdown");
    }
    ArrayNode breakdown = cost.putArray("provider_breakdown");
    for (TaskFactRecord fact : models) {
      ModelUse use = fact.getModel();
      ObjectNode one =
          breakdown
              .addObject()
              .put("provider", use.getModel().getProvider())
              .put("model", use.getModel().getModel())
              .put("amount", amount(use.getCostMicros()))
              .put("input_tokens", use.getInputTokens())
              .put("output_tokens", use.getOutputTokens());
      ObjectNode metadata = one.putObject("metadata").put("calls", use.getCalls());
      if (!use.getModel().getVersion().isEmpty()) {
        metadata.put("version", use.getModel().getVersion());
      }
    }
    return cost;
  }

  /** Returns the double that is nearest to an amount of millionths. */
  static double amount(long micros) {
    return BigDecimal.valueOf(micros, MICRO_DIGITS).doubleValue();
  }
}
