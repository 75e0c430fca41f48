package dev.bridle.host.bridge;

import dev.bridle.host.rpc.RawJson;

/** Takes the notifications of a runtime that are no session updates. They come from one thread. */
public interface BridgeListener {
  /**
   * A daemon waits for something to do.
   *
   * @param iteration how often it has waited since it was last active
   * @param backoffMillis how long it waits now
   */
  default void idle(long iteration, long backoffMillis) {}

  /** Text for the person who watches. */
  default void output(String text) {}

  /** How far the runtime is, as it was spelled. */
  default void progress(RawJson params) {}

  /** A log line, as it was spelled. */
  default void log(RawJson params) {}

  /**
   * This host has failed at a request of the runtime, which got an error. Called by any thread.
   *
   * @param method the request's method
   */
  default void failed(String method, RuntimeException why) {}
}
