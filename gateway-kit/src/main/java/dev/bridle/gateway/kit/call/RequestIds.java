package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** The ids of requests in responses and logs. A client may send its own. */
public final class RequestIds {

  /** The header with the id, in requests and in every response. */
  public static final String HEADER = "x-request-id";

  private static final AttributeKey<String> KEY =
      AttributeKey.valueOf(RequestIds.class, "REQUEST_ID");
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 16;

  private RequestIds() {}

  /** Returns the id of a request: the client's id if it is safe to print, else a new one. */
  public static String of(ServiceRequestContext ctx) {
    String known = ctx.attr(KEY);
    if (known != null) {
      return known;
    }
    String id =
        Optional.ofNullable(ctx.request())
            .map(request -> request.headers().get(HEADER))
            .filter(given -> SAFE.matcher(given).matches())
            .orElseGet(RequestIds::mint);
    ctx.setAttr(KEY, id);
    ctx.setAdditionalResponseHeader(HEADER, id);
    return id;
  }

  /**
   * Returns a new id: {@code req_} and 80 random bits in base32. It only identifies a request, so
   * it need not be unguessable.
   */
  public static String mint() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    StringBuilder id = new StringBuilder("req_");
    long bits = random.nextLong();
    for (int i = 0; i < LENGTH; i++) {
      if (i == LENGTH / 2) {
        bits = random.nextLong();
      }
      id.append(ALPHABET.charAt((int) (bits & 31)));
      bits >>>= 5;
    }
    return id.toString();
  }
}
