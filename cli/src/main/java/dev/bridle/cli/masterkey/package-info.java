/** The file of the key that secrets are sealed with. */
package dev.bridle.cli.masterkey;
