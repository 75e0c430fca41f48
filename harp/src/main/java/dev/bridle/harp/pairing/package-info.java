/** Pairs an approver's device with an enforcer over a relay that neither of them trusts. */
package dev.bridle.harp.pairing;
