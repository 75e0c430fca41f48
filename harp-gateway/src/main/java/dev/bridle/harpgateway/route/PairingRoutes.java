package dev.bridle.harpgateway.route;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.gateway.kit.call.AddressRate;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.harpgateway.call.HarpRoute;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.document.DevicesDocument;
import dev.bridle.harpgateway.document.PairingDocument;
import dev.bridle.relay.v1.CompleteResponse;
import dev.bridle.relay.v1.GetPairingRequest;
import dev.bridle.relay.v1.InitiateResponse;
import dev.bridle.relay.v1.ListDevicesOfEnforcerRequest;
import dev.bridle.relay.v1.ListDevicesOfEnforcerResponse;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.PairingStatus;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.relay.v1.ResolveResponse;
import java.time.Duration;
import java.util.Set;

/**
 * The endpoints of pairing (HARP 0.2, "HTTP binding"). A device has no credential before it is
 * paired, so two of them are open, and limited by remote address. {@code POST
 * /v1/pairing/{nonce}/confirm} and {@code GET /v1/enforcers/{id}/devices} are extensions: the
 * enforcer's proof for the device, and the devices that it was paired with.
 */
public final class PairingRoutes {
  /** Shorter than each nonce: 8 characters, and what people put between them. */
  private static final int LONGEST_CODE = 16;

  private static final int ATTEMPTS_AT_ONCE = 20;
  private static final Duration ATTEMPT_AFTER = Duration.ofSeconds(2);

  private static final String COMPLETE = "/v1/pairing/complete";
  private static final ByteString CONFIRMED = ByteString.copyFromUtf8("{\"status\":\"confirmed\"}");

  private final CoreCalls core;
  private final WholeResponses responses;
  private final AddressRate rate =
      new AddressRate(ATTEMPTS_AT_ONCE, ATTEMPT_AFTER, System::nanoTime);

  private PairingRoutes(CoreCalls core, WholeResponses responses) {
    this.core = core;
    this.responses = responses;
  }

  /** Adds the endpoints. */
  public static void addTo(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    PairingRoutes pairing = new PairingRoutes(core, routes.responses());
    routes.add(
        HttpMethod.POST,
        "/v1/pairing/initiate",
        PairingServiceGrpc.getInitiateMethod(),
        pairing
            .handler(
                (call, body) -> {
                  var unused = call.takes(Set.of());
                  return PairingDocument.initiate(body);
                },
                response -> PairingDocument.initiated((InitiateResponse) response))
            .withBody(bodies, PairingDocument.MAX_BYTES));
    routes.addOpen(
        HttpMethod.GET,
        "/v1/pairing/resolve/{code}",
        PairingServiceGrpc.getResolveMethod(),
        pairing.limited(
            pairing.handler(
                (call, body) -> by(call.takes(Set.of()).pathValues().get(0)),
                response -> PairingDocument.resolved((ResolveResponse) response))));
    routes.addOpenCommand(
        HttpMethod.POST,
        COMPLETE,
        PairingServiceGrpc.getCompleteMethod(),
        pairing.limited(
            byCredentials(
                pairing
                    .handler(
                        (call, body) -> {
                          var unused = call.takes(Set.of());
                          return PairingDocument.complete(body);
                        },
                        response -> PairingDocument.completed((CompleteResponse) response))
                    .withBody(bodies, PairingDocument.MAX_BYTES))));
    routes.add(
        HttpMethod.GET,
        "/v1/pairing/{nonce}/status",
        PairingServiceGrpc.getGetPairingMethod(),
        pairing.handler(
            (call, body) ->
                GetPairingRequest.newBuilder()
                    .setNonce(call.takes(Set.of()).pathValues().get(0))
                    .build(),
            response -> PairingDocument.status((PairingStatus) response)));
    routes.add(
        HttpMethod.POST,
        "/v1/pairing/{nonce}/confirm",
        PairingServiceGrpc.getConfirmMethod(),
        pairing
            .handler(
                (call, body) ->
                    PairingDocument.confirm(call.takes(Set.of()).pathValues().get(0), body),
                response -> CONFIRMED)
            .withBody(bodies, PairingDocument.MAX_BYTES));
    routes.add(
        HttpMethod.GET,
        "/v1/enforcers/{enforcer_id}/devices",
        PairingServiceGrpc.getListDevicesOfEnforcerMethod(),
        pairing.handler(
            (call, body) -> devices(call.takes(Set.of("limit", "cursor"))),
            response -> DevicesDocument.page((ListDevicesOfEnforcerResponse) response)));
  }

  private static ListDevicesOfEnforcerRequest devices(HarpCall call) {
    ListDevicesOfEnforcerRequest.Builder ask =
        ListDevicesOfEnforcerRequest.newBuilder().setEnforcerId(call.pathValues().get(0));
    call.number("limit").ifPresent(ask::setLimit);
    call.text("cursor").ifPresent(ask::setCursor);
    return ask.build();
  }

  /** A device has the code that a person typed, or the nonce of a QR code, which is longer. */
  private static ResolveRequest by(String codeOrNonce) {
    return codeOrNonce.length() <= LONGEST_CODE
        ? ResolveRequest.newBuilder().setCode(codeOrNonce).build()
        : ResolveRequest.newBuilder().setNonce(codeOrNonce).build();
  }

  private UnaryHandler handler(UnaryHandler.Question question, UnaryHandler.Reply reply) {
    return new UnaryHandler(core, responses, HttpStatus.OK, MediaType.JSON, question, reply);
  }

  /** A device that has a credential completes with that, and gets no other one. */
  private static CallHandler<HarpCall> byCredentials(CallHandler<HarpCall> completing) {
    HarpRoute known =
        new HarpRoute(
            HarpRoutes.target(PairingServiceGrpc.getCompleteAsApproverMethod(), false, COMPLETE),
            false,
            completing);
    return call -> {
      if (!call.request().headers().contains(HttpHeaderNames.AUTHORIZATION)) {
        return completing.serve(call);
      }
      HeaderChecks.credentials(call.request().headers());
      return completing.serve(call.to(known));
    };
  }

  private CallHandler<HarpCall> limited(CallHandler<HarpCall> handler) {
    return call -> {
      rate.take(call.ctx().remoteAddress().getAddress());
      return handler.serve(call);
    };
  }
}
