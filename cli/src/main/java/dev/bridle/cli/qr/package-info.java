/** QR codes, for terminals and as images. */
package dev.bridle.cli.qr;
