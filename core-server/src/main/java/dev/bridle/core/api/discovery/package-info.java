/** Server discovery: agent card, versions, capabilities and health. */
package dev.bridle.core.api.discovery;
