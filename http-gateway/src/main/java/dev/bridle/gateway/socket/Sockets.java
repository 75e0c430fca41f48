package dev.bridle.gateway.socket;

import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.socket.FrameCodec;
import dev.bridle.gateway.kit.socket.Origins;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.StreamSettings;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The shared dependencies of all WebSockets. */
public final class Sockets {

  private final CoreCalls core;
  private final FrameCodec codec;
  private final ServerFrames frames;
  private final Map<String, FrameCommand> commands;
  private final Origins origins;
  private final StreamSettings settings;
  private final OpenStreams streams;

  /**
   * Creates the dependencies of WebSockets with these commands.
   *
   * @throws IllegalStateException if two commands have the same frame type
   */
  public Sockets(
      CoreCalls core,
      FrameCodec codec,
      ServerFrames frames,
      Collection<FrameCommand> commands,
      Origins origins,
      StreamSettings settings,
      OpenStreams streams) {
    this.core = core;
    this.codec = codec;
    this.frames = frames;
    this.commands =
        commands.stream().collect(Collectors.toMap(FrameCommand::type, Function.identity()));
    this.origins = origins;
    this.settings = settings;
    this.streams = streams;
  }

  CoreCalls core() {
    return core;
  }

  FrameCodec codec() {
    return codec;
  }

  ServerFrames frames() {
    return frames;
  }

  Origins origins() {
    return origins;
  }

  StreamSettings settings() {
    return settings;
  }

  OpenStreams streams() {
    return streams;
  }

  /**
   * Returns the command of a frame type.
   *
   * @throws ProtocolException if there is none
   */
  FrameCommand command(String type) {
    FrameCommand command = commands.get(type);
    if (command == null) {
      TreeSet<String> known = new TreeSet<>(commands.keySet());
      known.add(Conversation.PING);
      known.add(Conversation.RESUME);
      throw ClientFrame.invalid(
          "type", "The type is unknown; expected one of " + String.join(", ", known) + ".");
    }
    return command;
  }
}
