package dev.bridle.worker;

import dev.bridle.worker.v1.CalledModel;
import dev.bridle.worker.v1.ModelCallReport;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** A call of a model, as it is reported: what it used, and how the model was chosen. Immutable. */
public final class ModelCall {
  private static final int MICROS = 6;

  private final ModelCallReport report;

  private ModelCall(ModelCallReport report) {
    this.report = report;
  }

  /** Returns a call of a provider's model. */
  public static ModelCall of(String provider, String model) {
    return new ModelCall(ModelCallReport.newBuilder().setModel(called(provider, model)).build());
  }

  private static CalledModel.Builder called(String provider, String model) {
    return CalledModel.newBuilder().setProvider(provider).setModel(model);
  }

  /** Returns this call with the model's version. */
  public ModelCall withVersion(String version) {
    CalledModel model = report.getModel().toBuilder().setVersion(version).build();
    return new ModelCall(report.toBuilder().setModel(model).build());
  }

  /** Returns this call with its input and output tokens. */
  public ModelCall withTokens(long input, long output) {
    return new ModelCall(report.toBuilder().setInputTokens(input).setOutputTokens(output).build());
  }

  /**
   * Returns this call with its cost, rounded up to a millionth so that small costs are not lost.
   *
   * @param currency three letters of ISO 4217; all priced calls of a task have the same
   */
  public ModelCall withCost(BigDecimal cost, String currency) {
    long micros = cost.setScale(MICROS, RoundingMode.CEILING).unscaledValue().longValueExact();
    return new ModelCall(report.toBuilder().setCostMicros(micros).setCurrency(currency).build());
  }

  /** Returns this call with one more model that was considered, and why it was not chosen. */
  public ModelCall withAlternative(String provider, String model, String reason) {
    CalledModel.Builder alternative = called(provider, model).setReason(reason);
    return new ModelCall(report.toBuilder().addAlternatives(alternative).build());
  }

  /** Returns this call with the reason why its model was chosen. */
  public ModelCall withRouteReason(String reason) {
    return new ModelCall(report.toBuilder().setRouteReason(reason).build());
  }

  ModelCallReport report() {
    return report;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ModelCall that && report.equals(that.report);
  }

  @Override
  public int hashCode() {
    return report.hashCode();
  }
}
