/** The service of messages. */
package dev.bridle.core.api.message;
