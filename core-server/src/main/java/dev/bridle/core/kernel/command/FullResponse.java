package dev.bridle.core.kernel.command;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The full response of this call, of which only a part may be stored. Where an attempt was applied
 * but its outcome was unknown, the next attempt finds the stored part and returns the full
 * response.
 */
final class FullResponse<R> {
  private final UnaryOperator<R> kept;
  private Optional<R> whole = Optional.empty();

  FullResponse(UnaryOperator<R> kept) {
    this.kept = kept;
  }

  R keep(R response) {
    whole = Optional.of(response);
    return kept.apply(response);
  }

  Outcome<R> replayed(Outcome<R> stored) {
    return whole
        .filter(response -> kept.apply(response).equals(stored.response()))
        .map(response -> new Outcome<>(response, stored.lastEvent(), stored.stamp()))
        .orElse(stored);
  }
}
