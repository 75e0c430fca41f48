package dev.bridle.gateway.kit.call;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.error.ErrorFormat;

/** One HTTP request, and the method of the core that serves it. */
public interface Call {
  /** Returns Armeria's context of the request. */
  ServiceRequestContext ctx();

  /** Returns the request. */
  HttpRequest request();

  /** Returns the request's id in responses and logs. */
  String requestId();

  /** Returns the method of the core that serves the request. */
  Target target();

  /** Returns the format of its errors. */
  ErrorFormat errors();
}
