/** Certificates: those of a server, those that commands trust, and a CA for a local network. */
package dev.bridle.cli.tls;
