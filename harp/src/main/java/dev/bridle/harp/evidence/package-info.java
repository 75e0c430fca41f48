/** Verifies offline that people have signed what a receipt says that they approved. */
package dev.bridle.harp.evidence;
