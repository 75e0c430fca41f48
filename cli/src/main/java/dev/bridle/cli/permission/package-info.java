/** Commands that show and answer permission requests, and revoke standing grants. */
package dev.bridle.cli.permission;
