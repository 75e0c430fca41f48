package dev.bridle.core.work.task;

import dev.bridle.event.v1.ReplayMode;
import dev.bridle.task.v1.ReplayDepth;
import java.util.Locale;

/** Modes and depths of replays as the protocol spells them. */
public final class ReplaySpelling {
  private static final String MODE = "REPLAY_MODE_";
  private static final String DEPTH = "REPLAY_DEPTH_";

  private ReplaySpelling() {}

  /** Returns a mode as it is spelled, such as {@code exact}. */
  public static String of(ReplayMode mode) {
    return mode.name().substring(MODE.length()).toLowerCase(Locale.ROOT);
  }

  /** Returns a depth as it is spelled, such as {@code log}. */
  public static String of(ReplayDepth depth) {
    return depth.name().substring(DEPTH.length()).toLowerCase(Locale.ROOT);
  }
}
