package dev.bridle.core.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.core.integrations.relay.OpenChannel;
import dev.bridle.relay.v1.PartyRole;
import io.grpc.Channel;
import java.util.List;
import java.util.Optional;

/** A party's channel, which is opened again when it has ended. */
final class PartyChannel {
  private final PartyRole role;
  private final String party;
  private Optional<OpenChannel> open = Optional.empty();

  PartyChannel(PartyRole role, String party) {
    this.role = role;
    this.party = party;
  }

  /** Opens it if it is not open, and returns what has come since. */
  List<JsonNode> received(Channel caller) {
    if (open.filter(channel -> channel.failure().isEmpty()).isEmpty()) {
      open = Optional.of(OpenChannel.of(caller, role, party));
    }
    return open.orElseThrow().envelopes();
  }

  /** Closes it, and returns what had come. */
  List<JsonNode> close() {
    List<JsonNode> all = open.map(OpenChannel::envelopes).orElse(List.of());
    open.ifPresent(OpenChannel::close);
    open = Optional.empty();
    return all;
  }
}
