package dev.bridle.core.kernel.record;

/** Where the event is that began a record, and so its place in lists. */
public sealed interface Origin {

  /**
   * The first event of a stream whose body holds a text.
   *
   * @param stream the stream
   * @param text the text; empty where it is the stream's first event
   */
  record OfStream(String stream, String text) implements Origin {}

  /**
   * An event of a task.
   *
   * @param task the task
   * @param last whether it is its last event; otherwise its first
   */
  record OfTask(String task, boolean last) implements Origin {}
}
