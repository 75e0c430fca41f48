package dev.bridle.core.integrations.relay;

import com.google.protobuf.util.Timestamps;
import dev.bridle.record.v1.RelayChannelRecord;
import dev.bridle.relay.v1.Presence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Derives from their channels which enforcers are there. */
final class Presences {
  private static final Comparator<RelayChannelRecord> BY_SIGN_OF_LIFE =
      Comparator.comparing((RelayChannelRecord channel) -> channel.getClosedAt() == 0)
          .thenComparing(RelayChannelRecord::getOpenedAt)
          .thenComparing(RelayChannelRecord::getId);

  private Presences() {}

  /** Returns the presence of each enforcer of channels, by their ids. */
  static List<Presence> of(Collection<RelayChannelRecord> channels, long now) {
    Map<String, RelayChannelRecord> last = new TreeMap<>();
    for (RelayChannelRecord channel : channels) {
      if (now - Math.max(channel.getSeenAt(), channel.getClosedAt())
          < ChannelStore.PRESENCE.toMillis()) {
        last.merge(
            channel.getPartyId(),
            channel,
            (one, other) -> BY_SIGN_OF_LIFE.compare(one, other) >= 0 ? one : other);
      }
    }
    List<Presence> found = new ArrayList<>();
    last.values().forEach(channel -> found.add(presence(channel, now)));
    return found;
  }

  private static Presence presence(RelayChannelRecord channel, long now) {
    return Presence.newBuilder()
        .setEnforcerDeviceId(channel.getPartyId())
        .setOnline(ChannelStore.isOpen(channel, now))
        .setLastSeenAt(Timestamps.fromMillis(Math.max(channel.getSeenAt(), channel.getClosedAt())))
        .setTransport(channel.getTransport())
        .setWorkspaceName(channel.getWorkspaceName())
        .setEnforcerLabel(channel.getEnforcerLabel())
        .putAllCapabilities(channel.getCapabilitiesMap())
        .build();
  }
}
