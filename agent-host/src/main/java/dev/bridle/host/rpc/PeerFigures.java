package dev.bridle.host.rpc;

/**
 * What a peer has counted since it began.
 *
 * @param messages messages that arrived: requests, notifications and answers
 * @param noiseLines lines that were no message
 * @param longLines lines that were discarded because they were too long
 * @param badRequests requests with an id that may not be
 * @param lateAnswers answers to calls that had been answered, or had timed out
 * @param unknownAnswers answers to ids that no call had
 * @param handlerFailures calls of the handler that threw
 */
public record PeerFigures(
    long messages,
    long noiseLines,
    long longLines,
    long badRequests,
    long lateAnswers,
    long unknownAnswers,
    long handlerFailures) {}
