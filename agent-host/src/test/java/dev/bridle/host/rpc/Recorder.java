package dev.bridle.host.rpc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps what a peer hands over, and answers requests with their method's name. */
final class Recorder implements PeerHandler {
  final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  final List<IncomingRequest> requests = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void request(IncomingRequest request) {
    seen.add(request.method());
    requests.add(request);
  }

  @Override
  public void notification(String method, RawJson params, RawJson whole) {
    seen.add(method + " " + params);
  }

  @Override
  public void ended(PeerException why) {
    seen.add("ended " + why.reason());
  }
}
