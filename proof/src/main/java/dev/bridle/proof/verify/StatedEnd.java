package dev.bridle.proof.verify;

/**
 * What somebody says of a chain's end, which is not among its receipts.
 *
 * @param isProven whether it is known who says it: what they have, or what a trusted key has signed
 * @param isPartial whether they say that receipts are missing of which they have no copies
 */
public record StatedEnd(ChainEnd end, boolean isProven, boolean isPartial) {}
