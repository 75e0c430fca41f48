/**
 * What an agent runtime asks of its host below the sessions of ACP: tools, a search among tools,
 * skills, and signs of life (the Harn bridge protocol). The runtime is the other side of a {@link
 * dev.bridle.host.rpc.JsonRpcPeer}; what is offered to it comes in by {@link
 * dev.bridle.host.bridge.BridgeServices}.
 */
package dev.bridle.host.bridge;
