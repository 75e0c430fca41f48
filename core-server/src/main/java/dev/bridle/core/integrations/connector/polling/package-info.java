/** How connectors poll: what is asked, when, and which items an answer has. */
package dev.bridle.core.integrations.connector.polling;
