/** Commands about OAuth clients and the keys that sign their tokens. */
package dev.bridle.cli.oauth;
