/** Payloads that only one approver's device opens. */
package dev.bridle.harp.seal;
