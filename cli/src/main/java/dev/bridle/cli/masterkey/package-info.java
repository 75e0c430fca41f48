/** The file of the master key that encrypts stored secrets. */
package dev.bridle.cli.masterkey;
