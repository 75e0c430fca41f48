/** Commands that show and answer permission requests, and end standing grants. */
package dev.bridle.cli.permission;
