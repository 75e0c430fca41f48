/** Messages of sessions and tasks. */
package dev.bridle.core.work.message;
