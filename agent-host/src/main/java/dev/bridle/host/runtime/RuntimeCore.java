package dev.bridle.host.runtime;

import io.grpc.Channel;
import java.util.Set;

/** What the runtimes of a server need of it. */
public interface RuntimeCore {
  /** Returns a channel to the core, without credentials. */
  Channel channel();

  /** Makes a bearer secret of a tenant, which is in this process's memory only. */
  String credential(String tenant, String actor, Set<String> scopes);

  /** Ends what a bearer secret allows. */
  void end(String credential);
}
