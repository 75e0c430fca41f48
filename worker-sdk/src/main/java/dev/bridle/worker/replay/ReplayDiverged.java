package dev.bridle.worker.replay;

/** Thrown where a replay does not do what was recorded. */
public final class ReplayDiverged extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Divergence divergence;

  ReplayDiverged(Divergence divergence) {
    super(divergence.toString());
    this.divergence = divergence;
  }

  /** Returns the first difference. */
  public Divergence divergence() {
    return divergence;
  }
}
