package dev.bridle.core.api.event;

import dev.bridle.core.kernel.event.LoadedEvent;

/** Receives new events of a tail. */
interface Subscriber {
  /** What becomes of an offered event. */
  enum Offered {
    /** Nothing has to be done: it is not wanted, or what is pending before it is being sent. */
    HELD,
    /** It is the first that is pending, so the subscriber has to be woken. */
    PENDING,
    /**
     * There is no room; the subscriber reads it from the log later, and takes no more until then.
     */
    FULL
  }

  /** Returns which events the subscriber may see. */
  EventScope scope();

  /** Offers a new event. Called in log order; does not block. */
  Offered offer(LoadedEvent event);

  /** Requests a run. Returns whether none is under way, so that the tail must start one. */
  boolean request();

  /** Sends what is pending, on a thread that other subscribers wait for. */
  void run();
}
