/** Commands about personas, skills, quotas and memories. */
package dev.bridle.cli.resource;
