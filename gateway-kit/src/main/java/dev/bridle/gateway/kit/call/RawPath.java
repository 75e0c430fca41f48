package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.server.ServiceRequestContext;

/** The path of a request as it was sent: normalizing it would make different paths equal. */
public final class RawPath {
  private RawPath() {}

  /** Returns the path of a request, without its query. */
  public static String of(ServiceRequestContext ctx) {
    String target = ctx.rawPath();
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }
}
