package dev.bridle.worker.demo;

import java.util.Optional;

/**
 * Whom the demo agent asks.
 *
 * @param user the question to the user
 * @param model the question to a model, for which a stand-in answers
 */
record DemoAsk(Optional<String> user, Optional<String> model) {
  static final DemoAsk NOBODY = new DemoAsk(Optional.empty(), Optional.empty());

  static DemoAsk user(String question) {
    return new DemoAsk(Optional.of(question), Optional.empty());
  }

  boolean isAny() {
    return user.isPresent() || model.isPresent();
  }
}
