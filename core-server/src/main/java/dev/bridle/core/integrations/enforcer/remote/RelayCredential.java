package dev.bridle.core.integrations.enforcer.remote;

import java.io.IOException;

/** The credential with which this server calls a relay. It is read again for each call. */
@FunctionalInterface
public interface RelayCredential {
  /** Returns the secret, without white space around it. */
  String read() throws IOException;
}
