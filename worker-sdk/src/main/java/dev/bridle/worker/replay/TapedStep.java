package dev.bridle.worker.replay;

/**
 * A step of a handler.
 *
 * @param key its key
 * @param kind what kind of step it is
 * @param request its content, or what it depends on; compared by {@code equals}
 * @param parent the key of the value within whose computation it was taken; empty outside of one
 */
record TapedStep(String key, Kind kind, Object request, String parent) {
  enum Kind {
    PROGRESS,
    MESSAGE,
    ARTIFACT,
    EVENT,
    VALUE,
    QUESTION,
    PERMISSION,
    HOST_TOOL,
    USAGE,
    MODEL_CALL,
    SIDE_EFFECT,
    SECRET,
    DOWNLOAD
  }
}
