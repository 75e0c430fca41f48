package dev.bridle.benchmarks.flood;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** All kinds of unfinished requests, with and without credentials. */
final class Attacks {
  private static final int STREAMS = 480;
  private static final int DELIVERY_BYTES = 256 << 10;
  private static final int FORM_BYTES = 16 << 10;

  private Attacks() {}

  /**
   * Returns an attacker of each kind.
   *
   * @param connections how many connections each of the main kinds has; the others, a fifth
   * @param key a good key of a tenant
   */
  static List<Attacker> all(InetSocketAddress server, int connections, String key) {
    String none = "";
    String bad = "Authorization: Bearer bad";
    String good = "Authorization: Bearer " + key;
    int fewer = Math.max(1, connections / 5);
    Opening delivery = Opening.open("/v1/ingress/unknown", "application/json", DELIVERY_BYTES);
    Opening form = Opening.open("/oauth/token", "application/x-www-form-urlencoded", FORM_BYTES);
    return List.of(
        new SilentConnections("no key", server, connections, Opening.unfinished(none)),
        new SilentConnections("bad key", server, connections, Opening.unfinished(bad)),
        new SilentConnections("good key", server, connections, Opening.unfinished(good)),
        new SilentConnections("tiny chunks", server, fewer, Opening.tinyChunks(good)),
        new SilentConnections("endless chunks", server, fewer, Opening.endlessChunks(bad)),
        new SilentConnections("ingress", server, fewer, delivery),
        new SilentConnections("token", server, fewer, form),
        new SilentConnections("head alone", server, fewer, Opening.headAlone(good)),
        new SilentConnections("half a head", server, fewer, Opening.halfHead()),
        new SilentConnections("fragments", server, fewer, Opening.fragments(good)),
        new Http2Streams("HTTP/2, no key", server, STREAMS, Optional.empty()),
        new Http2Streams("HTTP/2, good key", server, STREAMS, Optional.of("Bearer " + key)));
  }
}
