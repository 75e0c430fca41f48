package dev.bridle.host.rpc;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link PeerFigures}. Thread-safe. */
final class PeerCounters {
  final LongAdder messages = new LongAdder();
  final LongAdder noiseLines = new LongAdder();
  final LongAdder longLines = new LongAdder();
  final LongAdder badRequests = new LongAdder();
  final LongAdder lateAnswers = new LongAdder();
  final LongAdder unknownAnswers = new LongAdder();
  final LongAdder handlerFailures = new LongAdder();

  PeerFigures figures() {
    return new PeerFigures(
        messages.sum(),
        noiseLines.sum(),
        longLines.sum(),
        badRequests.sum(),
        lateAnswers.sum(),
        unknownAnswers.sum(),
        handlerFailures.sum());
  }
}
