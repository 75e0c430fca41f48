/** Messages of sessions and tasks. */
package dev.bridle.core.message;
