package dev.bridle.harpgateway.socket;

import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.socket.FrameCodec;
import dev.bridle.gateway.kit.socket.Origins;
import dev.bridle.gateway.kit.stream.OpenStreams;
import dev.bridle.gateway.kit.stream.StreamSettings;
import dev.bridle.gateway.kit.stream.UnsentBytes;

/**
 * What all WebSockets share.
 *
 * @param core calls the core
 * @param bodies the memory of messages until they are delivered
 * @param codec reads and writes frames
 * @param origins the origins whose pages may open WebSockets
 * @param settings the settings of streams
 * @param streams the open ones
 * @param unsent the bytes that wait for clients
 */
public record RelaySockets(
    CoreCalls core,
    Bodies bodies,
    FrameCodec codec,
    Origins origins,
    StreamSettings settings,
    OpenStreams streams,
    UnsentBytes unsent) {}
