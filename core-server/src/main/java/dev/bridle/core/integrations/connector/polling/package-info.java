/** Polling: requests, schedules and the items of responses. */
package dev.bridle.core.integrations.connector.polling;
