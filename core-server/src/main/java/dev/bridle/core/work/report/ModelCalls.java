package dev.bridle.core.work.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.record.v1.ModelUse;
import dev.bridle.worker.v1.CalledModel;
import dev.bridle.worker.v1.ModelCallReport;

/** Applies reports of model calls: their usage counts, and an event has all of the call. */
final class ModelCalls {
  private static final ReceiptSchema MODEL = ReceiptSchema.definition("modelRef");

  private ModelCalls() {}

  static void add(TaskChange change, ModelCallReport call) {
    needCurrency(change, call);
    ObjectNode facts = model(call.getModel(), "model_call.model");
    facts
        .put("input_tokens", call.getInputTokens())
        .put("output_tokens", call.getOutputTokens())
        .put("cost_micros", call.getCostMicros());
    ReceiptParts.text(facts, "currency", call.getCurrency());
    ReceiptParts.text(facts, "route_reason", call.getRouteReason());
    if (call.getAlternativesCount() > 0) {
      ArrayNode alternatives = facts.putArray("alternatives");
      for (CalledModel alternative : call.getAlternativesList()) {
        alternatives.add(model(alternative, "model_call.alternatives"));
      }
    }
    change
        .counts()
        .addModelUsage(call.getInputTokens(), call.getOutputTokens(), call.getCostMicros());
    if (call.getCostMicros() > 0) {
      change.counts().addPrice(call.getCostMicros(), call.getCurrency());
    }
    change.emit(new EventDraft(EventKinds.MODEL_CALLED, ReceiptParts.canonical(facts)));
    change.facts().addModelCall(use(call), change.newestCommitment());
  }

  private static ModelUse use(ModelCallReport call) {
    return ModelUse.newBuilder()
        .setModel(call.getModel())
        .setCalls(1)
        .setInputTokens(call.getInputTokens())
        .setOutputTokens(call.getOutputTokens())
        .setCostMicros(call.getCostMicros())
        .addAllAlternatives(
            call.getAlternativesList().stream()
                .map(one -> one.toBuilder().clearReason().build())
                .toList())
        .setRouteReasonStated(!call.getRouteReason().isEmpty())
        .build();
  }

  private static void needCurrency(TaskChange change, ModelCallReport call) {
    String fixed = change.counts().currency();
    if (call.getCostMicros() > 0 && call.getCurrency().isEmpty()) {
      throw ProtocolException.invalid("model_call.currency", "must be set with a cost");
    }
    if (call.getCostMicros() > 0 && !fixed.isEmpty() && !fixed.equals(call.getCurrency())) {
      throw ProtocolException.invalid(
          "model_call.currency",
          "is "
              + call.getCurrency()
              + ", expected "
              + fixed
              + ": a task's first priced model call fixes its currency");
    }
  }

  private static ObjectNode model(CalledModel called, String param) {
    ObjectNode model =
        ReceiptParts.part().put("provider", called.getProvider()).put("model", called.getModel());
    ReceiptParts.text(model, "version", called.getVersion());
    ReceiptParts.text(model, "reason", called.getReason());
    ReceiptParts.check(MODEL, model, param);
    return model;
  }
}
